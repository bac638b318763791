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

import numpy as np
from scipy.special import ndtri

from .._checks import Array
from ..laws.errors import Hypergeometric
from ..laws.near import NEAR
from .tail_limits import lower_tail, normal_quantile

# Outcomes are equally likely where their log probabilities differ by less. Which
# of them is accepted first concerns neither coverage nor total length.
TIE = 1e-9

# Misses this close to alpha (relative) are settled in exact arithmetic. Those below
# are right to 1e-12 in lots of a million.
CLOSE = 1e-10
ROUNDING = 1e-13  # and so close absolutely: the sums along a path may be so wrong

# Along a path of tail probabilities, rounding is wiped out after so many steps.
PATH = 2048


def acceptance_ends(
    law: Hypergeometric, n: Array, alpha: Fraction
) -> tuple[Array, Array]:
    """a(D) and b(D), nondecreasing in D = 0 .. lot_size, for each n (rows)."""
    size = law.lot_size
    errors = np.broadcast_to(np.arange(size // 2 + 1), (len(n), size // 2 + 1))
    a, b = shifted(*shortest_sets(law, n, errors, alpha))
    if size % 2 == 0:  # half of the lot: a symmetric law, so a symmetric set
        a[:, -1] = [_symmetric_end(law, int(m), alpha) for m in n]
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


def _symmetric_end(law: Hypergeometric, n: int, alpha: Fraction) -> int:
    """The largest c with P(X < c) <= alpha / 2, half of the lot being erroneous."""
    half, limit = law.lot_size // 2, float(alpha) / 2
    c = max(0, int(normal_quantile(n, law.lot_size, half, float(ndtri(limit)))))

    def rare(c: int) -> bool:
        below = float(law.tails(c - 1, n, half)[0]) if c else 0.0
        if abs(below - limit) > NEAR * limit:
            return below < limit
        return law.exact_cdf(c - 1, n, half) <= alpha / 2

    while rare(c + 1):
        c += 1
    while not rare(c):
        c -= 1
    return c


def shortest_sets(
    law: Hypergeometric, n: Array, errors: Array, alpha: Fraction
) -> tuple[Array, Array]:
    """Ends a and b of the shortest acceptance sets, before any shift.

    `errors` runs in steps of 1 along each row. The set takes outcomes in the
    order of their probability, of two equally likely ones the smaller first,
    until it has 1 - alpha. A guess of each set is corrected, one outcome at a
    time, for all together.
    """
    n = n[:, None]
    guess = _guess(law, n, errors, alpha)
    missed = _below(law, n, errors, guess[0]) + _above(law, n, errors, guess[1])
    shape, limit = errors.shape, float(alpha)
    n = np.broadcast_to(n, shape).ravel()
    errors, missed, a, b = (v.ravel() for v in (errors, missed, *guess))

    def within(rows: Array, a: Array, b: Array, missed: Array) -> Array:
        """Whether the set a .. b misses at most alpha."""
        answer = missed < limit
        for i in np.flatnonzero(np.abs(missed - limit) <= CLOSE * limit + ROUNDING):
            m, d = int(n[rows[i]]), int(errors[rows[i]])
            exact = 1 - law.exact_cdf(int(b[i]), m, d)
            if a[i] > 0:
                exact += law.exact_cdf(int(a[i]) - 1, m, d)
            answer[i] = exact <= alpha
        return answer

    rows = np.arange(len(errors))
    while len(rows):
        m, d, lo, hi, miss = n[rows], errors[rows], a[rows], b[rows], missed[rows]
        ends = law.log_pmf(np.stack([lo - 1, lo, hi, hi + 1]), m, d)
        left, first, last, right = ends
        # A likelier outcome outside than an end inside: take it for that end.
        down = left >= last - TIE
        up = ~down & (right > first + TIE)
        exchange = down | up
        # Else the set is in order: add the next outcome, or drop the last one.
        enough = exchange | within(rows, lo, hi, miss)
        add_left = ~enough & (left >= right - TIE)
        add_right = ~enough & ~add_left
        drop_right = last <= first + TIE
        without = miss + np.exp(np.where(drop_right, last, first))
        spare = np.flatnonzero(enough & ~exchange & (hi > lo))
        dropped = (lo + ~drop_right)[spare], (hi - drop_right)[spare], without[spare]
        spare = spare[within(rows[spare], *dropped)]
        drop = np.zeros(len(rows), bool)
        drop[spare] = True
        p = np.exp(ends)
        for end, gone, sign in (
            (p[0], down | add_left, -1),
            (p[1], up | (drop & ~drop_right), 1),
            (p[2], down | (drop & drop_right), 1),
            (p[3], up | add_right, -1),
        ):
            miss = miss + sign * np.where(gone, end, 0.0)
        missed[rows] = miss
        a[rows] = lo - (down | add_left) + (up | (drop & ~drop_right))
        b[rows] = hi + (up | add_right) - (down | (drop & drop_right))
        rows = rows[exchange | ~enough | drop]
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
    moved = -law.pmf(at, n, d) * (n - at) / (size - d)
    rise = np.diff(c, axis=1)
    sizes = np.broadcast_to(n, a.shape)
    for k in range(1, int(rise.max(initial=0)) + 1):
        row, column = np.nonzero(rise >= k)
        now = row, column + 1
        moved[row, column] += law.pmf(c[row, column] + k, sizes[now], errors[now])
    path = np.zeros(a.shape)
    np.cumsum(moved, axis=1, out=path[:, 1:])
    every = slice(None, None, PATH)
    known = (v[:, every].ravel() for v in (c, sizes, errors))
    start = lower_tail(law, *known).reshape(len(a), -1) - path[:, every]
    path += np.repeat(start, PATH, axis=1)[:, : a.shape[1]]
    return np.maximum(path, 0.0)


def _above(law: Hypergeometric, n: Array, errors: Array, b: Array) -> Array:
    """P(X > b): the same path with errors and correct annotations exchanged."""
    mirrored = _below(law, n, (law.lot_size - errors)[:, ::-1], (n - b)[:, ::-1])
    return mirrored[:, ::-1]
