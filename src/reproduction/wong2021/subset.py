"""The 1,065 items of IRep that two raters judged in all four pools, as counts.

The counts are exact. So are alpha, and kappa_x of International and a city. Cohen's
kappa needs each rater's own margin, which no count gives. For two cities no count of
discordant pairs is known. But the rank correlation of their items' positive ratings is
known to four digits. Together with both cities' counts it leaves few tables of whole
numbers. They bound kappa_x, often to one value, and its standard error.
"""

from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp

import labelaudit as la

from ..machinery import paths
from .irep import EMOTIONS, PAIR_NAMES

TIER = "subset"
ITEMS = 1065  # judged by two raters in each pool


def marked(table: pd.DataFrame) -> pd.DataFrame:
    """A table that says which data it shows."""
    return table.assign(tier=TIER, real_items=ITEMS)


@cache
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


@cache
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
    """A label's judgments in a pool, two on each of 1,065 items; 0 and 1."""
    row = pools().loc[(label, pool)]
    both = [[0, 2]] * int(row["both_positive_items"])
    one = [[1, 1]] * int(row["discordant_items"])
    none = [[2, 0]] * int(row["both_negative_items"])
    return la.Ratings.from_counts(pd.DataFrame(both + one + none, columns=[0, 1]))


@cache
def correlations() -> pd.Series:
    """The printed Spearman correlations of the items' positive ratings, by pools.

    Returns
    -------
    Series
        Indexed by label and two pools, in either order: four digits, of tie-averaged
        ranks; NaN where a pool never used the label.
    """
    table = pd.read_csv(paths.IREP / "subset_spearman.csv")
    turned = table.rename(columns={"pool_a": "pool_b", "pool_b": "pool_a"})
    both = pd.concat([table, turned]).set_index(["label", "pool_a", "pool_b"])
    return both["printed_spearman"].sort_index()


@cache
def discordant(label: str, a: str, b: str) -> tuple[float, float]:
    """The least and the greatest number of discordant pairs of ratings, of 4,260.

    Of all tables (items by their positive ratings in the pools a and b) with the
    counts of both pools and the printed correlation at its four digits: two integer
    programs. NaN where no correlation is printed.
    """
    rows, low, high = known(label, a, b)
    if not np.isfinite(low).all():
        return np.nan, np.nan
    return least(DISCORDANT, rows, low, high), -least(-DISCORDANT, rows, low, high)


def bounds(label: str, a: str, b: str) -> tuple[float, float]:
    """The least and the greatest kappa_x that two pools can have on these items.

    See `discordant`; NaN where no correlation is printed.
    """
    fewest, most = discordant(label, a, b)
    p, q = pools().loc[label, "prevalence"][[a, b]]
    pairs_by_chance = 4 * ITEMS * (p + q - 2 * p * q) or np.nan
    return 1 - most / pairs_by_chance, 1 - fewest / pairs_by_chance


def cities() -> pd.DataFrame:
    """What kappa_x of two cities can be: label, pools, low, high; 93 rows."""
    pools = product(EMOTIONS, PAIR_NAMES)
    rows = [[label, pair, *bounds(label, *pair.split("-"))] for label, pair in pools]
    return pd.DataFrame(rows, columns=["label", "pools", "low", "high"])


def standard_errors(
    label: str, city: str, other: str = "International"
) -> tuple[float, float]:
    """The least and the greatest standard error that kappa_x can have.

    How often a positive ratings in one pool meet b in the other is known through
    the counts of both pools, the discordant pairs and the printed correlation. The
    squared standard error is linear in those nine whole numbers, so its bounds are
    two integer programs.

    Returns
    -------
    (least, greatest)
        Of kappa_x of the two pools; NaN where it is undefined or not known to be one
        value, and where nobody used the label in one of the two pools.
    """
    rows, low, high = known(label, other, city)
    if other == "International" and np.isfinite(low).all():
        fewest = most = pairs().loc[(label, city), "discordant_pairs"]
    else:
        fewest, most = discordant(label, other, city)
    if fewest != most:
        return np.nan, np.nan
    p, q = pools().loc[label, "prevalence"][[other, city]]
    d_o, d_e = most / (4 * ITEMS), p + q - 2 * p * q
    square = pull(d_o, d_e, p, q) ** 2
    rows = np.vstack([rows, DISCORDANT])
    low, high = np.append(low, most), np.append(high, most)
    ends = least(square, rows, low, high), -least(-square, rows, low, high)
    smallest, largest = np.sqrt(np.array(ends) / (ITEMS * (ITEMS - 1)))
    return float(smallest), float(largest)


COUNTS = ["both_negative_items", "discordant_items", "both_positive_items"]
SHARES = tuple(grid.ravel() / 2 for grid in np.indices((3, 3)))  # of positives
DISCORDANT = 4 * (SHARES[0] + SHARES[1] - 2 * SHARES[0] * SHARES[1])  # an item's pairs
HALF = 0.5 + 1e-6  # of the fourth digit


def known(label: str, a: str, b: str) -> tuple[Any, Any, Any]:
    """What is known of nine counts: rows of weights, and ends of the weighted sums.

    Six margins, and the correlation in units of its fourth digit; NaN where none.
    """
    x, y = (pools().loc[(label, pool), COUNTS].to_numpy(float) for pool in (a, b))
    of_x, of_y = _ranks(x), _ranks(y)
    spread = np.sqrt((x @ of_x**2) * (y @ of_y**2))
    digits = 10_000 * correlations()[label, a, b]
    rows = [side == i / 2 for side in SHARES for i in range(3)]
    rows.append(10_000 * np.outer(of_x, of_y).ravel() / max(spread, 1))
    margins = np.append(x, y)
    low, high = np.append(margins, digits - HALF), np.append(margins, digits + HALF)
    return np.array(rows, float), low, high


def _ranks(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Tie-averaged ranks less their mean, of items in three classes of these sizes."""
    before = np.cumsum(counts) - counts
    return before + (counts - counts.sum()) / 2


def least(objective: Any, rows: Any, low: Any, high: Any) -> float:
    """The least value of the objective over nine counts that meet the rows."""
    known = LinearConstraint(rows, low, high)
    whole = {"integrality": np.ones(9), "bounds": Bounds(0, np.inf)}
    found = milp(objective, constraints=known, **whole, options={"mip_rel_gap": 0})
    if found.x is None:
        raise RuntimeError(f"no counts of items: {found.message}")
    return float(np.round(found.x) @ objective)


def pull(d_o: float, d_e: float, p: float, q: float) -> NDArray[np.float64]:
    """How much an item of each of the nine kinds moves kappa_x, (9,)."""
    a, b = SHARES
    observed = a + b - 2 * a * b - d_o
    expected = (a - p) * (1 - 2 * q) + (b - q) * (1 - 2 * p)
    return -observed / d_e + d_o * expected / d_e**2
