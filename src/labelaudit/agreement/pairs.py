"""Sums over pairs of judgments: what D_o and D_e are made of.

Each sum is a quadratic form, q(w) = sum over i, j of w_i Q_ij w_j, of how often the
units are taken: of the distances between judgments, and of their pairs, which is the
sum of a distance that is always 1. So from one description come its value, its slope
in each w_i, which gives influences, and exactly what is left without a part, an item
or a cluster:

    q without the part = q - slope of the part + q of the part alone
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .._checks import Array
from .units import Judged, cells

Within = Callable[[Array, Array, Array, int], Array]  # see `within.Distance`
Sum = tuple[float, Array]  # and its slopes, (n_units,)

BLOCK = 2**22  # judgments of rest samples that are made at a time


def distinct(key: Array, end: int) -> tuple[Array, Array]:
    """The different whole numbers, all below the end, and which of them each key is."""
    if end > 16 * len(key) + 2**16:
        return np.unique(key, return_inverse=True)
    there = np.zeros(end, dtype=bool)  # faster than sorting
    there[key] = True
    return np.flatnonzero(there), (np.cumsum(there) - 1)[key]


class Pairs:
    """Pairs of the judgments of units; by different raters, where raters are given.

    Parameters
    ----------
    judgments : unit, label, count, rater
        rater None: any two, a judgment with itself included.
    q : number of labels
    m : (n_units,), or None
        What the weight of each unit's judgments is divided by.
    alike : whether the judgments of each rater weigh 1 together
        Then what an item leaves changes the weight of all others by its raters, so
        that sums are no quadratic forms, and are made anew without each part.
    """

    def __init__(
        self,
        judgments: Judged,
        q: int,
        m: Array | None = None,
        *,
        alike: bool = False,
    ) -> None:
        unit, place, count, rater = judgments
        self._q, self.alike = q, alike
        # A place is a label, or one by a rater.
        self.raters, self._what = np.zeros(0, dtype=int), np.arange(q)
        self._who = np.zeros_like(self._what)
        if rater is not None:
            key = rater.astype(np.int64) * q + place
            known, place = distinct(key, (int(rater.max(initial=0)) + 1) * q)
            self._who, self._what = np.divmod(known, q)
            self.raters = np.unique(self._who)
        self._unit, self._place, count = cells(unit, place, count, len(self._what))
        self._count = count if m is None else count / m[self._unit]

    def whole(self, within: Within, times: Array) -> Sum:
        """A sum with each unit taken so often, and its slopes, (n_units,)."""
        often, width = times[self._unit], len(self._what)
        x = np.bincount(self._place, self._count * often, width)
        given = self._given(x[None])[0] if self.alike else 1.0
        x, far = x / given, np.zeros(width)
        used = np.flatnonzero(np.bincount(self._place, often != 0, width))
        far[used] = self._apart(within, np.zeros_like(used), used, x[used], 1)
        toward = far
        if self.alike:
            toward = (far - np.bincount(self._who, x * far)[self._who]) / given
        slopes = np.bincount(self._unit, self._count * toward[self._place], len(times))
        return float(x @ far), 2 * slopes

    def alone(self, within: Within, part: Array, parts: int) -> Array:
        """A sum over the pairs within each part, (parts,); part : (n_units,)."""
        mine, width = part[self._unit], len(self._what)
        at, place, count = cells(mine, self._place, self._count, width)
        far = self._apart(within, at, place, count, parts)
        return np.bincount(at, count * far, parts)

    def rest(self, within: Within, part: Array, parts: int, times: Array) -> Array:
        """A sum without one item of each part, made anew, (parts,)."""
        mine, width = part[self._unit], len(self._what)
        at, place, count = cells(mine, self._place, self._count, width)
        x = np.bincount(self._place, self._count * times[self._unit], width)
        sums, rows = np.empty(parts), BLOCK // max(1, width) or 1
        for first in range(0, parts, rows):
            some = slice(*np.searchsorted(at, [first, first + rows]))
            left = np.tile(x, (min(rows, parts - first), 1))
            left[at[some] - first, place[some]] -= count[some]
            share = left / self._given(left)
            of, where = np.nonzero(share)
            weight = share[of, where]
            far = self._apart(within, of, where, weight, len(left))
            sums[first : first + rows] = np.bincount(of, weight * far, len(left))
        return sums

    def _given(self, x: Array) -> Array:
        """At each place of each row, the judgments by its rater; 1 for none."""
        first = np.searchsorted(self._who, self.raters)
        of = np.searchsorted(self.raters, self._who)
        given = np.add.reduceat(x, first, axis=1)[:, of]
        return np.where(given > 0, given, 1.0)

    def _apart(
        self, within: Within, group: Array, place: Array, count: Array, groups: int
    ) -> Array:
        """Of each (group, place) the sum over the judgments of its group, but for those
        by its own rater."""
        if len(self.raters) == 0:
            return within(group, place, count, groups)
        what = self._what[place]
        key = group * np.int64(self._q) + what
        known, cell = distinct(key, groups * self._q)
        at, label = np.divmod(known, self._q)
        far = within(at, label, np.bincount(cell, count), groups)[cell]
        rater = np.stack([group, self._who[place]])
        own = np.cumsum((np.diff(rater, prepend=-1) != 0).any(axis=0)) - 1
        return far - within(own, what, count, own[-1] + 1 if len(own) else 0)
