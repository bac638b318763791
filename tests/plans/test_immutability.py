"""Plans do not change, share nothing, and survive a trip through text."""

import json

import numpy as np
import pytest
from hypothesis import given

import labelaudit as la
from regions import KINDS, every_kind, lots, quietly

SMALL = la.QualityLevels(0.1, 0.4, 0.1, 0.2)
PLAN = la.single_plan(SMALL, 20)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("lot_size", [20, None])
def test_limits_are_read_only(kind, lot_size):
    plan = every_kind(SMALL, lot_size, 8)[kind]
    for limits in (plan.accept, plan.reject):
        with pytest.raises(ValueError, match="read-only"):
            limits[0] = 5


def test_input_arrays_are_copied():
    accept, reject = np.array([-1, -1, 0]), np.array([1, 2, 1])
    plan = la.SamplingPlan(accept, reject, lot_size=5)
    accept[:], reject[:] = 7, 9
    assert plan.accept.tolist() == [-1, -1, 0]
    assert plan.reject.tolist() == [1, 2, 1]
    errors = np.array([0, 3, 5])
    plan.acceptance_probability(errors)
    assert errors.tolist() == [0, 3, 5]


@pytest.mark.parametrize("lot_size", [400, None])
def test_plans_of_one_lot_size_do_not_know_of_each_other(lot_size):
    """The published cache returned the strict limits where relaxed were asked for.

    Every kind, asked in both orders and interleaved, is the same each time.
    """
    one, two = la.QualityLevels(0.02, 0.1, 0.05, 0.1), SMALL
    makers = [
        la.single_plan,
        la.double_plan,
        lambda *a: quietly(la.sequential_plan, *a),
        lambda *a: quietly(la.sequential_plan, *a, max_sample=30),
    ]
    forwards = [make(levels, lot_size) for make in makers for levels in (one, two)]
    backwards = [
        make(levels, lot_size) for make in makers[::-1] for levels in (two, one)
    ]
    assert forwards == backwards[::-1]
    assert all(a != b for a, b in zip(forwards[::2], forwards[1::2]))
    assert [p.levels for p in forwards] == [one, two] * 4


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("lot_size", [20, None])
def test_a_trip_through_text(kind, lot_size):
    plan = every_kind(SMALL, lot_size, 8)[kind]
    text = plan.to_json()
    back = la.SamplingPlan.from_json(text)
    assert back == plan and hash(back) == hash(plan)
    assert back.to_json() == text
    assert repr(back) == repr(plan)
    assert (back.lot_size, back.levels) == (lot_size, SMALL)
    with pytest.raises(ValueError, match="read-only"):
        back.accept[0] = 5


@given(lots(largest=9))
def test_any_region_through_text(case):
    accept, reject, lot_size = case
    plan = la.SamplingPlan(accept, reject, lot_size)
    data = json.loads(plan.to_json())
    assert (data["accept"], data["reject"]) == (
        plan.accept.tolist(),
        plan.reject.tolist(),
    )
    assert la.SamplingPlan.from_json(json.dumps(data)) == plan


@pytest.mark.parametrize(
    "other",
    [
        la.SamplingPlan(PLAN.accept, PLAN.reject, lot_size=21, levels=SMALL),
        la.SamplingPlan(PLAN.accept, PLAN.reject, levels=SMALL),
        la.SamplingPlan(PLAN.accept, PLAN.reject, lot_size=20),
        la.curtail(PLAN),
        "plan",
        None,
    ],
    ids=["another lot", "a process", "no levels", "curtailed", "text", "None"],
)
def test_plans_that_differ_in_anything_differ(other):
    assert other != PLAN
