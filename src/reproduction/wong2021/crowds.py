"""Simulated replications: two groups of annotators judge the same items, yes or no.

Given an item, judgments are independent; a group's opinion of it is the
probability of a yes. All that a coefficient can be follows from the opinions, and
all that two judgments by each group tell from nine counts: how many items have
a = 0, 1, 2 yes in X and b in Y.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import ndtri

import labelaudit as la

Array = NDArray[Any]

YES_X, YES_Y = (grid.ravel() for grid in np.indices((3, 3)))  # (9,), a and b
BLOCK = 50  # studies whose bootstrap samples are in memory at a time


@dataclass(frozen=True)
class Items:
    """Kinds of items: their shares, and the opinions of X and Y; each (kinds,)."""

    share: Array
    x: Array
    y: Array

    @property
    def p(self) -> float:
        return float(self.share @ self.x)

    @property
    def q(self) -> float:
        return float(self.share @ self.y)

    @property
    def both(self) -> float:
        """Probability of a yes from each group."""
        return float(self.share @ (self.x * self.y))

    @property
    def covariance(self) -> float:
        return self.both - self.p * self.q

    @property
    def irr_x(self) -> float:
        """Kappa of two annotators of X."""
        return float(self.share @ self.x**2 - self.p**2) / (self.p * (1 - self.p))

    @property
    def irr_y(self) -> float:
        return float(self.share @ self.y**2 - self.q**2) / (self.q * (1 - self.q))

    @property
    def rho(self) -> float:
        """Correlation of the two opinions."""
        spread = self.p * (1 - self.p) * self.q * (1 - self.q)
        return self.covariance / np.sqrt(self.irr_x * self.irr_y * spread)

    @property
    def kappa_x(self) -> float:
        return 2 * self.covariance / (self.p + self.q - 2 * self.p * self.q)

    @property
    def geometric_mean(self) -> float:
        return float(np.sqrt(self.irr_x * self.irr_y))

    @property
    def normalized(self) -> float:
        return self.kappa_x / self.geometric_mean


def each_item(x: Array, y: Array) -> Items:
    """Opinions of every single item."""
    x, y = np.broadcast_arrays(np.asarray(x, float), np.asarray(y, float))
    return Items(np.full(len(x), 1 / len(x)), x, y)


def marked(p: float, irr: float, rho: float) -> Items:
    """The same prevalence and IRR in X and Y, and opinions that correlate.

    Each group has marked a share p of the items and its opinion has two values:
    p + sqrt(IRR) (1 - p) where the item is marked, p - sqrt(IRR) p elsewhere.
    rho is at least -p / (1 - p) and -(1 - p) / p.
    """
    both = p * p + rho * p * (1 - p)
    share = np.array([1 - 2 * p + both, p - both, p - both, both])
    high, low = p + np.sqrt(irr) * (1 - p), p - np.sqrt(irr) * p
    x = np.array([low, low, high, high])
    return Items(share, x, x[[0, 2, 1, 3]])


# Judgments -------------------------------------------------------------------


def votes(opinion: Array, raters: int, random: np.random.Generator) -> Array:
    """Judgments 0 or 1, (items, raters)."""
    return (random.random((len(opinion), raters)) < opinion[:, None]).astype(int)


def ratings(judgments: Array) -> la.Ratings:
    """Judgments 0 or 1 by annotators without identity, both labels declared."""
    yes = judgments.sum(axis=1)
    counts = np.column_stack([judgments.shape[1] - yes, yes])
    return la.Ratings.from_counts(counts, labels=[0, 1])


def rho_xy(x: la.Ratings, y: la.Ratings) -> float:
    """Eq. 12: the correlation of item means, corrected for their unreliability.

    The reliability of means is 1 less the share of their variance that comes from
    raters, mean s_i^2 / m_i. Of labels that are numbers, and items with two judgments
    in both.
    """
    sides = []
    for r in (x, y):
        label, m = r.labels.to_numpy(float), r.counts.sum(axis=1)
        mean = r.counts @ label / np.maximum(m, 1)
        away = (r.counts * (label - mean[:, None]) ** 2).sum(axis=1)
        table = {"mean": mean, "error": away / np.maximum(m * (m - 1), 1)}
        sides.append(pd.DataFrame(table, index=r.items)[m >= 2])
    both = sides[0].join(sides[1], how="inner", lsuffix="_x", rsuffix="_y")
    variance = both.var().replace(0.0, np.nan)
    steady = [1 - both[f"error_{s}"].mean() / variance[f"mean_{s}"] for s in "xy"]
    if not min(steady) > 0:
        return np.nan
    return float(both["mean_x"].corr(both["mean_y"]) / np.sqrt(steady[0] * steady[1]))


def of_counts(counts: Array) -> tuple[la.Ratings, la.Ratings]:
    """The two replications that have these nine counts."""
    sides = []
    for yes in (YES_X, YES_Y):
        yes = np.repeat(yes, np.asarray(counts, int))
        table = np.column_stack([2 - yes, yes])
        sides.append(la.Ratings.from_counts(table, labels=[0, 1]))
    return sides[0], sides[1]


def studies(
    items: Items, n: int, repetitions: int, random: np.random.Generator
) -> Array:
    """Nine counts of n items with two judgments by each group, (repetitions, 9)."""
    two = np.array([1.0, 2.0, 1.0])
    chance = np.zeros(9)
    for share, x, y in zip(items.share, items.x, items.y):
        of_x = two * x ** np.arange(3) * (1 - x) ** (2 - np.arange(3))
        of_y = two * y ** np.arange(3) * (1 - y) ** (2 - np.arange(3))
        chance += share * np.outer(of_x, of_y).ravel()
    chance = np.maximum(chance, 0)
    return random.multinomial(n, chance / chance.sum(), size=repetitions)


# Coefficients of many studies ------------------------------------------------


class Estimates(NamedTuple):
    """Of each study; NaN where undefined."""

    kappa_x: Array
    alpha_x: Array
    alpha_y: Array

    @property
    def mean(self) -> Array:
        """Geometric mean of the two alphas; NaN where one is not above 0."""
        product = np.where(
            (self.alpha_x > 0) & (self.alpha_y > 0), self.alpha_x * self.alpha_y, np.nan
        )
        return np.sqrt(product)

    @property
    def normalized(self) -> Array:
        return self.kappa_x / self.mean


def estimates(counts: Array) -> Estimates:
    """From nine counts a study, (..., 9)."""
    n = counts.sum(axis=-1)
    a, b = counts @ YES_X, counts @ YES_Y
    different = counts @ (YES_X + YES_Y - YES_X * YES_Y) / 2
    alphas = []
    with np.errstate(invalid="ignore", divide="ignore"):
        p, q = a / (2 * n), b / (2 * n)
        kappa = 1 - different / n / (p + q - 2 * p * q)
        for yes, side in ((a, YES_X), (b, YES_Y)):
            expected = 2 * yes * (2 * n - yes) / (2 * n * (2 * n - 1))
            alphas.append(1 - counts @ (side == 1) / n / expected)
    kappa, *alphas = (np.where(np.isfinite(v), v, np.nan) for v in (kappa, *alphas))
    return Estimates(kappa, *alphas)


# Intervals of many studies ---------------------------------------------------


class Jackknife(NamedTuple):
    """Covariances of kappa_x and the geometric mean; NaN where undefined."""

    kappa_x: Array
    mean: Array
    both: Array


def jackknife(counts: Array) -> Jackknife:
    """Delete-one-item covariances of each study, (...)."""
    left = estimates(counts[..., None, :] - np.eye(9, dtype=int))
    n = counts.sum(axis=-1)
    k, g = (np.where(counts > 0, values, 0.0) for values in (left.kappa_x, left.mean))
    k_bar, g_bar = ((counts * values).sum(axis=-1) / n for values in (k, g))
    k, g = k - k_bar[..., None], g - g_bar[..., None]
    scale = (n - 1) / n
    return Jackknife(
        *(scale * (counts * u * v).sum(axis=-1) for u, v in ((k, k), (g, g), (k, g)))
    )


# What the default interval adds: half an item on which all say yes and half an item on
# which all say no; for the lower end also one on which the replications differ.
AGREED = (YES_X == YES_Y) * (YES_X != 1) / 2
SPLIT = (abs(YES_X - YES_Y) == 2) / 2


def kappa_intervals(counts: Array, confidence: float) -> dict[str, Array]:
    """Intervals of kappa_x by the jackknife and the default, (2, studies) each."""
    z = ndtri((1 + confidence) / 2)
    kappa = estimates(counts).kappa_x
    error = np.sqrt(jackknife(counts).kappa_x)
    error = np.where(error > 0, error, np.nan)
    with np.errstate(invalid="ignore", divide="ignore"):
        centre, half = np.arctanh(kappa), z * error / (1 - kappa**2)
        bent = np.tanh([centre - half, centre + half])
    low = _end(counts + AGREED + SPLIT, z)
    high = _end(counts + AGREED, -z)
    added = np.array([np.clip(low, -1, kappa), np.maximum(high, kappa)])
    return {"jackknife, atanh scale": bent, "items added (default)": added}


def _end(counts: Array, z: float) -> Array:
    """One end of the default interval: on the scale of sqrt(1 - kappa_x)."""
    n = counts.sum(axis=-1)
    a, b = YES_X / 2, YES_Y / 2
    differ = a + b - 2 * a * b
    p, q, d_o = ((counts @ of / n)[:, None] for of in (a, b, differ))
    d_e = p + q - 2 * p * q
    by_e = (a - p) * (1 - 2 * q) + (b - q) * (1 - 2 * p)
    influence = (d_o * by_e / d_e - (differ - d_o)) / d_e
    error = np.sqrt((counts * influence**2).sum(axis=-1) / n / (n - 1))
    root = np.sqrt((d_o / d_e)[:, 0])
    with np.errstate(invalid="ignore", divide="ignore"):
        reach = np.where(root > 0, z * error / (2 * root), 0)
    ends: Array = 1 - np.maximum(root + reach, 0) ** 2
    return ends


def ratio_intervals(counts: Array, confidence: float) -> dict[str, Array]:
    """Intervals of the normalised kappa_x, (2, studies) each.

    Fieller's set is (-inf, inf) where it is unbounded.
    """
    z = ndtri((1 + confidence) / 2)
    found, v = estimates(counts), jackknife(counts)
    k, g, t = found.kappa_x, found.mean, found.normalized
    with np.errstate(invalid="ignore", divide="ignore"):
        a = g**2 - z**2 * v.mean
        b = k * g - z**2 * v.both
        c = k**2 - z**2 * v.kappa_x
        root = np.sqrt(np.maximum(b**2 - a * c, 0))
        bounded = np.array([(b - root) / a, (b + root) / a])
        wide = np.array([[-np.inf], [np.inf]])
        unknown = np.isnan(a)
        fieller = np.where(a > 0, bounded, np.where(unknown, np.nan, wide))
        relative = v.kappa_x / k**2 + v.mean / g**2 - 2 * v.both / (k * g)
        factor = np.exp(z * np.sqrt(np.maximum(relative, 0)))
        usable = np.where(t > 0, t, np.nan)
        logs = np.array([usable / factor, usable * factor])
    return {"Fieller": fieller, "log scale": logs}


def bootstrap(
    counts: Array,
    confidence: float,
    samples: int,
    random: np.random.Generator,
    what: str = "kappa_x",
) -> Array:
    """Percentiles over items drawn with replacement, (2, studies).

    what : "kappa_x" or "normalized"; samples where it is undefined are left out.
    """
    levels = np.array([(1 - confidence) / 2, (1 + confidence) / 2])
    ends = np.full((2, len(counts)), np.nan)
    for start in range(0, len(counts), BLOCK):
        some = counts[start : start + BLOCK]
        n = int(some[0].sum())
        drawn = random.multinomial(n, some / n, size=(samples, len(some)))
        values = np.sort(getattr(estimates(drawn), what), axis=0)  # NaN last
        known = np.isfinite(values).sum(axis=0)
        place = levels[:, None] * np.maximum(known - 1, 0)
        low = np.floor(place).astype(int)
        high = np.minimum(low + 1, np.maximum(known - 1, 0))
        at = np.arange(len(some))
        ends[:, start : start + BLOCK] = values[low, at] + (place - low) * (
            values[high, at] - values[low, at]
        )
    return ends


def without(ends: Array) -> float:
    """Share of the studies that have no interval."""
    return float(np.isnan(ends).any(axis=0).mean())


def coverage(ends: Array, truth: float) -> float:
    """Share of the intervals that have the truth, of the studies that have one.

    NaN where none has one.
    """
    given = ends[:, ~np.isnan(ends).any(axis=0)]
    if not given.size:
        return float("nan")
    return float(((given[0] <= truth) & (truth <= given[1])).mean())
