"""Distances between labels, and sums of them: the one disagreement computation.

Judgments fall into groups: those of an item, those of a rater, or all of them.
`within` gives, for every judgment, the sum of its distances to the judgments of
its group. Observed disagreement, expected disagreement and what a judgment's
own rater contributes to it are this sum over three groupings.

Judgments enter as cells: (group, label) with a count, each cell once, in order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._checks import Array

BLOCK = 2**20  # pairs of labels compared at a time
SECONDS = 4e-9  # that comparing two labels takes, about
LONGEST = 120  # seconds: what would take longer is not begun


def size_of_group(group: Array, label: Array, count: Array, groups: int) -> Array:
    """The sum of a distance that is always 1: how many judgments the group has."""
    return np.bincount(group, count, groups)[group]


@dataclass(frozen=True, eq=False)
class Distance:
    """How far two labels are apart, here compared pair by pair.

    bounded : no distance exceeds 1, so that 1 less its mean is an agreement
    values : by which labels are compared, see each kind
    """

    name: str
    bounded: bool
    values: Any = None

    def between(self, a: Array, b: Array) -> Any:
        """Distances of labels at positions a and b, arrays that broadcast."""
        raise NotImplementedError

    def table(self, n_labels: int) -> Array:
        """Distances between all labels, (n_labels, n_labels)."""
        at = np.arange(n_labels)
        return np.asarray(self.between(at[:, None], at[None, :]), dtype=float)

    def within(self, group: Array, label: Array, count: Array, groups: int) -> Array:
        """For each cell, the sum of distances to all judgments of its group.

        Here for the squared number of different labels in a group, groups of one size
        at once.
        """
        size = np.bincount(group, minlength=groups)
        start = np.cumsum(size) - size
        self._refuse_to_take_hours(size)
        sums = np.empty(len(label))
        for s in np.unique(size[size > 0]):
            cells = start[size == s, None] + np.arange(s)
            many = max(1, BLOCK // int(s) ** 2)
            for at in (cells[k : k + many] for k in range(0, len(cells), many)):
                sums[at] = self._among(label[at], count[at])
        return sums

    def _among(self, label: Array, count: Array) -> Array:
        """The same of groups of one size, (n_groups, n_cells)."""
        rows = max(1, BLOCK // label.size)
        far = [
            np.einsum(
                "gab,gb->ga",
                self.between(label[:, at : at + rows, None], label[:, None, :]),
                count,
            )
            for at in range(0, label.shape[1], rows)
        ]
        return np.concatenate(far, axis=1)

    def _refuse_to_take_hours(self, size: Array) -> None:
        seconds = SECONDS * float((size.astype(float) ** 2).sum())
        if seconds > LONGEST:
            raise ValueError(
                "distance must be nominal, ordinal or interval for so many different"
                f" labels ({int(size.max()):,}), got {self.name!r}, which compares each"
                f" with each and would take about {seconds / 60:,.0f} minutes"
            )


class Nominal(Distance):
    """0 for equal labels, 1 for others."""

    def between(self, a: Array, b: Array) -> Array:
        return a != b

    def within(self, group: Array, label: Array, count: Array, groups: int) -> Array:
        return size_of_group(group, label, count, groups) - count


class Squared(Distance):
    """(v - w)^2 for labels with the values v and w.

    The sum over a group is n (v - mean)^2 + sum (w - mean)^2: linear, and exact
    to rounding however far the values lie from zero.
    """

    def between(self, a: Array, b: Array) -> Array:
        return (self.values[a] - self.values[b]) ** 2

    def within(self, group: Array, label: Array, count: Array, groups: int) -> Array:
        if len(label) == 0:
            return np.zeros(0)
        size = np.bincount(group, minlength=groups)
        first = np.minimum(np.cumsum(size) - size, len(label) - 1)
        # From a value of the group, so that equal values are exactly equal.
        value = self.values[label] - self.values[label[first]][group]
        n = np.bincount(group, count, groups)
        mean = np.bincount(group, count * value, groups) / np.maximum(n, 1e-300)
        away = (value - mean[group]) ** 2
        return n[group] * away + np.bincount(group, count * away, groups)[group]


class Linear(Distance):
    """Positions apart, as a share of the largest, values: linear weights."""

    def between(self, a: Array, b: Array) -> Array:
        return np.abs(a - b) / self.values


class Ratio(Distance):
    """((v - w) / (v + w))^2 for labels with these values, and 0 where both are 0."""

    def between(self, a: Array, b: Array) -> Array:
        v, w = self.values[a], self.values[b]
        total = v + w
        return ((v - w) / np.where(total > 0, total, 1.0)) ** 2


class Sets(Distance):
    """Jaccard's distance of sets, or MASI.

    values : their members as bits, (n_labels, n_words); their sizes, (n_labels,)
    """

    def between(self, a: Array, b: Array) -> Array:
        both = np.zeros(np.broadcast_shapes(np.shape(a), np.shape(b)))
        bits, size = self.values
        for word in bits.T:
            both += np.bitwise_count(word[a] & word[b])
        m, n = size[a], size[b]
        either = m + n - both
        share = np.divide(both, either, out=np.ones_like(both), where=either > 0)
        if self.name == "masi":
            one_holds_other = both == np.minimum(m, n)
            thirds = np.where(both == either, 3, np.where(one_holds_other, 2, 1))
            share = share * thirds / 3
        return 1 - share


class Given(Distance):
    """Looked up in values, a matrix over the labels."""

    def between(self, a: Array, b: Array) -> Array:
        return self.values[a, b]
