"""What holds of the intervals of every method: coverage, mirror images, order."""

from fractions import Fraction
from math import comb

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given
from scipy.stats import binom

import labelaudit as la
import oracles
from interval_oracles import found, ways

METHODS = ("clopper-pearson", "mid-p", "optimal")


def coverages(n, lot_size, confidence, method):
    """P(the interval holds D) for each D, in fractions."""
    intervals = found(n, lot_size, confidence, method)
    for d, masses in enumerate(ways(n, lot_size)):
        covered = sum(
            mass for mass, (low, high) in zip(masses, intervals) if low <= d <= high
        )
        yield Fraction(covered, comb(lot_size, n))


# Coverage -------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_every_lot_is_covered(method):
    """All lots of up to 10, all n, every D; mid-P alone covers too seldom somewhere."""
    slack = min(
        coverage - oracles.decimal(confidence)
        for lot_size in range(1, 11)
        for n in range(1, lot_size + 1)
        for confidence in (0.5, 0.8, 0.95)
        for coverage in coverages(n, lot_size, confidence, method)
    )
    if method == "mid-p":
        assert slack < 0
    else:  # the optimal one meets it exactly somewhere: none is hidden
        assert slack >= 0 and (slack == 0 or method != "optimal")


@pytest.mark.parametrize("method", ["clopper-pearson", "optimal"])
@pytest.mark.parametrize(
    ("n", "lot_size"), [(23, 60), (40, 80), (7, 151), (100, 101), (30, 31)]
)
def test_larger_lots_are_covered(n, lot_size, method):
    for confidence in (0.8, 0.95):
        least = min(coverages(n, lot_size, confidence, method))
        assert least >= oracles.decimal(confidence)


def test_processes_are_covered():
    """At every limit, where coverage is least, and on a grid."""
    for n in (1, 2, 9, 40):
        x = np.arange(n + 1)
        for confidence in (0.5, 0.8, 0.95):
            low, high = la.proportion_interval(x, n, confidence=confidence)
            ends = np.concatenate([low, high])
            ends = np.concatenate([ends - 1e-9, ends + 1e-9])
            rates = np.concatenate([np.linspace(0, 1, 2001), np.clip(ends, 0, 1)])
            inside = (low <= rates[:, None]) & (rates[:, None] <= high)
            covered = (binom.pmf(x, n, rates[:, None]) * inside).sum(axis=1)
            # an end may be off by some 1e-15, and the coverage then by 1e-13
            assert (covered >= confidence - 1e-12).all()


# Invariants -----------------------------------------------------------------------


@st.composite
def samples(draw):
    """n, and the other arguments of proportion_interval."""
    n = draw(st.integers(1, 60))
    method = draw(st.sampled_from(METHODS))
    lots = st.integers(n, 90)
    lot_size = draw(lots if method == "optimal" else st.none() | lots)
    return n, {"lot_size": lot_size, "method": method}


@given(samples(), st.sampled_from([0.3, 0.5, 0.8, 0.9, 0.95, 0.99]))
def test_errors_and_correct_annotations_exchanged(sample, confidence):
    n, ask = sample
    x, size = np.arange(n + 1), ask["lot_size"]
    low, high = la.proportion_interval(x, n, **ask, confidence=confidence)
    mirrored = la.proportion_interval(n - x, n, **ask, confidence=confidence)
    # 1 - x in doubles, hence 1e-9
    assert 1 - mirrored[1] == pytest.approx(low, abs=1e-9)
    assert 1 - mirrored[0] == pytest.approx(high, abs=1e-9)
    assert (low <= high).all() and (low >= 0).all() and (high <= 1).all()
    assert (np.diff(low) >= 0).all() and (np.diff(high) >= 0).all()
    if size is not None:
        for ends in (low * size, high * size):
            assert ends == pytest.approx(np.rint(ends), abs=1e-9)
        # no fewer errors than were found, and no more than were left
        if ask["method"] != "mid-p" or confidence >= 0.5:
            assert (low * size >= x - 1e-9).all()
            assert (high * size <= size - n + x + 1e-9).all()
    elif confidence >= 0.5:
        assert (low <= x / n).all() and (x / n <= high).all()


@pytest.mark.parametrize("lot_size", [None, 90, 30_000])
@pytest.mark.parametrize("method", METHODS)
def test_arrays_are_broadcast(method, lot_size):
    """To what each entry gets alone; one alone is a pair of floats."""
    if method == "optimal" and lot_size is None:
        return
    ask = {"lot_size": lot_size, "method": method}
    x, n = np.array([[0, 3, 5], [20, 38, 39]]), np.array([40, 60, 90])
    low, high = la.proportion_interval(x, n, **ask)
    assert low.shape == high.shape == (2, 3)
    for at in np.ndindex(x.shape):
        one = la.proportion_interval(int(x[at]), int(n[at[1]]), **ask)
        assert [type(limit) for limit in one] == [float, float]
        assert one == pytest.approx((low[at], high[at]), abs=1e-14)
    flat = la.proportion_interval(x[0].tolist(), 40, **ask)
    assert flat[0][0] == low[0, 0] and isinstance(flat, tuple)
    empty = la.proportion_interval(x[:0], 40, **ask)
    assert empty[0].shape == empty[1].shape == (0, 3)
