"""Models of how coders err: simulators, likelihoods, and latent classes.

Two models of Artstein's tutorial (slides 44-48). Concentrated: an item is easy
or hard; on easy ones all coders give the true label, on hard ones each draws a
label. Spread: every judgment of every item is principled with one probability,
else drawn. And the general latent class model (slide 50) with any number of
classes from any starts.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from itertools import product

import numpy as np
import pandas as pd

import labelaudit as la

Array = np.ndarray


# Simulators -------------------------------------------------------------------


def stream(seed: int, *names: object) -> np.random.Generator:
    """A random stream of its own for each run, so that no run changes another."""
    key = [zlib.crc32(str(name).encode()) for name in names]
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))


def draw(shares: Array, size: tuple[int, ...], random: np.random.Generator) -> Array:
    """Labels 0 .. q - 1 of any shape, drawn with these shares (sum 1)."""
    edges = np.cumsum(shares)[:-1]
    return np.searchsorted(edges, random.random(size), side="right").astype(np.int8)


def concentrated(
    easy_share: float,
    easy: Array,
    hard: Array,
    size: tuple[int, int, int],
    random: np.random.Generator,
) -> Array:
    """Model I: judgments, (repetitions, items, raters).

    easy_share : probability that an item is easy
    easy, hard : (labels,) distribution of true labels of easy items, and of the
        judgments of hard ones
    """
    truth = draw(easy, size[:2], random)[..., None]
    is_easy = random.random(size[:2])[..., None] < easy_share
    return np.where(is_easy, truth, draw(hard, size, random))


def spread(
    p: float,
    true: Array,
    size: tuple[int, int, int],
    random: np.random.Generator,
) -> tuple[Array, Array]:
    """Model II: judgments, (repetitions, items, raters), and true labels.

    p : probability that a judgment is principled
    true : (labels,) distribution of true labels, and of random judgments
    """
    truth = draw(true, size[:2], random)
    principled = random.random(size) < p
    judgments = np.where(principled, truth[..., None], draw(true, size, random))
    return judgments, truth


def counts(judgments: Array, labels: int) -> Array:
    """Judgments per item and label, (repetitions, items, labels)."""
    # Rater by rater: sums over an axis of two or three are slow.
    n = np.zeros((*judgments.shape[:-1], labels), dtype=np.int64)
    for rater in range(judgments.shape[-1]):
        for label in range(labels):
            n[..., label] += judgments[..., rater] == label
    return n


def agreement(judgments: Array, labels: int) -> pd.DataFrame:
    """A_o, A_e of K, K and nominal alpha of each simulated study.

    The formulas of slides 25, 27 and 39 for complete data, many studies at once.
    K and alpha are NaN where all judgments of a study are one label.
    """
    n = counts(judgments, labels)
    raters, judged = judgments.shape[-1], n.shape[1] * judgments.shape[-1]
    same = np.einsum("sil,sil->s", n, n) - judged  # ordered pairs that agree
    observed = same / (n.shape[1] * raters * (raters - 1))
    totals = n.sum(axis=1)
    expected = (totals**2).sum(axis=-1) / judged**2
    with np.errstate(invalid="ignore", divide="ignore"):
        k = (observed - expected) / (1 - expected)
    alpha = 1 - (1 - k) * (judged - 1) / judged
    return pd.DataFrame({"A_o": observed, "A_e": expected, "K": k, "alpha": alpha})


def mean_error(values: pd.Series | Array) -> tuple[float, float]:
    """Mean of simulated values and its standard error; NaN values are left out."""
    kept = np.asarray(values, dtype=float)
    kept = kept[~np.isnan(kept)]
    return float(kept.mean()), float(kept.std(ddof=1) / np.sqrt(len(kept)))


def distributions(labels: int, prevalence: float) -> dict[str, Array]:
    """Label distributions from even to extreme, each (labels,) and of sum 1.

    even; halving, each label half as frequent as the one before; and prevailing,
    one label with the given share, the rest even.
    """
    halves = 0.5 ** np.arange(labels)
    rest = (1 - prevalence) / (labels - 1)
    return {
        "even": np.full(labels, 1 / labels),
        "halving": halves / halves.sum(),
        "prevailing": np.array([prevalence] + [rest] * (labels - 1)),
    }


# Likelihood of the two models -------------------------------------------------


def item_likelihood(table: Array, share: float, true: Array, model: str) -> Array:
    """Probability of each item's judgments (in their order) under a model.

    table : (items, labels) judgments per item and label
    share : of principled judgments: easy items (model "concentrated"), or
        principled judgments (model "spread")
    true : (labels,) distribution of true labels, of random judgments too
    """
    chance = np.prod(true**table, axis=1)
    if model == "concentrated":
        alike = table == table.sum(axis=1, keepdims=True)
        return share * (alike @ true) + (1 - share) * chance
    seen = (1 - share) * true[None, :] + share * np.eye(len(true))
    each = np.prod(seen[None, :, :] ** table[:, None, :], axis=2)
    return each @ true


def pattern_shares(raters: int, share: float, true: Array, model: str) -> pd.Series:
    """Probability of each way in which the coders of an item divide.

    The index is text such as "3 + 1": three coders give one label, one another.
    """
    labels = np.array(list(product(range(len(true)), repeat=raters)))
    table = counts(labels[None], len(true))[0]
    names = [divided(row) for row in table]
    found = pd.Series(item_likelihood(table, share, true, model), index=names)
    return found.groupby(level=0).sum().sort_index(ascending=False)


def divided(row: Array) -> str:
    """How an item's judgments divide over labels: [0, 3, 1] is "3 + 1"."""
    return " + ".join(str(n) for n in sorted(row[row > 0], reverse=True))


# Latent classes ---------------------------------------------------------------


@dataclass(frozen=True)
class Classes:
    """Latent class models fitted from several starts (first axis: start).

    shares : (starts, classes); labels : (starts, raters, classes, labels),
    the probability of a label given the class; posterior : (starts, patterns,
    classes); log_likelihood : (starts,).
    """

    shares: Array
    labels: Array
    posterior: Array
    log_likelihood: Array

    @property
    def best(self) -> int:
        """The first start with the highest likelihood; rounding decides nothing."""
        highest = self.log_likelihood.max()
        return int(np.argmax(self.log_likelihood > highest - 1e-6))


def judged(r: la.Ratings) -> Array:
    """How often a rater gave a label to an item, (items, raters, labels)."""
    assert r.raters is not None and r.judgments.rater is not None
    table = np.zeros((len(r.items), len(r.raters), len(r.labels)))
    j = r.judgments
    np.add.at(table, (j.item, j.rater, j.label), j.count)
    return table


def latent_classes(
    table: Array, weight: Array, start: Array, iterations: int = 500
) -> Classes:
    """Latent classes by expectation-maximisation, all starts at once.

    table : (patterns, raters, labels), how often a rater gave a label
    weight : how many items have the pattern, (patterns,), or (starts, patterns)
        where each start has data of its own
    start : (starts, patterns, classes), class probabilities to start from
    """
    flat = table.reshape(len(table), -1)
    posterior, shape = start, (len(start), start.shape[2], *table.shape[1:])
    for _ in range(iterations):
        full = posterior * weight[..., None]
        shares = full.sum(axis=1) / weight.sum(axis=-1)[..., None]
        given = (full.transpose(0, 2, 1) @ flat).reshape(shape)
        total = given.sum(axis=3, keepdims=True)
        # A rater without weight in a class says nothing about it.
        labels = np.divide(given, total, out=np.ones_like(given), where=total > 0)
        with np.errstate(divide="ignore"):
            logs = np.maximum(np.log(labels), -1e4).reshape(*shape[:2], -1)
            joint = flat @ logs.transpose(0, 2, 1) + np.log(shares)[:, None, :]
        top = joint.max(axis=2, keepdims=True)
        each = np.exp(joint - top)
        before, posterior = posterior, each / each.sum(axis=2, keepdims=True)
        if np.abs(posterior - before).max() <= 1e-10:
            break
    likelihood = ((np.log(each.sum(axis=2)) + top[..., 0]) * weight).sum(axis=-1)
    return Classes(shares, labels.transpose(0, 2, 1, 3), posterior, likelihood)


def random_starts(
    starts: int, patterns: int, classes: int, random: np.random.Generator
) -> Array:
    """Class probabilities for every pattern, drawn evenly from the simplex."""
    return random.dirichlet(np.ones(classes), size=(starts, patterns))


def label_shares(table: Array) -> Array:
    """The published start: each item's label shares, (1, patterns, labels)."""
    n = table.sum(axis=1)
    return (n / n.sum(axis=1, keepdims=True))[None]


def pattern_probabilities(table: Array, shares: Array, labels: Array) -> Array:
    """Probability of each pattern of judgments, (patterns,).

    shares : (classes,); labels : (raters, classes, labels), as in Classes.
    """
    with np.errstate(divide="ignore"):
        logs = np.maximum(np.log(labels), -1e4)
    return np.exp(np.einsum("prl,rcl->pc", table, logs)) @ shares
