"""Every plan that no bound rules out, for the smallest samples.

Near the smallest lots randomised plans beat every deterministic one, and the bound
says little; but there every plan within its reach can be tried.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..._checks import Array
from ...laws.near import NEAR
from .bellman import StoppingProblem, carried
from .polish import Limits

# Nodes after which the search gives up; a plan that is offered, and evaluated exactly
# where it is near a risk, takes the time of some.
NODES = 10_000
OFFER = 20

# Objectives closer than this, relatively, are the same.
SAME = 1e-11

# Bounds are sorted by so many digits after the point of the objective, so that ties
# are ties on every processor.
DIGITS = 9

# Shares of the best prices at which bounds are taken.
PRICES = np.array([1.0, 0.5, 0.1, 0.0])


class Branches:
    """All plans, depth first over the limits at n = 0, 1, ..., the least bound first.

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
        inspected = (weights[:, None, None] * problem.counted).sum(axis=0)
        # The least cost from (n, x) on, and that of going on, at each of the prices.
        least = np.empty((len(PRICES), last + 1, width))
        self.going = np.full_like(least, np.inf)
        for n in range(last, -1, -1):
            stopping = np.minimum(
                self.prices[:, :1] * problem.good[n],
                self.prices[:, 1:] * problem.bad[n],
            )
            if n < last:
                ahead = carried(n, least[:, n + 1])
                self.going[:, n, :-1] = inspected[n, :-1] + ahead
            going = self.going[:, n, :-1]
            least[:, n] = stopping
            least[:, n, :-1] = np.minimum(stopping[:, :-1], going)
        self.accept = np.full(last + 1, -1)
        self.reject = np.arange(1, last + 2)

    def try_all(self) -> bool:
        """Try every plan that no bound rules out; False where there are too many."""
        share = np.zeros(self.problem.good.shape[1])
        share[0] = 1.0
        self._descend(0, share, np.zeros(2), np.zeros(len(self.problem.counted)))
        return self.nodes <= NODES

    def _descend(self, n: int, share: Array, risked: Array, inspected: Array) -> None:
        """All limits from n on, for the shares that arrive at n."""
        self.nodes += 1
        if self.nodes > NODES:
            return
        options = self._options(n, share, risked, inspected)
        for bound, a, r, risk in sorted(
            options, key=lambda option: (round(option[0], DIGITS), *option[1:3])
        ):
            if bound >= self.value * (1 - SAME):
                continue
            self.accept[n], self.reject[n] = a, r
            if r == a + 1:
                limits = Limits(
                    self.accept[: n + 1].copy(), self.reject[: n + 1].copy()
                )
                self.nodes += OFFER
                if self.nodes > NODES:
                    return
                self.value = self.offer(limits)
            else:
                live = np.zeros_like(share)
                live[a + 1 : r] = share[a + 1 : r]
                x = np.arange(len(share))
                following = (n + 1 - x) * live
                following[1:] += x[1:] * live[:-1]
                more = inspected + (self.problem.counted[:, n] * live).sum(axis=1)
                self._descend(n + 1, following / (n + 1), risk, more)
        self.accept[n], self.reject[n] = -1, n + 1

    def _options(
        self, n: int, share: Array, risked: Array, inspected: Array
    ) -> list[tuple[float, int, int, Array]]:
        """(bound, accept, reject, risks) of each choice at n that is not ruled out."""
        problem = self.problem
        there = np.flatnonzero(share)
        low, high = int(there[0]), int(there[-1])
        good, bad = share * problem.good[n], share * problem.bad[n]
        limits = self.risks * (1 + NEAR)
        spent = (self.weights * inspected).sum()
        options = []
        for a in range(low - 1, high + 1):
            wrong_accept = risked[1] + bad[: a + 1].sum()
            if wrong_accept > limits[1]:
                break
            final = a + 1 if n == problem.max_sample else high + 1
            for r in range(a + 1, final + 1):
                risk = np.array([risked[0] + good[r:].sum(), wrong_accept])
                if risk[0] > limits[0]:
                    continue
                live = slice(a + 1, r)
                more = (problem.counted[:, n, live] * share[live]).sum(axis=1)
                ahead = (self.going[:, n, live] * share[live]).sum(axis=1)
                paid = (self.prices * (risk - self.risks)).sum(axis=1)
                dual = spent + paid + ahead
                bound = max(dual.max(), (inspected + more).max())
                if bound < self.value * (1 - SAME):
                    options.append((float(bound), a, r, risk))
        return options
