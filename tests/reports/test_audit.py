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
N, (LOW, HIGH) = ACCEPTED.decision.inspected, ACCEPTED.interval
RIGHT, WRONG = GOING.if_right.inspected - 3, GOING.if_wrong.inspected - 3
UP_TO = ceil(100 * PROCESS.interval(2, 0)[1])

RISKS = f"""2 % (6 wrong) this plan rejects with a probability of \
{RELAXED.producers_risk:.4g} (producer's risk, 0.05 allowed) and at 5 % (15 wrong) it \
accepts with {RELAXED.consumers_risk:.4g} (consumer's"""
WHERE = f"""With 95 % confidence its error rate before any correction is between 0 % \
and {ceil(1000 * HIGH) / 10:g} % (0 to {round(300 * HIGH)} wrong): an exact interval, \
valid after this stopping rule"""
LEFT = f" Left out: {300 - N} outcomes that came after the verdict. This takes"
AHEAD = f"""There is no verdict yet, and so no valid interval. At most {GOING.left} \
inspections are left; the next {RIGHT}, if right, lead to acceptance, and the next \
{WRONG}, if wrong, lead to rejection"""
TAKEN = "was audited by acceptance sampling: annotations were taken"
ALIKE = f"""The process is accepted. With 95 % confidence its error rate before any \
correction is between 0 % and {UP_TO} %: an exact"""
PRODUCER = "the producer's risk is more"

DRAWN = "without replacement (seed 23) and"
FOUND = f"Found wrong: 0 of {N} inspected (0 %). The lot is accepted. "
GRANTED = "takes for granted that the inspection itself is right"
HOW_LONG = f"until a plan of at most {RELAXED.max_sample} inspec"
MORE = "both exact; the consumer's risk is more than was allowed."
AT_RANDOM = "taken at random (seed 4) and"

REPORTS = [  # an audit; how it is reported; what it begins with, says and does not say
    (ACCEPTED, {"kind": "optimal"}, f"A lot of 300 annotations {TAKEN} at random",
     ["until an optimal plan of at most"], ["\n", "risk is more"]),
    (ACCEPTED, {"seed": 23}, "A lot", [DRAWN], ["no verdict"]),
    (ACCEPTED, {}, "A lot", [HOW_LONG, RISKS, FOUND, WHERE, LEFT, GRANTED],
     ["seed", PRODUCER, "?", "is being audited", "There is no", "meanwhile"]),
    (REJECTED, {"name": "It"}, f"It (a lot of 300 annotations) {TAKEN}",
     ["The lot is rejected. With 90 % confidence"], ["Left out", "accepted"]),
    (GOING, {"kind": "single"}, "A lot",
     ["is being audited", f"Found wrong: 0 of 3 inspected (0 %). {AHEAD}"],
     ["gave a verdict", "confidence"]),
    (la.audit(RELAXED, []), {}, "A lot", ["Found wrong: 0 of 0 inspected. There"],
     ["(0 %)"]),
    (MISSING, {}, "A lot", [MORE], [PRODUCER]),
    (STOPPED, {}, f"A process {TAKEN} and inspected one after another",
     ["The plan is for no stated quality levels.", ALIKE,
      "that the error rate did not change meanwhile"],
     ["at random", "allowed", "The lot", "order of the draw"]),
    (STOPPED, {"seed": 4}, "A process", [AT_RANDOM], ["without replacement"]),
    (la.audit(RELAXED, [0] * 300, confidence=0.99999), {}, "A lot",
     ["With 99.999 % confidence"], ["100 %"]),
    (CERTAIN, {}, "A lot", ["leads to rejection"],
     ["if right, lead to"]),
]  # fmt: skip


@pytest.mark.parametrize(("found", "how", "begin", "said", "not_said"), REPORTS)
def test_a_report_says_what_was_done_and_found(found, how, begin, said, not_said):
    text = found.report(**how)
    assert text.startswith(begin)
    assert [words for words in said if words not in text] == []
    assert [words for words in not_said if words in text] == []


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
