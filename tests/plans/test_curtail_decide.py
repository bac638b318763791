"""Curtailment, by looking ahead; decisions, one inspection at a time."""

from itertools import count, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

import labelaudit as la
import oracles
from regions import KINDS, every_kind, limits

SMALL = la.QualityLevels(0.1, 0.4, 0.1, 0.2)


def check_curtailment(plan):
    """Same verdicts, never later, and as early as the verdict is certain."""
    short = la.curtail(plan)
    accept, reject = plan.accept.tolist(), plan.reject.tolist()
    for outcomes in product((0, 1), repeat=plan.max_sample):
        word, n, _ = oracles.verdict(accept, reject, outcomes)
        decision = short.decide(outcomes)
        assert decision.verdict == word
        assert decision.inspected <= n
        certain = x = 0
        while oracles.certain_verdict(accept, reject, certain, x) is None:
            x += outcomes[certain]
            certain += 1
        assert (decision.inspected, decision.errors_found) == (certain, x)
    assert la.curtail(short) == short
    assert (short.lot_size, short.levels) == (plan.lot_size, plan.levels)


@settings(max_examples=120)
@given(limits(longest=7))
def test_curtailing_any_region(case):
    check_curtailment(la.SamplingPlan(*case, lot_size=9))


@pytest.mark.parametrize("kind", KINDS)
def test_curtailing_every_kind(kind):
    check_curtailment(every_kind(SMALL, 12, 6)[kind])


# Decisions ------------------------------------------------------------------------

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
    read = []

    def annotations():
        for i in count():
            read.append(i)
            yield i == 0

    assert PLAN.decide(annotations()) == la.Decision("accept", 4, 1)
    assert read == [0, 1, 2, 3]


@given(limits(longest=10))
def test_decisions_follow_the_definition(case):
    plan = la.SamplingPlan(*case)
    rng = np.random.default_rng(7)
    for _ in range(10):
        outcomes = rng.integers(0, 2, rng.integers(0, 14)).tolist()
        word, n, x = oracles.verdict(
            plan.accept.tolist(), plan.reject.tolist(), outcomes[: plan.max_sample]
        )
        assert plan.decide(outcomes) == la.Decision(word, n, x)
