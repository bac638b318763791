"""One run of a plan: the interval after its verdict; and many runs, drawn at random.

Stopping points are ordered by their share of errors x/n, points with the same share
together (Jennison and Turnbull 1983). The upper limit is the largest D with P_D(a share
no larger than the observed) > alpha/2, the lower limit the smallest with P_D(a share no
smaller) > alpha/2.

In this order the first probability never rises with D, whatever the plan: from D
to D + 1 the probability of stopping at (n, x) changes by a positive multiple of
x/n - (D + 1)/(N + 1), and all these changes add up to 0. If none of those at
shares up to the observed one is positive, they add up to at most 0; if one is,
all those beyond are positive too, and the rest add up to less than 0. In a process
x/n - p stands for the difference.

`properties` imports this module, so that a SamplingPlan is Any here.
"""

from bisect import bisect_left
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from .. import _checks
from .._checks import Array
from ..laws.errors import at_most
from . import evaluation


def stopped_at(plan: Any, inspected: Any, errors_found: Any) -> tuple[int, int]:
    """Where a plan stopped, if it can stop there; else ValueError."""
    n = _checks.count("inspected", inspected, 0, plan.max_sample)
    x = _checks.count("errors_found", errors_found, 0, n)
    low, high = evaluation.reachable(plan.accept, plan.reject)
    arrives = n < len(low) and low[n] <= x <= high[n]
    if not arrives or plan.accept[n] < x < plan.reject[n]:
        accepted = "a point where this plan can stop (see plan.stages)"
        raise _checks.refuse("(inspected, errors_found)", (n, x), accepted)
    return n, x


def limit(plan: Any, sign: int, n: int, x: int, tail: Fraction) -> float:
    """The last errors, upwards (sign 1) or downwards (-1), likelier than `tail`.

    For a SamplingPlan that stopped after n inspections with x errors. In a process
    the rate at which the probability is `tail`, or else an end.
    """
    from scipy.optimize import brentq  # it takes a while to import

    law, points, limits = plan.law, plan.stop_points, (plan.accept, plan.reject)

    def chosen(size: Any, errors: Any) -> Any:  # no larger, or no smaller a share
        return sign * errors * n <= sign * x * size

    weights = points.share * chosen(points.n, points.x)

    def chance(errors: Any) -> float:
        return min(float(law.sums(points.x, points.n, weights, np.array(errors))), 1.0)

    def errors_at(step: int) -> int:
        return step if sign > 0 else law.lot_size - step

    def rare(step: int) -> bool:
        d = errors_at(step)
        exact = partial(evaluation.exact_probability, *limits, law, d, chosen)
        return at_most(chance(d), tail, exact)

    if law.lot_size is not None:  # the sample rules out fewer errors, and more
        least = x if sign > 0 else n - x
        others = range(least + 1, least + law.lot_size - n + 1)
        return errors_at(least + bisect_left(others, True, key=rare))
    far = 1.0 if sign > 0 else 0.0
    if chance(far) > tail:
        return far
    return brentq(lambda p: chance(p) - float(tail), 0, 1, xtol=1e-18, rtol=1e-14)


def simulate(
    plan: Any, errors: Array, repetitions: int, generator: np.random.Generator
) -> pd.DataFrame:
    """Run a plan; see SamplingPlan.simulate.

    Between two sample numbers at which a plan can stop, only the number of errors
    matters, so that number is drawn: from a lot, the errors among the next m positions
    are hypergeometric given what has been found. This has the law of inspecting a
    shuffled lot one by one, without shuffling it.

    `errors` may also be an array of `repetitions` values, one per run.
    """
    size, accept, reject = plan.lot_size, plan.accept, plan.reject
    accepted = np.zeros(repetitions, dtype=bool)
    inspected, x = np.zeros((2, repetitions), dtype=np.int64)
    total: Any = np.broadcast_to(errors, repetitions)
    running, before = np.arange(repetitions), 0

    def drawn(errors: Array, found: Array, m: int) -> Array:
        """Errors among the next m."""
        left, errors = (1, errors) if size is None else (size - before, errors - found)
        if m == 1:
            return (generator.random(len(found)) < errors / left).astype(np.int64)
        if size is None:
            return generator.binomial(m, errors)
        return generator.hypergeometric(errors, left - errors, m)

    for n in evaluation.limited(accept, reject).tolist():
        found = x[running]
        if n > before:
            found += drawn(total[running], found, n - before)
        x[running], inspected[running] = found, n
        accepted[running] = found <= accept[n]
        running = running[(found > accept[n]) & (found < reject[n])]
        if not len(running):
            break
        before = n
    columns = {"accepted": accepted, "inspected": inspected, "errors_found": x}
    return pd.DataFrame(columns)
