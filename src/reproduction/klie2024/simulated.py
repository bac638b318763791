"""Klie et al. 2024: many simulated inspections, and their exact spread."""

import numpy as np

from labelaudit.plans.plan import SamplingPlan
from labelaudit.plans.runs import simulate


def streams(seed: int, *names: str) -> np.random.Generator:
    """A random stream for one row, the same whatever other rows there are."""
    return np.random.default_rng([seed, *(b for name in names for b in name.encode())])


def many(plan: SamplingPlan, errors: np.ndarray, repetitions: int, generator):
    """Runs of one plan on many lots at once: a DataFrame, `repetitions` a lot."""
    each = np.repeat(errors, repetitions)
    return simulate(plan, each, len(each), generator)


def share_accepted(plan, errors, repetitions, generator) -> np.ndarray:
    """Simulated probability of acceptance for each entry of `errors`."""
    runs = many(plan, errors, repetitions, generator)
    return runs.accepted.to_numpy().reshape(len(errors), repetitions).mean(axis=1)


def simulated_average(plan, errors, repetitions, generator):
    """Simulated average sample numbers and their standard errors."""
    runs = many(plan, errors, repetitions, generator)
    inspected = runs.inspected.to_numpy().reshape(len(errors), repetitions)
    spread = inspected.std(axis=1, ddof=1) if repetitions > 1 else np.nan
    return inspected.mean(axis=1), spread / np.sqrt(repetitions)


def spread(plan: SamplingPlan, errors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Standard deviation of the sample number, and its commonest value's probability.

    Both exact, one for each entry of `errors`.
    """
    pmf, n = plan.sample_number_pmf(errors), np.arange(plan.max_sample + 1)
    away = n - plan.average_sample_number(errors)[:, None]
    variance = (pmf * away**2).sum(axis=1)
    # Where the plan always stops at the same n, nothing but rounding is left.
    return np.sqrt(variance * (variance > 1e-9)), pmf.max(axis=1)
