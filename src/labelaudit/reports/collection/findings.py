"""What a `Reliability` and its comparisons show, once: JSON, text and page tell it."""

from textwrap import fill
from typing import Any, NamedTuple

import pandas as pd

from ..._words import quietly, text, whole
from ...agreement.alternative import AlternativeAnnotator
from ...agreement.gold import Accuracy, accuracy
from ..saying import read, say
from .fitting import SHOWN, decimal, first_table
from .found import Reliability, valued

DISPUTED = 20  # items that are listed
MOST_SHOWN = 30  # labels, and raters, beside gold labels or a model
COMPARED = ["value", "low", "high"]
LEVEL = 95  # percent, of intervals of accuracy
WIDTH = 80  # of a paragraph

WORDS = read("collection/findings.toml")


class Finding(NamedTuple):
    """One table of what was found.

    key : its name in JSON, and of its words in findings.toml
    plain : all of it, as JSON has it
    shown : what people see of it
    told : a sentence on it
    """

    key: str
    plain: Any
    shown: pd.DataFrame
    told: str = ""


def findings(
    found: Reliability,
    gold: Accuracy | None = None,
    model: AlternativeAnnotator | None = None,
    misled: Accuracy | None = None,
) -> list[Finding]:
    """All there is, the coefficients first.

    misled : how often suggestions are followed that are not the gold label
    """
    first = first_table(found.coefficients, found.distance, found.confidence)
    parts = [Finding("coefficients", _keyed(found.coefficients[[*SHOWN]]), *first)]
    parts += [] if gold is None else [_against(gold)]
    parts += [] if model is None else [_beside(model)]
    labels = found.labels.sort_values("ratings", ascending=False, kind="stable")
    shown = labels.rename(columns={"value": "alpha"})
    parts.append(Finding("by_label", _records(found.labels), shown))
    raters = shown = found.raters
    if len(raters):  # else they are anonymous
        shown = raters.sort_values("excess", ascending=False, kind="stable")
        shown = shown.drop(columns="agreement")
    parts.append(Finding("by_rater", _records(raters), shown))
    disputed = found.disputed(DISPUTED)
    what = "item" if found.ratings.times is None else "pattern"
    parts.append(Finding("disputed", _records(disputed), disputed.rename_axis(what)))
    if (led := found.suggested) is not None:
        parts.append(_led(found, led, misled))
    if (other := found.other) is not None:
        why = [f"{name}: {one}" for name, one in other["why"].items() if one]
        shown = other[[*COMPARED, "items"]]
        parts.append(Finding("second", _keyed(other), shown, "; ".join(why)))
    return parts


def described(found: Reliability, parts: list[Finding], name: str) -> dict[str, Any]:
    """All of it for JSON.

    name : what the files are called in the paragraph
    """
    r = found.ratings
    flags = found.flags[found.flags["flagged"].astype(bool)]
    return {
        "n_items": found.n_items,
        "n_raters": None if r.raters is None else len(r.raters),
        "n_ratings": found.n_ratings,
        "n_clusters": None if found.clusters is None else len(found.clusters),
        "labels": [*map(whole, r.labels)],
        "dropped": found.dropped,
        "flags": _records(flags.drop(columns="flagged")),
        "distance": found.distance,
        **{part.key: part.plain for part in parts},
        "omitted": list(found.omitted),
        "report": found.report(name=name),
    }


def in_text(found: Reliability, parts: list[Finding], name: str) -> str:
    """For people: those that have a short name, and a paragraph to paste.

    Coefficients come first, but where they are undefined.
    """
    first, *others = parts
    quoted = [] if found.alpha.undefined else [say("quote")]
    told = [found.head, _table(first.shown, "undefined"), first.told, *quoted]
    rest: list[str] = []
    for part in others:
        if short := WORDS[part.key].get("short"):
            rest += [f"{short}:", _table(part.shown)]
            rest += [fill(part.told, WIDTH)] if part.told else []
    told = [*rest, *told] if found.alpha.undefined else [*told, *rest]
    return "\n\n".join([*told, fill(found.report(name=name), WIDTH)])


def _table(rows: pd.DataFrame, missing: str = "-") -> str:
    return rows.to_string(float_format=decimal, na_rep=missing)


def _keyed(frame: pd.DataFrame) -> dict[str, Any]:
    return frame.astype(object).to_dict(orient="index")


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    named = frame.rename_axis(index=lambda name: name or "item")
    return [
        {key: whole(value) if key == "label" else value for key, value in row.items()}
        for row in named.reset_index().astype(object).to_dict(orient="records")
    ]


def _against(gold: Accuracy) -> Finding:
    """Accuracy against gold labels."""
    plain, shown = _shares(gold, "rater", "label")
    few = gold.clusters.too_few if gold.clusters else ""
    row = plain["overall"] | {"why": few}
    told = say("right", told=valued(row, LEVEL), level=LEVEL, row=row)
    return Finding("accuracy", plain, shown, told)


def _led(found: Reliability, led: pd.DataFrame, misled: Accuracy | None) -> Finding:
    """How often suggestions are followed, and wrong ones, in all and by each rater."""
    assert found._suggestions is not None
    plain, tables = _keyed(led), [led.drop(index="followed")]
    with quietly():
        followed = accuracy(found.ratings, found._suggestions.array)
        for name, of in (("followed", followed), ("followed_wrong", misled)):
            if of is not None:
                each, table = _shares(of, "rater")
                plain = {name: each["overall"]} | plain
                plain[f"{name}_by_rater"] = each["by_rater"]
                table.index = [row.replace("all", name, 1) for row in table.index]
                tables.append(table.rename(columns={"n_ratings": "judgments"})[[*led]])
    return Finding("suggested", plain, pd.concat(tables), say("led"))


def _shares(of: Accuracy, *keys: str) -> tuple[dict[str, Any], pd.DataFrame]:
    """How often a label of each item is given: overall, by rater and by label.

    For JSON, and as people see it.
    """
    overall = dict(zip(COMPARED, (of.value, *of.interval())))
    overall |= {"n_items": of.n_items, "n_ratings": of.n_ratings}
    plain: dict[str, Any] = {"overall": overall}
    rows = {"all": overall}
    names = {"accuracy": "value", "items": "n_items", "ratings": "n_ratings"}
    for key in keys:
        plain[f"by_{key}"] = []
        if key == "label" or of._ratings.raters is not None:
            per = of.per_label() if key == "label" else of.per_rater()
            table = per.rename(columns=names)[[*overall]].rename_axis(key)
            plain[f"by_{key}"] = _records(table)
            some = _keyed(table.iloc[:MOST_SHOWN])
            rows |= {f"{key} {text(whole(name))}": row for name, row in some.items()}
    shown = pd.DataFrame(rows).T.astype(dict.fromkeys(["n_items", "n_ratings"], int))
    return plain, shown


def _beside(model: AlternativeAnnotator) -> Finding:
    """Each rater beside the model, and whether that may stand in for them."""
    names = ("scoring", "epsilon", "winning_rate", "advantage", "passed")
    plain: dict[str, Any] = {name: getattr(model, name) for name in names}
    told, tested = say("no_rater_tested"), model.per_rater.query("~skipped")
    if len(tested):
        many = {"beaten": tested["rejected"].sum(), "tested": len(tested)}
        may = "may" if model.passed else "may not"
        told = say("stands_in", may=may, **many, **plain)
    plain["per_rater"] = _records(model.per_rater)
    shown = model.per_rater.iloc[:MOST_SHOWN].rename_axis(None)
    yes = shown[["rejected", "skipped"]].replace({True: "yes", False: "no"})
    return Finding("alternative_annotator", plain, shown.assign(**yes), told)
