"""The interval that is valid after a plan has stopped.

A plan's stopping points are ordered by their share of errors x/n, points with
the same share together (Jennison and Turnbull 1983). The upper limit is the
largest D with P_D(a share no larger than the observed) > alpha/2, the lower limit
the smallest with P_D(a share no smaller) > alpha/2.

In this order the first probability never rises with D, whatever the plan: from D
to D + 1 the probability of stopping at (n, x) changes by a positive multiple of
x/n - (D + 1)/(N + 1), and all these changes add up to 0. If none of those at
shares up to the observed one is positive, they add up to at most 0; if one is,
all those beyond are positive too, and the rest add up to less than 0. In a process
x/n - p stands for the difference.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from scipy.optimize import brentq

from .._checks import Array
from ..laws.errors import Law
from ..laws.near import at_most
from .evaluation import StopPoints, exact_probability, probability


@dataclass(frozen=True)
class Stopped:
    """A plan that stopped after n inspections with x errors."""

    accept: Array
    reject: Array
    points: StopPoints
    law: Law
    n: int
    x: int

    def interval(self, alpha: Fraction) -> tuple[float, float]:
        """Both limits on the scale of errors: counts, or rates of a process."""
        size, tail = self.law.lot_size, alpha / 2
        if size is None:
            return self._rate(-1, tail), self._rate(1, tail)
        low = size - self._count(-1, tail, lambda d: size - d)
        high = self._count(1, tail, lambda d: d)
        return min(low, high), max(low, high)  # in the oddest plans they cross

    def _chosen(self, sign: int, n: Any, x: Any) -> Any:
        """Whether a share is no larger (1) or no smaller (-1) than the observed."""
        return sign * x * self.n <= sign * self.x * n

    def _side(self, sign: int) -> StopPoints:
        return self.points.only(self._chosen(sign, self.points.n, self.points.x))

    def _count(self, sign: int, tail: Fraction, errors: Callable[[int], int]) -> int:
        """The largest d with a probability above `tail` at errors(d)."""
        assert self.law.lot_size is not None
        points = self._side(sign)

        def rare(number: int) -> bool:
            d = errors(number)
            p = float(probability(points, self.law, np.array(d)))
            return at_most(p, tail, lambda: self._exact(sign, d))

        return bisect_left(range(1, self.law.lot_size + 1), True, key=rare)

    def _rate(self, sign: int, tail: Fraction) -> float:
        """The rate at which the probability is `tail`, or else an end."""
        points, far = self._side(sign), 1.0 if sign > 0 else 0.0

        def excess(rate: float) -> float:
            p = float(probability(points, self.law, np.array(rate)))
            return p - float(tail)

        if excess(far) > 0:
            return far
        return brentq(excess, 0.0, 1.0, xtol=1e-18, rtol=1e-14)

    def _exact(self, sign: int, errors: int) -> Fraction:
        """The probability as a fraction."""
        return exact_probability(
            self.accept, self.reject, self.law, errors, partial(self._chosen, sign)
        )
