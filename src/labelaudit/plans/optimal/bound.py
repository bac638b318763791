"""The bound that no plan is below, and the prices at which good plans are met.

At any prices a, r >= 0 of the two errors, a plan that keeps both risks has an
objective of at least

    V(0, 0) - a alpha - r beta

with V of bellman.py: it costs at least V(0, 0), and its risks are worth at most
a alpha + r beta. Column generation finds the greatest of these bounds: a linear
programme mixes the plans met so far into the best randomised plan, and its shadow
prices are those at which the next plans are sought, until bound and mixture meet.

Where very long plans are allowed, the induction does not begin at their last n. It
begins where the single plan would have ended some three times, and charges whoever
arrives there no more than any plan would cost them (bellman.py). So the bound is one
for the longest plans too. Where this charges noticeably too little, the induction
begins again, twice as late.

The same levels give the same bound on every machine. The probabilities are computed
by sums, products and quotients, which all processors round alike (Law.grid); prices
are rounded to six digits, since programmes differ in the last ones.
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linprog

from ..._checks import Array
from .bellman import Problem, again, solve

# Column generation ends when bound and mixture are so close, relatively.
CLOSE = 1e-6
ROUNDS = 60

# Prices tried around the shadow prices: so many a side, one of large tables, at first
# up to this factor.
SIDE = 2
SPREAD = 30.0
AGAIN = 2.0  # where the shadow prices are nearly known
NARROWING = 1 / 3  # from round to round, as a power, once they do not move further
CHEAP = 1e-5  # at the least, a risk is worth so many inspections

# Of all prices, so many digits.
DIGITS = 6

# To the programme, a plan exceeds a risk at most so many times: it is not used anyway.
DREADFUL = 1e6

# What it may charge too little there, relatively.
FORGIVEN = 1e-6


@dataclass(frozen=True)
class Bound:
    """What column generation found.

    Attributes
    ----------
    problem : as it was posed last
    value : below which no plan's objective is
    prices : shape (points + 2,), the shadow prices
    mixture : objective of the best mixture of plans
    forgiven : what the induction charges too little at the best prices
    mixed, shares : prices at which the mixture's plans are best, and their shares
    """

    problem: Problem
    value: float
    prices: Array
    mixture: float
    forgiven: float
    mixed: Array
    shares: Array


def bind(problem: Problem) -> Bound:
    """The bound; the induction begins later while it charges too little there."""
    found = _generate(problem, rounded(100 / problem.risks), SPREAD)
    while (last := found.problem.last) < problem.cap >= found.value:
        if found.forgiven <= FORGIVEN * found.mixture:
            break
        later = again(problem, min(2 * last, problem.cap), problem.points)
        found = _generate(later, found.prices[-2:], AGAIN)
    return found


def _generate(problem: Problem, shadow: Array, spread: float) -> Bound:
    """Raise the bound until it meets the best mixture of plans.

    shadow : prices of the two risks to begin with
    """
    points, value = len(problem.counted), 0.0
    prices = np.append(rounded(np.full(points, 1 / points)), shadow)
    tried = columns = np.empty((0, points + 2))
    for _ in range(ROUNDS):
        near = around(prices, spread, 1 if problem.large else SIDE)
        found = solve(problem, near, with_limits=False)
        best = int(found.bound.argmax())
        value = max(value, float(found.bound[best]))
        forgiven = float(found.forgiven[best])
        tried, columns = np.vstack([tried, near]), np.vstack([columns, found.totals])
        before = prices
        prices, shares, mixture = _mix(problem, columns, before)
        factors = prices[-2:] / before[-2:]
        moved = float(np.maximum(factors, 1 / factors).max())
        if mixture - value - forgiven <= CLOSE * mixture or value > problem.cap:
            break
        spread = max(spread**NARROWING, min(moved, SPREAD), 1 + 1000 * CLOSE)
    mixed = shares > 1e-9
    return Bound(problem, value, prices, mixture, forgiven, tried[mixed], shares[mixed])


def around(prices: Array, spread: float, side: int) -> Array:
    """Prices around these: of each risk up to a factor `spread`, so many a side."""
    factors = spread ** np.linspace(-1, 1, 2 * side + 1)
    risks = [
        each.ravel() for each in np.meshgrid(*rounded(np.outer(prices[-2:], factors)))
    ]
    return np.column_stack([np.tile(prices[:-2], (len(risks[0]), 1)), *risks])


def _mix(problem: Problem, columns: Array, before: Array) -> tuple[Array, Array, float]:
    """The best mixture of the plans met: its shadow prices, shares and value.

    Minimise t such that the mixture inspects at most t at each point, keeps the
    risks, and its shares sum to 1. One more column, of no risk and many
    inspections, lets the programme always have a solution.
    """
    points = columns.shape[1] - 2
    dear = np.append(np.full(points, 10.0 * problem.cap), [0, 0])
    rows = np.vstack([columns, dear]).T
    rows[points:] = np.minimum(rows[points:] / problem.risks[:, None], DREADFUL)
    level = np.append(np.full(points, -1.0), [0, 0])
    found = linprog(
        np.append(np.zeros(rows.shape[1]), 1.0),
        A_ub=np.column_stack([rows, level]),
        b_ub=np.append(np.zeros(points), [1, 1]),
        A_eq=np.append(np.ones(rows.shape[1]), 0.0)[None],
        b_eq=[1],
        method="highs-ds",
    )
    prices = -found.ineqlin.marginals
    prices[points:] = np.maximum(prices[points:], CHEAP) / problem.risks
    if not prices[:points].any():  # none where a coin alone keeps the risks
        prices[:points] = before[:points]
    return rounded(prices), found.x[:-2], float(found.fun)


def rounded(values: Array) -> Array:
    """With DIGITS digits, so that the last ones are no matter."""
    flat = [float(f"{value:.{DIGITS - 1}e}") for value in values.ravel().tolist()]
    return np.array(flat).reshape(values.shape)
