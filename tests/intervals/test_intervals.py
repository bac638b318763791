"""Intervals for an error rate, and the sample sizes that make them short."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings
from scipy.stats import binom, binomtest

import labelaudit as la
import oracles
from known import known, rows

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
@pytest.mark.parametrize("confidence", [0.95, 0.9, 0.8, 0.6, 0.5])
def test_every_outcome_in_small_lots(method, confidence):
    """At 0.8 and below tails are often exactly half of what is left: that D is out."""
    for lot_size in range(1, 12):
        for n in range(1, lot_size + 1):
            low, high = la.proportion_interval(
                range(n + 1), n, lot_size, confidence=confidence, method=method
            )
            for x in range(n + 1):
                exact = oracles.lot_interval(x, n, lot_size, confidence, method)
                found = low[x] * lot_size, high[x] * lot_size
                assert found == pytest.approx(exact, abs=1e-9), (lot_size, n, x)


# Sample sizes ---------------------------------------------------------------------


def check_sizes(rate, half_width, lot_size, confidence, method):
    """(first, stable) from the interval of every n, of a process to 4 x first.

    All at once; those that decide, and some others, are what each gets alone.
    """
    ask = {"confidence": confidence, "method": method}
    every = np.arange(1, (lot_size or 800) + 1)
    x = np.array([oracles.count_of(rate, n) for n in every.tolist()])
    low, high = la.proportion_interval(x, every, lot_size, **ask)
    widths = high - low - 1e-9 / (lot_size or np.inf)
    enough = (widths <= 2 * half_width).tolist()
    first = enough.index(True) + 1
    if lot_size is None:
        assert len(enough) >= 4 * first
        enough = enough[: 4 * first]
    failures = [n for n, good in enumerate(enough, 1) if not good]
    stable = max([first, *(n + 1 for n in failures)])
    for n in {
        *every[:: max(9, len(every) // 20)].tolist(),
        max(first - 1, 1),
        first,
        *failures[-1:],
        stable,
    }:
        alone = la.proportion_interval(int(x[n - 1]), n, lot_size, **ask)
        assert alone == pytest.approx((low[n - 1], high[n - 1]), abs=1e-12)
    size = la.interval_sample_size(rate, half_width, lot_size, **ask)
    assert (size.first, size.stable) == (first, stable)


@pytest.mark.parametrize("method", [*METHODS, "optimal"])
def test_sizes(method):
    for rate, half_width, lot_size, confidence, _ in rows("lengths"):
        if lot_size or method != "optimal":
            numbers = float(rate), float(half_width), int(lot_size or 0) or None
            check_sizes(*numbers, float(confidence), method)
    if method == "clopper-pearson":  # the rate's numerator times n is beyond 64 bits
        check_sizes(0.9234567890123457, 0.01, 1100, 0.95, method)


ANY = st.tuples(
    st.integers(0, 40).map(lambda i: i / 40),
    st.sampled_from([0.02, 0.05, 0.1, 0.25]),
    st.integers(2, 120),
    st.sampled_from([0.5, 0.9, 0.95]),
    st.sampled_from([*METHODS, "optimal"]),
)


@settings(max_examples=15)
@given(ANY)
def test_sizes_in_any_lot(case):
    check_sizes(*case)
