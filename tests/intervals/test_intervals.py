"""Intervals for an error rate, and the sample sizes that make them short."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom, binomtest

import labelaudit as la
import oracles
from known import known

METHODS = ("clopper-pearson", "mid-p")
INTERVALS = known("binomial_intervals")
SIZES = known("interval_sample_sizes")


# Published numbers ----------------------------------------------------------------


@pytest.mark.parametrize("source", ["newcombe", "r_binom", "r_binom_sam_size"])
def test_printed_limits(source):
    """Newcombe's to 4 decimals, R's exact ones to their 13 digits, mid-P to 4e-5.

    R finds the latter with uniroot at its default tolerance of 1.2e-4: limits for
    x and for n - x, which are mirror images, differ by up to 3e-5.
    """
    for row in INTERVALS[source]:
        tolerance = 1e-12 if row["method"] == "clopper-pearson" else 4e-5
        tolerance = 0.50001e-4 if source == "newcombe" else tolerance
        confidence = row.get("confidence", 0.95)
        ends = la.proportion_interval(
            row["x"], row["n"], method=row["method"], confidence=confidence
        )
        assert ends == pytest.approx((row["low"], row["high"]), rel=0, abs=tolerance)


@pytest.mark.parametrize("source", ["r_ciss", "net"])
def test_printed_sample_sizes(source):
    for row in SIZES[source]:
        size = la.interval_sample_size(row["rate"], row["half_width"])
        assert size.first == row["n"], row


# Processes ------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 2, 7, 30, 211])
def test_limits_against_scipy(n):
    """Mid-P solves its equation: half of the outcome's probability in each tail."""
    x = np.arange(n + 1)
    for confidence in (0.5, 0.9, 0.95, 0.999):
        ask, tail = {"confidence": confidence}, (1 - confidence) / 2
        low, high = la.proportion_interval(x, n, **ask)
        for k in range(0, n + 1, 1 + n // 30):
            expected = binomtest(k, n).proportion_ci(confidence, method="exact")
            assert (low[k], high[k]) == pytest.approx(tuple(expected), abs=1e-12)
        low, high = la.proportion_interval(x, n, **ask, method="mid-p")
        below = binom.cdf(x, n, high) - binom.pmf(x, n, high) / 2
        above = binom.sf(x - 1, n, low) - binom.pmf(x, n, low) / 2
        assert below[:-1] == pytest.approx(tail, rel=1e-9, abs=0)
        assert above[1:] == pytest.approx(tail, rel=1e-9, abs=0)
        assert (low[0], high[-1]) == (0, 1)


def test_low_limits_keep_their_digits():
    """One error in a million: the lower limit solves 1 - (1 - p)^n = .025."""
    low, _ = la.proportion_interval(1, 1_000_000)
    exact = -np.expm1(np.log1p(-0.025) / 1_000_000)
    assert low == pytest.approx(exact, rel=1e-7, abs=0)


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
    for lot_size in (5, 8, 10):
        for n in range(1, lot_size):
            for x in range(n):
                for d in range(x + 1, lot_size):
                    tail = oracles.cdf(x, n, lot_size, d)
                    tail -= half * oracles.pmf(x, n, lot_size, d)
                    confidence = oracles.short_decimal(1 - 2 * tail, digits=10)
                    if confidence is None or not half < confidence < 1:
                        continue  # below 1/2 the limits of mid-P may cross
                    tried += 1
                    more = float(oracles.decimal(confidence) + Fraction(1, 10**12))
                    counts = [
                        np.rint(lot_size * np.array(la.proportion_interval(
                            [x, n - x], n, lot_size, confidence=c, method=method
                        )))
                        for c in (confidence, more)
                    ]  # fmt: skip
                    assert counts[0][1, 0] < d <= counts[1][1, 0]
                    assert counts[0][0, 1] > lot_size - d
    assert tried > 30


# Sample sizes ---------------------------------------------------------------------


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
