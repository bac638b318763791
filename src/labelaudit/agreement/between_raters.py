"""Judgments by different raters: the pairs that kappa, iota and kappa_x call chance."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._checks import Array
from .distances import Distance
from .units import Judged


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

    def within(self, distance: Distance, m: Array) -> tuple[Array, Array]:
        """Of each unit: distances within raters, and pairs between them."""
        group, groups = self._unit * self.n + self._of, self.n * len(m)
        label = self._label[self._cell]
        own = distance.within(group, label, self._count, groups)
        others = m[self._unit] - np.bincount(group, self._count, groups)[group]
        return self._per_unit(own, len(m)), self._per_unit(others, len(m))

    def alike(self, times: Array, totals: Array) -> Array:
        """Share of the pairs of judgments by different raters that are each label."""
        weights, size = self._count * times[self._unit], len(self._rater)
        count = np.bincount(self._cell, weights=weights, minlength=size)
        given = np.bincount(self._rater, weights=count, minlength=self.n)
        own = np.bincount(self._label, weights=count**2, minlength=len(totals))
        return (totals**2 - own) / max(totals.sum() ** 2 - given @ given, 1.0)

    def _per_unit(self, values: Array, n: int) -> Array:
        return np.bincount(self._unit, weights=self._count * values, minlength=n)
