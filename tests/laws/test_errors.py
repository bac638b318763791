"""The laws of errors in a sample, as every plan and interval sees them.

A plan of one sample accepts at c with P(X <= c), and one that asks for x errors at n
exactly with P(X = x): the laws in fractions and in doubles.
"""

import numpy as np
import pytest
from scipy.stats import hypergeom

import labelaudit as la
import oracles
from labelaudit.laws.errors import Law


def accepts(n, c, lot_size):
    """A plan that inspects n and accepts at c errors or fewer."""
    return la.SamplingPlan.from_stages([(n, c, c + 1)], lot_size)


@pytest.mark.parametrize("lot_size", [1, 5, 12, None])
def test_at_every_sample_number_of_errors_and_limit(lot_size):
    """The ends of a lot too."""
    errors = [0, 0.25, 1 / 3, 0.9, 1] if lot_size is None else range(lot_size + 1)
    for n in range((lot_size or 7) + 1):
        for c in range(-1, n + 1):
            plan = accepts(n, c, lot_size)
            exact = [oracles.cdf(c, n, lot_size, d) for d in errors]
            assert [plan.exact_acceptance_probability(d) for d in errors] == exact
            wanted = [*map(float, exact)]
            found = plan.acceptance_probability([*errors])
            assert found == pytest.approx(wanted, rel=1e-12, abs=1e-14)


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


@pytest.mark.parametrize(("lot_size", "errors"), [(9, 0), (9, 4), (9, 9), (None, 0.3)])
def test_the_table_of_all_outcomes(lot_size, errors):
    """From inspection to inspection, up to the whole lot, as the optimiser has it."""
    law, ten = Law(lot_size, 9), range(10)
    exact = np.array([[oracles.pmf(x, n, lot_size, errors) for x in ten] for n in ten])
    found, wanted = law.grid(9, 9, errors), exact.astype(float)
    assert found == pytest.approx(wanted, rel=1e-12, abs=1e-15)
    sums = [[law.exact_cdf(x, n, errors) for x in ten] for n in ten]
    assert sums == exact.cumsum(axis=1).tolist()


RATES = [0, 0.01, 0.3, 0.9, 1]
SOME = [0, 1, 40, 700, 1999, 2000]


@pytest.mark.parametrize(
    ("lot_size", "n", "errors"),
    [(12, 7, range(13)), (60, 30, range(61)), (2000, 500, SOME), (None, 500, RATES)],
)
def test_every_outcome_and_its_tails(lot_size, n, errors):
    """Each to eleven digits, however small; -1 and n + 1 are impossible."""
    x, law, given = range(-1, n + 2), Law(lot_size, n), np.array(errors)
    exact = np.array([[oracles.pmf(c, n, lot_size, d) for d in errors] for c in x])
    below, x = exact.cumsum(axis=0), np.array(x)[:, None]
    found = law.pmf(x, n, given), *law.tails(x, n, given)
    for of, wanted in zip(found, (exact, below, 1 - below + exact)):
        assert of == pytest.approx(wanted.astype(float), rel=1e-11, abs=1e-300)


def test_rates_far_apart():
    """Of several, each has the outcomes that matter to it."""
    errors = [5, 10, 1000, 2000]
    found = accepts(400, 300, 3000).acceptance_probability(errors)
    assert found == pytest.approx(hypergeom.cdf(300, 3000, errors, 400), abs=1e-12)


@pytest.mark.parametrize("method", ["clopper-pearson", "mid-p"])
@pytest.mark.parametrize(("n", "lot_size"), [(40, 300), (400, 3000)])
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
