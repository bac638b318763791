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

NAMES = ("balanced", "minimax", "p_a", "p_r")

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
        every = np.arange(plan.lot_size + 1)
        return _largest(plan.average_sample_number, every)[0]


def aim(objective: Any, levels: QualityLevels, lot_size: int | None) -> Aim:
    """The objective of this name, or of this dict of {rate: weight}."""
    d_a, d_r = levels.errors(lot_size)
    if isinstance(objective, Mapping):
        rates, weights = _rates_and_weights(objective)
        given = list(zip(rates, weights))
        if lot_size is not None:
            rates = [rate_to_count(rate, lot_size) for rate in rates]
        shown = ", ".join(f"{significant(part)} at {rate:g}" for rate, part in given)
        return Aim(f"weighted ASN ({shown})", tuple(rates), tuple(weights))
    if not isinstance(objective, str) or objective not in NAMES:
        accepted = " or ".join([*map(repr, NAMES), "a dict of {rate: weight}"])
        raise _checks.refuse("objective", objective, accepted)
    if objective == "minimax":
        middle = (d_a + d_r) / 2 if lot_size is None else (d_a + d_r) // 2
        if lot_size is not None and lot_size <= EVERY:
            return Aim("largest ASN", tuple(range(lot_size + 1)), None)
        return Aim("largest ASN", (middle,), None)
    if objective == "balanced":
        return Aim("mean ASN at p_a and p_r", (d_a, d_r), (0.5, 0.5))
    return Aim(f"ASN at {objective}", (d_a if objective == "p_a" else d_r,), (1.0,))


def _rates_and_weights(objective: Mapping[Any, Any]) -> tuple[list[Any], list[float]]:
    """Rates and normalised weights."""
    accepted = "a dict of {rate from 0 to 1: weight of at least 0}, not all weights 0"
    rates, weights = [], []
    for rate, weight in objective.items():
        rates.append(_checks.unit("a rate of objective", rate))
        weights.append(_checks.number(f"objective[{rate!r}]", weight))
        if weights[-1] < 0:
            raise _checks.refuse(f"objective[{rate!r}]", weight, "at least 0")
    largest = max(weights, default=0.0)
    if not 0 < largest < np.inf:
        raise _checks.refuse("objective", dict(objective), accepted)
    parts = [weight / largest for weight in weights]  # their sum cannot overflow
    return rates, [part / sum(parts) for part in parts]


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
    value, at = _largest(numbers_at, coarse)
    if step == 1:
        return value, at
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
