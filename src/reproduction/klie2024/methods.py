"""Klie et al. 2024: the plans of the paper, as printed and as they should be."""

import warnings
from collections.abc import Iterable
from functools import cache

import numpy as np

import labelaudit as la
from labelaudit import as_published
from labelaudit.laws.errors import Law
from labelaudit.plans import evaluation
from labelaudit.plans.double import Stages
from labelaudit.plans.levels import Task
from labelaudit.plans.plan import SamplingPlan
from labelaudit.plans.sequential import wald_limits

from ..machinery.run import quietly

# Table 2 of the paper: sentences and erroneous sentences.
DATASETS = {"CoNLL 2003": (3380, 217), "IMDB": (24799, 499)}

# Rows of Table 3 that are plans, in the order and with the names of the paper.
KINDS = ("full", "curtailed")
PLANS = (
    "single",
    *(f"{plan}, {k}" for plan in ("double", "sequential") for k in KINDS),
)

# The same as `printed` gives them. The paper calls its last one curtailed: it stops at
# the single plan's n, and goes on until there although the decision may be certain.
PRINTED = (*PLANS[:-1], "sequential, truncated")
IN_PAPER = dict(zip(PRINTED, PLANS))


def truncated(levels: la.QualityLevels, lot_size: int | None) -> SamplingPlan:
    """Section 3.3's truncation: in a lot at the single plan's n, by its c.

    In a process it is at three times the single plan's n. Curtailed, so that it also
    stops once that decision is certain.
    """
    if lot_size is None:
        return la.curtail(quietly(la.sequential_plan, levels))
    return la.curtail(cut(levels, lot_size))


@cache
def single_plan(levels: la.QualityLevels, lot_size: int | None) -> SamplingPlan:
    """The single plan, which much else asks for."""
    return la.single_plan(levels, lot_size)


@cache
def cut(levels: la.QualityLevels, lot_size: int) -> SamplingPlan:
    """The sequential test of a lot, cut at the single plan's n by its c."""
    single = single_plan(levels, lot_size)
    how = {"max_sample": single.max_sample, "forced_acceptance": single.accept[-1]}
    return quietly(la.sequential_plan, levels, lot_size, **how)


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


@cache
def designed(levels: la.QualityLevels, lot_size: int | None) -> dict[str, SamplingPlan]:
    """The five plans, designed exactly."""
    doubles = [la.double_plan(levels, lot_size, curtailed=c) for c in (False, True)]
    wald = quietly(la.sequential_plan, levels, lot_size)
    last = truncated(levels, lot_size)
    return dict(zip(PLANS, (single_plan(levels, lot_size), *doubles, wald, last)))


def published_double(levels: la.QualityLevels, lot_size: int) -> Stages | None:
    """The double plan of the published search; None where it finds none.

    In a small lot its two samples can exceed the lot, since they are sized as if
    the first were put back; and it finds nothing below a single plan with c = 0.
    """
    if single_plan(levels, lot_size).accept[-1] == 0:
        return None
    stages = Stages(*as_published.double_plan(levels, lot_size))
    return stages if 2 * stages.n <= lot_size else None


def require_plans(configurations: Iterable[la.QualityLevels], smallest: int) -> None:
    """Stop with a ValueError where the smallest lot is too small for two samples."""
    for levels in configurations:
        la.double_plan(levels, smallest)


@cache
def printed(levels: la.QualityLevels, lot_size: int) -> dict[str, SamplingPlan]:
    """The five plans as the paper describes them, with its double plans.

    Their names are `PRINTED`. Warns, and takes the exact double plan, where the
    published search has none.
    """
    task, stages = Task(levels, lot_size), published_double(levels, lot_size)
    if stages is None:
        message = f"no published double plan fits a lot of {lot_size}: the exact one"
        warnings.warn(f"{message} is shown", stacklevel=2)
        doubles = [la.double_plan(levels, lot_size, curtailed=c) for c in (False, True)]
    else:
        doubles = [stages.plan(task, curtailed=c) for c in (False, True)]
    wald, last = quietly(la.sequential_plan, levels, lot_size), cut(levels, lot_size)
    return dict(zip(PRINTED, (single_plan(levels, lot_size), *doubles, wald, last)))
