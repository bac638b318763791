"""Judgments by different raters: the pairs that kappa, iota and kappa_x call chance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from .._checks import Array
from .chance import Sums
from .distances import Distance
from .units import Judged, cells

MOST_DENSE = 512  # labels of a table of distances, and of one row for each unit
BLOCK = 2**22  # cells of such rows at a time


class BetweenRaters:
    """The part of the sums that lies between raters."""

    def __init__(self, judgments: Judged, q: int) -> None:
        self._unit, label, self._count, rater = judgments
        assert rater is not None
        self._of, self.known = rater, np.unique(rater)
        self.n = int(rater.max()) + 1
        key = rater.astype(np.int64) * q + label
        if self.n * q <= 4 * len(key) + 2**20:
            number = np.bincount(key, minlength=self.n * q)
            known = np.flatnonzero(number)
            number[known] = np.arange(len(known))
            self._cell = number[key]
        else:
            known, self._cell = np.unique(key, return_inverse=True)
        self._rater, self._label = np.divmod(known, q)

    def _towards(
        self, distance: Distance, times: Array, far: Array
    ) -> tuple[Array, Array, Array]:
        """Of each (rater, label): judgments, distances to others' and their number.

        far : for each label, the sum of distances to all judgments
        """
        weights, size = self._count * times[self._unit], len(self._rater)
        count = np.bincount(self._cell, weights=weights, minlength=size)
        own = distance.within(self._rater, self._label, count, self.n)
        given = np.bincount(self._rater, weights=count, minlength=self.n)
        return count, far[self._label] - own, (given.sum() - given)[self._rater]

    def sums(self, distance: Distance, times: Array, far: Array) -> tuple[Any, Any]:
        """Distances over the pairs of judgments by different raters, and pairs."""
        count, to_others, others = self._towards(distance, times, far)
        return count @ to_others, count @ others

    def towards(
        self, distance: Distance, times: Array, far: Array
    ) -> tuple[Array, Array]:
        """For each unit, what its judgments have of these sums."""
        _, *of_cell = self._towards(distance, times, far)
        to, n = (self._per_unit(each[self._cell], len(times)) for each in of_cell)
        return to, n

    def without(
        self,
        distance: Distance,
        times: Array,
        far: Array,
        whole: Sums,
        own: tuple[Array, Array],
        by_part: Callable[[Array], Array],
    ) -> tuple[Array, Array]:
        """The sums without each part, NaN where they are to be made anew.

        A part is one item of a unit, or a cluster; by_part adds up what its units have.
        own : distances over the pairs of a part's judgments by different raters; pairs
        """
        to, n = map(by_part, self.towards(distance, times, far))
        between, pairs = own
        return whole.between - 2 * to + between, whole.between_n - 2 * n + pairs

    def of_groups(
        self, distance: Distance, of: Array, groups: int
    ) -> tuple[Array, Array]:
        """Distances over the pairs by different raters in groups of units, and pairs.

        of : (n_units,), the group of each unit
        """
        q = int(self._label.max()) + 1
        group, label = of[self._unit], self._label[self._cell]
        who = group * np.int64(self.n) + self._of
        far, pairs = np.zeros(groups), np.zeros(groups)
        for part, sign, each in ((group, 1, 1), (who, -1, self.n)):
            at, code, count = cells(part, label, self._count, q)
            known, place = np.unique(at, return_inverse=True)
            near = distance.within(place, code, count, len(known))
            given = np.bincount(place, count, len(known))
            far += sign * np.bincount(at // each, count * near, groups)
            pairs += sign * np.bincount(known // each, given**2, groups)
        return far, pairs

    def within(self, distance: Distance, m: Array) -> tuple[Array, Array]:
        """Of each unit: distances within raters, and pairs between them."""
        group, groups = self._unit * self.n + self._of, self.n * len(m)
        label = self._label[self._cell]
        own = distance.within(group, label, self._count, groups)
        others = m[self._unit] - np.bincount(group, self._count, groups)[group]
        return self._per_unit(own, len(m)), self._per_unit(others, len(m))

    def _per_unit(self, values: Array, n: int) -> Array:
        return np.bincount(self._unit, weights=self._count * values, minlength=n)


class EqualRaters(BetweenRaters):
    """The same where all pairs of raters weigh alike, however much they judged.

    A rater's judgments add up to 1, so that removing an item changes the weight of
    all judgments of those who judged it.
    """

    def _shares(
        self, distance: Distance, times: Array
    ) -> tuple[Array, Array, Array, Array]:
        """Judgments of each rater; of each (rater, label) the share of them, and its
        distances to the shares of the others and to the rater's own."""
        weights, size = self._count * times[self._unit], len(self._rater)
        count = np.bincount(self._cell, weights=weights, minlength=size)
        given = np.bincount(self._rater, weights=count, minlength=self.n)
        share = count / np.where(given > 0, given, 1.0)[self._rater]
        used, at = np.unique(self._label, return_inverse=True)
        total = np.bincount(at, weights=share, minlength=len(used))
        far = distance.within(np.zeros(len(used), dtype=np.intp), used, total, 1)
        own = distance.within(self._rater, self._label, share, self.n)
        return given, share, far[at] - own, own

    def sums(self, distance: Distance, times: Array, far: Array) -> tuple[Any, Any]:
        given, share, to_others, _ = self._shares(distance, times)
        raters = np.count_nonzero(given)
        return share @ to_others, np.float64(raters * (raters - 1))

    def towards(
        self, distance: Distance, times: Array, far: Array
    ) -> tuple[Array, Array]:
        given, share, to_others, _ = self._shares(distance, times)
        whole = np.bincount(self._rater, share * to_others, self.n)
        moved = (to_others - whole[self._rater]) / given[self._rater]
        return self._per_unit(moved[self._cell], len(times)), np.zeros(len(times))

    def without(
        self,
        distance: Distance,
        times: Array,
        far: Array,
        whole: Sums,
        own: tuple[Array, Array],
        by_part: Callable[[Array], Array],
    ) -> tuple[Array, Array]:
        """A rater's share p becomes p + (p - e) / (n - 1) without a label e of n.

        Made anew with clusters, and with very many labels.
        """
        n_units, q, parts = len(times), int(self._label.max()) + 1, len(own[0])
        if q > MOST_DENSE or parts != n_units:
            return np.full(parts, np.nan), np.full(parts, whole.between_n)
        given, share, to_others, same = self._shares(distance, times)
        to_all = np.bincount(self._rater, share * to_others, self.n)
        to_own = np.bincount(self._rater, share * same, self.n)
        with np.errstate(divide="ignore"):
            step = 1 / (given[self._of] - 1)  # infinite: the rater is gone
        step[~np.isfinite(step)] = np.nan
        moved = step * (to_all[self._of] - to_others[self._cell])
        alone = step**2 * (to_own[self._of] - 2 * same[self._cell])
        cross = self._cross(distance, step, share, n_units, q)
        change = self._per_unit(2 * moved - alone, n_units) + cross
        return whole.between + change, np.full(n_units, whole.between_n)

    def _cross(
        self, distance: Distance, step: Array, share: Array, n_units: int, q: int
    ) -> Array:
        """Distances between what all raters of a unit lose, their own included."""
        table = distance.table(q)[:q, :q]
        shares = np.zeros((self.n, q))
        shares[self._rater, self._label] = share
        label, cross = self._label[self._cell], np.empty(n_units)
        by = csr_array((step, (self._unit, self._of)), (n_units, self.n))
        out = csr_array((step, (self._unit, label)), (n_units, q))
        rows = max(1, BLOCK // q)
        for at in range(0, n_units, rows):
            part = slice(at, at + rows)
            lost = by[part] @ shares - out[part].toarray()
            cross[part] = ((lost @ table) * lost).sum(axis=1)
        return cross
