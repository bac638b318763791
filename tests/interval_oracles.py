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


def found(n, lot_size, confidence, method):
    """Our intervals as counts, [(low, high)] for x = 0 .. n."""
    low, high = la.proportion_interval(
        range(n + 1), n, lot_size, confidence=confidence, method=method
    )
    counts = np.rint(np.array([low, high]) * lot_size).astype(int)
    assert np.allclose(counts / lot_size, [low, high], rtol=0, atol=1e-12)
    return list(zip(*counts.tolist()))
