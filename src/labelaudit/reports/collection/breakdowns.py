"""Each label and each rater: how a judgment fits those of others on the same item.

A rater who got the hard items disagrees more. So each judgment is compared with what
the others said of the same item: with their judgments, and with how far these are from
each other.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd

from ..._checks import Array
from ...agreement.distances import Distance
from ...agreement.ratings import Judgments, Ratings
from ...agreement.sample import cells


class Shared(NamedTuple):
    """The judgments of items that others judged too, and their items' cells.

    j : the judgments
    m, cell : (n_judgments,), how many the item has, and where (item, label) is in
    unit, of, size : (n_cells,), item, label and judgments of each cell
    """

    j: Judgments
    m: Array
    cell: Array
    unit: Array
    of: Array
    size: Array

    @property
    def same(self) -> Array:
        """Share of the others on the item that gave the judgment's label."""
        return (self.size[self.cell] - 1) / (self.m - 1)

    def others(self, far: Array) -> Array:
        """Mean over pairs of the others on the item, where these are two or more.

        far : of each cell, the sum over the item's other judgments
        """
        pairs = np.bincount(self.unit, self.size * far)[self.j.item]
        own = 2 * far[self.cell]
        # Distances that rounding took below 0 are 0.
        return np.maximum(pairs - own, 0) / np.maximum((self.m - 1) * (self.m - 2), 1)


def shared(r: Ratings, least: int = 2) -> Shared:
    """Of items with so many judgments, or more."""
    q, every = len(r.labels), r.judgments
    j = every[np.flatnonzero(r.per_item[every.item] >= least)]
    unit, of, size = cells(j.item, j.label, j.count, q)
    key = j.item.astype(np.int64) * q + j.label
    cell = np.searchsorted(unit.astype(np.int64) * q + of, key)
    return Shared(j, r.per_item[j.item], cell, unit, of, size)


def means(rater: Array, values: Array, n: int) -> Array:
    """Each rater's mean; NaN where there is none."""
    with np.errstate(invalid="ignore"):
        means: Array = np.bincount(rater, values, n) / np.bincount(rater, minlength=n)
    return means


def agreement_on_labels(r: Ratings) -> pd.DataFrame:
    """Agreement on each label, and how many items it rests on.

    Parameters
    ----------
    r : Ratings
        Raters may be anonymous.

    Returns
    -------
    DataFrame, index labels
        ratings, share: judgments with this label, of all, also of items with one
        judgment, which no coefficient sees; agreement: mean over
        them of the share of the item's other judgments that are it too (specific
        agreement; Dice's coefficient for two raters); twice: items on which two
        judgments, drawn at random, are both this label, in expectation.

    References
    ----------
    Dice 1945; for agreement, Cicchetti and Feinstein 1990.

    Examples
    --------
    >>> import labelaudit as la
    >>> from labelaudit.reports.collection.breakdowns import agreement_on_labels
    >>> r = la.Ratings.from_matrix([["a", "a"], ["a", "b"], ["b", "b"], ["a", "a"]])
    >>> agreement_on_labels(r).loc["b"].round(3).to_dict()
    {'ratings': 3.0, 'share': 0.375, 'agreement': 0.667, 'twice': 1.0}
    """
    j, q = r.judgments, len(r.labels)
    item, label, count = cells(j.item, j.label, j.count, q)
    m, times = r.per_item[item], r.standing[item]
    # Of each judgment, the expected number of equal ones among the item's others.
    same = count * (count - 1) / np.maximum(m - 1, 1)

    def total(values: Array) -> Array:
        return np.bincount(label, weights=values * times, minlength=q)

    with np.errstate(invalid="ignore"):
        agreement = total(same) / total(count * (m >= 2))
    ratings = total(count).astype(int)
    columns = {
        "ratings": ratings,
        "share": ratings / r.n_ratings,
        "agreement": agreement,
        "twice": total(same / m),
    }
    return pd.DataFrame(columns, index=r.labels.rename("label"))


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
        excess: disagreement less that, on those items.

    Examples
    --------
    >>> import labelaudit as la
    >>> from labelaudit.reports.collection.breakdowns import agreement_with_others
    >>> from labelaudit.agreement.distances import NOMINAL
    >>> r = la.Ratings.from_matrix([[1, 1, 1], [1, 1, 2], [2, 2, 1], [2, 2, 2]])
    >>> agreement_with_others(r, NOMINAL)[["disagreement", "among_others"]]
       disagreement  among_others
    0          0.25           0.5
    1          0.25           0.5
    2          0.50           0.0
    """
    s, raters = shared(r), r._known_raters("agreement_with_others")
    n = len(raters)
    rater = s.j.rater
    far = distance.within(s.unit, s.of, s.size, len(r.items))
    own = far[s.cell] / (s.m - 1)
    three = s.m >= 3
    others = s.others(far)[three]
    columns = {
        "ratings": np.bincount(r.judgments.rater, minlength=n),
        "shared": np.bincount(rater, minlength=n),
        "agreement": means(rater, s.same, n),
        "disagreement": means(rater, own, n),
        "among_others": means(rater[three], others, n),
        "excess": means(rater[three], own[three] - others, n),
    }
    return pd.DataFrame(columns, index=raters)
