"""Length-optimal intervals for a finite lot (Bartroff, Lorden and Wang 2022).

For each number of errors D in the lot, accept the outcomes a(D) .. b(D): the
likeliest ones, as few as make up the confidence (Sterne 1954). Shifting some of
them makes both ends rise with D and costs neither confidence nor length; the
interval for x is then {D: a(D) <= x <= b(D)}. No exact intervals that treat
errors and correct annotations alike are shorter in total.

Arrays have one row for each sample size and run along D.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from scipy.special import ndtri

from .._checks import Array
from ..laws.errors import Hypergeometric
from ..laws.near import NEAR, exceed, largest

# Outcomes are equally likely where their log probabilities differ by less. Which
# of them is accepted first concerns neither coverage nor total length.
TIE = 1e-9

# Misses this close to alpha (relative) are settled in exact arithmetic. Those below
# are right to 1e-12 in lots of a million.
CLOSE = 1e-10
ROUNDING = 1e-13  # and so close absolutely: the sums along a path may be so wrong

# Along a path of tail probabilities, rounding is wiped out after so many steps.
PATH = 2048

# A family of sets is cut so many times as far from x / n as the upper limit lies.
FAR = 1.5

# Acceptance sets are computed for about this many (n, D) at once.
CELLS = 60_000


def wilson(x: Array, n: Array, lot_size: int | None, deviations: Any) -> Array:
    """A rate so many standard deviations above x/n (Wilson's limits)."""
    z2 = deviations**2 * (1 - n / (lot_size or np.inf))
    root = np.sqrt(z2 * (x * (n - x) / n + z2 / 4))
    return (x + z2 / 2 + np.sign(deviations) * root) / (n + z2)


def normal_quantile(n: Any, lot_size: int, errors: Any, z: float) -> Array:
    """About the count of errors in a sample that lies z deviations up."""
    share = errors / lot_size
    spread = np.sqrt(n * share * (1 - share) * (1 - n / lot_size))
    skew = (z * z - 1) / 6 * (1 - 2 * share) * (1 - 2 * n / lot_size)
    return np.rint(n * share + z * spread + skew).astype(np.int64)


def shortest_limits(
    law: Hypergeometric, x: Array, n: Array, alpha: Fraction
) -> tuple[Array, Array]:
    """Both limits (error counts) for x errors among n, each n its own family of sets.

    The first D with b(D) >= x, and the last with a(D) <= x. More errors than correct
    annotations are exchanged. A family is cut after some D, and is whole where that
    might have shifted the sets up to the first with a(D) > x: a set leaves at most
    alpha on either side, so none of a larger D begins a shift to below b where P(X >=
    b) is above alpha.
    """
    size, few = law.lot_size, np.minimum(x, n - x)
    sizes, family = np.unique(n, return_inverse=True)
    low, high = np.zeros((2, len(x)), np.int64)
    far = size * wilson(few, n, size, -FAR * float(ndtri(float(alpha) / 2)))
    at_once = max(1, CELLS // (size // 2 + 1))
    for first in range(0, len(sizes), at_once):
        part = sizes[first : first + at_once]
        here = np.flatnonzero((family >= first) & (family < first + len(part)))
        for last in (int(far[here].max()) + 2, size):
            a, b = acceptance_ends(law, part, alpha, last)
            for rows in [here[family[here] == first + i] for i in range(len(part))]:
                row = int(family[rows[0]]) - first
                low[rows] = np.searchsorted(b[row], few[rows])
                high[rows] = np.searchsorted(a[row], few[rows], side="right") - 1
            if a.shape[1] > size:
                break
            ends = b[family[here] - first, np.minimum(high[here] + 1, last)]
            right = law.tails(ends, n[here], last + 1)[1] > float(alpha) * (1 + NEAR)
            if (right & (high[here] < last)).all():
                break
    swapped = few < x
    return np.where(swapped, size - high, low), np.where(swapped, size - low, high)


def acceptance_ends(
    law: Hypergeometric, n: Array, alpha: Fraction, last: int
) -> tuple[Array, Array]:
    """a(D) and b(D), nondecreasing in D, for each n (rows): D = 0 .. last, or all.

    Up to a `last` below half of the lot larger D are left out of account.
    """
    size, half = law.lot_size, law.lot_size // 2
    errors = np.broadcast_to(
        np.arange(min(last, half) + 1), (len(n), min(last, half) + 1)
    )
    a, b = shifted(*shortest_sets(law, n, errors, alpha))
    if last < half:
        return a, b
    if size % 2 == 0:  # half of the lot: a symmetric law, so a symmetric set

        def rare(rows: Array, c: Array) -> Array:
            at = c - 1, n[rows], np.full(len(rows), half)
            return ~exceed(law.tails(*at)[0], alpha / 2, law.exact_cdf, *at)

        a[:, -1] = largest(rare, np.zeros_like(n), n + 1)
        b[:, -1] = n - a[:, -1]
    mirrored, n = slice(-1 - (size % 2 == 0), None, -1), n[:, None]
    return (
        np.concatenate([a, n - b[:, mirrored]], axis=1),
        np.concatenate([b, n - a[:, mirrored]], axis=1),
    )


def shifted(a: Array, b: Array) -> tuple[Array, Array]:
    """Both ends made nondecreasing: up where a falls, then down where b falls."""
    up = np.maximum.accumulate(a, axis=1)
    b = b + (up - a)
    down = np.minimum.accumulate(b[:, ::-1], axis=1)[:, ::-1]
    return up - (b - down), down


def shortest_sets(
    law: Hypergeometric, n: Array, errors: Array, alpha: Fraction
) -> tuple[Array, Array]:
    """Ends a and b of the shortest acceptance sets, before any shift.

    `errors` runs in steps of 1 along each row. The set takes outcomes in the
    order of their probability, of two equally likely ones the smaller first,
    until it has 1 - alpha. A guess of each set is corrected, one outcome at a
    time, for all together.
    """
    n = np.broadcast_to(n[:, None], errors.shape)
    a, b = _guess(law, n, errors, alpha)
    missed = _below(law, n, errors, a) + _above(law, n, errors, b)
    shape = errors.shape
    n, errors, a, b, missed = (v.ravel() for v in (n, errors, a, b, missed))

    def exact(n: int, d: int, a: int, b: int) -> Fraction:
        return 1 - law.exact_cdf(b, n, d) + law.exact_cdf(a - 1, n, d)

    def too_few(rows: Array, *ends: Array, missed: Array) -> Array:
        """Whether the sets miss more than alpha."""
        at = n[rows], errors[rows], *ends
        return exceed(missed, alpha, exact, *at, near=CLOSE, lost=ROUNDING)

    rows = np.arange(len(errors))
    while len(rows):
        lo, hi, miss = a[rows], b[rows], missed[rows]
        ends = np.stack([lo - 1, lo, hi, hi + 1])
        before, first, last, after = law.log_pmf(ends, n[rows], errors[rows])
        # Add the next outcome, if it is likelier than an end or they are too few.
        add = (before >= last - TIE) | (after > first + TIE)
        add |= too_few(rows, lo, hi, missed=miss)
        lower, at_top = before >= after - TIE, last <= first + TIE
        following, least = np.where(lower, before, after), np.where(at_top, last, first)
        miss = miss + np.where(add, -np.exp(following), np.exp(least))
        lo = lo - (add & lower) + (~add & ~at_top)
        hi = hi + (add & ~lower) - (~add & at_top)
        # Else drop the last outcome, if there are enough without it.
        drop = np.flatnonzero(~add & (hi >= lo))
        few = too_few(rows[drop], lo[drop], hi[drop], missed=miss[drop])
        add[drop[~few]] = True
        rows = rows[add]
        a[rows], b[rows], missed[rows] = lo[add], hi[add], miss[add]
    return a.reshape(shape), b.reshape(shape)


def _guess(
    law: Hypergeometric, n: Array, errors: Array, alpha: Fraction
) -> tuple[Array, Array]:
    """Ends near the answer, nondecreasing in D: normal quantiles with a skew."""
    size, z = law.lot_size, float(ndtri(float(alpha) / 2))
    most = np.minimum(n, errors)
    a = normal_quantile(n, size, errors, z)
    b = normal_quantile(n, size, errors, -z)
    a = np.clip(a, np.maximum(0, n - (size - errors)), most)
    b = np.clip(b, a, most)
    return np.maximum.accumulate(a, axis=1), np.maximum.accumulate(b, axis=1)


def _below(law: Hypergeometric, n: Array, errors: Array, a: Array) -> Array:
    """P(X < a) along rows in which D rises by 1 and a does not fall.

    One step of D takes from P(X <= c) the probability of c errors times the
    chance that the annotation which turned erroneous is in the sample,
    (n - c)/(N - D); one step of c adds P(X = c + 1). So one sum along the row
    gives every tail; begun anew from time to time, it does not gather rounding.
    """
    size, c = law.lot_size, a - 1
    at, d = c[:, :-1], errors[:, :-1]
    moved = -law.pmf(at, n[:, 1:], d) * (n[:, 1:] - at) / (size - d)
    rise = np.diff(c, axis=1)
    for k in range(1, int(rise.max(initial=0)) + 1):
        row, column = np.nonzero(rise >= k)
        now = row, column + 1
        moved[row, column] += law.pmf(c[row, column] + k, n[now], errors[now])
    path = np.zeros(a.shape)
    np.cumsum(moved, axis=1, out=path[:, 1:])
    every = slice(None, None, PATH)
    known = (v[:, every] for v in (c, n, errors))
    start = law.tails(*known)[0] - path[:, every]
    path += np.repeat(start, PATH, axis=1)[:, : a.shape[1]]
    return np.maximum(path, 0.0)


def _above(law: Hypergeometric, n: Array, errors: Array, b: Array) -> Array:
    """P(X > b): the same path with errors and correct annotations exchanged."""
    mirrored = _below(law, n, (law.lot_size - errors)[:, ::-1], (n - b)[:, ::-1])
    return mirrored[:, ::-1]
