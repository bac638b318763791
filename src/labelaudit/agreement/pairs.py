"""Sums over pairs of judgments: what D_o and D_e are made of.

Each sum is a quadratic form, q(w) = sum over i, j of w_i Q_ij w_j, of how often the
units are taken. So from one description come its value, its slope in each w_i, which
gives influences, and exactly what is left without a part, an item or a cluster:

    q without the part = q - slope of the part + q of the part alone
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csr_array

from .._checks import Array
from .chance import Sums
from .distances import Distance
from .units import Judged, cells

MOST_DENSE = 512  # labels of a table of distances, and of one row for each unit
BLOCK = 2**22  # cells of such rows at a time


class Pairs:
    """The judgments of units, and the distance between labels.

    Parameters
    ----------
    judgments : unit, label, count, rater
        rater None where pairs by different raters are not needed.
    m : (n_units,), or None
        What each unit's judgments are divided by in D_e.
    """

    def __init__(
        self, judgments: Judged, q: int, distance: Distance, m: Array | None = None
    ) -> None:
        unit, label, count, rater = judgments
        self._q, self._distance = q, distance
        self.unit, self.label, self.count = cells(unit, label, count, q)
        self._mass = self.count if m is None else self.count / m[self.unit]
        self.raters = np.zeros(0, dtype=int)
        if rater is None or len(rater) == 0:
            return
        self.raters, self._n_raters = np.unique(rater), int(rater.max()) + 1
        key = rater.astype(np.int64) * q + label
        if self._n_raters * q <= 4 * len(key) + 2**20:  # faster than sorting
            place = np.bincount(key, minlength=self._n_raters * q)
            known = np.flatnonzero(place)
            place[known] = np.arange(len(known))
            place = place[key]
        else:
            known, place = np.unique(key, return_inverse=True)
        self._who, self._what = np.divmod(known, q)
        self._judged = cells(unit, place, count, len(known))  # unit, place, count

    def totals(self, times: Array) -> Array:
        """Judgments with each label, (n_labels,)."""
        return np.bincount(self.label, self.count * times[self.unit], self._q)

    def at(self, times: Array) -> tuple[Sums, Sums]:
        """The sums with each unit taken so often, and their slopes, (n_units,) each."""
        x = np.bincount(self.label, self._mass * times[self.unit], self._q)
        used, far = np.flatnonzero(x), np.zeros(self._q)
        group = np.zeros(len(used), dtype=np.intp)
        far[used] = self._distance.within(group, used, x[used], 1)

        def by_unit(values: Any) -> Array:
            return np.bincount(self.unit, self._mass * values, len(times))

        sums = Sums(far @ x, np.float64(0), x.sum(), np.float64(0), x @ x)
        zero = np.zeros(len(times))
        toward, same = 2 * by_unit(far[self.label]), 2 * by_unit(x[self.label])
        slopes = Sums(toward, zero, by_unit(1.0), zero, same)
        return self._between(times, far, sums, slopes) if len(self.raters) else (
            sums, slopes
        )  # fmt: skip

    def _between(
        self, times: Array, far: Array, sums: Sums, slopes: Sums
    ) -> tuple[Sums, Sums]:
        """With the pairs by different raters: to all, less to the rater's own."""
        unit, place, count = self._judged
        x = np.bincount(place, count * times[unit], len(self._who))
        others = far[self._what] - self._own_pairs(x)
        given = np.bincount(self._who, x, self._n_raters)
        number = (given.sum() - given)[self._who]
        toward, pairs = (
            2 * np.bincount(unit, count * of[place], len(times))
            for of in (others, number)
        )
        return (
            sums._replace(between=x @ others, between_n=x @ number),
            slopes._replace(between=toward, between_n=pairs),
        )

    def _own_pairs(self, x: Array) -> Array:
        """Of each (rater, label) the distances to the rater's own judgments."""
        return self._distance.within(self._who, self._what, x, self._n_raters)

    def alone(self, part: Array, parts: int) -> Sums:
        """The sums over the pairs within each part, (parts,); part : (n_units,)."""
        at, label, mass = cells(part[self.unit], self.label, self._mass, self._q)
        far = self._distance.within(at, label, mass, parts)
        pairs, same = (np.bincount(at, mass * of, parts) for of in (far, mass))
        between, between_n = pairs, pairs  # looked at with raters only
        if len(self.raters):
            unit, place, count = self._judged
            at, place, count = cells(part[unit], place, count, len(self._who))
            code = at * np.int64(self._n_raters) + self._who[place]
            rater = np.cumsum(np.diff(code, prepend=-1) != 0) - 1
            n = int(rater[-1]) + 1 if len(rater) else 0
            own = self._distance.within(rater, self._what[place], count, n)
            between = pairs - np.bincount(at, count * own, parts)
            others = (
                np.bincount(at, count, parts)[at] - np.bincount(rater, count)[rater]
            )
            between_n = np.bincount(at, count * others, parts)
        return Sums(pairs, between, np.zeros(parts), between_n, same)

    def without(
        self, whole: Sums, slopes: Sums, alone: Sums, part: Array, times: Array
    ) -> Sums:
        """The sums without each part; NaN where they are to be made anew."""
        parts = len(alone.n)
        return Sums(*(
            q - np.bincount(part, slope, parts) + own
            for q, slope, own in zip(whole, slopes, alone)
        ))  # fmt: skip


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
