"""Blaker's, length-optimal and prior-assisted intervals, and their sample sizes."""

from fractions import Fraction
from functools import cache
from math import comb, factorial

import hypothesis.strategies as st
import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from scipy.stats import betabinom, binom

import labelaudit as la
import oracles
from interval_oracles import found, ways
from labelaudit.intervals.shortest import (
    OptimalLimits,
    acceptance_ends,
    limits_for_all,
)
from labelaudit.laws.errors import Hypergeometric

METHODS = ("blaker", "optimal", "prior-assisted")
PRIORS = ((1, 1), (1, 9), (3, 20), (40, 3))
CONFIDENCES = (0.5, 0.8, 0.9, 0.95, 0.99)

# Brute force ----------------------------------------------------------------------


def missed(confidence):
    return 1 - oracles.decimal(confidence)


@cache
def predictive(n, a, b):
    """Beta-binomial probabilities for whole a and b, as fractions."""

    def beta(u, v):
        return Fraction(factorial(u - 1) * factorial(v - 1), factorial(u + v - 1))

    return [comb(n, x) * beta(a + x, b + n - x) / beta(a, b) for x in range(n + 1)]


def order(masses, method, prior):
    """How well each outcome agrees with the D whose (relative) masses these are."""
    if method == "blaker":
        n = len(masses)
        return [min(sum(masses[: x + 1]), sum(masses[x:])) for x in range(n)]
    expected = predictive(len(masses) - 1, *prior)
    return [mass / share for mass, share in zip(masses, expected)]


@cache
def samples_as_bad(n, lot_size, method, prior):
    """How many samples agree no better with D than outcome x does, [D][x]."""
    found = []
    for masses in ways(n, lot_size):
        rank = order(masses, method, prior)
        found.append(
            [sum(mass for mass, r in zip(masses, rank) if r <= one) for one in rank]
        )
    return found


def kept_errors(n, lot_size, confidence, method, prior=None):
    """For each x the D's whose p-value exceeds what the interval may miss."""
    limit, kept = missed(confidence) * comb(lot_size, n), [[] for _ in range(n + 1)]
    for d, numbers in enumerate(samples_as_bad(n, lot_size, method, prior)):
        for x, number in enumerate(numbers):
            if number > limit:
                kept[x].append(d)
    return kept


# Blaker's and the prior-assisted limits, by their definition ----------------------


@pytest.mark.parametrize(
    ("method", "prior"),
    [("blaker", None)] + [("prior-assisted", prior) for prior in PRIORS],
)
def test_limits_are_the_hull_of_what_the_test_keeps(method, prior):
    for lot_size in (1, 2, 3, 6, 9, 10, 13):
        for n in range(1, lot_size + 1):
            for confidence in (0.05, 0.5, 0.9, 0.95):
                kept = kept_errors(n, lot_size, confidence, method, prior)
                assert found(n, lot_size, confidence, method, prior) == [
                    (min(d), max(d)) for d in kept
                ]


@pytest.mark.parametrize(
    ("method", "prior", "x", "n", "lot_size", "confidence"),
    [
        ("prior-assisted", (1, 9), 10, 10, 40, 0.9),
        ("prior-assisted", (1, 9), 9, 13, 50, 0.95),
        ("blaker", None, 15, 16, 187, 0.8),
        ("blaker", None, 2, 106, 602, 0.8),
    ],
)
def test_limits_include_what_lies_beyond_a_gap(
    method, prior, x, n, lot_size, confidence
):
    limit, kept = missed(confidence) * comb(lot_size, n), []
    for d, masses in enumerate(ways(n, lot_size)):
        rank = order(masses, method, prior)
        if sum(mass for mass, r in zip(masses, rank) if r <= rank[x]) > limit:
            kept.append(d)
    assert max(kept) - min(kept) >= len(kept)
    low, high = la.proportion_interval(
        x, n, lot_size, method=method, prior=prior, confidence=confidence
    )
    assert (round(low * lot_size), round(high * lot_size)) == (min(kept), max(kept))


@pytest.mark.parametrize(
    ("x", "n", "low", "high"),
    [
        (3, 10, 0.08726443, 0.61941066),
        (29, 99, 0.2097022, 0.3929079),
        (59, 355, 0.1300807, 0.2090809),
    ],
)
def test_rs_blaker_limits(x, n, low, high):
    """R package BlakerCI 1.0-6, examples of binom.blaker.limits.

    The last two are cases where Blaker's own algorithm skips a part of the set.
    """
    digits = 8 if n == 10 else 7
    limits = la.proportion_interval(x, n, method="blaker")
    assert limits == pytest.approx((low, high), abs=0.51 * 10**-digits)


def p_values(n, rates, method, prior):
    """p(x; rate) on a grid, [rate, x], straight from the definition."""
    x, rates = np.arange(n + 1), rates[:, None]
    masses = binom.pmf(x, n, rates)
    if method == "blaker":
        rank = np.minimum(binom.cdf(x, n, rates), binom.sf(x - 1, n, rates))
    else:
        rank = masses / betabinom.pmf(x, n, *prior)
    worse = rank[:, None, :] <= rank[:, :, None] * (1 + 1e-10)
    return (masses[:, None, :] * worse).sum(axis=2)


@pytest.mark.parametrize(
    ("method", "prior"),
    [("blaker", None), ("prior-assisted", (0.5, 9.5)), ("prior-assisted", (300, 50))],
)
def test_limits_of_a_process_against_a_grid(method, prior):
    rates = (np.arange(20001) + 0.5) / 20001
    for n in (1, 2, 5, 12):
        p = p_values(n, rates, method, prior)
        for confidence in (0.2, 0.5, 0.9, 0.95):
            low, high = la.proportion_interval(
                range(n + 1), n, method=method, prior=prior, confidence=confidence
            )
            for x in range(n + 1):
                kept = rates[p[:, x] > 1 - confidence]
                assert -1e-12 <= kept[0] - low[x] < 1 / 20001 + 1e-9
                assert -1e-12 <= high[x] - kept[-1] < 1 / 20001 + 1e-9


def test_a_p_value_of_exactly_alpha_excludes_the_count():
    """Confidences at which Blaker's p-value at a limit is what may be missed."""
    tried = 0
    for lot_size in (5, 8, 10, 16):
        for n in range(1, lot_size):
            intervals = found(n, lot_size, 0.9, "blaker")
            for x, (_, high) in enumerate(intervals):
                masses = ways(n, lot_size)[high]
                rank = order(masses, "blaker", None)
                p = sum(m for m, r in zip(masses, rank) if r <= rank[x])
                p = Fraction(p, comb(lot_size, n))
                confidence = oracles.short_decimal(1 - p, digits=10)
                if confidence is None or not 0 < confidence < 1:
                    continue
                tried += 1
                assert found(n, lot_size, confidence, "blaker")[x][1] < high
                more = float(oracles.decimal(confidence) + Fraction(1, 10**12))
                assert found(n, lot_size, more, "blaker")[x][1] == high
    assert tried > 20


def test_a_prior_buys_short_intervals_where_it_expects_the_outcome():
    """And sells them elsewhere: the price, against Clopper and Pearson."""
    x = np.array([0, 85, 340])
    plain = np.diff(la.proportion_interval(x, 850, 10_000), axis=0)[0]
    ratios = []
    for weight in (20, 100, 500):
        limits = la.proportion_interval(
            x,
            850,
            10_000,
            method="prior-assisted",
            prior=(0.1 * weight, 0.9 * weight),
        )
        ratios.append(np.diff(limits, axis=0)[0] / plain)
    ratios = np.array(ratios)
    assert (ratios[:, 1] < 1).all() and (np.diff(ratios[:, 1]) < 0).all()
    assert (ratios[:, [0, 2]] > 1).all() and (np.diff(ratios, axis=0)[:, 0] > 0).all()


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


@pytest.mark.parametrize("lot_size", [33, 60, 101, 200])
def test_total_length_is_within_one_of_a_bound(lot_size):
    """The bound: any acceptance sets at all, as few outcomes as have the confidence.

    One more where the lot is even, whose middle set must be symmetric.
    """
    for n in (1, 5, lot_size // 3, lot_size // 2, lot_size - 2):
        for confidence in (0.8, 0.95):
            total = sum(
                high - low + 1
                for low, high in found(n, lot_size, confidence, "optimal")
            )
            bound = sum(likeliest(m, confidence) for m in ways(n, lot_size))
            assert bound <= total <= bound + (lot_size % 2 == 0)


@pytest.mark.parametrize(
    ("lot_size", "n", "alpha", "intervals"),
    [
        (100, 10, 0.05, {0: (0, 29), 3: (10, 60), 5: (24, 76), 10: (71, 100)}),
        (101, 30, 0.1, {0: (0, 8), 1: (1, 13), 7: (14, 37), 15: (38, 63)}),
        (499, 400, 0.01, {0: (0, 2), 3: (3, 7), 100: (113, 138), 200: (236, 263)}),
        (1000, 100, 0.05, {0: (0, 33), 5: (21, 108), 20: (134, 284), 50: (405, 595)}),
        (1000, 37, 0.2, {0: (0, 58), 1: (6, 98), 9: (166, 352), 30: (713, 878)}),
    ],
)
def test_another_implementation(lot_size, n, alpha, intervals):
    """PyPI package hyperMCI 0.1.0, where its middle set is right.

    In other even lots that package's middle set is too short by 2: at N = 200,
    n = 57 it covers 100 errors with .934 (see the next test).
    """
    ours = found(n, lot_size, 1 - alpha, "optimal")
    assert {x: ours[x] for x in intervals} == intervals


def test_half_of_the_lot_erroneous_is_covered():
    masses = ways(57, 200)[100]
    assert sum(masses[23:35]) < Fraction(19, 20) * sum(masses)  # hyperMCI's set
    inside = [
        mass
        for mass, (low, high) in zip(masses, found(57, 200, 0.95, "optimal"))
        if low <= 100 <= high
    ]
    assert sum(inside) >= Fraction(19, 20) * sum(masses)


@pytest.mark.parametrize(
    ("lot_size", "n", "alpha"),
    [(57, 9, "1/3"), (57, 11, "1/20"), (59, 12, "1/10"), (59, 13, "1/10")],
)
def test_sets_that_must_be_shifted(lot_size, n, alpha):
    """Here the likeliest outcomes' ends fall back once as D grows."""
    alpha = Fraction(alpha)
    ends = []
    for masses in ways(n, lot_size)[: lot_size // 2 + 1]:
        a = b = max(range(n + 1), key=lambda x: masses[x])
        while sum(masses[a : b + 1]) < (1 - alpha) * sum(masses):
            left = masses[a - 1] if a else -1
            right = masses[b + 1] if b < n else -1
            a, b = (a - 1, b) if left >= right else (a, b + 1)
        ends.append((a, b))
    assert np.diff(ends, axis=0).min() < 0
    a, b = acceptance_ends(Hypergeometric(lot_size), np.array([n]), alpha)
    assert (np.diff(a) >= 0).all() and (np.diff(b) >= 0).all()
    for d, masses in enumerate(ways(n, lot_size)):
        assert sum(masses[a[0, d] : b[0, d] + 1]) >= (1 - alpha) * sum(masses)
    lengths = (b - a)[0, : len(ends)].tolist()
    assert lengths == [last - first for first, last in ends]


@pytest.mark.parametrize("alpha", ["1/20", "1/100", "1/2", "9/10"])
def test_one_outcome_and_all_outcomes_agree(alpha):
    """Limits from a window of D against those from the whole family."""
    rng = np.random.default_rng(7)
    for lot_size in (10, 61, 500, 8000):
        law = Hypergeometric(lot_size)
        for n in {1, lot_size // 9 + 1, lot_size // 2, lot_size - 1}:
            low, high = limits_for_all(law, n, Fraction(alpha))
            x = np.unique(np.append(rng.integers(0, n + 1, 40), [0, 1, n - 1, n]))
            search, sizes = OptimalLimits(law, Fraction(alpha)), np.full(len(x), n)
            assert (search.lower(x, sizes) == low[x]).all()
            assert (search.upper(x, sizes) == high[x]).all()


# Sample sizes ---------------------------------------------------------------------

CASES = [
    (0.01, 0.1, 20, 0.95),
    (0.1, 0.1, 30, 0.95),
    (0.3, 0.15, 30, 0.9),
    (0.5, 0.2, 25, 0.8),
    (0.05, 0.05, 40, 0.95),  # 2 N half_width = 4, a whole number
    (0.2, 0.07, 40, 0.5),
    (0.0, 0.2, 15, 0.95),
    (1.0, 0.2, 15, 0.95),
    (0.5, 0.001, 12, 0.95),  # the whole lot
    (0.5, 0.99, 12, 0.95),  # one inspection
    (0.1, 0.06, 100, 0.95),
    (0.9, 0.08, 80, 0.99),
    (0.71, 0.1, 50, 0.3),  # a guess for half of the lot is one too high
]


def sizes_one_by_one(rate, half_width, lot_size, confidence, method, prior, most):
    """(first, stable) from the interval of every n.

    All at once; those that decide, and some others, are what each gets alone.
    """
    ask = {"confidence": confidence, "method": method, "prior": prior}
    x = np.array([oracles.count_of(rate, n) for n in range(1, most + 1)])
    low, high = la.proportion_interval(x, np.arange(1, most + 1), lot_size, **ask)
    if lot_size is None:
        enough = (high - low <= 2 * half_width).tolist()
    else:
        widths = np.rint(high * lot_size) - np.rint(low * lot_size)
        enough = (widths <= 2 * lot_size * half_width + 1e-9).tolist()
    first = enough.index(True) + 1
    if lot_size is None:
        assert most >= 4 * first
        enough = enough[: 4 * first]
    failures = [n for n, good in enumerate(enough, 1) if not good]
    stable = max([first, *(n + 1 for n in failures)])
    for n in {*range(1, most + 1, 9), max(first - 1, 1), first, *failures[-1:], stable}:
        alone = la.proportion_interval(int(x[n - 1]), n, lot_size, **ask)
        assert alone == pytest.approx((low[n - 1], high[n - 1]), abs=1e-12)
    return first, stable


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_sizes_in_lots(case, method):
    prior = (1, 4) if method == "prior-assisted" else None
    rate, half_width, lot_size, confidence = case
    size = la.interval_sample_size(
        rate, half_width, lot_size, confidence=confidence, method=method, prior=prior
    )
    assert (size.first, size.stable) == sizes_one_by_one(*case, method, prior, lot_size)


def test_sizes_for_a_rate_whose_numerator_times_n_is_beyond_64_bits():
    case = 0.9234567890123457, 0.01, 1100, 0.95
    size = la.interval_sample_size(*case[:3])
    one_by_one = sizes_one_by_one(*case, "clopper-pearson", None, 1100)
    assert (size.first, size.stable) == one_by_one


@pytest.mark.parametrize("case", CASES[:6], ids=str)
def test_sizes_in_small_lots_by_brute_force(case):
    """Blaker's intervals from the definition at every n."""
    rate, half_width, lot_size, confidence = case
    widths = []
    for n in range(1, min(lot_size, 25) + 1):
        kept = kept_errors(n, lot_size, confidence, "blaker")[oracles.count_of(rate, n)]
        widths.append(max(kept) - min(kept))
    enough = [width <= 2 * lot_size * half_width + 1e-9 for width in widths]
    size = la.interval_sample_size(
        rate, half_width, lot_size, confidence=confidence, method="blaker"
    )
    if any(enough):
        assert size.first == enough.index(True) + 1
    else:
        assert size.first > len(enough)


@pytest.mark.parametrize("method", ["blaker", "prior-assisted"])
@pytest.mark.parametrize(
    ("rate", "half_width", "confidence", "most"),
    [
        (0.05, 0.08, 0.9, 180),
        (0.5, 0.2, 0.95, 110),
        (0.5, 0.3, 0.8, 40),
        (0.3, 0.45, 0.95, 40),
        (0.9, 0.1, 0.5, 80),
    ],
)
def test_sizes_in_a_process(rate, half_width, confidence, most, method):
    prior = (20 * rate, 20 - 20 * rate) if method == "prior-assisted" else None
    size = la.interval_sample_size(
        rate, half_width, confidence=confidence, method=method, prior=prior
    )
    assert (size.first, size.stable) == sizes_one_by_one(
        rate, half_width, None, confidence, method, prior, most
    )


@settings(max_examples=15)
@given(
    st.sampled_from(["clopper-pearson", "mid-p", *METHODS]),
    st.integers(0, 40).map(lambda i: i / 40),
    st.sampled_from([0.02, 0.05, 0.1, 0.25]),
    st.integers(2, 120),
    st.sampled_from([0.5, 0.9, 0.95]),
)
def test_sizes_in_any_lot(method, rate, half_width, lot_size, confidence):
    prior = (1, 6) if method == "prior-assisted" else None
    size = la.interval_sample_size(
        rate, half_width, lot_size, confidence=confidence, method=method, prior=prior
    )
    assert (size.first, size.stable) == sizes_one_by_one(
        rate, half_width, lot_size, confidence, method, prior, lot_size
    )


def test_better_methods_need_fewer():
    """Against Clopper and Pearson, at the default prior; mean over a grid."""
    saved = {method: [] for method in METHODS}
    for rate in (0.02, 0.05, 0.1):
        for half_width in (0.03, 0.04):
            plain = la.interval_sample_size(rate, half_width, 1000).first
            for method in METHODS:
                size = la.interval_sample_size(rate, half_width, 1000, method=method)
                saved[method].append(1 - size.first / plain)
    mean = {method: np.mean(values) for method, values in saved.items()}
    assert 0.01 < mean["optimal"] < mean["blaker"] < mean["prior-assisted"]


def test_the_default_prior_has_the_weight_of_twenty_annotations():
    default = la.interval_sample_size(0.05, 0.03, 500, method="prior-assisted")
    stated = la.interval_sample_size(
        0.05, 0.03, 500, method="prior-assisted", prior=(1, 19)
    )
    assert default == stated


def test_mid_p_limits_that_cross_are_put_in_order():
    """At a confidence of .3 the two tests keep disjoint sets of errors."""
    tail = Fraction(7, 20)
    kept = []
    for sign in (-1, 1):
        kept.append([])
        for d in range(4):
            p = oracles.pmf(1, 2, 3, d) / 2
            p += sum(oracles.pmf(1 + sign * i, 2, 3, d) for i in range(1, 3))
            if p > tail:
                kept[-1].append(d)
    below, above = kept  # P(fewer) and P(more) with half of P(X = 1)
    assert max(below) < min(above)
    expected = max(below) / 3, min(above) / 3
    found = la.proportion_interval(1, 2, 3, confidence=0.3, method="mid-p")
    assert found == pytest.approx(expected)


def test_half_of_a_large_lot_is_no_harder_than_any_other_sample():
    """There both tails are equal for a pair of outcomes at every D."""
    size = 20_000
    every, n = np.arange(size // 2 + 1), size // 2
    x = np.array([40, 700, 5000, 9990])
    limits = la.proportion_interval(x, n, size, method="blaker")
    for seen, low, high in zip(x, *limits):
        for inside, outside in ((low, -1), (high, 1)):
            d = round(inside * size)
            for errors, kept in ((d, True), (d + outside, False)):
                pmf = scipy.stats.hypergeom(size, errors, n).pmf(every)
                tails = np.minimum(pmf.cumsum(), pmf[::-1].cumsum()[::-1])
                p = pmf[tails <= tails[seen] * (1 + 1e-9)].sum()
                assert (p > 0.05) == kept
