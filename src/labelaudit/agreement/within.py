"""Sums of distances between labels: the one disagreement computation.

Judgments fall into groups: those of an item, those of a rater, or all of them.
`within` gives, for every judgment, the sum of its distances to the judgments of
its group. Observed disagreement, expected disagreement and what a judgment's
own rater contributes to it are this sum over three groupings.

Judgments enter as cells: (group, label) with a count, each cell once, in order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from .._checks import Array

BLOCK = 2**20  # pairs of labels compared at a time
LARGE = 64  # cells from which a group is compared row by row
SECONDS = 4e-9  # that comparing two labels takes, about
LARGEST_BY_PAIRS = 2048  # cells of a group, where there is a faster way
LONGEST = 120  # seconds: what would take longer is not begun

Between = Callable[[Array, Array], Array]


@dataclass(frozen=True)
class Distance:
    """How far two labels are apart.

    bounded : no distance exceeds 1, so that 1 less its mean is an agreement
    between : distances of labels at positions a and b, arrays that broadcast
    within : for each cell, the sum of distances to all judgments of its group; of
        group, label, count, (n_cells,), and the number of groups
    """

    name: str
    bounded: bool
    between: Between
    within: Callable[[Array, Array, Array, int], Array]

    def table(self, n_labels: int) -> Array:
        """Distances between all labels, (n_labels, n_labels)."""
        at = np.arange(n_labels)
        return np.asarray(self.between(at[:, None], at[None, :]), dtype=float)


# The square of a difference ---------------------------------------------------------


def squared(name: str, values: Array, bounded: bool = False) -> Distance:
    """(v - w)^2 for labels with the values v and w.

    The sum over a group is n (v - mean)^2 + sum (w - mean)^2: linear, and exact
    to rounding however far the values lie from zero.
    """
    return Distance(name, bounded, partial(_square, values), partial(_squares, values))


def _square(values: Array, a: Array, b: Array) -> Array:
    return (values[a] - values[b]) ** 2


def _squares(
    values: Array, group: Array, label: Array, count: Array, groups: int
) -> Array:
    if len(label) == 0:
        return np.zeros(0)
    size = np.bincount(group, minlength=groups)
    first = np.minimum(np.cumsum(size) - size, len(label) - 1)
    # From a value of the group, so that equal values are exactly equal.
    value = values[label] - values[label[first]][group]
    n = np.bincount(group, count, groups)
    mean = np.bincount(group, count * value, groups) / np.maximum(n, 1e-300)
    away = (value - mean[group]) ** 2
    return n[group] * away + np.bincount(group, count * away, groups)[group]


# Positions apart --------------------------------------------------------------------


def linear(n_labels: int) -> Distance:
    """Positions apart, as a share of the largest: linear weights.

    In order, what is below a label and what is above it are running sums, so the
    sum over a group is linear too; in whole numbers, so exact.
    """
    span = max(n_labels - 1, 1)
    return Distance("linear", True, partial(_step, span), partial(_steps, span))


def _step(span: int, a: Array, b: Array) -> Array:
    return np.abs(a - b) / span


def _steps(span: int, group: Array, label: Array, count: Array, groups: int) -> Array:
    size = np.bincount(group, minlength=groups)
    start = np.repeat(np.cumsum(size) - size, size)  # of the cell's group
    n = np.bincount(group, count, groups)[group]
    moment = np.bincount(group, count * label, groups)[group]
    below, moment_below = np.cumsum(count), np.cumsum(count * label)
    below -= (below - count)[start]
    moment_below -= (moment_below - count * label)[start]
    return (label * (2 * below - n) + moment - 2 * moment_below) / span


# Any other --------------------------------------------------------------------------


def pairwise(
    name: str,
    bounded: bool,
    between: Between,
    fast: Callable[[Array, Array], Array] | None = None,
) -> Distance:
    """A distance compared pair by pair in blocks.

    Costs the squared number of different labels in a group; `fast` gives the sums of
    a large group, of its labels and counts, in less.
    """
    return Distance(name, bounded, between, partial(_pairs, name, between, fast))


def _pairs(
    name: str,
    between: Between,
    fast: Callable[[Array, Array], Array] | None,
    group: Array,
    label: Array,
    count: Array,
    groups: int,
) -> Array:
    size = np.bincount(group, minlength=groups)
    start = np.cumsum(size) - size
    sums = np.empty(len(label))
    if fast is None:
        _refuse_to_take_hours(name, size)
    for g in np.flatnonzero(size > LARGE):
        part = slice(start[g], start[g] + size[g])
        if fast is not None and size[g] > LARGEST_BY_PAIRS:
            sums[part] = fast(label[part], count[part])
        else:
            sums[part] = _by_rows(between, label[part], count[part])
    small = np.flatnonzero(size <= LARGE)
    pairs = np.cumsum(size[small] ** 2)
    for block in np.split(small, np.flatnonzero(np.diff(pairs // BLOCK)) + 1):
        cells = _ranges(start[block], size[block])
        wide = np.repeat(size[block], size[block])  # of each, how many it is beside
        one, other = np.repeat(cells, wide), _ranges(start[group[cells]], wide)
        far = between(label[one], label[other]) * count[other]
        sums[cells] = np.add.reduceat(far, np.cumsum(wide) - wide)
    return sums


def _ranges(start: Array, size: Array) -> Array:
    """Whole numbers from each start on, so many, one after another."""
    return np.arange(size.sum()) + np.repeat(start - (np.cumsum(size) - size), size)


def _refuse_to_take_hours(name: str, size: Array) -> None:
    seconds = SECONDS * float((size.astype(float) ** 2).sum())
    if seconds > LONGEST:
        raise ValueError(
            "distance must be nominal, ordinal, interval or ratio for so many"
            f" different labels ({int(size.max()):,}), got {name!r}, which compares"
            f" each with each and would take about {seconds / 60:,.0f} minutes"
        )


def _by_rows(between: Between, label: Array, count: Array) -> Array:
    """One large group: blocks of rows against all its labels."""
    rows = max(1, BLOCK // len(label))
    sums = [
        between(label[at : at + rows, None], label[None, :]) @ count
        for at in range(0, len(label), rows)
    ]
    return np.concatenate(sums)
