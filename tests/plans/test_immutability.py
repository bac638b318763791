"""Plans do not change, share nothing, and survive a trip through text and stages."""

import numpy as np
import pandas as pd
import pytest

import labelaudit as la
from regions import SMALL, every_plan


@every_plan(20, 8)
def test_a_trip_through_text_and_stages(plan):
    text = plan.to_json()
    back = la.SamplingPlan.from_json(text)
    assert back == plan and hash(back) == hash(plan)
    assert back.to_json() == text
    assert repr(back) == repr(plan)
    assert (back.lot_size, back.levels) == (plan.lot_size, SMALL)
    for limits in (plan.accept, plan.reject, back.accept, back.reject):
        with pytest.raises(ValueError, match="read-only"):
            limits[0] = 5
    errors = range(21) if plan.lot_size else np.linspace(0, 1, 21)
    pmf, accepted = plan.sample_number_pmf(errors), plan.acceptance_probability(errors)
    for stages in (plan.stages, plan.stages.values.tolist()):
        again = la.SamplingPlan.from_stages(stages, plan.lot_size, SMALL)
        assert again.stages.equals(plan.stages)
        assert (again.lot_size, again.levels) == (plan.lot_size, SMALL)
        table = again.sample_number_pmf(errors)
        assert table == pytest.approx(pmf[:, : len(table.T)])
        assert (again.acceptance_probability(errors) == accepted).all()


def test_columns_of_stages_are_found_by_name_in_any_order():
    table = pd.DataFrame({"reject": [2, 2], "why": "x", "n": [3, 6], "accept": [-1, 1]})
    plan = la.SamplingPlan.from_stages(table)
    assert plan.accept.tolist() == [-1, -1, -1, -1, -1, -1, 1]
    assert plan.reject.tolist() == [1, 2, 3, 2, 5, 6, 2]
    assert la.SamplingPlan.from_stages([(0, 0, 1)]).max_sample == 0
    # also where all that is left at the end is rejected
    plan = la.SamplingPlan([-1, 0, -1], [1, 2, 1])
    assert la.SamplingPlan.from_stages(plan.stages) == plan


def test_input_arrays_are_copied():
    accept, reject = np.array([-1, -1, 0]), np.array([1, 2, 1])
    plan = la.SamplingPlan(accept, reject, lot_size=5)
    accept[:], reject[:] = 7, 9
    assert plan.accept.tolist() == [-1, -1, 0]
    assert plan.reject.tolist() == [1, 2, 1]
    errors = np.array([0, 3, 5])
    plan.acceptance_probability(errors)
    assert errors.tolist() == [0, 3, 5]


def test_plans_that_differ_in_anything_differ():
    plan = la.single_plan(SMALL, 20)
    region = plan.accept, plan.reject
    for other in (
        la.SamplingPlan(*region, lot_size=21, levels=SMALL),
        la.SamplingPlan(*region, levels=SMALL),
        la.SamplingPlan(*region, lot_size=20),
        la.curtail(plan),
        "plan",
        None,
    ):
        assert other != plan
