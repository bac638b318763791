"""One exact evaluator for every sampling plan.

A plan stops at points (n, x): n inspected, x of them erroneous. Let k(n, x) be
the share of the C(n, x) orders of x errors among n that reach (n, x) without
having stopped before. Then

    k(0, 0) = 1,
    k(n, x) = [(n - x) k(n-1, x) + x k(n-1, x-1)] / n,

summed over predecessors that continue, and P(stop at (n, x)) = k(n, x) P(X = x),
with the hypergeometric law in a lot and the binomial in a process. k depends on
the plan alone, so one pass over the plan serves every number of errors at once.

The interval after the verdict asks the same evaluator. Stopping points are ordered by
their share of errors x/n, points with the same share together (Jennison and Turnbull
1983). The upper limit is the largest D with P_D(a share no larger than the observed) >
alpha/2, the lower limit the smallest with P_D(a share no smaller) > alpha/2.

In this order the first probability never rises with D, whatever the plan: from D
to D + 1 the probability of stopping at (n, x) changes by a positive multiple of
x/n - (D + 1)/(N + 1), and all these changes add up to 0. If none of those at
shares up to the observed one is positive, they add up to at most 0; if one is,
all those beyond are positive too, and the rest add up to less than 0. In a process
x/n - p stands for the difference.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import comb
from typing import Any, Self

import numpy as np
from scipy.optimize import brentq

from .._checks import Array
from ..laws.errors import Law, likely_shares
from ..laws.near import at_most
from .region import stopping

# Once no continuing point has a larger share of orders than this, no number of
# errors leaves more probability than this unaccounted for.
NO_ORDERS = 1e-30

# Values that differ by less, relatively, are alike: rounding differs between
# processors.
ALIKE = 1e-10

# Probabilities are computed in blocks of about this many cells.
BLOCK = 1 << 19

# For so many numbers of errors at most, no point is negligible.
FEW = 2


@dataclass(frozen=True)
class StopPoints:
    """Where a plan can stop: arrays of equal length, in order of n, then x."""

    n: Array
    x: Array
    share: Array
    accepted: Array

    def only(self, chosen: Array) -> Self:
        """The points that a boolean array picks."""
        return type(self)(*(each[chosen] for each in vars(self).values()))


def onward(n: int, low: int, going: Array) -> Array:
    """One step forward: k(n + 1, low), k(n + 1, low + 1), ... along the last axis.

    going : k(n, low), k(n, low + 1), ... of the points that go on, one entry fewer
    """
    x = np.arange(low, low + going.shape[-1], dtype=float)
    share = np.zeros((*going.shape[:-1], len(x) + 1))
    share[..., :-1] = (n + 1 - x) * going
    share[..., 1:] += (x + 1) * going
    return share / (n + 1)


def weights_back(last: int, width: int) -> Array:
    """The two weights of `back` for n = 0 .. last, shape (last + 1, 2, width - 1).

    They are those of `onward`, for x = 0 .. width - 2.
    """
    after = np.arange(1, last + 2)[:, None]
    move = np.arange(1, width) / after
    return np.stack([1 + 1 / after - move, move], axis=1)


def back(weights: Array, ahead: Array) -> Array:
    """One step back: what is `ahead` at n + 1, as seen from n, one entry fewer."""
    stay, move = weights
    return stay * ahead[..., :-1] + move * ahead[..., 1:]


def _paths(n: int, low: int, going: Array) -> Array:
    """`onward` for the numbers of orders C(n, x) k(n, x), which are whole."""
    return np.append(going, 0) + np.append(0, going)


def arrivals(
    accept: Array, reject: Array, exact: bool = False
) -> Iterator[tuple[int, int, Array]]:
    """n, low and the shares k(n, low), k(n, low + 1), ... that arrive at n.

    From the first n at which the plan can stop to the last at which anything
    arrives. Where `exact`, numbers of orders instead of shares.
    """
    n, low, step = int(stopping(accept, reject)[0]), 0, onward
    share = np.ones(n + 1)  # no order has stopped before
    if exact:
        step, share = _paths, np.array([comb(n, x) for x in range(n + 1)], object)
    while True:
        yield n, low, share
        begin = max(int(accept[n]) + 1 - low, 0)
        share = share[begin : max(int(reject[n]) - low, 0)]  # what continues
        if n == len(accept) - 1 or not len(share) or share.max() < NO_ORDERS:
            return
        low += begin
        share = step(n, low, share)
        n += 1


def stop_points(accept: Array, reject: Array) -> StopPoints:
    """All stopping points with their shares k(n, x)."""
    found = []
    for at, low, arrived in arrivals(accept, reject):
        x = np.arange(low, low + len(arrived))
        stops = (x <= accept[at]) | (x >= reject[at])
        found.append((np.full(stops.sum(), at), x[stops], arrived[stops]))
    n, x, share = (np.concatenate(each) for each in zip(*found))
    return StopPoints(n, x, share, x <= accept[n])


def _blocks(points: StopPoints, law: Law, errors: Array) -> Iterator[tuple]:
    """Blocks of P(stop at a point | errors), skipping what is negligible.

    `errors` is sorted. Yields (indices of points, slice of errors, matrix).
    Each point matters only for error rates in an interval around x/n. A question
    about FEW errors skips nothing: risks are right however small they are.
    """
    lowest, highest = likely_shares(points.x / np.maximum(points.n, 1), points.n)
    rate, width = law.rate(errors), max(1, BLOCK // max(len(lowest), 1))
    for start in range(0, len(errors), width):
        part = slice(start, start + width)
        first, last = rate[part][[0, -1]]
        near = (lowest <= last + 1e-12) & (highest >= first - 1e-12)
        group = np.flatnonzero(near | (len(errors) <= FEW))
        x, n = points.x[group, None], points.n[group, None]
        masses = law.pmf(x, n, errors[None, part])
        yield group, part, masses * points.share[group, None]


def weighted_sum(points: StopPoints, law: Law, errors: Array, weight: Array) -> Array:
    """Sum over the points of weight * P(stop there), one value per error count."""
    unique, inverse = np.unique(errors.ravel(), return_inverse=True)
    total = np.zeros(len(unique))
    for group, part, masses in _blocks(points, law, unique):
        total[part] += weight[group] @ masses
    return total[inverse].reshape(errors.shape)


def probability(points: StopPoints, law: Law, errors: Array) -> Array:
    """P(stop at any of the points), one value per error count, in [0, 1]."""
    total = weighted_sum(points, law, errors, np.ones(len(points.n)))
    return np.clip(total, 0.0, 1.0)


def average_sample_number(points: StopPoints, law: Law, errors: Array) -> Array:
    """Expected number of inspections, one value per error count.

    Where most points lie at the last n (single and double plans end with one
    for every count of errors) their mass is what the others leave.
    """
    last = int(points.n[-1])
    early = points.n < last
    if 2 * early.sum() > len(early):
        return weighted_sum(points, law, errors, points.n.astype(float))
    before = points.only(early)
    return last - weighted_sum(before, law, errors, (last - before.n).astype(float))


def sample_number_pmf(
    points: StopPoints, law: Law, errors: Array, max_sample: int
) -> Array:
    """P(the plan stops after exactly n), shape errors.shape + (max_sample + 1,)."""
    unique, inverse = np.unique(errors.ravel(), return_inverse=True)
    table = np.zeros((len(unique), max_sample + 1))
    for group, part, masses in _blocks(points, law, unique):
        np.add.at(table[part].T, points.n[group], masses)
    return table[inverse].reshape(*errors.shape, max_sample + 1)


def first_largest(values: Array) -> int:
    """Where the largest of some values of at least 0 is, the first of those alike."""
    return int((values >= values.max() * (1 - ALIKE)).argmax())


def exact_probability(
    accept: Array,
    reject: Array,
    law: Law,
    errors: Any,
    chosen: Callable[[int, int], Any],
) -> Fraction:
    """P(stop at a chosen point) as a fraction, the recursion in whole numbers.

    For small lots and for comparisons that rounding could decide; the numbers
    grow with n, so this is slow where many inspections are allowed. `chosen` tells
    of a point (n, x) at which the plan stops whether it counts.
    """
    total = Fraction(0)
    for n, low, orders in arrivals(accept, reject, exact=True):
        for x, ways in enumerate(orders.tolist(), low):
            if not accept[n] < x < reject[n] and chosen(n, x):
                total += Fraction(ways, comb(n, x)) * law.exact_pmf(x, n, errors)
    return total


def limit(plan: Any, sign: int, n: int, x: int, tail: Fraction) -> float:
    """The last errors, upwards (sign 1) or downwards (-1), likelier than `tail`.

    For a SamplingPlan that stopped after n inspections with x errors. In a process
    the rate at which the probability is `tail`, or else an end.
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
