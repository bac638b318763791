"""What an optimal plan makes small: a mean of average sample numbers, or the worst."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ... import _checks
from ..._checks import Array
from ..._digits import significant
from ...laws.errors import rate_to_count
from ..evaluation import first_largest
from ..levels import QualityLevels
from ..plan import SamplingPlan

# In lots of up to this size the largest ASN is sought over every D at once.
EVERY = 64

# The largest ASN is sought on a grid of so many steps, and on so many finer ones.
GRID = 400
FINER = 4


@dataclass(frozen=True)
class Aim:
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


def aim(objective: Any, levels: QualityLevels, lot_size: int | None) -> Aim:
    """The objective of this name, or of this dict of {rate: weight}."""
    if isinstance(objective, Mapping):
        rates, weights = zip(*_normalised(objective))
        shown = [f"{significant(part)} at {r:g}" for r, part in zip(rates, weights)]
        if lot_size is not None:
            rates = tuple(rate_to_count(rate, lot_size) for rate in rates)
        return Aim(f"weighted ASN ({', '.join(shown)})", rates, weights)
    d_a, d_r = levels.errors(lot_size)
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
    found = [
        (
            _checks.unit("a rate of objective", rate),
            _checks.number(f"objective[{rate!r}]", weight, low=0),
        )
        for rate, weight in objective.items()
    ]
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
