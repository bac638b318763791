"""The interval for a group of the lot that is valid after a plan has stopped.

A plan stopped at (n, x) in a lot of N. Of a group of M annotations with d errors, m
were inspected and y of them wrong; of the K = N - M others l = n - m, and z = x - y.
With k of evaluation.py and h the hypergeometric law,

    P(n, x, m, y) = k(n, x) h_n(m; N, M) h_m(y; M, d) h_l(z; K, e),

where nobody knows e, the errors among the others. Where all paths stop at one n, m
says nothing of the errors: given m, the sample from the group is one of fixed size,
and the interval Clopper and Pearson's.

Where a plan can stop early, its outcomes are ordered by Clopper and Pearson's upper
limit u(m, y) for the group, as if m had been fixed, and the group's upper limit is
the largest d for which a u no larger than the observed one has a probability above
alpha/2, whatever the others are. Those u belong to the outcomes with P(Y_m <= y) at
most alpha/2 when the errors are one more than the observed u. They are the tail. The
lower limit is the same with errors and correct annotations exchanged.

Whatever the others are: for one d the probability of the tail is a sum over samples
of the others, of W(l, z) h_l(z; K, e). A sample of l is what a sample of l + 1 was
before its last one, which is wrong with probability z / (l + 1). So the weights of
each size are carried on to the next,

    V(l, z) = W(l, z) + [(l - z) V(l-1, z) + z V(l-1, z-1)] / l,

up to the most others among which the tail can end, L. V(L, z) is the probability of
the tail when z of the first L others, as they would be drawn, are wrong. The largest
of these bounds it for every e, and is hardly larger than the largest over e.

From d to d + 1 the probability of an outcome changes by a multiple, not negative, of
y (M + 1) - m (d + 1): it is largest at d = y (M + 1) / m, rounded down. With every
outcome of the tail taken at its likeliest number of errors from d on, the sum bounds
the tail from d on and never rises with d, so that halving finds the limit. Few
outcomes of a tail are likelier beyond d: in 96 plans and lots that were tried it was
the limit which the bound for each d alone gives.

Rounding can only make an interval longer: what it could decide is in the tail, and d
in the interval.
"""

from bisect import bisect_left
from fractions import Fraction

import numpy as np

from .. import _checks
from .._checks import Array
from ..laws.errors import LOST, NEAR, Law, largest
from .evaluation import StopPoints, onward, stopping
from .plan import SamplingPlan, checked_plan
from .runs import stopped_at

# What is less likely in a sample of one size than this is left out: all of it together
# is beyond what rounding could decide.
NO_SAMPLE = 1e-25


def group_interval(
    plan: SamplingPlan,
    inspected: int,
    errors_found: int,
    group_size: int | None,
    group_inspected: int,
    group_errors: int,
    confidence: float = 0.95,
) -> tuple[float, float]:
    """Interval for the error rate of a group of the lot, valid after the plan stopped.

    The plan drew at random from the whole lot; how many of the group it would meet
    was left to chance.

    Parameters
    ----------
    plan : SamplingPlan
    inspected, errors_found : int
        Where the plan stopped.
    group_size : int from 1 to plan.lot_size, or None for a process
        Annotations of the group in the lot.
    group_inspected, group_errors : int
        Those of the group that were inspected, and the errors among them.
    confidence : float in (0, 1)
        For this group alone: for all of several groups divide 1 - confidence by
        their number.

    Returns
    -------
    low, high : float
        Error rates; in a lot multiples of 1 / group_size, both ends included.
        Coverage is at least the confidence, whatever the errors elsewhere.

    Raises
    ------
    ValueError
        Where the plan cannot stop there, where the group's numbers do not go with
        it, or where the plan of a process can stop early.

    References
    ----------
    Clopper and Pearson 1934, given the number inspected of the group, for a plan
    that cannot stop early. For others the outcomes are in the order of that
    interval's limits, and each limit is the last number of errors for which the
    bound on the probability of as extreme an outcome is above (1 - confidence)/2.
    The bound holds whatever the errors are among the other annotations.

    Examples
    --------
    Of a lot of 1000 with a group of 300, 184 were inspected, 70 of them in the
    group; 9 errors were found, 5 of them in the group.

    >>> import labelaudit as la
    >>> plan = la.curtail(la.single_plan(la.STRICT, lot_size=1000))
    >>> low, high = group_interval(plan, 184, 9, 300, 70, 5)
    >>> round(300 * low), round(300 * high)
    (9, 41)
    """
    checked_plan(plan)
    confidence = _checks.confidence(confidence)
    n, x = stopped_at(plan, inspected, errors_found)
    size = others = plan.max_sample  # that can be inspected, at most
    if plan.lot_size is not None:
        size = _checks.count("group_size", group_size, 1, plan.lot_size)
        others = plan.lot_size - size
    elif group_size is not None:
        raise _checks.refuse("group_size", group_size, "None for a process")
    fewest, most = max(0, n - others), min(n, size)
    m = _checks.count("group_inspected", group_inspected, fewest, most)
    y = _checks.count("group_errors", group_errors, max(0, x - n + m), min(m, x))
    # Clopper and Pearson's: that of the plan which inspects m of the group.
    fixed = SamplingPlan.from_stages([(m, 0, 1)], group_size)
    low, high = fixed.interval(m, y, confidence)
    if m == 0 or len(stopping(plan.accept, plan.reject)) == 1:
        return low, high
    if plan.lot_size is None:
        accepted = "a lot's size for a group of a plan that can stop early"
        raise _checks.refuse("plan.lot_size", None, accepted)
    tail = (1 - _checks.fraction(confidence)) / 2
    group = _Group(plan.stop_points, plan.lot_size, size)
    upper = group.limit(1, m, y, round(high * size), tail)
    lower = size - group.limit(-1, m, m - y, size - round(low * size), tail)
    return min(lower, upper) / size, max(lower, upper) / size


class _Group:
    """A group of so many annotations in a lot.

    Where `sign` is 1 errors are counted and limited, where it is -1 correct
    annotations: `seen`, `number` and `last` are of that kind.
    """

    def __init__(self, points: StopPoints, lot_size: int, size: int) -> None:
        self.size, self.law = size, Law(size)
        longest, self.most_errors = int(points.n[-1]), int(points.x.max())
        self.others = min(lot_size - size, longest)
        self.m = np.arange(min(size, longest) + 1)
        self.y = np.arange(min(self.most_errors, len(self.m) - 1) + 1)
        # For each n: the first m of the group, h_n(m), and the x with their k(n, x).
        self.stops, law = [], Law(lot_size)
        for n in np.unique(points.n).tolist():
            met = law.pmf(np.arange(n + 1), n, size)
            likely = np.flatnonzero(met > NO_SAMPLE)
            begin, end = int(likely[0]), int(likely[-1]) + 1
            here = slice(*np.searchsorted(points.n, [n, n + 1]))
            stops = zip(points.x[here].tolist(), points.share[here].tolist())
            self.stops.append((n, begin, met[begin:end], [*stops]))

    def limit(self, sign: int, m: int, seen: int, naive: int, tail: Fraction) -> int:
        """The largest number from which on the tail can be likelier than `tail`.

        `naive` is the limit had m been fixed; that is the answer where there is none.
        """
        most, below = self.size - (m - seen), float(tail) * (1 - NEAR) - LOST
        if naive >= most:
            return most
        bound = float(tail) * (1 + NEAR) + LOST

        def unlikely(rows: Array, y: Array) -> Array:
            return self.law.tails(y, self.m[rows], naive + 1)[0] <= bound

        # For each m the last y with P(Y_m <= y) at most the bound, or -1.
        last = largest(unlikely, np.full(len(self.m), -1), self.m + 1)

        def rare(number: int) -> bool:
            return float(self.probabilities(sign, number, last).max()) <= below

        found = seen + bisect_left(range(seen, most + 1), True, key=rare) - 1
        return found if found >= seen else naive

    def probabilities(self, sign: int, number: int, last: Array) -> Array:
        """V(L, z): P(the tail), if z of the first L others are wrong; `last` see limit.

        A bound for `number` and all larger ones; L is no larger than the tail needs.
        """
        weights = self._weights(sign, number, last)
        needed = int(np.flatnonzero(weights.any(axis=1)).max(initial=0))
        total = weights[0, :1]
        for inspected in range(1, needed + 1):
            total = onward(inspected - 1, 0, total)
            row = weights[inspected, : inspected + 1]
            total[: len(row)] += row
        return total

    def _weights(self, sign: int, number: int, last: Array) -> Array:
        """W(l, z): the tail's sum of k(n, x) h_n(m) h_m(y), at its largest."""
        m, y = self.m[:, None], self.y
        kind = y if sign > 0 else m - y
        likeliest = np.maximum(kind, 0) * (self.size + 1) // np.maximum(m, 1)
        numbers = np.clip(likeliest, number, self.size)
        errors = numbers if sign > 0 else self.size - numbers
        chances = self.law.pmf(y, m, errors) * (kind <= last[:, None])
        weights = np.zeros((self.others + 1, self.most_errors + 1))
        for n, first, met, points in self.stops:
            end = first + len(met)
            part = (chances[first:end] * met[:, None])[::-1, ::-1]  # by l and z, rising
            rows = slice(n + 1 - end, n + 1 - first)
            for x, share in points:
                z = x - int(y[-1])  # of the first column
                columns = slice(max(0, z), x + 1)
                weights[rows, columns] += share * part[:, max(0, -z) :]
        return weights
