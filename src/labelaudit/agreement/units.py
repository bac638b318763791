"""Judgments by item, items that were judged alike being one unit.

With two raters and three labels there are nine kinds of items, however many items: all
that is computed of an item is computed once for its kind.
"""

from __future__ import annotations

from collections.abc import Sequence
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

    Each is one of its own where there are nearly as many kinds as items, or clusters.
    Items with fewer than `least` judgments take no part.
    """
    j, n, q = r.judgments, len(r.items), len(r.labels)
    found = None
    if r.clusters is not None:
        pass  # items that were judged alike may belong to different ones
    elif r.raters is None:
        base = int(j.count.max(initial=0)) + 1
        found = _alike([(j.item, j.label, j.count)], n, q, base, least)
    elif not r.repeats:
        given = j.item, j.known_rater, j.label + 1
        found = _alike([given], n, len(r.raters), q + 1, least, counts=False)
    if found is not None and r.times is not None:
        known = np.flatnonzero(found.of >= 0)
        times = np.bincount(found.of[known], r.times[known], len(found.times))
        return found._replace(times=times)
    if found is not None:
        return found
    kept = r.per_item >= least
    of = np.where(kept, np.cumsum(kept) - 1, -1).astype(np.int32)
    rows = slice(None) if kept.all() else np.flatnonzero(kept[j.item])
    j = j[rows]
    judgments = of[j.item], j.label, j.count, j.rater
    return Units(r.standing[kept].astype(float), r.per_item[kept], judgments, of)


def together(x: Cells, y: Cells, n_items: int, q: int, *, join: bool = True) -> Units:
    """The same of two replications, X and Y being rater 0 and rater 1.

    A unit's judgments are in the order of rater and label, each once with its count.
    """
    base = 1 + max(int(np.bincount(side[0], side[2], 1).max()) for side in (x, y))
    sides = x, (y[0], y[1] + q, y[2])  # a label by Y is another than that by X
    found = _alike(sides, n_items, 2 * q, base) if join else None
    if found is None:
        item, place, count = map(np.concatenate, zip(*sides))
        m = np.bincount(item, weights=count, minlength=n_items)
        judgments = *cells(item, place, count, 2 * q), None
        found = Units(np.ones(n_items), m, judgments, np.arange(n_items))
    unit, place, count, _ = found.judgments
    side, label = np.divmod(place, q)
    return found._replace(judgments=(unit, label, count, side))


def _alike(
    given: Sequence[Cells],
    n_items: int,
    places: int,
    base: int,
    least: int = 2,
    *,
    counts: bool = True,
) -> Units | None:
    """Items with the same digits as one unit; None where that hardly joins any.

    given : item, place and digit: the count of the label of this place; or, not
        `counts`, the label by the rater of this place, 1 for the first. A digit's
        parts add up to less than base
    """
    if n_items == 0 or places * np.log(base) > np.log(n_items / 4):
        return None
    power = base ** np.arange(places)
    number = np.zeros(n_items)
    for item, place, digit in given:
        number += np.bincount(item, digit * power.astype(float)[place], n_items)
    number = number.astype(int)
    times = np.bincount(number, minlength=base**places)
    known = np.flatnonzero(times)
    digits = known[:, None] // power % base
    m = digits.sum(axis=1) if counts else (digits > 0).sum(axis=1)
    known, digits, m = (array[m >= least] for array in (known, digits, m))
    unit, at = np.nonzero(digits)
    found = digits[unit, at]
    judgments: Judged = unit, found - 1, np.ones(len(unit)), at
    if counts:
        judgments = unit, at, found.astype(float), None
    of = np.full(len(times), -1)
    of[known] = np.arange(len(known))
    return Units(times[known].astype(float), m.astype(float), judgments, of[number])


def cells(group: Array, label: Array, count: Array, q: int) -> Cells:
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
