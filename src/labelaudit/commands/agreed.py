"""What labelaudit agree does: how reliable the labels in a file are."""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Sequence
from textwrap import fill
from typing import Any

import pandas as pd

from .._digits import decimals, significant
from .._words import warn
from ..agreement.parts import DISAGREEMENT
from ..agreement.ratings import Ratings
from ..files.ratings import Collection, collection
from ..reports import report
from ..reports.collection import spelling
from ..reports.collection.fitting import SHOWN, readable
from ..reports.collection.found import Reliability
from ..reports.collection.study import reliability
from .told import as_json, complain, note

COMPARED = ("value", "low", "high")  # of suggestions, and of two collections
WIDTH = 80  # of a paragraph
DISPUTED = 20  # items that JSON lists
FEW_LABELS = 12  # that the table's head names


def run(options: argparse.Namespace) -> int:
    try:
        if options.report:
            report.writable(options.report, options.force)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            found = audited(options)
    except ValueError as error:
        return complain(f"agree: {error}", 2)
    said = dict.fromkeys(str(warning.message) for warning in caught)
    said |= dict.fromkeys(found.warnings)
    if options.report:
        from ..reports.collection.page import page

        try:
            html = page(found, options.ratings.name, [*said])
            report.write(options.report, html, over=options.force)
        except OSError as error:
            return complain(f"agree: cannot write {options.report}: {error}", 2)
    plain = described(found)
    plain["report"] = found.report(name=options.ratings.name)
    plain["notes"] = [*said]
    if options.json:
        print(as_json(plain))
        return 0
    print(table(plain))
    for text in said:
        note(text)
    if options.report:
        print(f"\nreport: {options.report}")
    return 0


def audited(options: argparse.Namespace) -> Reliability:
    """What the files show."""
    ordered = options.distance == "ordinal" and options.labels
    how = {
        "item": options.item,
        "rater": options.rater,
        "label": options.label,
        "raters": options.raters,
        "labels": options.labels,
        "missing": options.missing,
        "numbers": options.distance != "nominal" and not ordered,
    }
    first = collection(
        options.ratings, suggested=options.suggested, count=options.count, **how
    )
    second: Ratings | None = None
    if options.second:
        how |= {"raters": [], "ignored": [options.suggested]}
        second = collection(options.second, **how).ratings
    found = reliability(
        first.ratings, options.distance, suggested=first.suggested, other=second
    )
    for text in _alike(options, first, second):
        warn(text)
    return found


def _alike(
    options: argparse.Namespace, first: Collection, second: Ratings | None
) -> list[str]:
    """Notes on labels, items and raters of all files that look alike.

    But for the labels of the first among themselves: the library tells of these.
    """
    here = {str(options.ratings): first.ratings}
    if second is not None:
        here[str(options.second)] = second
    labels: dict[str, Any] = {place: r.labels for place, r in here.items()}
    if first.suggested is not None:
        labels[f"{options.ratings}, column {options.suggested}"] = (
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
    used = found.items["ratings"]
    plain: dict[str, Any] = {
        "n_items": len(used),
        "n_raters": None if r.raters is None else len(r.raters),
        "n_ratings": int(used.sum()),
        "labels": [_label(label) for label in r.labels],
        "dropped": len(r.items) - len(used),
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
    """Whole numbers without the point that reading them as numbers gave them."""
    if isinstance(label, float) and label.is_integer():
        return int(label)
    return label


def _decimals(value: float) -> str:
    return decimals(value) if abs(value) < 1e4 else significant(value, 4)


def table(found: dict[str, Any]) -> str:
    """The same for people."""
    size = f"{found['n_items']} items, {found['n_raters']} raters"
    labels = [str(label) for label in found["labels"]]
    if len(labels) > FEW_LABELS:
        labels[FEW_LABELS:] = [f"... ({len(labels)})"]
    size += f", {found['n_ratings']} ratings; labels {', '.join(labels)}"
    if found["dropped"]:
        size += f"; dropped for fewer than two ratings: {found['dropped']}"
    told = f"low, high: 95 % interval; distance: {found['distance']}"
    rows = readable(_rows(found["coefficients"], SHOWN))
    if "observed" not in rows:
        own = "D_o, D_e: observed and expected disagreement, by the distance for"
        told = f"{own} alpha and iota\n{told}"
        rows = rows.rename(columns=dict(zip(DISAGREEMENT, ("D_o", "D_e"))))
    parts = [size, _text(rows, "undefined"), told]
    if "suggested" in found:
        parts += ["suggested labels:", _text(_rows(found["suggested"], COMPARED))]
    if "second" in found:
        parts += ["second collection:", _text(_rows(found["second"], COMPARED))]
    return "\n\n".join([*parts, fill(found["report"], WIDTH)])


def _rows(found: dict[str, Any], columns: Sequence[str]) -> pd.DataFrame:
    return pd.DataFrame(found).T[list(columns)].astype(float)


def _text(rows: pd.DataFrame, missing: str = "-") -> str:
    return rows.to_string(float_format=_decimals, na_rep=missing)
