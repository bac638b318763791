"""Distances between labels, and sums of them: the one disagreement computation.

Judgments fall into groups: those of an item, those of a rater, or all of them.
`within` gives, for every judgment, the sum of its distances to the judgments of
its group. Observed disagreement, expected disagreement and what a judgment's
own rater contributes to it are this sum over three groupings.

Judgments enter as cells: (group, label) with a count, each cell once, in order.
"""

from __future__ import annotations

from collections.abc import Callable
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
        self._refuse_to_take_hours(size)
        sums = np.empty(len(label))
        for s in np.unique(size[size > 0]).tolist():
            cells = start[size == s, None] + np.arange(s)
            many, rows = max(1, BLOCK // s**2), max(1, BLOCK // s)
            for at in (cells[k : k + many] for k in range(0, len(cells), many)):
                for some in (at[:, k : k + rows] for k in range(0, s, rows)):
                    far = self.between(label[some][:, :, None], label[at][:, None, :])
                    sums[some] = np.einsum("gab,gb->ga", far, count[at])
        return sums

    def _refuse_to_take_hours(self, size: Array) -> None:
        seconds = SECONDS * float((size.astype(float) ** 2).sum())
        if seconds > LONGEST:
            raise ValueError(
                "distance must be nominal, ordinal or interval for so many different"
                f" labels ({int(size.max()):,}), got {self.name!r}, which compares each"
                f" with each and would take about {seconds / 60:,.0f} minutes"
            )


NOMINAL = Distance("nominal", True)


def _squared(
    values: Array, start: Array, group: Array, label: Array, count: Array
) -> Array:
    """Sums of squared differences: n (v - mean)^2 + sum (w - mean)^2 over a group.

    Linear, and exact to rounding however far the values lie from zero.
    start : where each group begins
    """
    if len(label) == 0:
        return np.zeros(0)
    first, groups = np.minimum(start, len(label) - 1), len(start)
    # From a value of the group, so that equal values are exactly equal.
    value = values[label] - values[label[first]][group]
    n = np.bincount(group, count, groups)
    mean = np.bincount(group, count * value, groups) / np.maximum(n, 1e-300)
    away = (value - mean[group]) ** 2
    return n[group] * away + np.bincount(group, count * away, groups)[group]
