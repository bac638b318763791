"""Observed and expected disagreement of a set of ratings: the body of 1 - D_o/D_e.

Every coefficient is this computation with a distance and a rule for chance. The
rules differ in whose pairs of judgments stand for chance:

    S        each label alike
    pi, K    any two judgments, the same one twice included
    alpha    any two different judgments
    kappa, weighted kappa, iota    any two judgments by different raters
    AC1      Gwet's, from the label shares

All of them need four sums over judgments only, and leaving an item out changes
these sums by what the item contributes, so the delete-one-item jackknife is
exact in one pass.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np
import pandas as pd

from .distances import Distance
from .laws import Array
from .ratings import Ratings, shown

# Below this share of the whole, what is left of D_e without an item is computed
# anew rather than by subtraction, which would lose its digits.
CANCELLED = 1e-6


class Sums(NamedTuple):
    """Sums over the judgments that take part; numbers, or arrays for many subsets.

    pairs : distances over all ordered pairs of judgments
    own : the part of them within raters
    n : judgments
    own_n : ordered pairs of judgments within raters, sum of n_a^2
    """

    pairs: Any
    own: Any
    n: Any
    own_n: Any


Chance = Callable[[Sums], Any]


def any_two(s: Sums) -> Any:
    """D_e of pi and K: N' d N / N^2 (Artstein 2007, slides 17, 27)."""
    return s.pairs / s.n**2


def any_two_different(s: Sums) -> Any:
    """D_e of alpha: N' d N / (N (N - 1)) (Artstein 2007, slide 39)."""
    return s.pairs / (s.n * (s.n - 1))


def different_raters(s: Sums) -> Any:
    """D_e of kappa and iota: pairs of judgments by different raters (slide 22)."""
    return (s.pairs - s.own) / (s.n**2 - s.own_n)


def uniform(n_labels: int) -> Chance:
    """D_e of S: each label alike (slide 15)."""
    return lambda s: 1 - 1 / n_labels + 0 * s.pairs


def gwet(n_labels: int) -> Chance:
    """D_e of AC1: 1 - sum p_c (1 - p_c) / (q - 1) (Gwet 2008)."""
    if n_labels == 1:
        return lambda s: 0 * s.pairs
    return lambda s: 1 - s.pairs / s.n**2 / (n_labels - 1)


class Statistic(Protocol):
    """What an Agreement needs to know to give errors and intervals."""

    n_items: int
    n_ratings: int
    undefined: str
    cautions: Sequence[str]  # what to know about its interval
    no_interval: str  # why no interval is honest

    @property
    def items(self) -> pd.Index: ...
    @property
    def dropped(self) -> str: ...
    def disagreement(self) -> tuple[float, float]: ...
    def leave_one_out(self) -> Array: ...
    def resampled(self, weights: Array) -> float: ...
    def per_item(self) -> pd.DataFrame: ...


class Disagreement:
    """D_o and D_e of one set of ratings.

    Parameters
    ----------
    ratings : Ratings
    distance : function of the judgments per label that take part
    chance : function of Sums
    by_rater : whether the rule for chance looks at who judged
    """

    cautions: Sequence[str] = ()
    no_interval = ""

    def __init__(
        self,
        ratings: Ratings,
        distance: Callable[[Array], Distance],
        chance: Chance,
        by_rater: bool = False,
    ) -> None:
        j = ratings.judgments
        kept = ratings.per_item >= 2
        self._ratings, self._kept, self._chance = ratings, kept, chance
        self.n_items = n = int(kept.sum())
        self.m = ratings.per_item[kept]
        label, count, rater = j.label, j.count, j.rater
        if n == len(kept):
            item = j.item
        else:
            rows = kept[j.item]
            item = (np.cumsum(kept) - 1).astype(np.int32)[j.item[rows]]
            label, count = label[rows], count[rows]
            rater = None if rater is None else rater[rows]
        q = len(ratings.labels)
        self._item, self._label, self._count = cells(item, label, count, q)
        self.totals = np.bincount(self._label, weights=self._count, minlength=q)
        self.distance = distance(self.totals)
        self.n_ratings = int(self.totals.sum())
        self._raters: _Raters | None = None
        if by_rater and n:
            assert rater is not None
            self._raters = _Raters(item, label, rater, q)
        self.undefined = self._why()

    @property
    def items(self) -> pd.Index:
        """The items that take part."""
        return self._ratings.items[self._kept]

    @property
    def dropped(self) -> str:
        """What does not take part, and why."""
        total = len(self._kept)
        if self.n_items == total:
            return ""
        why = "not judged by both raters"
        if not self._two_raters:
            why = "fewer than two judgments"
        return f"{total - self.n_items} of {total} items dropped: {why}"

    @property
    def _two_raters(self) -> bool:
        raters = self._ratings.raters
        return raters is not None and len(raters) == 2

    @property
    def _two(self) -> bool:
        raters = self._ratings.raters
        return raters is not None and len(raters) == 2

    # Disagreement -------------------------------------------------------------

    @cached_property
    def _within_item(self) -> Array:
        """Sum of distances over the ordered pairs of an item's judgments."""
        far = self.distance.within(self._item, self._label, self._count, self.n_items)
        return self._per_item(self._count * far)

    @cached_property
    def per_item_disagreement(self) -> Array:
        """Mean distance over the pairs of an item's judgments, (n_items,)."""
        return self._within_item / (self.m * (self.m - 1))

    @cached_property
    def _all(self) -> tuple[Array, float]:
        """For each label the sum of distances to all judgments; their grand sum."""
        used = np.flatnonzero(self.totals)
        far = np.zeros(len(self.totals))
        here = np.zeros(len(used), dtype=np.intp)
        far[used] = self.distance.within(here, used, self.totals[used], 1)
        return far, float(far @ self.totals)

    @cached_property
    def _sums(self) -> Sums:
        own, own_n = (0.0, 0.0)
        if self._raters:
            own, own_n = self._raters.sums(self.distance)
        return Sums(*map(np.float64, (self._all[1], own, self.n_ratings, own_n)))

    def disagreement(self) -> tuple[float, float]:
        """Observed and expected disagreement."""
        if self.n_items == 0:
            return np.nan, np.nan
        observed = self.per_item_disagreement @ self.m / self.n_ratings
        with np.errstate(invalid="ignore", divide="ignore"):
            return float(observed), float(self._chance(self._sums))

    def _why(self) -> str:
        """Why the coefficient is undefined; empty where it is not."""
        if self.n_items == 0:
            one = "was judged by both raters" if self._two else "has two judgments"
            return f"no item {one}"
        expected = self.disagreement()[1]
        if expected > 0:
            return ""
        used = self._ratings.labels[self.totals > 0]
        if len(used) == 1:
            return f"every judgment is {shown(used[0])}, so D_e = 0"
        return "no disagreement is expected by chance, D_e = 0"

    # Subsets ------------------------------------------------------------------

    def leave_one_out(self) -> Array:
        """The coefficient without each item in turn, (n_items,); NaN: undefined."""
        far, grand = self._all
        w, n = self._within_item, self.n_ratings - self.m
        towards = self._per_item(self._count * far[self._label])
        own = own_n = 0.0 * w
        if self._raters:
            own, own_n = self._raters.without_each(self.n_items, self.m)
        total = self.per_item_disagreement @ self.m
        sums = Sums(grand - 2 * towards + w, own, n, own_n)
        with np.errstate(invalid="ignore", divide="ignore"):
            observed = (total - self.per_item_disagreement * self.m) / n
            expected = self._chance(sums)
            values = 1 - observed / expected
        for i in np.flatnonzero(~(expected > CANCELLED * self.disagreement()[1])):
            weights = np.ones(self.n_items)
            weights[i] = 0
            values[i] = self.resampled(weights)
        return values

    def resampled(self, weights: Array) -> float:
        """The coefficient with each item taken `weights` times."""
        n = float(weights @ self.m)
        if n == 0:
            return np.nan
        observed = (weights * self.m) @ self.per_item_disagreement / n
        count = self._count * weights[self._item]
        totals = np.bincount(self._label, weights=count, minlength=len(self.totals))
        used = np.flatnonzero(totals)
        here = np.zeros(len(used), dtype=np.intp)
        pairs = totals[used] @ self.distance.within(here, used, totals[used], 1)
        own = own_n = 0.0
        if self._raters:
            own, own_n = self._raters.sums(self.distance, weights)
        with np.errstate(invalid="ignore", divide="ignore"):
            expected = self._chance(Sums(pairs, own, n, own_n))
        return float(1 - observed / expected) if expected > 0 else np.nan

    def per_item(self) -> pd.DataFrame:
        """Judgments and mean pair distance of each item that takes part."""
        columns = {
            "ratings": self.m.astype(int),
            "disagreement": self.per_item_disagreement,
        }
        return pd.DataFrame(columns, index=self.items)

    def _per_item(self, values: Array) -> Array:
        return np.bincount(self._item, weights=values, minlength=self.n_items)


class _Raters:
    """The part of the sums that lies within raters."""

    def __init__(self, item: Array, label: Array, rater: Array, q: int) -> None:
        self._item, self._judge = item, rater
        self.n = int(rater.max()) + 1
        key = rater.astype(np.int64) * q + label
        if self.n * q <= 4 * len(key) + 2**20:
            number = np.bincount(key, minlength=self.n * q)
            known = np.flatnonzero(number)
            number[known] = np.arange(len(known))
            self._cell = number[key]
        else:
            known, self._cell = np.unique(key, return_inverse=True)
        self._rater, self._label = np.divmod(known, q)

    def sums(
        self, distance: Distance, weights: Array | None = None
    ) -> tuple[float, float]:
        """Distances, and ordered pairs, within raters."""
        w = None if weights is None else weights[self._item]
        size = len(self._rater)
        count = np.bincount(self._cell, weights=w, minlength=size).astype(float)
        far = distance.within(self._rater, self._label, count, self.n)
        given = np.bincount(self._rater, weights=count, minlength=self.n)
        if weights is None:
            self._far, self._given = far, given
            self._totals = float(far @ count), float(given @ given)
            return self._totals
        return float(far @ count), float(given @ given)

    def without_each(self, n_items: int, m: Array) -> tuple[Array, Array]:
        """The same sums without each item; `sums` comes first."""
        far = self._far[self._cell]
        towards = np.bincount(self._item, weights=far, minlength=n_items)
        given = self._given[self._judge]
        towards_n = np.bincount(self._item, weights=given, minlength=n_items)
        own, own_n = self._totals
        return own - 2 * towards, own_n - 2 * towards_n + m


def cells(
    group: Array, label: Array, count: Array, q: int
) -> tuple[Array, Array, Array]:
    """Each (group, label) once, in order, with its count."""
    key = group.astype(np.int64) * q + label
    if (key[1:] > key[:-1]).all():
        return group, label, count
    if (count == 1).all():
        key = np.sort(key)
        first = np.flatnonzero(np.concatenate([[True], key[1:] != key[:-1]]))
        known = key[first]
        count = np.diff(np.append(first, len(key))).astype(float)
    else:
        known, cell = np.unique(key, return_inverse=True)
        count = np.bincount(cell, weights=count)
    group, label = np.divmod(known, q)
    return group, label, count
