"""The bound that no plan is below, and the prices at which good plans are met.

First optimal stopping at given prices of the two errors, by backward induction.

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

At any prices a, r >= 0 of the two errors, a plan that keeps both risks has an
objective of at least

    V(0, 0) - a alpha - r beta

(less what the table's end may cost, over the sum of the weights) with that V: it costs
at least V(0, 0), and its risks are worth at most a alpha + r beta. Column generation
finds the greatest of these bounds: a linear programme mixes the plans met so far into
the best randomised plan, and its shadow prices are those at which the next plans are
sought, until bound and mixture meet.

Where very long plans are allowed, the induction does not begin at their last n. It
begins where the single plan would have ended some three times, and charges whoever
arrives there no more than any plan would cost them, as above. So the bound is one for
the longest plans too. Where this charges noticeably too little, the induction begins
again, twice as late.

The same levels give the same bound on every machine. The probabilities are computed
by sums, products and quotients, which all processors round alike (Law.grid); prices
are rounded to six digits, since programmes differ in the last ones.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..._checks import Array
from ..evaluation import back, weights_back
from .problem import Problem, again, worst

# Relative room for rounding in what is said to be a bound.
ROUNDING = 1e-10

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

# The largest ASN is kept down at so many numbers of errors at the same time.
POINTS = 8

# Of all prices, so many digits.
DIGITS = 6

# To the programme, a plan exceeds a risk at most so many times: it is not used anyway.
DREADFUL = 1e6

# What the induction may charge too little where it begins, relatively.
FORGIVEN = 1e-6


class Solutions(NamedTuple):
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
    weights, (reject, accept) = prices.T[:-2, None], prices.T[-2:]
    limits = np.empty((sets, 2, last + 1 if with_limits else 0), np.int64)
    carried, ahead = weights_back(last, problem.good.shape[1]), np.empty(0)
    # Arrays have a row for each x and a column for each set: long ones are faster.
    for n in range(last, -1, -1):
        good, bad = problem.good[n, :, None], problem.bad[n, :, None]
        rejecting, accepting = reject * good, accept * bad
        to_reject = (rejecting < accepting) | problem.certain[n, :, None]
        counted = problem.counted[:, n, :-1, None]
        # The least cost and the totals from here on.
        now = np.zeros((len(good), 1 + totals, sets))
        now[:, 0] = np.where(to_reject, rejecting, accepting)
        now[:, -2], now[:, -1] = to_reject * good, ~to_reject * bad
        stop = np.ones(to_reject.shape, bool)
        if n < last:
            going = back(carried[n], ahead.T).T
            going[:, 0] += (weights * counted).sum(axis=0)
            going[:, 1:-2] += counted.swapaxes(0, 1)
            stop[:-1] = now[:-1, 0] <= going[:, 0]
            np.copyto(now[:-1], going, where=~stop[:-1, None])
        elif last < problem.cap:
            more = (weights * counted).sum(axis=0)
            now[:-1, 0] = np.minimum(now[:-1, 0], more)
        ahead = now
        if with_limits:  # acceptances are a run from x = 0, rejections to the end
            limits[:, 0, n] = _run(stop & ~to_reject) - 1
            limits[:, 1, n] = len(stop) - _run((stop & to_reject)[::-1])
    value, found = ahead[0, 0], ahead[0, 1:].T
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
    """How many entries of each column are True before the first that is not."""
    return np.logical_and.accumulate(flags).sum(axis=0)


class Bound(NamedTuple):
    """What column generation found.

    Attributes
    ----------
    problem : as it was posed last
    value : below which no plan's objective is
    prices : shape (points + 2,), the shadow prices
    mixture : objective of the best mixture of plans
    forgiven : what the induction charges too little at the last prices
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
    """The bound; the induction begins later while it charges too little there.

    The largest ASN is counted where the best mixture has it, too.
    """
    found = _generate(problem, rounded(100 / problem.risks), SPREAD)
    while (last := found.problem.last) < problem.cap >= found.value:
        if found.forgiven <= FORGIVEN * found.mixture:
            break
        later = again(problem, min(2 * last, problem.cap), problem.points)
        found = _generate(later, found.prices[-2:], AGAIN)
    problem, points = found.problem, found.problem.points
    if problem.aim.weights is not None or len(points) >= POINTS:
        return found
    plans = [problem.plan(each) for each in solve(problem, found.mixed).limits]

    def numbers_at(errors: Any) -> Any:
        each = [plan.average_sample_number(errors) for plan in plans]
        return np.tensordot(found.shares, each, 1)

    at = worst(numbers_at, problem.task.lot_size)[1]
    return found if at in points else bind(again(problem, problem.last, (*points, at)))


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
    pairs = np.meshgrid(*rounded(np.outer(prices[-2:], factors)))
    risks = np.reshape(pairs, (2, -1)).T
    return np.hstack([np.tile(prices[:-2], (len(risks), 1)), risks])


def _mix(problem: Problem, columns: Array, before: Array) -> tuple[Array, Array, float]:
    """The best mixture of the plans met: its shadow prices, shares and value.

    Minimise t such that the mixture inspects at most t at each point, keeps the
    risks, and its shares sum to 1. One more column, of no risk and many
    inspections, lets the programme always have a solution.
    """
    from scipy.optimize import linprog  # it takes a while to import

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
