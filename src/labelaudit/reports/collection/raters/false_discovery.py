"""P-values adjusted for how many tests there are."""

from __future__ import annotations

import numpy as np

from ...._checks import Array


def hochberg(p: Array) -> Array:
    """Benjamini and Hochberg's (1995), for p-values of bets however dependent."""
    return _adjusted(p, float(len(p)))


def yekutieli(p: Array, tests: int) -> Array:
    """Benjamini and Yekutieli's (2001), of the smallest p-values of so many tests."""
    return _adjusted(p, tests * (np.log(tests) + 0.5772156649 + 1 / (2 * tests)))


def _adjusted(p: Array, factor: float) -> Array:
    """p times factor over its rank, made to rise with p; scipy's has no factor."""
    order = np.argsort(p, kind="stable")
    adjusted = p[order] * factor / np.arange(1, len(p) + 1)
    result = np.empty(len(p))
    result[order] = np.minimum.accumulate(adjusted[::-1])[::-1]
    return np.minimum(result, 1.0)
