"""Which items of a lot are inspected, in which order: the same wherever it is drawn.

numpy promises the raw bits of PCG64 and how a seed starts it, in all its versions;
it does not promise its permutations. So the shuffle is our own, and has a version.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

import numpy as np

from .. import _checks
from ..laws.law import Array

DRAW = 2  # the version of new draws
MOST_DRAWN = 10_000_000  # a longer one takes many seconds and gigabytes
WORDS = 2**64  # values that raw bits have


def draw(size: int, sample: int, seed: Any, version: int = DRAW) -> Array:
    """Positions of a sample without replacement, in order.

    Parameters
    ----------
    size, sample : int
        Of the lot, and of the sample: at most as many.
    seed : int of at least 0
    version : int
        2: Fisher and Yates' shuffle. From the front, position i = 0, 1, ...
        takes the place of position i + r mod m, where m = size - i are left
        and r is the next 64 raw bits of PCG64(seed); one above the largest
        multiple of m is passed over, so that all orders are equally likely.
        1: numpy's default_rng(seed).permutation(size), as labelaudit 0.1 drew.

    Raises
    ------
    ValueError
        For a seed below 0, a lot above 10,000,000, or an unknown version.

    Examples
    --------
    >>> draw(1000, 3, seed=1).tolist(), draw(1000, 5, seed=1).tolist()
    ([127, 154, 167], [127, 154, 167, 694, 993])
    """
    seed = _checks.count("seed", seed, 0)
    if size > MOST_DRAWN:
        raise _checks.refuse(
            "lot_size", size, f"at most {MOST_DRAWN:,}, to draw a sheet from"
        )
    if version not in (1, DRAW):
        raise _checks.refuse("draw", version, f"1 or {DRAW}, which are known here")
    if version == 1:
        return np.random.default_rng(seed).permutation(size)[:sample]
    return shuffled(size, sample, np.random.PCG64(seed).random_raw)


def shuffled(size: int, sample: int, raw: Callable[[int], Array]) -> Array:
    """The first of a shuffle of 0, 1, ..., size - 1, from raw words of 64 bits.

    raw : function of a number of words, which returns the next ones
    """
    ahead = _below(size - np.arange(sample, dtype=np.uint64), raw)
    # Where a position does not hold its own number. The rest is never written down.
    moved: dict[int, int] = {}
    order = np.empty(sample, dtype=np.int64)
    for i, step in zip(count(), ahead.tolist()):
        j = i + step
        order[i] = moved.get(j, j)
        moved[j] = moved.get(i, i)
    return order


def _below(ends: Array, raw: Callable[[int], Array]) -> Array:
    """A whole number from 0 to less than each end, all equally likely."""
    words = raw(len(ends))
    # 2^64 mod m in words of 64 bits; what is above a multiple of m is passed over.
    over = (np.uint64(WORDS - 1) % ends + np.uint64(1)) % ends
    while True:
        refused = words > np.uint64(WORDS - 1) - over
        if not refused.any():
            return words % ends
        first = int(refused.argmax())
        words = np.append(np.delete(words, first), raw(1))
