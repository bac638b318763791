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

`plan` imports this module, so that a SamplingPlan is Any here.
"""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from scipy.optimize import brentq

from ..laws.near import at_most
from .evaluation import exact_probability, probability


def interval(plan: Any, n: int, x: int, alpha: Fraction) -> tuple[float, float]:
    """Both limits on the scale of errors (counts, or rates of a process).

    For a plan that stopped after n inspections with x errors.
    """
    low, high = (_limit(plan, sign, n, x, alpha / 2) for sign in (-1, 1))
    return min(low, high), max(low, high)  # in the oddest plans they cross


def _limit(plan: Any, sign: int, n: int, x: int, tail: Fraction) -> float:
    """The last errors, upwards (sign 1) or downwards (-1), likelier than `tail`.

    In a process the rate at which the probability is `tail`, or else an end.
    """
    law, limits = plan.law, (plan.accept, plan.reject)

    def chosen(size: Any, errors: Any) -> Any:  # no larger, or no smaller a share
        return sign * errors * n <= sign * x * size

    side = plan.stop_points.only(chosen(plan.stop_points.n, plan.stop_points.x))

    def chance(errors: Any) -> float:
        return float(probability(side, law, np.array(errors)))

    def errors_at(step: int) -> int:
        return step if sign > 0 else law.lot_size - step

    def rare(step: int) -> bool:
        d = errors_at(step)
        exact = partial(exact_probability, *limits, law, d, chosen)
        return at_most(chance(d), tail, exact)

    if law.lot_size is not None:
        return errors_at(bisect_left(range(1, law.lot_size + 1), True, key=rare))
    far = 1.0 if sign > 0 else 0.0
    if chance(far) > tail:
        return far
    share = float(tail)
    return brentq(lambda p: chance(p) - share, 0.0, 1.0, xtol=1e-18, rtol=1e-14)
