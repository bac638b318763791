"""Length-optimal intervals for a finite lot (Bartroff, Lorden and Wang 2022).

For each number of errors D in the lot, accept the outcomes a(D) .. b(D): the
likeliest ones, as few as make up the confidence (Sterne 1954). Shifting some of
them makes both ends rise with D and costs neither confidence nor length; the
interval for x is then {D: a(D) <= x <= b(D)}. No exact intervals that treat
errors and correct annotations alike are shorter in total.

Arrays have one row for each sample size and run along D. All outcomes of one sample
size need the sets for every D; a single outcome needs them only where its limits can
lie.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
from scipy.special import ndtri

from .._checks import Array
from ..laws.errors import Hypergeometric
from ..laws.near import NEAR, at_most, exceed
from .tail_limits import lower_tail, normal_quantile, wilson

# Outcomes are equally likely where their log probabilities differ by less. Which
# of them is accepted first concerns neither coverage nor total length.
TIE = 1e-9

# Misses this close to alpha (relative) are settled in exact arithmetic. Those below
# are right to 1e-12 in lots of a million.
CLOSE = 1e-10
ROUNDING = 1e-13  # and so close absolutely: the sums along a path may be so wrong

# Along a path of tail probabilities, rounding is wiped out after so many steps.
PATH = 2048

# Acceptance sets are computed for about this many (n, D) at once.
CELLS = 60_000


def limits_for_all(law: Hypergeometric, n: int, alpha: Fraction) -> tuple[Array, Array]:
    """Both limits (error counts) for x = 0 .. n."""
    a, b = acceptance_ends(law, np.array([n]), alpha)
    x = np.arange(n + 1)
    return np.searchsorted(b[0], x), np.searchsorted(a[0], x, side="right") - 1


class OptimalLimits:
    """Limits for arrays of errors x among n, each n its own family of sets.

    The lower limit is the first D with b(D) >= x, or in the upper half of the lot
    N less the last D with a(D) <= n - x. Both are looked for in a window of D in
    the lower half, where the ends a and b after shifting are those of the whole
    family if nothing from outside the window shifts them: from the left, a
    larger a; from the right, a smaller b. A set leaves no more than alpha on
    either side, so there is none left of D if P_D(X <= a) > alpha, and none
    right of it if P_D(X >= b) > alpha.
    """

    def __init__(self, law: Hypergeometric, alpha: Fraction) -> None:
        self.law, self.alpha = law, alpha

    def upper(self, x: Array, n: Array) -> Array:
        return self.law.lot_size - self.lower(n - x, n)

    def lower(self, x: Array, n: Array) -> Array:
        size = self.law.lot_size
        answer = np.full(x.shape, -1)
        z = float(ndtri(float(self.alpha) / 2))
        below = size * wilson(x, n, size, z) < size / 2
        for width in (1, 2, 4):
            for chosen, mirrored in ((below, False), (~below, True)):
                rows = np.flatnonzero(chosen & (answer < 0))
                if not len(rows):
                    continue
                xs, ns = x[rows], n[rows]
                if mirrored:
                    found = self._search(self._last_a, ns - xs, ns, width)
                    found = np.where(found < 0, found, size - found)
                else:
                    found = self._search(self._first_b, xs, ns, width)
                answer[rows] = found
        rows = np.flatnonzero(answer < 0)
        whole = size // 2 + 1
        for part in _parts(rows, whole):
            _, b = acceptance_ends(self.law, n[part], self.alpha)
            answer[part] = (b >= x[part, None]).argmax(axis=1)
        return answer

    def _search(
        self, look: Callable[..., Array], x: Array, n: Array, width: int
    ) -> Array:
        """One limit for each row, -1 where the window does not settle it."""
        answer, size = np.full(x.shape, -1), self.law.lot_size
        z = float(ndtri(float(self.alpha)))  # negative unless alpha > 1/2
        z = z if look == self._first_b else -z
        edge = size * wilson(x, n, size, z)
        deviation = size * np.sqrt(
            np.maximum(edge / size * (1 - edge / size) / n * (1 - n / size), 0)
        )
        slack = 2 + 3 * size / n
        reach = width * (0.8 * deviation + slack)
        if look == self._first_b:
            first = np.floor(edge - reach).astype(np.int64)
            last = np.ceil(edge + slack).astype(np.int64)
        else:
            first = np.floor(edge - slack).astype(np.int64)
            last = np.ceil(edge + reach).astype(np.int64)
        first = np.maximum(first, 0)
        rows = np.flatnonzero(last < size // 2)
        rows = rows[np.argsort((last - first)[rows], kind="stable")]
        while len(rows):
            many = max(1, CELLS // int((last - first)[rows[0]] + 1))
            part, rows = rows[:many], rows[many:]
            length = int((last - first)[part].max()) + 1
            begin = np.minimum(first[part], size // 2 - length)
            part, begin = part[begin >= 0], begin[begin >= 0]
            answer[part] = look(x[part], n[part], begin[:, None] + np.arange(length))
        return answer

    def _first_b(self, x: Array, n: Array, errors: Array) -> Array:
        """The first D with b(D) >= x, given that there is one."""
        a, b = shortest_sets(self.law, n, errors, self.alpha)
        up = np.maximum.accumulate(a, axis=1)
        b = shifted(a, b)[1]
        at = (b < x[:, None]).sum(axis=1)
        before = np.maximum(at - 1, 0)
        rows, end = np.arange(len(x)), errors.shape[1]
        left = errors[:, 0]
        certain = (at < end) & ((at > 0) | (left == 0))
        certain &= (left == 0) | self._likely(up[rows, before], n, left)
        certain &= self._likely(n - x, n, self.law.lot_size - errors[:, -1] - 1)
        return np.where(certain, errors[:, 0] + at, -1)

    def _last_a(self, x: Array, n: Array, errors: Array) -> Array:
        """The last D with a(D) <= x, given that it is in the lower half."""
        a, b = shortest_sets(self.law, n, errors, self.alpha)
        up = np.maximum.accumulate(a, axis=1)
        raised = b + (up - a)
        a = shifted(a, b)[0]
        after = (a <= x[:, None]).sum(axis=1)
        rows, end = np.arange(len(x)), errors.shape[1]
        left = errors[:, 0]
        certain = (after > 0) & (after < end)
        at, after = np.maximum(after - 1, 0), np.minimum(after, end - 1)
        certain &= (left == 0) | self._likely(up[rows, at], n, left)
        right = self.law.lot_size - errors[:, -1] - 1
        certain &= self._likely(n - raised[rows, after], n, right)
        return np.where(certain, left + at, -1)

    def _likely(self, x: Array, n: Array, errors: Array) -> Array:
        """Whether P(X <= x) > alpha, certainly."""
        return lower_tail(self.law, x, n, errors) > float(self.alpha) * (1 + NEAR)


def _parts(rows: Array, width: int) -> list[Array]:
    """The rows in parts whose acceptance sets fit CELLS."""
    many = max(1, CELLS // width)
    return [rows[i : i + many] for i in range(0, len(rows), many)]


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
        return at_most(below, alpha / 2, lambda: law.exact_cdf(c - 1, n, half))

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
    shape = errors.shape
    n = np.broadcast_to(n, shape).ravel()
    errors, missed, a, b = (v.ravel() for v in (errors, missed, *guess))

    def exact(n: int, d: int, a: int, b: int) -> Fraction:
        left = law.exact_cdf(a - 1, n, d) if a > 0 else 0
        return 1 - law.exact_cdf(b, n, d) + left

    def within(rows: Array, a: Array, b: Array, missed: Array) -> Array:
        """Whether the set a .. b misses at most alpha."""
        at = n[rows], errors[rows], a, b
        return ~exceed(missed, alpha, exact, *at, near=CLOSE, lost=ROUNDING)

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
