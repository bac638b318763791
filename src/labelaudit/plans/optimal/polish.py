"""Small changes of a plan's limits, as long as they save inspections.

The optimum over deterministic plans is a matter of fitting whole stopping points
into two risks. Near the best prices that takes small changes, of the limit at one n
or at two.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..._checks import Array
from ..evaluation import onward
from ..plan import SamplingPlan
from .bellman import Problem, going_on

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


@dataclass(frozen=True)
class Best:
    """The best plan so far and its objective."""

    value: float = np.inf
    plan: SamplingPlan | None = None

    @property
    def limits(self) -> Array:
        assert self.plan is not None
        return np.array([self.plan.accept, self.plan.reject])


def better(problem: Problem, best: Best, limits: Array) -> Best:
    """The plan with these limits, if it is better and keeps both risks exactly."""
    plan = problem.plan(limits)
    value = problem.aim.value(plan)
    kept = value < best.value * (1 - SAME) and all(plan.keeps_risks or ())
    return Best(value, plan) if kept else best


def polished(problem: Problem, prices: Array, best: Best, start: Array) -> Best:
    """The same with the limits that polishing these comes to."""
    start = problem.fitted(start)
    for factor in (1 + ROOM_FOR_ROUNDING, 1 - DISTANCE):
        limits = polish(problem, prices, problem.risks * factor, start)
        if all(problem.plan(limits).keeps_risks or ()):
            return better(problem, best, limits)
    return best


def polish(problem: Problem, prices: Array, risks: Array, limits: Array) -> Array:
    """Change one or two limits at a time, until no such change helps.

    What is made small is the largest of the ASNs at the problem's points.

    Parameters
    ----------
    prices : of the totals, to rank changes
    risks : not to be exceeded
    limits : of a plan that keeps them, fitted to the problem
    """
    at_once = max(1, min(TRIED, CELLS // problem.good.size))
    totals = evaluate(problem, limits[None])[0]
    while True:
        value = totals[:-2].max()
        plans = _neighbours(problem, prices, risks, limits, totals)
        for k in range(0, min(len(plans), at_once * BATCHES), at_once):
            found = evaluate(problem, plans[k : k + at_once])
            values = found[:, :-2].max(axis=1)
            kept = (found[:, -2:] <= risks).all(axis=1) & (values < value * (1 - LEAST))
            if kept.any():
                at = int(np.where(kept, _rounded(values, value), np.inf).argmin())
                limits, totals = plans[k + at], found[at]
                break
        else:
            return limits


def evaluate(problem: Problem, limits: Array) -> Array:
    """The totals of several plans, shape (plans, points + 2), one step after the other.

    limits : shape (plans, 2, last + 1), fitted
    """
    share, accepting, rejecting = _arrivals(problem, limits)
    paid = [(~(accepting | rejecting), counted) for counted in problem.counted]
    paid += [(rejecting, problem.good), (accepting, problem.bad)]
    costs = [(share * does * price[:, None]).sum(axis=0) for does, price in paid]
    return _sum(np.array(costs)).T


def _arrivals(problem: Problem, limits: Array) -> tuple[Array, Array, Array]:
    """k(n, x) of each plan, and whether it accepts and rejects there.

    Each of shape (last + 1, plans, width).
    """
    x = np.arange(problem.good.shape[1])
    accept, reject = limits.transpose(1, 2, 0)[..., None]
    accepting, rejecting = x <= accept, x >= reject
    going, share = ~(accepting | rejecting), np.zeros(accepting.shape)
    share[0, :, 0] = 1.0
    for n in range(problem.last):
        share[n + 1] = onward(n, 0, (share[n] * going[n])[:, :-1])
    return share, accepting, rejecting


def _neighbours(
    problem: Problem, prices: Array, risks: Array, limits: Array, totals: Array
) -> Array:
    """The limits after the pairs of changes that seem to save most, the best first."""
    value, room = totals[:-2].max(), risks - totals[-2:]
    moves, effects = _changes(problem, limits)
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


def _changes(problem: Problem, limits: Array) -> tuple[Array, Array]:
    """Every change of a limit by one, and what it does to the totals.

    Returns rows (n, change of accept, change of reject) and rows of effects.
    """
    share, *stops = (each[:, 0] for each in _arrivals(problem, limits[None]))
    # What it adds to the totals, to go on, accept or reject at each point.
    go, accept, reject = range(3)
    costs = np.zeros((3, len(problem.counted) + 2, *share.shape))
    costs[accept, -1], costs[reject, -2] = problem.bad, problem.good
    costs[go, :-2] = problem.counted

    def done(n: int, going: Array) -> Array:
        verdict = np.where(stops[1][n], costs[reject, :, n], going)
        return np.where(stops[0][n], costs[accept, :, n], verdict)

    costs[go] = going_on(costs[go], done)
    n, (a, r) = np.arange(problem.last + 1), limits
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
        at = n[possible & (x >= 0) & (x < share.shape[1] - 1)]
        at = at[share[at, x[at]] > 0]
        moves += [(each, *change) for each in at.tolist()]
        gain = costs[new][:, at, x[at]] - costs[old][:, at, x[at]]
        effects.append(share[at, x[at]] * gain)
    return np.array(moves), np.hstack(effects).T


def _sum(values: Array) -> Array:
    """Over the last axis, in order: the same on every processor."""
    total: Array = np.cumsum(values, axis=-1)[..., -1]
    return total


def _rounded(values: Array, scale: float) -> Array:
    """In whole multiples of LEAST of the scale, so that ties are ties everywhere."""
    return np.rint(values / (LEAST * scale))
