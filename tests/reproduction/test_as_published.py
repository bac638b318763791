"""Published numbers of Klie et al. 2024, and the procedures that they come from."""

import numpy as np
import pytest
from scipy.stats import hypergeom

import labelaudit as la
from known import at_printed_precision
from labelaudit import as_published
from regions import quietly
from reproduction.klie2024 import methods

CONLL, IMDB = 3380, 24799  # lot sizes, Table 2
CONLL_ERRORS, IMDB_ERRORS = 217, 499  # errors in them, Table 2


@pytest.mark.parametrize(
    ("levels", "lot_size", "plan"),
    [
        (la.STRICT, 1000, (298, 4, 11)),  # section 3.3
        (la.RELAXED, 1000, (144, 3, 9)),  # section 3.3
        (la.STRICT, CONLL, (360, 5, 13)),  # Table 3: 2n = 720
        (la.RELAXED, CONLL, (157, 3, 10)),  # 314
        (la.STRICT, IMDB, (379, 5, 14)),  # 758
        (la.RELAXED, IMDB, (175, 4, 11)),  # 350
    ],
)
def test_double_plans(levels, lot_size, plan):
    assert as_published.double_plan(levels, lot_size) == plan


@pytest.mark.parametrize(
    ("levels", "lot_size", "numbers", "errors", "asn"),
    [
        (la.STRICT, CONLL, (360, 5, 13), CONLL_ERRORS, 363.7),
        (la.RELAXED, CONLL, (157, 3, 10), CONLL_ERRORS, 245.8),
        (la.STRICT, IMDB, (379, 5, 14), IMDB_ERRORS, 669.5),
        (la.RELAXED, IMDB, (175, 4, 11), IMDB_ERRORS, 223.5),
    ],
)
def test_exact_averages_of_the_published_double_plans(
    levels, lot_size, numbers, errors, asn
):
    """Table 3 gives 2n as their average; the exact ones by scipy, to a decimal."""
    n, c1, c2 = numbers
    second = hypergeom.cdf(c2, lot_size, errors, n)
    second -= hypergeom.cdf(c1, lot_size, errors, n)
    assert at_printed_precision(n * (1 + second), asn, 1)
    accept, reject = [-1] * (2 * n + 1), list(range(1, 2 * n + 2))
    accept[n], accept[2 * n] = c1, c2
    reject[n] = reject[2 * n] = c2 + 1
    plan = la.SamplingPlan(accept, reject, lot_size, levels)
    assert at_printed_precision(plan.average_sample_number(errors), asn, 1)


@pytest.mark.parametrize(
    ("numbers", "lot_size", "errors", "asn"),
    [
        ((360, 5, 13), CONLL, CONLL_ERRORS, 360.3),
        ((157, 3, 10), CONLL, CONLL_ERRORS, 182.3),
        ((379, 5, 14), IMDB, IMDB_ERRORS, 594.3),
        ((175, 4, 11), IMDB, IMDB_ERRORS, 221.4),
    ],
)
def test_exact_averages_of_the_curtailed_double_plans(numbers, lot_size, errors, asn):
    """Beside Table 3's 361.3, 184.5, 682.7, 347.6."""
    n, c1, c2 = numbers
    accept, reject = [-1] * (2 * n + 1), list(range(1, 2 * n + 2))
    accept[n], accept[2 * n] = c1, c2
    reject[n:] = [c2 + 1] * (n + 1)
    plan = la.SamplingPlan(accept, reject, lot_size)
    assert at_printed_precision(plan.average_sample_number(errors), asn, 1)


@pytest.mark.parametrize(
    ("rate", "half_width", "alpha", "lot_size", "n"),
    [
        (0.01, 0.01, 0.01, CONLL, 803),
        (0.02, 0.02, 0.05, CONLL, 288),
        (0.01, 0.01, 0.01, IMDB, 992),
        (0.02, 0.02, 0.05, IMDB, 260),
        (0.03, 0.01, 0.01, CONLL, 1389),
        (0.05, 0.02, 0.05, CONLL, 443),
        (0.03, 0.01, 0.01, IMDB, 1993),
        (0.05, 0.02, 0.05, IMDB, 501),
    ],
)
def test_interval_sample_sizes(rate, half_width, alpha, lot_size, n):
    """Table 3, confidence intervals at p_a and at p_r."""
    size = as_published.interval_sample_size(rate, half_width, lot_size, alpha=alpha)
    assert size == n


@pytest.mark.parametrize(
    ("rate", "half_width", "alpha", "lot_size", "first", "stable"),
    [
        (0.01, 0.01, 0.01, CONLL, 740, 864),
        (0.02, 0.02, 0.05, CONLL, 223, 288),
        (0.01, 0.01, 0.01, IMDB, 926, 1058),
        (0.02, 0.02, 0.05, IMDB, 260, 293),
        (0.03, 0.01, 0.01, CONLL, 1316, 1389),
        (0.05, 0.02, 0.05, CONLL, 443, 471),
        (0.03, 0.01, 0.01, IMDB, 1915, 2020),
        (0.05, 0.02, 0.05, IMDB, 488, 516),
    ],
)
def test_the_published_criterion_is_a_sawtooth(
    rate, half_width, alpha, lot_size, first, stable
):
    """Section 3.2: both tails together <= alpha, at every n up to 2300."""
    n = np.arange(1, 2301)
    tails = as_published.both_tails(n, rate, half_width, lot_size)
    assert n[tails <= alpha][0] == first
    assert n[tails > alpha][-1] + 1 == stable


@pytest.mark.parametrize(
    ("errors", "n", "half_width", "decimals"),
    [(5, 100, 4, 0), (10, 100, 5.5, 1), (10, 200, 2.75, 2), (20, 200, 3.75, 2)],
)
def test_margins_of_error_in_figure_3(errors, n, half_width, decimals):
    """Section 4.2: 5 +- 4, 10 +- 5.5 (n = 100), 5 +- 2.75, 10 +- 3.75 % (n = 200)."""
    low, high = as_published.plug_in_interval(errors, n, 1000)
    assert at_printed_precision(50 * (high - low), half_width, decimals)


@pytest.mark.parametrize(
    ("errors", "n", "half_width"),
    [(5, 100, 4.55), (10, 100, 6.0), (10, 200, 2.9), (20, 200, 3.95)],
)
def test_the_exact_margins_are_wider(errors, n, half_width):
    low, high = la.proportion_interval(errors, n, 1000)
    assert 50 * (high - low) == pytest.approx(half_width, abs=1e-9)


def test_the_plug_in_interval_covers_too_little():
    """Coverage .65 at a nominal .95: lot of 1000 with 10 errors, n = 100."""
    x = np.arange(11)
    low, high = as_published.plug_in_interval(x, 100, 1000)
    covers = (np.rint(low * 1000) <= 10) & (np.rint(high * 1000) >= 10)
    coverage = hypergeom.pmf(x, 1000, 10, 100)[covers].sum()
    assert at_printed_precision(coverage, 0.65, 2)


@pytest.mark.parametrize(
    ("levels", "lot_size", "risk"),
    [
        (la.STRICT, 1000, 0.096),
        (la.RELAXED, 1000, 0.190),
        (la.STRICT, CONLL, 0.123),
        (la.RELAXED, CONLL, 0.208),
        (la.STRICT, IMDB, 0.130),
        (la.RELAXED, IMDB, 0.200),
    ],
)
def test_consumers_risk_of_the_wedge_as_released(levels, lot_size, risk):
    cutoff = la.single_plan(levels, lot_size).max_sample
    plan = as_published.wedge_plan(levels, lot_size, cutoff)
    assert at_printed_precision(plan.consumers_risk, risk, 3)


@pytest.mark.parametrize(
    ("levels", "lot_size", "errors", "asn", "decimals"),
    [
        (la.STRICT, CONLL, CONLL_ERRORS, 92.53, 2),
        (la.RELAXED, CONLL, CONLL_ERRORS, 99.28, 2),
        (la.STRICT, IMDB, IMDB_ERRORS, 460.4, 1),
        (la.RELAXED, IMDB, IMDB_ERRORS, 156.8, 1),
    ],
)
def test_exact_averages_of_the_truncated_test(levels, lot_size, errors, asn, decimals):
    """Beside Table 3's simulated 92.36, 98.30, 461.7, 154.9.

    Truncated as section 3.3 says: at the single plan's n, with its c. The wedge
    that was released differs by less than a tenth of an inspection.
    """
    cutoff = la.single_plan(levels, lot_size).max_sample
    plan = quietly(la.sequential_plan, levels, lot_size, max_sample=cutoff)
    assert at_printed_precision(plan.average_sample_number(errors), asn, decimals)
    wedge = as_published.wedge_plan(levels, lot_size, cutoff)
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


def test_the_relaxed_full_test_accepts_imdb():
    """96.2 % of the time; section 4.3 has it reject, with another plan's limits."""
    plan = quietly(la.sequential_plan, la.RELAXED, IMDB)
    assert at_printed_precision(plan.acceptance_probability(IMDB_ERRORS), 0.962, 3)


def test_the_printed_curtailed_average_is_an_identity_in_a_process_only():
    """Section 3.3, beside the exact average; off by up to 3 % in a lot."""
    plan = la.double_plan(la.RELAXED, curtailed=True)
    numbers = plan.max_sample // 2, *plan.accept[plan.accept >= 0].tolist()
    rates = np.array([0.01, 0.02, 0.05, 0.1])
    printed = as_published.double_average_sample_number(*numbers, rates, None)
    assert printed == pytest.approx(plan.average_sample_number(rates), rel=1e-10)
    accept, reject = [-1] * 597, list(range(1, 598))
    accept[298], accept[596], reject[298:] = 4, 11, [12] * 299
    exact = la.SamplingPlan(accept, reject, 1000).average_sample_number(
        np.arange(1, 101)
    )
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


def test_nothing_else_in_the_library_uses_these():
    """A process of its own: importing labelaudit alone leaves the module out."""
    import subprocess
    import sys

    code = "import sys, labelaudit; print('labelaudit.as_published' in sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == "False"


@pytest.mark.parametrize(
    ("dataset", "levels", "double", "full", "curtailed"),
    [  # Table 3, "over 1000 repetitions"
        ("CoNLL 2003", la.STRICT, "361.296", "92.360", "92.360"),
        ("CoNLL 2003", la.RELAXED, "184.508", "91.833", "98.299"),
        ("IMDB", la.STRICT, "682.675", "627.084", "461.713"),
        ("IMDB", la.RELAXED, "347.572", "620.491", "154.949"),
    ],
)
def test_replay_gives_the_simulated_averages_to_the_last_digit(
    dataset, levels, double, full, curtailed
):
    means = methods.replayed(dataset, levels, limits=la.STRICT).mean()
    assert f"{means['double curtailed']:.3f}" == double
    assert f"{means['sequential']:.3f}" == full
    assert f"{means['sequential curtailed']:.3f}" == curtailed
