"""Intervals for an error rate, and the sample sizes that make them short."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom, binomtest

import labelaudit as la
import oracles
from known import at_printed_precision, known

METHODS = ("clopper-pearson", "mid-p")
INTERVALS = known("binomial_intervals")
SIZES = known("interval_sample_sizes")


# Published numbers ----------------------------------------------------------------


@pytest.mark.parametrize("row", INTERVALS["newcombe"], ids=str)
def test_newcombes_table(row):
    """Newcombe 1998, Table I."""
    low, high = la.proportion_interval(row["x"], row["n"], method=row["method"])
    assert at_printed_precision(low, row["low"], 4)
    assert at_printed_precision(high, row["high"], 4)


@pytest.mark.parametrize(
    "row", INTERVALS["r_binom"] + INTERVALS["r_binom_sam_size"], ids=str
)
def test_rs_intervals(row):
    """R's exact limits to their 13 digits, its mid-P ones to 4e-5.

    R finds the latter with uniroot at its default tolerance of 1.2e-4: limits for
    x and for n - x, which are mirror images, differ by up to 3e-5.
    """
    low, high = la.proportion_interval(
        row["x"], row["n"], method=row["method"], confidence=row.get("confidence", 0.95)
    )
    tolerance = 1e-12 if row["method"] == "clopper-pearson" else 4e-5
    assert low == pytest.approx(row["low"], abs=tolerance)
    assert high == pytest.approx(row["high"], abs=tolerance)


@pytest.mark.parametrize("row", SIZES["r_ciss"], ids=str)
def test_rs_sample_sizes(row):
    size = la.interval_sample_size(row["rate"], row["half_width"])
    assert size.first == row["n"]


@pytest.mark.parametrize("row", SIZES["net"], ids=str)
def test_sample_sizes_of_sample_size_net(row):
    size = la.interval_sample_size(row["rate"], row["half_width"])
    assert size.first == row["n"]


# Processes ------------------------------------------------------------------------


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.999])
def test_clopper_pearson_against_scipy(confidence):
    for n in (1, 2, 7, 30, 211):
        low, high = la.proportion_interval(range(n + 1), n, confidence=confidence)
        for x in range(0, n + 1, 1 + n // 30):
            expected = binomtest(x, n).proportion_ci(confidence, method="exact")
            assert (low[x], high[x]) == pytest.approx(tuple(expected), abs=1e-12)


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.999])
def test_mid_p_solves_its_equation(confidence):
    """Half of the observed outcome's probability counts, in each tail."""
    tail = (1 - confidence) / 2
    for n in (1, 2, 7, 30, 211):
        x = np.arange(n + 1)
        low, high = la.proportion_interval(x, n, confidence=confidence, method="mid-p")
        below = binom.cdf(x, n, high) - binom.pmf(x, n, high) / 2
        above = binom.sf(x - 1, n, low) - binom.pmf(x, n, low) / 2
        assert below[:-1] == pytest.approx(tail, rel=1e-9, abs=0)
        assert above[1:] == pytest.approx(tail, rel=1e-9, abs=0)
        assert (low[0], high[-1]) == (0, 1)


def test_low_limits_keep_their_digits():
    """One error in a million: the lower limit solves 1 - (1 - p)^n = .025."""
    low, _ = la.proportion_interval(1, 1_000_000)
    assert low == pytest.approx(
        -np.expm1(np.log1p(-0.025) / 1_000_000), rel=1e-7, abs=0
    )


# Lots, against every D ------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("confidence", [0.95, 0.9, 0.5])
def test_every_outcome_in_small_lots(method, confidence):
    for lot_size in range(1, 12):
        for n in range(1, lot_size + 1):
            low, high = la.proportion_interval(
                range(n + 1), n, lot_size, confidence=confidence, method=method
            )
            for x in range(n + 1):
                exact = oracles.lot_interval(x, n, lot_size, confidence, method)
                found = low[x] * lot_size, high[x] * lot_size
                assert found == pytest.approx(exact, abs=1e-9), (lot_size, n, x)


@pytest.mark.parametrize("method", METHODS)
def test_a_tail_of_exactly_half_alpha_excludes_the_count(method):
    """Confidences chosen so that a tail equals (1 - confidence) / 2 exactly.

    The upper limit is the largest D whose tail is above it: the D that meets it
    is out, and is in when the confidence grows by one digit.
    """
    half = Fraction(1, 2) if method == "mid-p" else 0
    tried = 0
    for lot_size in (5, 8, 10, 16):
        for n in range(1, lot_size):
            for x in range(n):
                for d in range(x + 1, lot_size):
                    tail = oracles.cdf(x, n, lot_size, d)
                    tail -= half * oracles.pmf(x, n, lot_size, d)
                    confidence = oracles.short_decimal(1 - 2 * tail, digits=10)
                    if confidence is None or not half < confidence < 1:
                        continue  # below 1/2 the limits of mid-P may cross
                    tried += 1
                    _, high = la.proportion_interval(
                        x, n, lot_size, confidence=confidence, method=method
                    )
                    low, _ = la.proportion_interval(
                        n - x, n, lot_size, confidence=confidence, method=method
                    )
                    assert round(high * lot_size) < d
                    assert round(low * lot_size) > lot_size - d
                    more = float(oracles.decimal(confidence) + Fraction(1, 10**12))
                    _, high = la.proportion_interval(
                        x, n, lot_size, confidence=more, method=method
                    )
                    assert round(high * lot_size) >= d
    assert tried > 40


# Sample sizes ---------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("rate", "half_width", "lot_size", "confidence"),
    [
        (0.01, 0.1, 20, 0.95),
        (0.1, 0.1, 30, 0.95),
        (0.3, 0.15, 30, 0.9),
        (0.5, 0.2, 25, 0.8),
        (0.05, 0.05, 40, 0.95),  # 2 N half_width = 4, a whole number
        (0.2, 0.07, 40, 0.95),
        (0.25, 0.3, 8, 0.5),
        (0.0, 0.2, 15, 0.95),
        (1.0, 0.2, 15, 0.95),
        (0.5, 0.001, 12, 0.95),  # the whole lot
        (0.5, 0.99, 12, 0.95),  # one inspection
    ],
)
def test_sizes_in_small_lots(rate, half_width, lot_size, confidence, method):
    size = la.interval_sample_size(
        rate, half_width, lot_size, confidence=confidence, method=method
    )
    assert (size.first, size.stable) == oracles.lot_sample_size(
        rate, half_width, lot_size, confidence, method
    )


def process_oracle(rate, half_width, confidence, method, most):
    """(first, stable) from the interval of each n up to four times the first."""
    tail = (1 - confidence) / 2
    n = np.arange(1, most + 1)
    x = np.array([oracles.count_of(rate, k) for k in n])
    half = 0.5 if method == "mid-p" else 0
    # bisection in p for all n at once
    limits = []
    for sign in (1, -1):
        a, b = np.zeros(len(n)), np.ones(len(n))
        for _ in range(60):
            p = (a + b) / 2
            t = binom.cdf(x, n, p) if sign > 0 else binom.sf(x - 1, n, p)
            over = t - half * binom.pmf(x, n, p) > tail
            over = over if sign > 0 else ~over
            a, b = np.where(over, p, a), np.where(over, b, p)
        limits.append((a + b) / 2)
    short = limits[0] - limits[1] <= 2 * half_width
    first = int(n[short][0])
    assert most >= 4 * first
    failures = n[: 4 * first][~short[: 4 * first]]
    return first, max(first, int(failures.max(initial=0)) + 1)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("rate", "half_width", "confidence", "most"),
    [
        (0.05, 0.05, 0.95, 400),
        (0.12, 0.06, 0.9, 500),
        (0.01, 0.03, 0.95, 500),
        (0.5, 0.1, 0.95, 500),
        (0.5, 0.3, 0.8, 100),
        (0.3, 0.45, 0.95, 100),
        (0.0, 0.1, 0.95, 200),
        (0.9, 0.1, 0.99, 800),
    ],
)
def test_sizes_in_a_process(rate, half_width, confidence, most, method):
    size = la.interval_sample_size(
        rate, half_width, confidence=confidence, method=method
    )
    assert (size.first, size.stable) == process_oracle(
        rate, half_width, confidence, method, most
    )
