"""What an optimal plan makes small: a mean of average sample numbers, or the worst."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import ceil, sqrt
from typing import Any

import numpy as np
from scipy.optimize import minimize_scalar

from ... import _checks
from ..._checks import Array
from ..._digits import significant
from ...laws.errors import rate_to_count
from ..evaluation import first_largest
from ..levels import QualityLevels
from ..plan import SamplingPlan

# In lots of up to this size the largest ASN is sought over every D at once.
EVERY = 64

# Rates at which a process is first searched for the largest average sample number.
RATES = 400


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
        """The objective of a plan, exactly."""
        if self.weights is not None:
            numbers = plan.average_sample_number(np.array(self.errors))
            return float((np.array(self.weights) * numbers).sum())
        if plan.lot_size is None:
            return nearly_worst(plan)[0]
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
    found = []
    for rate, weight in objective.items():
        checked = _checks.unit("a rate of objective", rate)
        part = _checks.number(f"objective[{rate!r}]", weight)
        found.append((checked, part))
        if part < 0:
            raise _checks.refuse(f"objective[{rate!r}]", weight, "at least 0")
    largest = max((part for _, part in found), default=0.0)
    if not largest > 0:
        accepted = "a dict of {rate from 0 to 1: weight of at least 0}, not all "
        raise _checks.refuse("objective", dict(objective), f"{accepted}weights 0")
    total = sum(part / largest for _, part in found)  # which cannot overflow
    return [(rate, part / largest / total) for rate, part in found]


def _largest(numbers_at: Callable[[Any], Any], errors: Array) -> tuple[float, Any]:
    """The largest average sample number at some errors, and the errors that have it."""
    numbers = numbers_at(errors)
    best = first_largest(numbers)
    return float(numbers[best]), errors[best].item()


def nearly_worst(plan: SamplingPlan) -> tuple[float, float]:
    """The same for all errors, in a lot from some of them; see peak."""
    return peak(plan.average_sample_number, plan.lot_size, plan.max_sample)


def peak(
    numbers_at: Callable[[Any], Any], lot_size: int | None, max_sample: int
) -> tuple[float, float]:
    """The largest average sample number, and where, of a plan or a mixture of plans.

    In a lot from every so manyth number of errors and the best one's surroundings.
    Steps are half a standard deviation of the rate found at the last n, so that
    this misses a maximum at most by a little; Aim.value does not.
    """
    if lot_size is None:
        return _peak_rate(numbers_at)
    step = max(1, int(lot_size * sqrt(0.01 / max(max_sample, 1)) / 2))
    coarse = np.append(np.arange(0, lot_size, step), lot_size)
    _, at = _largest(numbers_at, coarse)
    near = np.arange(max(at - step, 0), min(at + step, lot_size) + 1)
    return _largest(numbers_at, near[:: ceil(len(near) / 200)])


def _peak_rate(numbers_at: Callable[[Any], Any]) -> tuple[float, float]:
    """In a process: the best of a grid, dense near 0 and 1, and its surroundings.

    The rate is given to four digits: at its peak the curve is so flat that rounding
    decides about the seventh.
    """
    share = np.linspace(0, 1, RATES + 1)
    rates: Array = np.round(share * share * (3 - 2 * share), 9)
    at = first_largest(numbers_at(rates))
    found = minimize_scalar(
        lambda rate: -float(numbers_at(rate)),
        bounds=(rates[max(at - 1, 0)], rates[min(at + 1, RATES)]),
        method="bounded",
        options={"xatol": 1e-9},
    )
    value, rate = _largest(numbers_at, np.array([rates[at], found.x]))
    return value, rate if rate == rates[at] else float(f"{rate:.3e}")
