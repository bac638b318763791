"""A second collection of labels for the same items: do the two agree?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import csr_array

from ..._checks import Array
from ..._words import below, quietly
from ...agreement.across import Across, alike, cross_kappa
from ...agreement.normalized import normalized_cross_kappa
from ...agreement.ratings import Ratings
from ..saying import listed, say
from .fitting import SHOWN, row
from .found import APART, EDGE, FEW_SHARED, Reliability


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
    >>> from labelaudit.reports.collection.two_collections import compared
    >>> x = la.Ratings.from_matrix([[1, 1], [2, 2], [1, 2], [2, 2]] * 10)
    >>> y = la.Ratings.from_matrix([[1, 2], [2, 2], [1, 1], [2, 2]] * 10)
    >>> compared(x, y)["value"].round(3).to_dict()["normalized_cross_kappa"]
    0.933
    """
    with quietly():
        kappa = cross_kappa(x, y, distance)
        normal: Any = normalized_cross_kappa(x, y, distance)
        of_x, of_y = normal._parts[1:]
        rows = {}
        for name, one in (
            ("cross_kappa", kappa),
            ("normalized_cross_kappa", normal),
            ("reliability_x", of_x),
            ("reliability_y", of_y),
        ):
            found = row(one, confidence)
            why = found.pop("why") or _first(one._noted)
            if np.isinf(found["low"]):
                why = "the reliability is too uncertain to divide by"
            rows[name] = found | {"items": one.n_items, "why": why}
    numbers = dict.fromkeys(SHOWN, float)
    return pd.DataFrame(rows).T.astype(numbers | {"items": int})


def _first(cautions: Sequence[str]) -> str:
    """The gravest, which comes first, and how many more there are."""
    more = f" (so with {len(cautions) - 1} more)" if len(cautions) > 1 else ""
    return "".join(cautions[:1]) + more


def by_label(
    x: Ratings, y: Ratings, confidence: float = 0.95, most: int = 1000
) -> pd.DataFrame:
    """Each label against the rest in two collections.

    Parameters
    ----------
    x, y : as for cross_kappa
    confidence : float in (0, 1)
    most : int
        How many labels, the commonest; the others have shares only.

    Returns
    -------
    DataFrame, index labels of both
        share_x, share_y (of the judgments of the items in common), share_error: the
        standard error of their difference (items are the units, or clusters);
        cross_kappa, low, high; normalized, normalized_low, normalized_high. Distance:
        nominal.

    Examples
    --------
    >>> import labelaudit as la
    >>> from labelaudit.reports.collection.two_collections import by_label
    >>> x = la.Ratings.from_matrix([["a"], ["b"], ["c"], ["c"]] * 10)
    >>> y = la.Ratings.from_matrix([["a"], ["c"], ["c"], ["c"]] * 10)
    >>> by_label(x, y)["cross_kappa"].round(3).to_dict()
    {'a': 1.0, 'b': 0.0, 'c': 0.5}
    """
    with quietly():
        whole: Any = cross_kappa(x, y)
        first, second = alike(x, y)
        table = pd.DataFrame(
            {
                "share_x": whole._of_each[0] / max(whole._of_each[0].sum(), 1),
                "share_y": whole._of_each[1] / max(whole._of_each[1].sum(), 1),
                "share_error": _share_error(whole),
            },
            index=whole.labels,
        )
        table.index.name = "label"
        rows = {}
        for at in np.argsort(-whole._totals, kind="stable")[:most]:
            label = whole.labels[at]
            sides = first.collapsed(label), second.collapsed(label)
            kappa, normal = cross_kappa(*sides), normalized_cross_kappa(*sides)
            ends = kappa.interval(confidence), normal.interval(confidence)
            rows[at] = [kappa.value, *ends[0], normal.value, *ends[1]]
    columns = ["cross_kappa", "low", "high"]
    columns += ["normalized", "normalized_low", "normalized_high"]
    found = pd.DataFrame(rows, index=columns).T.reindex(range(len(table)))
    return table.join(found.set_index(table.index))


def _share_error(whole: Across) -> Array:
    """Standard error of the differences between the shares of labels.

    The shares are ratios of sums over items: each item's part is what it has of a
    label less what it would have at the share, by all judgments (linearization).
    """
    t, of = whole._times, np.arange(len(whole._times))
    if whole.clusters is not None:
        t, of = np.ones(len(whole.clusters)), whole.clusters.of
    n = int(t.sum())
    if n < 2:
        return np.full(len(whole.labels), np.nan)
    unit, label, count, side = whole._units.judgments
    judged = whole._m_of_each @ whole._times
    at_x, at_y = whole._of_each / judged[:, None]
    # Of all judgments, those of a unit.
    x, y = (np.bincount(of, m) for m in whole._m_of_each / judged[:, None])
    part = np.where(side == 0, 1, -1) * count / judged[side]
    given = csr_array((part, (of[unit], label)), (len(t), len(at_x)))
    # The sum over items of (given - x at_x + y at_y)^2, without a dense table.
    squares = given.power(2).T @ t
    squares -= 2 * (at_x * (given.T @ (t * x)) - at_y * (given.T @ (t * y)))
    squares += at_x**2 * (t @ x**2) - 2 * at_x * at_y * (t @ (x * y))
    squares += at_y**2 * (t @ y**2)
    return np.sqrt(np.maximum(squares, 0) * n / (n - 1))


# In words -------------------------------------------------------------------------


def across(found: Reliability) -> str:
    """Agreement across the collections beside that within."""
    if found.other is None:
        return ""
    names = ("cross_kappa", "normalized_cross_kappa")
    kappa, normal = (found.other.loc[name] for name in names)
    if np.isnan(kappa["value"]):
        return say("not_compared", why=kappa["why"])
    said = [say("second", why=kappa["why"])] if kappa["why"] else []
    both = {"kappa": kappa, "normal": normal}
    if np.isnan(normal["value"]) or np.isinf(normal["low"]):
        said.append(say("not_normalised", **both))
    elif normal["high"] < 1:
        said.append(say("differ", high=below(normal["high"], 1), **both))
    return ". ".join(said)


def joined(found: Reliability) -> str:
    """Items that only one of the two collections has judged."""
    if found.other is None or found._other_items is None:
        return ""
    shared = int(found.other.loc["cross_kappa", "items"])
    first = int((found.ratings.per_item > 0).sum()) - shared
    second = found._other_items - shared
    if not shared or not (first or second):
        return ""
    return say("joined", shared=shared, first=first, second=second)


def used(found: Reliability) -> str:
    """Labels that the collections use differently.

    Our rule: by 10 points, on FEW_SHARED items or more, and not by luck, as for raters.
    """
    table = found.other_labels
    if found.other is None or table is None:
        return ""
    away = (table["share_x"] - table["share_y"]).abs()
    clear = away > found._beyond(len(table)) * table["share_error"]
    apart = table[(away >= APART - EDGE) & clear]
    if found.other.loc["cross_kappa", "items"] < FEW_SHARED:
        return ""
    shares = apart[["share_x", "share_y"]].itertuples()
    rows = ({"label": label, "x": x, "y": y} for label, x, y in shares)
    return say("both_use", those=listed("both_use", rows, "label", ", "))
