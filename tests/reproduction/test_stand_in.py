"""The stand-in for IRep: its laws have the moments aimed at, and what is drawn follows.

What is aimed at stands in the tables of the notebooks, which are compared.
"""

import itertools
from fractions import Fraction
from functools import cache

import numpy as np
import pandas as pd
import pytest
from scipy import optimize

from reproduction.machinery import paths
from reproduction.wong2021 import irep, stand_in


def near(value, denominator):
    """Whether a printed value is a fraction with this denominator, but for rounding."""
    top = value * denominator
    return abs(round(top) - top) <= Fraction(denominator, 10**15)


@pytest.mark.parametrize(
    ("label", "rows", "found"),
    [
        ("awe", (45751, 54516), (28469, 28768)),  # ratings of either city in all
        ("love", (26811, 45751), (13931, 13966)),
    ],
)
def test_ratings_on_shared_items_follow_from_two_decimals(label, rows, found):
    """With R ratings of one city and S of the other, one or two an item, d_o is a
    sum of halves over R + S, and d_e a whole number over R S. All are tried.
    """
    cells = pd.read_csv(paths.IREP / "known_cells.csv", dtype="string")
    values = cells[cells["label"] == label].set_index("statistic")["value"]
    d_o, d_e = Fraction(values["d_o"]), Fraction(values["d_e"])
    fit = [
        (fewer, total - fewer)
        for total in range(2, sum(rows) + 1)
        if near(d_o, 2 * total)
        for fewer in range(max(-(-total // 3), total - rows[1]), total // 2 + 1)
        if fewer <= rows[0] and near(d_e, fewer * (total - fewer))
    ]
    assert fit == [found]


laws, targets = cache(stand_in.laws), cache(stand_in.targets)
SEEDS = range(2)


@pytest.fixture(scope="module")
def frames():
    return [stand_in.stand_in(seed) for seed in SEEDS]


def expected(law, statistic, pools):
    """What a label's law gives, from its cells by hand."""
    n, *m = (stand_in.YES[:, irep.CITIES.index(city)] for city in pools.split("-"))
    p = law @ n / 2
    if statistic == "prevalence":
        return p
    if statistic == "irr":
        return 1 - law[n == 1].sum() / (2 * p * (1 - p))
    q = law @ m[0] / 2
    unlike = law @ (n * (2 - m[0]) + m[0] * (2 - n)) / 4
    return 1 - unlike / (p + q - 2 * p * q)


def test_laws_have_the_moments_that_are_aimed_at():
    for law in laws().values():
        assert law.shape == (27,) and law.min() >= 0
        assert law.sum() == pytest.approx(1, abs=1e-12)
    assert len(targets()) == 31 * 9
    for row in targets().itertuples():
        value = expected(laws()[row.label], row.statistic, row.pools)
        assert value == pytest.approx(row.target, abs=1e-12), row


@pytest.mark.parametrize("label", ["awe", "shame"])
def test_the_law_is_the_nearest_to_independent_cities(label):
    """Any other law with these moments is further in chi-square."""
    share = laws()[label]
    n = stand_in.YES
    alone = [[share[n[:, c] == k].sum() for k in range(3)] for c in range(3)]
    start = np.prod([np.array(alone[c])[n[:, c]] for c in range(3)], axis=0)
    rows = [np.ones(27), *(n == 1).T, *(n == 2).T]
    rows += [n[:, a] * n[:, b] for a, b in itertools.combinations(range(3), 2)]
    slope = (share - start) / start  # half the gradient of the distance
    steepest = optimize.linprog(slope, A_eq=rows, b_eq=rows @ share)
    assert steepest.status == 0
    assert steepest.fun > slope @ share - 1e-6


def test_known_cells_are_targets():
    cells = stand_in.known_cells()
    cells = cells[cells["statistic"].isin(["irr", "kappa_x"])]
    assert len(cells) == 14
    of = targets().set_index(["label", "statistic", "pools"])
    for cell in cells.itertuples():
        row = of.loc[cell.label, cell.statistic, cell.pools]
        assert row["target"] == pytest.approx(cell.value, abs=1e-12)
        assert not row["assumed"] and cell.origin in row["origin"]


def test_the_stand_in_has_ireps_shape(frames):
    for frame in frames:
        rows = frame["platform"].value_counts()
        assert rows["Budapest"] == 54516 and rows["Mexico"] == 45751
        assert rows["KualaLumpur"] == 26811 and rows["International"] == 0
        assert frame["item"].unique().tolist() == list(range(1, 38500))
        judged = [frame.loc[frame["platform"] == city, "item"] for city in irep.CITIES]
        mexico, kl, budapest = map(set, judged)
        assert len(mexico & budapest) == 14431
        assert len(mexico & kl & budapest) >= 1065
        for one, other, ratings in (
            (0, 2, (28469, 28768)),
            (0, 1, (13931, 13966)),
        ):
            both = judged[one].isin(judged[other]), judged[other].isin(judged[one])
            assert tuple(map(sum, both)) == ratings
        assert (frame["error.other"] == 0).all()
