"""iota with all pairs of raters alike: D_e from each rater's own shares."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from .._checks import Array
from .chance import Sums
from .pairs import Pairs

MOST_DENSE = 512  # labels of a table of distances, and of one row for each unit
BLOCK = 2**22  # cells of such rows at a time


class EqualRaters(Pairs):
    """All pairs of raters weigh alike, however much they judged: iota's "items".

    A rater's judgments add up to 1, so that removing an item changes the weight of
    all judgments of those who judged it: no quadratic form.
    """

    def _shares(self, times: Array) -> tuple[Array, Array, Array, Array]:
        """Judgments of each rater; of each (rater, label) the share of them, and its
        distances to the shares of the others and to the rater's own."""
        unit, place, count = self._judged
        x = np.bincount(place, count * times[unit], len(self._who))
        given = np.bincount(self._who, x, self._n_raters)
        share = x / np.where(given > 0, given, 1.0)[self._who]
        used, at = np.unique(self._what, return_inverse=True)
        group, total = np.zeros(len(used), dtype=np.intp), np.bincount(at, share)
        far = self._distance.within(group, used, total, 1)
        own = self._own_pairs(share)
        return given, share, far[at] - own, own

    def _between(
        self, times: Array, far: Array, sums: Sums, slopes: Sums
    ) -> tuple[Sums, Sums]:
        given, share, others, _ = self._shares(times)
        raters = np.count_nonzero(given)
        whole = np.bincount(self._who, share * others, self._n_raters)
        with np.errstate(invalid="ignore", divide="ignore"):
            moved = (others - whole[self._who]) / given[self._who]
        unit, place, count = self._judged
        toward = 2 * np.bincount(unit, count * moved[place], len(times))
        pairs = np.float64(raters * (raters - 1))
        sums = sums._replace(between=share @ others, between_n=pairs)
        return sums, slopes._replace(between=toward)

    def without(
        self, whole: Sums, slopes: Sums, alone: Sums, part: Array, times: Array
    ) -> Sums:
        """A rater's share p becomes p + (p - e) / (n - 1) without a label e of n.

        Made anew with clusters, and with very many labels.
        """
        left = super().without(whole, slopes, alone, part, times)
        parts, q = len(alone.n), int(self.label.max()) + 1
        between = np.full(parts, np.nan)
        if q <= MOST_DENSE and parts == len(times):
            between = whole.between + self._change(times, q)
        return left._replace(between=between, between_n=np.full(parts, whole.between_n))

    def _change(self, times: Array, q: int) -> Array:
        unit, place, _ = self._judged
        rater, n_units = self._who[place], len(times)
        given, share, others, own = self._shares(times)
        to_all, to_own = (
            np.bincount(self._who, share * to, self._n_raters) for to in (others, own)
        )
        with np.errstate(divide="ignore"):
            step = 1 / (given[rater] - 1)  # infinite: the rater is gone
        step[~np.isfinite(step)] = np.nan
        moved = step * (to_all[rater] - others[place])
        alone = step**2 * (to_own[rater] - 2 * own[place])
        change = np.bincount(unit, 2 * moved - alone, n_units)
        return change + self._cross(step, share, n_units, q)

    def _cross(self, step: Array, share: Array, n_units: int, q: int) -> Array:
        """Distances between what all raters of a unit lose, their own included."""
        unit, place, _ = self._judged
        table = self._distance.table(q)[:q, :q]
        shares = np.zeros((self._n_raters, q))
        shares[self._who, self._what] = share
        shape = n_units, self._n_raters
        by = csr_array((step, (unit, self._who[place])), shape)
        out = csr_array((step, (unit, self._what[place])), (n_units, q))
        cross, rows = np.empty(n_units), max(1, BLOCK // q)
        for at in range(0, n_units, rows):
            some = slice(at, at + rows)
            lost = by[some] @ shares - out[some].toarray()
            cross[some] = ((lost @ table) * lost).sum(axis=1)
        return cross
