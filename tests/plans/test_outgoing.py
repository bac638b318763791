"""Outgoing quality, total inspection and cost, for any plan and inspection."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings

import labelaudit as la
from inspection_oracles import enumerate_lot
from regions import every_kind, lots

SMALL = la.QualityLevels(0.1, 0.4, 0.1, 0.2)
INSPECTIONS = [(1.0, 1.0), (0.8, 1.0), (1.0, 0.9), (0.7, 0.85)]

# Sums of a few hundred probabilities in doubles.
CLOSE = 1e-12


@cache
def lots_by_enumeration(accept, reject, lot_size, inspection):
    return [
        enumerate_lot(accept, reject, lot_size, d, *inspection)
        for d in range(lot_size + 1)
    ]


# Every placement and every flag ---------------------------------------------------


@settings(max_examples=15)
@given(lots(largest=6))
@pytest.mark.parametrize("rates", INSPECTIONS)
def test_any_region_by_enumeration(rates, case):
    accept, reject, lot_size = case
    plan = la.SamplingPlan(accept, reject, lot_size, inspection=la.Inspection(*rates))
    limits = tuple(plan.accept.tolist()), tuple(plan.reject.tolist())
    outcomes = lots_by_enumeration(*limits, lot_size, rates)
    errors = np.arange(lot_size + 1)
    assert la.average_outgoing_quality(plan, errors) == pytest.approx(
        [float(o.left_rectified / lot_size) for o in outcomes], abs=CLOSE
    )
    assert la.average_total_inspection(plan, errors) == pytest.approx(
        [float(o.inspected_rectified) for o in outcomes], abs=CLOSE
    )
    price = {"per_inspection": 2, "per_rejected_lot": 7, "per_accepted_error": 11}
    back = [
        2 * sum(n * p for n, p in enumerate(o.stops))
        + 7 * (1 - o.accepted)
        + 11 * o.left_accepted
        for o in outcomes
    ]
    assert la.expected_cost(plan, errors, **price) == pytest.approx(
        [float(v) for v in back], abs=1e-10
    )
    whole = [
        2 * o.inspected_rectified + 7 * (1 - o.accepted) + 11 * o.left_rectified
        for o in outcomes
    ]
    assert la.expected_cost(plan, errors, **price, rectify=True) == pytest.approx(
        [float(v) for v in whole], abs=1e-10
    )
    limit, worst = la.average_outgoing_quality_limit(plan)
    quality = [o.left_rectified / lot_size for o in outcomes]
    assert limit == pytest.approx(float(max(quality)), abs=CLOSE)
    assert float(quality[worst]) == pytest.approx(float(max(quality)), abs=CLOSE)


@pytest.mark.parametrize("rates", INSPECTIONS)
def test_processes_by_simulation_of_lots(rates):
    """Lots of 30 from a process, each item wrong with probability p."""
    inspection = la.Inspection(*rates)
    accept, reject = [-1] * 8 + [1] + [-1] * 3 + [2], [*range(1, 9), 3] + [3] * 4
    plan = la.SamplingPlan(accept, reject, inspection=inspection)
    size, p, repetitions = 30, 0.15, 40_000
    generator = np.random.default_rng(11)
    wrong = generator.random((repetitions, size)) < p
    seen, false = (float(v) for v in inspection.fractions)
    flags = generator.random(wrong.shape) < np.where(wrong, seen, false)
    counts = np.hstack([np.zeros((repetitions, 1), int), flags.cumsum(axis=1)])
    counts = counts[:, : len(accept)]
    ends = (counts <= plan.accept) | (counts >= plan.reject)
    n = ends.argmax(axis=1)
    accepted = counts[np.arange(repetitions), n] <= plan.accept[n]
    looked_at = np.where(accepted, n, size)
    corrected = wrong & flags & (np.arange(size) < looked_at[:, None])
    left = (wrong & ~corrected).sum(axis=1)

    def within_four_errors(exact, draws):
        error = draws.std() / np.sqrt(repetitions)
        assert abs(exact - draws.mean()) < 4 * error

    within_four_errors(la.average_outgoing_quality(plan, p, lot_size=size), left / size)
    within_four_errors(la.average_total_inspection(plan, p, lot_size=size), looked_at)
    cost = la.expected_cost(
        plan, p, per_inspection=0, per_accepted_error=1, lot_size=size
    )
    within_four_errors(cost, left * accepted)


# Published numbers ----------------------------------------------------------------


def single(n, c, **kwargs):
    accept, reject = np.full(n + 1, -1), np.arange(1, n + 2)
    accept[n], reject[n] = c, c + 1
    return la.SamplingPlan(accept, reject, **kwargs)


@pytest.mark.parametrize(
    ("n", "qualities", "inspections", "limit", "worst"),
    [
        (150, (1.988, 4.313), (155.9, 3435.6), 4.355, 5.369),
        (200, (1.979, 2.892), (262.8, 10539.9), 3.254, 4.027),
        (250, (1.955, 1.440), (566.7, 17799.6), 2.595, 3.222),
    ],
)
def test_minitabs_grocery_bags(n, qualities, inspections, limit, worst):
    """Minitab help, "Acceptance Sampling by Attributes - Compare User Defined Plans":

    c = 10, incoming 2 and 5 percent; its figures imply lots of 25,000.
    """
    plan, lot = single(n, 10), {"lot_size": 25_000}
    rates = [0.02, 0.05]
    # AOQ is printed cut off, not rounded: 1.98752 appears as 1.988, 1.95465 as 1.955.
    assert 100 * la.average_outgoing_quality(plan, rates, **lot) == pytest.approx(
        qualities, abs=5e-4
    )
    assert la.average_total_inspection(plan, rates, **lot) == pytest.approx(
        inspections, abs=0.05
    )
    found = la.average_outgoing_quality_limit(plan, **lot)
    assert (100 * found[0], 100 * found[1]) == pytest.approx((limit, worst), abs=5e-4)


def test_sas_double_plan():
    """SAS/QC, AOQ2 and ASN2: N = 120, a1 = 0, r1 = 2, a2 = 1, n1 = n2 = 13, p = .18."""
    accept, reject = [-1] * 27, list(range(1, 28))
    accept[13], reject[13], accept[26], reject[26] = 0, 2, 1, 2
    plan = la.SamplingPlan(accept, reject)
    quality = la.average_outgoing_quality(plan, 0.18, lot_size=120)
    assert quality == pytest.approx(0.0144743043, abs=5e-11)
    assert plan.average_sample_number(0.18) == pytest.approx(15.811418112, abs=5e-10)


@pytest.mark.parametrize(("c", "y"), [(0, 0.3679), (1, 0.8400), (2, 1.371)])
def test_dodge_and_romigs_constants(c, y):
    """AOQL = y (1/n - 1/N), y the maximum of x P(Poisson(x) <= c)."""
    n, size = 2000, 100_000
    limit, _ = la.average_outgoing_quality_limit(single(n, c), lot_size=size)
    assert limit == pytest.approx(y * (1 / n - 1 / size), rel=1e-3)
    # A lot is sampled without replacement: the same for a small sampling fraction.
    limit, _ = la.average_outgoing_quality_limit(single(n, c, lot_size=size))
    assert limit == pytest.approx(y * (1 / n - 1 / size), rel=0.02)


# Invariants -----------------------------------------------------------------------


def test_a_perfect_inspection_is_no_inspection():
    for plan in every_kind(SMALL, 40, 15).values():
        same = la.SamplingPlan(
            plan.accept, plan.reject, 40, inspection=la.Inspection(1, 1)
        )
        errors = np.arange(41)
        for quantity in (
            la.average_outgoing_quality,
            la.average_total_inspection,
            la.expected_cost,
        ):
            assert np.array_equal(quantity(plan, errors), quantity(same, errors))


def test_a_lot_of_errors_alone():
    """One inspection; all 20 are wrong: (1 - s) + s (1 - s) 19/20 of them go out."""
    for s in (0.5, 0.7, 0.9, 1):
        plan = la.SamplingPlan([-1, 0], [1, 1], 20, inspection=la.Inspection(s, 1))
        left = la.average_outgoing_quality(plan, 20)
        assert left == pytest.approx((1 - s) * (1 + 0.95 * s))


def test_extremes():
    unseen = la.SamplingPlan([0], [1], 50)
    whole = la.SamplingPlan([-1], [0], 50)
    errors = np.arange(51)
    assert np.allclose(la.average_outgoing_quality(unseen, errors), errors / 50)
    assert np.array_equal(la.average_total_inspection(unseen, errors), np.zeros(51))
    assert np.array_equal(la.average_outgoing_quality(whole, errors), np.zeros(51))
    assert np.array_equal(la.average_total_inspection(whole, errors), np.full(51, 50.0))
    assert la.average_outgoing_quality_limit(unseen) == (1.0, 50)
    blunt = la.SamplingPlan([-1], [0], 50, inspection=la.Inspection(0.75, 0.5))
    assert np.allclose(la.average_outgoing_quality(blunt, errors), errors / 200)
    one = la.SamplingPlan([-1, 0], [1, 1], 1, inspection=la.Inspection(0.75, 0.5))
    assert la.average_outgoing_quality(one, [0, 1]) == pytest.approx([0, 0.25])


def test_large_lots_from_a_process_are_the_limit():
    plan = la.single_plan(la.RELAXED)
    rates = np.array([0, 0.01, 0.03, 0.06, 1])
    large = la.average_outgoing_quality(plan, rates, lot_size=10**9)
    assert la.average_outgoing_quality(plan, rates) == pytest.approx(large, rel=1e-6)
    assert la.average_outgoing_quality(plan, rates) == pytest.approx(
        rates * plan.acceptance_probability(rates), rel=1e-12
    )


def test_limit_is_above_every_rate():
    plan = la.SamplingPlan(
        la.single_plan(la.RELAXED).accept,
        la.single_plan(la.RELAXED).reject,
        inspection=la.Inspection(0.95, 0.99),
    )
    limit, worst = la.average_outgoing_quality_limit(plan)
    rates = np.linspace(0, 1, 5001)
    assert limit >= la.average_outgoing_quality(plan, rates).max() - 1e-15
    assert la.average_outgoing_quality(plan, worst) == limit


# Refusals -------------------------------------------------------------------------


def test_of_equal_limits_the_first():
    """A plan that accepts nothing lets nothing out, whatever the errors."""
    nothing = [-1], [0]
    assert la.average_outgoing_quality_limit(la.SamplingPlan(*nothing)) == (0, 0)
    assert la.average_outgoing_quality_limit(la.SamplingPlan(*nothing, 9)) == (0, 0)
    everything = la.SamplingPlan([0], [1])
    assert la.average_outgoing_quality_limit(everything) == (1, 1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda p, q: la.average_outgoing_quality(3, 1), "plan must be a Sampling"),
        (lambda p, q: la.average_outgoing_quality(p, 51), "errors must be whole"),
        (lambda p, q: la.average_outgoing_quality(q, 1.2), "errors must be numbers"),
        (
            lambda p, q: la.average_outgoing_quality(p, 5, lot_size=60),
            "lot_size must be left out: the plan is for a lot of 50, got 60",
        ),
        (
            lambda p, q: la.average_outgoing_quality(q, 0.1, lot_size=1),
            "lot_size must be a whole number from 2 to 1,000,000,000,000,000, got 1",
        ),
        (
            lambda p, q: la.average_total_inspection(q, 0.1),
            "lot_size must be given for a process's plan",
        ),
        (
            lambda p, q: la.expected_cost(q, 0.1, per_accepted_error=1),
            "lot_size must be given for a process's plan",
        ),
        (
            lambda p, q: la.expected_cost(q, 0.1, rectify=True),
            "lot_size must be given for a process's plan",
        ),
        (
            lambda p, q: la.expected_cost(p, 1, per_inspection=-1),
            "per_inspection must be a number from 0 up to .*, got -1",
        ),
        (
            lambda p, q: la.expected_cost(p, 1, per_rejected_lot=np.nan),
            "per_rejected_lot must be a number from 0 up to .*, got nan",
        ),
        (lambda p, q: la.expected_cost(p, 1, rectify=1), "rectify must be True"),
    ],
)
def test_refusals(call, message):
    limits = [-1, -1, 0], [1, 2, 1]
    with pytest.raises(ValueError, match=message):
        call(la.SamplingPlan(*limits, 50), la.SamplingPlan(*limits))
