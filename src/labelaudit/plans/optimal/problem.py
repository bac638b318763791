"""What is sought: an objective to be small, and the tables that the search needs.

A plan's limits are one array here: accept and reject for n = 0 .. last, reached or
not. Its totals are its inspections at each of the problem's points, its producer's
and its consumer's risk; prices are one for each of the totals.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from ... import _checks
from ..._checks import Array
from ..._digits import significant
from ...laws.errors import Law, rate_to_count
from ..evaluation import first_largest, reachable
from ..levels import Task
from ..plan import SamplingPlan

# In lots of up to this size the largest ASN is sought over every D at once.
EVERY = 64

# The largest ASN is sought on a grid of so many steps; so many grids, each finer.
GRID = 400
FINER = 4

# Finding so many errors or more has less than this share of alpha at D_a: reject.
TAIL = 1e-8

# The induction is not begun with more points (n, x). Of large tables fewer prices
# are tried at a time.
LARGEST_TABLE = 8_000_000
LARGE_TABLE = 300_000


class Aim(NamedTuple):
    """An objective.

    Attributes
    ----------
    name : as it is shown
    errors : numbers of errors (rates in a process) at which inspections count
    weights : of these, summing to 1; None for the largest ASN at any number
    """

    name: str
    errors: tuple[float, ...]
    weights: tuple[float, ...] | None

    def value(self, plan: SamplingPlan) -> float:
        """The objective of a plan; the largest ASN of a process as `worst` finds it."""
        if self.weights is not None:
            numbers = plan.average_sample_number(np.array(self.errors))
            return float((np.array(self.weights) * numbers).sum())
        if plan.lot_size is None:
            return worst(plan.average_sample_number, None)[0]
        return float(plan.average_sample_number(np.arange(plan.lot_size + 1)).max())


def aim(objective: Any, task: Task) -> Aim:
    """The objective of this name, or of this dict of {rate: weight}."""
    lot_size, (d_a, d_r) = task.lot_size, task.errors
    if isinstance(objective, Mapping):
        rates, weights = zip(*_normalised(objective))
        shown = [f"{significant(part)} at {r:g}" for r, part in zip(rates, weights)]
        if lot_size is not None:
            rates = tuple(rate_to_count(rate, lot_size) for rate in rates)
        return Aim(f"weighted ASN ({', '.join(shown)})", rates, weights)
    middle = (d_a + d_r) / 2 if lot_size is None else (d_a + d_r) // 2
    every = tuple(range(lot_size + 1)) if lot_size and lot_size <= EVERY else (middle,)
    named = {
        "balanced": Aim("mean ASN at p_a and p_r", (d_a, d_r), (0.5, 0.5)),
        "minimax": Aim("largest ASN", every, None),
        "p_a": Aim("ASN at p_a", (d_a,), (1.0,)),
        "p_r": Aim("ASN at p_r", (d_r,), (1.0,)),
    }
    if not isinstance(objective, str) or objective not in named:
        accepted = " or ".join([*map(repr, named), "a dict of {rate: weight}"])
        raise _checks.refuse("objective", objective, accepted)
    return named[objective]


def _normalised(objective: Mapping[Any, Any]) -> list[tuple[Any, float]]:
    """Rates and weights that sum to 1."""
    found = []
    for rate, weight in objective.items():
        share = _checks.unit("a rate of objective", rate)
        found.append((share, _checks.number(f"objective[{rate!r}]", weight, low=0)))
    total = sum(part for _, part in found)
    if not total > 0:
        accepted = "a dict of {rate from 0 to 1: weight of at least 0}, not all "
        raise _checks.refuse("objective", dict(objective), f"{accepted}weights 0")
    return [(rate, part / total) for rate, part in found]


def worst(numbers_at: Callable[[Any], Any], size: int | None) -> tuple[float, float]:
    """The largest average sample number of one or more plans, and where it is.

    Nearly: on a grid, dense near 0 and 1, then on finer ones about the best of it.
    A rate is given to four digits: at its peak the curve is so flat that rounding
    decides about the seventh.
    """
    share = np.linspace(0, 1, GRID + 1)
    grid: Array = share * share * (3 - 2 * share) * (size or 1)
    for _ in range(FINER):
        places = np.round(grid, 9) if size is None else np.unique(np.rint(grid))
        numbers = numbers_at(places)
        best = first_largest(numbers)
        ends = places[max(best - 1, 0)], places[min(best + 1, len(places) - 1)]
        grid = np.linspace(*ends, 1 + GRID // 10)
    at = places[best].item()
    return float(numbers[best]), float(f"{at:.3e}") if size is None else int(at)


class Problem(NamedTuple):
    """What is sought, and the probabilities that the induction needs.

    Attributes
    ----------
    task, aim : the risks to be kept and the objective to be small
    cap : most inspections that a plan may need
    points : numbers of errors at which inspections are counted
    good, bad : h_Da and h_Dr, shape (last + 1, width)
        Rows are n = 0 .. last, where the induction begins; columns are x = 0 ..
        width - 1; whoever arrives at the last is rejected.
    counted : shape (points, last + 1, width), h_D; one h_w for a weighted objective
    certain : where to reject whatever it costs: samples impossible at both levels
        with more errors than there are between them, and the last column
    beyond : P(X >= width - 1) at D_a after `last`
        By so much, times the price, may it cost more to reject all of these than the
        best plan would cost.
    last, risks, large : where the induction begins; alpha and beta; a large table
    """

    task: Task
    aim: Aim
    cap: int
    points: tuple[float, ...]
    good: Array
    bad: Array
    counted: Array
    certain: Array
    beyond: float
    last: int
    risks: Array
    large: bool

    def plan(self, limits: Array) -> SamplingPlan:
        accept, reject = limits[:, : len(reachable(*limits)[0])]
        return SamplingPlan(accept, reject, self.task.lot_size, self.task.levels)


def pose(
    task: Task, aim: Aim, cap: int, last: int, points: tuple[float, ...]
) -> Problem:
    """The problem with its tables for n up to `last`, or a ValueError."""
    law = Law(task.lot_size, last)
    # One column more or less changes nothing.
    tails = law.tails(np.arange(last + 2), last, task.d_a)[1]
    width = max(2, int(np.count_nonzero(tails > TAIL * task.levels.alpha)) + 1)
    width = last + 2 if width > last else width
    if last * width > LARGEST_TABLE:
        accepted = "far enough apart, or max_sample small enough, for at most "
        accepted += f"{LARGEST_TABLE:,} points (n, x) (here {last:,} times {width:,})"
        raise _checks.refuse("levels", task.levels, accepted)
    places = task.d_a, task.d_r, *points
    good, bad, *counted = (law.grid(last, width - 1, errors) for errors in places)
    if aim.weights is not None:
        parts = [part * each for part, each in zip(aim.weights, counted)]
        counted = [np.sum(parts, axis=0)]
    middle = (task.d_a / law.total + task.d_r / law.total) / 2
    n, x = np.arange(last + 1)[:, None], np.arange(width)
    certain = (good == 0) & (bad == 0) & (x > n * float(middle))
    certain[:, -1] = True
    tables = good, bad, np.array(counted), certain
    beyond = float(tails[width - 1])
    risks = np.array([task.levels.alpha, task.levels.beta])
    large = last * width > LARGE_TABLE
    return Problem(task, aim, cap, points, *tables, beyond, last, risks, large)


def again(problem: Problem, last: int, points: tuple[float, ...]) -> Problem:
    """The same problem with other tables."""
    return pose(problem.task, problem.aim, problem.cap, last, points)
