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
by sums, products and quotients, which all processors round alike (Law.rows); prices
are rounded to six digits, since programmes differ in the last ones.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import linprog

from ... import _checks
from ..._checks import Array
from .. import region
from ..plan import SamplingPlan
from ..task import Task
from .aims import Aim, peak
from .bellman import Prices, Solutions, StoppingProblem
from .polish import Limits

# Column generation ends when bound and mixture are so close, relatively.
CLOSE = 1e-6
ROUNDS = 60

# Prices tried around the shadow prices: so many a side, at first up to this factor.
SIDE = 2
SPREAD = 30.0
AGAIN = 2.0  # where the shadow prices are nearly known
NARROWING = 1 / 3  # from round to round, as a power, once they do not move further
CHEAP = 1e-5  # at the least, a risk is worth so many inspections

# Of all prices, so many digits.
DIGITS = 6

# Finding so many errors or more has less than this share of alpha at D_a: reject.
TAIL = 1e-8

# To the programme, a plan exceeds a risk at most so many times: it is not used anyway.
DREADFUL = 1e6

# The induction is not begun with more points (n, x). Of large tables fewer prices
# are tried at a time.
LARGEST_TABLE = 8_000_000
LARGE_TABLE = 300_000

# The induction begins at so many sizes of the single plan, or at this n, or at the
# last n allowed, whichever is right first.
LENGTHS = 3
SHORT = 500

# What it may charge too little there, relatively.
FORGIVEN = 1e-6

# A mixture whose largest ASN is so little above where it is counted will do.
ENOUGH = 1e-5

# Numbers of errors at which the largest ASN is kept down at the same time.
POINTS = 6


class Bound:
    """Column generation for one task and one objective.

    Attributes
    ----------
    bound : float, below which no plan's objective is
    last : int, the n at which the induction begins, at most max_sample
    points : numbers of errors at which inspections are counted
    weights : of the points
    shadow : shadow prices of the two risks
    """

    def __init__(self, task: Task, objective: Aim, max_sample: int, reach: int) -> None:
        self.task, self.aim, self.max_sample = task, objective, max_sample
        self.last = min(max_sample, max(LENGTHS * reach, SHORT))
        self.law = task.law(max_sample)
        self.risks = np.array([task.levels.alpha, task.levels.beta])
        self.bound = 0.0
        self.shadow = rounded(100 / self.risks)
        self.points = list(objective.errors)
        self.pose()

    def pose(self) -> None:
        """The stopping problem with inspections counted at self.points."""
        d_a, d_r = self.task.d_a, self.task.d_r
        n = self.last
        width, beyond = self._width(d_a)
        if n * width > LARGEST_TABLE:
            raise _checks.refuse(
                "levels",
                self.task.levels,
                f"far enough apart, or max_sample small enough, for at most"
                f" {LARGEST_TABLE:,} points (n, x) (here {n:,} times {width:,})",
            )
        good, bad, *counted = (
            self.law.grid(n, width - 1, errors) for errors in (d_a, d_r, *self.points)
        )
        if self.aim.weights is not None:
            parts = [part * each for part, each in zip(self.aim.weights, counted)]
            counted = [np.sum(parts, axis=0)]
        middle = (self.law.rate(d_a) + self.law.rate(d_r)) / 2
        self.problem = StoppingProblem(
            good,
            bad,
            np.array(counted),
            beyond,
            float(middle),
            longer=n < self.max_sample,
        )
        self.side = SIDE if n * width <= LARGE_TABLE else 1
        self.columns = np.empty((0, len(counted) + 2))
        self.met = Prices(np.empty(0), np.empty(0), np.empty((0, len(counted))))

    def _width(self, d_a: float) -> tuple[int, float]:
        """How many columns the tables need, and P(X >= width - 1) at D_a at the end."""
        # Summed from the far end, where the terms are small.
        tails = np.cumsum(self.law.row(self.last, d_a)[::-1])[::-1]
        allowed = TAIL * self.task.levels.alpha
        width = max(2, int(np.count_nonzero(tails > allowed)) + 1)
        if width > self.last:
            return self.last + 2, 0.0
        return width, float(tails[width - 1]) if width <= len(tails) else 0.0

    def bind(self) -> None:
        """Find the bound."""
        self._generate(SPREAD)
        self._lengthen()
        while self.aim.weights is None and len(self.points) < POINTS:
            at = self._worse()
            if at is None:
                break
            self.points.append(at)
            self.pose()
            self._generate(AGAIN)
            self._lengthen()

    def _lengthen(self) -> None:
        """Begin later, while the induction charges too little where it begins."""
        while self.last < self.max_sample and (
            self.forgiven > FORGIVEN * self.mixture and self.bound <= self.max_sample
        ):
            self.last = min(2 * self.last, self.max_sample)
            self.pose()
            self._generate(AGAIN)

    def _worse(self) -> float | None:
        """Errors at which the best mixture inspects more than where it is counted."""
        mixed = self.shares > 1e-9
        prices = Prices(*(each[mixed] for each in vars(self.met).values()))
        found = self.problem.solve(prices)
        plans = [self.plan(Limits(*both)) for both in zip(found.accept, found.reject)]
        shares = self.shares[mixed]

        def numbers_at(errors: Any) -> Any:
            each = [plan.average_sample_number(errors) for plan in plans]
            return np.sum([share * of_one for share, of_one in zip(shares, each)], 0)

        value, at = peak(numbers_at, self.task.lot_size, self.last)
        if at in self.points or value <= self.mixture * (1 + ENOUGH):
            return None
        return at

    def _generate(self, spread: float) -> None:
        """Raise the bound until it meets the best mixture of plans."""
        points = len(self.problem.counted)
        self.weights = rounded(np.full(points, 1 / points))
        for _ in range(ROUNDS):
            self.meet(spread, self.side, limits=False)
            before = self._prices()
            self._mix()
            factors = self._prices() / before
            moved = float(np.maximum(factors, 1 / factors).max())
            near = self.mixture - self.bound - self.forgiven <= CLOSE * self.mixture
            if near or self.bound > self.max_sample:
                return
            spread = max(spread**NARROWING, min(moved, SPREAD), 1 + 1000 * CLOSE)

    def meet(self, spread: float, side: int, limits: bool = True) -> Solutions:
        """Meet the best plans at prices around the shadow prices; raise the bound.

        Up to a factor `spread` away, in so many steps a side.
        """
        factors = spread ** np.linspace(-1, 1, 2 * side + 1)
        around = rounded(np.outer(self._prices(), factors))
        a, r = np.meshgrid(*around)
        weights = np.tile(self.weights, (a.size, 1))
        prices = Prices(a.ravel(), r.ravel(), weights)
        found = self.problem.solve(prices, limits)
        worth = prices.reject * self.risks[0] + prices.accept * self.risks[1]
        bounds = (found.value - worth) / prices.weights.sum(axis=1)
        best = int(bounds.argmax())
        self.bound = max(self.bound, float(bounds[best]))
        self.forgiven = float(found.forgiven[best] / prices.weights[best].sum())
        self.columns = np.vstack([self.columns, totals(found)])
        self.met = Prices(
            *map(np.concatenate, zip(vars(self.met).values(), vars(prices).values()))
        )
        return found

    def _prices(self) -> Array:
        """The shadow prices; where one is 0, a low one."""
        return np.maximum(self.shadow, CHEAP / self.risks)

    def _mix(self) -> None:
        """The best mixture of the plans met: its value, shares and shadow prices.

        Minimise t such that the mixture inspects at most t at each point, keeps the
        risks, and its shares sum to 1. One more column, of no risk and many
        inspections, lets the programme always have a solution.
        """
        points = self.columns.shape[1] - 2
        dear = np.append(np.full(points, 10.0 * self.max_sample), [0, 0])
        rows = np.vstack([self.columns, dear]).T
        rows[points:] = np.minimum(rows[points:] / self.risks[:, None], DREADFUL)
        level = np.append(np.full(points, -1.0), [0, 0])
        found = linprog(
            np.append(np.zeros(rows.shape[1]), 1.0),
            A_ub=np.column_stack([rows, level]),
            b_ub=np.append(np.zeros(points), [1, 1]),
            A_eq=np.append(np.ones(rows.shape[1]), 0.0)[None],
            b_eq=[1],
            method="highs-ds",
        )
        dual = -found.ineqlin.marginals
        self.shadow = rounded(dual[points:] / self.risks)
        if dual[:points].any():  # none where a coin alone keeps the risks
            self.weights = rounded(dual[:points])
        self.shares, self.mixture = found.x[:-2], float(found.fun)

    def plan(self, limits: Limits) -> SamplingPlan:
        end = len(region.reachable(limits.accept, limits.reject)[0])
        return self.task.plan(limits.accept[:end], limits.reject[:end])


def totals(found: Solutions) -> Array:
    """Of each plan: its ASN at each point and its two risks."""
    return np.column_stack([found.asn, found.producers_risk, found.consumers_risk])


def rounded(values: Array) -> Array:
    """With DIGITS digits, so that the last ones are no matter."""
    flat = [float(f"{value:.{DIGITS - 1}e}") for value in values.ravel().tolist()]
    return np.array(flat).reshape(values.shape)
