"""Small changes of a plan's limits, as long as they save inspections.

The optimum over deterministic plans is a matter of fitting whole stopping points
into two risks. Near the best prices that takes small changes, of the limit at one n
or at two.
"""

from typing import NamedTuple

import numpy as np

from ..._checks import Array
from ..evaluation import onward, reachable
from ..plan import SamplingPlan
from .bound import going_on
from .problem import Problem

# Of all changes, so many of the cheapest are paired.
PAIRED = 250

# Of the pairs, so many of the best are evaluated at a time, until one of them saves
# more than this share; they are ranked by savings rounded to this share.
TRIED = 12
BATCHES = 5
LEAST = 1e-8

# Evaluated at a time are at most about so many points (n, x) of plans.
CELLS = 2_000_000

# Changes worth less than this share of what the risks left unused are worth are not
# tried.
SMALL = 1e-3

# Objectives closer than this, relatively, are the same.
SAME = 1e-11

# Risks are kept with this relative room for rounding, or, where fractions say no,
# with this distance.
ROOM_FOR_ROUNDING = 1e-12
DISTANCE = 1e-9


class Best(NamedTuple):
    """The best plan so far and its objective."""

    value: float = np.inf
    plan: SamplingPlan | None = None


def better(problem: Problem, best: Best, plan: SamplingPlan) -> Best:
    """The plan, if it is better and keeps both risks exactly; else the best so far."""
    value = problem.aim.value(plan)
    kept = value < best.value * (1 - SAME) and all(plan.keeps_risks or ())
    return Best(value, plan) if kept else best


def polished(problem: Problem, prices: Array, best: Best, *start: Array) -> Best:
    """The best, or the plan that polishing `start`, accept and reject, comes to."""
    # The last limits are repeated to the last n, and the last column is rejected.
    more, end = problem.last + 1 - len(start[0]), problem.good.shape[1] - 1
    limits = np.pad(np.array(start), ((0, 0), (0, more)), "edge")
    limits = np.minimum(limits, [[end - 1], [end]])
    for factor in (1 + ROOM_FOR_ROUNDING, 1 - DISTANCE):
        plan = problem.plan(polish(problem, prices, problem.risks * factor, limits))
        if all(plan.keeps_risks or ()):
            return better(problem, best, plan)
    return best


def polish(problem: Problem, prices: Array, risks: Array, limits: Array) -> Array:
    """Change one or two limits at a time, until no such change helps.

    What is made small is the largest of the ASNs at the problem's points.

    Parameters
    ----------
    prices : of the totals, to rank changes
    risks : not to be exceeded
    limits : of a plan that keeps them, or nearly, for all n and x of the problem
    """
    at_once = max(1, min(TRIED, CELLS // problem.good.size))
    totals, x, share = evaluate(problem, limits[None])
    now = limits, totals[0], x, share[:, 0]
    while True:
        value, plans = now[1][:-2].max(), _neighbours(problem, prices, risks, now)
        for k in range(0, min(len(plans), at_once * BATCHES), at_once):
            found, x, share = evaluate(problem, plans[k : k + at_once])
            values = found[:, :-2].max(axis=1)
            kept = (found[:, -2:] <= risks).all(axis=1) & (values < value * (1 - LEAST))
            if kept.any():
                at = int(np.where(kept, _rounded(values, value), np.inf).argmin())
                now = plans[k + at], found[at], x, share[:, at]
                break
        else:
            return now[0]


def evaluate(problem: Problem, limits: Array) -> tuple[Array, Array, Array]:
    """The totals of several plans, one step after the other, and their k(n, x).

    limits : shape (plans, 2, last + 1)

    Returns the totals, shape (plans, points + 2); for each n the x with which paths
    of any of the plans arrive, and some more; k(n, x), shape (all n, plans, all x).
    """
    low, high = reachable(limits[:, 0].min(axis=0), limits[:, 1].max(axis=0))
    x = low[:, None] + np.arange((high - low).max() + 1)
    accept, reject = limits.transpose(1, 2, 0)[:, : len(x), :, None]
    accepting, rejecting = x[:, None] <= accept, x[:, None] >= reject
    going, share = ~(accepting | rejecting), np.zeros(accepting.shape)
    share[0, :, 0] = 1.0
    ends = zip(low.tolist(), low[1:].tolist(), high[1:].tolist())
    for n, (begin, first, end) in enumerate(ends):
        on = (share[n] * going[n])[:, first - begin : end - begin]
        share[n + 1, :, : end - first + 1] = onward(n, first, on)
    paid = [(going, counted) for counted in problem.counted]
    paid += [(rejecting, problem.good), (accepting, problem.bad)]
    near = np.arange(len(x))[:, None], np.minimum(x, problem.good.shape[1] - 1)
    costs = [(share * does * price[near][:, None]).sum(axis=0) for does, price in paid]
    return _sum(np.array(costs)).T, x, share


def _neighbours(
    problem: Problem, prices: Array, risks: Array, now: tuple[Array, ...]
) -> Array:
    """The limits after the pairs of changes that seem to save most, the best first.

    now : a plan's limits, and what `evaluate` says of it
    """
    limits, totals, *arrived = now
    value, room = totals[:-2].max(), risks - totals[-2:]
    moves, effects = _changes(problem, limits, *arrived)
    worth = np.abs(effects * prices).max(axis=1)
    sound = np.isfinite(worth) & (worth > SMALL * float(_sum(room * prices[-2:])))
    moves, effects = moves[sound], effects[sound]
    rank = np.argsort(_rounded(_sum(effects * prices), value), kind="stable")[:PAIRED]
    # Pairs, and each change with the one that changes nothing.
    moves = np.vstack([moves[rank], np.zeros((1, 3), np.int64)])
    effects = np.vstack([effects[rank], np.zeros((1, len(prices)))])
    i, j = np.triu_indices(len(moves), 1)
    both = effects[i] + effects[j]
    saved = value - (totals[:-2] + both[:, :-2]).max(axis=1)
    fits = (both[:, -2:] <= room).all(axis=1) & (saved > LEAST * value)
    order = np.flatnonzero(fits)
    order = order[np.argsort(_rounded(-saved[order], value), kind="stable")]
    plans = []
    for pair in zip(i[order[: TRIED * BATCHES]], j[order[: TRIED * BATCHES]]):
        plan = limits.copy()
        for n, *change in moves[list(pair)]:
            plan[:, n] += change
        if (plan[0] < plan[1]).all() and plan[1, -1] == plan[0, -1] + 1:
            plans.append(plan)
    return np.array(plans)


def _changes(
    problem: Problem, limits: Array, arriving: Array, arrived: Array
) -> tuple[Array, Array]:
    """Every change of a limit by one, and what it does to the totals.

    Returns rows (n, change of accept, change of reject) and rows of effects.
    """
    # What it adds to the totals, to go on, accept or reject at each point.
    go, accept, reject = range(3)
    (rows, width), (a, r) = problem.good.shape, limits
    n, x = np.arange(rows), np.arange(width)
    costs = np.zeros((3, len(problem.counted) + 2, rows, width))
    costs[accept, -1], costs[reject, -2] = problem.bad, problem.good
    costs[go, :-2] = problem.counted
    accepts, goes_on = x <= a[:, None], (x > a[:, None]) & (x < r[:, None])
    verdicts = np.where(accepts, costs[accept], costs[reject])

    def done(n: int, going: Array) -> Array:
        return np.where(goes_on[n], going, verdicts[:, n])

    costs[go] = going_on(costs[go], done)
    share = np.zeros((rows, width + arriving.shape[1]))
    share[n[: len(arriving), None], arriving] = arrived
    wide, early = r - a > 1, n < problem.last
    moves, effects = [], []
    for x, change, old, new, possible in (
        (a + 1, (1, 0), go, accept, wide),
        (r - 1, (0, -1), go, reject, wide),
        (a, (-1, 0), accept, go, early),
        (r, (0, 1), reject, go, early),
        (a, (-1, -1), accept, reject, ~wide),
        (r, (1, 1), reject, accept, ~wide),
    ):
        at = n[possible & (x >= 0) & (x < width - 1)]
        at = at[share[at, x[at]] > 0]
        moves.append([at, *(np.full(len(at), each) for each in change)])
        gain = costs[new][:, at, x[at]] - costs[old][:, at, x[at]]
        effects.append(share[at, x[at]] * gain)
    return np.hstack(moves).T, np.hstack(effects).T


def _sum(values: Array) -> Array:
    """Over the last axis, in order: the same on every processor."""
    total: Array = np.cumsum(values, axis=-1)[..., -1]
    return total


def _rounded(values: Array, scale: float) -> Array:
    """In whole multiples of LEAST of the scale, so that ties are ties everywhere."""
    return np.rint(values / (LEAST * scale))
