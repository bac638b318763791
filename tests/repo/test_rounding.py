"""Plans, sample sizes and limits do not hang on the last digits of a processor.

With the errors of noise.py every discrete result must stay what it is.
"""

import warnings

import numpy as np
import pytest

import labelaudit as la
import noise
import optimal_trial

LEVELS = [
    la.STRICT,
    la.RELAXED,
    la.QualityLevels(0.05, 0.15, 0.05, 0.1),
    la.QualityLevels(0.1, 0.3, 0.1, 0.1),
    la.QualityLevels(0.1, 0.2, 1e-9, 0.5),
    la.QualityLevels(0.25, 0.5, 0.25, 0.25),  # ties with fractions of two
]
# With each levels a small lot; a large one and a process, where that is quick or the
# levels are extreme.
LOTS = [[60, 1000], [60], [60, None], [60, None], [60, 300], [60, 1000, None]]


def plans(levels, lot_size):
    """All plans for these levels, as text; a refusal is an answer too."""
    single = {"max_sample": 40}
    for make, options in (
        (la.single_plan, {}),
        (la.double_plan, {}),
        (la.double_plan, {"curtailed": True}),
        (la.sequential_plan, {}),
        (la.sequential_plan, single),
    ):
        try:
            plan = make(levels, lot_size, **options)
        except ValueError as error:
            yield str(error)
            continue
        yield plan.to_json()
        yield plan.keeps_risks
        yield la.curtail(plan).to_json()


def sizes():
    for method in ("clopper-pearson", "mid-p", "optimal"):
        for lot_size, rate, half_width in ((None, 0.12, 0.06), (300, 0.5, 0.1)):
            if lot_size is None and method == "optimal":
                continue
            yield la.interval_sample_size(
                rate, half_width, lot_size, method=method, confidence=0.9
            )
    for kappa in (0, 0.4, 0.6, 0.9):
        yield la.items_needed(kappa, 0.3, 0.1)
        yield la.items_needed(kappa, 0.25, 0.05, 5, model="beta-binomial")
        yield la.items_needed(kappa, 0.5, 0.05, 3, model="two-class")


def limits():
    for method in ("clopper-pearson", "mid-p", "optimal"):
        for n, lot_size in ((7, 20), (20, 40), (64, 1000)):
            for confidence in (0.75, 0.95, 1 - 1e-9):
                ends = la.proportion_interval(
                    np.arange(n + 1), n, lot_size, confidence=confidence, method=method
                )
                yield np.array(ends).tolist()
    plan = la.curtail(la.single_plan(la.RELAXED, 1000))
    for n, x in ((150, 9), (200, 9), (241, 3)):
        try:
            yield plan.interval(n, x)
        except ValueError as error:
            yield str(error)


def answers(function, *args):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # a risk is missed
        return list(function(*args))


CASES = [
    *[pytest.param(plans, (v, n), id=f"plans {i} {n}")
      for i, (v, lots) in enumerate(zip(LEVELS, LOTS)) for n in lots],
    pytest.param(sizes, (), id="sample sizes"),
    pytest.param(limits, (), id="limits in lots"),
]  # fmt: skip


@pytest.mark.parametrize(("function", "args"), CASES)
def test_discrete_results_are_the_same(function, args):
    right = answers(function, *args)
    with noise.errors(1):
        assert answers(function, *args) == right


@pytest.mark.parametrize("probabilities", [False, True])
@pytest.mark.parametrize(
    ("levels", "lot_size"),
    [
        (la.QualityLevels(0.1, 0.4, 0.1, 0.1), 20),
        (la.QualityLevels(0.2, 0.7, 0.1, 0.1), None),
    ],
)
def test_optimal_plans_are_the_same(levels, lot_size, probabilities):
    """Two small ones; optimal_trial.py tries 200 pairs of levels and lot sizes."""
    assert not any(optimal_trial.compared(levels, lot_size, 1, probabilities))
