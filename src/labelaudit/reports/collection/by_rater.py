"""Each rater beside the others, on the same items.

A rater who got the hard items disagrees more, and one who got the rude comments calls
more of them rude. So each judgment is compared with what the others said of the same
item: with their judgments, with how far these are from each other, and with their use
of each label.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.sparse import csr_array

from ..._checks import Array
from ...agreement.agreement import Agreement
from ...agreement.distances import Distance
from ...agreement.ratings import Ratings
from ...agreement.units import cells


class Shared(NamedTuple):
    """The judgments of items that somebody else judged too, and their items' cells.

    item, label, rater, cell : (n_judgments,), cell is that of (item, label)
    unit, of, size : (n_cells,), item, label and judgments of each cell
    m : (n_judgments,), judgments of the item
    """

    item: Array
    label: Array
    rater: Array
    cell: Array
    unit: Array
    of: Array
    size: Array
    m: Array


def shared(r: Ratings) -> Shared:
    j, q = r.judgments, len(r.labels)
    rows = np.flatnonzero(r.per_item[j.item] >= 2)
    item, label = j.item[rows], j.label[rows]
    unit, of, size = cells(item, label, j.count[rows], q)
    key = item.astype(np.int64) * q + label
    cell = np.searchsorted(unit.astype(np.int64) * q + of, key)
    rater = j.known_rater[rows]
    return Shared(item, label, rater, cell, unit, of, size, r.per_item[item])


def agreement_with_others(r: Ratings, distance: Distance) -> pd.DataFrame:
    """Each rater's agreement with the others, and theirs with each other.

    Parameters
    ----------
    r : Ratings
        By raters who can be told apart, each item once by each.
    distance : Distance

    Returns
    -------
    DataFrame, index raters
        ratings, and shared: those of items that somebody else judged too;
        agreement: share of the others' judgments of these items that are the same
        label; disagreement: mean distance to them; among_others: mean distance of
        the others from each other on the same items, where there are two or more;
        excess: disagreement less that, on those items, with its standard_error
        (items are the units).

    Examples
    --------
    >>> import labelaudit as la
    >>> from labelaudit.reports.collection.by_rater import agreement_with_others
    >>> from labelaudit.agreement.distances import Nominal
    >>> r = la.Ratings.from_matrix([[1, 1, 1], [1, 1, 2], [2, 2, 1], [2, 2, 2]])
    >>> agreement_with_others(r, Nominal())[["disagreement", "among_others"]]
       disagreement  among_others
    0          0.25           0.5
    1          0.25           0.5
    2          0.50           0.0
    """
    s, n = shared(r), len(r.raters) if r.raters is not None else 0
    far = distance.within(s.unit, s.of, s.size, len(r.items))
    pairs = np.bincount(s.unit, weights=s.size * far, minlength=len(r.items))
    own = far[s.cell] / (s.m - 1)
    same = (s.size[s.cell] - 1) / (s.m - 1)
    three = s.m >= 3
    m, rater = s.m[three], s.rater[three]
    # Distances that rounding took below 0 are 0.
    others = np.maximum(pairs[s.item] - 2 * far[s.cell], 0)[three]
    others = others / ((m - 1) * (m - 2))
    excess = own[three] - others
    count, compared = (np.bincount(a, minlength=n) for a in (s.rater, rater))

    def mean(of: Array, values: Array, number: Array) -> Array:
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.bincount(of, weights=values, minlength=n) / number

    more = mean(rater, excess, compared)
    squares = mean(rater, (excess - more[rater]) ** 2, compared)
    with np.errstate(invalid="ignore", divide="ignore"):
        error = np.where(compared > 1, np.sqrt(squares / (compared - 1)), np.nan)
    columns = {
        "ratings": np.bincount(r.judgments.known_rater, minlength=n),
        "shared": count,
        "agreement": mean(s.rater, same, count),
        "disagreement": mean(s.rater, own, count),
        "among_others": mean(rater, others, compared),
        "excess": more,
        "standard_error": error,
    }
    return pd.DataFrame(columns, index=r.raters)


def label_use(r: Ratings) -> pd.DataFrame:
    """How often each rater gives each label, beside the others on the same items.

    Parameters
    ----------
    r : Ratings
        By raters who can be told apart.

    Returns
    -------
    DataFrame, index (rater, label)
        share: of the rater's judgments of items that somebody else judged too;
        others: mean over these items of the share of the other judgments;
        difference, and its standard_error (items are the units).

    Examples
    --------
    >>> import labelaudit as la
    >>> from labelaudit.reports.collection.by_rater import label_use
    >>> r = la.Ratings.from_matrix([["a", "a"], ["a", "b"], ["b", "b"], ["a", "b"]])
    >>> label_use(r).loc[0, ["share", "others"]].values.tolist()
    [[0.75, 0.25], [0.25, 0.75]]
    """
    s, n, q = shared(r), len(r.raters) if r.raters is not None else 0, len(r.labels)
    each = 1 / (s.m - 1)
    number = np.bincount(s.rater, minlength=n)[:, None].astype(float)
    where = s.rater * q + s.label

    def table(values: Array) -> Array:
        """Sums by rater and own label."""
        return np.bincount(where, weights=values, minlength=n * q).reshape(n, q)

    def over_items(power: int) -> Array:
        """Sums over a rater's items of (judgments with the label / others)^power."""
        shape = len(r.items), q
        counts = csr_array((s.size.astype(float) ** power, (s.unit, s.of)), shape)
        by = csr_array((each**power, (s.rater, s.item)), (n, len(r.items)))
        return (by @ counts).toarray()

    given = table(np.ones(len(where)))
    own = s.size[s.cell] * each  # with the judgment itself, which is not another's
    others = over_items(1) - table(each)
    squares = over_items(2) + table((1 - own + each) ** 2 - own**2)
    with np.errstate(invalid="ignore", divide="ignore"):
        share, others = given / number, others / number
        difference = share - others
        spread = np.maximum(squares / number - difference**2, 0)
        error = np.where(number > 1, np.sqrt(spread / (number - 1)), np.nan)
    index = pd.MultiIndex.from_product([r.raters, r.labels], names=["rater", "label"])
    columns = {
        "share": share.ravel(),
        "others": others.ravel(),
        "difference": difference.ravel(),
        "standard_error": error.ravel(),
    }
    return pd.DataFrame(columns, index=index)


def shift(r: Ratings, values: Array) -> pd.DataFrame:
    """How far each rater's numbers lie above the others' on the same items.

    Parameters
    ----------
    r : Ratings
        By raters who can be told apart.
    values : (n_labels,)
        The labels as numbers.

    Returns
    -------
    DataFrame, index raters
        shift: mean over the rater's items of the own number less the mean of the
        others'; shift_error: its standard error (items are the units).

    Examples
    --------
    >>> import labelaudit as la
    >>> import numpy as np
    >>> from labelaudit.reports.collection.by_rater import shift
    >>> r = la.Ratings.from_matrix([[1, 1, 2], [3, 1, 2], [2, 2, 3]])
    >>> shift(r, np.array([1, 2, 3]))["shift"].round(3).tolist()
    [0.167, -0.833, 0.667]
    """
    s, n = shared(r), len(r.raters) if r.raters is not None else 0
    own = np.asarray(values, dtype=float)[s.label]
    total = np.bincount(s.item, weights=own, minlength=len(r.items))
    away = own - (total[s.item] - own) / (s.m - 1)
    count = np.bincount(s.rater, minlength=n)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.bincount(s.rater, weights=away, minlength=n) / count
        squares = np.bincount(s.rater, (away - mean[s.rater]) ** 2, n)
        error = np.where(count > 1, np.sqrt(squares / count / (count - 1)), np.nan)
    return pd.DataFrame({"shift": mean, "shift_error": error}, index=r.raters)


def without_each(r: Ratings, coefficient: Callable[[Ratings], Agreement]) -> pd.Series:
    """A coefficient without each rater in turn; NaN where nobody else judged."""
    assert r.raters is not None
    judges = np.unique(r.judgments.known_rater)
    values = np.full(len(r.raters), np.nan)
    for a in range(len(r.raters)):
        if (judges != a).any():
            values[a] = coefficient(r.by(r.raters.delete(a))).value
    return pd.Series(values, index=r.raters)
