"""The laws of errors in a sample, as every plan and interval sees them.

A plan of one sample accepts at c with P(X <= c), and one that asks for x errors at n
exactly with P(X = x): the laws in fractions and in doubles.
"""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import binom, hypergeom

import labelaudit as la
import oracles
from optimal_oracles import Problem, best_region, objective_of, programme, region


def accepts(n, c, lot_size):
    """A plan that inspects n and accepts at c errors or fewer."""
    return la.SamplingPlan.from_stages([(n, c, c + 1)], lot_size)


@pytest.mark.parametrize("rate", [0, 0.25, 1 / 3, 0.9, 1])
@pytest.mark.parametrize("n", [0, 1, 2, 7])
def test_a_process(n, rate):
    for c in range(-1, n + 1):
        plan, exact = accepts(n, c, None), oracles.cdf(c, n, None, rate)
        assert plan.exact_acceptance_probability(rate) == exact
        found = plan.acceptance_probability(rate)
        assert found == pytest.approx(float(exact), rel=1e-12, abs=1e-300)


@pytest.mark.parametrize("lot_size", [1, 5, 12])
def test_a_lot(lot_size):
    """At every sample, number of errors and limit; the ends of the lot too."""
    errors = np.arange(lot_size + 1)
    for n in range(lot_size + 1):
        for c in range(-1, n + 1):
            plan = accepts(n, c, lot_size)
            exact = [oracles.cdf(c, n, lot_size, d) for d in errors.tolist()]
            found = [plan.exact_acceptance_probability(d) for d in errors.tolist()]
            assert found == exact
            wanted = np.array(exact, dtype=float)
            assert plan.acceptance_probability(errors) == pytest.approx(
                wanted, abs=1e-14
            )


@pytest.mark.parametrize(("lot_size", "errors"), [(12, 5), (40, 11), (None, 0.3)])
def test_single_outcomes(lot_size, errors):
    """A lower limit beside an upper one, where a path arrives with x errors."""
    n = 9
    for x in range(1, n):
        accept, reject = [-1] * n + [x - 1], [*range(1, n + 1), x]
        below = la.SamplingPlan(accept, reject, lot_size)
        both = [below, accepts(n, x, lot_size)]
        low, high = (plan.exact_acceptance_probability(errors) for plan in both)
        assert high - low == oracles.pmf(x, n, lot_size, errors)


def test_next_outcomes():
    """One at a time: P(the first error at n + 1) from the sample-number law."""
    n, lot_size = 8, 20
    plan = la.SamplingPlan([-1] * n + [0], [*[1] * n, 1], lot_size)
    for errors in (0, 1, 7, 19, 20):
        clean = [oracles.pmf(0, k, lot_size, errors) for k in range(n + 1)]
        first = [0.0] + [float(a - b) for a, b in pairwise(clean)]
        first[-1] += float(clean[-1])
        assert plan.sample_number_pmf(errors) == pytest.approx(first, abs=1e-14)
    rate = Fraction(1, 4)
    process = la.SamplingPlan([-1] * n + [0], [*[1] * n, 1])
    first = [0.0] + [float(rate * (1 - rate) ** (k - 1)) for k in range(1, n + 1)]
    first[-1] += float((1 - rate) ** n)
    assert process.sample_number_pmf(0.25) == pytest.approx(first, abs=1e-14)


@pytest.mark.parametrize("method", ["clopper-pearson", "mid-p"])
@pytest.mark.parametrize(("n", "lot_size"), [(5, 12), (40, 300), (400, 3000)])
def test_both_tails(n, lot_size, method):
    """Limits by scipy's tails at every D, also far out."""
    half = 0.5 * (method == "mid-p")
    every = np.arange(lot_size + 1)
    for x in {0, 1, n // 50, n // 2, n - 1, n}:
        at = half * hypergeom.pmf(x, lot_size, every, n)
        below = hypergeom.cdf(x, lot_size, every, n) - at
        above = hypergeom.sf(x - 1, lot_size, every, n) - at
        ends = la.proportion_interval(x, n, lot_size, confidence=0.93, method=method)
        low, high = every[above > 0.035][0], every[below > 0.035][-1]
        assert ends == pytest.approx((low / lot_size, high / lot_size), abs=1e-12)


@pytest.mark.parametrize(
    ("lot_size", "p_r", "n", "risk"),
    [
        (6, 0.5, 2, 0.2),  # C(3, 2) / C(6, 2)
        (16, 0.375, 2, 0.375),  # C(10, 2) / C(16, 2)
        (25, 0.4, 2, 0.35),  # C(15, 2) / C(25, 2)
        (None, 0.75, 10, 9.5367431640625e-07),
        (None, 0.9, 11, 1e-11),
    ],
)
def test_near_a_bound_fractions_decide(lot_size, p_r, n, risk):
    """A nominal risk of exactly the plan's own is kept; one digit less is not."""
    d_r = p_r if lot_size is None else oracles.count_of(p_r, lot_size)
    assert oracles.cdf(0, n, lot_size, d_r) == oracles.decimal(risk)
    for beta, kept in ((risk, True), (np.nextafter(risk, 0).item(), False)):
        levels = la.QualityLevels(0.01, p_r, 0.45, beta)
        plan = la.SamplingPlan.from_stages([(n, 0, 1)], lot_size, levels)
        assert plan.keeps_risks[1] == kept


@pytest.mark.parametrize("p_r", [0.3, 0.4, 0.5, 0.7])
@pytest.mark.parametrize("p_a", [0.02, 0.1, 0.2])
def test_the_smallest_sample_of_a_process(p_a, p_r):
    for alpha, beta in ((0.05, 0.1), (0.2, 0.05), (0.01, 0.3)):
        levels = p_a, p_r, alpha, beta
        n, (c, *_) = oracles.smallest_single(levels, None)
        plan = la.single_plan(la.QualityLevels(*levels))
        assert (plan.max_sample, plan.accept[-1]) == (n, c)


@pytest.mark.parametrize("lot_size", [None, 8])
@pytest.mark.parametrize("levels", [(0.1, 0.6, 0.1, 0.2), (0.2, 0.7, 0.05, 0.1)])
def test_designs_rest_on_the_laws(levels, lot_size):
    """The smallest sample and the best region, by enumeration."""
    n, (c,) = oracles.smallest_single(levels, lot_size)
    single = la.single_plan(la.QualityLevels(*levels), lot_size)
    assert (single.max_sample, single.accept[-1]) == (n, c)
    plan = la.optimal_plan(la.QualityLevels(*levels), lot_size, max_sample=n + 1)
    problem = Problem(levels, lot_size, "balanced", n + 1)
    limits = plan.accept.tolist(), plan.reject.tolist()
    value = objective_of(problem, region(limits))
    best, _ = best_region(problem)
    assert best <= value <= Fraction(1001, 1000) * best
    assert plan.lower_bound == pytest.approx(programme(problem), rel=1e-3)


@pytest.mark.parametrize(("n", "share"), [(60, 0.02), (60, 0.5), (400, 0.9)])
def test_both_tails_of_a_process(n, share):
    """The sample size that its interval makes short enough, by scipy's tails."""
    x = oracles.count_of(share, n)
    low, high = la.proportion_interval(x, n, confidence=0.93, method="mid-p")
    for p, tail in (
        (low, binom.sf(x - 1, n, low) - binom.pmf(x, n, low) / 2),
        (high, binom.cdf(x, n, high) - binom.pmf(x, n, high) / 2),
    ):
        assert tail == pytest.approx(0.035, rel=1e-9) and 0 < p < 1
    size = la.interval_sample_size(share, (high - low) / 2 + 1e-9)
    near = la.proportion_interval(oracles.count_of(share, size.first), size.first)
    assert (near[1] - near[0]) / 2 <= (high - low) / 2 + 1e-9
