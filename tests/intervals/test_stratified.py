"""Intervals for a lot of two strata, against their definition."""

from fractions import Fraction
from itertools import product
from math import sqrt

import numpy as np
import pytest
from scipy.stats import hypergeom

import labelaudit as la
from interval_oracles import as_counts, ways

# (n_1, n_2), (N_1, N_2): no sample, a whole stratum, no stratum, and in between.
SMALL = [
    ((1, 1), (4, 4), 0.95),
    ((2, 3), (4, 6), 0.6),
    ((0, 4), (5, 7), 0.9),
    ((3, 4), (3, 6), 0.95),
    ((4, 4), (4, 4), 0.95),
    ((5, 3), (9, 5), 0.95),
]


def counts(x, n, sizes, confidence=0.95):
    """Our limits as counts."""
    ends = la.stratified_interval(x, n, sizes, confidence=confidence)
    return as_counts(ends, sum(sizes))


def ordered(n, sizes, confidence):
    """Q, outcome by outcome: no smaller than of any outcome with fewer errors."""

    def stratum(x, m, size):
        if m == 0:
            return size / 2, size
        one_sided = la.proportion_interval(x, m, size, confidence=confidence)[1]
        return size * x / m, round(one_sided * size)

    (left, right) = (
        [stratum(x, m, size) for x in range(m + 1)] for m, size in zip(n, sizes)
    )
    raw = np.array(
        [[t + s + sqrt((u - t) ** 2 + (v - s) ** 2) for s, v in right] for t, u in left]
    )
    return np.array(
        [
            [
                raw[: i + 1, : j + 1].max() + 1e-6 * (left[i][0] + right[j][0])
                for j in range(n[1] + 1)
            ]
            for i in range(n[0] + 1)
        ]
    )


def upper(x, n, sizes, confidence, laws, total):
    """The largest D of a split that x allows at which x is not too rare."""
    order = ordered(n, sizes, confidence)
    table = (order <= order[x]).astype(laws[0].dtype)
    chance = laws[0] @ table @ laws[1].T
    tail = (1 - Fraction(str(confidence))) / 2
    good = chance * tail.denominator > tail.numerator * total
    good &= np.outer(laws[0][:, x[0]] > 0, laws[1][:, x[1]] > 0)
    return int(np.argwhere(good).sum(axis=1).max())


@pytest.mark.parametrize(("n", "sizes", "confidence"), SMALL)
def test_all_outcomes_of_small_lots(n, sizes, confidence):
    """Limits by definition; and what each side misses, in whole numbers."""
    laws = [np.array(ways(m, size)) for m, size in zip(n, sizes)]
    total, lot = int(laws[0][0].sum() * laws[1][0].sum()), sum(sizes)
    tail = (1 - Fraction(str(confidence))) / 2
    missed = {(side, d): 0 for side in "<>" for d in np.ndindex(*np.add(sizes, 1))}
    for x in product(*(range(m + 1) for m in n)):
        low, high = counts(x, n, sizes, confidence)
        right = tuple(np.subtract(n, x).tolist())
        assert high == upper(x, n, sizes, confidence, laws, total)
        assert low == lot - upper(right, n, sizes, confidence, laws, total)
        for d in np.ndindex(*np.add(sizes, 1)):
            times = int(laws[0][d[0], x[0]] * laws[1][d[1], x[1]])
            missed["<", d] += times * (high < sum(d))
            missed[">", d] += times * (low > sum(d))
    assert max(missed.values()) <= tail * total


@pytest.mark.parametrize("case", [((12, 1), (20, 40), (60, 240)),
                                  ((30, 2), (60, 140), (120, 880))])  # fmt: skip
def test_lots_of_300_and_1000(case):
    x, n, sizes = case
    laws = [
        hypergeom.pmf(np.arange(m + 1), size, np.arange(size + 1)[:, None], m)
        for m, size in zip(n, sizes)
    ]
    low, high = counts(x, n, sizes)
    right = tuple(np.subtract(n, x).tolist())
    assert high == upper(x, n, sizes, 0.95, laws, 1)
    assert low == sum(sizes) - upper(right, n, sizes, 0.95, laws, 1)


def test_with_one_stratum_it_is_that_of_a_simple_sample():
    for x in (0, 1, 7, 20):
        alone = la.proportion_interval(x, 20, 90)
        assert la.stratified_interval((x, 0), (20, 0), (90, 0)) == alone
        assert la.stratified_interval((0, x), (0, 20), (0, 90)) == alone


def test_edges():
    assert la.stratified_interval((0, 0), (0, 0), (3, 5)) == (0, 1)
    assert la.stratified_interval((0, 1), (0, 1), (0, 1)) == (1, 1)
    assert la.stratified_interval((3, 1), (3, 5), (3, 5)) == (0.5, 0.5)
    assert la.stratified_interval((10, 30), (10, 30), (40, 60))[1] == 1
    low, high = counts((4, 0), (4, 0), (4, 6))  # of the rest nothing is known
    assert (low, high) == (4, 10)


def test_a_good_judge_shortens_it_and_a_useless_one_hardly_lengthens_it():
    """Lengths at what is likeliest, in a lot of 300 with 30 errors, 60 checked."""

    def length(*found):
        return np.subtract(*la.stratified_interval(*found)[::-1])

    alone = length((6, 0), (60, 0), (300, 0))
    assert length((13, 0), (19, 41), (40, 260)) < 0.75 * alone  # 27 and 3 wrong
    assert length((1, 5), (8, 52), (40, 260)) < 1.05 * alone  # 4 and 26
