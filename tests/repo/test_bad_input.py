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
FEW = la.QualityLevels(0.1, 0.4, 0.1, 0.1)
SEQUENTIAL = partial(la.sequential_plan, la.STRICT)
TO_100 = partial(SEQUENTIAL, max_sample=100)
OF_LOT = partial(la.proportion_interval, lot_size=50)
INTERVAL = partial(la.proportion_interval, 3, 20)
SIZE = partial(la.interval_sample_size, rate=0.1, half_width=0.1)
SCALARS = "exact_acceptance_probability", "simulate"
QUESTIONS = "acceptance_probability", "average_sample_number", "sample_number_pmf"
NOT_UNITS = [NAN, INF, -0.1, 0.0, 1.0, 1.5]
NOT_SIZES = [0, -1, 2.5]
NOT_LIMITS = [[], np.zeros((2, 2), int), [[0], [0, 0]], [0, 0.5], [0, NAN], [0, INF],
              [0, None], [0, "1"], [True, False], [0, 10**20], [0, 1j]]  # fmt: skip
NOT_ONE = [([1, 1], ""), ([1], ""), (np.array([1, 0]), "")]
NOT_FOUND = [-1, 21, 2.5, ([2.5, 1], 2.5), ([0, 21], 21), ([[NAN]], "nan")]
NOT_DRAWN = [0, -1, ([3, 0], 0), ([3.5], 3.5)]


def given(call, **more):
    """The call with the argument of a name, and others."""
    return lambda name, value: call(**more | {name: value})


def first(call):
    return lambda name, value: call(value)


def limits(accept, reject, *more):
    return lambda name, value: la.SamplingPlan(accept, reject, *more)


# What is called with an argument, its name, and values, or values and what is shown.
CASES = [
    *((given(la.QualityLevels, **LEVELS), name, NOT_UNITS) for name in LEVELS),
    (given(la.QualityLevels, **LEVELS | {"p_a": 0.02}), "p_r", [0.01, 0.02]),
    (given(la.QualityLevels, p_a=0.1, p_r=0.2, alpha=0.9), "beta", [0.1]),
    (given(la.QualityLevels, p_a=0.1, p_r=0.2, alpha=0.7), "beta", [0.3]),  # .30..04
    *(
        (given(partial(make, la.STRICT)), "lot_size", [*NOT_SIZES, 1, 10, 16])
        for make in (la.single_plan, la.double_plan, la.sequential_plan)
    ),
    (first(la.STRICT.errors), "lot_size", [0, 16]),
    # of 3 with D 0 and 1, all must be inspected to find the one: not in two
    (given(partial(la.double_plan, FEW)), "lot_size", [3]),
    (first(la.single_plan), "levels",
     [(la.QualityLevels(0.1, 0.10001, 0.01, 0.01), 0.10001)]),
    (given(SEQUENTIAL, lot_size=1000), "max_sample", [0, 1001]),
    (given(SEQUENTIAL, lot_size=1000), "forced_acceptance", [3]),
    (given(TO_100, lot_size=1000), "forced_acceptance", [-1, 101, 2.5]),
    (given(TO_100, lot_size=None), "forced_acceptance", [-1, 101, 2.5]),
    # plans from two sequences
    (given(la.SamplingPlan, reject=[1, 1]), "accept", [(v, "") for v in NOT_LIMITS]),
    (given(la.SamplingPlan, accept=[-1, 0]), "reject", [(v, "") for v in NOT_LIMITS]),
    (given(partial(la.SamplingPlan, [-1, 0], [1, 1])), "lot_size", NOT_SIZES),
    (limits([0], [1], 25, la.QualityLevels(0.01, 0.02, 0.05, 0.1)), "lot_size", [25]),
    (limits([-1, 0], [1, 2, 1]), "reject", [3]),
    (limits([-1, 0], [1, 0]), "accept", [0]),
    (limits([1, 0], [0, 1]), "accept", [1]),
    (limits([-1, 2, 0], [1, 2, 1]), "accept", [2]),
    (limits([-1], [1]), "reject", [1]),
    (limits([-1, -1], [1, 1]), "reject", [1]),
    (limits([-1, 0], [1, 2]), "reject", [2]),
    (limits([-1, -1, 0], [1, 2, 2]), "reject", [2]),
    (limits([-1, -1, -1, 0], [1, 2, 3, 1], 2), "accept", [3]),  # more than the lot
    # questions to a plan
    *(
        (first(getattr(plan, question)), "errors", values)
        for question in SCALARS + QUESTIONS
        for plan, values in [
            (LOT, [-1, 11, 2.5, NAN]), (PROCESS, [-0.01, 1.01, NAN]),
            (LOT, [([0, 11], 11), ([2.5], 2.5)] if question in QUESTIONS else NOT_ONE),
            (PROCESS, [([0.5, 2], 2)] if question in QUESTIONS else NOT_ONE),
        ]
    ),
    (given(partial(LOT.simulate, 3)), "repetitions", [0]),
    (given(partial(LOT.simulate, 3, 10)), "seed", [-1]),
    *(
        (first(plan.decide), f"outcomes[{len(before)}]", [([*before, outcome, 0], "")])
        for outcome in ("1", 2, -1, 0.5, NAN, None, [1])
        for plan, before in [(LOT, []), (OPEN, [0])]
    ),
    # intervals
    *(
        (given(call, **{other: most}), name, values)
        for call in (la.proportion_interval, OF_LOT)
        for name, values, other, most in [
            ("errors_found", NOT_FOUND, "sample_size", 20),
            ("sample_size", NOT_DRAWN, "errors_found", 0),
        ]
    ),
    (given(la.proportion_interval, errors_found=1, lot_size=10), "sample_size", [11]),
    *(
        (given(call, **more), name, values)
        for call in (INTERVAL, SIZE)
        for name, values, more in [
            ("lot_size", NOT_SIZES, {}), ("method", ["wald", "Mid-P"], {}),
            ("confidence", NOT_UNITS, {}), ("confidence", NOT_UNITS, {"lot_size": 50}),
        ]
    ),
    (given(SIZE), "rate", [NAN, -0.1, 1.1]),
    (given(SIZE), "half_width", NOT_UNITS),
]  # fmt: skip
EACH = [
    (call, name, *(value if isinstance(value, tuple) else (value, value)))
    for call, name, values in CASES
    for value in values
]


@pytest.mark.parametrize(("call", "name", "value", "shown"), EACH)
def test_a_sentence_names_the_argument_and_shows_the_value(call, name, value, shown):
    sentence = rf"\b{escape(name)}.* must be .*{escape(str(shown))}"
    with pytest.raises(ValueError, match=sentence):
        call(name, value)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (partial(la.single_plan, la.STRICT, 16), r"0\.01.*0\.03"),
        (partial(la.double_plan, FEW, 3), "two"),
        (partial(SEQUENTIAL, 1000, forced_acceptance=3), "max_sample"),
        (partial(INTERVAL, method="wald"), "'clopper-pearson'.*'mid-p'"),
    ],
)
def test_what_is_missing_is_named_too(call, words):
    with pytest.raises(ValueError, match=words):
        call()


# As text --------------------------------------------------------------------------

GOOD = json.loads(LOT.to_json())
LEVELS_OF = {"p_a": 0.1, "p_r": 0.5, "alpha": 0.1}
NO_PLANS = ["", "{", "[]", "{}", "null", "3", b"\xff"]


def changed(key, value):
    return json.dumps(GOOD | {key: value})


@pytest.mark.parametrize(
    ("text", "name"),
    [
        *((text, "text") for text in NO_PLANS),
        *((json.dumps({k: v for k, v in GOOD.items() if k != key}), "text")
          for key in ("format", "accept", "reject", "lot_size", "levels")),
        (changed("format", "another/1"), "text"),
        (changed("accept", "012"), "accept"),
        (changed("accept", [0.5, 0, 0]), "accept"),
        (changed("accept", [-1, NAN, 0]), "accept"),
        (changed("accept", [-1, 0]), "reject"),
        (changed("accept", [5, 5, 5]), "accept"),
        (changed("reject", None), "reject"),
        (changed("reject", [1, 2, 3]), "reject"),
        (changed("lot_size", 1), "accept"),
        (changed("lot_size", "ten"), "lot_size"),
        (changed("levels", 3), "text"),
        (changed("levels", {}), "text"),
        (changed("levels", LEVELS_OF | {"gamma": 0.1}), "text"),
        (changed("levels", LEVELS_OF | {"p_a": 0.6, "beta": 0.1}), "p_r"),
        (changed("levels", LEVELS_OF | {"p_a": "a", "beta": 0.1}), "p_a"),
    ],
)  # fmt: skip
def test_text_that_is_no_plan(text, name):
    with pytest.raises(ValueError, match=rf"^{name} must be"):
        la.SamplingPlan.from_json(text)
