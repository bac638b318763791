"""Small changes of a plan's limits, as long as they save inspections.

The optimum over deterministic plans is a matter of fitting whole stopping points
into two risks. Near the best multipliers that takes small changes: of the limit at
one n, or of those at a run of several n.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..._checks import Array
from .bellman import StoppingProblem, carried

# A run changes the limits at so many n in a row, at most.
RUN = 24

# Of all changes, so many of the cheapest are paired.
PAIRED = 500

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


@dataclass(frozen=True)
class Limits:
    """A plan's accept and reject for n = 0 .. max_sample, reached or not."""

    accept: Array
    reject: Array

    def fitted(self, problem: StoppingProblem) -> Limits:
        """With the last limits repeated to the problem's max_sample.

        Whoever arrives at the last column of its tables is rejected.
        """
        more = (0, problem.max_sample + 1 - len(self.accept))
        last = problem.good.shape[1] - 1
        accept = np.minimum(np.pad(self.accept, more, mode="edge"), last - 1)
        reject = np.minimum(np.pad(self.reject, more, mode="edge"), last)
        return Limits(accept, reject)


@dataclass(frozen=True)
class _Plan:
    """Limits with what they cost.

    Attributes
    ----------
    share : shape (max_sample + 1, width), k(n, x), of orders that arrive
    before : shape (max_sample + 1, points + 2), the totals up to n, without it
    going : shape (points + 2, max_sample + 1, width), what going on costs
    totals : shape (points + 2,)
        Inspections at each point, producer's and consumer's risk.
    """

    limits: Limits
    share: Array
    before: Array
    going: Array
    totals: Array


def evaluate(problem: StoppingProblem, accept: Array, reject: Array) -> Array:
    """The totals of several plans: ASN at each point and the two risks.

    accept, reject : shape (plans, max_sample + 1)

    Returns shape (plans, points + 2).
    """
    start = np.zeros(problem.good.shape[1])
    start[0] = 1.0
    costs = _forwards(problem, accept, reject, start)[1]
    return _sum(np.add.reduce(costs, axis=1)).T


def _forwards(
    problem: StoppingProblem,
    accept: Array,
    reject: Array,
    start: Array,
    first: int = 0,
) -> tuple[Array, Array]:
    """From n = first on, where k(first, x) = start: k(n, x), and what each n costs.

    Returns shapes (ns, plans, width) and (points + 2, ns, plans, width).
    """
    last, width = problem.max_sample, problem.good.shape[1]
    accept, reject = accept[:, first:].T[:, :, None], reject[:, first:].T[:, :, None]
    accepting, rejecting = _stops(width, accept, reject)
    open_ = ~(accepting | rejecting)
    n, x = np.arange(first + 1, last + 1)[:, None], np.arange(width)
    stay, move = np.maximum(n - x, 0) / n, x[1:] / n
    share = np.zeros(open_.shape)
    share[0] = start
    for i in range(last - first):
        live = share[i] * open_[i]
        np.multiply(live, stay[i], out=share[i + 1])
        share[i + 1, :, 1:] += live[:, :-1] * move[i]
    actions = [*[open_] * len(problem.counted), rejecting, accepting]
    prices = [*problem.counted, problem.good, problem.bad]
    costs = [share * does * price[first:, None] for does, price in zip(actions, prices)]
    return share, np.array(costs)


def _stops(width: int, accept: Array, reject: Array) -> tuple[Array, Array]:
    """Whether x = 0 .. width - 1 (last axis) is accepted, and whether rejected."""
    x = np.arange(width)
    accepting = x <= accept
    rejecting = ~accepting & (x >= reject)
    rejecting[..., -1] = True
    return accepting, rejecting


def _sum(values: Array) -> Array:
    """Over the last axis, in order: the same on every processor."""
    total: Array = np.cumsum(values, axis=-1)[..., -1]
    return total


def _plan(problem: StoppingProblem, limits: Limits) -> _Plan:
    last, width = problem.max_sample, problem.good.shape[1]
    points = len(problem.counted)
    start = np.zeros(width)
    start[0] = 1.0
    share, spent = _forwards(problem, limits.accept[None], limits.reject[None], start)
    up_to = np.cumsum(_sum(spent[:, :, 0]), axis=1).T
    before = np.vstack([np.zeros(points + 2), up_to[:-1]])
    accepting, rejecting = _stops(width, limits.accept[:, None], limits.reject[:, None])
    stop = accepting | rejecting
    costs = np.zeros((points + 2, last + 1, width))
    costs[points] = rejecting * problem.good
    costs[points + 1] = accepting * problem.bad
    going = np.full((points + 2, last + 1, width), np.nan)
    counted = np.zeros((points + 2, last + 1, width - 1))
    counted[:points] = problem.counted[:, :, :-1]
    now = np.where(stop[last], costs[:, last], np.nan)
    for i in range(last - 1, -1, -1):
        on = carried(i, now) + counted[:, i]
        going[:, i, :-1] = on
        now = costs[:, i].copy()
        np.copyto(now[:, :-1], on, where=~stop[i, :-1])
    return _Plan(limits, share[:, 0], before, going, up_to[-1])


def _changes(problem: StoppingProblem, plan: _Plan) -> tuple[Array, Array]:
    """Every change of a run of limits by one, and about what it does to the totals.

    Exactly, where the run is one n. Returns rows (first n, last n, change of accept,
    change of reject) and rows of points + 2 effects.
    """
    last, width = problem.max_sample, problem.good.shape[1]
    points = len(problem.counted)
    n = np.arange(last + 1)
    a, r = plan.limits.accept[n], plan.limits.reject[n]
    x = np.arange(width)
    stopped = (x <= plan.limits.accept[:, None]) | (x >= plan.limits.reject[:, None])
    live = np.where(stopped, 0.0, plan.share)
    wide, early = r - a > 1, n < last
    none = np.zeros((points, len(n)))
    moves, effects = [], []

    def costs(action: str, y: Array) -> Array:
        if action == "go on":
            return plan.going[:, n, y]
        good, bad = problem.good[n, y], problem.bad[n, y]
        wrong = [0 * good, bad] if action == "accept" else [good, 0 * bad]
        return np.concatenate([none, wrong])

    for y, change, old, new, possible in (
        (a + 1, (1, 0), "go on", "accept", wide),
        (r - 1, (0, -1), "go on", "reject", wide),
        (a, (-1, 0), "accept", "go on", early),
        (r, (0, 1), "reject", "go on", early),
        (a, (-1, -1), "accept", "reject", ~wide),
        (r, (1, 1), "reject", "accept", ~wide),
    ):
        possible = possible & (y >= 0) & (y < width - 1)
        y = np.clip(y, 0, width - 1)
        gain = costs(new, y) - costs(old, y)
        opens = new == "go on"
        # Of what arrives, after changes at the n before.
        arriving = plan.share[n, y]
        begun = possible & (arriving > 0)
        effect = arriving * gain
        for length in range(1, RUN + 1):
            at = np.flatnonzero(begun)
            if length > 1:
                if not len(at):
                    break
                # at: ends of runs whose former n was part of the run
                stay_in = np.where(
                    y[at] == y[at - 1],
                    arriving[at - 1] if opens else 0.0,
                    live[n[at - 1], y[at]],
                )
                below = y[at] - 1
                from_below = np.where(
                    below == y[at - 1],
                    arriving[at - 1] if opens else 0.0,
                    live[n[at - 1], np.maximum(below, 0)],
                )
                flow = stay_in * ((n[at] - y[at]) / n[at])
                flow = flow + np.where(below >= 0, from_below, 0.0) * (y[at] / n[at])
                grown, sums = np.zeros_like(arriving), np.zeros_like(effect)
                grown[at] = flow
                sums[:, at] = effect[:, at - 1] + flow * gain[:, at]
                arriving, effect = grown, sums
                at = at[flow > 0]
            rows = np.column_stack([n[at] - length + 1, n[at]])
            moves.append(np.column_stack([rows, np.tile(change, (len(at), 1))]))
            effects.append(effect[:, at].T)
            begun = np.append(False, begun[:-1]) & possible
    return np.vstack(moves), np.vstack(effects)


def polish(
    problem: StoppingProblem,
    weights: Array,
    prices: Array,
    risks: Array,
    limits: Limits,
) -> Limits:
    """Change one or two runs of limits at a time, until no such change helps.

    What is made small is the largest of the ASNs at the problem's points.

    Parameters
    ----------
    weights : of the points at which inspections are counted, to rank changes
    prices : of the two errors, to rank changes
    risks : not to be exceeded
    limits : of a plan that keeps them
    """
    points = len(problem.counted)
    price = np.concatenate([weights, prices])
    tried = max(1, min(TRIED, CELLS // problem.good.size))
    plan = _plan(problem, limits)
    while True:
        value = plan.totals[:points].max()
        room = risks - plan.totals[points:]
        moves, effects = _changes(problem, plan)
        worth = np.abs(effects * price).max(axis=1)
        sound = np.isfinite(worth) & (worth > SMALL * float(_sum(room * prices)))
        moves, effects = moves[sound], effects[sound]
        cost = _rounded(_sum(effects * price), value)
        rank = np.argsort(cost, kind="stable")[:PAIRED]
        # Pairs, and each change with the one that changes nothing.
        moves = np.vstack([moves[rank], np.zeros((1, 4), np.int64)])
        effects = np.vstack([effects[rank], np.zeros((1, points + 2))])
        i, j = np.triu_indices(len(moves), 1)
        both = effects[i] + effects[j]
        saved = value - (plan.totals[:points] + both[:, :points]).max(axis=1)
        fits = (both[:, points:] <= room).all(axis=1) & (saved > LEAST * value)
        best = np.flatnonzero(fits)
        best = best[np.argsort(_rounded(-saved[best], value), kind="stable")]
        for k in range(0, min(len(best), tried * BATCHES), tried):
            pairs = best[k : k + tried]
            found = _best(problem, plan, moves, i[pairs], j[pairs], risks)
            if found is not None:
                plan = _plan(problem, found)
                break
        else:
            return plan.limits


def _best(
    problem: StoppingProblem,
    plan: _Plan,
    moves: Array,
    i: Array,
    j: Array,
    risks: Array,
) -> Limits | None:
    """The best plan after one of these pairs of changes; None where none helps."""
    points = len(problem.counted)
    changed = [_changed(problem, plan.limits, moves[list(pair)]) for pair in zip(i, j)]
    plans = [limits for limits in changed if limits is not None]
    if not plans:
        return None
    changes = np.concatenate([i, j[j < len(moves) - 1]])
    first = int(moves[changes, 0].min())
    _, costs = _forwards(
        problem,
        np.array([limits.accept for limits in plans]),
        np.array([limits.reject for limits in plans]),
        plan.share[first],
        first,
    )
    totals = plan.before[first] + _sum(np.add.reduce(costs, axis=1)).T
    value, before = totals[:, :points].max(axis=1), plan.totals[:points].max()
    kept = (totals[:, points:] <= risks).all(axis=1)
    kept &= value < before * (1 - LEAST)
    if not kept.any():
        return None
    return plans[int(np.where(kept, _rounded(value, before), np.inf).argmin())]


def _changed(problem: StoppingProblem, limits: Limits, moves: Array) -> Limits | None:
    accept, reject = limits.accept.copy(), limits.reject.copy()
    for first, last, of_accept, of_reject in moves.tolist():
        accept[first : last + 1] += of_accept
        reject[first : last + 1] += of_reject
    if (accept >= reject).any() or reject[-1] != accept[-1] + 1:
        return None
    return Limits(accept, reject)


def _rounded(values: Array, scale: float) -> Array:
    """In whole multiples of LEAST of the scale, so that ties are ties everywhere."""
    return np.rint(values / (LEAST * scale))
