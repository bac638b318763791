"""Every plan that no bound rules out, for the smallest samples.

Near the smallest lots randomised plans beat every deterministic one, and the bound
says little; but there every plan within its reach can be tried.

A plan's total cost exceeds V(0, 0) by a sum over its points (n, x): k times what its
choice there costs more than V(n, x). Most branches end early for that.
"""

from typing import NamedTuple

import numpy as np

from ..._checks import Array
from ...laws.errors import NEAR
from ..evaluation import onward
from .bound import going_on
from .polish import SAME, Best, better
from .problem import Problem

# Nodes after which the search gives up; a plan that is offered, and evaluated exactly
# where it is near a risk, takes the time of some.
NODES = 10_000
OFFER = 20

# Bounds are sorted by so many digits after the point of the objective, so that ties
# are ties on every processor.
DIGITS = 9

# Shares of the best prices at which bounds are taken: lower ones tell more where the
# risks are nearly used up.
PRICES = np.array([1.0, 0.5, 0.1, 0.0])


class _Branch(NamedTuple):
    """All plans whose limits begin so.

    Attributes
    ----------
    bound : below which the objective of none is
    limits : shape (2, n + 1)
    share : k(n, x) of what arrives at the next n
    spent : the totals so far, with what is done there
    """

    bound: float
    limits: Array
    share: Array
    spent: Array


def try_all(problem: Problem, prices: Array, best: Best) -> tuple[Best, bool]:
    """The best plan of all; False where there are too many to try.

    Depth first over the limits at n = 0, 1, ..., the least bound first.

    prices : of the totals, the shadow prices
    """
    prices = prices / prices[:-2].sum()  # rounded, they may sum to more than 1
    several = np.array([[*prices[:-2], *(part * prices[-2:])] for part in PRICES])
    counted = (prices[:-2, None, None] * problem.counted).sum(axis=0)
    verdicts = several[:, -2:, None, None] * [problem.good, problem.bad]
    stopping = verdicts.min(axis=1)

    def least(n: int, going: Array) -> Array:
        return np.fmin(stopping[:, n], going)

    going = going_on(np.broadcast_to(counted, stopping.shape), least)
    share, nodes = np.zeros(problem.good.shape[1]), 0
    share[0] = 1.0
    spent = np.zeros(len(prices))
    branches = [_Branch(0.0, np.empty((2, 0), np.int64), share, spent)]
    while branches:
        branch = branches.pop()
        if branch.bound >= best.value * (1 - SAME):
            continue
        ended = not branch.share.any()
        nodes += OFFER if ended else 1
        if nodes > NODES:
            return best, False
        if ended:
            best = better(problem, best, problem.plan(branch.limits))
        else:
            branches += _options(problem, several, going, best, branch)
    return best, True


def _options(
    problem: Problem, prices: Array, going: Array, best: Best, branch: _Branch
) -> list[_Branch]:
    """The choices at the next n that are not ruled out, the least bound last."""
    n, share, spent = branch.limits.shape[1], branch.share, branch.spent
    there = np.flatnonzero(share)
    low, high = int(there[0]), int(there[-1])
    good, bad = share * problem.good[n], share * problem.bad[n]
    risks = problem.risks * (1 + NEAR)
    options = []
    for a in range(low - 1, high + 1):
        accepted = spent[-1] + bad[: a + 1].sum()
        if accepted > risks[1]:
            break
        final = a + 1 if n == problem.last else high + 1
        for r in range(a + 1, final + 1):
            rejected = spent[-2] + good[r:].sum()
            if rejected > risks[0]:
                continue
            live = slice(a + 1, r)
            more = (problem.counted[:, n, live] * share[live]).sum(axis=1)
            ahead = (going[:, n, live] * share[live]).sum(axis=1)
            risk = np.array([rejected, accepted])
            paid = (prices[:, -2:] * (risk - problem.risks)).sum(axis=1)
            dual = (prices[0, :-2] * spent[:-2]).sum() + paid + ahead
            # nan, and no option, where the last column would go on
            bound = float(max(dual.max(), (spent[:-2] + more).max()))
            if bound < best.value * (1 - SAME):
                limits = np.column_stack([branch.limits, [a, r]])
                after = np.concatenate([spent[:-2] + more, risk])
                onwards = np.zeros(len(share) - 1)
                onwards[live] = share[live]
                options.append(_Branch(bound, limits, onward(n, 0, onwards), after))
    options.sort(key=lambda each: (round(each.bound, DIGITS), *each.limits[:, -1]))
    return options[::-1]
