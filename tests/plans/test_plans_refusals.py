"""What plans refuse: tests/data/refused/plans.csv, with the names below.

Values of a wrong type are for tests/repo/test_every_input.py.
"""

import json

import pytest

import labelaudit as la
import oracles
import refusals
from labelaudit.plans import groups

GOOD = {"p_a": 0.01, "p_r": 0.03, "alpha": 0.01, "beta": 0.05}
FEW, WIDE = la.QualityLevels(0.1, 0.4, 0.1, 0.1), la.QualityLevels(0.05, 0.2, 0.1, 0.1)
LOT = la.SamplingPlan([-1, 0, 0], [1, 2, 1], lot_size=10)
PROCESS = la.SamplingPlan([-1, 0, 0], [1, 2, 1])
OPEN = la.SamplingPlan([-1, -1, 0], [1, 2, 1])
STOPS = la.SamplingPlan([-1, -1, 0, -1, 1], [2, 3, 2, 4, 2], 10)
GROUPED = la.SamplingPlan(
    [-1, -1, -1, 0, 0, 0, 1, 1, 2], [1, 2, 2, 2, 3, 3, 3, 3, 3], 12
)
PART = {"p_a": 0.1, "p_r": 0.5, "alpha": 0.1}
group_interval = groups.group_interval
from_json, stages = la.SamplingPlan.from_json, la.SamplingPlan.from_stages


def changed(key, value):
    return json.dumps(json.loads(LOT.to_json()) | {key: value})


def without(key):
    data = json.loads(LOT.to_json())
    del data[key]
    return json.dumps(data)


@refusals.table("plans")
def test_plans_refuse(row):
    refusals.check(row, globals())


@pytest.mark.parametrize("objective", ["balanced", "minimax", {0.02: 1}])
@pytest.mark.parametrize(("lot_size", "max_sample"), [(1000, 100), (None, 300)])
def test_a_cap_that_no_plan_can_keep_is_refused(lot_size, max_sample, objective):
    """By Neyman and Pearson no plan of so few inspections keeps both risks.

    The best randomised test of max_sample outcomes that rejects at p_a with
    probability alpha accepts at p_r with more than beta, and a sequential plan of at
    most max_sample is no better.
    """
    d_a, d_r = oracles.in_counts((0.01, 0.03), lot_size)
    alpha, beta = oracles.decimal(0.01), oracles.decimal(0.05)
    c = 0
    while 1 - oracles.cdf(c, max_sample, lot_size, d_a) > alpha:
        c += 1
    (at_a, point_a), (at_r, point_r) = (
        [of(c, max_sample, lot_size, d) for of in (oracles.cdf, oracles.pmf)]
        for d in (d_a, d_r)
    )
    assert at_r - (at_a - 1 + alpha) / point_a * point_r > beta
    with pytest.raises(ValueError, match=f"max_sample.*{max_sample}"):
        la.optimal_plan(la.STRICT, lot_size, objective=objective, max_sample=max_sample)
