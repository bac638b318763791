"""Published numbers of Klie et al. 2024, and the procedures that they come from."""

import numpy as np
import pytest
from scipy.stats import hypergeom

import labelaudit as la
from known import at_printed_precision
from labelaudit import as_published
from regions import quietly

CONLL, IMDB = 3380, 24799  # lot sizes, Table 2
CONLL_ERRORS, IMDB_ERRORS = 217, 499  # errors in them, Table 2


@pytest.mark.parametrize(
    ("levels", "lot_size", "plan", "errors", "asn", "curtailed"),
    [
        (la.STRICT, 1000, (298, 4, 11), None, None, None),  # section 3.3
        (la.RELAXED, 1000, (144, 3, 9), None, None, None),
        # Table 3 has 2n as the average: 720, 314, 758, 350; and where the second
        # sample is curtailed 361.3, 184.5, 682.7, 347.6.
        (la.STRICT, CONLL, (360, 5, 13), CONLL_ERRORS, 363.7, 360.3),
        (la.RELAXED, CONLL, (157, 3, 10), CONLL_ERRORS, 245.8, 182.3),
        (la.STRICT, IMDB, (379, 5, 14), IMDB_ERRORS, 669.5, 594.3),
        (la.RELAXED, IMDB, (175, 4, 11), IMDB_ERRORS, 223.5, 221.4),
    ],
)
def test_double_plans_and_their_exact_averages(
    levels, lot_size, plan, errors, asn, curtailed
):
    """The average by scipy too, to a decimal."""
    assert as_published.double_plan(levels, lot_size) == plan
    if errors is None:
        return
    n, c1, c2 = plan
    second = hypergeom.cdf(c2, lot_size, errors, n)
    second -= hypergeom.cdf(c1, lot_size, errors, n)
    assert at_printed_precision(n * (1 + second), asn, 1)
    for whole, wanted in ((True, asn), (False, curtailed)):
        made = double(*plan, lot_size, whole)
        assert at_printed_precision(made.average_sample_number(errors), wanted, 1)


def double(n, c1, c2, lot_size, whole=False):
    """Two samples of n, the second one taken whole or until it is decided."""
    accept, reject = [-1] * (2 * n + 1), list(range(1, 2 * n + 2))
    accept[n], accept[2 * n] = c1, c2
    if whole:
        reject[n] = reject[2 * n] = c2 + 1
    else:
        reject[n:] = [c2 + 1] * (n + 1)
    return la.SamplingPlan(accept, reject, lot_size)


@pytest.mark.parametrize(
    ("rate", "half_width", "alpha", "lot_size", "size", "first", "stable"),
    [
        (0.01, 0.01, 0.01, CONLL, 803, 740, 864),
        (0.02, 0.02, 0.05, CONLL, 288, 223, 288),
        (0.01, 0.01, 0.01, IMDB, 992, 926, 1058),
        (0.02, 0.02, 0.05, IMDB, 260, 260, 293),
        (0.03, 0.01, 0.01, CONLL, 1389, 1316, 1389),
        (0.05, 0.02, 0.05, CONLL, 443, 443, 471),
        (0.03, 0.01, 0.01, IMDB, 1993, 1915, 2020),
        (0.05, 0.02, 0.05, IMDB, 501, 488, 516),
    ],
)
def test_interval_sample_sizes_and_their_sawtooth(
    rate, half_width, alpha, lot_size, size, first, stable
):
    """Table 3, at p_a and at p_r; section 3.2: both tails together <= alpha."""
    found = as_published.interval_sample_size(rate, half_width, lot_size, alpha=alpha)
    assert found == size
    n = np.arange(1, 2301)
    tails = as_published.both_tails(n, rate, half_width, lot_size)
    assert n[tails <= alpha][0] == first
    assert n[tails > alpha][-1] + 1 == stable


@pytest.mark.parametrize(
    ("errors", "n", "printed", "decimals", "exact"),
    [
        (5, 100, 4, 0, 4.55),
        (10, 100, 5.5, 1, 6.0),
        (10, 200, 2.75, 2, 2.9),
        (20, 200, 3.75, 2, 3.95),
    ],
)
def test_margins_of_error_in_figure_3(errors, n, printed, decimals, exact):
    """Section 4.2: 5 +- 4, 10 +- 5.5 (n = 100), 5 +- 2.75, 10 +- 3.75 % (n = 200)."""
    low, high = as_published.plug_in_interval(errors, n, 1000)
    assert at_printed_precision(50 * (high - low), printed, decimals)
    low, high = la.proportion_interval(errors, n, 1000)
    assert 50 * (high - low) == pytest.approx(exact, abs=1e-9)


@pytest.mark.parametrize(
    ("levels", "lot_size", "risk", "errors", "asn", "decimals"),
    [
        (la.STRICT, 1000, 0.096, None, None, None),
        (la.RELAXED, 1000, 0.190, None, None, None),
        (la.STRICT, CONLL, 0.123, CONLL_ERRORS, 92.53, 2),
        (la.RELAXED, CONLL, 0.208, CONLL_ERRORS, 99.28, 2),
        (la.STRICT, IMDB, 0.130, IMDB_ERRORS, 460.4, 1),
        (la.RELAXED, IMDB, 0.200, IMDB_ERRORS, 156.8, 1),
    ],
)
def test_the_truncated_test(levels, lot_size, risk, errors, asn, decimals):
    """Consumer's risk of the wedge as released, and the exact averages beside Table
    3's simulated 92.36, 98.30, 461.7, 154.9.

    These truncated as section 3.3 says: at the single plan's n, with its c. The wedge
    that was released differs by less than a tenth of an inspection.
    """
    cutoff = la.single_plan(levels, lot_size).max_sample
    wedge = as_published.wedge_plan(levels, lot_size, cutoff)
    assert at_printed_precision(wedge.consumers_risk, risk, 3)
    if errors is None:
        return
    plan = quietly(la.sequential_plan, levels, lot_size, max_sample=cutoff)
    assert at_printed_precision(plan.average_sample_number(errors), asn, decimals)
    assert wedge.average_sample_number(errors) == pytest.approx(asn, abs=0.1)


def test_peaks_of_figure_4b():
    """Relaxed: the full test peaks at 187.0, D = 32, the curtailed one at 162.2."""
    errors = np.arange(101)
    full = quietly(la.sequential_plan, la.RELAXED, 1000).average_sample_number(errors)
    assert at_printed_precision(full.max(), 187.0, 1)
    assert full.argmax() == 32
    cut = quietly(la.sequential_plan, la.RELAXED, 1000, max_sample=245)
    assert at_printed_precision(cut.average_sample_number(errors).max(), 162.2, 1)


def test_the_released_average_loses_probability():
    """Fig. 4b, relaxed: what is counted sums to .91."""
    wedge = as_published.wedge_plan(la.RELAXED, 1000, 245)
    _, mass = as_published.counted_average_sample_number(wedge, np.arange(101))
    assert at_printed_precision(mass.min(), 0.91, 2)
    assert mass.max() <= 1 + 1e-12


def test_the_printed_curtailed_average_is_an_identity_in_a_process_only():
    """Section 3.3, beside the exact average; off by up to 3 % in a lot."""
    plan = la.double_plan(la.RELAXED, curtailed=True)
    numbers = plan.max_sample // 2, *plan.accept[plan.accept >= 0].tolist()
    rates = np.array([0.01, 0.02, 0.05, 0.1])
    printed = as_published.double_average_sample_number(*numbers, rates, None)
    assert printed == pytest.approx(plan.average_sample_number(rates), rel=1e-10)
    exact = double(298, 4, 11, 1000).average_sample_number(np.arange(1, 101))
    printed = as_published.double_average_sample_number(
        298, 4, 11, np.arange(1, 101), 1000
    )
    gap = abs(printed / exact - 1).max()
    assert 0.02 < gap < 0.035


def test_walds_approximation_of_the_average():
    """Duncan 1959, Table R, p .01 and .03: 111 (0 rounded up), 216, 290, 181."""
    levels = la.QualityLevels(0.01, 0.03, 0.05, 0.10)
    asn = as_published.wald_average_sample_number(levels, [0.01, 0.03])
    assert asn.round().tolist() == [216, 181]
    _, _, slope = as_published.wald_slope(levels)
    assert round(as_published.wald_average_sample_number(levels, slope).item()) == 290
    assert 110 < as_published.wald_average_sample_number(levels, 0.0) <= 111
