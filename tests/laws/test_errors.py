"""The two laws, as fractions from the definition."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from scipy.stats import binom

import oracles
from labelaudit.laws.errors import law, likely_shares
from labelaudit.laws.near import NEAR, at_most, exceed, largest

RATES = (0.25, Fraction(1, 3), 0.9)


def binomial(x, n, p):
    return comb(n, x) * p**x * (1 - p) ** (n - x)


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("n", [0, 1, 2, 7])
def test_a_process_in_fractions(n, rate):
    errors_law, p = law(None, n), Fraction(str(rate))
    masses = [binomial(x, n, p) for x in range(n + 1)]
    for x in range(n + 1):
        assert errors_law.exact_pmf(x, n, rate) == masses[x]
        assert errors_law.exact_cdf(x, n, rate) == sum(masses[: x + 1])
    for x in (-1, n + 1):
        assert errors_law.exact_pmf(x, n, rate) == 0
        assert errors_law.exact_cdf(x, n, rate) == (x > n)


@pytest.mark.parametrize("rate", [0, 1])
def test_a_process_without_chance(rate):
    errors_law = law(None, 5)
    assert [errors_law.exact_pmf(x, 5, rate) for x in (0, 5)] == [1 - rate, rate]
    assert [errors_law.exact_cdf(x, 5, rate) for x in (0, 5)] == [1 - rate, 1]


@pytest.mark.parametrize("lot_size", [5, 12])
def test_a_lot_in_fractions(lot_size):
    errors_law = law(lot_size, lot_size)
    for n in range(lot_size + 1):
        for d in range(lot_size + 1):
            for x in range(n + 1):
                mass = oracles.pmf(x, n, lot_size, d)
                assert errors_law.exact_pmf(x, n, d) == mass
                assert errors_law.exact_cdf(x, n, d) == oracles.cdf(x, n, lot_size, d)


@pytest.mark.parametrize("lot_size", [1, 5, 12])
def test_a_lot_in_doubles(lot_size):
    errors_law, d = law(lot_size, lot_size), np.arange(lot_size + 1)
    for n in range(lot_size + 1):
        x = np.arange(n + 1)[:, None]
        exact = [
            [oracles.pmf(k, n, lot_size, e) for e in d.tolist()] for k in range(n + 1)
        ]
        masses = np.array(exact, dtype=float)
        assert errors_law.pmf(x, n, d) == pytest.approx(masses, rel=1e-12)
        below, above = errors_law.tails(x, n, d)
        assert below == pytest.approx(masses.cumsum(axis=0), abs=1e-12)
        assert above == pytest.approx(masses[::-1].cumsum(axis=0)[::-1], abs=1e-12)
        if n < lot_size:
            right, wrong = errors_law.next_outcome(n, x, d)
            left, can_be = lot_size - n, masses > 0
            assert (right * left)[can_be] == pytest.approx((left - d + x)[can_be])
            assert (wrong * left)[can_be] == pytest.approx((d - x)[can_be])
    grid = [
        [oracles.pmf(k, n, lot_size, 1) for k in (0, 1)] for n in range(lot_size + 1)
    ]
    assert errors_law.grid(lot_size, 1, 1) == pytest.approx(np.array(grid, dtype=float))


@pytest.mark.parametrize("size", [None, 20])
@pytest.mark.parametrize("n", [0, 1, 7])
def test_masses_tails_rows_and_grids(size, n):
    """Impossible counts too, and rates and lots at either end."""
    errors_law = law(size, 7)
    for errors in (0, 0.25, 0.5, 0.9, 1) if size is None else (0, 3, 10, 17, 20):
        x = np.arange(-1, n + 2)
        masses = [float(errors_law.exact_pmf(k, n, errors)) for k in x.tolist()]
        assert errors_law.pmf(x, n, errors) == pytest.approx(masses, rel=1e-12)
        if n == 0 or not 0 < errors < (size or 1):
            continue
        below, above = errors_law.tails(x[1:-1], n, errors)
        assert below == pytest.approx(np.cumsum(masses[1:-1]), rel=1e-12)
        upper = np.cumsum(masses[-2:0:-1])[::-1]
        assert above == pytest.approx(upper, rel=1e-9, abs=1e-300)
        row = errors_law.row(n, errors)  # up to the most that can be found
        assert row == pytest.approx(masses[1 : len(row) + 1], rel=1e-12)
        assert not any(masses[len(row) + 1 :])
        grid = errors_law.grid(n, n, errors)
        assert grid[n] == pytest.approx(masses[1:-1], rel=1e-12)


@pytest.mark.parametrize("n", [1, 40, 5000])
@pytest.mark.parametrize("share", [0, 0.02, 0.3, 0.5, 0.9, 1])
def test_shares_that_are_left_out_are_negligible(n, share):
    """From the ends outwards, a count at the share has less than e^-40."""
    x = round(share * n)
    for q in likely_shares(np.array(x / n), np.array(n)):
        assert not 0 < q < 1 or binom.logpmf(x, n, q) <= -40


# Comparisons and halving ----------------------------------------------------------


def test_near_a_bound_fractions_decide():
    """A double that is wrong by less than NEAR does not."""
    bound, at = Fraction(1, 20), np.array([0, 1, 2, 3])
    truth = [bound, bound + Fraction(1, 10**30), bound, 2 * bound]
    wrong = 0.05 * (1 + np.array([NEAR, -NEAR, -NEAR, 1]) / 2)
    asked = []

    def exact(i):
        asked.append(i)
        return truth[i]

    assert exceed(wrong, bound, exact, at).tolist() == [False, True, False, True]
    assert asked == [0, 1, 2]
    for i, value in enumerate(wrong):
        kept = at_most(float(value), 0.05, lambda i=i: truth[i])
        assert kept == (truth[i] <= bound)
    assert at_most(0.04, 0.05, lambda: pytest.fail("far from the bound"))


def test_probabilities_near_zero_are_near():
    """What is lost below 1e-15 could decide about a bound of 1e-12."""
    bound = Fraction(1, 10**12)
    assert at_most(float(bound) * 1.0005, bound, lambda: bound)
    assert not exceed(np.array([float(bound) * 1.0005]), bound, lambda: bound).any()


def test_halving_finds_the_last_that_holds():
    last = np.array([-1, 0, 4, 5, 9, 3])
    low, high = np.array([-1, -1, 2, 0, 0, 3]), np.array([7, 7, 9, 6, 10, 4])

    for first in ((), (last, last + 1), (last - 7, last + 7)):
        asked = []

        def holds(rows, numbers):
            asked.extend(zip(rows.tolist(), numbers.tolist()))  # noqa: B023
            return numbers <= last[rows]

        assert largest(holds, low, high, *first).tolist() == last.tolist()
        assert all(low[row] < number < high[row] for row, number in asked)
        assert len(asked) == len(set(asked))
    assert low.tolist() == [-1, -1, 2, 0, 0, 3]  # what is handed over stays
