"""From a plan to a verdict: the draw, the sheet, the audit and its report."""

import itertools
from dataclasses import FrozenInstanceError
from fractions import Fraction
from math import ceil, comb, isnan, perm

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from scipy.stats import chisquare

import drawing_oracle as oracle
import labelaudit as la
import refusals
from known import rows
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


def test_a_sheet_has_a_row_a_step_and_the_plans_own_limits():
    sheet = la.inspection_sheet(SMALL, seed=5)
    limits = ["accept_if_at_most", "reject_if_at_least"]
    assert sheet.columns.tolist() == ["step", "item", "wrong", *limits]
    assert sheet.step.tolist() == [1, 2, 3, 4, 5]
    assert sheet.wrong.isna().all()
    assert sheet.accept_if_at_most.tolist() == [pd.NA, 0, 0, 0, 1]
    assert sheet.reject_if_at_least.tolist() == [pd.NA, 2, 2, 2, 2]


@given(limits())
def test_the_limits_are_the_plan(region):
    plan = inspecting(*region)
    sheet = la.inspection_sheet(plan)
    n = np.arange(1, plan.max_sample + 1)
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


@pytest.mark.parametrize(
    "items",
    [
        tuple("abcdefgh"),
        np.arange(8) * 1.5,
        pd.Index(list("abcdefgh")),
        pd.Series(range(10, 18), index=range(8)),
        {f"k{i}": 0 for i in range(8)},
        [1, "1", (1,), 2, 3, 4, 5, 6],
    ],
    ids=lambda items: type(items).__name__,
)
def test_items_of_any_kind_are_a_part_of_the_lot(items):
    found = la.inspection_sheet(SMALL, items, seed=1).item.tolist()
    assert len(set(found)) == SMALL.max_sample
    assert set(found) <= set(items)


def test_every_ordered_sample_is_equally_likely():
    """Chi-square over all ordered samples of 2 of 5, seeds 0 to 999."""
    plan = la.SamplingPlan([-1, -1, 0], [1, 2, 1], lot_size=5)
    seen = [tuple(la.inspection_sheet(plan, seed=s).item) for s in range(1000)]
    counts = pd.Series(seen).value_counts()
    assert len(counts) == perm(5, 2)
    assert 0.001 < chisquare(counts.to_numpy()).pvalue < 0.999


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
    for errors in range(size + 1):
        audits = [
            la.audit(plan, [item in wrong for item in drawn], confidence=0.9)
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
    for n in range(plan.max_sample + 1):
        for outcomes in itertools.product((0, 1), repeat=n):
            found = la.audit(plan, outcomes)
            rest = plan.max_sample - n
            ends = [
                plan.decide([*outcomes, *more])
                for more in itertools.product((0, 1), repeat=rest)
            ]
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


@pytest.mark.parametrize(("column", "inspected", "ignored"), rows("missing_outcomes"))
def test_missing_at_the_end_is_not_inspected_yet(column, inspected, ignored):
    found = la.audit(SMALL, eval(column))
    assert (found.decision.inspected, found.ignored) == (int(inspected), int(ignored))


# Its report -----------------------------------------------------------------------

MISSING = la.audit(quietly(la.sequential_plan, la.RELAXED, 500), [])
# A single plan's sample in which too many are wrong already.
SURE = la.single_plan(la.QualityLevels(0.01, 0.04, 0.05, 0.1), 3000)
CERTAIN = la.audit(SURE, [True] * 5 + [False] * 25)
REJECTED, STOPPED = (
    la.audit(RELAXED, [1] * 2, confidence=0.9),
    la.audit(PROCESS, [0, 0]),
)
ACCEPTED = la.audit(RELAXED, [0] * 300)
GOING = la.audit(RELAXED, [0, 0, 0])
AT = {
    "N": ACCEPTED.decision.inspected,
    "AFTER": 300 - ACCEPTED.decision.inspected,
    "HIGH": ceil(1000 * ACCEPTED.interval[1]) / 10,
    "MOST": round(300 * ACCEPTED.interval[1]),
    "RIGHT": GOING.if_right.inspected - 3,
    "WRONG": GOING.if_wrong.inspected - 3,
    "UP_TO": ceil(100 * PROCESS.interval(2, 0)[1]),
    "GOING": GOING,
    "RELAXED": RELAXED,
}


@pytest.mark.parametrize(
    ("audit", "how", "begins", "says", "says_not"), rows("audit_reports")
)
def test_a_report_says_what_was_done_and_found(audit, how, begins, says, says_not):
    text = eval(audit).report(**eval(how))
    assert text.startswith(begins)
    assert [one for one in says.format_map(AT).split("|") if one not in text] == []
    assert [one for one in says_not.split("|") if one and one in text] == []


def test_the_line_explains_an_accepted_batch_with_a_high_upper_end():
    plan = la.single_plan(la.RELAXED, 300)
    assert plan.keeps_risks == (True, True)
    few = la.audit(plan, [0] * 300)
    assert few.line().startswith("ACCEPT: 0 wrong of")
    assert "that reaches above" not in few.line()
    many = la.audit(plan, [1] * int(plan.accept[-1]) + [0] * 300)
    said = (
        "that reaches above 5 %, the rate of a bad batch: this plan accepts up to 10 %"
    )
    assert said in many.line() and said in many.report()
    passing = la.SamplingPlan.from_stages([(40, 4, 5)], 300, la.RELAXED)
    passes = f"{100 * passing.consumers_risk:.0f} % of batches that bad"
    assert passing.consumers_risk > 0.2
    assert passes in la.audit(passing, [1] * 4 + [0] * 36).line()
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
    going, done = (estimate(aim, aim.plan, [1] * 9 + [0] * k) for k in (1, n - 9))
    said = f"Found wrong so far: 9 of 10. {n - 10} are left."
    assert said in going.report(seed=3)
    assert "drawn at random without replacement (seed 3)" in done.report(seed=3)
    assert "taken in the order of production" in done.report()
    assert "Found wrong: 9 (2." in done.report()
