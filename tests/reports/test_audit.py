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
from regions import limits, lots, quietly

NAN = float("nan")
SMALL = la.SamplingPlan([-1, -1, 0, 0, 0, 1], [1, 2, 2, 2, 2, 2], lot_size=8)
RELAXED = la.optimal_plan(la.RELAXED, 300)
SHORT, LONG = la.single_plan(la.RELAXED, 300), la.single_plan(la.STRICT, 300)


def inspecting(accept, reject, lot_size=None):
    """A plan that does not decide unseen."""
    plan = la.SamplingPlan(accept, reject, lot_size)
    assume(plan.decide([]).verdict == "continue")
    return plan


# The sheet ------------------------------------------------------------------------


def test_a_sheet_has_a_row_a_step_and_the_plans_own_limits():
    sheet = la.inspection_sheet(SMALL, seed=5)
    assert sheet.columns.tolist() == [
        "step",
        "item",
        "wrong",
        "accept_if_at_most",
        "reject_if_at_least",
    ]
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
    again = la.SamplingPlan([-1, *accept], [1, *reject])
    assert again == plan


def test_a_numbered_lot_is_1_to_n():
    whole = la.SamplingPlan([-1] * 8 + [3], list(range(1, 9)) + [4], lot_size=8)
    items = la.inspection_sheet(whole, seed=0).item
    assert sorted(items) == list(range(1, 9))
    assert items.dtype.kind == "i"


def test_the_order_is_what_is_drawn():
    order = oracle.drawn(300, RELAXED.max_sample, 11)
    sheet = la.inspection_sheet(RELAXED, seed=11)
    assert sheet.item.tolist() == [k + 1 for k in order]
    named = [f"i{k}" for k in range(1, 301)]
    sheet = la.inspection_sheet(RELAXED, named, seed=11)
    assert sheet.item.tolist() == [f"i{k + 1}" for k in order]


@pytest.mark.parametrize("items", [None, [f"i{k}" for k in range(300)]])
def test_a_longer_plans_sheet_begins_with_a_shorter_ones(items):
    short, long = (la.inspection_sheet(p, items, seed=3) for p in (SHORT, LONG))
    assert len(short) < len(long)
    assert long.item[: len(short)].tolist() == short.item.tolist()
    other = la.inspection_sheet(SHORT, items, seed=4)
    assert other.item.tolist() != short.item.tolist()


@pytest.mark.parametrize(
    "items",
    [
        ("a", "b", "c", "d", "e", "f", "g", "h"),
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


def test_units_of_a_process_come_in_order_or_are_drawn_from_a_list():
    plan = la.SamplingPlan(SMALL.accept, SMALL.reject)
    assert la.inspection_sheet(plan).item.tolist() == [1, 2, 3, 4, 5]
    stock = list("abcdefg")
    drawn = la.inspection_sheet(plan, stock, seed=2).item.tolist()
    assert drawn == [stock[k] for k in oracle.drawn(7, 5, 2)]


def test_every_ordered_sample_is_equally_likely():
    """Chi-square over all ordered samples of 2 of 5, seeds 0 to 999."""
    plan = la.SamplingPlan([-1, -1, 0], [1, 2, 1], lot_size=5)
    seen = [tuple(la.inspection_sheet(plan, seed=s).item) for s in range(1000)]
    counts = pd.Series(seen).value_counts()
    assert len(counts) == perm(5, 2)
    p = chisquare(counts.to_numpy()).pvalue
    assert 0.001 < p < 0.999


@pytest.mark.parametrize(
    ("items", "seed", "message"),
    [
        (list("abcdefg"), 1, "items must be as many as the lot, 8, got '7 items'"),
        (list("abcdefgc"), 1, r"items\[7\] must be other than items\[2\], got 'c'"),
        ([1, 2, 3, 4, 5, 6, 7, 7.0], 1, r"items\[7\] must be other than items\[6\]"),
        (["a", None, *"cdefgh"], 1, r"items\[1\] must be there, and it is missing"),
        ([1, 2, NAN, 4, 5, 6, 7, 8], 1, r"items\[2\] must be there"),
        ("abcdefgh", 1, "items must be a sequence of identifiers, got 'abcdefgh'"),
        (8, 1, "items must be a sequence of identifiers, got 8"),
        (pd.DataFrame({"a": range(8)}), 1, "items must be a sequence of identifiers"),
        (
            [[k] for k in range(8)],
            1,
            r"items\[0\] must be a text or a number, got \[0\]",
        ),
        (None, None, "seed must be a whole number of at least 0, got None"),
        (None, -1, "seed must be a whole number of at least 0, got -1"),
        (None, 1.5, "seed must be a whole number of at least 0, got 1.5"),
        (None, "1", "seed must be a whole number of at least 0, got '1'"),
        (None, True, "seed must be a whole number of at least 0, got True"),
        (list("abcdefgh"), None, "seed must be a whole number"),
    ],
)
def test_what_cannot_be_drawn_is_refused(items, seed, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        la.inspection_sheet(SMALL, items, seed=seed)


def test_a_process_needs_enough_items_and_a_plan_must_inspect():
    plan = la.SamplingPlan(SMALL.accept, SMALL.reject)
    with pytest.raises(ValueError, match="at least the plan's max_sample, 5, got '4"):
        la.inspection_sheet(plan, list("abcd"), seed=1)
    unseen = la.SamplingPlan([0, 0], [1, 1], lot_size=3)
    with pytest.raises(ValueError, match="plan must be a plan that inspects"):
        la.inspection_sheet(unseen, seed=1)
    with pytest.raises(ValueError, match="plan must be a SamplingPlan, got 'single'"):
        la.inspection_sheet("single", seed=1)


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


@pytest.mark.parametrize(
    "column",
    [
        pd.Series([False, True] + [pd.NA] * 3, dtype="boolean"),
        pd.Series([0.0, 1.0, NAN, NAN, NAN]),
        pd.Series([0, 1, None, None], dtype=object),
        [0, 1],
        iter([0, 1]),
        np.array([False, True]),
    ],
)
def test_missing_at_the_end_is_not_inspected_yet(column):
    found = la.audit(SMALL, column)
    assert found.decision == la.Decision("continue", 2, 1)
    assert found.ignored == 0


def test_missing_after_the_verdict_is_no_outcome():
    assert la.audit(SMALL, [1, 1, NAN, NAN]).ignored == 0
    assert la.audit(SMALL, [1, 1, 0, NAN]).ignored == 1


@pytest.mark.parametrize(
    ("outcomes", "message"),
    [
        ([0, None, 1], r"outcomes\[1\] must be 0, 1, False or True, since later"),
        ([NAN, 0], r"outcomes\[0\] must be 0, 1, False or True, since later"),
        ([0, 2], r"outcomes\[1\] must be 0, 1, False or True, got 2"),
        ([0, "no"], r"outcomes\[1\] must be 0, 1, False or True, got 'no'"),
        ("01", "outcomes must be a sequence of 0 and 1, got '01'"),
        (1, "outcomes must be a sequence of 0 and 1, got 1"),
    ],
)
def test_outcomes_that_are_none_are_refused(outcomes, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        la.audit(SMALL, outcomes)


def test_other_bad_arguments_are_refused():
    for confidence in (0, 1, 95, "0.95", NAN):
        with pytest.raises(ValueError, match=r"^confidence must be"):
            la.audit(SMALL, [0], confidence=confidence)
    with pytest.raises(ValueError, match=r"^plan must be a SamplingPlan"):
        la.audit(None, [0])


def test_an_audit_does_not_change():
    with pytest.raises(FrozenInstanceError):
        la.audit(SMALL, [0]).ignored = 3


# Its report -----------------------------------------------------------------------


def test_the_report_of_a_verdict_tells_all():
    found = la.audit(RELAXED, [0] * 300)
    text = found.report(kind="optimal", seed=23)
    n, (low, high) = found.decision.inspected, found.interval
    for part in (
        "A lot of 300 annotations was audited",
        "at random without replacement (seed 23)",
        f"an optimal plan of at most {RELAXED.max_sample} inspections",
        f"2 % (6 wrong) this plan rejects with a probability of"
        f" {RELAXED.producers_risk:.4g} (producer's risk, 0.05 allowed)",
        f"5 % (15 wrong) it accepts with {RELAXED.consumers_risk:.4g} (consumer's",
        f"Found wrong: 0 of {n} inspected (0 %). The lot is accepted.",
        "With 95 % confidence its error rate before any correction is between"
        f" 0 % and {ceil(1000 * high) / 10:g} % (0 to {round(300 * high)} wrong)",
        "valid after this stopping rule",
        f"Left out: {300 - n} outcomes that came after the verdict.",
        "takes for granted that the inspection itself is right",
    ):
        assert part in text
    assert low == 0
    assert "\n" not in text
    assert "risk is more than" not in text


def test_the_report_says_rejected_and_the_name():
    found = la.audit(RELAXED, [1] * 20, confidence=0.9)
    text = found.report(name="The test set")
    assert text.startswith("The test set (a lot of 300 annotations) was audited")
    assert "until a plan of at most" in text
    assert "The lot is rejected. With 90 % confidence" in text
    assert "seed" not in text


def test_the_report_before_the_verdict():
    found = la.audit(RELAXED, [0, 0, 0])
    text = found.report()
    right = found.if_right.inspected - 3
    wrong = found.if_wrong.inspected - 3
    assert "Found wrong: 0 of 3 inspected (0 %). There is no verdict yet" in text
    assert f"At most {found.left} inspections are left; the next {right}, if" in text
    assert f"the next {right}, if right, lead to acceptance" in text
    assert f"the next {wrong}, if wrong, lead to rejection" in text
    assert "confidence" not in text
    assert "Found wrong: 0 of 0 inspected. There" in la.audit(RELAXED, []).report()


def test_the_report_of_a_missed_risk_says_so():
    missing = quietly(la.sequential_plan, la.RELAXED, 500)
    assert missing.keeps_risks == (True, False)
    text = la.audit(missing, []).report()
    assert "both exact; the consumer's risk is more than was allowed." in text


def test_the_report_of_a_plan_without_levels_and_of_a_process():
    process = la.SamplingPlan(SMALL.accept, SMALL.reject)
    text = la.audit(process, [0, 0]).report()
    assert text.startswith("A process was audited by acceptance sampling: annotations")
    assert "annotations were taken and inspected one after another" in text
    assert "The plan is for no stated quality levels." in text
    assert "The process is accepted." in text
    low, high = process.interval(2, 0)
    assert low == 0 and f"between 0 % and {ceil(100 * high)} %: an exact" in text
    assert "that the error rate did not change meanwhile" in text
    assert "taken at random (seed 4) and" in la.audit(process, []).report(seed=4)


def test_a_sheet_of_an_enormous_lot_is_refused_at_once():
    with pytest.raises(ValueError, match=r"lot_size must be .* 10,000,000"):
        la.SamplingPlan([-1, 0], [1, 1], lot_size=2 * 10**9)


def test_a_report_before_the_verdict_is_of_an_audit_under_way():
    plan = la.single_plan(la.RELAXED, lot_size=1000)
    text = la.audit(plan, [0, 0]).report(kind="single", seed=1)
    assert "is being audited" in text and "There is no verdict yet" in text
    assert "gave a verdict" not in text


def test_a_verdict_that_is_certain_is_said_whatever_comes():
    """A single plan's sample in which too many are wrong already."""
    plan = la.single_plan(la.QualityLevels(0.01, 0.04, 0.05, 0.1), 3000)
    found = la.audit(plan, [True] * 5 + [False] * 25)
    assert "whatever they are, they lead to rejection" in found.report()
    assert "if right, lead to" not in found.report()
