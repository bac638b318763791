"""Sequential plans with the least inspections that keep both risks exactly.

At any prices a, r >= 0 of the two errors, a plan that keeps both risks has an
objective of at least

    V(0, 0) - a alpha - r beta

with V of bellman.py: it costs at least V(0, 0), and its risks are worth at most
a alpha + r beta. Column generation finds the greatest of these bounds: a linear
programme mixes the plans met so far into the best randomised plan, and its shadow
prices are those at which the next plans are sought, until bound and mixture meet.
The best deterministic plans that were met are then polished: changed limit by limit
until no change helps (polish.py).

The same levels give the same plan on every machine. The probabilities are computed
by sums, products and quotients, which all processors round alike (Law.rows); prices
are rounded to six digits, since programmes differ in the last ones; whatever is
compared differs by more than 1e-10, relatively, or a rule decides.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from math import ceil, floor, log10
from typing import Any

import numpy as np
from scipy.optimize import linprog

from ... import _checks
from ..._checks import Array
from ..._digits import significant
from ...laws.errors import NEAR
from ...laws.flags import law
from ...laws.inspection import Inspection
from .. import evaluation
from ..levels import QualityLevels
from ..plan import SamplingPlan, curtail
from ..single import check_levels, sample_to_reach, single_plan
from .aims import Aim, aim, nearly_worst, peak
from .bellman import Prices, Solutions, StoppingProblem
from .exhaustive import SAME, Branches
from .polish import Limits, evaluate, polish

# The default max_sample in sizes of the single plan: its size itself as a cap would
# cost many inspections at p_a.
ROOM = 1.5

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

# Prices for the candidates: so many a side, up to these factors, the next ones only
# where the best plan is so far above the bound.
FAR = 0.01
CANDIDATES = 4
FACTORS = (1.03, 1.5, 30.0)

# So many candidates are compared, and so many of them polished, the best first, until
# a plan is so near the bound, relatively.
TRIED = 8
STARTS = 5
GOOD = 8e-5

# Finding so many errors or more has less than this share of alpha at D_a: reject.
TAIL = 1e-8

# To the programme, a plan exceeds a risk at most so many times: it is not used anyway.
DREADFUL = 1e6

# Risks are kept with this relative room for rounding, or, where fractions say no,
# with this distance.
ROOM_FOR_ROUNDING = 1e-12
DISTANCE = 1e-9

# Up to so many inspections, every plan that the bound does not rule out is tried.
SMALL = 40

# The induction is not begun with more points (n, x), and begins with a warning from
# so many on, where one machine took half a minute. Of large tables fewer prices are
# tried at a time.
LARGEST_TABLE = 8_000_000
SLOW_TABLE = 800_000
LARGE_TABLE = 300_000

# A mixture whose largest ASN is so little above where it is counted will do.
ENOUGH = 1e-5

# Numbers of errors at which the largest ASN is kept down at the same time.
POINTS = 6
MORE = 4  # as long as polishing moves the largest


def optimal_plan(
    levels: QualityLevels,
    lot_size: int | None = None,
    *,
    objective: str | Mapping[float, float] = "balanced",
    max_sample: int | None = None,
    min_sample: int = 0,
    inspection: Inspection | None = None,
) -> SamplingPlan:
    """The plan with the least average sample number that keeps both risks exactly.

    Parameters
    ----------
    levels : QualityLevels
    lot_size : int, optional
        Sample without replacement from a lot of this size; None is a process.
    objective : "balanced", "minimax", "p_a", "p_r" or dict of {rate: weight}
        What is made small: the mean of the average sample numbers at p_a and at
        p_r; the largest one at any number of errors; the one at p_a or at p_r; or
        a weighted mean over error rates in [0, 1], with weights of at least 0 that
        are divided by their sum.
    max_sample : int, optional
        No path inspects more; by default ceil(1.5 n) with the single plan's n, and
        never more than lot_size.
    min_sample : int, default 0
        No verdict before so many inspections. Without it a plan may reject at the
        second of two early errors.
    inspection : Inspection, optional
        The inspector's sensitivity and specificity; by default faultless.

    Returns
    -------
    SamplingPlan
        Both risks hold, compared with <= in exact arithmetic. Its `lower_bound`
        is one on the objective of every plan that keeps the risks with this
        max_sample and min_sample, randomised ones too; its repr shows the gap, and
        says so where all deterministic plans were compared (always in lots of up
        to 10, often in those of up to 50).

    Raises
    ------
    ValueError
        Where an argument is out of range, the lot too small to tell the levels
        apart, no plan of at most max_sample inspections keeps both risks, or the
        levels are so close that the search would take hours.

    Warns
    -----
    UserWarning
        Before a search among more than 800,000 points (n, x), which may take minutes.

    References
    ----------
    Optimal tests of two hypotheses by prices of their errors: Wald and Wolfowitz
    1948; the largest ASN: Kiefer and Weiss 1957.

    Examples
    --------
    >>> import labelaudit as la
    >>> plan = la.optimal_plan(la.STRICT, lot_size=1000)
    >>> plan.keeps_risks
    (True, True)
    >>> plan.average_sample_number([10, 30]).round().tolist()  # single plan: 428
    [236.0, 202.0]
    >>> round(plan.lower_bound, 1)  # of the mean of the two, under this cap
    218.9
    """
    search = _search(levels, lot_size, objective, max_sample, min_sample, inspection)
    if search.problem.good.size > SLOW_TABLE:
        warnings.warn(
            "optimal_plan may take minutes: with these levels it looks at"
            f" plans of up to {search.max_sample:,} inspections (fewer with a smaller"
            " max_sample, or with levels further apart).",
            UserWarning,
            stacklevel=2,
        )
    if search.min_sample <= search.reach <= search.max_sample:
        search.offer_single()
    search.run()
    return search.result()


def lower_bound(
    levels: QualityLevels,
    lot_size: int | None = None,
    *,
    objective: str | Mapping[float, float] = "balanced",
    max_sample: int | None = None,
) -> float:
    """The bound of optimal_plan alone, about as close: without the search for a plan.

    >>> import labelaudit as la
    >>> from labelaudit.plans.optimal.search import lower_bound
    >>> round(lower_bound(la.STRICT, 1000), 1)
    218.9
    """
    search = _search(levels, lot_size, objective, max_sample, 0, None)
    search.bind()
    return search.bound


def _search(
    levels: QualityLevels,
    lot_size: int | None,
    objective: str | Mapping[float, float],
    max_sample: int | None,
    min_sample: int,
    inspection: Inspection | None,
) -> _Search:
    """The search for checked arguments."""
    check_levels(levels)
    size = _checks.lot_size(lot_size)
    reach = sample_to_reach(levels, size, inspection)
    if max_sample is None:
        room = ceil(ROOM * reach)
        last = room if size is None else min(room, size)
    else:
        last = _checks.count("max_sample", max_sample, 1, size)
    first = _checks.count("min_sample", min_sample, 0)
    if first > last:
        raise _checks.refuse(
            "min_sample", min_sample, f"no larger than max_sample, which is {last}"
        )
    wanted = aim(objective, levels, size)
    return _Search(levels, size, inspection, wanted, last, first, reach)


class _Search:
    """Column generation for the bound, then the best deterministic plan."""

    def __init__(
        self,
        levels: QualityLevels,
        lot_size: int | None,
        inspection: Inspection | None,
        objective: Aim,
        max_sample: int,
        min_sample: int,
        reach: int,
    ) -> None:
        self.levels, self.lot_size, self.inspection = levels, lot_size, inspection
        self.aim, self.max_sample, self.min_sample = objective, max_sample, min_sample
        self.reach = reach  # of the single plan
        self.law = law(lot_size, max_sample, inspection)
        self.risks = np.array([levels.alpha, levels.beta])
        self.bound = float(min_sample)
        self.best: SamplingPlan | None = None
        self.value = np.inf
        self.complete = False
        self.shadow = _rounded(100 / self.risks)
        self.starts: list[Limits] = []
        self.points = list(objective.errors)
        self._pose()

    def _pose(self) -> None:
        """The stopping problem with inspections counted at self.points."""
        d_a, d_r = self.levels.errors(self.lot_size)
        n = self.max_sample
        width, beyond = self._width(d_a)
        if n * width > LARGEST_TABLE:
            raise _checks.refuse(
                "levels",
                self.levels,
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
            good, bad, np.array(counted), beyond, float(middle), self.min_sample
        )
        self.side = SIDE if n * width <= LARGE_TABLE else 1
        self.columns = np.empty((0, len(counted) + 2))
        self.met = Prices(np.empty(0), np.empty(0), np.empty((0, len(counted))))

    def _width(self, d_a: float) -> tuple[int, float]:
        """How many columns the tables need, and P(X >= width - 1) at D_a at the end.

        Before min_sample nobody arrives at the last column, which is a rejection.
        """
        # Summed from the far end, where the terms are small.
        tails = np.cumsum(self.law.row(self.max_sample, d_a)[::-1])[::-1]
        allowed = TAIL * self.levels.alpha
        width = max(self.min_sample + 2, int(np.count_nonzero(tails > allowed)) + 1)
        if width > self.max_sample:
            return self.max_sample + 2, 0.0
        return width, float(tails[width - 1]) if width <= len(tails) else 0.0

    def run(self) -> None:
        """Find the bound, and the best plan that is near it."""
        self.bind()
        self._choose()
        self._polish()
        self._try_all()

    def bind(self) -> None:
        """Find the bound."""
        self._generate(SPREAD)
        while self.aim.weights is None and len(self.points) < POINTS:
            at = self._worse()
            if at is None:
                break
            self.points.append(at)
            self._pose()
            self._generate(AGAIN)

    def _worse(self) -> float | None:
        """Errors at which the best mixture inspects more than where it is counted."""
        mixed = self.shares > 1e-9
        prices = Prices(*(each[mixed] for each in vars(self.met).values()))
        found = self.problem.solve(prices)
        plans = [self._plan(Limits(*both)) for both in zip(found.accept, found.reject)]
        shares = self.shares[mixed]

        def numbers_at(errors: Any) -> Any:
            each = [plan.average_sample_number(errors) for plan in plans]
            return np.sum([share * of_one for share, of_one in zip(shares, each)], 0)

        value, at = peak(numbers_at, self.lot_size, self.max_sample)
        if at in self.points or value <= self.mixture * (1 + ENOUGH):
            return None
        return at

    # The bound ----------------------------------------------------------------

    def _generate(self, spread: float) -> None:
        """Raise the bound until it meets the best mixture of plans."""
        points = len(self.problem.counted)
        self.weights = _rounded(np.full(points, 1 / points))
        for _ in range(ROUNDS):
            self._meet(spread, self.side, limits=False)
            before = self._prices()
            self._mix()
            factors = self._prices() / before
            moved = float(np.maximum(factors, 1 / factors).max())
            near = self.mixture - self.bound <= CLOSE * self.mixture
            if near or self.bound > self.max_sample:
                return
            spread = max(spread**NARROWING, min(moved, SPREAD), 1 + 1000 * CLOSE)

    def _meet(self, spread: float, side: int, limits: bool = True) -> Solutions:
        """Meet the best plans at prices around the shadow prices; raise the bound.

        Up to a factor `spread` away, in so many steps a side.
        """
        factors = spread ** np.linspace(-1, 1, 2 * side + 1)
        around = _rounded(np.outer(self._prices(), factors))
        a, r = np.meshgrid(*around)
        weights = np.tile(self.weights, (a.size, 1))
        prices = Prices(a.ravel(), r.ravel(), weights)
        found = self.problem.solve(prices, limits)
        worth = prices.reject * self.risks[0] + prices.accept * self.risks[1]
        bounds = (found.value - worth) / prices.weights.sum(axis=1)
        self.bound = max(self.bound, float(bounds.max()))
        self.columns = np.vstack([self.columns, _columns(found)])
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
        self.shadow = _rounded(dual[points:] / self.risks)
        if dual[:points].any():  # none where a coin alone keeps the risks
            self.weights = _rounded(dual[:points])
        self.shares, self.mixture = found.x[:-2], float(found.fun)

    # The plan -----------------------------------------------------------------

    def offer(self, limits: Limits) -> float:
        """Take a plan if it is the best so far and keeps both risks exactly.

        Returns the objective of the best plan so far.
        """
        limits = limits.fitted(self.problem)
        totals = evaluate(self.problem, limits.accept[None], limits.reject[None])[0]
        value, enough = float(totals[:-2].max()), self.value * (1 - SAME)
        risks = self.risks * (1 + NEAR)
        if value < enough and (totals[-2:] <= risks).all():
            plan = self._plan(limits)
            if self.aim.weights is None:
                value = max(value, nearly_worst(plan)[0])
            if value < enough and all(plan.keeps_risks or ()):
                self.best, self.value = plan, value
        return self.value

    def offer_single(self) -> None:
        """The single plan, if there is one: flags may leave only others."""
        try:
            single = single_plan(self.levels, self.lot_size, inspection=self.inspection)
        except ValueError:
            return
        early = curtail(single) if self.min_sample == 0 else single
        self.offer(Limits(early.accept, early.reject))

    def _plan(self, limits: Limits) -> SamplingPlan:
        end = len(evaluation.reachable(limits.accept, limits.reject)[0])
        accept, reject = limits.accept[:end], limits.reject[:end]
        return SamplingPlan(
            accept, reject, self.lot_size, self.levels, inspection=self.inspection
        )

    def _choose(self) -> None:
        """The best of many plans around the shadow prices."""
        side = CANDIDATES if self.side == SIDE else 2
        for factor in FACTORS:
            found = self._meet(factor, side)
            columns = _columns(found)
            asn = columns[:, :-2].max(axis=1)
            kept = (columns[:, -2:] <= self.risks * (1 + NEAR)).all(axis=1)
            order = np.flatnonzero(kept)[np.argsort(asn[kept], kind="stable")]
            starts = [Limits(found.accept[i], found.reject[i]) for i in order[:TRIED]]
            before = self.value
            for limits in starts:
                self.offer(limits)
            if self.value < before or not self.starts:
                self.starts = starts
            if self.value <= self.bound * (1 + FAR):
                break

    def _polish(self) -> None:
        """Small changes of the best plans, until none helps.

        Where the largest ASN then lies at another number of errors, it is counted
        there too.
        """
        starts = {}
        if self.best is not None:
            starts[self.best] = Limits(self.best.accept, self.best.reject)
        for start in self.starts:
            starts.setdefault(self._plan(start), start)
        for start in [*starts.values()][: STARTS if self.side == SIDE else 1]:
            self._polish_one(start)
            if self.value <= self.bound * (1 + GOOD):
                break
        while self.best is not None and self.aim.weights is None:
            at = nearly_worst(self.best)[1]
            if at in self.points or len(self.points) >= POINTS + MORE:
                return
            self.points.append(at)
            self.weights = np.append(self.weights, 0.0)
            self._pose()
            self._polish_one(Limits(self.best.accept, self.best.reject))

    def _polish_one(self, start: Limits) -> None:
        start = start.fitted(self.problem)
        for factor in (1 + ROOM_FOR_ROUNDING, 1 - DISTANCE):
            risks = self.risks * factor
            better = polish(self.problem, self.weights, self.shadow, risks, start)
            if all(self._plan(better).keeps_risks or ()):
                self.offer(better)
                return

    def _try_all(self) -> None:
        """All plans, where they are few."""
        every = self.aim.weights is not None or len(self.points) - 1 == self.lot_size
        if self.max_sample <= SMALL and every:
            self.complete = Branches(
                self.problem,
                self.shadow,
                self.weights,
                self.risks,
                self.value,
                self.offer,
            ).try_all()

    def result(self) -> SamplingPlan:
        """The best plan, its risks compared once more as fractions."""
        if self.best is None:
            known = self.bound > self.max_sample or self.complete
            none = "none of so many inspections does" if known else "none was found"
            raise _checks.refuse(
                "max_sample",
                self.max_sample,
                f"large enough for a plan that keeps both risks ({none})",
            )
        plan = self.best
        self._verify(plan)
        value = self.aim.value(plan)
        note = f"{self.aim.name} {significant(value, 5)}"
        note += f", at least {_down(self.bound)} for any plan"
        if self.max_sample != self.lot_size:
            note += f" of at most {self.max_sample} inspections"
        if self.bound >= 1:  # less is for a plan that tosses a coin at the outset
            gap = max(value / self.bound - 1, 0)
            note += f" (gap {significant(100 * gap, 2)} %)"
        if self.complete:
            note += "; the least of all deterministic plans"
        return SamplingPlan(
            plan.accept,
            plan.reject,
            plan.lot_size,
            plan.levels,
            note,
            self.bound,
            plan.inspection,
        )

    def _verify(self, plan: SamplingPlan) -> None:
        """Both risks as fractions: rounding has no part in the guarantee.

        With an inspection the fractions are long; keeps_risks has used them where
        rounding could decide.
        """
        if self.inspection is not None:
            return
        d_a, d_r = self.levels.errors(self.lot_size)
        rejected = 1 - plan.exact_acceptance_probability(d_a)
        accepted = plan.exact_acceptance_probability(d_r)
        alpha, beta = map(_checks.fraction, (self.levels.alpha, self.levels.beta))
        if rejected > alpha or accepted > beta:
            raise ArithmeticError(f"{plan} misses a risk in exact arithmetic")


def _columns(found: Solutions) -> Array:
    """Of each plan: its ASN at each point and its two risks."""
    return np.column_stack([found.asn, found.producers_risk, found.consumers_risk])


def _rounded(values: Array) -> Array:
    """With DIGITS digits, so that the last ones are no matter."""
    flat = [float(f"{value:.{DIGITS - 1}e}") for value in values.ravel().tolist()]
    return np.array(flat).reshape(values.shape)


def _down(bound: float) -> str:
    """Five digits, rounded down: a bound stays one."""
    if bound <= 0:
        return "0"
    places = 4 - floor(log10(bound))
    return f"{floor(round(bound * 10.0**places, 6)) / 10.0**places:.5g}"
