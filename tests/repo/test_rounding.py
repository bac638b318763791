"""Plans, sample sizes and limits do not hang on the last digits of a processor.

With the errors of noise.py every discrete result must stay what it is.
"""

from functools import partial

import numpy as np
import pytest

import labelaudit as la
import noise
from regions import quietly

CLOSE = la.QualityLevels(0.1, 0.2, 1e-9, 0.5)
TIES = la.QualityLevels(0.25, 0.5, 0.25, 0.25)  # with fractions of two
LOTS = [
    *((la.STRICT, n) for n in (60, 1000)),
    (la.RELAXED, 60),
    *((la.QualityLevels(0.05, 0.15, 0.05, 0.1), n) for n in (60, None)),
    *((la.QualityLevels(0.1, 0.3, 0.1, 0.1), n) for n in (60, None)),
    *((CLOSE, n) for n in (60, 300)),
    *((TIES, n) for n in (60, 1000, None)),
]
OBJECTIVES = "balanced", "minimax", "p_a", "p_r"


def answer(function, *args, **more):
    """A refusal is an answer too."""
    try:
        found = quietly(function, *args, **more)  # a risk is missed
    except ValueError as error:
        return str(error)
    if isinstance(found, la.SamplingPlan):
        return found.to_json(), found.keeps_risks, la.curtail(found).to_json()
    return np.array(found).tolist()


def plans(levels, lot_size):
    calls = [la.single_plan, la.double_plan, partial(la.double_plan, curtailed=True)]
    calls += [la.sequential_plan, partial(la.sequential_plan, max_sample=40)]
    return [answer(make, levels, lot_size) for make in calls]


def optimal(levels, lot_size):
    weights = {levels.p_a: 2, (levels.p_a + levels.p_r) / 2: 1, levels.p_r: 1}
    found = [quietly(la.optimal_plan, levels, lot_size, objective=one)
             for one in (*OBJECTIVES, weights)]  # fmt: skip
    # their bounds are doubles
    return [(p.accept.tolist(), p.reject.tolist(), p.note) for p in found]


def sizes(method):
    ask = partial(la.interval_sample_size, method=method, confidence=0.9)
    yield answer(ask, 0.12, 0.06)
    yield answer(ask, 0.5, 0.1, 300)
    for kappa in (0, 0.4, 0.6, 0.9):
        yield la.items_needed(kappa, 0.3, 0.1)
        yield la.items_needed(kappa, 0.25, 0.05, 5)
        yield la.items_needed(kappa, 0.5, 0.05, 3)


def limits(method):
    for n, lot_size in ((7, 20), (20, 40), (64, 1000)):
        for confidence in (0.75, 0.95, 1 - 1e-9):
            ask = {"confidence": confidence, "method": method}
            yield answer(la.proportion_interval, range(n + 1), n, lot_size, **ask)
    plan = la.curtail(la.single_plan(la.RELAXED, 1000))
    yield from (answer(plan.interval, *at) for at in ((150, 9), (200, 9), (241, 3)))


SMALL = [(la.QualityLevels(0.1, 0.4, 0.1, 0.1), 20)]
SMALL += [(la.QualityLevels(0.2, 0.7, 0.1, 0.1), None)]
METHODS = [(method,) for method in ("clopper-pearson", "mid-p", "optimal")]
CASES = [*((plans, lot) for lot in LOTS), *((optimal, lot) for lot in SMALL)]
CASES += [(function, one) for function in (sizes, limits) for one in METHODS]


@pytest.mark.parametrize(("function", "args"), CASES)
def test_discrete_results_are_the_same(function, args):
    right = [*function(*args)]
    with noise.errors(1):
        assert [*function(*args)] == right
