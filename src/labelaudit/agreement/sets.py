"""Distances between sets of labels, each a frozenset.

Jaccard's distance is 1 - J with J = |A and B| / |A or B|. MASI's is 1 - J M, where M
(monotonicity) is 1 for equal sets, 2/3 where one holds the other, 1/3 where they only
overlap and 0 where they do not (Passonneau 2006). Two empty sets are equal.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from .. import _checks
from .._checks import Array

NAMES = ("jaccard", "masi")
WORD = 64  # bits


class Members:
    """The members of each set, as bits of words.

    bits : (n_labels, n_words), size : (n_labels,)
    """

    def __init__(self, name: str, labels: Iterable[Any]) -> None:
        labels = list(labels)
        for label in labels:
            if not isinstance(label, frozenset):
                accepted = f"frozensets for the {name} distance"
                raise _checks.refuse("labels", label, accepted)
        all_members = dict.fromkeys(one for label in labels for one in label)
        place = {one: k for k, one in enumerate(all_members)}
        words = max(1, -(-len(place) // WORD))
        self.bits = np.zeros((len(labels), words), dtype=np.uint64)
        for i, label in enumerate(labels):
            for member in label:
                word, bit = divmod(place[member], WORD)
                self.bits[i, word] |= np.uint64(1) << np.uint64(bit)
        self.size = np.array([len(label) for label in labels], dtype=float)

    def shared(self, a: Array, b: Array) -> Array:
        """How many members the sets at positions a and b have in common."""
        total = np.zeros(np.broadcast_shapes(np.shape(a), np.shape(b)))
        for word in self.bits.T:
            total += np.bitwise_count(word[a] & word[b])
        return total


def between(name: str, labels: pd.Index) -> Any:
    """The distance of sets by their positions among the labels."""
    return partial(DISTANCES[name], Members(name, labels))


def _jaccard(members: Members, a: Array, b: Array) -> Array:
    both = members.shared(a, b)
    either = members.size[a] + members.size[b] - both
    return 1 - np.divide(both, either, out=np.ones_like(both), where=either > 0)


def _masi(members: Members, a: Array, b: Array) -> Array:
    both = members.shared(a, b)
    one, other = members.size[a], members.size[b]
    either, smaller = one + other - both, np.minimum(one, other)
    thirds = np.where(both == either, 3, np.where(both == smaller, 2, 1))
    share = np.divide(both, either, out=np.ones_like(both), where=either > 0)
    return 1 - share * thirds / 3


DISTANCES = {"jaccard": _jaccard, "masi": _masi}
