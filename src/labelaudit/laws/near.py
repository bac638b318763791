"""Comparisons that rounding could decide, settled in fractions; and halving by them.

Bounds are read as the decimals that they were written as.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from .. import _checks
from .._checks import Array

# Comparisons closer than this (relative) are settled in exact arithmetic. The
# floating-point error of the laws' probabilities is some thousand times less:
# a small one is summed from its terms, never left over from 1.
NEAR = 1e-8

# So much (absolute) rounding and terms left out may add up to, in a probability that
# is no tail: comparisons closer than this are settled in exact arithmetic, too.
LOST = 1e-15


def at_most(value: float, bound: Any, exact: Callable[[], Fraction]) -> bool:
    """Whether a probability is at most a bound; near it `exact` gives it exactly."""
    return not exceed(np.array([value]), _checks.fraction(bound), exact).item()


def exceed(
    values: Array, bound: Fraction, exact: Callable[..., Fraction], *at: Array
) -> Array:
    """Whether each of many probabilities exceeds a bound; near it see settled."""
    limit = float(bound)
    close = np.abs(values - limit) <= NEAR * limit + LOST
    return settled(values > limit, close, lambda *one: exact(*one) > bound, *at)


def settled(answer: Array, near: Array, exact: Callable[..., Any], *at: Array) -> Array:
    """`answer`, but where `near` that of exact(*entries of the integer arrays at)."""
    for i in np.flatnonzero(near):
        answer[i] = exact(*(int(each[i]) for each in at))
    return answer


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
