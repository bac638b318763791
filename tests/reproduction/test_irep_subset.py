"""The subset of IRep that is known by its counts, against all tables that fit them."""

import itertools
from functools import cache

import numpy as np
import pytest

import labelaudit as la
from reproduction.wong2021 import irep, subset


@pytest.fixture(autouse=True, scope="module")
def files_of_counts_are_read_once():
    with pytest.MonkeyPatch.context() as patch:
        for name in ("pools", "pairs", "correlations"):
            patch.setattr(subset, name, cache(getattr(subset, name)))
        yield


UNUSED = [(c, "error.other") for c in irep.CITIES] + [("International", "unsure")]


def test_124_alphas_of_the_subset_are_the_printed_ones():
    """Four more are undefined, where 1 is printed."""
    for (label, pool), row in subset.pools().iterrows():
        if (pool, label) in UNUSED:
            assert row["printed_alpha"] == 1.0 and np.isnan(row["alpha"])
            with pytest.warns(UserWarning, match="undefined: every judgment is 0"):
                alpha = la.krippendorff_alpha(subset.ratings(label, pool)).value
            assert np.isnan(alpha)
        else:
            alpha = la.krippendorff_alpha(subset.ratings(label, pool)).value
            assert alpha == pytest.approx(row["alpha"], abs=1e-12)
            assert round(alpha, 4) == row["printed_alpha"]
    assert len(subset.pools()) - len(UNUSED) == 124


def test_96_kappa_x_of_the_subset_are_the_printed_ones():
    pairs = subset.pairs()
    assert len(pairs) == 96
    assert (pairs["kappa_x"].round(4) == pairs["printed_kappa_x"]).all()


def every(x, y, rho):
    """By hand: each table with margins x and y whose rank correlation prints as rho.

    Yields the discordant pairs and the counts of items, (3, 3, tables). Given three
    cells, one more item in the middle moves the correlation by the same amount, so
    that those which fit are from one number to another.
    """
    n = sum(x)
    u, v = ([2 * sum(m[:i]) + m[i] - n for i in range(3)] for m in (x, y))
    spread = np.sqrt(float(sum(c * r**2 for c, r in zip(x, u))))
    spread *= np.sqrt(float(sum(c * r**2 for c, r in zip(y, v))))
    ends = [(rho + side * (0.5e-4 + 1e-10)) * spread for side in (-1, 1)]
    more = (u[1] - u[0]) * (v[1] - v[0])
    for n22 in range(min(x[2], y[2]) + 1):
        n12, n21 = np.meshgrid(
            np.arange(min(x[1], y[2] - n22) + 1), np.arange(min(x[2] - n22, y[1]) + 1)
        )
        n02, n20 = y[2] - n12 - n22, x[2] - n21 - n22
        n01, n10 = y[1] - n21, x[1] - n12  # without any in the middle
        n00 = x[0] - n01 - n02
        top = u[0] * (n00 * v[0] + n01 * v[1] + n02 * v[2])
        top += u[1] * (n10 * v[0] + n12 * v[2])
        top += u[2] * (n20 * v[0] + n21 * v[1] + n22 * v[2])
        least = np.maximum(np.ceil((ends[0] - top) / more).astype(int), 0)
        least = np.maximum(least, -n00)
        most = np.minimum(np.floor((ends[1] - top) / more).astype(int), n01)
        many = np.maximum(np.minimum(most, n10) - least + 1, 0).ravel()
        at = np.repeat(np.arange(many.size), many)
        one = np.arange(len(at)) - (np.cumsum(many) - many)[at] + least.ravel()[at]
        n00, n01, n02, n10, n12, n20, n21 = (
            cell.ravel()[at] for cell in (n00, n01, n02, n10, n12, n20, n21)
        )
        rows = [n00 + one, n01 - one, n02], [n10 - one, one, n12]
        table = np.array([*rows, [n20, n21, np.full_like(n21, n22)]])
        unlike = 4 * (table[0, 2] + table[2, 0]) + 2 * table[1].sum(axis=0)
        yield unlike + 2 * (table[0, 1] + table[2, 1]), table


def counts(label, pool):
    names = ["both_negative_items", "discordant_items", "both_positive_items"]
    return [int(v) for v in subset.pools().loc[(label, pool), names]]


def listed(label, a, b):
    """Discordant pairs and tables that two pools can have on the subset."""
    rho = subset.correlations()[label, a, b]
    found = list(every(counts(label, a), counts(label, b), rho))
    unlike = np.concatenate([part for part, _ in found])
    return unlike, np.concatenate([tables for _, tables in found], axis=2)


def test_bounds_are_those_of_all_tables():
    """Of all pairs of cities, against a list of all tables."""
    compared = 0
    for label, (a, b) in itertools.product(irep.EMOTIONS, irep.PAIRS):
        unlike, _ = listed(label, a, b)
        assert subset.discordant(label, a, b) == (unlike.min(), unlike.max())
        least, most = subset.bounds(label, a, b)
        p, q = (subset.pools().loc[(label, c), "positives"] / 2130 for c in (a, b))
        for value, number in ((least, unlike.max()), (most, unlike.min())):
            assert value == pytest.approx(1 - number / 4260 / (p + q - 2 * p * q))
        compared += 1
    assert compared == 93


def test_90_known_values_lie_inside():
    single = 0
    for (label, city), row in subset.pairs().iterrows():
        ends = subset.discordant(label, city, "International")
        if np.isnan(ends[0]):
            assert label in ("unsure", "error.other")
            continue
        assert ends[0] <= row["discordant_pairs"] <= ends[1]
        single += ends[0] == ends[1]
    assert single == 21


SHARES = [grid.ravel() / 2 for grid in np.indices((3, 3))]  # of positives


def pulls(share, a, b):
    """How far a little more of each kind of items moves kappa_x, numerically."""

    def value(share):
        p, q = share @ a, share @ b
        return 1 - share @ (a + b - 2 * a * b) / (p + q - 2 * p * q)

    step = 1e-6
    more = (1 - step) * share + step * np.eye(len(share))
    return np.array([(value(one) - value(share)) / step for one in more])


def test_bounds_of_the_standard_error_are_those_of_all_tables():
    for label, a, b in (
        ("awe", "International", "Mexico"),
        ("pride", "International", "Budapest"),
        ("contentment", "KualaLumpur", "Mexico"),
    ):
        unlike, tables = listed(label, a, b)
        least, greatest = subset.standard_errors(label, b, a)
        if a == "International":
            tables = tables[
                :, :, unlike == subset.pairs().loc[(label, b), "discordant_pairs"]
            ]
        items = tables.reshape(9, -1).T
        squares = [n @ pulls(n / 1065, *SHARES) ** 2 / 1065 / 1064 for n in items]
        assert least == pytest.approx(np.sqrt(min(squares)), rel=1e-4)
        assert greatest == pytest.approx(np.sqrt(max(squares)), rel=1e-4)


def test_what_is_not_known_has_no_bounds():
    assert np.isnan(subset.bounds("unsure", "International", "Budapest")).all()
    assert np.isnan(subset.standard_errors("love", "Budapest", "Mexico")).all()
