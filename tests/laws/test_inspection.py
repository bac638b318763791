"""Inspectors who make mistakes: the law of flags, plans, risks, simulation."""

import copy
import dataclasses
import pickle
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.stats import binom

import labelaudit as la
from inspection_oracles import (
    enumerate_lot,
    flagged_cdf,
    flagged_pmf,
    two_samples_pmf,
)
from labelaudit.laws.flags import law
from oracles import by_recursion
from regions import every_kind, limits, lots, quietly

SMALL = la.QualityLevels(0.1, 0.4, 0.1, 0.2)
RATES = [(0.9, 0.95), (0.8, 1.0), (1.0, 0.9), (0.6, 0.5)]

# Sums of a few hundred probabilities in doubles: some 1e-13 at most.
CLOSE = 1e-12


# The law --------------------------------------------------------------------------


@pytest.mark.parametrize("rates", RATES)
@pytest.mark.parametrize("lot_size", [1, 7, 12, None])
def test_the_law_of_flags(rates, lot_size):
    size = lot_size or 9
    flags = law(lot_size, size, la.Inspection(*rates))
    for errors in range(lot_size + 1) if lot_size else (0, 0.05, 0.5, 1):
        table = np.array(
            [
                [
                    float(flagged_pmf(x, n, lot_size, errors, *rates))
                    for x in range(size)
                ]
                for n in range(size + 1)
            ]
        )
        n, x = np.indices(table.shape)
        assert flags.pmf(x, n, errors) == pytest.approx(table, abs=CLOSE)
        assert flags.grid(size, size - 1, errors) == pytest.approx(table, abs=CLOSE)
        assert (
            flags.grid(size - 1, 2, errors) == pytest.approx(table[:-1, :3], abs=CLOSE)
            or size == 1
        )
        inside = x <= n
        below, above, point = flags.tails(x[inside], n[inside], errors)
        cumulated = table.cumsum(axis=1)
        assert below == pytest.approx(cumulated[inside], abs=CLOSE)
        assert above == pytest.approx((1 - cumulated + table)[inside], abs=CLOSE)
        assert point == pytest.approx(table[inside], abs=CLOSE)
        mean = sum(
            k * flagged_pmf(k, size, lot_size, errors, *rates) for k in range(size + 1)
        )
        assert float(flags.rate(errors)) == pytest.approx(float(mean) / size)


@pytest.mark.parametrize("rates", RATES)
@pytest.mark.parametrize("lot_size", [5, 11, None])
def test_exact_probabilities_are_exact(rates, lot_size):
    flags = law(lot_size, 11, la.Inspection(*rates))
    for errors in range(lot_size + 1) if lot_size else (0, 0.05, 0.3, 1):
        for n in range((lot_size or 7) + 1):
            for x in range(n + 1):
                at = (x, n, lot_size, errors, *rates)
                assert flags.exact_pmf(x, n, errors) == flagged_pmf(*at)
                assert flags.exact_cdf(x, n, errors) == flagged_cdf(*at)
        assert flags.exact_pmf(-1, 3, errors) == flags.exact_pmf(4, 3, errors) == 0
        assert flags.exact_cdf(-1, 3, errors) == 0


def test_samples_beyond_the_largest_that_is_planned():
    """Also for errors asked for so often that a table up to there is kept."""
    flags, n = law(12, 5, la.Inspection(*RATES[0])), np.array([2, 7])
    for _ in range(60):
        found = flags.pmf([1, 3], n, 4)
    exact = [flagged_pmf(x, k, 12, 4, *RATES[0]) for x, k in zip((1, 3), n.tolist())]
    assert found == pytest.approx([float(p) for p in exact], abs=CLOSE)


def test_small_probabilities_keep_their_digits():
    """In a large lot, against fractions."""
    lot, inspection = (2000, 200, 60), (0.9, 0.98)
    flags = law(lot[0], lot[1], la.Inspection(*inspection))
    for x in (0, 1, 9, 40, 100):
        exact = flagged_pmf(x, lot[1], lot[0], lot[2], *inspection)
        found = flags.grid(lot[1], 100, lot[2])[lot[1], x]
        assert found == pytest.approx(float(exact), rel=1e-10)
        assert flags.pmf(x, lot[1], lot[2]) == pytest.approx(
            float(exact), rel=1e-10, abs=1e-16
        )
        assert flags.exact_pmf(x, lot[1], lot[2]) == exact
    below, above, _ = flags.tails(20, 200, 60)
    exact = flagged_cdf(20, 200, 2000, 60, *inspection)
    assert below == pytest.approx(float(exact), rel=1e-10)
    exact = 1 - flagged_cdf(19, 200, 2000, 60, *inspection)
    assert above == pytest.approx(float(exact), rel=1e-10)


@pytest.mark.parametrize("rates", RATES)
def test_more_errors_more_flags_in_likelihood_ratio(rates):
    """P(x + 1 | D + 1) P(x | D) >= P(x | D + 1) P(x + 1 | D), in fractions."""
    for n in (1, 3, 6):
        table = [
            [flagged_pmf(x, n, 8, d, *rates) for x in range(n + 1)] for d in range(9)
        ]
        for fewer, more in pairwise(table):
            for x in range(n):
                assert more[x + 1] * fewer[x] >= more[x] * fewer[x + 1]


# Plans ----------------------------------------------------------------------------


@settings(max_examples=25)
@given(lots(largest=6))
@pytest.mark.parametrize("rates", RATES)
def test_any_region_by_enumeration(rates, case):
    accept, reject, lot_size = case
    plan = la.SamplingPlan(accept, reject, lot_size, inspection=la.Inspection(*rates))
    outcomes = [
        enumerate_lot(plan.accept.tolist(), plan.reject.tolist(), lot_size, d, *rates)
        for d in range(lot_size + 1)
    ]
    errors = np.arange(lot_size + 1)
    assert plan.acceptance_probability(errors) == pytest.approx(
        [float(o.accepted) for o in outcomes], abs=CLOSE
    )
    assert plan.average_sample_number(errors) == pytest.approx(
        [float(sum(n * p for n, p in enumerate(o.stops))) for o in outcomes], abs=1e-11
    )
    assert plan.sample_number_pmf(errors) == pytest.approx(
        np.array([[float(p) for p in o.stops] for o in outcomes]), abs=CLOSE
    )
    for d, outcome in enumerate(outcomes):
        assert plan.exact_acceptance_probability(d) == outcome.accepted


@given(limits(longest=10))
@pytest.mark.parametrize("rates", RATES)
def test_a_process_is_a_process_at_another_rate(rates, case):
    plan = la.SamplingPlan(*case, inspection=la.Inspection(*rates))
    seen, false = la.Inspection(*rates).fractions
    for rate in (0, 0.01, 0.3, 1):
        flags = Fraction(str(rate)) * seen + (1 - Fraction(str(rate))) * false
        accepted, stops = by_recursion(
            plan.accept.tolist(), plan.reject.tolist(), None, flags
        )
        assert plan.acceptance_probability(rate) == pytest.approx(
            float(accepted), abs=CLOSE
        )
        assert plan.exact_acceptance_probability(rate) == accepted
        asn = float(sum(n * p for n, p in enumerate(stops)))
        assert plan.average_sample_number(rate) == pytest.approx(asn, abs=1e-11)


@pytest.mark.parametrize("lot_size", [40, None])
def test_every_kind_by_simulation(lot_size):
    inspection = la.Inspection(0.85, 0.97)
    for plan in every_kind(SMALL, lot_size, 12).values():
        plan = la.SamplingPlan(
            plan.accept, plan.reject, lot_size, inspection=inspection
        )
        errors = 9 if lot_size else 0.2
        runs = plan.simulate(errors, 20_000, seed=5)
        accepted = plan.acceptance_probability(errors)
        error = np.sqrt(accepted * (1 - accepted) / 20_000)
        assert abs(runs.accepted.mean() - accepted) < 4 * error + 1e-12
        error = runs.inspected.std() / np.sqrt(20_000)
        asn = plan.average_sample_number(errors)
        assert abs(runs.inspected.mean() - asn) < 4 * error + 1e-9


def test_simulation_of_shuffled_lots():
    """Our draw of the lot's flags against lots with items, errors and flags."""
    inspection = la.Inspection(0.7, 0.9)
    plan = la.SamplingPlan([-1] * 10 + [2], [3] * 11, 25, inspection=inspection)
    generator = np.random.default_rng(3)
    wrong = generator.permuted(np.tile(np.arange(25) < 6, (40_000, 1)), axis=1)
    flags = generator.random(wrong.shape) < np.where(wrong, 0.7, 0.1)
    accepted = (flags[:, :10].sum(axis=1) <= 2).mean()
    runs = plan.simulate(6, 40_000, seed=4)
    assert abs(runs.accepted.mean() - accepted) < 4 * np.sqrt(0.5 / 40_000)
    assert plan.acceptance_probability(6) == pytest.approx(accepted, abs=0.01)


def test_large_lots_become_a_process():
    inspection = la.Inspection(0.9, 0.98)
    limits = la.double_plan(la.RELAXED, 1000)
    lot = la.SamplingPlan(
        limits.accept, limits.reject, 2_000_000, inspection=inspection
    )
    process = la.SamplingPlan(limits.accept, limits.reject, inspection=inspection)
    rates = np.array([0.0, 0.005, 0.02, 0.05])
    errors = (rates * 2_000_000).astype(int)
    assert lot.acceptance_probability(errors) == pytest.approx(
        process.acceptance_probability(rates), abs=1e-3
    )
    assert lot.average_sample_number(errors) == pytest.approx(
        process.average_sample_number(rates), rel=1e-3
    )


def test_all_errors_of_a_large_lot_at_once_and_one_by_one():
    plan = la.SamplingPlan(
        la.single_plan(la.STRICT, 3000).accept,
        la.single_plan(la.STRICT, 3000).reject,
        3000,
        inspection=la.Inspection(0.9, 0.99),
    )
    errors = np.arange(3001)
    curve = plan.acceptance_probability(errors)
    assert (np.diff(curve) <= 1e-13).all()
    for d in (0, 17, 60, 1500, 3000):
        assert plan.acceptance_probability(d) == pytest.approx(curve[d], abs=1e-13)
        n, c = plan.max_sample, int(plan.accept[-1])
        exact = flagged_cdf(c, n, 3000, d, 0.9, 0.99) if d < 100 else 0
        assert curve[d] == pytest.approx(float(exact), abs=1e-12)


# The smallest plans ---------------------------------------------------------------


@pytest.mark.parametrize("rates", [(0.9, 0.95), (0.85, 1.0), (1.0, 0.9)])
@pytest.mark.parametrize("lot_size", [23, 30])
def test_the_smallest_single_plan_by_trying_all(rates, lot_size):
    plan = la.single_plan(SMALL, lot_size, inspection=la.Inspection(*rates))
    d_a, d_r = SMALL.errors(lot_size)
    kept = [
        (n, c)
        for n in range(plan.max_sample + 1)
        for c in range(n + 1)
        if 1 - flagged_cdf(c, n, lot_size, d_a, *rates) <= Fraction(1, 10)
        and flagged_cdf(c, n, lot_size, d_r, *rates) <= Fraction(1, 5)
    ]
    assert kept == [(plan.max_sample, plan.accept[-1])]
    assert plan.keeps_risks == (True, True)


def test_the_best_double_plan_by_trying_all():
    lot_size, rates = 13, (0.95, 0.95)
    levels = la.QualityLevels(0.1, 0.6, 0.2, 0.2)
    plan = la.double_plan(levels, lot_size, inspection=la.Inspection(*rates))
    d_a, d_r = levels.errors(lot_size)
    found = []
    for n in range(1, 7):
        at_a = two_samples_pmf(n, n, lot_size, d_a, *rates)
        at_r = two_samples_pmf(n, n, lot_size, d_r, *rates)
        for c1, c2 in product(range(n + 1), range(2 * n)):
            limits = c1, c2 + 1, c2
            rejected = 1 - _accepted(at_a, *limits)
            if c1 < c2 and rejected <= Fraction(1, 5) >= _accepted(at_r, *limits):
                second = sum(p for (i, _), p in at_a.items() if c1 < i <= c2)
                found.append((n * (1 + second), n, c1, c2))
    asn, n, c1, c2 = min(found)
    assert plan.average_sample_number(d_a) == pytest.approx(float(asn))
    assert plan.max_sample == 2 * n
    assert (plan.accept[n], plan.accept[2 * n]) == (c1, c2)
    assert plan.reject[n] == min(c2 + 1, n + 1)


def _accepted(table, c1, r1, c2):
    """P(accept) of a double plan, from the flags in both samples."""
    return sum(p for (i, j), p in table.items() if i <= c1 or (i < r1 and i + j <= c2))


def test_plans_where_no_single_plan_is():
    """The order of the flags can serve as the toss of a coin."""
    levels, lot_size = la.QualityLevels(0.3, 0.6, 0.1, 0.2), 9
    inspection = la.Inspection(0.95, 0.9)
    d_a, d_r = levels.errors(lot_size)
    for n, c in product(range(1, lot_size + 1), range(lot_size + 1)):
        rejected = 1 - flagged_cdf(c, n, lot_size, d_a, 0.95, 0.9)
        accepted = flagged_cdf(c, n, lot_size, d_r, 0.95, 0.9)
        assert rejected > Fraction(1, 10) or accepted > Fraction(1, 5)
    with pytest.raises(ValueError, match="inspection must be precise enough"):
        la.single_plan(levels, lot_size, inspection=inspection)
    at_a = two_samples_pmf(5, 4, lot_size, d_a, 0.95, 0.9)
    at_r = two_samples_pmf(5, 4, lot_size, d_r, 0.95, 0.9)
    assert 1 - _accepted(at_a, 1, 5, 4) <= Fraction(1, 10)
    assert _accepted(at_r, 1, 5, 4) <= Fraction(1, 5)
    double = la.SamplingPlan.from_stages([(5, 1, 5), (9, 4, 5)], lot_size)
    double = dataclasses.replace(double, levels=levels, inspection=inspection)
    assert double.keeps_risks == (True, True)
    best = la.optimal_plan(levels, lot_size, inspection=inspection)
    assert best.keeps_risks == (True, True)
    asn = [plan.average_sample_number([d_a, d_r]).mean() for plan in (best, double)]
    assert best.lower_bound <= asn[0] <= asn[1]


def test_an_inspection_too_poor_for_the_lot_is_refused():
    poor = la.Inspection(0.7, 0.8)
    searches = la.single_plan, la.double_plan, la.sequential_plan, la.optimal_plan
    for search in searches:
        with pytest.raises(ValueError, match="inspection must be precise enough"):
            search(SMALL, 10, inspection=poor, **_truncated(search))
    with pytest.raises(ValueError, match="inspection must be an Inspection or None"):
        la.single_plan(SMALL, 30, inspection=0.9)


def _truncated(search):
    return {"max_sample": 8} if search is la.sequential_plan else {}


@pytest.mark.parametrize("lot_size", [5000, None])
def test_plans_keep_both_risks_where_unaware_ones_do_not(lot_size):
    inspection = la.Inspection(0.9, 0.98)
    unaware = la.single_plan(la.RELAXED, lot_size)
    blind = la.SamplingPlan(
        unaware.accept, unaware.reject, lot_size, la.RELAXED, inspection=inspection
    )
    assert blind.keeps_risks == (False, True)
    for plan in (
        la.single_plan(la.RELAXED, lot_size, inspection=inspection),
        la.double_plan(la.RELAXED, lot_size, inspection=inspection),
    ):
        assert plan.keeps_risks == (True, True)
        d_a, d_r = la.RELAXED.errors(lot_size)
        runs = plan.simulate(d_a, 20_000, seed=1)
        assert 1 - runs.accepted.mean() == pytest.approx(plan.producers_risk, abs=0.007)
        runs = plan.simulate(d_r, 20_000, seed=2)
        assert runs.accepted.mean() == pytest.approx(plan.consumers_risk, abs=0.009)


def test_tables_of_samples_give_the_same():
    """Often-asked numbers of errors are looked up: the same as at the first time."""
    flags = law(500, 120, la.Inspection(0.9, 0.95))
    n = np.arange(121)
    x = np.minimum(n, 9)
    first = flags.tails(x, n, 40)  # 121 samples: from here on, a table
    fresh = [law(500, 120, la.Inspection(0.9, 0.95)).tails(9, m, 40) for m in (50, 120)]
    again = flags.tails(x, n, 40)
    for a, b in zip(first, again):
        assert a == pytest.approx(b, abs=1e-14, rel=1e-11)
    for m, values in zip((50, 120), fresh):
        for a, b in zip(again, values):
            assert a[m] == pytest.approx(float(b), abs=1e-14, rel=1e-11)
    assert flags.pmf([-1, 121], 120, 40).tolist() == [0, 0]
    below, above, _ = flags.tails(np.array([-1, 121]), 120, 40)
    assert below == pytest.approx([0, 1]) and above == pytest.approx([1, 0])


# Wald's test ----------------------------------------------------------------------


@pytest.mark.parametrize("rates", RATES[:3])
@pytest.mark.parametrize("lot_size", [14, 20])
def test_limits_in_a_lot_from_the_ratio_in_fractions(rates, lot_size):
    levels = la.QualityLevels(0.1, 0.3, 0.1, 0.1)
    plan = quietly(
        la.sequential_plan, levels, lot_size, inspection=la.Inspection(*rates)
    )
    d_a, d_r = levels.errors(lot_size)
    low, high = Fraction(1, 9), Fraction(9)
    for n in range(plan.max_sample):
        for x in range(n + 1):
            at_a = flagged_pmf(x, n, lot_size, d_a, *rates)
            at_r = flagged_pmf(x, n, lot_size, d_r, *rates)
            if at_a or at_r:
                assert (x <= plan.accept[n]) == (at_r < low * at_a)
                assert (x >= plan.reject[n]) == (at_r > high * at_a)


@pytest.mark.parametrize("n", [7, 120])
@pytest.mark.parametrize("rates", RATES)
def test_flags_given_the_errors_in_the_sample(rates, n):
    """A sample of n with t errors is a lot of n that is inspected whole."""
    x = np.arange(n + 1)
    given = law(150, n, la.Inspection(*rates)).given_errors(x, n)
    for t in (0, n // 2, n):
        masses = [flagged_pmf(k, n, n, t, *rates) for k in x.tolist()]
        exact = np.array(masses, dtype=float)
        assert given[0, t] == pytest.approx(exact.cumsum(), abs=1e-12)
        assert given[1, t] == pytest.approx(exact, abs=1e-12)


def test_a_lot_whose_limits_never_meet_goes_by_the_likelier_level():
    """The whole lot inspected: the flags are Bin(D, s) + Bin(N - D, w)."""
    levels, rates = la.QualityLevels(0.1, 0.3, 0.1, 0.1), (0.8, 0.8)
    plan = quietly(la.sequential_plan, levels, 20, inspection=la.Inspection(*rates))
    assert plan.max_sample == 20 and "flags or fewer" in plan.note
    likelier = [
        flagged_pmf(x, 20, 20, 6, *rates) <= flagged_pmf(x, 20, 20, 2, *rates)
        for x in range(21)
    ]
    assert likelier == [x <= plan.accept[20] for x in range(21)]


@pytest.mark.parametrize("rates", RATES[:3])
def test_limits_in_a_process_from_the_ratio_in_fractions(rates):
    levels = la.QualityLevels(0.1, 0.3, 0.1, 0.1)
    plan = quietly(
        la.sequential_plan,
        levels,
        max_sample=40,
        forced_acceptance=8,
        inspection=la.Inspection(*rates),
    )
    for n in range(40):
        for x in range(n + 1):
            at_a = flagged_pmf(x, n, None, 0.1, *rates)
            at_r = flagged_pmf(x, n, None, 0.3, *rates)
            assert (x <= plan.accept[n]) == (at_r * 9 < at_a)
            assert (x >= plan.reject[n]) == (at_r > 9 * at_a)


def test_walds_test_in_a_large_lot_is_that_of_a_process():
    inspection = la.Inspection(0.9, 0.98)
    limits = {"max_sample": 600, "forced_acceptance": 28, "inspection": inspection}
    lot = quietly(la.sequential_plan, la.RELAXED, 1_000_000, **limits)
    process = quietly(la.sequential_plan, la.RELAXED, **limits)
    assert abs(lot.accept - process.accept).max() <= 1
    assert abs(lot.reject - process.reject).max() <= 1
    assert (lot.accept == process.accept).mean() > 0.98


def test_walds_test_keeps_its_promise_approximately():
    """Wald 1947: the true risks add up to no more than the nominal ones."""
    plan = quietly(
        la.sequential_plan, la.RELAXED, 8000, inspection=la.Inspection(0.9, 0.98)
    )
    assert plan.producers_risk < 0.055 and plan.consumers_risk < 0.11
    assert plan.producers_risk + plan.consumers_risk < 0.15
    aware = plan.average_sample_number([160, 400])
    assert (aware < 900).all()


def test_too_large_a_lot_is_refused_at_once():
    with pytest.raises(ValueError, match="max_sample must be smaller"):
        la.sequential_plan(la.STRICT, 10**6, inspection=la.Inspection(0.9, 0.98))


# The object -----------------------------------------------------------------------

IMPERFECT = la.SamplingPlan(
    [-1, -1, 0], [1, 2, 1], 20, SMALL, inspection=la.Inspection(0.9, 0.8)
)
PERFECT = la.SamplingPlan([-1, -1, 0], [1, 2, 1], 20, SMALL)


def test_a_perfect_inspection_is_none():
    same = la.SamplingPlan(
        [-1, -1, 0], [1, 2, 1], 20, SMALL, inspection=la.Inspection()
    )
    assert same.inspection is None and same == PERFECT and hash(same) == hash(PERFECT)
    assert IMPERFECT != PERFECT and hash(IMPERFECT) != hash(PERFECT)


@pytest.mark.parametrize(
    "again",
    [
        lambda plan: la.SamplingPlan.from_json(plan.to_json()),
        copy.deepcopy,
        lambda plan: pickle.loads(pickle.dumps(plan)),
    ],
)
def test_copies(again):
    IMPERFECT.acceptance_probability(3)
    assert again(IMPERFECT) == IMPERFECT
    assert again(IMPERFECT).inspection == la.Inspection(0.9, 0.8)


def test_json_without_an_inspection_is_read():
    text = PERFECT.to_json().replace(', "inspection": null', "")
    assert "inspection" not in text
    assert la.SamplingPlan.from_json(text) == PERFECT


def test_curtailing_keeps_the_inspection():
    plan = la.curtail(IMPERFECT)
    assert plan.inspection == IMPERFECT.inspection
    errors = np.arange(21)
    assert plan.acceptance_probability(errors) == pytest.approx(
        IMPERFECT.acceptance_probability(errors), abs=CLOSE
    )


def test_repr_says_what_is_counted():
    text = repr(IMPERFECT)
    assert "counts flags: sensitivity 0.9, specificity 0.8" in text
    assert "accept at 0 flags or fewer" in text
    assert "flags" not in repr(PERFECT)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((1.1, 1), "sensitivity must be a number from 0 to 1, got 1.1"),
        ((0.9, -0.1), "specificity must be a number from 0 to 1"),
        ((None, 1), "sensitivity must be a number from 0 to 1, got None"),
        ((0.4, 0.6), "specificity must be more than 1 - sensitivity = 0.6"),
        ((0.3, 0.7), "flags must be likelier on errors"),
        ((0.1, 0.5), "specificity must be more than"),
        ((float("nan"), 1), "sensitivity must be a number from 0 to 1"),
    ],
)
def test_refused_inspections(arguments, message):
    with pytest.raises(ValueError, match=message):
        la.Inspection(*arguments)


def test_refused_plans():
    for wrong in (0.9, (0.9, 0.8), "perfect"):
        with pytest.raises(
            ValueError, match="inspection must be an Inspection or None"
        ):
            la.SamplingPlan([0], [1], inspection=wrong)


def test_rates_there_and_back():
    inspection = la.Inspection(0.9, 0.98)
    assert inspection.flag_rate(Fraction(1, 100)) == Fraction(288, 10_000)
    assert inspection.error_rate(Fraction(288, 10_000)) == Fraction(1, 100)
    rates = np.linspace(0, 1, 11)
    assert inspection.error_rate(inspection.flag_rate(rates)) == pytest.approx(rates)
    assert binom.pmf(0, 5, inspection.flag_rate(0.0)) == pytest.approx(0.98**5)
