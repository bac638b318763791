"""Intervals for K of two judgments an item, side by side and exactly.

With two labels an item has two, one or no "yes", so a sample of n items is one of
(n + 1)(n + 2) / 2 tables. All of them are enumerated: coverage has no noise.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import ndtri
from scipy.stats import multinomial

Array = np.ndarray[Any, Any]
Ends = tuple[Array, Array]
YES = np.array([2, 1, 0])  # judgments "yes" of an item of each kind


def tables(n: int) -> Array:
    """Every sample: how many items have two, one and no "yes", (n_tables, 3)."""
    pairs = ((both, one) for one in range(n + 1) for both in range(n + 1 - one))
    return np.array([(both, one, n - both - one) for both, one in pairs], float)


def moments(t: Array) -> tuple[Array, Array, Array, Array]:
    """K, its standard error, D_o and D_e of each table; tables may hold half items."""
    n = t.sum(axis=1, keepdims=True)
    p, d_o = t @ YES[:, None] / (2 * n), t[:, 1:2] / n
    d_e = 2 * p * (1 - p)
    by_o, by_e = (YES == 1) - d_o, 2 * (1 - 2 * p) * (YES / 2 - p)
    with np.errstate(invalid="ignore", divide="ignore"):
        influence = (d_o * by_e / d_e - by_o) / d_e
        variance = (t * influence**2).sum(axis=1) / (n * (n - 1))[:, 0]
        value = 1 - d_o / d_e
    return value[:, 0], np.sqrt(np.maximum(variance, 0)), d_o[:, 0], d_e[:, 0]


def plain(t: Array, z: float) -> Ends:
    value, error, *_ = moments(t)
    return _known(value, error, value - z * error, value + z * error)


def atanh(t: Array, z: float) -> Ends:
    """The jackknife's in the library, but for its standard error, hardly another."""
    value, error, *_ = moments(t)
    with np.errstate(invalid="ignore", divide="ignore"):
        half, centre = z * error / (1 - value**2), np.arctanh(value)
        return _known(value, error, np.tanh(centre - half), np.tanh(centre + half))


def items_added(t: Array, z: float, agree: float = 0.5, differ: float = 1.0) -> Ends:
    """What `interval()` gives: half items, on the scale of sqrt(1 - K)."""
    value = moments(t)[0]
    ends = []
    for more, sign in ((differ, 1), (0.0, -1)):
        at, error, *_ = moments(t + [agree, more, agree])
        root = np.sqrt(np.maximum(1 - at, 0))
        with np.errstate(invalid="ignore", divide="ignore"):
            moved = np.maximum(root + sign * z * error / (2 * root), 0)
        ends.append(np.where(root > 0, 1 - moved**2, 1.0))
    low, high = np.minimum(ends[0], value), np.maximum(ends[1], value)
    return _known(value, np.ones(len(t)), np.maximum(low, -1), high)


METHODS: dict[str, Callable[..., Ends]] = {
    "no transformation": plain,
    "jackknife (atanh)": atanh,
    "items added (default)": items_added,
}


def _known(value: Array, error: Array, low: Array, high: Array) -> Ends:
    """NaN where there is no value, or no error to build on."""
    known = np.isfinite(value) & (error > 0) & np.isfinite(low) & np.isfinite(high)
    return np.where(known, low, np.nan), np.where(known, high, np.nan)


def population(prevalence: float, accuracy: float) -> tuple[Array, float]:
    """Shares of items with two, one and no "yes", and K."""
    a, p = accuracy, prevalence
    one = 2 * a * (1 - a)
    both = p * a**2 + (1 - p) * (1 - a) ** 2
    shares = np.array([both, one, 1 - one - both])
    yes = both + one / 2
    return shares, 1 - one / (2 * yes * (1 - yes))


def coverage(
    n: int,
    prevalences: list[float],
    accuracies: list[float],
    confidence: float,
    methods: dict[str, Callable[..., Ends]],
) -> pd.DataFrame:
    """Exact coverage and mean length of each method in each population.

    Returns
    -------
    DataFrame
        method, prevalence, accuracy, items, K, given (share of samples with an
        interval), coverage and length (of those).
    """
    t, z = tables(n), float(ndtri((1 + confidence) / 2))
    rows = []
    for name, method in methods.items():
        low, high = method(t, z)
        known = np.isfinite(low)
        for p in prevalences:
            for a in accuracies:
                shares, k = population(p, a)
                weight = multinomial.pmf(t, n, shares) * known
                given = weight.sum()
                inside = (low <= k + 1e-12) & (k - 1e-12 <= high)
                with np.errstate(invalid="ignore"):
                    covered = weight[inside].sum() / given
                    length = np.nansum(weight * (high - low)) / given
                rows.append([name, p, a, n, k, given, covered, length])
    names = ["method", "prevalence", "accuracy", "items", "K", "given", "coverage",
             "length"]  # fmt: skip
    return pd.DataFrame(rows, columns=names)
