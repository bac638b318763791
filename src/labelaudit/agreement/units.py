"""Judgments by item, items that were judged alike being one unit.

With two raters and three labels there are nine kinds of items, however many items: all
that is computed of an item is computed once for its kind.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._checks import Array
from .ratings import Ratings

Cells = tuple[Array, Array, Array]  # item or unit, label, count
Judged = tuple[Array, Array, Array, Array | None]  # unit, label, count, rater


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


def units(r: Ratings, least: int = 2) -> Units:
    """Items with the same labels by the same raters are one unit.

    Each is one of its own where there may be nearly as many kinds as items, and with
    clusters: items that were judged alike may belong to different ones. Items with
    fewer than `least` judgments take no part.
    """
    j, m, number = r.judgments, r.per_item, None
    if r.clusters is None and j.rater is None:
        number = numbers(j.item, j.label, j.count, m)
    elif r.clusters is None and j.rater is not None and not r.repeats:
        most = np.full(len(m), len(r.labels))
        number = numbers(j.item, j.rater, j.label + 1.0, most)
    judged = j.item, j.label, j.count, j.rater
    return gathered(judged, r.times, m, m >= least, number)


def together(x: Cells, y: Cells, n_items: int, q: int, *, join: bool = True) -> Units:
    """The same of two replications, X and Y being rater 0 and rater 1.

    A unit's judgments are in the order of rater and label, each once with its count.
    """
    sides = x, (y[0], y[1] + q, y[2])  # a label by Y is another than that by X
    item, place, count = map(np.concatenate, zip(*sides))
    given = [np.bincount(side[0], side[2], n_items) for side in (x, y)]
    m, most = given[0] + given[1], np.maximum(*given)
    number = numbers(item, place, count, most) if join else None
    judged = item, place, count, None
    found = gathered(judged, None, m, m > 0, number)
    unit, place, count = cells(*found.judgments[:3], 2 * q)
    side, label = np.divmod(place, q)
    return found._replace(judgments=(unit, label, count, side))


def numbers(item: Array, place: Array, digit: Array, most: Array) -> Array | None:
    """A number for each item, the same for those with the same digits.

    place, digit : of each judgment; most : (n_items,), no sum of the digits at a place
        of an item is larger. None where this would hardly join any
    """
    base, places = float(most.max(initial=0) + 1), int(place.max(initial=0)) + 1
    if places * np.log(base) > np.log(max(len(most), 1) / 4):
        return None
    power = base ** np.arange(places)
    return np.bincount(item, digit * power[place], len(most)).astype(np.int32)


def gathered(
    judged: Judged,
    times: Array | None,
    m: Array,
    kept: Array,
    number: Array | None = None,
) -> Units:
    """Items that are kept, those with the same number as one unit.

    judged : item, label, count, rater; times (None: 1 each), m, kept and number :
    (n_items,)
    """
    n, shown = len(kept), kept
    if number is None:
        of = np.where(kept, kept.cumsum() - 1, -1)
        times = np.ones(kept.sum()) if times is None else times[kept]
    else:
        end = number.max(initial=-1) + 1  # of items that are left out
        number = number if kept.all() else np.where(kept, number, end)
        first = np.full(end + 1, n)
        np.minimum.at(first, number, np.arange(n))  # the first item of each number
        shown = np.zeros(n, dtype=bool)  # it stands for those that were judged alike
        shown[first[:end][first[:end] < n]] = True
        known, place = number[shown], np.full(end + 1, -1)
        place[known] = np.arange(len(known))
        of, times = place[number], np.bincount(number, times, end + 1)[known]
    item, label, count, rater = judged
    rows = slice(None) if shown.all() else np.flatnonzero(shown[item])
    who = None if rater is None else rater[rows]
    judgments = of[item[rows]], label[rows], count[rows], who
    return Units(times.astype(float), m[shown].astype(float), judgments, of)


def cells(group: Array, label: Array, count: Array, q: int) -> Cells:
    """Each (group, label) once, in order, with its count."""
    key = group.astype(np.int64) * q + label
    if (key[1:] > key[:-1]).all():
        return group, label, count
    if (count == 1).all():
        known, number = np.unique(key, return_counts=True)  # faster
        count = number.astype(float)
    else:
        known, cell = np.unique(key, return_inverse=True)
        count = np.bincount(cell, count)
    group, label = np.divmod(known, q)
    return group, label, count
