"""Every bad argument is a ValueError that names the argument and the value."""

import json
import re

import numpy as np
import pandas as pd
import pytest

import labelaudit as la

LOT = la.SamplingPlan([-1, 0, 0], [1, 2, 1], lot_size=10)
PROCESS = la.SamplingPlan([-1, 0, 0], [1, 2, 1])
NAN, INF = float("nan"), float("inf")

NOT_NUMBERS = ["3", None, True, [3], (3,), {}, 3j, b"3", pd.NA]
NOT_COUNTS = ["3", True, np.True_, [3], 3j, {}, pd.NA, NAN, INF, -INF, 2.5, -1]
NOT_UNITS = [*NOT_NUMBERS, NAN, INF, -0.1, 0.0, 1.0, 1.5, np.array([0.1, 0.2])]


def refused(name, value, call, *args, **kwargs):
    """The call fails with a ValueError that shows the argument and the value."""
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        call(*args, **kwargs)
    message = str(caught.value)
    assert re.search(rf"\b{re.escape(name)}", message), message
    if isinstance(value, (np.ndarray, list, tuple)):
        # an offending element may be shown in place of the whole
        entries = [*np.ravel(np.array(value, dtype=object)).tolist()]
        shown = [repr(value), *map(repr, entries)]
    else:
        shown = [repr(value), str(value)]
    assert any(form[:60] in message for form in shown), message
    assert "must be" in message, message
    return message


def each(*groups):
    """Readable ids for parameters of every type."""
    return [pytest.param(v, id=f"{type(v).__name__} {v!r}"[:40]) for v in groups]


# Quality levels -------------------------------------------------------------------


@pytest.mark.parametrize("name", ["p_a", "p_r", "alpha", "beta"])
@pytest.mark.parametrize("value", each(*NOT_UNITS))
def test_levels(name, value):
    good = {"p_a": 0.01, "p_r": 0.03, "alpha": 0.01, "beta": 0.05}
    refused(name, value, la.QualityLevels, **{**good, name: value})


@pytest.mark.parametrize(("p_a", "p_r"), [(0.03, 0.01), (0.02, 0.02)])
def test_levels_out_of_order(p_a, p_r):
    assert str(p_a) in refused("p_r", p_r, la.QualityLevels, p_a, p_r, 0.01, 0.05)


@pytest.mark.parametrize(("alpha", "beta"), [(0.5, 0.5), (0.9, 0.2), (0.99, 0.99)])
def test_risks_that_add_up_to_one(alpha, beta):
    assert str(alpha) in refused("beta", beta, la.QualityLevels, 0.1, 0.2, alpha, beta)


# Plans for levels -----------------------------------------------------------------

MAKERS = [la.single_plan, la.double_plan, la.sequential_plan]


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("levels", each("strict", None, (0.01, 0.03, 0.01, 0.05), 1))
def test_plans_need_levels(make, levels):
    refused("levels", levels, make, levels, 1000)
    refused("levels", levels, make, levels)


@pytest.mark.parametrize("make", [*MAKERS, la.STRICT.errors])
@pytest.mark.parametrize("lot_size", each(*NOT_COUNTS, 0))
def test_plans_need_a_lot_size(make, lot_size):
    args = () if make == la.STRICT.errors else (la.STRICT,)
    refused("lot_size", lot_size, make, *args, lot_size)


@pytest.mark.parametrize("make", [*MAKERS, la.STRICT.errors])
@pytest.mark.parametrize("lot_size", [1, 10, 16])
def test_lots_too_small_for_the_levels(make, lot_size):
    args = () if make == la.STRICT.errors else (la.STRICT,)
    message = refused("lot_size", lot_size, make, *args, lot_size)
    assert "0.01" in message and "0.03" in message


def test_lots_without_a_double_plan():
    """Of 3 with D 0 and 1, all must be inspected to find the one: not in two."""
    levels = la.QualityLevels(0.1, 0.4, 0.1, 0.1)
    assert la.single_plan(levels, 3).max_sample == 3
    assert "two" in refused("lot_size", 3, la.double_plan, levels, 3)


@pytest.mark.parametrize("max_sample", each(*NOT_COUNTS, 0, 1001))
def test_truncations(max_sample):
    refused(
        "max_sample",
        max_sample,
        la.sequential_plan,
        la.STRICT,
        1000,
        max_sample=max_sample,
    )


@pytest.mark.parametrize("forced", each(*NOT_COUNTS, 101))
def test_forced_acceptances(forced):
    for lot_size in (1000, None):
        refused(
            "forced_acceptance",
            forced,
            la.sequential_plan,
            la.STRICT,
            lot_size,
            max_sample=100,
            forced_acceptance=forced,
        )


def test_a_forced_acceptance_needs_a_truncation():
    message = refused(
        "forced_acceptance",
        3,
        la.sequential_plan,
        la.STRICT,
        1000,
        forced_acceptance=3,
    )
    assert "max_sample" in message


@pytest.mark.parametrize("curtailed", each("no", None, 2, NAN))
def test_curtailed_is_a_switch(curtailed):
    refused(
        "curtailed", curtailed, la.double_plan, la.STRICT, 1000, curtailed=curtailed
    )


@pytest.mark.parametrize("plan", each(None, "plan", ([0], [1]), la.STRICT))
def test_only_plans_are_curtailed(plan):
    refused("plan", plan, la.curtail, plan)


# Plans from two sequences ---------------------------------------------------------

BAD_LIMITS = [
    None,
    3,
    "012",
    b"012",
    [],
    np.zeros((2, 2), int),
    [[0, 0], [0, 0]],
    [[0], [0, 0]],
    [0, 0.5],
    [0, NAN],
    [0, INF],
    [0, None],
    [0, "1"],
    [True, False],
    [0, 10**20],
    [0, 1j],
]


@pytest.mark.parametrize("name", ["accept", "reject"])
@pytest.mark.parametrize("value", each(*BAD_LIMITS))
def test_limits(name, value):
    good = {"accept": [-1, 0], "reject": [1, 1]}
    refused(name, value, la.SamplingPlan, **{**good, name: value})


def test_limits_of_two_lengths():
    message = refused("reject", 3, la.SamplingPlan, [-1, 0], [1, 2, 1])
    assert "2" in message


@pytest.mark.parametrize(
    ("accept", "reject", "n"),
    [([-1, 0], [1, 0], 1), ([1, 0], [0, 1], 0), ([-1, 2, 0], [1, 2, 1], 1)],
)
def test_an_acceptance_that_meets_a_rejection(accept, reject, n):
    message = refused("accept", accept[n], la.SamplingPlan, accept, reject)
    assert f"n = {n}" in message and str(reject[n]) in message


@pytest.mark.parametrize(
    ("accept", "reject"),
    [([-1], [1]), ([-1, -1], [1, 1]), ([-1, 0], [1, 2]), ([-1, -1, 0], [1, 2, 2])],
)
def test_a_path_without_a_verdict(accept, reject):
    message = refused("reject", reject[-1], la.SamplingPlan, accept, reject)
    assert f"n = {len(accept) - 1}" in message


def test_limits_beyond_the_lot():
    message = refused("accept", 3, la.SamplingPlan, [-1, -1, -1, 0], [1, 2, 3, 1], 2)
    assert "2" in message and "lot" in message


@pytest.mark.parametrize("lot_size", each(*NOT_COUNTS, 0))
def test_lot_sizes_of_plans(lot_size):
    refused("lot_size", lot_size, la.SamplingPlan, [-1, 0], [1, 1], lot_size)


@pytest.mark.parametrize("levels", each("strict", (0.01, 0.03, 0.01, 0.05), 0))
def test_levels_of_plans(levels):
    refused("levels", levels, la.SamplingPlan, [-1, 0], [1, 1], 100, levels)


# Questions to a plan --------------------------------------------------------------

QUESTIONS = [
    "acceptance_probability",
    "average_sample_number",
    "sample_number_pmf",
    "exact_acceptance_probability",
    "simulate",
]
BAD_ERRORS = ["3", None, True, [True], ["3"], 3j, {}, NAN, INF, [[1], [1, 2]], pd.NA]


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("errors", each(*BAD_ERRORS, -1, 11, 2.5, [2.5], [0, 11], 1e30))
def test_errors_in_a_lot(question, errors):
    refused("errors", errors, getattr(LOT, question), errors)


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("errors", each(*BAD_ERRORS, -0.01, 1.01, [0.5, 2], 3))
def test_errors_in_a_process(question, errors):
    refused("errors", errors, getattr(PROCESS, question), errors)


@pytest.mark.parametrize("question", ["simulate", "exact_acceptance_probability"])
@pytest.mark.parametrize("errors", each([1, 1], [1], np.array([1, 0])))
def test_one_value_of_errors_only(question, errors):
    refused("errors", errors, getattr(LOT, question), errors)
    refused("errors", errors, getattr(PROCESS, question), errors)


@pytest.mark.parametrize("repetitions", each(*NOT_COUNTS, 0, None))
def test_repetitions(repetitions):
    refused("repetitions", repetitions, LOT.simulate, 3, repetitions)


@pytest.mark.parametrize("seed", each("1", -1, 1.5, NAN, {}))
def test_seeds(seed):
    refused("seed", seed, LOT.simulate, 3, 10, seed)


@pytest.mark.parametrize("outcomes", each(None, 3, True, 1.5))
def test_outcomes_are_a_sequence(outcomes):
    refused("outcomes", outcomes, LOT.decide, outcomes)


@pytest.mark.parametrize(
    "outcome", each("1", "wrong", 2, -1, 0.5, NAN, None, [1], 1j, pd.NA)
)
def test_each_outcome_is_zero_or_one(outcome):
    assert "outcomes[0]" in refused("outcomes", outcome, LOT.decide, [outcome, 0])
    plan = la.SamplingPlan([-1, -1, 0], [1, 2, 1])
    assert "outcomes[1]" in refused("outcomes", outcome, plan.decide, [0, outcome])


# As text --------------------------------------------------------------------------

GOOD = json.loads(LOT.to_json())


@pytest.mark.parametrize(
    "text", each(None, 3, "", "{", "nonsense", "[]", "{}", "null", "3", b"\xff")
)
def test_text_that_is_not_a_plan(text):
    refused("text", text, la.SamplingPlan.from_json, text)


@pytest.mark.parametrize(
    "missing", ["format", "accept", "reject", "lot_size", "levels"]
)
def test_incomplete_text(missing):
    text = json.dumps({k: v for k, v in GOOD.items() if k != missing})
    with pytest.raises(ValueError, match="text must be"):
        la.SamplingPlan.from_json(text)


@pytest.mark.parametrize(
    ("key", "value", "name"),
    [
        ("format", "another/1", "text"),
        ("accept", "012", "accept"),
        ("accept", [0.5, 0, 0], "accept"),
        ("accept", [-1, 0], "reject"),
        ("accept", [5, 5, 5], "accept"),
        ("reject", None, "reject"),
        ("reject", [1, 2, 3], "reject"),
        ("lot_size", 1, "accept"),
        ("lot_size", "ten", "lot_size"),
        ("levels", 3, "text"),
        ("levels", {}, "text"),
        ("levels", {"p_a": 0.1, "p_r": 0.5, "alpha": 0.1, "gamma": 0.1}, "text"),
        ("levels", {"p_a": 0.6, "p_r": 0.5, "alpha": 0.1, "beta": 0.1}, "p_r"),
        ("levels", {"p_a": "a", "p_r": 0.5, "alpha": 0.1, "beta": 0.1}, "p_a"),
    ],
)
def test_text_of_a_plan_that_is_wrong(key, value, name):
    with pytest.raises(ValueError, match=rf"^{name} must be"):
        la.SamplingPlan.from_json(json.dumps({**GOOD, key: value}))


def test_text_with_numbers_that_json_does_not_have():
    text = LOT.to_json().replace("[-1, 0, 0]", "[-1, NaN, 0]")
    with pytest.raises(ValueError, match=r"^accept must be .* nan"):
        la.SamplingPlan.from_json(text)


# Intervals ------------------------------------------------------------------------


@pytest.mark.parametrize("lot_size", [None, 50])
@pytest.mark.parametrize(
    "errors_found", each(*BAD_ERRORS, -1, 21, 2.5, [2.5, 1], [0, 21], [[NAN]])
)
def test_errors_found(errors_found, lot_size):
    refused(
        "errors_found", errors_found, la.proportion_interval, errors_found, 20, lot_size
    )


@pytest.mark.parametrize(  # arrays may be
    "sample_size", each(*(v for v in NOT_COUNTS if v != [3]), 0, None, [3, 0], [3.5])
)
def test_sample_sizes(sample_size):
    refused("sample_size", sample_size, la.proportion_interval, 0, sample_size)
    refused("sample_size", sample_size, la.proportion_interval, 0, sample_size, 50)


def test_a_sample_larger_than_the_lot():
    assert "10" in refused("sample_size", 11, la.proportion_interval, 1, 11, 10)


def interval(**kwargs):
    return la.proportion_interval(3, 20, **kwargs)


def size(**kwargs):
    return la.interval_sample_size(**{"rate": 0.1, "half_width": 0.1, **kwargs})


@pytest.mark.parametrize("call", [interval, size])
@pytest.mark.parametrize("lot_size", each(*NOT_COUNTS, 0))
def test_lot_sizes_of_intervals(call, lot_size):
    refused("lot_size", lot_size, call, lot_size=lot_size)


@pytest.mark.parametrize("call", [interval, size])
@pytest.mark.parametrize("confidence", each(*NOT_UNITS))
@pytest.mark.parametrize("lot_size", [None, 50])
def test_confidences(call, confidence, lot_size):
    refused("confidence", confidence, call, confidence=confidence, lot_size=lot_size)


@pytest.mark.parametrize("call", [interval, size])
@pytest.mark.parametrize("method", each("wald", "", None, 3, "Mid-P", ["mid-p"]))
def test_methods(call, method):
    message = refused("method", method, call, method=method)
    assert "'clopper-pearson'" in message and "'mid-p'" in message


@pytest.mark.parametrize("rate", each(*NOT_NUMBERS, NAN, -0.1, 1.1, INF))
def test_expected_rates(rate):
    refused("rate", rate, size, rate=rate)


@pytest.mark.parametrize("half_width", each(*NOT_UNITS))
def test_half_widths(half_width):
    refused("half_width", half_width, size, half_width=half_width)


# Values for the ledger ------------------------------------------------------------


@pytest.mark.parametrize("value", each(None, [1], {}, 1j, np.array([1, 2])))
def test_recorded_values(value):
    refused("risk", value, la.record, kept=True, risk=value)
