"""Curtailment, by looking ahead; decisions, one inspection at a time."""

from itertools import count, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

import labelaudit as la
import oracles
from regions import limits


def certain_verdict(accept, reject, n, x):
    """The verdict that every continuation from (n, x) ends with, or None."""
    if x <= accept[n]:
        return "accept"
    if x >= reject[n]:
        return "reject"
    clean = certain_verdict(accept, reject, n + 1, x)
    return clean if clean == certain_verdict(accept, reject, n + 1, x + 1) else None


@given(limits(longest=7))
def test_any_region(case):
    """Decisions by definition; curtailed, the same as early as they are certain."""
    plan = la.SamplingPlan(*case, lot_size=9)
    short = la.curtail(plan)
    accept, reject = plan.accept.tolist(), plan.reject.tolist()
    for outcomes in product((0, 1), repeat=plan.max_sample):
        word, n, x = oracles.verdict(accept, reject, outcomes)
        assert plan.decide([*outcomes, 1]) == la.Decision(word, n, x)
        certain = x = 0
        while certain_verdict(accept, reject, certain, x) is None:
            x += outcomes[certain]
            certain += 1
        assert short.decide(outcomes) == la.Decision(word, certain, x)
    for k in range(n):
        _, _, x = oracles.verdict(accept, reject, outcomes[:k])
        assert plan.decide(outcomes[:k]) == la.Decision("continue", k, x)
    assert la.curtail(short) == short
    assert (short.lot_size, short.levels) == (plan.lot_size, plan.levels)


# Outcomes -------------------------------------------------------------------------

PLAN = la.SamplingPlan([-1, -1, 0, 0, 1], [1, 2, 2, 2, 2], lot_size=10)


@pytest.mark.parametrize(
    ("outcomes", "decision"),
    [
        ([], ("continue", 0, 0)),
        ([1, 0, 1], ("reject", 3, 2)),
        ([0, 0, 1, 1, 1, 1, 1], ("accept", 2, 0)),  # what follows is ignored
    ],
)
def test_outcomes_in_every_form(outcomes, decision):
    for form in (
        tuple(outcomes),
        [bool(o) for o in outcomes],
        np.array(outcomes, dtype=int),
        np.array(outcomes, dtype=bool),
        pd.Series(outcomes, dtype=int),
        iter(outcomes),
    ):
        assert PLAN.decide(form) == la.Decision(*decision)


def test_a_generator_is_read_up_to_the_verdict():
    numbers = count()
    outcomes = (next(numbers) == 0 for _ in range(10))
    assert PLAN.decide(outcomes) == la.Decision("accept", 4, 1)
    assert next(numbers) == 4
