"""Exact properties of stopping regions: acceptance, sample numbers, risks, runs."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from scipy.stats import hypergeom

import labelaudit as la
import oracles
from regions import every_plan, limits, lots

# Sums of a few hundred probabilities in doubles: some 1e-13 at most.
CLOSE = 1e-12


def check_against_recursion(plan, errors_values):
    """Every exact property of a plan against fractions, for arrays of errors."""
    region = plan.accept.tolist(), plan.reject.tolist(), plan.lot_size
    answers = [oracles.by_recursion(*region, errors) for errors in errors_values]
    accepted = [float(a) for a, _ in answers]
    stops = np.array([[float(p) for p in s] for _, s in answers])
    asn = [float(sum(n * p for n, p in enumerate(s))) for _, s in answers]
    found = plan.acceptance_probability(errors_values)
    assert found == pytest.approx(accepted, abs=CLOSE)
    assert plan.average_sample_number(errors_values) == pytest.approx(asn, abs=1e-11)
    table = plan.sample_number_pmf(errors_values)
    assert table.shape == (len(errors_values), plan.max_sample + 1)
    assert table == pytest.approx(stops, abs=CLOSE)
    for errors, (exact, _) in zip(errors_values, answers):
        assert plan.exact_acceptance_probability(errors) == exact


@given(lots(largest=24))
def test_any_region_in_a_small_lot_by_recursion(case):
    plan = la.SamplingPlan(*case)
    check_against_recursion(plan, list(range(case[2] + 1)))


@given(limits(longest=14))
def test_any_region_in_a_process_by_recursion(case):
    plan = la.SamplingPlan(*case)
    check_against_recursion(plan, [0.0, 0.01, 0.3, 0.5, 0.97, 1.0])


# Risks ----------------------------------------------------------------------------


@every_plan(30, 8)
def test_risks_are_those_at_the_two_levels(plan):
    at_a, at_r = (0.1, 0.4) if plan.lot_size is None else (3, 12)
    limits = plan.accept.tolist(), plan.reject.tolist(), plan.lot_size
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
        assert question(some).shape == question(tuple(some)).shape == (3,)
        assert question(np.array([some, some])).shape == (2, 3)
        assert question(some)[1] == pytest.approx(question(one), abs=1e-15)
        assert question(np.array(some)[:0]).shape == (0,)
    assert plan.sample_number_pmf(one).shape == (3,)
    assert plan.sample_number_pmf([some, some]).shape == (2, 3, 3)


# Large lots, and processes ----------------------------------------------------------


@pytest.mark.parametrize("lot_size", [1000, 24799, 1_000_000])
@pytest.mark.parametrize("levels", [la.STRICT, la.RELAXED])
def test_single_plans_keep_their_digits_in_large_lots(lot_size, levels):
    """Against whole numbers: eleven digits even in a lot of a million."""
    plan = la.single_plan(levels, lot_size)
    n, c = plan.max_sample, int(plan.accept[-1])
    for rate in (0.005, levels.p_a, 0.018, levels.p_r, 0.06):
        errors = round(rate * lot_size)
        exact, found = (
            oracles.cdf(c, n, lot_size, errors),
            plan.acceptance_probability(errors),
        )
        assert found == pytest.approx(float(exact), rel=1e-11, abs=0)
        theirs = hypergeom.cdf(c, lot_size, errors, n)
        assert found == pytest.approx(theirs, rel=1e-6, abs=0)


# Simulation -----------------------------------------------------------------------

RUNS = 20_000


def check_simulation(plan, errors, seed):
    """Acceptances and each frequency of the sample number, at 5 standard errors."""
    limits = plan.accept.tolist(), plan.reject.tolist()
    accepted, stops = oracles.by_recursion(*limits, plan.lot_size, errors)
    runs = plan.simulate(errors, RUNS, seed)
    # a frequency p has the standard error sqrt(p (1 - p) / runs); one run in
    # RUNS is let by where p is so small that the normal law says nothing
    frequencies = np.bincount(runs.inspected, minlength=len(stops)) / RUNS
    seen = np.array([runs.accepted.mean(), *frequencies])
    p = np.array([float(accepted), *map(float, stops)])
    assert (abs(seen - p) <= 5 * np.sqrt(p * (1 - p) / RUNS) + (p > 0) / RUNS).all()
    # every row is a stopping point of the plan
    accept, reject = plan.accept[runs.inspected], plan.reject[runs.inspected]
    assert (runs.accepted == (runs.errors_found <= accept)).all()
    assert (runs.accepted != (runs.errors_found >= reject)).all()
    assert plan.lot_size is None or (runs.errors_found <= errors).all()


@every_plan(40, 10)
def test_simulated_plans(plan):
    for errors in (0, 4, 9, 16, 40) if plan.lot_size else (0.0, 0.1, 0.25, 1.0):
        check_simulation(plan, errors, seed=11)
    errors = 8 if plan.lot_size else 0.2
    first = plan.simulate(errors, 300, seed=5)
    pd.testing.assert_frame_equal(first, plan.simulate(errors, 300, seed=5))
    generator = np.random.default_rng(5)
    pd.testing.assert_frame_equal(first, plan.simulate(errors, 300, seed=generator))
    assert not first.equals(plan.simulate(errors, 300, seed=6))


@settings(max_examples=30)
@given(lots(largest=9))
def test_any_region_simulated(case):
    check_simulation(la.SamplingPlan(*case), case[2] // 2, seed=13)


def test_the_form_of_simulations():
    plan = la.single_plan(la.RELAXED, 1000)
    runs = plan.simulate(20, repetitions=7, seed=0)
    assert runs.columns.tolist() == ["accepted", "inspected", "errors_found"]
    assert [runs[c].dtype.kind for c in runs] == ["b", "i", "i"]
    assert runs.index.tolist() == list(range(7))
    assert len(plan.simulate(20)) == 1000
