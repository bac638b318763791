"""Sums over pairs of judgments: what D_o and D_e are made of.

Each sum is a quadratic form, q(w) = sum over i, j of w_i Q_ij w_j, of how often the
units are taken: of the distances between judgments, and of their pairs, which is the
sum of a distance that is always 1. So from one description come its value, its slope
in each w_i, and exactly what changes without a part, an item or a cluster:

    q without the part = q - slope of the part + q of the part alone

Judgments fall into groups: those of an item, those of a rater, or all of them.
`Distance.within` gives, for every judgment, the sum of its distances to the judgments
of its group. Judgments enter as cells: (group, label) with a count, each cell once, in
order.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from .._checks import Array
from .sample import MANY, PATIENCE, Sample, Units, cells, distinct

Sum = tuple[Any, Any]  # and its slopes, (n_units,)
Within = Callable[[Array, Array, Array, int], Array]  # see `Distance.within`

BLOCK = 2**20  # pairs of labels compared, or label shares made, at a time
SECONDS = 4e-9  # that comparing two labels takes, about
ANY, DIFFERENT, RATERS, REPLICATIONS = "any", "different", "raters", "replications"


def size_of_group(group: Array, label: Array, count: Array, groups: int) -> Array:
    """The sum of a distance that is always 1: how many judgments the group has."""
    return np.bincount(group, count, groups)[group]


@dataclass(frozen=True, eq=False)
class Distance:
    """How far two labels are apart.

    bounded : no distance exceeds 1, so that 1 less its mean is an agreement
    between : distances of labels at two positions, arrays that broadcast
    values : (n_labels,), or None; numbers whose squared difference it is
    """

    name: str
    bounded: bool
    between: Callable[[Array, Array], Any] = np.not_equal
    values: Array | None = None

    def within(self, group: Array, label: Array, count: Array, groups: int) -> Array:
        """For each cell, the sum of distances to all judgments of its group.

        Linear for nominal distances and squared differences; else for the squared
        number of different labels in a group, groups of one size at once.
        """
        if self.name == "nominal":
            return size_of_group(group, label, count, groups) - count
        size = np.bincount(group, minlength=groups)
        start = np.cumsum(size) - size
        if self.values is not None:
            return _squared(self.values, start, group, label, count)
        seconds = SECONDS * float((size.astype(float) ** 2).sum())
        if seconds > PATIENCE:
            raise ValueError(
                "distance must be nominal, ordinal or interval for so many different"
                f" labels ({int(size.max()):,}), got {self.name!r}, which compares each"
                f" with each and would take about {seconds / 60:,.0f} minutes"
            )
        sums = np.empty(len(label))
        for s in np.unique(size[size > 0]).tolist():
            cells = start[size == s, None] + np.arange(s)
            many, rows = max(1, BLOCK // s**2), max(1, BLOCK // s)
            for at in (cells[k : k + many] for k in range(0, len(cells), many)):
                for some in (at[:, k : k + rows] for k in range(0, s, rows)):
                    far = self.between(label[some][:, :, None], label[at][:, None, :])
                    sums[some] = np.einsum("gab,gb->ga", far, count[at])
        return sums


NOMINAL = Distance("nominal", True)


def _squared(
    values: Array, start: Array, group: Array, label: Array, count: Array
) -> Array:
    """Sums of squared differences: n (v - mean)^2 + sum (w - mean)^2 over a group.

    Linear, and exact to rounding however far the values lie from zero.
    start : where each group begins
    """
    # From a value of the group, so that equal values are exactly equal.
    value, groups = values[label] - values[label[start[group]]], len(start)
    n = np.bincount(group, count, groups)
    mean = np.bincount(group, count * value, groups) / np.maximum(n, 1e-300)
    away = (value - mean[group]) ** 2
    return n[group] * away + np.bincount(group, count * away, groups)[group]


@dataclass(eq=False)
class Pairs(Sample):
    """Judgments of an item compared with each other; D_e by pairs of all judgments.

    chance : whose pairs of judgments stand for it. ANY two judgments, the same one
        twice included: N' d N / N^2 of pi and K (Artstein 2007, slides 17, 27). Two
        DIFFERENT ones: N' d N / (N (N - 1)) of alpha (slide 39). Two by different
        RATERS: kappa and iota (slide 22). Two of different REPLICATIONS, for raters, in
        D_o too: kappa_x (Wong et al. 2021, Eq. 10).
    by_item : whether all items weigh alike, each judgment 1 / (judgments of its item),
        rather than all judgments. With iota 1 / (judgments of its rater): what an item
        leaves then changes the weight of all others by its raters, so that sums are no
        quadratic forms.
    base, slope : float, or None
        Where labels count, D_e = base + slope times the share of pairs that differ.
    """

    units: Units
    labels: pd.Index
    distance: Distance
    chance: str
    by_item: bool = False
    base: float | None = None
    slope: float = 1.0

    def __post_init__(self) -> None:
        (unit, label, count, rater), m = self.units.judgments, self.units.m
        q, place = len(self.labels), label
        self.totals, self._what = self.units.totals(q), np.arange(q)
        self._who, self.raters = np.zeros(q, dtype=int), np.zeros(0, dtype=int)
        self.weight = np.ones_like(m) if self.by_item else m
        if self.chance in (RATERS, REPLICATIONS):
            assert rater is not None  # a place is a label by one of them
            key = rater.astype(np.int64) * q + label
            known, place = distinct(key, (int(rater.max(initial=0)) + 1) * q)
            who, self._what = np.divmod(known, q)
            self.raters, self._who = np.unique(who, return_inverse=True)
        elif self.by_item:
            count = count / m[unit]
        self._alike = self.by_item and len(self.raters) > 0
        self._cells = cells(unit, place, count, len(self._what))
        far = self.distance if self.base is None else NOMINAL
        self._sums = far.within, size_of_group
        self._wholes = [self._whole(of, self.units.times) for of in self._sums]
        n, own = len(m), self._cells
        if self.chance == RATERS:
            own = cells(unit, label, count, q)
        if self.chance == REPLICATIONS:
            distances, number = (self._alone(of, np.arange(n), n) for of in self._sums)
        else:
            unit, _, count = own
            distances = np.bincount(unit, count * self.distance.within(*own, n), n)
            number = np.bincount(unit, count, n) ** 2 * (1 - 1 / m)  # of different ones
        self.observed = distances / number

    def columns(self) -> dict[str, Array]:
        (unit, _, count, side), m = self.units.judgments, self.units.m
        columns = {"ratings": m}
        if self.chance == REPLICATIONS:
            of_y = np.bincount(unit, count * side, len(m))
            columns = {"ratings_x": m - of_y, "ratings_y": of_y}
        told = {name: of.astype(int) for name, of in columns.items()}
        return told | {"disagreement": self.observed}

    @property
    def of_each(self) -> Array:
        """(2, n_labels), judgments of each replication by label."""
        unit, label, count, side = self.units.judgments
        assert side is not None
        q, often = len(self.labels), count * self.units.times[unit]
        return np.bincount(side * q + label, often, 2 * q).reshape(2, q)

    def judges(self) -> tuple[Array, Array]:
        n, judges = max(self.units.times.sum(), 1), max(len(self.raters), 1)
        if self.chance == REPLICATIONS:
            return self.of_each.sum(axis=1) / n, np.arange(2)
        return np.full(judges, self.totals.sum() / n / judges), self.raters

    def expected(self, times: Array) -> tuple[float, Array]:
        wholes = self._wholes
        if times is not self.units.times:
            wholes = [self._whole(of, times) for of in self._sums]
        (far, by_far), (number, by) = wholes
        if self.chance == DIFFERENT:
            number, by = number - times @ self.weight, by - self.weight
        base, slope, mean = self.base or 0.0, self.slope, far / number
        return base + slope * mean, slope * (by_far - mean * by) / number

    def changed(self, part: Array, parts: int) -> tuple[Array, Array]:
        times, found = self.units.times, []
        for of, (value, slopes) in zip(self._sums, self._wholes):
            change = -np.bincount(part, slopes, parts)
            if not self._alike:
                change += self._alone(of, part, parts)
            elif times.sum() <= MANY:
                change = self._rest(of, part, parts) - value
            found.append((value, change, 1 + change / value if value > 0 else 1.0))
        (far, by_far, left), (number, by, still) = found
        if self.chance == DIFFERENT:
            number = number - times @ self.weight
            by = by + np.bincount(part, self.weight, parts)
        with np.errstate(invalid="ignore", divide="ignore"):
            change = (by_far - far / number * by) / (number + by)
        return self.slope * change, np.minimum(left, still)

    def _whole(self, within: Within, times: Array) -> Sum:
        """A sum with each unit taken so often, and its slopes, (n_units,)."""
        (unit, place, count), width = self._cells, len(self._what)
        often = times[unit]
        x, far = np.bincount(place, count * often, width), np.zeros(width)
        given: Any = 1.0
        if self._alike:
            given = np.bincount(self._who, x)[self._who]
            given = np.where(given > 0, given, 1.0)
        x = x / given
        used = np.flatnonzero(np.bincount(place, often != 0, width))
        far[used] = self._apart(within, np.zeros_like(used), used, x[used], 1)
        toward = far
        if self._alike:
            toward = (far - np.bincount(self._who, x * far)[self._who]) / given
        return float(x @ far), 2 * np.bincount(unit, count * toward[place], len(times))

    def _alone(self, within: Within, part: Array, parts: int) -> Array:
        """A sum over the pairs within each part, (parts,); part : (n_units,)."""
        unit, place, count = self._cells
        at, place, count = cells(part[unit], place, count, len(self._what))
        far = self._apart(within, at, place, count, parts)
        return np.bincount(at, count * far, parts)

    def _rest(self, within: Within, part: Array, parts: int) -> Array:
        """A sum without one item of each part, raters alike, made anew, (parts,)."""
        from scipy.sparse import csr_array

        (unit, place, count), width = self._cells, len(self._what)
        x = np.bincount(place, count * self.units.times[unit], width)
        lost = csr_array((count, (part[unit], place)), shape=(parts, width))
        begins = np.flatnonzero(np.diff(self._who, prepend=-1))
        rows, sums = max(1, BLOCK // width), np.empty(parts)
        for first in range(0, parts, rows):
            some = slice(first, first + rows)
            left = x - lost[some].toarray()
            given = np.add.reduceat(left, begins, axis=1)
            at, place = np.nonzero(left)
            share = left[at, place] / given[at, self._who[place]]
            far = self._apart(within, at, place, share, len(left))
            sums[some] = np.bincount(at, share * far, len(left))
        return sums

    def _apart(
        self, within: Within, group: Array, place: Array, count: Array, groups: int
    ) -> Array:
        """Of each (group, place) the sum over the judgments of its group, but for those
        by its own rater."""
        if len(self.raters) == 0:
            return within(group, place, count, groups)
        what, who, q = self._what[place], self._who[place], len(self.labels)
        known, cell = distinct(group * np.int64(q) + what, groups * q)
        at, label = np.divmod(known, q)
        far = within(at, label, np.bincount(cell, count), groups)[cell]
        own = np.cumsum(np.diff(group * len(self.raters) + who, prepend=-1) != 0) - 1
        return far - within(own, what, count, len(own))
