"""What tests of intervals share: numbers of samples, and our limits as counts."""

from functools import lru_cache
from math import comb

import numpy as np

import labelaudit as la


@lru_cache
def ways(n, lot_size):
    """Numbers of samples, [D][x]."""
    return [
        [
            comb(d, x) * comb(lot_size - d, n - x) if x <= n and n - x >= 0 else 0
            for x in range(n + 1)
        ]
        for d in range(lot_size + 1)
    ]


def as_counts(ends, size):
    """Rates of a lot as whole numbers, which they are."""
    counts = np.rint(np.array(ends) * size).astype(int)
    assert np.allclose(counts / size, ends, rtol=0, atol=1e-12)
    return tuple(counts.tolist())


def found(n, lot_size, confidence, method):
    """Our intervals as counts, [(low, high)] for x = 0 .. n."""
    ends = la.proportion_interval(
        range(n + 1), n, lot_size, confidence=confidence, method=method
    )
    return list(zip(*as_counts(ends, lot_size)))
