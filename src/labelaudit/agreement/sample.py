"""A sample of items: D_o and D_e, and what becomes of them in other samples.

Items that were judged alike are one unit: with two raters and three labels there are
nine kinds of items, however many items, and all that is computed of an item is computed
once for its kind.

D_o is a mean over units; D_e is made of sums of how often units are taken. From the two
come a value, 1 - D_o / D_e, its slope in each unit (the influences), and by how much it
changes without a part: an item, or a cluster. Changes are computed as such, not as the
difference of two values, so that they have all digits however many items there are.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
import pandas as pd

from .._checks import Array
from .ratings import Ratings

Cells = tuple[Array, Array, Array]  # item or unit, label, count
Judged = tuple[Array, Array, Array, Array | None]  # unit, label, count, rater
Digits = tuple[Array, Array, Array]  # see `gathered`
# Below this share of the whole, what is left of a sum without a part is computed anew
# rather than by subtraction, which would lose its digits.
CANCELLED = 1e-6

PATIENCE = 120  # seconds: what would take longer is not begun
MOST = 2**21  # judgments of items that are added
MANY = 10**8  # items, above which one item more or less is lost in a value's rounding
ROUNDING = 1e-13  # values that differ by so little are equal: to each other, or to 0

Influences = tuple[float, Array, Array]  # value; of each unit its items, and influence


def without_rounding(value: float) -> float:
    """0 where it differs from 0 by rounding only."""
    return 0.0 if abs(value) <= ROUNDING else value


class Units(NamedTuple):
    """Items that take part, those that were judged alike as one unit.

    times, m : (n_units,), items of a unit and judgments of each of them
    judgments : unit, label, count, rater
    of : (n_items,), the unit of each item, or pattern, -1 where it takes no part
    """

    times: Array
    m: Array
    judgments: Judged
    of: Array

    def totals(self, q: int) -> Array:
        """Judgments with each of q labels."""
        unit, label, count, _ = self.judgments
        return np.bincount(label, count * self.times[unit], q)


def units(r: Ratings, least: int = 2, also: Array | None = None) -> Units:
    """Items with the same labels by the same raters are one unit.

    Each is one of its own where there may be nearly as many kinds as items, and with
    clusters: items that were judged alike may belong to different ones. Items with
    fewer than `least` judgments take no part, but where `also`, (n_items,) whole
    numbers in which items of a unit do not differ, is above 0.
    """
    j, m, digits = r.judgments, r.per_item, None
    if j.rater is None:
        digits = j.label, j.count, m
    elif not r.repeats:
        digits = j.rater, j.label + 1, np.full(len(m), len(r.labels))
    kept = m >= least if also is None else (m >= least) | (also > 0)
    return gathered((j.item, j.label, j.count, j.rater), m, kept, r, digits, also)


def by_two(x: Cells, y: Cells) -> tuple[Array, Array, Array, Array]:
    """Two sets of judgments, X and Y being rater 0 and rater 1."""
    item, label, count = map(np.concatenate, zip(x, y))
    return item, label, count, np.repeat([0, 1], [len(x[0]), len(y[0])])


def gathered(
    judged: Judged,
    m: Array,
    kept: Array,
    r: Ratings,
    digits: Digits | None = None,
    also: Array | None = None,
) -> Units:
    """Items of r that are kept, those with the same digits as one unit.

    judged : item, label, count, rater; m, kept, also : (n_items,)
    digits : of each judgment its place, and the digit; of each item the most that the
        digits at a place add up to
    """
    (item, label, count, rater), n, number = judged, len(m), np.arange(len(m))
    if digits is not None and r.clusters is None:
        place, digit, most = digits
        base, places = float(most.max(initial=0) + 1), int(place.max(initial=0)) + 1
        if rater is None and (most == base - 1).all():
            places -= 1  # the others tell the last one
        if places * np.log(base) <= np.log(2 * max(n, 1)):  # else it hardly joins any
            weight = np.append(base ** np.arange(places), 0)[place]
            weight *= digit
            number = np.bincount(item, weight, n).astype(np.intp)
            if also is not None:
                number = number * (also.max(initial=0) + 1) + also
    key = np.where(kept, number + 1, 0)
    first = np.full(int(key.max(initial=0)) + 1, n)
    np.minimum.at(first, key, np.arange(n))
    first[0] = n  # of those that take no part
    stand = np.sort(first[first < n])  # the first item of each kind stands for it
    kinds, unit, shown = key[stand], np.full(len(first), -1), np.zeros(n, dtype=bool)
    unit[kinds], shown[stand] = np.arange(len(kinds)), True
    of = unit[key]
    rows = slice(None) if shown.all() else np.flatnonzero(shown[item])
    who = None if rater is None else rater[rows]
    judgments = of[item[rows]], label[rows], count[rows], who
    times = np.bincount(key, r.times)[kinds].astype(float)
    return Units(times, m[stand].astype(float), judgments, of)


def cells(group: Array, label: Array, count: Array, q: int) -> Cells:
    """Each (group, label) once, in order, with its count."""
    key = group.astype(np.int64) * q + label
    if (key[1:] > key[:-1]).all():
        return group, label, count
    known, cell = distinct(key, int(key.max(initial=-1)) + 1)
    group, label = np.divmod(known, q)
    return group, label, np.bincount(cell, count)


def distinct(key: Array, end: int) -> tuple[Array, Array]:
    """The different whole numbers, all below the end, and which of them each key is."""
    if end > 4 * len(key) + 2**16:
        return np.unique(key, return_inverse=True)
    there = np.zeros(end, dtype=bool)  # faster than sorting
    there[key] = True
    return np.flatnonzero(there), np.cumsum(there, dtype=np.int32)[key] - 1


class Sample:
    """Units and what is compared in them. A kind of sample is a dataclass with

    totals : (n_labels,), judgments with each label
    weight, observed : (n_units,), what an item weighs in D_o, and its own disagreement
    columns() : what is told of each unit
    judges() : judgments of an item by each, in the mean, and who they are
    expected(times) : D_e with each unit taken so often, and its slopes, (n_units,)
    changed(part, parts) : of D_e without each part, and the least share that is left of
        a sum; part : (n_units,)
    """

    units: Units
    labels: pd.Index
    distance: Any  # of labels, None where none is compared
    totals: Array
    weight: Array
    observed: Array
    columns: Callable[[], dict[str, Array]]
    judges: Callable[[], tuple[Array, Array]]
    expected: Callable[[Array], tuple[float, Array]]
    changed: Callable[[Array, int], tuple[Array, Array]]

    @cached_property
    def whole(self) -> tuple[float, float, Array]:
        """D_o, D_e and its slopes; NaN without any item."""
        return self._taken(self.units.times)

    def _taken(self, times: Array) -> tuple[float, float, Array]:
        """The same with each unit taken so many times."""
        weights = times * self.weight
        if not weights.any():
            return np.nan, np.nan, np.zeros(0)
        (d_e, slopes), total = self.expected(times), times @ self.weight
        return float(weights @ self.observed / total), float(d_e), slopes

    def resampled(self, times: Array) -> float:
        """The value with each unit taken so many times; NaN: undefined."""
        d_o, d_e, _ = self._taken(times)
        return without_rounding(1 - d_o / d_e) if d_e > 0 else np.nan

    def influences(self) -> Influences:
        """n times the change of the value for a share of an item more."""
        (d_o, d_e, slopes), times = self.whole, self.units.times
        if not d_e > 0:
            return np.nan, times, np.full(len(times), np.nan)
        # Ratios, since the products of distances may be too large for a number.
        own = self.weight * ((self.observed - d_o) / d_e) / (times @ self.weight)
        return 1 - d_o / d_e, times, times.sum() * (d_o / d_e * (slopes / d_e) - own)

    def changes(self, part: Array, parts: int) -> Array:
        """Of the value without each part, NaN: undefined; that is, without one item of
        each unit of the part; part : (n_units,)"""
        (d_o, d_e, _), times, w = self.whole, self.units.times, self.weight
        change, left = self.changed(part, parts)
        n = times @ w - np.bincount(part, w, parts)
        lost = np.bincount(part, w * ((self.observed - d_o) / d_e), parts)
        with np.errstate(invalid="ignore", divide="ignore"):
            found = (lost / n + d_o / d_e * (change / d_e)) / (1 + change / d_e)
        for one in np.flatnonzero(~(left > CANCELLED)):
            found[one] = self.resampled(times - (part == one)) - (1 - d_o / d_e)
        return found

    @cached_property
    def in_use(self) -> Array:
        """Positions of the labels that somebody gave."""
        return np.flatnonzero(self.totals)

    def added(self, split: float) -> tuple[Array, Array]:
        """One item for `plus` on which all agree, and `split` that are split."""
        return added(self.in_use, len(self.judges()[0]), split)

    def plus(self, said: Array, often: Array, each: float = 1.0) -> Self:
        """The sample with items that are added, of which judges say so.

        said : (n_items, n_judges, width); often : (n_items,), how often each stands,
        each : times that
        """
        n, judges, width = said.shape
        (given, who), units = self.judges(), self.units
        unit, label, count, rater = units.judgments
        others = len(units.times) + np.repeat(np.arange(n), judges * width)
        counts = np.tile(np.repeat(given / width, width), n)
        if rater is not None:
            rater = np.append(rater, np.tile(np.repeat(who, width), n))
        judged = np.append(unit, others), np.append(label, said)
        more = units._replace(
            times=np.append(units.times, often * each),
            m=np.append(units.m, np.full(n, given.sum())),
            judgments=(*judged, np.append(count, counts), rater),
        )
        again: Any = self
        return replace(again, units=more)


def added(labels: Array, judges: int, split: float) -> tuple[Array, Array]:
    """What each judge says of the items that are added, (n_items, n_judges, width),
    and how often each item stands: one in all, and `split` in all.

    First one item for each label, on which all agree; then those that are split: two
    judges give a label each, in either way; others, and one who stands for all, each
    give both labels half of the time (a width of 2). They are split between all pairs
    of labels; where that would be too many judgments, between each label and the next.
    """
    q = len(labels)
    a, b = labels, np.roll(labels, 1)
    if q * (q - 1) * judges <= MOST:
        a, b = labels[np.array(np.triu_indices(q, 1))]
    if judges == 2:
        halves = np.array([[*a, *b], [*b, *a]]).T[:, :, None]
    else:
        halves = np.repeat(np.stack([a, b], axis=1)[:, None, :], judges, axis=1)
    agreed = np.broadcast_to(labels[:, None, None], (q, *halves.shape[1:]))
    often = np.repeat([1 / q, split / len(halves)], [q, len(halves)])
    return np.concatenate([agreed, halves]), often
