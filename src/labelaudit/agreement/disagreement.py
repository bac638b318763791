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
from functools import cached_property, partial
from typing import Any, NamedTuple, Protocol

import numpy as np
import pandas as pd

from .._checks import Array
from .._digits import decimals, significant
from .._words import label_name, shown
from .distances import Distance
from .ratings import Ratings

# Values that differ by rounding only are equal: to each other, or to 0.
ROUNDING = 1e-13


# Below this share of the whole, what is left of a sum without an item is computed
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
    return partial(_uniform, n_labels)


def _uniform(n_labels: int, s: Sums) -> Any:
    return 1 - 1 / n_labels + 0 * s.pairs


def gwet(n_labels: int) -> Chance:
    """D_e of AC1: 1 - sum p_c (1 - p_c) / (q - 1) (Gwet 2008)."""
    return partial(_gwet, n_labels)


def _gwet(n_labels: int, s: Sums) -> Any:
    if n_labels == 1:
        return 0 * s.pairs
    return 1 - s.pairs / s.n**2 / (n_labels - 1)


class Statistic(Protocol):
    """What an Agreement needs to know to give errors and intervals.

    A unit is an item, or several that were judged alike: `times` says how many.
    """

    n_items: int
    n_ratings: int
    times: Array  # (n_units,)
    undefined: str
    cautions: Sequence[str]  # what to know about its interval
    no_interval: str  # why no interval is honest

    @property
    def items(self) -> pd.Index: ...
    @property
    def dropped(self) -> str: ...
    def each(self, values: Array) -> Array:
        """Values of units as values of items."""
        ...

    def gathered(self, times: Array) -> Array:
        """How often items are taken as how often units are."""
        ...

    def disagreement(self) -> tuple[float, float]: ...
    def leave_one_out(self) -> Array:
        """The coefficient without one item of each unit; NaN: undefined."""
        ...

    def resampled(self, times: Array) -> float:
        """The coefficient with each unit taken so many times."""
        ...

    def per_item(self) -> pd.DataFrame: ...
    def shares(self, observed: float, expected: float) -> str:
        """D_o and D_e in words."""
        ...

    def meaning(self, value: float) -> str:
        """What the value says, in words."""
        ...


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
        self._ratings, self._chance = ratings, chance
        self._units = units = patterns(ratings) or plain(ratings)
        self.times, self.m = units.times, units.m
        self.n_items = int(self.times.sum())
        q = len(ratings.labels)
        self._unit, self._label, self._count = cells(*units.judgments[:3], q)
        self.totals = self._totals(self.times)
        self.distance = distance(self.totals)
        self.n_ratings = int(self.totals.sum())
        self._raters: _Raters | None = None
        if by_rater and self.n_items:
            self._raters = _Raters(units.judgments, q)
        self.undefined = self._why()

    @property
    def items(self) -> pd.Index:
        """The items that take part."""
        return self._ratings.items[self._units.of >= 0]

    @property
    def dropped(self) -> str:
        """What does not take part, and why."""
        total = len(self._ratings.items)
        if self.n_items == total:
            return ""
        why = "not judged by both raters" if self._two else "fewer than two judgments"
        return f"{total - self.n_items} of {total} items dropped: {why}"

    @property
    def _two(self) -> bool:
        raters = self._ratings.raters
        return raters is not None and len(raters) == 2

    def each(self, values: Array) -> Array:
        unit = self._units.of
        return values[unit[unit >= 0]]

    def gathered(self, times: Array) -> Array:
        unit = self._units.of
        unit = unit[unit >= 0]
        return np.bincount(unit, weights=times, minlength=len(self.times))

    # Disagreement -------------------------------------------------------------

    @cached_property
    def _within(self) -> Array:
        """Sum of distances over the ordered pairs of a unit's judgments."""
        far = self.distance.within(
            self._unit, self._label, self._count, len(self.times)
        )
        return self._per_unit(self._count * far)

    @cached_property
    def _observed(self) -> Array:
        """Mean distance over the pairs of a unit's judgments."""
        return self._within / (self.m * (self.m - 1))

    def _far(self, totals: Array) -> Array:
        """For each label, the sum of distances to all judgments."""
        used = np.flatnonzero(totals)
        far = np.zeros(len(totals))
        here = np.zeros(len(used), dtype=np.intp)
        far[used] = self.distance.within(here, used, totals[used], 1)
        return far

    @cached_property
    def _far_all(self) -> Array:
        return self._far(self.totals)

    def _sums(self, times: Array) -> Sums:
        totals = self._totals(times)
        own, own_n = self._raters.sums(self.distance, times) if self._raters else (0, 0)
        n = totals.sum()
        far = self._far_all if times is self.times else self._far(totals)
        pairs = far @ totals
        return Sums(pairs, np.float64(own), n, np.float64(own_n))

    @cached_property
    def _all(self) -> Sums:
        return self._sums(self.times)

    def disagreement(self) -> tuple[float, float]:
        """Observed and expected disagreement."""
        if self.n_items == 0:
            return np.nan, np.nan
        observed = (self.times * self.m) @ self._observed / self.n_ratings
        return float(observed), float(self._chance(self._all))

    def _why(self) -> str:
        """Why the coefficient is undefined; empty where it is not."""
        if self.n_items == 0:
            one = "was judged by both raters" if self._two else "has two judgments"
            return f"no item {one}"
        if self.disagreement()[1] > 0:
            return ""
        used = self._ratings.labels[self.totals > 0]
        if len(used) == 1:
            return f"every judgment is {label_name(used[0])}, so D_e = 0"
        return "no disagreement is expected by chance, D_e = 0"

    # Subsets ------------------------------------------------------------------

    def leave_one_out(self) -> Array:
        """The coefficient without one item of each unit; NaN: undefined."""
        whole, m, o = self._all, self.m, self._observed
        far = self._far_all
        towards = self._per_unit(self._count * far[self._label])
        own = own_n = np.float64(0)
        if self._raters:
            to_own, to_own_n = self._raters.towards(self.distance, self.times)
            own, own_n = whole.own - 2 * to_own, whole.own_n - 2 * to_own_n + m
        pairs = whole.pairs - 2 * towards + self._within
        with np.errstate(invalid="ignore", divide="ignore"):
            total = (self.times * m) @ o
            observed = (total - o * m) / (whole.n - m)
            expected = self._chance(Sums(pairs, own, whole.n - m, own_n))
            values = 1 - observed / expected
        between = share(pairs - own, whole.pairs - whole.own)
        return anew(self, values, share(pairs, whole.pairs), between)

    def resampled(self, times: Array) -> float:
        """The coefficient with each unit taken so many times."""
        m = times * self.m
        if not m.any():
            return np.nan
        observed = m @ self._observed / m.sum()
        expected = self._chance(self._sums(times))
        return float(1 - observed / expected) if expected > 0 else np.nan

    def shares(self, observed: float, expected: float) -> str:
        return shares(self.distance, observed, expected)

    def meaning(self, value: float) -> str:
        return meaning(self.distance, value)

    def per_item(self) -> pd.DataFrame:
        """Judgments and mean pair distance of each item that takes part."""
        columns = {
            "ratings": self.each(self.m).astype(int),
            "disagreement": self.each(self._observed),
        }
        return pd.DataFrame(columns, index=self.items)

    def _per_unit(self, values: Array) -> Array:
        return np.bincount(self._unit, weights=values, minlength=len(self.times))

    def _totals(self, times: Array) -> Array:
        count = self._count * times[self._unit]
        q = len(self._ratings.labels)
        return np.bincount(self._label, weights=count, minlength=q)


def shares(distance: Distance, observed: float, expected: float) -> str:
    """D_o and D_e in words: as agreement where no distance exceeds 1."""
    what = "disagreement"
    if distance.bounded:
        what, observed, expected = "agreement", 1 - observed, 1 - expected
    of = "" if distance.name == "nominal" else f" ({distance.name} distance)"
    return (
        f"observed {what} {significant(observed)}, expected by chance"
        f" {significant(expected)}{of}"
    )


def meaning(distance: Distance, value: float) -> str:
    """What 1 - D_o / D_e says, in words."""
    if value < -1e-12:
        return "less agreement than chance alone would give"
    share = f"{decimals(100 * value, 0)} %"
    if distance.bounded:
        return f"{share} of the agreement that chance leaves room for"
    return f"removes {share} of the disagreement that chance alone would give"


def anew(statistic: Statistic, values: Array, *left: Array) -> Array:
    """Leave-one-out values, computed anew where subtraction lost their digits.

    left: what is left of the sums behind D_e without an item, as shares of the whole.
    """
    lost = ~(np.min(left, axis=0) > CANCELLED)
    for unit in np.flatnonzero(lost):
        times = statistic.times.copy()
        times[unit] -= 1
        values[unit] = statistic.resampled(times)
    return values


def share(left: Array, whole: Any) -> Array:
    """What is left of a sum; all of it where the sum is 0."""
    return left / whole if whole > 0 else np.ones(np.shape(left))


class _Raters:
    """The part of the sums that lies within raters."""

    def __init__(self, judgments: Judged, q: int) -> None:
        self._unit, label, _, rater = judgments
        assert rater is not None
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

    def _sums(self, distance: Distance, times: Array) -> tuple[Array, Array, Array]:
        """Of each (rater, label): judgments, distances to the rater's; per rater n."""
        size = len(self._rater)
        count = np.bincount(self._cell, weights=times[self._unit], minlength=size)
        far = distance.within(self._rater, self._label, count, self.n)
        return count, far, np.bincount(self._rater, weights=count, minlength=self.n)

    def sums(self, distance: Distance, times: Array) -> tuple[float, float]:
        """Distances, and ordered pairs, within raters."""
        count, far, given = self._sums(distance, times)
        return float(far @ count), float(given @ given)

    def towards(self, distance: Distance, times: Array) -> tuple[Array, Array]:
        """For each unit, what its judgments have of these sums."""
        _, far, given = self._sums(distance, times)
        of_cell = np.stack([far, given[self._rater]])
        return tuple(
            np.bincount(self._unit, weights=w[self._cell], minlength=len(times))
            for w in of_cell
        )  # type: ignore[return-value]


# Units ----------------------------------------------------------------------------

Judged = tuple[Array, Array, Array, Array | None]  # unit, label, count, rater


class Units(NamedTuple):
    """Items that take part, those that were judged alike as one unit.

    times, m : (n_units,), items of a unit and judgments of each of them
    judgments : unit, label, count, rater
    of : (n_items,), the unit of each item of the ratings, -1 where it takes no part
    """

    times: Array
    m: Array
    judgments: Judged
    of: Array


def plain(r: Ratings) -> Units:
    """Every item with two judgments is a unit."""
    j, kept = r.judgments, r.per_item >= 2
    label, count, rater = j.label, j.count, j.rater
    unit = np.where(kept, np.cumsum(kept) - 1, -1).astype(np.int32)
    if kept.all():
        item = j.item
    else:
        rows = np.flatnonzero(kept[j.item])
        item, label, count = unit[j.item[rows]], label[rows], count[rows]
        rater = None if rater is None else rater[rows]
    m = r.per_item[kept]
    return Units(np.ones(len(m)), m, (item, label, count, rater), unit)


def patterns(r: Ratings, least: int = 2) -> Units | None:
    """Items with the same labels by the same raters are one unit.

    An item is a number with one digit per rater, the position of the label or 0
    for none; where raters are anonymous, with one digit per label, its count. Items
    with fewer than `least` judgments take no part. None where there are nearly as
    many possible numbers as items.
    """
    j, anonymous = r.judgments, r.raters is None
    if len(j.item) == 0:  # two raters who judged nothing
        return None
    length = len(r.labels) if r.raters is None else len(r.raters)
    base = int(j.count.max()) + 1 if anonymous else len(r.labels) + 1
    if length * np.log(base) > np.log(len(r.items) / 4):
        return None
    power = base ** np.arange(length)
    if r.complete:
        columns = j.label.reshape(len(r.items), -1)
        number = columns @ power[j.known_rater[:length]] + power.sum()
    else:
        if anonymous:
            digit = j.count * power[j.label]
        else:
            digit = (j.label + 1) * power[j.known_rater]
        number = np.bincount(j.item, weights=digit, minlength=len(r.items)).astype(int)
    times = np.bincount(number, minlength=base**length)
    known = np.flatnonzero(times)
    digits = known[:, None] // power % base
    m = digits.sum(axis=1) if anonymous else (digits > 0).sum(axis=1)
    known, digits, m = (array[m >= least] for array in (known, digits, m))
    unit, other = np.nonzero(digits)
    found = digits[unit, other]
    one = np.ones(len(unit))
    judgments: Judged = (unit, found - 1, one, other)
    if anonymous:
        judgments = unit, other, found.astype(float), None
    place = np.full(len(times), -1)
    place[known] = np.arange(len(known))
    return Units(times[known].astype(float), m.astype(float), judgments, place[number])


def cells(
    group: Array, label: Array, count: Array, q: int
) -> tuple[Array, Array, Array]:
    """Each (group, label) once, in order, with its count."""
    key = group.astype(np.int64) * q + label
    if (key[1:] > key[:-1]).all():
        return group, label, count
    if count.strides == (0,) or (count == 1).all():
        key = np.sort(key)
        first = np.flatnonzero(np.concatenate([[True], key[1:] != key[:-1]]))
        known = key[first]
        count = np.diff(np.append(first, len(key))).astype(float)
    else:
        known, cell = np.unique(key, return_inverse=True)
        count = np.bincount(cell, weights=count)
    group, label = np.divmod(known, q)
    return group, label, count


def jackknife(values: Array, of: Statistic | None = None) -> tuple[float, str]:
    """Jackknife standard error of leave-one-out values, or why there is none.

    values: of items, or of the units of a statistic.
    """
    if np.isnan(values).any():
        item = ""
        if of is not None:
            item = " " + shown(of.items[int(np.argmax(np.isnan(of.each(values))))])
        return np.nan, f"without item{item} the value is undefined"
    times = np.ones(len(values)) if of is None else of.times
    n = times.sum()
    away = values - times @ values / n
    if np.abs(away).max() <= ROUNDING * max(1.0, np.abs(values).max()):
        return 0.0, ""
    return float(np.sqrt((n - 1) / n * (times @ away**2))), ""
