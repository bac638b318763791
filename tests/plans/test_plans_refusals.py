"""What plans refuse: tests/data/refused/plans.csv, with the names below.

Values of a wrong type are for tests/repo/test_every_input.py.
"""

import json

import labelaudit as la
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
