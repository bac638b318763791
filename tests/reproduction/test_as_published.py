"""Published numbers of Klie et al. 2024, and the procedures that they come from."""

import numpy as np
import pytest
from scipy.stats import hypergeom

import labelaudit as la
from known import at_printed_precision, known
from labelaudit import as_published
from regions import quietly

PRINTED = known("klie_2024")


@pytest.mark.parametrize(
    ("levels", "lot_size", "plan", "errors", "asn", "curtailed"), PRINTED["double"]
)
def test_double_plans_and_their_exact_averages(
    levels, lot_size, plan, errors, asn, curtailed
):
    """The average by scipy too, to a decimal."""
    levels = getattr(la, levels)
    assert as_published.double_plan(levels, lot_size) == tuple(plan)
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
    PRINTED["interval_sizes"],
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
    ("errors", "n", "printed", "decimals", "exact"), PRINTED["margins"]
)
def test_margins_of_error_in_figure_3(errors, n, printed, decimals, exact):
    low, high = as_published.plug_in_interval(errors, n, 1000)
    assert at_printed_precision(50 * (high - low), printed, decimals)
    low, high = la.proportion_interval(errors, n, 1000)
    assert 50 * (high - low) == pytest.approx(exact, abs=1e-9)


@pytest.mark.parametrize(
    ("levels", "lot_size", "risk", "errors", "asn", "decimals"), PRINTED["truncated"]
)
def test_the_truncated_test(levels, lot_size, risk, errors, asn, decimals):
    """Consumer's risk of the wedge as released, and the exact averages.

    These truncated as section 3.3 says: at the single plan's n, with its c. The wedge
    that was released differs by less than a tenth of an inspection.
    """
    levels = getattr(la, levels)
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
