"""Length-optimal intervals; mid-P limits that cross."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest

import labelaudit as la
import oracles
from interval_oracles import found, ways
from known import known

# Length-optimal -------------------------------------------------------------------


def likeliest(masses, confidence):
    """The size of the smallest set of outcomes that has the confidence."""
    total, size = 0, 0
    for mass in sorted(masses, reverse=True):
        if total >= oracles.decimal(confidence) * sum(masses):
            break
        total, size = total + mass, size + 1
    return size


def shortest_total(n, lot_size, confidence):
    """The least total length of exact intervals with monotone, mirrored ends.

    Every family of acceptance sets a(D) .. b(D) for the lower half of the lot is
    tried, by dynamic programming over D; the upper half mirrors it.
    """
    least = oracles.decimal(confidence) * comb(lot_size, n)
    half = lot_size // 2
    best = {(0, 0): 0}
    for d in range(half + 1):
        masses = ways(n, lot_size)[d]
        middle = lot_size % 2 == 0 and d == half
        following = {}
        for a in range(n + 1):
            for b in range(a, n + 1):
                if sum(masses[a : b + 1]) < least or (middle and a + b != n):
                    continue
                before = [cost for (i, j), cost in best.items() if i <= a and j <= b]
                if before:
                    length = (b - a + 1) * (1 if middle else 2)
                    following[a, b] = min(before) + length
        best = following
    if lot_size % 2:  # the last set and its mirror image must be in order
        best = {ends: cost for ends, cost in best.items() if sum(ends) <= n}
    return min(best.values())


@pytest.mark.parametrize("confidence", [0.5, 0.8, 0.9, 0.95, 0.99])
def test_no_exact_intervals_are_shorter_in_total(confidence):
    for lot_size in range(1, 12):
        for n in range(1, lot_size + 1):
            intervals = found(n, lot_size, confidence, "optimal")
            total = sum(high - low + 1 for low, high in intervals)
            assert total == shortest_total(n, lot_size, confidence)


def test_a_set_that_misses_the_last_digit_more_is_not_enough():
    """Of 5 with 2 errors 2 are seen: 1 error alone misses 4/10, 3 below and 1 above."""
    enough, more = (found(2, 5, c, "optimal")[0][1] for c in (0.6, 0.6000000000000001))
    assert enough < 2 <= more


@pytest.mark.parametrize("lot_size", [33, 57, 60, 101])
def test_total_length_is_within_one_of_a_bound(lot_size):
    """The bound: any acceptance sets at all, as few outcomes as have the confidence.

    One more where the lot is even, whose middle set must be symmetric. With 57 and 59
    the likeliest outcomes' ends fall back once as D grows, and must be shifted.
    """
    for n in (1, 5, 9, 11, 12, 13, lot_size // 3, lot_size // 2, lot_size - 2):
        for confidence in (0.6666, 0.8, 0.9, 0.95):
            intervals = found(n, lot_size, confidence, "optimal")
            total = sum(high - low + 1 for low, high in intervals)
            bound = sum(likeliest(m, confidence) for m in ways(n, lot_size))
            assert bound <= total <= bound + (lot_size % 2 == 0)


@pytest.mark.parametrize("row", known("length_optimal")["intervals"], ids=str)
def test_another_implementation(row):
    ours = found(row["n"], row["N"], row["confidence"], "optimal")
    for x, *limits in row["limits"]:
        assert ours[x] == tuple(limits)


@pytest.mark.parametrize("confidence", [0.95, 0.99, 0.5, 0.1])
def test_one_outcome_and_all_outcomes_agree(confidence):
    """Limits from a window of D against those from the whole family."""
    rng = np.random.default_rng(7)
    for lot_size in (10, 61, 500, 8000):
        ask = {"lot_size": lot_size, "confidence": confidence, "method": "optimal"}
        for n in {1, lot_size // 9 + 1, lot_size // 2, lot_size - 1}:
            every = la.proportion_interval(range(n + 1), n, **ask)
            x = np.unique(np.append(rng.integers(0, n + 1, 40), [0, 1, n - 1, n]))
            sizes = np.append(np.full(len(x), n), lot_size)  # not all of one family
            some = la.proportion_interval([*x, 0], sizes, **ask)
            assert np.array_equal(np.array(every)[:, x], np.array(some)[:, :-1])


def test_all_but_one_of_a_million():
    """One error more would be the one not checked: 25,000 of a million is .025."""
    assert la.proportion_interval(24_999, 10**6 - 1, 10**6) == (0.024999, 0.024999)


def test_mid_p_limits_that_cross_are_put_in_order():
    """At a confidence of .3 the two tests keep disjoint sets of errors."""
    tail, kept = Fraction(7, 20), {-1: [], 1: []}
    for sign, d in ((sign, d) for sign in kept for d in range(4)):
        # P(fewer) and P(more) with half of P(X = 1)
        more = sum(oracles.pmf(1 + sign * i, 2, 3, d) for i in range(1, 3))
        if oracles.pmf(1, 2, 3, d) / 2 + more > tail:
            kept[sign].append(d)
    below, above = kept.values()
    assert max(below) < min(above)
    expected = max(below) / 3, min(above) / 3
    found = la.proportion_interval(1, 2, 3, confidence=0.3, method="mid-p")
    assert found == pytest.approx(expected)
