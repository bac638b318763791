"""Length-optimal limits, read off the acceptance sets.

All outcomes of one sample size need the sets for every D; a single outcome needs
them only where its limits can lie.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
from scipy.special import ndtri

from .._checks import Array
from ..laws.errors import Hypergeometric
from ..laws.near import NEAR
from .acceptance_sets import acceptance_ends, shifted, shortest_sets
from .tail_limits import lower_tail, wilson

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
