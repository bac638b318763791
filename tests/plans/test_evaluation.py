"""Exact properties of stopping regions: acceptance, sample numbers, risks."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.stats import hypergeom

import labelaudit as la
import oracles
from regions import KINDS, every_kind, limits, lots

SMALL = la.QualityLevels(0.1, 0.4, 0.1, 0.2)

# Sums of a few hundred probabilities in doubles: some 1e-13 at most.
CLOSE = 1e-12


def mean(stops):
    return sum((n * p for n, p in enumerate(stops)), Fraction(0))


def check_against(oracle, plan, errors_values, oracle_errors=None):
    """Every exact property of a plan against fractions, for arrays of errors."""
    answers = [
        oracle(plan.accept.tolist(), plan.reject.tolist(), plan.lot_size, errors)
        for errors in oracle_errors or errors_values
    ]
    accepted = [float(a) for a, _ in answers]
    asn = [float(mean(s)) for _, s in answers]
    stops = [[float(p) for p in s] for _, s in answers]
    assert plan.acceptance_probability(errors_values) == pytest.approx(
        accepted, abs=CLOSE
    )
    assert plan.average_sample_number(errors_values) == pytest.approx(asn, abs=1e-11)
    table = plan.sample_number_pmf(errors_values)
    assert table.shape == (len(errors_values), plan.max_sample + 1)
    assert table == pytest.approx(np.array(stops), abs=CLOSE)
    assert table.sum(axis=1) == pytest.approx(1, abs=CLOSE)
    for errors, (exact, _) in zip(errors_values, answers):
        assert plan.exact_acceptance_probability(errors) == exact


# The two oracles against each other -----------------------------------------------


# Any region -----------------------------------------------------------------------


@settings(max_examples=100)
@given(lots(largest=8))
def test_any_region_in_a_tiny_lot_by_enumeration(case):
    accept, reject, lot_size = case
    plan = la.SamplingPlan(accept, reject, lot_size)
    check_against(oracles.by_enumeration, plan, list(range(lot_size + 1)))


@given(lots(largest=24))
def test_any_region_in_a_small_lot_by_recursion(case):
    accept, reject, lot_size = case
    plan = la.SamplingPlan(accept, reject, lot_size)
    check_against(oracles.by_recursion, plan, list(range(lot_size + 1)))


@given(limits(longest=14))
def test_any_region_in_a_process_by_recursion(case):
    plan = la.SamplingPlan(*case)
    check_against(oracles.by_recursion, plan, [0.0, 0.01, 0.3, 0.5, 0.97, 1.0])


# Every kind of plan ---------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("lot_size", [30, None])
def test_risks_are_those_at_the_two_levels(kind, lot_size):
    plan = every_kind(SMALL, lot_size, 8)[kind]
    at_a, at_r = (0.1, 0.4) if lot_size is None else (3, 12)
    limits = plan.accept.tolist(), plan.reject.tolist(), lot_size
    producers = 1 - oracles.by_recursion(*limits, at_a)[0]
    consumers = oracles.by_recursion(*limits, at_r)[0]
    assert plan.producers_risk == pytest.approx(float(producers), abs=CLOSE)
    assert plan.consumers_risk == pytest.approx(float(consumers), abs=CLOSE)
    assert type(plan.producers_risk) is type(plan.consumers_risk) is float
    kept = producers <= Fraction(1, 10), consumers <= Fraction(1, 5)
    assert plan.keeps_risks == kept


def test_risks_need_levels():
    plan = la.SamplingPlan([-1, 0], [1, 1], 5)
    assert plan.levels is None
    assert plan.producers_risk is plan.consumers_risk is plan.keeps_risks is None


@pytest.mark.parametrize("lot_size", [None, 600])
def test_small_risks_keep_their_digits(lot_size):
    """A producer's risk of some 1e-8 is not what is left of 1 - P(accept)."""
    levels = la.QualityLevels(0.05, 0.5, 0.1, 0.5)
    plan = la.SamplingPlan.from_stages([(20, 9, 10)], lot_size, levels)
    at = 0.05 if lot_size is None else 30
    exact = sum(oracles.pmf(x, 20, lot_size, at) for x in range(10, 21))
    assert exact < Fraction(1, 10**7)
    assert plan.producers_risk == pytest.approx(float(exact), rel=1e-10, abs=0)
    none = la.SamplingPlan.from_stages([(300, 0, 1)], 600)  # only few are left
    exact = float(none.exact_acceptance_probability(290))
    assert none.acceptance_probability(290) == pytest.approx(exact, rel=1e-9, abs=0)


# Shapes ---------------------------------------------------------------------------


@pytest.mark.parametrize("lot_size", [12, None])
def test_shapes(lot_size):
    plan = la.SamplingPlan([-1, 0, 0], [1, 2, 1], lot_size)
    one, some = (3, [0, 3, 12]) if lot_size else (0.25, [0.0, 0.25, 1.0])
    for question in (plan.acceptance_probability, plan.average_sample_number):
        assert type(question(one)) is float
        assert type(question(np.array(one))) is float
        assert question(some).shape == (3,)
        assert question(tuple(some)).shape == (3,)
        assert question(np.array([some, some])).shape == (2, 3)
        assert question(some)[1] == pytest.approx(question(one), abs=1e-15)
        assert question(np.array(some)[:0]).shape == (0,)
    assert plan.sample_number_pmf(one).shape == (3,)
    assert plan.sample_number_pmf(some).shape == (3, 3)
    assert plan.sample_number_pmf([some, some]).shape == (2, 3, 3)


# Large lots -----------------------------------------------------------------------


@pytest.mark.parametrize("lot_size", [1000, 24799, 1_000_000])
@pytest.mark.parametrize("levels", [la.STRICT, la.RELAXED])
def test_single_plans_keep_their_digits_in_large_lots(lot_size, levels):
    """Against whole numbers: twelve digits even in a lot of a million."""
    plan = la.single_plan(levels, lot_size)
    n, c = plan.max_sample, int(plan.accept[-1])
    for rate in (0.005, levels.p_a, 0.018, levels.p_r, 0.06):
        errors = round(rate * lot_size)
        exact = float(oracles.cdf(c, n, lot_size, errors))
        assert plan.acceptance_probability(errors) == pytest.approx(
            exact, rel=1e-11, abs=0
        )
        assert plan.acceptance_probability(errors) == pytest.approx(
            hypergeom.cdf(c, lot_size, errors, n), rel=1e-6, abs=0
        )


# Processes ------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_process_is_the_limit_of_large_lots(kind):
    """The difference is of the order n / N: a tenth for ten times the lot."""
    process = every_kind(SMALL, None, 8)[kind]
    gaps = []
    for lot_size in (10_000, 100_000, 1_000_000):
        lot = la.SamplingPlan(process.accept, process.reject, lot_size)
        rates = np.array([0.05, 0.1, 0.4, 0.6])
        errors = np.rint(rates * lot_size).astype(int)
        gaps.append(
            abs(
                lot.average_sample_number(errors) - process.average_sample_number(rates)
            ).max()
            + abs(
                lot.acceptance_probability(errors)
                - process.acceptance_probability(rates)
            ).max()
        )
    assert gaps[0] < process.max_sample**2 / 10_000
    assert gaps[1] < 0.11 * gaps[0]
    assert gaps[2] < 0.11 * gaps[1]
