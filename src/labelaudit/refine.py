"""Better limits for a plan that keeps both risks: step by step, or exhaustively.

The optimum over deterministic plans is a matter of fitting whole stopping points
into two risks. Near the best multipliers that is a small change of limits; for the
smallest lots every plan within reach of the bound can be tried.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .bellman import StoppingProblem
from .laws import NEAR, Array

# Of all changes of one limit by one, so many of the cheapest are paired.
PAIRED = 160

# Of these, so many are computed anew, until one of them saves more than this share.
TRIED = 12
LEAST = 1e-9

# Changes after which it is enough.
STEPS = 60

# Nodes after which the exhaustive search gives up.
NODES = 10_000

# Objectives closer than this, relatively, are the same.
SAME = 1e-12

# Shares of the best prices at which the exhaustive search takes bounds.
PRICES = np.array([1.0, 0.5, 0.1, 0.0])


@dataclass(frozen=True)
class Limits:
    """A plan's accept and reject for n = 0 .. max_sample, reached or not."""

    accept: Array
    reject: Array

    def padded(self, max_sample: int) -> Limits:
        """With the last limits, which stop everything, repeated to max_sample."""
        more = (0, max_sample + 1 - len(self.accept))
        accept = np.pad(self.accept, more, mode="edge")
        return Limits(accept, np.pad(self.reject, more, mode="edge"))


@dataclass(frozen=True)
class _Values:
    """Of a plan: shares k of orders that arrive, and what going on there costs.

    `going` has shape (3, max_sample + 1, width): weighted inspections, producer's
    and consumer's risk. `totals` are those three for the whole plan.
    """

    share: Array
    going: Array
    totals: Array


def _evaluate(problem: StoppingProblem, inspected: Array, limits: Limits) -> _Values:
    last, width = problem.max_sample, problem.good.shape[1]
    x = np.arange(width)
    accept, reject = limits.accept[:, None], limits.reject[:, None]
    stop = (x <= accept) | (x >= reject)
    stop[:, -1] = True
    stopped = np.zeros((3, last + 1, width))
    stopped[1] = np.where(x > accept, problem.good, 0.0)
    stopped[2] = np.where(x > accept, 0.0, problem.bad)
    going = np.full((3, last + 1, width), np.nan)
    now = np.where(stop[last], stopped[:, last], np.nan)
    for n in range(last - 1, -1, -1):
        move = (x[:-1] + 1) / (n + 1)
        stay = 1 + 1 / (n + 1) - move
        going[:, n, :-1] = stay * now[:, :-1] + move * now[:, 1:]
        going[0, n] += inspected[n]
        now = np.where(stop[n], stopped[:, n], going[:, n])
    share = np.zeros((last + 1, width))
    share[0, 0] = 1
    for n in range(1, last + 1):
        live = np.where(stop[n - 1], 0.0, share[n - 1])
        share[n] = np.maximum(n - x, 0) * live / n
        share[n, 1:] += x[1:] * live[:-1] / n
        if not share[n].any():
            break
    return _Values(share, going, now[:, 0])


def _changes(
    problem: StoppingProblem, limits: Limits, values: _Values
) -> tuple[Array, Array]:
    """Every change of one limit by one, and what it does to the three totals.

    Returns rows (n, change of accept, change of reject) and rows of three.
    """
    last, width = problem.max_sample, problem.good.shape[1]
    n = np.arange(problem.min_sample, last + 1)
    a, r = limits.accept[n], limits.reject[n]
    moves, effects = [], []

    def add(
        at: Array, x: Array, change: tuple[int, int], before: str, after: str
    ) -> None:
        within = (x >= 0) & (x < width - 1)
        at, x = at[within], x[within]
        reached = values.share[at, x] > 0
        at, x = at[reached], x[reached]
        zero = np.zeros(len(at))
        costs = {
            "accept": np.array([zero, zero, problem.bad[at, x]]),
            "reject": np.array([zero, problem.good[at, x], zero]),
            "go on": values.going[:, at, x],
        }
        effect = values.share[at, x] * (costs[after] - costs[before])
        moves.append(np.column_stack([at, np.tile(change, (len(at), 1))]))
        effects.append(effect.T)

    wide = r - a > 1
    add(n[wide], a[wide] + 1, (1, 0), "go on", "accept")
    add(n[wide], r[wide] - 1, (0, -1), "go on", "reject")
    early = n < last
    add(n[early], a[early], (-1, 0), "accept", "go on")
    add(n[early], r[early], (0, 1), "reject", "go on")
    add(n[~wide], a[~wide], (-1, -1), "accept", "reject")
    add(n[~wide], r[~wide], (1, 1), "reject", "accept")
    return np.vstack(moves), np.vstack(effects)


def step_by_step(
    problem: StoppingProblem,
    weights: Array,
    prices: Array,
    risks: Array,
    limits: Limits,
) -> Limits:
    """Change one limit or two at a time, while that saves inspections.

    Parameters
    ----------
    weights : of the points at which inspections are counted
    prices : of the two errors, to rank changes
    risks : alpha and beta
    limits : of a plan that keeps them
    """
    inspected = np.tensordot(weights, problem.counted, 1)
    values = _evaluate(problem, inspected, limits)
    for _ in range(STEPS):
        moves, effects = _changes(problem, limits, values)
        sound = np.isfinite(effects).all(axis=1)
        moves, effects = moves[sound], effects[sound]
        rank = np.argsort(effects @ np.append(1.0, prices), kind="stable")[:PAIRED]
        moves, effects = moves[rank], effects[rank]
        # Pairs, and each change with the one that changes nothing.
        moves = np.vstack([moves, np.zeros((1, 3), np.int64)])
        effects = np.vstack([effects, np.zeros((1, 3))])
        i, j = np.triu_indices(len(moves), 1)
        both = effects[i] + effects[j]
        room = risks - values.totals[1:]
        fits = (both[:, 1:] <= room).all(axis=1)
        fits &= both[:, 0] < -LEAST * values.totals[0]
        best = np.flatnonzero(fits)[np.argsort(both[fits, 0], kind="stable")]
        for at in best[:TRIED]:
            changed = _changed(limits, moves[[i[at], j[at]]])
            if changed is None:
                continue
            found = _evaluate(problem, inspected, changed)
            if found.totals[0] < values.totals[0] and (found.totals[1:] <= risks).all():
                limits, values = changed, found
                break
        else:
            break
    return limits


def _changed(limits: Limits, moves: Array) -> Limits | None:
    accept, reject = limits.accept.copy(), limits.reject.copy()
    for n, of_accept, of_reject in moves:
        accept[n] += of_accept
        reject[n] += of_reject
    last = len(accept) - 1
    if (accept >= reject).any() or reject[last] != accept[last] + 1:
        return None
    return Limits(accept, reject)


def exhaustively(
    problem: StoppingProblem,
    prices: Array,
    weights: Array,
    risks: Array,
    value: float,
    offer: Callable[[Limits], float],
) -> bool:
    """Try every plan that no bound rules out; False where there are too many.

    A plan's total cost exceeds V(0, 0) by a sum over its points (n, x): k times what
    its choice there costs more than V(n, x). Most branches end early for that.

    Parameters
    ----------
    prices, weights : where the dual bound is greatest
    risks : alpha and beta
    value : objective of the best plan so far
    offer : takes limits that keep the risks, but for rounding, and returns the
        objective of the best plan so far
    """
    search = _Branches(problem, prices, weights, risks, value, offer)
    share = np.zeros(problem.good.shape[1])
    share[0] = 1.0
    search.descend(0, share, np.zeros(2), np.zeros(len(problem.counted)))
    return search.nodes <= NODES


class _Branches:
    """Depth first over the limits at n = 0, 1, ..., the least bound first."""

    def __init__(
        self,
        problem: StoppingProblem,
        prices: Array,
        weights: Array,
        risks: Array,
        value: float,
        offer: Callable[[Limits], float],
    ) -> None:
        self.problem, self.risks, self.offer = problem, risks, offer
        self.weights, self.value, self.nodes = weights, value, 0
        last, width = problem.max_sample, problem.good.shape[1]
        # Bounds at the best prices and at lower ones, which tell more where the
        # risks are nearly used up.
        self.prices = np.outer(PRICES, prices)
        inspected = np.tensordot(weights, problem.counted, 1)
        x = np.arange(width - 1)
        # The least cost from (n, x) on, and that of going on, at each of the prices.
        least = np.empty((len(PRICES), last + 1, width))
        self.going = np.full_like(least, np.inf)
        for n in range(last, -1, -1):
            stopping = np.minimum(
                self.prices[:, :1] * problem.good[n],
                self.prices[:, 1:] * problem.bad[n],
            )
            if n < last:
                move = (x + 1) / (n + 1)
                after = least[:, n + 1]
                self.going[:, n, :-1] = (
                    inspected[n, :-1]
                    + (1 + 1 / (n + 1) - move) * after[:, :-1]
                    + move * after[:, 1:]
                )
            going = self.going[:, n, :-1]
            early = n < problem.min_sample
            least[:, n] = stopping
            least[:, n, :-1] = going if early else np.minimum(stopping[:, :-1], going)
        self.accept = np.full(last + 1, -1)
        self.reject = np.arange(1, last + 2)

    def descend(self, n: int, share: Array, risked: Array, inspected: Array) -> None:
        """All limits from n on, for the shares that arrive at n."""
        self.nodes += 1
        if self.nodes > NODES:
            return
        options = self._options(n, share, risked, inspected)
        for bound, a, r, risk in sorted(options, key=lambda option: option[:3]):
            if bound >= self.value * (1 - SAME):
                break
            self.accept[n], self.reject[n] = a, r
            if r == a + 1:
                limits = Limits(
                    self.accept[: n + 1].copy(), self.reject[: n + 1].copy()
                )
                self.value = self.offer(limits)
            else:
                live = np.zeros_like(share)
                live[a + 1 : r] = share[a + 1 : r]
                x = np.arange(len(share))
                following = (n + 1 - x) * live
                following[1:] += x[1:] * live[:-1]
                more = inspected + self.problem.counted[:, n] @ live
                self.descend(n + 1, following / (n + 1), risk, more)
        self.accept[n], self.reject[n] = -1, n + 1

    def _options(
        self, n: int, share: Array, risked: Array, inspected: Array
    ) -> list[tuple[float, int, int, Array]]:
        """(bound, accept, reject, risks) of each choice at n that is not ruled out."""
        problem, early = self.problem, n < self.problem.min_sample
        there = np.flatnonzero(share)
        low, high = int(there[0]), int(there[-1])
        good, bad = share * problem.good[n], share * problem.bad[n]
        limits = self.risks * (1 + NEAR)
        spent = self.weights @ inspected
        options = []
        for a in [low - 1] if early else range(low - 1, high + 1):
            wrong_accept = risked[1] + bad[: a + 1].sum()
            if wrong_accept > limits[1]:
                break
            final = a + 1 if n == problem.max_sample else high + 1
            for r in range(high + 1 if early else a + 1, final + 1):
                risk = np.array([risked[0] + good[r:].sum(), wrong_accept])
                if risk[0] > limits[0]:
                    continue
                live = slice(a + 1, r)
                more = problem.counted[:, n, live] @ share[live]
                ahead = self.going[:, n, live] @ share[live] if r > a + 1 else 0.0
                dual = spent + self.prices @ (risk - self.risks) + ahead
                bound = max(dual.max(), (inspected + more).max())
                if bound < self.value * (1 - SAME):
                    options.append((float(bound), a, r, risk))
        return options
