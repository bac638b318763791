"""IRep's 1065 items that two raters judged in all four pools, as counts.

The counts are exact, and so are alpha and kappa_x; Cohen's kappa needs each
rater's own margin, which no count gives.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.optimize import linprog

import labelaudit as la

from ..machinery import paths

TIER = "subset"
ITEMS = 1065  # judged by two raters in each pool


def marked(table: pd.DataFrame) -> pd.DataFrame:
    """A table that says which data it shows."""
    return table.assign(tier=TIER, real_items=ITEMS)


def pools() -> pd.DataFrame:
    """Counts of each label in each pool, and what follows from them.

    Returns
    -------
    DataFrame
        Indexed by label and pool: the file's counts, printed_alpha, and
        prevalence (share of positive ratings) and alpha (Krippendorff's; NaN
        where nobody used the label).
    """
    table = pd.read_csv(paths.IREP / "subset_pool_counts.csv")
    table = table.set_index(["label", "pool"])
    n, positive = table["ratings"], table["positives"]
    table["prevalence"] = positive / n
    expected = 2 * positive * (n - positive) / (n * (n - 1))
    observed = table["discordant_items"] / table["items"]
    table["alpha"] = 1 - observed / expected.where(expected > 0)
    return table


def pairs() -> pd.DataFrame:
    """Counts of each label between International and each city.

    Returns
    -------
    DataFrame
        Indexed by label and city: the file's counts, printed_kappa_x, and d_o,
        d_e and kappa_x (Eqs. 6-8 with two ratings on every item).
    """
    table = pd.read_csv(paths.IREP / "subset_pair_counts.csv")
    table = table.set_index(["label", "pool_b"]).rename_axis(["label", "pool"])
    ratings = table["pairs"] / 2  # two on an item, four pairs
    p, q = table["positives_a"] / ratings, table["positives_b"] / ratings
    table["d_o"] = table["discordant_pairs"] / table["pairs"]
    table["d_e"] = p * (1 - q) + q * (1 - p)
    table["kappa_x"] = 1 - table["d_o"] / table["d_e"].where(table["d_e"] > 0)
    return table


def ratings(label: str, pool: str) -> la.Ratings:
    """A label's judgments in a pool, two on each of 1065 items; 0 and 1."""
    row = pools().loc[(label, pool)]
    both = [[0, 2]] * int(row["both_positive_items"])
    one = [[1, 1]] * int(row["discordant_items"])
    none = [[2, 0]] * int(row["both_negative_items"])
    return la.Ratings.from_counts(pd.DataFrame(both + one + none, columns=[0, 1]))


def standard_errors(label: str, city: str) -> tuple[float, float]:
    """The least and the greatest standard error that kappa_x can have.

    How often a positive ratings in International meet b in the city is known
    only through its margins and the discordant pairs. The squared standard error
    is linear in those nine counts, so its bounds are two linear programs.

    Returns
    -------
    (least, greatest)
        Of International x city; NaN where kappa_x is undefined or nobody used
        the label in one of the two pools.
    """
    pair, both = pairs().loc[(label, city)], pools().loc[label]
    x, y = both.loc["International"], both.loc[city]
    if min(x["positives"], y["positives"]) == 0:
        return np.nan, np.nan
    n = x["items"]
    a, b = (grid.ravel() / 2 for grid in np.indices((3, 3)))  # shares of positives
    square = _influence(a, b, pair, x["prevalence"], y["prevalence"]) ** 2
    discordant = 4 * (a + b - 2 * a * b)
    rows = [a == i / 2 for i in range(3)] + [b == i / 2 for i in range(3)]
    counts = ["both_negative_items", "discordant_items", "both_positive_items"]
    margins = [*x[counts], *y[counts], pair["discordant_pairs"]]
    known = np.array([*rows, discordant], float)
    least, greatest = (
        linprog(sign * square, A_eq=known, b_eq=margins, method="highs").fun * sign
        for sign in (1, -1)
    )
    return float(np.sqrt(least / (n * (n - 1)))), float(
        np.sqrt(greatest / (n * (n - 1)))
    )


def _influence(
    a: NDArray[np.float64],
    b: NDArray[np.float64],
    pair: pd.Series,
    p: float,
    q: float,
) -> NDArray[np.float64]:
    """What an item with shares a and b of positive ratings adds to kappa_x."""
    d_o, d_e = pair["d_o"], pair["d_e"]
    observed = a + b - 2 * a * b - d_o
    expected = (a - p) * (1 - 2 * q) + (b - q) * (1 - 2 * p)
    return -observed / d_e + d_o * expected / d_e**2
