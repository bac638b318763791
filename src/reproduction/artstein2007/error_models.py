"""What the models of how coders err need: labels drawn, studies measured, EM.

The two models of Artstein's tutorial (slides 44-48) stand in their notebook. Here is
how labels are drawn, the coefficients of many simulated studies at once, and the
latent class model (slide 50) with any number of classes from any starts.
"""

import zlib
from dataclasses import dataclass

import numpy as np
import pandas as pd

import labelaudit as la
from labelaudit import _checks

Array = np.ndarray


# Simulated studies ------------------------------------------------------------


def stream(seed: int, *names: object) -> np.random.Generator:
    """A random stream of its own for each run, so that no run changes another."""
    key = [zlib.crc32(str(name).encode()) for name in names]
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))


def draw(shares: Array, size: tuple[int, ...], random: np.random.Generator) -> Array:
    """Labels 0 .. q - 1 of any shape, drawn with these shares (sum 1)."""
    drawn, label = random.random(size), np.zeros(size, np.int8)
    for edge in np.cumsum(shares)[:-1]:  # few: faster than a search for each number
        label += drawn >= edge
    return label


def counts(judgments: Array, labels: int) -> Array:
    """Judgments per item and label, (repetitions, items, labels)."""
    # Rater by rater: sums over an axis of two or three are slow. Labels first: what
    # lies side by side is quick to add to.
    n = np.zeros((labels, *judgments.shape[:-1]), dtype=np.int64)
    for rater in range(judgments.shape[-1]):
        for label in range(labels):
            n[label] += judgments[..., rater] == label
    return np.moveaxis(n, 0, -1)


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
    kept = pd.Series(values, dtype=float)
    return float(kept.mean()), float(kept.sem())


def distributions(labels: int, prevalence: float) -> dict[str, Array]:
    """Label distributions from even to extreme, each (labels,) and of sum 1.

    even; halving, each label half as frequent as the one before; and prevailing,
    one label with the given share, the rest even.

    Raises ValueError where that share is not more than an even one.
    """
    if prevalence <= 1 / labels:
        least = f"more than {1 / labels:.4g}, an even share of {labels} labels"
        raise _checks.refuse("prevalence", prevalence, least)
    halves = 0.5 ** np.arange(labels)
    rest = (1 - prevalence) / (labels - 1)
    return {
        "even": np.full(labels, 1 / labels),
        "halving": halves / halves.sum(),
        "prevailing": np.array([prevalence] + [rest] * (labels - 1)),
    }


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
