"""Klie et al. 2024: the plans of the paper, as printed and as they should be."""

from __future__ import annotations

import warnings

import numpy as np

import labelaudit as la
from labelaudit import as_published, evaluation
from labelaudit.double import Stages
from labelaudit.laws import law
from labelaudit.plan import SamplingPlan
from labelaudit.sequential import meeker_limits
from labelaudit.simulation import simulate

# Table 2 of the paper: sentences and erroneous sentences.
DATASETS = {"CoNLL 2003": (3380, 217), "IMDB": (24799, 499)}

# Rows of Table 3 that are plans, in the order of the paper.
PLANS = (
    "single",
    "double, full",
    "double, curtailed",
    "sequential, full",
    "sequential, curtailed",
)

FAMILY = {name: name.split(",")[0] for name in PLANS}  # the colour a plan is drawn in


def quietly(design, *arguments, **options) -> SamplingPlan:
    """A sequential plan whose missed risks the notebook discusses itself."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return design(*arguments, **options)


def truncated(levels: la.QualityLevels, lot_size: int | None) -> SamplingPlan:
    """Section 3.3's truncation: stop at the single plan's n, decide by its c.

    Curtailed, so that it also stops once that decision is certain.
    """
    n = la.single_plan(levels, lot_size).max_sample
    return la.curtail(quietly(la.sequential_plan, levels, lot_size, max_sample=n))


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
    accept, reject = meeker_limits(tighter, lot_size, lot_size)
    d_a, d_r = levels.errors(lot_size)
    lot = law(lot_size, lot_size)
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


def designed(levels: la.QualityLevels, lot_size: int | None) -> dict[str, SamplingPlan]:
    """The five plans, designed exactly."""
    return {
        "single": la.single_plan(levels, lot_size),
        "double, full": la.double_plan(levels, lot_size),
        "double, curtailed": la.double_plan(levels, lot_size, curtailed=True),
        "sequential, full": quietly(la.sequential_plan, levels, lot_size),
        "sequential, curtailed": truncated(levels, lot_size),
    }


def printed(levels: la.QualityLevels, lot_size: int) -> dict[str, SamplingPlan]:
    """The five plans as the paper describes them, with its double plans."""
    single = la.single_plan(levels, lot_size)
    stages = Stages(*as_published.double_plan(levels, lot_size))
    return {
        "single": single,
        "double, full": stages.plan(levels, lot_size, curtailed=False),
        "double, curtailed": stages.plan(levels, lot_size, curtailed=True),
        "sequential, full": quietly(la.sequential_plan, levels, lot_size),
        "sequential, curtailed": quietly(
            la.sequential_plan, levels, lot_size, max_sample=single.max_sample
        ),
    }


def released_truncation(levels: la.QualityLevels, lot_size: int) -> SamplingPlan:
    """The truncation in the released code, which the paper does not describe."""
    n = la.single_plan(levels, lot_size).max_sample
    return as_published.wedge_plan(levels, lot_size, n)


def replayed(dataset: str, levels: la.QualityLevels, limits: la.QualityLevels):
    """The released simulation of section 5 for one data set, seed by seed.

    `limits` are the levels whose sequential limits the full test is run with.
    """
    lot_size, errors = DATASETS[dataset]
    single = la.single_plan(levels, lot_size)
    n = single.max_sample
    return as_published.replay(
        lot_size,
        errors,
        double=as_published.double_plan(levels, lot_size),
        single=(n, int(single.accept[-1])),
        sequential=(
            quietly(la.sequential_plan, limits, lot_size),
            released_truncation(levels, lot_size),
        ),
    )


def streams(seed: int, *names: str) -> np.random.Generator:
    """A random stream for one row, the same whatever other rows there are."""
    return np.random.default_rng([seed, *(b for name in names for b in name.encode())])


def many(plan: SamplingPlan, errors: np.ndarray, repetitions: int, generator):
    """Runs of one plan on many lots at once: a DataFrame, `repetitions` a lot."""
    return simulate(
        plan.accept,
        plan.reject,
        plan.lot_size,
        np.repeat(errors, repetitions),
        len(errors) * repetitions,
        generator,
    )


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
