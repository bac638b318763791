"""From a plan to a verdict: the draw, the sheet, the audit and its report."""

import itertools
from dataclasses import FrozenInstanceError
from fractions import Fraction
from functools import cache
from math import ceil, comb, isnan

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given

import drawing_oracle as oracle
import labelaudit as la
import refusals
from known import cases
from labelaudit.intervals.sample_sizes import widest
from labelaudit.reports.estimates import Aim, estimate
from regions import limits, lots, quietly

NAN = float("nan")
SMALL = la.SamplingPlan([-1, -1, 0, 0, 0, 1], [1, 2, 2, 2, 2, 2], lot_size=8)
RELAXED = la.optimal_plan(la.RELAXED, 300)


def inspecting(accept, reject, lot_size=None):
    """A plan that does not decide unseen."""
    plan = la.SamplingPlan(accept, reject, lot_size)
    assume(plan.decide([]).verdict == "continue")
    return plan


# The sheet ------------------------------------------------------------------------


@given(limits())
def test_a_sheet_has_a_row_a_step_and_the_plans_own_limits(region):
    plan = inspecting(*region)
    sheet = la.inspection_sheet(plan)
    limits = ["accept_if_at_most", "reject_if_at_least"]
    assert sheet.columns.tolist() == ["step", "item", "wrong", *limits]
    n = np.arange(1, plan.max_sample + 1)
    assert sheet.step.tolist() == n.tolist() and sheet.wrong.isna().all()
    accept = sheet.accept_if_at_most.fillna(-1)
    reject = sheet.reject_if_at_least.fillna(pd.Series(n + 1))
    assert la.SamplingPlan([-1, *accept], [1, *reject]) == plan


def test_the_order_is_what_is_drawn():
    """Of numbers from 1, of names, of a list of a process's units or in their order."""
    order = oracle.drawn(300, RELAXED.max_sample, 11)
    named = [f"i{k}" for k in range(1, 301)]
    process = la.SamplingPlan(SMALL.accept, SMALL.reject)
    whole = la.SamplingPlan([-1] * 8 + [3], list(range(1, 9)) + [4], lot_size=8)
    stock = list("abcdefg")
    for plan, items, seed, expected in (
        (RELAXED, None, 11, [k + 1 for k in order]),
        (RELAXED, named, 11, [f"i{k + 1}" for k in order]),
        (process, stock, 2, [stock[k] for k in oracle.drawn(7, 5, 2)]),
        (process, None, None, [1, 2, 3, 4, 5]),
    ):
        found = la.inspection_sheet(plan, items, seed=seed).item
        assert found.tolist() == expected
    assert sorted(la.inspection_sheet(whole, seed=0).item) == list(range(1, 9))


PROCESS = la.SamplingPlan(SMALL.accept, SMALL.reject)
UNSEEN = la.SamplingPlan([0, 0], [1, 1], lot_size=3)


@refusals.table("reports")
def test_what_cannot_be_drawn_or_audited_is_refused(row):
    names = {"SMALL": SMALL, "PROCESS": PROCESS, "UNSEEN": UNSEEN, "Aim": Aim}
    refusals.check(row, names)


# The whole way, exactly -----------------------------------------------------------


@given(lots(largest=7))
def test_sheet_and_audit_have_the_plans_own_properties(region):
    """Over all lots with D wrong items, for one fixed sheet.

    By symmetry these are as all orders of one lot: shares of accepted lots and mean
    inspections are the plan's exact ones, and intervals cover.
    """
    plan = inspecting(*region)
    size = plan.lot_size
    items = [f"item {k}" for k in range(size)]
    drawn = la.inspection_sheet(plan, items, seed=17).item

    @cache
    def audited(*outcomes):
        return la.audit(plan, outcomes, confidence=0.9)

    for errors in range(size + 1):
        audits = [
            audited(*(item in wrong for item in drawn))
            for wrong in map(set, itertools.combinations(items, errors))
        ]
        assert len(audits) == comb(size, errors)
        accepted = sum(a.decision.verdict == "accept" for a in audits)
        exact = plan.exact_acceptance_probability(errors)
        assert Fraction(accepted, len(audits)) == exact
        mean = np.mean([a.decision.inspected for a in audits])
        assert mean == pytest.approx(plan.average_sample_number(errors))
        rate = errors / size
        inside = [min(a.interval) <= rate <= max(a.interval) for a in audits]
        assert np.mean(inside) >= 0.9


# An audit -------------------------------------------------------------------------


@given(limits(longest=6))
def test_what_is_left_is_the_longest_of_all_continuations(region):
    plan = inspecting(*region)
    every = [*itertools.product((0, 1), repeat=plan.max_sample)]
    decided = {outcomes: plan.decide(outcomes) for outcomes in every}
    for n in range(plan.max_sample + 1):
        for outcomes in itertools.product((0, 1), repeat=n):
            found = la.audit(plan, outcomes)
            ends = [end for whole, end in decided.items() if whole[:n] == outcomes]
            if found.decision.verdict == "continue":
                assert found.left == max(end.inspected for end in ends) - n
                assert (found.if_right, found.if_wrong) == (ends[0], ends[-1])
                assert all(map(isnan, found.interval))
            else:
                assert (found.left, found.if_right, found.if_wrong) == (0, None, None)
                assert found.ignored == n - found.decision.inspected


def test_an_audit_after_the_verdict():
    found = la.audit(SMALL, [False, True, True, False, True], confidence=0.8)
    assert found.decision == SMALL.decide([0, 1, 1])
    assert found.interval == SMALL.interval(3, 2, 0.8)
    assert found.rate == 2 / 3
    assert found.ignored == 2
    assert isnan(la.audit(SMALL, []).rate)
    with pytest.raises(FrozenInstanceError):
        found.ignored = 3


@pytest.mark.parametrize(
    ("column", "inspected", "ignored"),
    [
        (pd.Series([False, True] + [pd.NA] * 3, dtype="boolean"), 2, 0),
        (pd.Series([0.0, 1.0, NAN, NAN, NAN]), 2, 0),
        (pd.Series([0, 1, None, None], dtype=object), 2, 0),
        ([0, 1], 2, 0),
        (iter([0, 1]), 2, 0),
        (np.array([False, True]), 2, 0),
        ([1, 1, NAN, NAN], 2, 0),
        ([1, 1, 0, NAN], 2, 1),
    ],
)
def test_missing_at_the_end_is_not_inspected_yet(column, inspected, ignored):
    found = la.audit(SMALL, column)
    assert (found.decision.inspected, found.ignored) == (inspected, ignored)


# Its report -----------------------------------------------------------------------

ACCEPTED, GOING = la.audit(RELAXED, [0] * 300), la.audit(RELAXED, [0, 0, 0])
AUDITS = {
    "accepted": ACCEPTED,
    "going": GOING,
    "not begun": la.audit(RELAXED, []),
    "nearly sure": la.audit(RELAXED, [0] * 300, confidence=0.99999),
    "rejected": la.audit(RELAXED, [1] * 2, confidence=0.9),
    "a risk missed": la.audit(quietly(la.sequential_plan, la.RELAXED, 500), []),
    "a process": la.audit(PROCESS, [0, 0]),
    # A single plan's sample in which too many are wrong already.
    "certain": la.audit(
        la.single_plan(la.QualityLevels(0.01, 0.04, 0.05, 0.1), 3000),
        [True] * 5 + [False] * 25,
    ),
}
HIGH = ACCEPTED.interval[1]
NUMBERS = {  # that sentences hold
    "plan": RELAXED,
    "n": ACCEPTED.decision.inspected,
    "after": 300 - ACCEPTED.decision.inspected,
    "high": ceil(1000 * HIGH) / 10,
    "most": round(300 * HIGH),
    "left": GOING.left,
    "right": GOING.if_right.inspected - 3,
    "wrong": GOING.if_wrong.inspected - 3,
    "up_to": ceil(100 * PROCESS.interval(2, 0)[1]),
}


@cases("audit_reports")
def test_a_report_says_what_was_done_and_found(case):
    text = AUDITS[case["audit"]].report(**case.get("how", {}))
    begin, *said = (one.format(**NUMBERS) for one in case["says"])
    assert text.startswith(begin)
    assert [words for words in said if words not in text] == []
    assert [words for words in case.get("not", []) if words in text] == []


def test_the_line_explains_an_accepted_batch_with_a_high_upper_end():
    plan = la.single_plan(la.RELAXED, 300)
    assert plan.keeps_risks == (True, True)
    few = la.audit(plan, [0] * 300)
    told = f"ACCEPT: 0 wrong of {few.decision.inspected} inspected; error rate 0 % to"
    told += f" {ceil(1000 * few.interval[1]) / 10:g} %, 95 % confidence"
    assert few.line().startswith(told)
    assert "that reaches above" not in few.line()
    many = la.audit(plan, [1] * int(plan.accept[-1]) + [0] * 300)
    said = (
        "that reaches above 5 %, the rate of a bad batch: this plan accepts up to 10 %"
    )
    assert said in many.line() and said in many.report()
    passing = la.SamplingPlan.from_stages([(40, 4, 5)], 300, la.RELAXED)
    passes = f"{ceil(100 * passing.consumers_risk)} % of batches that bad"
    assert passing.consumers_risk > 0.2
    assert passes in la.audit(passing, [1] * 4 + [0] * 36).line()
    # 0.95^76 + 76 0.05 0.95^75 = 0.1014, which 10 % would not be
    short = la.SamplingPlan.from_stages([(76, 1, 2)], None, la.RELAXED)
    assert "up to 11 % of batches that bad" in la.audit(short, [1] + [0] * 75).line()
    rejected = la.audit(plan, [1] * 300).line()
    assert "that reaches above" not in rejected and "95 % confidence" in rejected
    going = la.audit(plan, [0, 1])
    left = f"CONTINUE: 1 wrong of 2 inspected; at most {going.left} are left"
    assert going.line() == left


def test_an_estimate_says_what_it_is_good_for():
    aim = Aim(0.02, 0.05, 1000)
    n = aim.size.stable
    asked = f"Sample of {n} annotations from a lot of 1,000, for an estimate"
    assert aim.sentences().startswith(asked)
    assert f"({round(0.05 * n)} of {n})" in aim.sentences()
    assert f"up to {100 * aim.widest:.2g}" in aim.sentences()
    assert aim.widest == pytest.approx(widest(n, 1000, 0.95))
    assert Aim(0.02, None, 1000).sentences().endswith("whatever is found")
    found = ([1] * 9 + [0] * k for k in (1, n - 9))
    going, done = (estimate(aim, la.audit(aim.plan, given), given) for given in found)
    said = f"Found wrong so far: 9 of 10. {n - 10} are left."
    assert said in going.report(seed=3)
    assert "drawn at random without replacement (seed 3)" in done.report(seed=3)
    assert "taken in the order of production" in done.report()
    assert "Found wrong: 9 (2." in done.report()
