"""SamplingPlan.from_stages: the same plans by rows, and what it refuses."""

import numpy as np
import pandas as pd
import pytest

import labelaudit as la
from regions import KINDS, every_kind

SMALL = la.QualityLevels(0.1, 0.4, 0.1, 0.2)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("lot_size", [20, None])
def test_a_plans_own_stages_give_its_decisions_again(kind, lot_size):
    plan = every_kind(SMALL, lot_size, 8)[kind]
    for stages in (plan.stages, plan.stages.values.tolist()):
        again = la.SamplingPlan.from_stages(stages, lot_size, SMALL)
        assert again.stages.equals(plan.stages)
        assert (again.lot_size, again.levels) == (lot_size, SMALL)
        errors = range(21) if lot_size else np.linspace(0, 1, 21)
        table = again.sample_number_pmf(errors)
        assert table == pytest.approx(plan.sample_number_pmf(errors)[:, : len(table.T)])
        assert (
            again.acceptance_probability(errors) == plan.acceptance_probability(errors)
        ).all()


@pytest.mark.parametrize(
    ("levels", "single", "double"),
    [
        (la.STRICT, [(428, 8, 9)], [(243, 3, 9), (486, 8, 9)]),
        (la.RELAXED, [(245, 8, 9)], [(126, 2, 9), (252, 8, 9)]),
    ],
)
def test_single_and_double_plans_by_their_numbers(levels, single, double):
    """Klie et al. 2024, section 3.3, and the exact double plans of test_plans.py."""
    made = la.SamplingPlan.from_stages
    assert made(single, 1000, levels) == la.single_plan(levels, 1000)
    assert made(double, 1000, levels) == la.double_plan(levels, 1000)


def test_columns_are_found_by_name_in_any_order():
    table = pd.DataFrame({"reject": [2, 2], "why": "x", "n": [3, 6], "accept": [-1, 1]})
    plan = la.SamplingPlan.from_stages(table)
    assert plan.accept.tolist() == [-1, -1, -1, -1, -1, -1, 1]
    assert plan.reject.tolist() == [1, 2, 3, 2, 5, 6, 2]
    assert la.SamplingPlan.from_stages([(0, 0, 1)]).max_sample == 0


@pytest.mark.parametrize(
    ("stages", "words"),
    [
        ([(5, 0, 2), (5, 1, 2)], r"rows whose n rise, from 0 on, got \[5, 5\]"),
        ([(5, 0, 2), (4, 1, 2)], "rows whose n rise"),
        ([(-1, 0, 1)], "rows whose n rise"),
        ([(21, 0, 1)], "n of at most the 20 that the lot has, got 21"),
        ([(5, 2, 2), (9, 2, 3)], r"accept less than reject, got \(5, 2, 2\)"),
        ([(5, 0, 2)], r"the last with reject = accept \+ 1, got \(5, 0, 2\)"),
        ([(5.5, 0, 1)], "whole numbers, got 5.5"),
        ([(5, float("nan"), 1)], "whole numbers, got nan"),
        ([("5", 0, 1)], "stages must be"),
        ([(5, 0)], r"rows \(n, accept, reject\), three whole numbers"),
        ([(5, 0, 1), (9, 1)], "three whole numbers"),
        ([], "at least one row"),
        (None, "stages must be"),
        (pd.DataFrame({"n": [5], "accept": [0]}), r"got \['n', 'accept'\]"),
    ],
)
def test_what_is_no_plan_is_refused(stages, words):
    with pytest.raises(ValueError, match=words):
        la.SamplingPlan.from_stages(stages, 20)


def test_stages_that_a_plan_shows_make_the_plan_again():
    """Also where all that is left at the end is rejected."""
    plan = la.SamplingPlan([-1, 0, -1], [1, 2, 1])
    assert la.SamplingPlan.from_stages(plan.stages) == plan
