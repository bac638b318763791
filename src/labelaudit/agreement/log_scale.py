"""Ratio distances of very many different numbers, in linear time.

((v - w) / (v + w))^2 = tanh^2((log v - log w) / 2): on the scale of logarithms the
distance depends on a difference alone, and smoothly. So the line is cut into boxes. In
each the numbers are replaced by a few weights at Chebyshev nodes, nodes are compared
with nodes, and what they give is interpolated back. The nearest pole of tanh is pi away
from the real line; a box of width 1 and 16 nodes leave less than 1e-17 of the largest
distance (Trefethen 2013, theorem 8.2), which is below rounding.
"""

from __future__ import annotations

import numpy as np

from .._checks import Array

NODES = 16  # of a box
WIDTH = 1.0  # of a box, in natural logarithms
BLOCK = 2**20  # numbers, or pairs of nodes, at a time

# Chebyshev points of the second kind in [0, 1], and their barycentric weights.
POINTS = (1 - np.cos(np.pi * np.arange(NODES) / (NODES - 1))) / 2
BARYCENTRIC = (-1.0) ** np.arange(NODES)
BARYCENTRIC[[0, -1]] /= 2


def ratio_sums(values: Array, count: Array) -> Array:
    """Sum of ratio distances of each number to all, each taken `count` times.

    Parameters
    ----------
    values, count : (n,)
        Numbers of at least 0; each once, with how often it is there.

    Returns
    -------
    (n,)
        To within rounding of the largest distance times the sum of counts.
    """
    sums = np.empty(len(values))
    zero = values == 0
    sums[zero] = count[~zero].sum()
    if not zero.all():
        far = _sums(np.log(values[~zero]), count[~zero])
        sums[~zero] = far + count[zero].sum()
    return sums


def _sums(at: Array, count: Array) -> Array:
    """The same of logarithms."""
    low, span = at.min(), np.ptp(at)
    boxes = max(1, int(np.ceil(span / WIDTH)))
    width = span / boxes or 1.0
    box = np.minimum(((at - low) / width).astype(np.intp), boxes - 1)
    known, box = np.unique(box, return_inverse=True)
    begin = low + width * known
    weights = np.zeros((len(known), NODES))
    for part in _parts(len(at)):
        share = _interpolation((at[part] - begin[box[part]]) / width)
        for k in range(NODES):
            weights[:, k] += np.bincount(
                box[part], share[:, k] * count[part], len(known)
            )
    nodes = (begin[:, None] + width * POINTS).ravel()
    field = np.empty(len(nodes))
    for part in _parts(len(nodes), max(1, BLOCK // len(nodes))):
        far = np.tanh((nodes[part, None] - nodes[None, :]) / 2) ** 2
        field[part] = far @ weights.ravel()
    given = field.reshape(len(known), NODES)
    sums = np.empty(len(at))
    for part in _parts(len(at)):
        share = _interpolation((at[part] - begin[box[part]]) / width)
        sums[part] = np.einsum("ik,ik->i", share, given[box[part]])
    return np.maximum(sums, 0.0)


def _parts(n: int, size: int = BLOCK // NODES) -> list[slice]:
    return [slice(at, at + size) for at in range(0, n, size)]


def _interpolation(x: Array) -> Array:
    """What each node has of a polynomial's value at x in [0, 1], (len(x), NODES)."""
    away = x[:, None] - POINTS
    on = away == 0
    share = BARYCENTRIC / np.where(on, 1.0, away)
    share /= share.sum(axis=1, keepdims=True)
    met = on.any(axis=1)
    share[met] = on[met]
    return share
