"""Optimal stopping at given prices of the two errors, by backward induction.

Let a plan pay one for each inspection, weighed over numbers of errors D by w_D, a
price a for rejecting at D_a and a price r for accepting at D_r. With h_D(n, x) =
P(X_n = x | D), h_w = sum w_D h_D and the shares k of evaluation.py, the least total
cost is V(0, 0) in

    V(n, x) = min{ a h_Da(n, x)                                        reject,
                   r h_Dr(n, x)                                        accept,
                   h_w(n, x) + (n + 1 - x)/(n + 1) V(n + 1, x)
                             + (x + 1)/(n + 1) V(n + 1, x + 1) }       go on.

The last two weights carry shares of orders from n to n + 1. They are the same for
all D, so that one induction serves the plan's cost and both of its risks.

The induction may begin before the last inspection allowed. Whoever arrives there
may stop or pay for at least one inspection more, so that

    V(n, x) >= min{ a h_Da(n, x), r h_Dr(n, x), h_w(n, x) }.

With this minimum in the place of V, what comes out is at most V(0, 0): still less
than any longer plan costs. `forgiven` says by how much at most.

Only sums, products and quotients of doubles are used, one after the other: every
processor rounds them alike, so that it finds the same plan.

A plan's limits are one array here: accept and reject for n = 0 .. last, reached or
not. Its totals are its inspections at each of the problem's points, its producer's
and its consumer's risk; prices are one for each of the totals.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ... import _checks
from ..._checks import Array
from .. import region
from ..evaluation import back, weights_back
from ..levels import Task
from ..plan import SamplingPlan
from .aims import Aim

# Finding so many errors or more has less than this share of alpha at D_a: reject.
TAIL = 1e-8

# The induction is not begun with more points (n, x). Of large tables fewer prices
# are tried at a time.
LARGEST_TABLE = 8_000_000
LARGE_TABLE = 300_000

# Relative room for rounding in what is said to be a bound.
ROUNDING = 1e-10


@dataclass(frozen=True)
class Problem:
    """What is sought, and the probabilities that the induction needs.

    Attributes
    ----------
    task, aim : the risks to be kept and the objective to be small
    cap : most inspections that a plan may need
    points : numbers of errors at which inspections are counted
    good, bad : h_Da and h_Dr, shape (last + 1, width)
        Rows are n = 0 .. last, where the induction begins; columns are x = 0 ..
        width - 1; whoever arrives at the last is rejected.
    counted : shape (points, last + 1, width), h_D; one h_w for a weighted objective
    certain : where to reject whatever it costs: samples impossible at both levels
        with more errors than there are between them, and the last column
    beyond : P(X >= width - 1) at D_a after `last`
        By so much, times the price, may it cost more to reject all of these than the
        best plan would cost.
    last, risks, large : where the induction begins; alpha and beta; a large table
    """

    task: Task
    aim: Aim
    cap: int
    points: tuple[float, ...]
    good: Array
    bad: Array
    counted: Array
    certain: Array
    beyond: float
    last: int
    risks: Array
    large: bool

    def fitted(self, limits: Array) -> Array:
        """Limits with the last ones repeated to `last`, the last column rejected."""
        more = (0, self.last + 1 - limits.shape[1])
        end = self.good.shape[1] - 1
        return np.minimum(np.pad(limits, ((0, 0), more), "edge"), [[end - 1], [end]])

    def plan(self, limits: Array) -> SamplingPlan:
        accept, reject = limits[:, : len(region.reachable(*limits)[0])]
        return SamplingPlan(accept, reject, self.task.lot_size, self.task.levels)


def pose(
    task: Task, aim: Aim, cap: int, last: int, points: tuple[float, ...]
) -> Problem:
    """The problem with its tables for n up to `last`, or a ValueError."""
    law = task.law(cap)
    # One column more or less changes nothing.
    tails = law.tails(np.arange(last + 2), last, task.d_a)[1]
    width = max(2, int(np.count_nonzero(tails > TAIL * task.levels.alpha)) + 1)
    width = last + 2 if width > last else width
    if last * width > LARGEST_TABLE:
        accepted = "far enough apart, or max_sample small enough, for at most "
        accepted += f"{LARGEST_TABLE:,} points (n, x) (here {last:,} times {width:,})"
        raise _checks.refuse("levels", task.levels, accepted)
    good, bad, *counted = (
        law.grid(last, width - 1, errors) for errors in (task.d_a, task.d_r, *points)
    )
    if aim.weights is not None:
        parts = [part * each for part, each in zip(aim.weights, counted)]
        counted = [np.sum(parts, axis=0)]
    middle = (law.rate(task.d_a) + law.rate(task.d_r)) / 2
    n, x = np.arange(last + 1)[:, None], np.arange(width)
    certain = (good == 0) & (bad == 0) & (x > n * float(middle))
    certain[:, -1] = True
    tables = good, bad, np.array(counted), certain
    beyond = float(tails[width - 1])
    risks = np.array([task.levels.alpha, task.levels.beta])
    large = last * width > LARGE_TABLE
    return Problem(task, aim, cap, points, *tables, beyond, last, risks, large)


def again(problem: Problem, last: int, points: tuple[float, ...]) -> Problem:
    """The same problem with other tables."""
    return pose(problem.task, problem.aim, problem.cap, last, points)


@dataclass(frozen=True)
class Solutions:
    """The best plan for each set of prices.

    Attributes
    ----------
    bound : shape (sets,), what no plan that keeps both risks is below
    forgiven : shape (sets,)
        What the plan's forced verdicts at the end cost more than one inspection
        each would; 0 unless longer plans are allowed.
    totals : shape (sets, points + 2)
    limits : shape (sets, 2, last + 1)
    """

    bound: Array
    forgiven: Array
    totals: Array
    limits: Array


def solve(problem: Problem, prices: Array, with_limits: bool = True) -> Solutions:
    """The best plan for each set of prices, shape (sets, points + 2), in one pass.

    Without its limits, which is faster, or with them.
    """
    (sets, totals), last = prices.shape, problem.last
    reject, accept = prices[:, -2:-1], prices[:, -1:]
    weights = prices.T[:-2, :, None]
    limits = np.empty((sets, 2, last + 1 if with_limits else 0), np.int64)
    carried, ahead = weights_back(last, problem.good.shape[1]), np.empty(0)
    for n in range(last, -1, -1):
        rejecting, accepting = reject * problem.good[n], accept * problem.bad[n]
        to_reject = (rejecting < accepting) | problem.certain[n]
        counted = problem.counted[:, n, None, :-1]
        # The least cost and the totals from here on.
        now = np.zeros((1 + totals, *to_reject.shape))
        now[0] = np.where(to_reject, rejecting, accepting)
        now[-2], now[-1] = to_reject * problem.good[n], ~to_reject * problem.bad[n]
        stop = np.ones(to_reject.shape, bool)
        if n < last:
            going = back(carried[n], ahead)
            going[0] += (weights * counted).sum(axis=0)
            going[1:-2] += counted
            stop[:, :-1] = now[0, :, :-1] <= going[0]
            np.copyto(now[..., :-1], going, where=~stop[:, :-1])
        elif last < problem.cap:
            more = (weights * counted).sum(axis=0)
            now[0, :, :-1] = np.minimum(now[0, :, :-1], more)
        ahead = now
        if with_limits:  # acceptances are a run from x = 0, rejections to the end
            limits[:, 0, n] = _run(stop & ~to_reject) - 1
            limits[:, 1, n] = stop.shape[1] - _run((stop & to_reject)[:, ::-1])
    value, found = ahead[0, :, 0], ahead[1:, :, 0].T
    slack = prices[:, -2] * problem.beyond + ROUNDING * value
    worth, scale = (prices[:, -2:] * problem.risks).sum(axis=1), prices[:, :-2].sum(1)
    forgiven = ((prices * found).sum(axis=1) - value) / scale
    return Solutions((value - slack - worth) / scale, forgiven, found, limits)


def going_on(counted: Array, choose: Callable[[int, Array], Array]) -> Array:
    """What going on costs at each point, shape (..., last + 1, width); nan at the last.

    counted : of one more inspection, of the same shape
    choose : from n and what going on costs there, what is least or done there
    """
    going, (rows, width) = np.full(counted.shape, np.nan), counted.shape[-2:]
    carried = weights_back(rows - 1, width)
    ahead = choose(rows - 1, going[..., -1, :])
    for n in range(rows - 2, -1, -1):
        going[..., n, :-1] = counted[..., n, :-1] + back(carried[n], ahead)
        ahead = choose(n, going[..., n, :])
    return going


def _run(flags: Array) -> Array:
    """How many entries of each row are True before the first that is not."""
    return np.logical_and.accumulate(flags, axis=1).sum(axis=1)
