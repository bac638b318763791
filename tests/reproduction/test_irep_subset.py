"""The subset of IRep that is known by its counts, against all tables that fit them."""

import itertools
from functools import cache

import numpy as np
import pandas as pd
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


MARGINS = {"a": (5, 3, 2), "b": (4, 4, 2)}  # items with 0, 1 and 2 positives


def every():
    """Each table with these margins: its counts, discordant pairs and correlation."""
    ranks = [
        np.array([2 * sum(m[:k]) + m[k] - 10 for k in range(3)])
        for m in MARGINS.values()
    ]
    one, other = (np.repeat(range(3), m) for m in MARGINS.values())
    for y in map(np.array, set(itertools.permutations(other.tolist()))):
        table = np.zeros((3, 3), int)
        np.add.at(table, (one, y), 1)
        unlike = (one * (2 - y) + y * (2 - one)).sum()
        rho = np.corrcoef(ranks[0][one], ranks[1][y])[0, 1]
        yield tuple(table.ravel()), unlike, round(rho, 4)


def test_bounds_are_those_of_all_tables(monkeypatch):
    index = pd.MultiIndex.from_product([["x"], MARGINS], names=["label", "pool"])
    pools = pd.DataFrame([*MARGINS.values()], index, subset.COUNTS)
    monkeypatch.setattr(subset, "pools", lambda: pools)
    found = {*every()}
    for rho in sorted({rho for *_, rho in found})[::3]:
        known = {("x", "a", "b"): rho}
        monkeypatch.setattr(subset, "correlations", lambda known=known: known)
        unlike = [pairs for _, pairs, one in found if one == rho]
        ends = subset.discordant.__wrapped__("x", "a", "b")
        assert ends == (min(unlike), max(unlike))


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
