"""What the audit notebook does with ratings that somebody brings, or the example."""

import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

import labelaudit as la
from labelaudit.files.ratings import collection
from labelaudit.reports.collection.figures import NAMES, coefficients
from labelaudit.reports.collection.findings import Findings
from labelaudit.reports.collection.fitting import readable

from ..machinery import paths

draw = coefficients  # the picture of the report

MOST_RESAMPLED = 100_000  # judgments; more take the bootstrap minutes


@dataclass(frozen=True)
class Own:
    """Ratings from files.

    source : the first file's name
    suggested, second : None where there are none
    notes : what reading found
    """

    source: str
    ratings: la.Ratings
    suggested: pd.Series | None
    second: la.Ratings | None
    notes: tuple[str, ...]


def load(given: Any) -> Own:
    """The files that a notebook's parameters name; the example where they name none.

    A relative path starts where the notebook runs.
    """
    made = not given.ratings
    first = paths.MADE / "ratings.csv" if made else Path(given.ratings).absolute()
    suggested, other = given.suggested, given.second
    if made:
        suggested = suggested or "suggested"
        other = other or str(paths.MADE / "ratings_second.csv")
    ordered = given.distance == "ordinal" and given.label_order
    how: dict[str, Any] = {
        "item": [given.item] if given.item else [],
        "rater": given.rater or None,
        "label": given.label or None,
        "labels": given.label_order,
        "missing": given.missing,
        "numbers": given.distance != "nominal" and not ordered,
    }
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        wide = {"raters": given.columns, "times": given.count or None}
        found = collection(first, suggested=suggested or None, **wide, **how)
        second = None
        if other:
            how["ignored"] = [suggested] if suggested else []
            second = collection(Path(other).absolute(), **how).ratings
    notes = tuple(dict.fromkeys(str(one.message) for one in caught))
    return Own(first.name, found.ratings, found.suggested, second, notes)


def bootstrap(a: la.Agreement, confidence: float, seed: int) -> str:
    """The interval of a coefficient in another way, as a sentence."""
    low, high = a.interval(confidence)
    if low != low:
        return "There is no interval to compare."
    if a.n_ratings > MOST_RESAMPLED:
        return f"Left out: {a.n_ratings:,} judgments would take minutes."
    other = a.interval(confidence, "bootstrap", seed=seed)
    return (
        f"interval {low:.3f} to {high:.3f}; bootstrap {other[0]:.3f} to {other[1]:.3f}"
    )


def chance(found: la.Reliability) -> pd.DataFrame:
    """What each coefficient takes chance to be."""
    told = {NAMES[name]: getattr(la, name).__doc__.split("\n")[0] for name in found.of}
    return pd.Series(told, name="chance").to_frame()


def named(coefficients: pd.DataFrame) -> pd.DataFrame:
    """The table of coefficients by their names in words."""
    return readable(coefficients).rename(index=NAMES)


def page(found: la.Reliability, own: Own) -> str:
    """The report, with what reading the files found."""
    notes = [*own.notes, *found.warnings]
    return Findings(found, own.source).page(notes)
