"""Matrices of labels for tests of reports."""

import krippendorff
import numpy as np

import labelaudit as la


def made(n=60, raters=5, seed=0, missing=0.25, slips=0.3, labels="abc"):
    """A matrix of labels: a true one each, slips, and gaps."""
    random = np.random.default_rng(seed)
    q = len(labels)
    true = random.choice(q, n, p=np.arange(q, 0, -1) / (q * (q + 1) / 2))
    slip = random.random((n, raters)) < slips
    given = np.where(slip, random.integers(0, q, (n, raters)), true[:, None])
    matrix = np.array(list(labels), dtype=object)[given]
    matrix[random.random((n, raters)) < missing] = None
    return matrix


def alpha_of(matrix, order="abc"):
    """By the krippendorff package: raters are rows."""
    codes = {label: k for k, label in enumerate(order)}
    data = [[np.nan if v is None else codes[v] for v in row] for row in matrix]
    return krippendorff.alpha(np.array(data).T, level_of_measurement="nominal")


def judged(row):
    return [(a, label) for a, label in enumerate(row) if label is not None]


def pairs(**counts):
    """Items of two raters: aa=3 is three on which both say a."""
    return [list(pair) for pair, number in counts.items() for _ in range(number)]


def words(matrix, *more, **how):
    """All warnings, as one text."""
    r = la.Ratings.from_matrix(matrix)
    return " | ".join(la.reliability(r, *more, **how).warnings)


def scaled(distance):
    """Four raters on a scale, the last of whom guesses half of the time."""
    random = np.random.default_rng(5)
    true = random.integers(1, 8, (90, 1))
    matrix = true + random.integers(0, 2, (90, 4))
    matrix[:45, 3] = random.integers(1, 8, 45)
    other = la.Ratings.from_matrix(true + random.integers(0, 2, (90, 2)))
    return la.reliability(la.Ratings.from_matrix(matrix), distance, other=other)
