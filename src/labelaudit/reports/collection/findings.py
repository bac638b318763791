"""What a `Reliability` and its comparisons show, once: told as JSON, text and HTML."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from textwrap import fill
from typing import Any, NamedTuple

import pandas as pd

from ..._words import text, whole
from ...agreement.alternative import AlternativeAnnotator
from ...agreement.gold import Accuracy
from ...agreement.parts import AGREEMENT, DISAGREEMENT
from ...files.told import read
from .. import report
from ..saying import say
from .fitting import SHOWN, decimal, readable
from .found import Reliability

COMPARED = ["value", "low", "high"]
MOST_ROWS = 20  # of a table; items that are listed
LEVEL = 95  # percent, of intervals of accuracy
WIDTH = 80  # of a paragraph

WORDS = read(__package__, "findings.toml")


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


@dataclass(frozen=True, eq=False)
class Findings:
    """All that was found in some files, once, and how it is told.

    Attributes
    ----------
    found : Reliability
    name : str
        What the ratings are: the name of a file, say.
    gold : Accuracy, optional
        Against gold labels.
    model : AlternativeAnnotator, optional

    Examples
    --------
    >>> import labelaudit as la
    >>> from labelaudit.reports.collection.findings import Findings
    >>> r = la.Ratings.from_matrix([["y", "y"], ["n", "y"], ["n", "n"]] * 20)
    >>> told = Findings(la.reliability(r), "ratings.csv")
    >>> told.plain()["report"][:34], told.text()[:26]
    ('ratings.csv: 60 items, 2 raters, 1', '60 items, 2 raters, 120 ju')
    >>> "How reliable are these labels?" in told.page(), "http:" in told.page()
    (True, False)
    """

    found: Reliability
    name: str = "The labels"
    gold: Accuracy | None = None
    model: AlternativeAnnotator | None = None

    @cached_property
    def parts(self) -> list[Finding]:
        """All there is, the coefficients first.

        Where they are undefined, what has a short name comes before them.
        """
        found = self.found
        labels = found.labels.sort_values("ratings", ascending=False, kind="stable")
        labels = labels.rename(columns={"value": "alpha"})
        raters = shown = found.raters
        if len(raters):  # else they are anonymous
            shown = raters.sort_values("excess", ascending=False, kind="stable")
            shown = shown.drop(columns="agreement")
        disputed = found.disputed(MOST_ROWS)
        what = "item" if found.ratings.times is None else "pattern"
        parts = [
            _first(found),
            None if self.gold is None else _against(found, self.gold),
            None if self.model is None else _beside(self.model),
            Finding("by_label", _records(found.labels), labels),
            Finding("by_rater", _records(raters), shown),
            Finding("disputed", _records(disputed), disputed.rename_axis(what)),
            None if found.suggested is None else _led(found.suggested),
            None if found.other is None else _second(found.other),
        ]
        there = [part for part in parts if part is not None]
        if found.alpha.undefined:
            there.sort(key=lambda part: "short" not in WORDS[part.key])
        return there

    def plain(self) -> dict[str, Any]:
        """For JSON."""
        found, r = self.found, self.found.ratings
        flags = found.flags[found.flags["flagged"].astype(bool)]
        return {
            "n_items": found.n_items,
            "n_raters": found.n_raters,
            "n_ratings": found.alpha.n_ratings,
            "n_clusters": found.alpha.n_clusters,
            "labels": [*map(whole, r.labels)],
            "dropped": found.dropped,
            "flags": _records(flags.drop(columns="flagged")),
            "distance": found.distance,
            **{part.key: part.plain for part in self.parts},
            "omitted": list(found.omitted),
            "report": found.report(name=self.name),
        }

    @property
    def quoted(self) -> str:
        """Which coefficient to quote."""
        return say("quote", of=self.found, nominal=self.found.distance == "nominal")

    def text(self) -> str:
        """For people: those that have a short name, and a paragraph to paste."""
        told = list[str]()
        for part in self.parts:
            if part.key == "coefficients":
                told += [self.found.head, _table(part.shown, "undefined")]
                told += [part.told, self.quoted]
            elif short := WORDS[part.key].get("short"):
                told += [f"{short}:", _table(part.shown), fill(part.told, WIDTH)]
        told.append(fill(self.found.report(name=self.name), WIDTH))
        return "\n\n".join(filter(None, told))

    def page(self, notes: Sequence[str] = ()) -> str:
        """All tables, the picture and what to be careful about, as a page of HTML.

        The same for the same ratings; it begins with what the terminal begins with.
        """
        from .figures import coefficients  # needs matplotlib

        found, told = self.found, list[str]()
        for part in filter(lambda part: len(part.shown), self.parts):
            rows = [_rows(part.shown), report.text(part.told)]
            if part.key == "coefficients":
                table = part.shown.rename_axis("coefficient")
                told.append(report.text(found.head))
                told.append(report.table(table, part.told, "undefined"))
                told += map(report.text, (self.quoted, found.report(name=self.name)))
                told += [report.title("What to be careful about")] * bool(notes)
                told.append(report.notes(notes))
                with report.look():
                    rows = [report.image(coefficients(found))]
            words = WORDS[part.key]
            told += [report.title(words["title"]), report.text(words["words"]), *rows]
        left = [*found.omitted, *(f"{k} ({why})" for k, why in found.unfit.items())]
        left_out = f"Left out: {'; '.join(left)}. " if left else ""
        told.append(report.text(f"{left_out}labelaudit {version('labelaudit')}."))
        return report.page("How reliable are these labels?", told)


def _table(frame: pd.DataFrame, missing: str = "-") -> str:
    """For the terminal."""
    table = frame.iloc[:MOST_ROWS].to_string(float_format=decimal, na_rep=missing)
    return "\n".join(filter(None, [table, _more(frame)]))


def _rows(frame: pd.DataFrame) -> str:
    """For a page: with blanks in the names of columns, where they may break."""
    named = frame.iloc[:MOST_ROWS].rename(columns=lambda name: name.replace("_", " "))
    named.index.names = [name or "of" for name in frame.index.names]
    return report.table(named, _more(frame))


def _more(frame: pd.DataFrame) -> str:
    """Where those rows are that are not shown of many."""
    all_rows = f"The first {MOST_ROWS} of {len(frame):,}; --json has all"
    return all_rows if len(frame) > MOST_ROWS else ""


def _keyed(frame: pd.DataFrame) -> dict[str, Any]:
    return frame.astype(object).to_dict(orient="index")


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    named = frame.rename_axis(index=lambda name: name or "item")
    return [
        {key: whole(value) if key == "label" else value for key, value in row.items()}
        for row in named.reset_index().astype(object).to_dict(orient="records")
    ]


def _first(found: Reliability) -> Finding:
    """What text and page begin with, and what the columns are."""
    table, distance = found.coefficients[[*SHOWN]], found.distance
    rows = readable(table).drop(columns=[*DISAGREEMENT], errors="ignore")
    judged = found.ratings.per_item
    # Some distances have no scale that agreement could be told on.
    told = {"own": AGREEMENT[0] not in rows, "steps": distance == "ordinal"}
    told["uneven"] = len(pd.unique(judged[judged > 1])) > 1
    columns = say("columns", level=100 * found.confidence, distance=distance, **told)
    return Finding("coefficients", _keyed(table), rows, columns)


def _against(found: Reliability, gold: Accuracy) -> Finding:
    """Accuracy against gold labels: overall, by rater and by label."""
    overall = dict(zip(COMPARED, (gold.value, *gold.interval())))
    overall |= {"n_items": gold.n_items, "n_ratings": gold.n_ratings}
    tables = {"label": gold.per_label()}  # first: raters may be many
    if found.ratings.raters is not None:
        tables["rater"] = gold.per_rater()
    plain: dict[str, Any] = {"overall": overall, "by_rater": []}
    rows = [pd.DataFrame(overall, ["all"])]
    names = {"accuracy": "value", "items": "n_items", "ratings": "n_ratings"}
    for key, table in tables.items():
        table = table.rename(columns=names)[[*overall]].rename_axis(key)
        plain[f"by_{key}"] = _records(table)
        rows.append(table.set_axis([f"{key} {text(whole(k))}" for k in table.index]))
    row = overall | {"why": gold.clusters.too_few if gold.clusters else ""}
    told = say("right", value=say("valued", row=row, level=LEVEL), level=LEVEL, row=row)
    return Finding("accuracy", plain, pd.concat(rows), told)


def _led(suggested: pd.DataFrame) -> Finding:
    """How often suggestions are followed, and agreement on them beyond chance."""
    return Finding("suggested", _keyed(suggested), suggested, say("led"))


def _second(other: pd.DataFrame) -> Finding:
    """Two collections beside each other."""
    why = [f"{name}: {one}" for name, one in other["why"].items() if one]
    return Finding("second", _keyed(other), other[[*COMPARED, "items"]], "; ".join(why))


def _beside(model: AlternativeAnnotator) -> Finding:
    """Each rater beside the model, and whether that may stand in for them."""
    names = ("scoring", "epsilon", "winning_rate", "advantage", "passed")
    plain: dict[str, Any] = {name: getattr(model, name) for name in names}
    table = model.per_rater
    many = {"beaten": table["rejected"].sum(), "tested": (~table["skipped"]).sum()}
    told = say("stands_in", **many, **plain)
    plain["per_rater"] = _records(table)
    yes = table[["rejected", "skipped"]].replace({True: "yes", False: "no"})
    shown = table.rename_axis(None).assign(**yes)
    return Finding("alternative_annotator", plain, shown, told)
