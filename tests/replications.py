"""Two replications of a study, for tests of the coefficients across them."""

import numpy as np

import agreement_oracles as oracles
import labelaudit as la
from agreement_helpers import ratings

LABELS = [1, 2, 4, 7]


def replicated(seed, n_items, sides, n_labels=2, missing=0.0, noise=0.4):
    """Judgments by raters "x 0", ... and "y 0", ..., of the same truth."""
    labels = LABELS[:n_labels]
    found = oracles.random_judgments(seed, n_items, sum(sides), labels, missing, noise)
    names = [f"x {k}" for k in range(sides[0])] + [f"y {k}" for k in range(sides[1])]
    return [(item, names[int(rater[6:])], label) for item, rater, label in found]


def two(judgments, labels=None, build=ratings):
    """Ratings of X and of Y."""
    return [build(oracles.side(judgments, name), labels) for name in "xy"]


def many(seed, n_items=300, raters=(2, 2), n_labels=2, noise=0.4):
    """Two matrices of 0, 1, ...: far more items than there are kinds of them."""
    rng = np.random.default_rng(seed)
    share = 1 / np.arange(1, n_labels + 1)
    share /= share.sum()
    truth = rng.choice(n_labels, (n_items, 1), p=share)
    shape = (n_items, sum(raters))
    other = rng.choice(n_labels, shape, p=share)
    both = np.where(rng.random(shape) < noise, other, truth)
    return both[:, : raters[0]], both[:, raters[0] :]


def crossed(pairs):
    """X and Y with one judgment of each an item, from {two labels: items}."""
    rows = [pair for pair, n in pairs.items() for _ in range(n)]
    return [la.Ratings.from_matrix([[label] for label in side]) for side in zip(*rows)]
