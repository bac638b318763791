"""Klie et al. 2024: many simulated inspections, each row with its own random stream."""

import numpy as np

from labelaudit.plans.plan import SamplingPlan
from labelaudit.plans.runs import simulate


def streams(seed: int, *names: str) -> np.random.Generator:
    """A random stream for one row, the same whatever other rows there are."""
    return np.random.default_rng([seed, *(b for name in names for b in name.encode())])


def many(
    plan: SamplingPlan,
    errors: np.ndarray,
    repetitions: int,
    generator: np.random.Generator,
) -> tuple[np.ndarray, np.ndarray]:
    """What `plan.simulate` gives, for many lots at once: accepted, and inspected.

    A row for each entry of `errors`, `repetitions` runs in it.
    """
    each = np.repeat(errors, repetitions)
    runs = simulate(plan, each, len(each), generator)
    both = runs["accepted"].to_numpy(), runs["inspected"].to_numpy()
    accepted, inspected = (one.reshape(-1, repetitions) for one in both)
    return accepted, inspected
