"""Klie et al. 2024: its data sets, its plans, and many simulated inspections."""

import warnings
from functools import cache

import numpy as np

import labelaudit as la
from labelaudit import as_published
from labelaudit.laws.errors import Law
from labelaudit.plans import evaluation
from labelaudit.plans.plan import SamplingPlan
from labelaudit.plans.runs import simulate
from labelaudit.plans.sequential import wald_limits

from ..machinery.run import quietly

# Table 2 of the paper: sentences and erroneous sentences.
DATASETS = {"CoNLL 2003": (3380, 217), "IMDB": (24799, 499)}


def truncated(levels: la.QualityLevels, lot_size: int | None) -> SamplingPlan:
    """The sequential test as `cut`, which also stops once that decision is certain."""
    return la.curtail(cut(levels, lot_size))


@cache
def single_plan(levels: la.QualityLevels, lot_size: int | None) -> SamplingPlan:
    """The single plan, which much else asks for."""
    return la.single_plan(levels, lot_size)


@cache
def cut(levels: la.QualityLevels, lot_size: int | None) -> SamplingPlan:
    """Section 3.3's truncation: in a lot at the single plan's n, by its c.

    In a process it is at three times the single plan's n.
    """
    last = None if lot_size is None else single_plan(levels, lot_size).max_sample
    return quietly(la.sequential_plan, levels, lot_size, max_sample=last)


@cache
def guaranteed(levels: la.QualityLevels, lot_size: int) -> SamplingPlan:
    """The least truncation of Wald's test that keeps both risks, curtailed.

    Walks along the untruncated test. At each n, what it has accepted at p_r and
    rejected at p_a is spent; the smallest acceptance number that keeps the
    producer's risk is tried, since a larger one only costs the consumer. Where no
    truncation will do, the limits are computed for slightly smaller risks.
    """
    for percent in range(100, 0, -2):
        alpha, beta = levels.alpha * percent / 100, levels.beta * percent / 100
        tighter = la.QualityLevels(levels.p_a, levels.p_r, alpha, beta)
        plan = _least_truncation(levels, lot_size, tighter)
        if plan is not None:
            return plan
    raise ValueError(f"no truncation keeps both risks in a lot of {lot_size}")


def _least_truncation(levels, lot_size, tighter) -> SamplingPlan | None:
    accept, reject = wald_limits(tighter, lot_size, lot_size)
    d_a, d_r = levels.errors(lot_size)
    lot = Law(lot_size)
    spent_a = spent_r = 0.0
    for n, low, share in evaluation.arrivals(accept, reject):
        x = np.arange(low, low + len(share))
        at_a, at_r = share * lot.pmf(x, n, d_a), share * lot.pmf(x, n, d_r)
        rejected = spent_a + np.append(np.cumsum(at_a[::-1])[::-1][1:], 0)  # x > c
        first = int(np.argmax(rejected <= levels.alpha + 1e-9))
        if spent_r + at_r[: first + 1].sum() <= levels.beta + 1e-9 and n > 0:
            limits = accept[: n + 1].copy(), reject[: n + 1].copy()
            limits[0][n], limits[1][n] = x[first], x[first] + 1
            plan = SamplingPlan(*limits, lot_size, levels)
            if plan.keeps_risks == (True, True):
                return la.curtail(plan)
        spent_a += at_a[x >= reject[n]].sum()
        spent_r += at_r[x <= accept[n]].sum()
    return None


def published_double(
    levels: la.QualityLevels, lot_size: int
) -> list[tuple[int, int, int]]:
    """Stages (n, accept, reject) of the double plan that the published search finds.

    In a small lot its two samples can exceed the lot, since they are sized as if the
    first were put back; and it finds nothing below a single plan with c = 0. There it
    warns, and gives the stages of the exact plan.
    """
    if single_plan(levels, lot_size).accept[-1] > 0:
        n, c1, c2 = as_published.double_plan(levels, lot_size)
        if 2 * n <= lot_size:
            return [(n, c1, c2 + 1), (2 * n, c2, c2 + 1)]
    message = f"no published double plan fits a lot of {lot_size}: the exact one"
    warnings.warn(f"{message} is shown", stacklevel=2)
    stages = la.double_plan(levels, lot_size).stages
    return [*zip(*(stages[name].tolist() for name in ("n", "accept", "reject")))]


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
