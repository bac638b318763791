"""Distances between labels, and the one disagreement computation.

Judgments fall into groups: those of an item, those of a rater, or all of them.
`within` gives, for every judgment, the sum of its distances to the judgments of
its group. Observed disagreement, expected disagreement and what a judgment's
own rater contributes to it are this sum over three groupings; nothing else in
the library compares labels.

Judgments enter as cells: (group, label) with a count, each cell once, in order.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import partial
from numbers import Real
from typing import Any, Protocol

import numpy as np
import pandas as pd

from .. import _checks
from .._checks import Array
from .._words import shown
from . import sets
from .log_scale import ratio_sums

BLOCK = 2**20  # pairs of labels compared at a time
SMALLEST, LARGEST = 1e-100, 1e100  # sizes of numbers that can be squared and summed
MOST_CALLED = 3000  # labels, for a callable
LARGE = 64  # cells from which a group is compared row by row
SECONDS = 4e-9  # that comparing two labels takes, about
LARGEST_BY_PAIRS = 2048  # cells of a group, for "ratio"
LONGEST = 120  # seconds: what would take longer is not begun

NAMED = ("nominal", "ordinal", "interval", "ratio", *sets.NAMES)
WEIGHTED = ("linear", "quadratic")
SHARES = ("nominal", *WEIGHTED)


class Distance(Protocol):
    """How far two labels are apart."""

    name: str
    bounded: bool  # no distance exceeds 1, so that 1 less its mean is an agreement

    def within(self, group: Array, label: Array, count: Array, groups: int) -> Array:
        """For each cell, the sum of distances to all judgments of its group.

        group, label, count: (n_cells,), each (group, label) once and in order;
        group in 0 .. groups - 1. Returns (n_cells,).
        """
        ...

    def table(self, n_labels: int) -> Array:
        """Distances between all labels, (n_labels, n_labels)."""
        ...


class Nominal:
    """0 for equal labels, 1 for others."""

    name = "nominal"
    bounded = True

    def within(self, group: Array, label: Array, count: Array, groups: int) -> Array:
        if groups == 1:
            return count.sum() - count
        return np.bincount(group, weights=count, minlength=groups)[group] - count

    def table(self, n_labels: int) -> Array:
        return 1.0 - np.eye(n_labels)


class SquaredDifference:
    """(v - w)^2 for labels with the values v and w.

    The sum over a group is n (v - mean)^2 + sum (w - mean)^2: linear, and exact
    to rounding however far the values lie from zero.
    """

    def __init__(self, name: str, values: Array, bounded: bool = False) -> None:
        self.name = name
        self.values = values
        self.bounded = bounded

    def within(self, group: Array, label: Array, count: Array, groups: int) -> Array:
        if len(label) == 0:
            return np.zeros(0)
        # From a value of the group, so that equal values are exactly equal.
        if groups == 1:
            value = self.values[label] - self.values[label[0]]
            n = count.sum()
            away = value - (count @ value) / max(n, 1e-300)
            return n * away**2 + count @ away**2
        size = np.bincount(group, minlength=groups)
        first = np.minimum(np.cumsum(size) - size, len(label) - 1)
        value = self.values[label] - self.values[label[first]][group]
        n = np.bincount(group, weights=count, minlength=groups)
        total = np.bincount(group, weights=count * value, minlength=groups)
        away = value - (total / np.maximum(n, 1e-300))[group]
        squares = np.bincount(group, weights=count * away**2, minlength=groups)
        return n[group] * away**2 + squares[group]

    def table(self, n_labels: int) -> Array:
        values = self.values[:n_labels]
        return (values[:, None] - values[None, :]) ** 2


class Pairwise:
    """Any other distance, compared pair by pair in blocks.

    between(a, b) gives the distances of labels at positions a and b (arrays that
    broadcast). Costs the squared number of different labels in a group.
    """

    def __init__(
        self, name: str, between: Callable[[Array, Array], Array], bounded: bool
    ) -> None:
        self.name = name
        self.between = between
        self.bounded = bounded

    def within(self, group: Array, label: Array, count: Array, groups: int) -> Array:
        order = (
            np.argsort(group, kind="stable") if groups > 1 else np.arange(len(label))
        )
        label, count = label[order], count[order]
        size = np.bincount(group, minlength=groups)
        start = np.cumsum(size) - size
        sums = np.empty(len(label))
        self._refuse_to_take_hours(size)
        for g in np.flatnonzero(size > LARGE):
            part = slice(start[g], start[g] + size[g])
            sums[part] = self._rows(label[part], count[part])
        small = np.flatnonzero((size > 0) & (size <= LARGE))
        pairs = np.cumsum(size[small] ** 2)
        blocks = np.split(small, np.flatnonzero(np.diff(pairs // BLOCK)) + 1)
        for part_of in blocks if len(small) else []:
            self._pairs(start[part_of], size[part_of], label, count, sums)
        back = np.empty(len(label))
        back[order] = sums
        return back

    def _refuse_to_take_hours(self, size: Array) -> None:
        seconds = SECONDS * float((size.astype(float) ** 2).sum())
        if seconds > LONGEST:
            raise ValueError(
                "distance must be nominal, ordinal, interval or ratio for so many"
                f" different labels ({int(size.max()):,}), got {self.name!r}, which"
                f" compares each with each and would take about {seconds / 60:,.0f}"
                " minutes"
            )

    def _rows(self, label: Array, count: Array) -> Array:
        """One large group: blocks of rows against all its labels."""
        rows = max(1, BLOCK // len(label))
        sums = [
            self.between(label[at : at + rows, None], label[None, :]) @ count
            for at in range(0, len(label), rows)
        ]
        return np.concatenate(sums)

    def _pairs(
        self, start: Array, size: Array, label: Array, count: Array, sums: Array
    ) -> None:
        """Many small groups: all pairs of their cells at once."""
        wide = np.repeat(size, size)  # of each cell: how many it is compared with
        begin = np.cumsum(wide) - wide
        cell = np.arange(len(wide)) + np.repeat(start - (np.cumsum(size) - size), size)
        one = np.repeat(cell, wide)
        other = np.repeat(np.repeat(start, size) - begin, wide) + np.arange(len(one))
        far = self.between(label[one], label[other]) * count[other]
        sums[cell] = np.add.reduceat(far, begin)

    def table(self, n_labels: int) -> Array:
        at = np.arange(n_labels)
        return np.asarray(self.between(at[:, None], at[None, :]), dtype=float)


class Linear:
    """Positions apart, as a share of the largest: linear weights.

    In order, what is below a label and what is above it are running sums, so the
    sum over a group is linear too; in whole numbers, so exact.
    """

    name = "linear"
    bounded = True

    def __init__(self, n_labels: int) -> None:
        self.span = max(n_labels - 1, 1)

    def within(self, group: Array, label: Array, count: Array, groups: int) -> Array:
        size = np.bincount(group, minlength=groups)
        start = np.repeat(np.cumsum(size) - size, size)  # of the cell's group
        n = np.bincount(group, weights=count, minlength=groups)[group]
        moment = np.bincount(group, weights=count * label, minlength=groups)[group]
        below, moment_below = np.cumsum(count), np.cumsum(count * label)
        below -= (below - count)[start]
        moment_below -= (moment_below - count * label)[start]
        return (label * (2 * below - n) + moment - 2 * moment_below) / self.span

    def table(self, n_labels: int) -> Array:
        at = np.arange(n_labels)
        return np.abs(at[:, None] - at[None, :]) / self.span


def quadratic(n_labels: int) -> SquaredDifference:
    """The square of the linear distance."""
    positions = np.arange(n_labels) / max(n_labels - 1, 1)
    return SquaredDifference("quadratic", positions, bounded=True)


class Ratio(Pairwise):
    """((v - w) / (v + w))^2, and 0 where both are 0; pair by pair in small groups."""

    def __init__(self, values: Array) -> None:
        super().__init__("ratio", partial(_ratio, values), bounded=True)
        self.values = values

    def _refuse_to_take_hours(self, size: Array) -> None:
        """Nothing: large groups take linear time."""

    def _rows(self, label: Array, count: Array) -> Array:
        if len(label) <= LARGEST_BY_PAIRS:
            return super()._rows(label, count)
        return ratio_sums(self.values[label], count)


def _ratio(values: Array, a: Array, b: Array) -> Array:
    v, w = values[a], values[b]
    total = v + w
    return ((v - w) / np.where(total > 0, total, 1.0)) ** 2


def ordinal(totals: Array) -> SquaredDifference:
    """Squared difference of mid-ranks among all judgments (Krippendorff).

    totals: judgments per label, in the order of the scale.
    """
    return SquaredDifference("ordinal", np.cumsum(totals) - totals / 2)


def explicit(table: Array, name: str = "given") -> Pairwise:
    """A distance given label by label."""
    return Pairwise(name, partial(_look_up, table), bool((table <= 1).all()))


def _look_up(table: Array, a: Array, b: Array) -> Array:
    return table[a, b]


def resolve(
    given: Any, labels: pd.Index, declared: bool, totals: Array, names: tuple[str, ...]
) -> Distance:
    """The distance that a caller means.

    given: one of names, a callable of two labels, or a matrix over the labels.
    declared: whether the labels were, and so their order. totals: judgments per
    label that take part, for the ranks of "ordinal".
    """
    if given is None or (isinstance(given, str) and given not in names):
        accepted = " or ".join(map(repr, names))
        raise _checks.refuse("distance", given, f"{accepted}, a callable or a matrix")
    if isinstance(given, str):
        if given == "nominal":
            return Nominal()
        if given == "linear":
            return Linear(len(labels))
        if given == "quadratic":
            return quadratic(len(labels))
        if given == "ordinal":
            if not declared:
                numbers(labels, "ordinal", "numbers, or declared in their order")
            return ordinal(totals)
        if given == "interval":
            return SquaredDifference("interval", numbers(labels, "interval"))
        if given in sets.NAMES:
            return Pairwise(given, sets.between(given, labels), bounded=True)
        values = numbers(labels, "ratio")
        if (values < 0).any():
            accepted = "numbers of at least 0 for the ratio distance"
            raise _checks.refuse("labels", float(values.min()), accepted)
        return Ratio(values)
    if callable(given) and not isinstance(given, (np.ndarray, pd.DataFrame)):
        return explicit(_called(given, labels))
    return explicit(_matrix(given, labels))


def at_most_one(given: Any, labels: pd.Index, declared: bool) -> tuple[Distance, float]:
    """A distance whose values are shares, and its sum over all pairs of labels.

    given: "nominal", "linear", "quadratic" or a matrix of values in [0, 1].
    """
    if callable(given) and not isinstance(given, (np.ndarray, pd.DataFrame)):
        accepted = " or ".join(map(repr, SHARES))
        raise _checks.refuse("distance", given, f"{accepted} or a matrix in [0, 1]")
    q = len(labels)
    distance = resolve(given, labels, declared, np.zeros(q), SHARES)
    if not distance.bounded:
        largest = float(np.max(distance.table(q)))
        raise _checks.refuse("distance", largest, "a matrix of values in [0, 1]")
    everywhere = np.zeros(q, dtype=np.intp), np.arange(q), np.ones(q)
    return distance, float(distance.within(*everywhere, 1).sum())


def numbers(
    labels: pd.Index,
    name: str,
    accepted: str = "numbers, 0 or of a size from 1e-100 to 1e100,",
) -> Array:
    """The labels as numbers, whose squares are numbers too."""
    shift = _smallest(labels) if name == "interval" else 0
    small = (
        labels.dtype.kind in "iu" and -(2**53) < labels.min() <= labels.max() < 2**53
    )
    if small:
        values = (labels.to_numpy() - shift).astype(float)
    elif labels.dtype.kind in "iuf" and not shift:
        values = labels.to_numpy().astype(float)
    else:
        values = np.array([_number(label, shift) for label in labels], dtype=float)
    size = np.abs(values)
    wrong = ~((size == 0) | ((size >= SMALLEST) & (size <= LARGEST)))
    if wrong.any():
        label = labels[int(np.argmax(wrong))]
        if isinstance(label, (str, bytes)):
            accepted = accepted.split(", 0 or")[0] + ", not text,"
        raise _checks.refuse("labels", label, f"{accepted} for the {name} distance")
    return values


def _smallest(labels: pd.Index) -> Any:
    """What to take from labels so that distances stay, and digits are not lost.

    0 unless all are exact numbers: whole ones, fractions or decimals.
    """
    if labels.dtype.kind in "iu" and len(labels):
        return int(labels.min())
    exact = (int, np.integer, Fraction, Decimal)
    truth = (bool, np.bool_, np.timedelta64)
    if any(isinstance(v, truth) or not isinstance(v, exact) for v in labels):
        return 0
    try:
        return min((Fraction(v) for v in labels), default=0)
    except (ValueError, OverflowError):  # a decimal that is none
        return 0


def _number(label: Any, shift: Any = 0) -> float:
    """A label, less so much, as a number; NaN where it is none."""
    if isinstance(label, (bool, np.bool_)):
        return float(label)
    if not isinstance(label, (Real, Decimal, np.floating)):
        return np.nan
    try:
        number: Any = label
        return float(Fraction(number) - shift) if shift else float(number)
    except (TypeError, ValueError, OverflowError):
        return np.nan


def _called(distance: Callable[[Any, Any], Any], labels: pd.Index) -> Array:
    """A callable's distances between all labels."""
    if len(labels) > MOST_CALLED:
        raise ValueError(
            f"distance must be a name or a matrix for {len(labels)} labels: a callable"
            f" is called for every two of them (at most {MOST_CALLED})"
        )
    table = np.empty((len(labels), len(labels)))
    for i, one in enumerate(labels):
        for k, other in enumerate(labels):
            accepted = f"a number for the labels {shown(one)} and {shown(other)}"
            try:
                value = distance(one, other)
            except Exception as error:
                raise _checks.refuse("distance", error, accepted) from error
            table[i, k] = _number(value)
            if not np.isfinite(table[i, k]):
                raise _checks.refuse("distance", value, accepted)
    return _matrix(table, labels)


def _imaginary(value: Any) -> bool:
    return isinstance(value, (complex, np.complexfloating))


def _matrix(given: Any, labels: pd.Index) -> Array:
    """A checked matrix of disagreements, in the order of the labels."""
    q = len(labels)
    accepted = f"a matrix of disagreements, {q} x {q} in the order of the labels"
    if isinstance(given, pd.DataFrame):
        for axis in (given.index, given.columns):
            if len(axis) != q or set(axis) != set(labels):
                names = f"named by the labels {list(labels)[:20]} on both axes"
                raise _checks.refuse("distance", list(axis), names)
        rows, columns = (
            given.index.get_indexer(labels),
            given.columns.get_indexer(labels),
        )
        given = given.to_numpy()[np.ix_(rows, columns)]
    try:
        table = np.asarray(given)
        if table.dtype.kind not in "biufO" or any(map(_imaginary, table.flat)):
            raise TypeError
        table = table.astype(float)
    except (TypeError, ValueError, OverflowError):
        raise _checks.refuse("distance", given, accepted) from None
    if table.shape != (q, q):
        raise _checks.refuse("distance", f"shape {table.shape}", accepted)
    if not np.isfinite(table).all():
        raise _checks.refuse("distance", "a value that is not finite", accepted)
    size = np.abs(table)
    if ((size > LARGEST) | ((size > 0) & (size < SMALLEST))).any():
        accepted = "disagreements that are 0 or of a size from 1e-100 to 1e100"
        raise _checks.refuse("distance", float(size.max()), accepted)
    diagonal = np.diag(table)
    if (diagonal == 1).all():
        raise _checks.refuse(
            "distance",
            "a unit diagonal, as of agreement weights",
            "disagreements, 0 on the diagonal (1 - the weights)",
        )
    if (diagonal != 0).any():
        at = int(np.argmax(diagonal != 0))
        accepted = "0 between a label and itself"
        raise _checks.refuse(
            "distance", f"{diagonal[at]:g} for {shown(labels[at])}", accepted
        )
    lopsided = ~np.isclose(table, table.T, rtol=1e-9, atol=0)
    for wrong, what in ((table < 0, "at least 0"), (lopsided, "symmetric")):
        if wrong.any():
            i, k = np.argwhere(wrong)[0]
            found = f"{table[i, k]:g} for {shown(labels[i])} and {shown(labels[k])}"
            found += f", {table[k, i]:g} the other way round" * (what == "symmetric")
            raise _checks.refuse("distance", found, what)
    return (table + table.T) / 2
