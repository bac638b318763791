"""Intervals for the error rate of a lot, beside each other."""

from collections.abc import Callable, Mapping
from functools import partial
from math import comb

import numpy as np

import labelaudit as la
from labelaudit import as_published
from labelaudit._checks import Array

METHODS = ("Clopper-Pearson", "optimal", "mid-P", "Wald (normal)", "published")
Interval = Callable[..., tuple[Array, Array]]


def methods(others: Mapping[str, Interval]) -> dict[str, Interval]:
    """Every interval for a lot by its name: (errors, sample, lot) to (low, high).

    others : beside those of the library and the published one
    """
    found = {**others, "published": as_published.plug_in_interval}
    for name in ("Clopper-Pearson", "optimal", "mid-P"):
        found[name] = partial(la.proportion_interval, method=name.lower())
    return {name: found[name] for name in METHODS if name in found}


def in_counts(low: Array, high: Array, lot_size: int) -> tuple[Array, Array]:
    """The smallest and largest number of errors between two rates."""
    first = np.ceil(np.asarray(low) * lot_size - 1e-9)
    last = np.floor(np.asarray(high) * lot_size + 1e-9)
    return first.astype(int), last.astype(int)


def ways(lot_size: int, sample_size: int) -> np.ndarray:
    """How many samples have x errors (rows) where the lot has D (columns): exact."""
    n, errors = sample_size, range(lot_size + 1)
    found = (
        [comb(d, x) * comb(lot_size - d, n - x) for d in errors] for x in range(n + 1)
    )
    return np.array([*found], dtype=object)


def covered(low: Array, high: Array, counted: np.ndarray) -> np.ndarray:
    """How many samples have an interval that contains D / lot_size, for every D.

    low and high are rates for x = 0, 1, ...; `counted` is what `ways` gives.
    """
    size = counted.shape[1] - 1
    first, last = in_counts(low, high, size)
    d = np.arange(size + 1)
    inside = (first[:, None] <= d) & (d <= last[:, None])
    return (counted * inside).sum(axis=0)
