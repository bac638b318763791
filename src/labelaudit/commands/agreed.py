"""What labelaudit agree does: how reliable the labels in a file are."""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Sequence
from textwrap import fill
from typing import Any

import pandas as pd

from .._digits import decimals, significant
from .._words import in_order, plural, text, warn, whole
from ..agreement.alternative import AlternativeAnnotator, alternative_annotator
from ..agreement.gold import Accuracy, accuracy
from ..agreement.latent import dawid_skene
from ..agreement.parts import DISAGREEMENT
from ..agreement.ratings import Ratings
from ..files import outputs
from ..files.ratings import Collection, collection
from ..reports import report
from ..reports.collection import spelling
from ..reports.collection.fitting import SHOWN, readable
from ..reports.collection.found import Reliability, judged_twice
from ..reports.collection.study import reliability
from . import required
from .told import as_json, complain, note

COMPARED = ("value", "low", "high")  # of suggestions, and of two collections
WIDTH = 80  # of a paragraph
DISPUTED = 20  # items that JSON lists
FEWEST_GRADES = 4  # numbers as labels, to ask whether they are grades
MOST_SHOWN = 30  # labels, and raters, of the table against gold labels
FEW_LABELS = 12  # that the table's head names


def run(options: argparse.Namespace) -> int:
    try:
        wanted = [required.read(text) for text in options.require]
        outputs.check(
            {
                "--report": options.report,
                "--consensus": options.consensus,
                "--raters-out": options.raters_out,
            },
            [*options.ratings, options.gold, options.second],
            options.force,
        )
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            found, gold, model = audited(options)
            consensus = _consensus(found.ratings) if options.consensus else None
    except ValueError as error:
        return complain(f"agree: {error}", 2)
    said = dict.fromkeys(str(warning.message) for warning in caught)
    said |= dict.fromkeys(found.warnings)
    name = _named(options.ratings)
    written = {}
    if options.report:
        from ..reports.collection.page import page

        written[options.report] = page(found, name, [*said])
    if consensus is not None:
        written[options.consensus] = _csv(consensus)
    if options.raters_out:
        written[options.raters_out] = _csv(found.flags.reset_index())
    for path, content in written.items():
        try:
            report.write(path, content, over=options.force)
        except OSError as error:
            return complain(f"agree: cannot write {path}: {error}", 2)
    plain = described(found)
    if gold is not None:
        plain["accuracy"] = _against(gold)
    if model is not None:
        plain["alternative_annotator"] = _instead(model)
    plain["report"] = found.report(name=name)
    plain["notes"] = [*said]
    missed = [why for one in wanted if (why := one.missed_by(found))]
    if wanted:
        plain["required"] = {"missed": missed}
    if options.json:
        print(as_json(plain))
    else:
        print(table(plain))
        for sentence in said:
            note(sentence)
        for path in written:
            print(f"\n{'report' if path == options.report else 'written'}: {path}")
    for why in missed:
        complain(f"agree: {why}", 3)
    if found.coefficients["value"].isna().all():
        return complain("agree: every coefficient is undefined", 4)
    return 3 if missed else 0


def _csv(table: pd.DataFrame) -> str:
    written: str = table.to_csv(index=False, lineterminator="\n", float_format="%.9g")
    return written


def _named(paths: Sequence[Any]) -> str:
    """What a report calls the files."""
    first = "standard input" if str(paths[0]) == "-" else paths[0].name
    return f"{first} and {plural(len(paths) - 1, 'more file')}" if paths[1:] else first


def _consensus(r: Ratings) -> pd.DataFrame:
    """Each item's most likely label, its probability, and that of every label."""
    fit = dawid_skene(r, tolerance=1e-6)
    best = fit.most_likely
    columns: dict[Any, Any] = {"item": r.items, "label": best.map(text)}
    columns["probability"] = fit.posterior.max(axis=1)
    frame = pd.DataFrame(columns)
    each = pd.DataFrame(fit.posterior, columns=[text(whole(c)) for c in r.labels])
    return pd.concat([frame.reset_index(drop=True), each], axis=1)


def _against(found: Accuracy) -> dict[str, Any]:
    """Accuracy against gold labels, for JSON."""
    low, high = found.interval()
    overall = {"value": found.value, "low": low, "high": high}
    overall |= {"n_items": found.n_items, "n_ratings": found.n_ratings}
    known = found._ratings.raters is not None
    rows = found.per_rater() if known else None
    return {
        "overall": overall,
        "by_rater": [] if rows is None else _accuracies(rows, "rater"),
        "by_label": _accuracies(found.per_label(), "label"),
    }


def _accuracies(rows: pd.DataFrame, key: str) -> list[dict[str, Any]]:
    return [
        {
            key: _label(name),
            "value": row["accuracy"],
            "low": row["low"],
            "high": row["high"],
            "n_items": int(row["items"]),
            "n_ratings": int(row["ratings"]),
        }
        for name, row in rows.iterrows()
    ]


def _instead(found: AlternativeAnnotator) -> dict[str, Any]:
    """Whether a model may stand in for raters, for JSON."""
    names = ("scoring", "epsilon", "winning_rate", "advantage", "passed")
    told = {name: getattr(found, name) for name in names}
    return told | {"per_rater": _records(found.per_rater)}


def audited(
    options: argparse.Namespace,
) -> tuple[Reliability, Accuracy | None, AlternativeAnnotator | None]:
    """What the files show, how right the labels are, and how good a model is."""
    _together(options)
    ordered = options.distance == "ordinal" and options.labels
    how = {
        "item": options.item,
        "rater": options.rater,
        "label": options.label,
        "raters": options.raters,
        "labels": options.labels,
        "missing": options.missing,
        "numbers": options.distance in ("ordinal", "interval", "ratio") and not ordered,
        "sets": options.sets,
    }
    first = collection(
        options.ratings,
        suggested=options.suggested,
        count=options.count,
        names=options.columns,
        where=options.where,
        split=options.split,
        repeats=options.repeats,
        gold=options.gold,
        model=options.model,
        **how,
    )
    second: Ratings | None = None
    if options.second:
        how |= {
            "raters": [],
            "ignored": [options.suggested, options.gold, options.model],
        }
        second = collection(options.second, **how).ratings
    found = reliability(
        first.ratings, options.distance, suggested=first.suggested, other=second
    )
    for alike in _alike(options, first, second):
        warn(alike)
    for hint in _hints(options, first.ratings):
        warn(hint)
    gold = None if first.gold is None else accuracy(first.ratings, first.gold)
    return found, gold, _tested(options, first)


def _tested(
    options: argparse.Namespace, first: Collection
) -> AlternativeAnnotator | None:
    """The model's labels, item by item where rows stand for several."""
    if first.model is None:
        return None
    squares = options.distance in ("interval", "ratio")
    labels = first.model if first.ratings.times is None else first.model.array
    how: dict[str, Any] = {"scoring": "neg_rmse" if squares else "accuracy"}
    if options.epsilon is not None:
        how["epsilon"] = options.epsilon
    if options.model_test is not None:
        how["test"] = options.model_test
    return alternative_annotator(first.ratings, labels, **how)


def _hints(options: argparse.Namespace, r: Ratings) -> list[str]:
    """Numbers that are compared as equal or not may be grades."""
    nominal = options.distance == "nominal" and not options.labels and not options.sets
    if not nominal or len(r.labels) < FEWEST_GRADES:
        return []
    values = pd.to_numeric(pd.Series([*r.labels]), errors="coerce")
    if values.isna().any():
        return []
    ends = f"{values.min():g} to {values.max():g}"
    return [
        f"labels are {len(values)} numbers, {ends}, compared as equal or not; if they"
        " are grades, --distance ordinal or interval takes near ones for nearer"
    ]


def _together(options: argparse.Namespace) -> None:
    """Refuse options that need each other, or exclude each other."""
    if options.no_header != bool(options.columns):
        raise ValueError(
            "--no-header and --columns go together: files without a header, and the"
            " names of all their columns"
        )
    if options.split is not None and options.split == options.sets:
        raise ValueError(
            f"--split and --sets must differ, got {options.split!r} for both"
        )
    for name in ("epsilon", "model_test"):
        if getattr(options, name) is not None and options.model is None:
            option = name.replace("_", "-")
            raise ValueError(f"--{option} is about a model: --model names its column")
    for name in ("split", "sets"):
        if getattr(options, name) == "":
            raise ValueError(f"--{name} must be a text that separates, got ''")
    if options.sets is None and options.distance in ("jaccard", "masi"):
        raise ValueError(
            f"--distance {options.distance} compares sets of labels: say by --sets what"
            " separates the labels of one"
        )
    if options.sets and options.distance in ("ordinal", "interval", "ratio"):
        raise ValueError(
            f"--distance {options.distance} is for numbers, and with --sets labels are"
            " sets; take nominal, jaccard or masi"
        )


def _alike(
    options: argparse.Namespace, first: Collection, second: Ratings | None
) -> list[str]:
    """Notes on labels, items and raters of all files that look alike.

    But for the labels of the first among themselves: the library tells of these.
    """
    place_of_first = ", ".join(map(str, options.ratings))
    here = {place_of_first: first.ratings}
    if second is not None:
        here[str(options.second)] = second
    labels: dict[str, Any] = {place: r.labels for place, r in here.items()}
    if first.suggested is not None:
        labels[f"{place_of_first}, column {options.suggested}"] = (
            first.suggested.dropna().unique()
        )
    notes = spelling.alike("labels", labels, first.ratings.labels)
    notes += spelling.alike("items", {place: r.items for place, r in here.items()})
    for place, r in here.items():  # other people may rate in the second
        if r.raters is not None:
            notes += spelling.alike("raters", {place: r.raters})
    return notes


def described(found: Reliability) -> dict[str, Any]:
    """For JSON."""
    r = found.ratings
    fits = found.coefficients[found.coefficients["fits"]]
    n_items, judgments = judged_twice(r)
    plain: dict[str, Any] = {
        "n_items": n_items,
        "n_raters": None if r.raters is None else len(r.raters),
        "n_ratings": judgments,
        "labels": [_label(label) for label in r.labels],
        "dropped": r.n_items - n_items,
        "flags": _flagged(found),
        "distance": found.distance,
        "coefficients": {
            name: dict(zip(SHOWN, row))
            for name, *row in fits[list(SHOWN)].itertuples(name=None)
        },
        "by_label": _records(found.labels),
        "by_rater": _records(found.raters),
        "label_use": _records(found.label_use),
        "by_pair": _records(found.pairs),
        "disputed": _records(found.disputed(DISPUTED)),
        "omitted": list(found.omitted),
    }
    if found.suggested is not None:
        plain["suggested"] = _keyed(found.suggested)
    if found.other is not None and found.other_labels is not None:
        plain["second"] = _keyed(found.other)
        plain["second_by_label"] = _records(found.other_labels)
    return plain


def _flagged(found: Reliability) -> list[dict[str, Any]]:
    rows = found.flags[found.flags["flagged"].astype(bool)].drop(columns="flagged")
    return _records(rows)


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    if len(frame) == 0:
        return []
    named = frame.rename_axis(index=lambda name: name or "item")
    return [
        {key: _label(value) if key == "label" else value for key, value in row.items()}
        for row in named.reset_index().astype(object).to_dict(orient="records")
    ]


def _keyed(frame: pd.DataFrame) -> dict[str, Any]:
    return frame.astype(object).to_dict(orient="index")


def _label(label: Any) -> Any:
    """Whole numbers without the point that reading them gave them; sets as lists."""
    if isinstance(label, frozenset):
        return [_label(one) for one in in_order(label)]
    if isinstance(label, float) and label.is_integer():
        return int(label)
    return label


def _short(label: Any) -> str:
    return (
        f"{{{', '.join(map(str, label))}}}" if isinstance(label, list) else str(label)
    )


def _decimals(value: float) -> str:
    return decimals(value) if abs(value) < 1e4 else significant(value, 4)


def table(found: dict[str, Any]) -> str:
    """The same for people."""
    who = found["n_raters"]
    who = "anonymous raters" if who is None else plural(who, "rater")
    size = f"{plural(found['n_items'], 'item')}, {who}"
    labels = [_short(label) for label in found["labels"]]
    if len(labels) > FEW_LABELS:
        labels[FEW_LABELS:] = [f"... ({len(labels)})"]
    judgments = plural(found["n_ratings"], "judgment")
    size += f", {judgments}; labels {', '.join(labels)}"
    if found["dropped"]:
        size += f"; dropped for fewer than two judgments: {found['dropped']:,}"
    told = f"low, high: 95 % interval; distance: {found['distance']}"
    rows = readable(_rows(found["coefficients"], SHOWN))
    if "observed" not in rows:
        ordinal = found["distance"] == "ordinal"
        own = "D_o, D_e: observed and expected disagreement, by the distance for"
        squared = "; by squared steps for AC2 and weighted kappa"
        told = f"{own} alpha and iota{squared if ordinal else ''}\n{told}"
        rows = rows.rename(columns=dict(zip(DISAGREEMENT, ("D_o", "D_e"))))
    parts = [size, _text(rows, "undefined"), told]
    if "accuracy" in found:
        parts += ["against gold labels:", _right(found["accuracy"])]
    if "alternative_annotator" in found:
        parts += ["model against raters:", *_beside(found["alternative_annotator"])]
    if "suggested" in found:
        parts += ["suggested labels:", _text(_rows(found["suggested"], COMPARED))]
    if "second" in found:
        parts += ["second collection:", _text(_rows(found["second"], COMPARED))]
    return "\n\n".join([*parts, fill(found["report"], WIDTH)])


def _right(found: dict[str, Any]) -> str:
    """Accuracy overall, by label and by rater."""
    rows = {"all": found["overall"]}
    for key in ("label", "rater"):
        rows |= {f"{key} {one[key]}": one for one in found[f"by_{key}"][:MOST_SHOWN]}
    table = pd.DataFrame(rows).T.drop(columns=["label", "rater"], errors="ignore")
    counts = ["n_items", "n_ratings"]
    table[counts] = table[counts].astype(int)
    return _text(table.astype(dict.fromkeys(COMPARED, float)))


def _beside(found: dict[str, Any]) -> list[str]:
    """Each rater beside the model, and what follows."""
    rows = pd.DataFrame(found["per_rater"][:MOST_SHOWN]).set_index("rater")
    rows.index.name = None
    rows[["rejected", "skipped"]] = rows[["rejected", "skipped"]].replace(
        {True: "yes", False: "no"}
    )
    shares = ["advantage", "human_advantage", "p_value"]
    rows[shares] = rows[shares].astype(float)
    skipped = sum(one["skipped"] for one in found["per_rater"])
    tested = len(found["per_rater"]) - skipped
    beaten = sum(one["rejected"] for one in found["per_rater"])
    said = "Whether the model may stand in for the raters is not known: none is tested."
    if tested:
        may = "may" if found["passed"] else "may not"
        said = (
            f"The model {may} stand in for the raters, by the alternative annotator"
            f" test ({found['scoring']}, epsilon {found['epsilon']:g}): it beats"
            f" {beaten} of {plural(tested, 'tested rater')}, and half are needed."
        )
    return [_text(rows), fill(said, WIDTH)]


def _rows(found: dict[str, Any], columns: Sequence[str]) -> pd.DataFrame:
    return pd.DataFrame(found).T[list(columns)].astype(float)


def _text(rows: pd.DataFrame, missing: str = "-") -> str:
    return rows.to_string(float_format=_decimals, na_rep=missing)
