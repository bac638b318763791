"""Plans and intervals refuse what has no meaning: a sentence names it and shows it.

Values of a wrong type are for test_every_input.py.
"""

import json
from functools import partial
from re import escape

import numpy as np
import pytest

import labelaudit as la

NAN, INF = float("nan"), float("inf")
LOT = la.SamplingPlan([-1, 0, 0], [1, 2, 1], lot_size=10)
PROCESS = la.SamplingPlan([-1, 0, 0], [1, 2, 1])
OPEN = la.SamplingPlan([-1, -1, 0], [1, 2, 1])
LEVELS = {"p_a": 0.01, "p_r": 0.03, "alpha": 0.01, "beta": 0.05}
MAKERS = [la.single_plan, la.double_plan, la.sequential_plan]
SEQUENTIAL = partial(la.sequential_plan, la.STRICT)
STEPS = [-1, -1, -1, 0], [1, 2, 3, 1]
INTERVAL = partial(la.proportion_interval, 3, 20)
SIZE = partial(la.interval_sample_size, rate=0.1, half_width=0.1)
NOT_UNITS = [NAN, INF, -0.1, 0.0, 1.0, 1.5]
NOT_LIMITS = [[], np.zeros((2, 2), int), [[0], [0, 0]], [0, 0.5], [0, NAN], [0, INF],
              [0, None], [0, "1"], [True, False], [0, 10**20], [0, 1j]]  # fmt: skip

# The argument, what the sentence shows, and the call.
CASES = [
    # quality levels
    *(
        (name, value, partial(la.QualityLevels, **LEVELS | {name: value}))
        for name in LEVELS
        for value in NOT_UNITS
    ),
    ("p_r", 0.01, partial(la.QualityLevels, 0.03, 0.01, 0.01, 0.05)),
    ("p_r", 0.02, partial(la.QualityLevels, 0.02, 0.02, 0.01, 0.05)),
    ("beta", 0.1, partial(la.QualityLevels, 0.1, 0.2, 0.9, 0.1)),
    ("beta", 0.3, partial(la.QualityLevels, 0.1, 0.2, 0.7, 0.3)),  # 1 - .7 is .30..04
    # plans for levels
    *(
        ("lot_size", size, partial(make, la.STRICT, size))
        for make in MAKERS
        for size in (0, -1, 2.5, 1, 10, 16)
    ),
    *(("lot_size", size, partial(la.STRICT.errors, size)) for size in (0, 16)),
    ("lot_size", 25, partial(la.SamplingPlan, [0], [1], 25, la.QualityLevels(
        0.01, 0.02, 0.05, 0.1))),
    ("levels", 0.10001, partial(la.single_plan, la.QualityLevels(
        0.1, 0.10001, 0.01, 0.01))),
    # of 3 with D 0 and 1, all must be inspected to find the one: not in two
    ("lot_size", 3, partial(la.double_plan, la.QualityLevels(0.1, 0.4, 0.1, 0.1), 3)),
    *(("max_sample", n, partial(SEQUENTIAL, 1000, max_sample=n)) for n in (0, 1001)),
    *(
        ("forced_acceptance", c,
         partial(SEQUENTIAL, size, max_sample=100, forced_acceptance=c))
        for size in (1000, None)
        for c in (-1, 101, 2.5)
    ),
    ("forced_acceptance", 3, partial(SEQUENTIAL, 1000, forced_acceptance=3)),
    # plans from two sequences
    *(
        (name, "", partial(la.SamplingPlan, **{"accept": [-1, 0], "reject": [1, 1]}
                           | {name: value}))
        for name in ("accept", "reject")
        for value in NOT_LIMITS
    ),
    ("reject", 3, partial(la.SamplingPlan, [-1, 0], [1, 2, 1])),
    ("accept", 0, partial(la.SamplingPlan, [-1, 0], [1, 0])),
    ("accept", 1, partial(la.SamplingPlan, [1, 0], [0, 1])),
    ("accept", 2, partial(la.SamplingPlan, [-1, 2, 0], [1, 2, 1])),
    *(
        ("reject", limits[1][-1], partial(la.SamplingPlan, *limits))
        for limits in [([-1], [1]), ([-1, -1], [1, 1]), ([-1, 0], [1, 2]),
                       ([-1, -1, 0], [1, 2, 2])]
    ),
    ("accept", 3, partial(la.SamplingPlan, *STEPS, 2)),  # more than the lot
    *(("lot_size", size, partial(la.SamplingPlan, [-1, 0], [1, 1], size))
      for size in (0, -1, 2.5)),
    # questions to a plan
    *(
        ("errors", value, partial(getattr(plan, question), errors))
        for question in ("acceptance_probability", "average_sample_number",
                         "sample_number_pmf", "exact_acceptance_probability",
                         "simulate")
        for plan, errors, value in [
            (LOT, -1, -1), (LOT, 11, 11), (LOT, 2.5, 2.5), (LOT, NAN, "nan"),
            (PROCESS, -0.01, -0.01), (PROCESS, 1.01, 1.01), (PROCESS, NAN, "nan"),
        ]
    ),
    *(
        ("errors", value, partial(getattr(plan, question), errors))
        for question in ("acceptance_probability", "average_sample_number",
                         "sample_number_pmf")
        for plan, errors, value in [
            (LOT, [0, 11], 11), (LOT, [2.5], 2.5), (PROCESS, [0.5, 2], 2)]
    ),
    *(
        ("errors", "", partial(getattr(plan, question), errors))
        for question in ("simulate", "exact_acceptance_probability")
        for plan in (LOT, PROCESS)
        for errors in ([1, 1], [1], np.array([1, 0]))
    ),
    ("repetitions", 0, partial(LOT.simulate, 3, 0)),
    ("seed", -1, partial(LOT.simulate, 3, 10, -1)),
    *(
        (where, "", partial(plan.decide, given))
        for outcome in ("1", 2, -1, 0.5, NAN, None, [1])
        for where, plan, given in [("outcomes[0]", LOT, [outcome, 0]),
                                   ("outcomes[1]", OPEN, [0, outcome])]
    ),
    # intervals
    *(
        ("errors_found", value, partial(la.proportion_interval, errors, 20, size))
        for size in (None, 50)
        for errors, value in [(-1, -1), (21, 21), (2.5, 2.5), ([2.5, 1], 2.5),
                              ([0, 21], 21), ([[NAN]], "nan")]
    ),
    *(
        ("sample_size", value, partial(la.proportion_interval, 0, n, size))
        for size in (None, 50)
        for n, value in [(0, 0), (-1, -1), ([3, 0], 0), ([3.5], 3.5)]
    ),
    ("sample_size", 11, partial(la.proportion_interval, 1, 11, 10)),
    *(("lot_size", size, partial(call, lot_size=size))
      for call in (INTERVAL, SIZE) for size in (0, -1, 2.5)),
    *(("confidence", value, partial(call, confidence=value, lot_size=size))
      for call in (INTERVAL, SIZE) for value in NOT_UNITS for size in (None, 50)),
    *(("method", value, partial(call, method=value))
      for call in (INTERVAL, SIZE) for value in ("wald", "Mid-P")),
    *(("rate", value, partial(SIZE, rate=value)) for value in (NAN, -0.1, 1.1)),
    *(("half_width", value, partial(SIZE, half_width=value)) for value in NOT_UNITS),
]  # fmt: skip


@pytest.mark.parametrize(("name", "shown", "call"), CASES)
def test_a_sentence_names_the_argument_and_shows_the_value(name, shown, call):
    with pytest.raises(
        ValueError, match=rf"\b{escape(name)}.* must be .*{escape(str(shown))}"
    ):
        call()


def test_what_is_missing_is_named_too():
    for call, words in [
        (partial(la.single_plan, la.STRICT, 16), r"0\.01.*0\.03"),
        (partial(la.double_plan, la.QualityLevels(0.1, 0.4, 0.1, 0.1), 3), "two"),
        (partial(SEQUENTIAL, 1000, forced_acceptance=3), "max_sample"),
        (partial(INTERVAL, method="wald"), "'clopper-pearson'.*'mid-p'"),
    ]:
        with pytest.raises(ValueError, match=words):
            call()


# As text --------------------------------------------------------------------------

GOOD = json.loads(LOT.to_json())
LEVELS_OF = {"p_a": 0.1, "p_r": 0.5, "alpha": 0.1}


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", "null", "3", b"\xff"])
def test_text_that_is_not_a_plan(text):
    with pytest.raises(ValueError, match=r"^text must be"):
        la.SamplingPlan.from_json(text)


@pytest.mark.parametrize(
    ("key", "value", "name"),
    [
        *((key, "missing", "text") for key in GOOD if key in
          ("format", "accept", "reject", "lot_size", "levels")),
        ("format", "another/1", "text"),
        ("accept", "012", "accept"),
        ("accept", [0.5, 0, 0], "accept"),
        ("accept", [-1, NAN, 0], "accept"),
        ("accept", [-1, 0], "reject"),
        ("accept", [5, 5, 5], "accept"),
        ("reject", None, "reject"),
        ("reject", [1, 2, 3], "reject"),
        ("lot_size", 1, "accept"),
        ("lot_size", "ten", "lot_size"),
        ("levels", 3, "text"),
        ("levels", {}, "text"),
        ("levels", LEVELS_OF | {"gamma": 0.1}, "text"),
        ("levels", LEVELS_OF | {"p_a": 0.6, "beta": 0.1}, "p_r"),
        ("levels", LEVELS_OF | {"p_a": "a", "beta": 0.1}, "p_a"),
    ],
)  # fmt: skip
def test_text_of_a_plan_that_is_wrong(key, value, name):
    text = {**GOOD, key: value}
    if value == "missing":
        del text[key]
    with pytest.raises(ValueError, match=rf"^{name} must be"):
        la.SamplingPlan.from_json(json.dumps(text))
