"""Halving for many rows at a time; for one, bisect does."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .._checks import Array


def largest(
    holds: Callable[[Array, Array], Array], low: Array, high: Array, *first: Array
) -> Array:
    """The largest whole number of each row, from low to high - 1, that holds.

    holds(rows, numbers) tells of one number for each of some rows; where a number
    holds, all smaller ones do. It is not asked about `low`, which is taken to hold.
    Where they lie between the two, numbers of `first` are looked at first.
    """
    low, high = low.copy(), high.copy()

    def look(rows: Array, at: Array) -> None:
        good = holds(rows, at)
        low[rows] = np.where(good, at, low[rows])
        high[rows] = np.where(good, high[rows], at)

    for guess in first:
        rows = np.flatnonzero((low < guess) & (guess < high))
        if len(rows):
            look(rows, guess[rows])
    while len(rows := np.flatnonzero(high - low > 1)):
        look(rows, (low[rows] + high[rows]) // 2)
    return low
