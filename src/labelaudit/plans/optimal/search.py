"""Sequential plans with the least inspections that keep both risks exactly.

The bound comes with prices of the two errors (bound.py). The best deterministic
plans that were met near these prices are polished: changed limit by limit until no
change helps (polish.py).

The same levels give the same plan on every machine, as they give the same bound:
whatever is compared differs by more than 1e-10, relatively, or a rule decides.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from math import ceil, floor, log10

import numpy as np

from ... import _checks
from ..._digits import in_percent, significant
from ...laws.near import NEAR
from ..levels import QualityLevels
from ..plan import SamplingPlan, curtail
from ..single import single_plan, smallest_single
from ..task import Task
from .aims import Aim, aim, nearly_worst
from .bound import POINTS, SIDE, Bound, totals
from .exhaustive import SAME, Branches
from .polish import Limits, evaluate, polish

# The default max_sample in sizes of the single plan: its size itself as a cap would
# cost many inspections at p_a.
ROOM = 1.5

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

# Risks are kept with this relative room for rounding, or, where fractions say no,
# with this distance.
ROOM_FOR_ROUNDING = 1e-12
DISTANCE = 1e-9

# Up to so many inspections, every plan that the bound does not rule out is tried.
SMALL = 40

# The search begins with a warning from so many points (n, x) on, where one machine
# took half a minute.
SLOW_TABLE = 800_000

# So many numbers of errors are added as long as polishing moves the largest ASN.
MORE = 4


def optimal_plan(
    levels: QualityLevels,
    lot_size: int | None = None,
    *,
    objective: str | Mapping[float, float] = "balanced",
    max_sample: int | None = None,
) -> SamplingPlan:
    """The least average sample number that a search finds; both risks kept exactly.

    How far the least of all may be below it, `lower_bound` says. With "minimax" and lax
    risks that is not near: at 0.02, 0.08, 0.3, 0.1 and a lot of 400 even the balanced
    plan's largest number is smaller.

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
        never more than lot_size. With lot_size itself the bound is one on every plan
        of the lot. A larger max_sample saves a little at the objective and can cost
        much elsewhere, for example in the middle between the levels.

    Returns
    -------
    SamplingPlan
        Both risks hold, compared with <= in exact arithmetic. Its `lower_bound`
        is one on the objective of every plan that keeps the risks with this
        max_sample (kept as its `cap`), randomised ones too, and not on longer
        plans. Its repr names the cap and shows the gap, and says so where all
        deterministic plans were compared (always in lots of up to 10, often in
        those of up to 50).

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
    search = _search(levels, lot_size, objective, max_sample)
    if search.problem.good.size > SLOW_TABLE:
        warnings.warn(
            "optimal_plan may take minutes: with these levels it looks at"
            f" plans of up to {search.max_sample:,} inspections (fewer with a smaller"
            " max_sample, or with levels further apart).",
            UserWarning,
            stacklevel=2,
        )
    if search.reach <= search.max_sample:
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

    Like it a bound on plans of at most max_sample inspections, by default 1.5 times
    the single plan's.

    >>> import labelaudit as la
    >>> from labelaudit.plans.optimal.search import lower_bound
    >>> round(lower_bound(la.STRICT, 1000), 1)
    218.9
    """
    search = _search(levels, lot_size, objective, max_sample)
    search.bind()
    return search.bound


def _search(
    levels: QualityLevels,
    lot_size: int | None,
    objective: str | Mapping[float, float],
    max_sample: int | None,
) -> _Search:
    """The search for checked arguments."""
    task = Task(levels, lot_size)
    size, (reach, _) = task.lot_size, smallest_single(task)
    if max_sample is None:
        room = ceil(ROOM * reach)
        last = room if size is None else min(room, size)
    else:
        last = _checks.count("max_sample", max_sample, 1, size)
    return _Search(task, aim(objective, levels, size), last, reach)


class _Search(Bound):
    """The best deterministic plan; `reach` is the single plan's n."""

    def __init__(self, task: Task, objective: Aim, max_sample: int, reach: int) -> None:
        super().__init__(task, objective, max_sample, reach)
        self.reach = reach
        self.best: SamplingPlan | None = None
        self.value = np.inf
        self.complete = False
        self.starts: list[Limits] = []

    def run(self) -> None:
        """Find the bound, and the best plan that is near it."""
        self.bind()
        self._choose()
        self._polish()
        self._try_all()

    def offer(self, limits: Limits) -> float:
        """Take a plan if it is the best so far and keeps both risks exactly.

        Returns the objective of the best plan so far.
        """
        limits = limits.fitted(self.problem)
        totals = evaluate(self.problem, limits.accept[None], limits.reject[None])[0]
        value, enough = float(totals[:-2].max()), self.value * (1 - SAME)
        risks = self.risks * (1 + NEAR)
        if value < enough and (totals[-2:] <= risks).all():
            plan = self.plan(limits)
            if self.aim.weights is None:
                value = max(value, nearly_worst(plan)[0])
            if value < enough and all(plan.keeps_risks or ()):
                self.best, self.value = plan, value
        return self.value

    def offer_single(self) -> None:
        early = curtail(single_plan(self.task.levels, self.task.lot_size))
        self.offer(Limits(early.accept, early.reject))

    def _choose(self) -> None:
        """The best of many plans around the shadow prices."""
        side = CANDIDATES if self.side == SIDE else 2
        for factor in FACTORS:
            found = self.meet(factor, side)
            columns = totals(found)
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
            starts.setdefault(self.plan(start), start)
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
            self.pose()
            self._polish_one(Limits(self.best.accept, self.best.reject))

    def _polish_one(self, start: Limits) -> None:
        start = start.fitted(self.problem)
        for factor in (1 + ROOM_FOR_ROUNDING, 1 - DISTANCE):
            risks = self.risks * factor
            better = polish(self.problem, self.weights, self.shadow, risks, start)
            if all(self.plan(better).keeps_risks or ()):
                self.offer(better)
                return

    def _try_all(self) -> None:
        """All plans, where they are few."""
        every = (
            self.aim.weights is not None or len(self.points) - 1 == self.task.lot_size
        )
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
        if self.max_sample != self.task.lot_size:
            note += f" of at most {self.max_sample:,} inspections"
        if self.bound >= 1:  # less is for a plan that tosses a coin at the outset
            gap = max(value / self.bound - 1, 0)
            note += f" (gap {in_percent(gap, 2)})"
        if self.complete:
            note += "; the least of all deterministic plans"
        return self.task.plan(
            plan.accept,
            plan.reject,
            note=note,
            lower_bound=self.bound,
            cap=self.max_sample,
        )

    def _verify(self, plan: SamplingPlan) -> None:
        """Both risks as fractions: rounding has no part in the guarantee."""
        rejected = 1 - plan.exact_acceptance_probability(self.task.d_a)
        accepted = plan.exact_acceptance_probability(self.task.d_r)
        if rejected > self.task.alpha or accepted > self.task.beta:
            raise ArithmeticError(f"{plan} misses a risk in exact arithmetic")


def _down(bound: float) -> str:
    """Five digits, rounded down: a bound stays one."""
    if bound <= 0:
        return "0"
    places = 4 - floor(log10(bound))
    return f"{floor(round(bound * 10.0**places, 6)) / 10.0**places:.5g}"
