"""Length-optimal intervals for a finite lot (Bartroff, Lorden and Wang 2022).

For each number of errors D in the lot, accept the outcomes a(D) .. b(D): the
likeliest ones, as few as make up the confidence (Sterne 1954). Shifting some of
them makes both ends rise with D and costs neither confidence nor length; the
interval for x is then {D: a(D) <= x <= b(D)}. No exact intervals that treat
errors and correct annotations alike are shorter in total.
"""

from bisect import bisect_left
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from scipy.special import ndtri

from .._checks import Array
from ..laws.errors import LOST, NEAR, Law, at_most

# Outcomes are equally likely where their probabilities differ by less, relatively.
# Which of them is accepted first concerns neither coverage nor total length.
TIE = 1e-9

# A table of probabilities has so many rows at most.
ROWS = 4096

# A family of sets is cut so many times as far from x / n as the upper limit lies.
FAR = 1.5


def wilson(x: Any, n: Any, lot_size: int | None, deviations: Any) -> Array:
    """A rate so many standard deviations above x/n (Wilson's limits)."""
    z2 = deviations**2 * (1 - n / (lot_size or np.inf))
    root = np.sqrt(z2 * (x * (n - x) / n + z2 / 4))
    return (x + z2 / 2 + np.sign(deviations) * root) / (n + z2)


def shortest_limits(
    law: Law, x: Array, n: Array, alpha: Fraction
) -> tuple[Array, Array]:
    """Both limits (error counts) for x errors among n, each n its own family of sets.

    More errors than correct annotations are exchanged.
    """
    few, low, high = np.minimum(x, n - x), np.zeros_like(x), np.zeros_like(x)
    for size in np.unique(n).tolist():
        rows = n == size
        low[rows], high[rows] = _limits(law, few[rows], size, alpha)
    swapped, size = few < x, law.total
    return np.where(swapped, size - high, low), np.where(swapped, size - low, high)


def _limits(law: Law, x: Array, n: int, alpha: Fraction) -> tuple[Array, Array]:
    """The first D with b(D) >= x, and the last with a(D) <= x, for each x.

    The family is cut after some D, and is whole where that might have shifted the
    sets up to the first with a(D) > x: a set leaves at most alpha on either side, so
    none of a larger D begins a shift to below b where P(X >= b) is above alpha.
    """
    size, limit = law.total, float(alpha)
    last = int(size * wilson(x.max(), n, size, -FAR * float(ndtri(limit / 2)))) + 2
    while True:
        a, b = acceptance_ends(law, n, alpha, last)
        low, high = np.searchsorted(b, x), np.searchsorted(a, x, side="right") - 1
        if len(a) > size:
            return low, high
        ends = b[np.minimum(high + 1, last)]
        right = law.tails(ends, n, last + 1)[1] > limit * (1 + NEAR)
        if (right & (high < last)).all():
            return low, high
        last = size


def acceptance_ends(
    law: Law, n: int, alpha: Fraction, last: int
) -> tuple[Array, Array]:
    """a(D) and b(D), nondecreasing in D, for D = 0 .. last, or for all D.

    Up to a `last` below half of the lot larger D are left out of account.
    """
    size, half = law.total, law.total // 2
    errors = np.arange(min(last, half) + 1)
    a, b = shortest_sets(law, np.full_like(errors, n), errors, alpha)
    up = np.maximum.accumulate(a)  # where a falls
    b += up - a
    down = np.minimum.accumulate(b[::-1])[::-1]  # where b falls
    a, b = up - (b - down), down
    if last < half:
        return a, b
    if even := size % 2 == 0:  # half of the lot: a symmetric law, so a symmetric set

        def likely(x: int) -> bool:
            exact = partial(law.exact_cdf, x, n, half)
            return not at_most(float(law.tails(x, n, half)[0]), alpha / 2, exact)

        a[-1] = bisect_left(range(n), True, key=likely)
        b[-1] = n - a[-1]
    mirrored = slice(-1 - even, None, -1)
    return np.append(a, n - b[mirrored]), np.append(b, n - a[mirrored])


def shortest_sets(
    law: Law, n: Array, errors: Array, alpha: Fraction, widen: int = 1
) -> Array:
    """Ends a and b of the shortest acceptance sets, before any shift.

    The set takes outcomes in the order of their probability, of two equally likely
    ones the smaller first, until it misses no more than alpha. They are looked for in
    a table of the outcomes about the mean, `widen` times as wide as a normal law
    needs; where its ends are not less likely than the set, in a wider one.
    """
    if len(n) > ROWS:
        parts = np.array_split(np.stack([n, errors]), len(n) // ROWS + 1, axis=1)
        found = [shortest_sets(law, m, d, alpha) for m, d in parts]
        return np.concatenate(found, axis=1)
    size, share, limit = law.total, errors / law.total, float(alpha)
    spread = np.sqrt(n * share * (1 - share) * (1 - n / size)).max()
    width = widen * (8 - int(3 * float(ndtri(limit / 2)) * spread))
    low, high = np.maximum(0, n - (size - errors)), np.minimum(n, errors)
    first = np.rint(n * share).astype(np.int64) - width // 2
    first = np.maximum(np.minimum(first, high - width + 1), low)
    last = first + width - 1
    table = law.pmf(first[:, None] + np.arange(width), n[:, None], errors[:, None])
    rising = np.sort(table, axis=1)
    outside = law.tails(first - 1, n, errors)[0] + law.tails(last + 1, n, errors)[1]
    # What is missed without the least likely outcome, without the two, ...
    missed = np.cumsum(np.column_stack([outside, rising]), axis=1)
    dropped = (missed <= limit * (1 + NEAR) + LOST).sum(axis=1) - 1
    rows, dropped = np.arange(len(n)), np.maximum(dropped, 0)

    def exact(n: int, d: int, a: int, b: int) -> Fraction:
        return 1 - law.exact_cdf(b, n, d) + law.exact_cdf(a - 1, n, d)

    while True:
        least = rising[rows, dropped] * (1 - TIE)
        a = first + (table >= least[:, None]).argmax(axis=1)
        b = a + width - 1 - dropped
        few = ~at_most(missed[rows, dropped], alpha, exact, n, errors, a, b)
        few &= dropped > 0
        if not few.any():
            break
        dropped = dropped - few
    cut = (first > low) & (table[:, 0] >= least)
    cut |= (last < high) & (table[:, -1] >= least)
    if cut.any():
        wider = shortest_sets(law, n[cut], errors[cut], alpha, 2 * widen)
        a[cut], b[cut] = wider
    return np.stack([a, b])
