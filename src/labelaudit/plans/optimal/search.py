"""Sequential plans that keep both risks exactly: the least inspections that are found.

The bound comes with prices of the two errors (bound.py). The best deterministic
plans that were met near these prices are polished: changed limit by limit until no
change helps (polish.py).

The same levels give the same plan on every machine, as they give the same bound:
whatever is compared differs by more than 1e-11, relatively, or a rule decides.
"""

from collections.abc import Mapping
from dataclasses import replace
from math import ceil, floor, log10

import numpy as np

from ... import _checks
from ..._digits import in_percent, significant
from ..._words import warn
from ...laws.errors import NEAR
from ..evaluation import curtailed, of_stages
from ..levels import QualityLevels, Task
from ..plan import SamplingPlan
from ..single import smallest_single
from .bound import POINTS, Bound, around, bind, solve
from .exhaustive import try_all
from .polish import Best, better, polished
from .problem import again, aim, pose, worst

# The default max_sample in sizes of the single plan: its size itself as a cap would
# cost many inspections at p_a.
ROOM = 1.5

# The induction begins at so many sizes of the single plan, and at this n at least, but
# no later than at the last n allowed.
LENGTHS = 3
SHORT = 500

# Prices for the candidates are up to these factors away, so many a side, fewer with
# large tables. Of their plans the best are polished, so many, until one is so near the
# bound, relatively; but the best alone with so many points (n, x), where others took
# minutes and were no better.
FACTORS = (1.003, 1.01, 1.03, 1.1, 30.0)
SIDES = (5, 2)
STARTS, ALONE = 6, 100_000
GOOD = 8e-5

# Where the bound stays so far away, relatively, plans that are good at something else
# are polished, too: risks that are lax leave much to which limits one begins with.
FAR = 0.01
OTHERS = ("balanced", "p_a", "p_r")

# Up to so many inspections, every plan that the bound does not rule out is tried.
SMALL = 40

# The search begins with a warning from so many points (n, x) on, where one machine
# took half a minute.
SLOW_TABLE = 800_000


def optimal_plan(
    levels: QualityLevels,
    lot_size: int | None = None,
    *,
    objective: str | Mapping[float, float] = "balanced",
    max_sample: int | None = None,
) -> SamplingPlan:
    """The least average sample number that a search finds; both risks kept exactly.

    How far the least of all may be below it, `lower_bound` says. With lax risks that
    can be much: with "minimax", at 0.02, 0.08, 0.3, 0.1 and a lot of 400, 3 %.

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
    task = Task(levels, lot_size)
    size, (reach, c) = task.lot_size, smallest_single(task)
    cap = min(ceil(ROOM * reach), size or 2**40)
    if max_sample is not None:
        cap = _checks.count("max_sample", max_sample, 1, size)
    goal, last = aim(objective, task), beginning(cap, reach)
    problem = pose(task, goal, cap, last, goal.errors)
    if problem.good.size > SLOW_TABLE:
        warn(
            "optimal_plan may take minutes: with these levels it looks at"
            f" plans of up to {cap:,} inspections (fewer with a smaller"
            " max_sample, or with levels further apart)."
        )
    best = Best()
    if reach <= cap:
        single = of_stages([(reach, c, c + 1)], size)
        best = better(problem, best, problem.plan(np.array(curtailed(*single))))
    bound = bind(problem)
    problem, best, complete = bound.problem, _search(bound, best), False
    for other in OTHERS if problem.good.size <= ALONE else ():
        if best.value > bound.value * (1 + FAR):
            its = aim(other, task)
            found = _search(bind(pose(task, its, cap, last, its.errors)), Best()).plan
            if found is not None and len(found.accept) <= problem.last + 1:
                limits = found.accept, found.reject
                best = polished(problem, bound.prices, best, *limits)
    if cap <= SMALL and (goal.weights or len(problem.points) - 1 == size):
        best, complete = try_all(problem, bound.prices, best)
    return _result(bound, best, complete)


def beginning(cap: int, reach: int) -> int:
    """The n at which the induction begins; reach is that of the single plan."""
    return min(cap, max(LENGTHS * reach, SHORT))


def _search(bound: Bound, best: Best) -> Best:
    """The best of the plans that are met around the shadow prices, and polished.

    Where its largest ASN then lies at another number of errors, it is counted there.
    """
    problem, prices = bound.problem, bound.prices
    side, near = SIDES[problem.large], 1 if problem.good.size > ALONE else STARTS
    tried = np.vstack([around(prices, factor, side) for factor in FACTORS])
    found = solve(problem, tried, with_limits=False)
    asn, most = found.totals[:, :-2].max(axis=1), problem.risks * (1 + NEAR)
    kept = np.flatnonzero((found.totals[:, -2:] <= most).all(axis=1))
    # Many prices have the same plan: each once, the best first.
    first = kept[np.unique(asn[kept], return_index=True)[1]]
    starts = solve(problem, tried[first[:near]]).limits
    earlier = [] if best.plan is None else [[best.plan.accept, best.plan.reject]]
    for limits in [*starts, *earlier][:near]:
        best = polished(problem, prices, best, *limits)
        if best.value <= bound.value * (1 + GOOD):
            break
    while best.plan is not None and problem.aim.weights is None:
        at = worst(best.plan.average_sample_number, problem.task.lot_size)[1]
        if at in problem.points or len(problem.points) >= POINTS:
            break
        problem = again(problem, problem.last, (*problem.points, at))
        prices = np.insert(prices, -2, 0.0)
        best = polished(problem, prices, best, best.plan.accept, best.plan.reject)
    return best


def _result(bound: Bound, best: Best, complete: bool) -> SamplingPlan:
    """The best plan with a note on what it is."""
    problem, (value, plan) = bound.problem, best
    if plan is None:
        known = bound.value > problem.cap or complete
        none = "none of so many inspections does" if known else "none was found"
        accepted = f"large enough for a plan that keeps both risks ({none})"
        raise _checks.refuse("max_sample", problem.cap, accepted)
    note = f"{problem.aim.name} {significant(value, 5)}"
    # Five digits, rounded down: a bound stays one.
    digits = 10.0 ** (4 - floor(log10(bound.value)) if bound.value > 0 else 0)
    note += f", at least {floor(round(bound.value * digits, 6)) / digits:.5g}"
    note += " for any plan"
    if problem.cap != problem.task.lot_size:
        note += f" of at most {problem.cap:,} inspections"
    if bound.value >= 1:  # less is for a plan that tosses a coin at the outset
        note += f" (gap {in_percent(max(value / bound.value - 1, 0), 2)})"
    if complete:
        note += "; the least of all deterministic plans"
    return replace(plan, note=note, lower_bound=bound.value, cap=problem.cap)
