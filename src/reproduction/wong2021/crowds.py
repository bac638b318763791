"""Simulated replications: two groups of annotators judge the same items, yes or no.

Given an item, judgments are independent; a group's opinion of it is the
probability of a yes. All that a coefficient can be follows from the opinions, and
all that two judgments by each group tell from nine counts: how many items have
a = 0, 1, 2 yes in X and b in Y. Counts of many studies are (studies, 9).
"""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import ndtri

import labelaudit as la

Array = NDArray[Any]

YES_X, YES_Y = (grid.ravel() for grid in np.indices((3, 3)))  # (9,), a and b
BLOCK = 50  # studies whose bootstrap samples are in memory at a time


class Items(NamedTuple):
    """Kinds of items: their shares, and the opinions of X and Y; each (kinds,)."""

    share: Array
    x: Array
    y: Array


def items(x: Any, y: Any, share: Any = None) -> Items:
    """Opinions of kinds of items; of single items where no shares are given."""
    x, y = np.broadcast_arrays(np.asarray(x, float), np.asarray(y, float))
    return Items(np.full(len(x), 1 / len(x)) if share is None else share, x, y)


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


def expected(kinds: Items) -> pd.Series:
    """What coefficients come to with more and more items.

    p, q: shares of yes; both: probability of a yes from each group; irr_x, irr_y;
    rho: correlation of the opinions; kappa_x; mean: geometric mean of the IRRs;
    normalized.
    """
    share, x, y = kinds
    p, q, both = share @ x, share @ y, share @ (x * y)
    covariance = both - p * q
    with np.errstate(invalid="ignore", divide="ignore"):
        irr_x = (share @ x**2 - p**2) / (p * (1 - p))
        irr_y = (share @ y**2 - q**2) / (q * (1 - q))
        mean = np.sqrt(irr_x * irr_y)
        rho = covariance / (mean * np.sqrt(p * (1 - p) * q * (1 - q)))
        kappa_x = 2 * covariance / (p + q - 2 * p * q)
        values = [p, q, both, irr_x, irr_y, rho, kappa_x, mean, kappa_x / mean]
    names = ["p", "q", "both", "irr_x", "irr_y", "rho", "kappa_x", "mean", "normalized"]
    return pd.Series(values, names)


def nine(kinds: Items) -> Array:
    """Probabilities of the nine kinds of items, two judgments by each group."""
    sides = ([(1 - z) ** 2, 2 * z * (1 - z), z**2] for z in (kinds.x, kinds.y))
    return np.einsum("k,ak,bk->ab", kinds.share, *sides).ravel()


def studies(kinds: Items, n: int, repetitions: int, random: Any) -> Array:
    """Nine counts of n items with two judgments by each group, (repetitions, 9)."""
    chance = np.maximum(nine(kinds), 0)
    return random.multinomial(n, chance / chance.sum(), size=repetitions)


def votes(opinion: Array, raters: int, random: np.random.Generator) -> Array:
    """Judgments 0 or 1, (items, raters)."""
    return (random.random((len(opinion), raters)) < opinion[:, None]).astype(int)


def ratings(judgments: Array) -> la.Ratings:
    """Judgments 0 or 1 by annotators without identity, both labels declared."""
    return _by_yes(judgments.sum(axis=1), judgments.shape[1])


def _by_yes(yes: Array, raters: int) -> la.Ratings:
    return la.Ratings.from_counts(np.column_stack([raters - yes, yes]), labels=[0, 1])


def of_counts(counts: Array) -> tuple[la.Ratings, la.Ratings]:
    """The two replications that have these nine counts."""
    one, other = (_by_yes(np.repeat(yes, counts), 2) for yes in (YES_X, YES_Y))
    return one, other


class Estimates(NamedTuple):
    """Of each study; NaN where undefined."""

    kappa_x: Array
    alpha_x: Array
    alpha_y: Array
    mean: Array  # geometric, of the two alphas; NaN where one is not above 0
    normalized: Array


def estimates(counts: Array) -> Estimates:
    """From nine counts a study, (..., 9)."""
    n = counts.sum(axis=-1)
    different = counts @ (YES_X + YES_Y - YES_X * YES_Y) / 2
    alphas = []
    with np.errstate(invalid="ignore", divide="ignore"):
        p, q = counts @ YES_X / (2 * n), counts @ YES_Y / (2 * n)
        kappa = 1 - different / n / (p + q - 2 * p * q)
        for side in (YES_X, YES_Y):
            yes = counts @ side
            chance = 2 * yes * (2 * n - yes) / (2 * n * (2 * n - 1))
            alphas.append(1 - counts @ (side == 1) / n / chance)
    kappa, *alphas = (np.where(np.isfinite(v), v, np.nan) for v in (kappa, *alphas))
    with np.errstate(invalid="ignore"):
        mean = np.sqrt(np.where(np.minimum(*alphas) > 0, np.prod(alphas, 0), np.nan))
        return Estimates(kappa, *alphas, mean, kappa / mean)


def jackknife(counts: Array) -> Array:
    """Delete-one-item covariances of kappa_x and the mean, (2, 2, studies)."""
    left = estimates(counts[:, None, :] - np.eye(9, dtype=int))
    n = counts.sum(axis=1)
    values = np.where(counts > 0, [left.kappa_x, left.mean], 0.0)
    off = values - ((counts * values).sum(axis=2) / n)[..., None]
    return (n - 1) / n * np.einsum("ask,bsk,sk->abs", off, off, counts)


# What the default interval adds: half an item on which all say yes and half an item on
# which all say no; for the lower end also one on which the replications differ.
AGREED = (YES_X == YES_Y) * (YES_X != 1) / 2
SPLIT = (abs(YES_X - YES_Y) == 2) / 2


def kappa_intervals(counts: Array, confidence: float) -> dict[str, Array]:
    """Intervals of kappa_x by the jackknife and the default, (2, studies) each."""
    z = ndtri((1 + confidence) / 2)
    kappa, variance = estimates(counts).kappa_x, jackknife(counts)[0, 0]
    with np.errstate(invalid="ignore", divide="ignore"):
        half = z * np.sqrt(np.where(variance > 0, variance, np.nan)) / (1 - kappa**2)
        bent = np.tanh(np.arctanh(kappa) + np.array([-half, half]))
    low, high = _end(counts + AGREED + SPLIT, z), _end(counts + AGREED, -z)
    added = np.array([np.clip(low, -1, kappa), np.maximum(high, kappa)])
    return {"jackknife": bent, "items added": added}


def _end(counts: Array, z: float) -> Array:
    """One end of the default interval: on the scale of sqrt(1 - kappa_x)."""
    n = counts.sum(axis=1)
    a, b = YES_X / 2, YES_Y / 2
    differ = a + b - 2 * a * b
    p, q, d_o = ((counts @ of / n)[:, None] for of in (a, b, differ))
    d_e = p + q - 2 * p * q
    by_e = (a - p) * (1 - 2 * q) + (b - q) * (1 - 2 * p)
    influence = (d_o * by_e / d_e - (differ - d_o)) / d_e
    error = np.sqrt((counts * influence**2).sum(axis=1) / n / (n - 1))
    root = np.sqrt((d_o / d_e)[:, 0])
    with np.errstate(invalid="ignore", divide="ignore"):
        reach = np.where(root > 0, z * error / (2 * root), 0)
    return 1 - np.maximum(root + reach, 0) ** 2


def fieller(counts: Array, confidence: float) -> Array:
    """Intervals of the normalised kappa_x, (2, studies); (-inf, inf) if unbounded."""
    z = ndtri((1 + confidence) / 2)
    (v_kk, v_kg), (_, v_gg) = jackknife(counts)
    k, _, _, g, _ = estimates(counts)
    a, b, c = g**2 - z**2 * v_gg, k * g - z**2 * v_kg, k**2 - z**2 * v_kk
    with np.errstate(invalid="ignore", divide="ignore"):
        root = np.sqrt(np.maximum(b**2 - a * c, 0))
        ends = np.array([b - root, b + root]) / a
    return np.where(a <= 0, [[-np.inf], [np.inf]], ends)


def bootstrap(
    counts: Array, confidence: float, samples: int, random: Any, what: str = "kappa_x"
) -> Array:
    """Percentiles over items drawn with replacement, (2, studies).

    what : "kappa_x" or "normalized"; samples where it is undefined are left out.
    """
    levels, ends = [(1 - confidence) / 2, (1 + confidence) / 2], []
    for start in range(0, len(counts), BLOCK):
        some = counts[start : start + BLOCK]
        n = int(some[0].sum())
        drawn = random.multinomial(n, some / n, size=(samples, len(some)))
        values = getattr(estimates(drawn), what)
        ends.append(np.nanquantile(values, levels, axis=0))
    return np.concatenate(ends, axis=1)


def coverage(ends: Array, truth: float) -> float:
    """Share of the intervals that have the truth, of the studies that have one."""
    low, high = ends[:, ~np.isnan(ends).any(axis=0)]
    return float(((low <= truth) & (truth <= high)).mean()) if len(low) else np.nan
