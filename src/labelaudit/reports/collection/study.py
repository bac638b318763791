"""How reliable are these labels? Everything that a set of ratings shows, in one place.

Tables by label, rater and item, a check of suggested labels, a comparison with a second
collection, and what to be careful about, in words.
"""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from ... import _checks
from ..._checks import Array
from ..._words import quietly, whole
from ...agreement.agreement import Agreement
from ...agreement.gold import accuracy
from ...agreement.normalized import normalized_cross_kappa
from ...agreement.parts import MOST_LABELS, of_label
from ...agreement.ratings import Ratings
from ...agreement.reading import objects
from ...agreement.suggested import dipietro_hazari_kappa
from ...agreement.table import compute, once
from ..saying import merged
from . import breakdowns, fitting, warnings as words
from .flags import flags
from .found import ALPHA, Reliability

# What takes one pass per label goes through this many judgments.
BUDGET = 10_000_000
MOST_JUDGMENTS = 5_000_000  # that patterns may stand for, for tables by rater
OF_TWO = ("cross_kappa", "normalized_cross_kappa", "reliability_x", "reliability_y")


def reliability(
    ratings: Ratings,
    distance: Any = "nominal",
    *,
    suggested: Any = None,
    other: Ratings | None = None,
    confidence: float = 0.95,
) -> Reliability:
    """All that a set of ratings shows about its reliability, with warnings in words.

    Parameters
    ----------
    ratings : Ratings
        Of patterns that stand for more than 5,000,000 judgments there are no tables
        by rater and no flags, which `omitted` says, and `items` has one row a pattern.
        With clusters all standard errors and intervals are those of clusters.
    distance : as for krippendorff_alpha
        Of labels, for alpha and iota, and for breakdowns; S, pi, kappas and AC1
        stay nominal. With "ordinal" weighted kappa and AC2 square the steps between.
    suggested : Series or sequence, one label for each item, optional
        What raters were shown; as for dipietro_hazari_kappa.
    other : Ratings, optional
        A second collection of labels for the same items, joined by their names.
    confidence : float in (0, 1)
        Of all intervals.

    Returns
    -------
    Reliability
        It gives no Python warning: what there is to say is in `warnings`.

    Raises
    ------
    ValueError
        For ratings with repeats, a distance that does not fit the labels,
        suggestions or a second collection that do not fit the ratings.

    Examples
    --------
    >>> import labelaudit as la
    >>> table = [["y", "y", "y"], ["n", "n", "y"], ["n", "n", "n"], ["y", "n", "y"]]
    >>> found = la.reliability(la.Ratings.from_matrix(table * 10))
    >>> found.coefficients["value"].round(3).to_dict()["krippendorff_alpha"]
    0.339
    >>> found.labels["agreement"].round(3).to_dict()
    {'n': 0.667, 'y': 0.667}
    >>> found.warnings[0].split(":")[0]
    'alpha is 0.34 (95 % interval 0.12 to 0.54), below 0.667'
    """
    r, suggested = _one_by_one(once(ratings, "ratings"), suggested)
    confidence = _checks.confidence(confidence)
    if other is not None:
        once(other, "other")
    omitted, beside = list[str](), dict[str, Any]()
    with quietly():
        of, unfit = fitting.fitting(r, distance)
        labels = _labels(r, of[ALPHA], confidence, omitted)
        raters = _raters(r, of[ALPHA], distance, omitted)
        if suggested is not None:
            beside["suggested"] = _followed(r, suggested, confidence)
            beside["suggestions"] = pd.Series(_each(r, suggested), r.items, object)
        if other is not None:
            beside["other"] = compared(r, other, distance, confidence)
        tables = fitting.table(of, confidence), labels, raters, flags(r)
        known = r, of, unfit, confidence, *tables, tuple(omitted)
        found = Reliability(*known, second=other, **beside)
        return replace(found, warnings=tuple(words.warnings(found)))


def _one_by_one(r: Ratings, suggested: Any) -> tuple[Ratings, Any]:
    """Items as they are told here: each for itself, also those of not too many
    patterns."""
    if r.times is None or r.n_ratings > MOST_JUDGMENTS:
        return r, suggested
    if suggested is not None:
        suggested = np.repeat(_each(r, suggested), r.standing.astype(int))
    return r.expanded(), suggested


def _each(r: Ratings, suggested: Any) -> Array:
    """The suggestion of each item, or None."""
    codes, names = r.item_labels("suggested", suggested)
    return objects([*map(whole, names), None])[codes]


# Labels ---------------------------------------------------------------------------


def _most(r: Ratings) -> int:
    """How many passes over all judgments are not too many; at least 5."""
    return min(MOST_LABELS, max(5, BUDGET // len(r.judgments.item)))


def _labels(
    r: Ratings, alpha: Agreement, confidence: float, omitted: list[str]
) -> pd.DataFrame:
    q, most = len(r.labels), _most(r)
    table = breakdowns.agreement_on_labels(r)
    table[["value", "low", "high"]] = np.nan
    if alpha.distance.name != "nominal" and q > MOST_LABELS:
        omitted.append(f"alpha of single labels: there are {q}, at most {MOST_LABELS}")
        return table
    if most < q:
        omitted.append(f"alpha of all but the {most} commonest of {q} labels")
    for position in np.argsort(-table["ratings"], kind="stable")[:most]:
        part = of_label(alpha, int(position))
        table.iloc[position, -3:] = [part.value, *part.interval(confidence)]
    return table


# Raters ---------------------------------------------------------------------------


def _raters(
    r: Ratings, alpha: Agreement, distance: Any, omitted: list[str]
) -> pd.DataFrame:
    if r.raters is None or r.times is not None:
        many = f"above {MOST_JUDGMENTS:,} judgments"
        why = "they are anonymous" if r.raters is None else many
        omitted.append(f"all by rater: {why}")
        return pd.DataFrame()
    table = breakdowns.agreement_with_others(r, alpha.distance).rename_axis("rater")
    if len(table) > _most(r):
        omitted.append(f"alpha without each rater: {len(table)} raters")
        return table
    table["without"] = np.nan
    for a in range(len(table)):
        if len(rows := np.flatnonzero(r.judgments.rater != a)):
            part = replace(r, judgments=r.judgments[rows])
            table.iloc[a, -1] = compute(ALPHA, part, distance).value
    return table


# Suggestions ----------------------------------------------------------------------


def _followed(r: Ratings, suggested: Any, confidence: float) -> pd.DataFrame | None:
    """Agreement on the suggested labels, and how often they are given; None where no
    item with a judgment has one."""
    codes, _ = r.item_labels("suggested", suggested)
    if not (codes[r.judgments.item] >= 0).any():
        return None
    both: Any = dipietro_hazari_kappa(r, suggested), accuracy(r, suggested)
    rows = [(one.value, *one.interval(confidence), one.n_ratings) for one in both]
    names = ["dipietro_hazari_kappa", "followed"]
    return pd.DataFrame(rows, names, ["value", "low", "high", "judgments"])


# A second collection of labels for the same items -----------------------------------


def compared(
    x: Ratings, y: Ratings, distance: Any = "nominal", confidence: float = 0.95
) -> pd.DataFrame:
    """Agreement between two collections, beside the reliability of each.

    Parameters
    ----------
    x, y, distance : as for cross_kappa
    confidence : float in (0, 1)

    Returns
    -------
    DataFrame
        The numbers of Reliability.coefficients, items, and why: why there is no value
        or interval, or what to know about it. The rows: cross_kappa;
        normalized_cross_kappa (with Fieller's interval); reliability_x and
        reliability_y (iota, or alpha where raters change).

    Examples
    --------
    >>> import labelaudit as la
    >>> from labelaudit.reports.collection.study import compared
    >>> x = la.Ratings.from_matrix([[1, 1], [2, 2], [1, 2], [2, 2]] * 10)
    >>> y = la.Ratings.from_matrix([[1, 2], [2, 2], [1, 1], [2, 2]] * 10)
    >>> compared(x, y)["value"].round(3).to_dict()["normalized_cross_kappa"]
    0.933
    """
    with quietly():
        normal: Any = normalized_cross_kappa(x, y, distance)
        kappa, *within = normal._parts
        of = dict(zip(OF_TWO, (kappa, normal, *within)))
        table = fitting.table(of, confidence)
    table.insert(len(fitting.SHOWN), "items", [one.n_items for one in of.values()])
    noted = ["; ".join(merged(one._noted)) for one in of.values()]
    table["why"] = table["why"].where(table["why"] != "", noted)
    return table
