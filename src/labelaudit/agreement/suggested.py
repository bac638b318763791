"""A kappa for suggested labels (DiPietro and Hazari).

Each item comes with a suggested label. A pair of raters who agree counts for the
suggestion where they agree on it, and against it where they agree on another
label: D_o = 1 - (mean R - mean S), D_e = 1 - (C_E - C_F).
"""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np
import pandas as pd

from .._checks import Array
from .._digits import decimals, significant
from .adjusted import added, shown
from .agreement import Agreement, agreement
from .clusters import Clusters
from .ratings import Ratings
from .statistic import Statistic, anew
from .table import once
from .units import cells


def dipietro_hazari_kappa(r: Ratings, suggested: Any) -> Agreement:
    """kappa_DH: do raters agree with each other on the suggested labels?

    Parameters
    ----------
    r : Ratings
        Raters may be anonymous, and their number may vary by item.
    suggested : Series or sequence, one label for each item
        A Series joins on items; any other sequence is in the order of r.items.
        An item without a suggestion is dropped, as is one with fewer than two
        judgments.

    Returns
    -------
    Agreement
        At most 1. Where every item has the same number of judgments, more than
        -14/13, at least -1 with few labels, and with two labels Cohen's kappa of
        judgments against suggestions; where the numbers vary, without a lower bound.
        observed is mean R - mean S, the share of pairs who agree on the suggestion
        less that of pairs who agree on another label, each item with the same
        weight (Eq. 10, 12); expected is C_E - C_F (Eq. 6, 9), from
        the label shares of all judgments and of all suggestions that take part.

    Raises
    ------
    ValueError
        For a wrong number of labels, a Series with no item in common, a label
        outside the declared ones, ratings with repeats.

    References
    ----------
    DiPietro and Hazari, "DiPietro-Hazari Kappa", Eq. 4-13.

    Examples
    --------
    >>> import labelaudit as la
    >>> r = la.Ratings.from_counts([[3, 0], [0, 3], [2, 1], [3, 0]], labels=["a", "b"])
    >>> la.dipietro_hazari_kappa(r, ["a", "b", "a", "a"]).value.__round__(4)
    0.8
    >>> la.dipietro_hazari_kappa(r, ["b", "a", "b", "b"]).value.__round__(4)
    -0.5714
    """
    codes, labels = once(r).item_labels("suggested", suggested)
    return agreement("DiPietro and Hazari's kappa", _Suggested(r, codes, labels))


class _Suggested(Statistic):
    """Statistic of the coefficient; see statistic.Statistic."""

    def __init__(self, r: Ratings, codes: Array, labels: list[Any]) -> None:
        known, enough = codes >= 0, r.per_item >= 2
        kept = known & enough
        self.items = r.items[kept]
        self.times, self._patterns = r.standing[kept], r.times is not None
        self.clusters = None if r.clusters is None else Clusters(r.clusters[kept])
        self.n_items = int(self.times.sum())
        self.dropped = _dropped(known, enough, r.standing)
        j = r.judgments
        rows = kept[j.item]
        q = len(labels)
        item, label, count = cells(
            (np.cumsum(kept) - 1)[j.item[rows]], j.label[rows], j.count[rows], q
        )
        self._item, self._label, self._count = item, label, count
        self._labels, self.labels = labels, pd.Index(labels)
        self.m = r.per_item[kept]
        self.suggested = codes[kept]
        self.n_ratings = int(self.times @ self.m)
        pairs = self._per_item(count * (count - 1))
        on_it = count * (label == self.suggested[item])
        self._hits = self._per_item(on_it)  # judgments that are the suggestion
        of = np.maximum(self.m * (self.m - 1), 1)
        self.correct = self._hits * np.maximum(self._hits - 1, 0) / of  # R_i, Eq. 10
        self.incorrect = pairs / of - self.correct  # S_i, Eq. 12
        self.totals = np.bincount(label, count * self.times[item], q)
        self.wanted = np.bincount(self.suggested, self.times, q)
        self.undefined = ""
        if self.n_items == 0:
            self.undefined = "no item has two judgments and a suggestion"
        elif np.isnan(self._expected(self.totals, self.wanted)):
            self.undefined = (
                "all judgments and all suggestions are one label, so the expected"
                " differential is 1"
            )

    @staticmethod
    def _expected(totals: Array, wanted: Array) -> float:
        """C_E - C_F = 2 sum C^2 L - sum C^2; NaN where it is 1."""
        n, items = totals.sum(), wanted.sum()
        if n == 0 or (totals * wanted).max() == n * items:
            return np.nan
        shares = totals / n
        return float(shares**2 @ (2 * wanted / items - 1))

    def disagreement(self) -> tuple[float, float]:
        if self.n_items == 0:
            return np.nan, np.nan
        expected = self._expected(self.totals, self.wanted)
        observed = self.times @ (self.correct - self.incorrect) / self.n_items
        return float(1 - observed), 0.0 if np.isnan(expected) else 1 - expected

    @property
    def in_use(self) -> Array:
        return np.flatnonzero(self.totals)

    @property
    def adjustable(self) -> bool:
        enough = len(self.in_use) > 1
        return enough and not self.undefined and self.clusters is None

    def with_items(self, split: float) -> _Suggested:
        """See `adjusted`: judgments that are the suggestion, or half of them."""
        m, q = self.n_ratings / self.n_items, len(self.in_use)
        said, times = shown(self.in_use, 1, split)
        said = np.concatenate([said, said[q:, :, ::-1]])  # either label is suggested
        times = np.append(times[:q], np.tile(times[q:] / 2, 2))
        (unit, label, count, _) = added(said, times, np.array([m])).judgments
        hits = np.repeat([m, m / 2], [q, len(said) - q])
        correct = hits * np.maximum(hits - 1, 0) / (m * (m - 1))
        new = copy(self)
        new.times = np.append(self.times, times)
        new.m = np.append(self.m, np.full(len(said), m))
        new.suggested = np.append(self.suggested, said[:, 0, 0])
        new._item = np.append(self._item, unit + len(self.times))
        new._label = np.append(self._label, label)
        new._count = np.append(self._count, count)
        new._hits = np.append(self._hits, hits)
        new.correct = np.append(self.correct, correct)
        new.incorrect = np.append(self.incorrect, np.where(hits < m, correct, 0))
        return new

    def influences(self) -> tuple[float, Array, Array]:
        """See `adjusted`: by how much each item moves the value."""
        q, times, n = len(self.labels), self.times, self.times.sum()
        weights = self._count * times[self._item]
        given = np.bincount(self._label, weights=weights, minlength=q)
        wanted = np.bincount(self.suggested, weights=times, minlength=q)
        c, s = given / given.sum(), wanted / n
        gain = self.correct - self.incorrect
        observed, expected = times @ gain / n, float(c**2 @ (2 * s - 1))
        if not expected < 1:
            return np.nan, times, np.full(len(times), np.nan)
        slope = 2 * c * (2 * s - 1)  # of `expected`, in each label's share
        own = np.bincount(self._item, self._count * slope[self._label], len(self.m))
        by_c = (own - self.m * (c @ slope)) * n / given.sum()
        by_s = 2 * (c[self.suggested] ** 2 - c**2 @ s)
        value = (observed - expected) / (1 - expected)
        influence = gain - observed - (1 - value) * (by_c + by_s)
        return float(value), times, influence / (1 - expected)

    def left_out(self, of: Array, parts: int) -> Array:
        """Without each part; of : (n_units,), the part that a unit belongs to."""
        given, wanted, q = self.totals, self.wanted, len(self.labels)
        gain = self.correct - self.incorrect
        size = np.bincount(of, minlength=parts)
        n = self.n_ratings - np.bincount(of, self.m, parts)
        items = self.n_items - size
        # (N_c - n_c)^2 = N_c^2 + change, of each cell (part, label c)
        part, label, count = cells(of[self._item], self._label, self._count, q)
        change = count * (count - 2 * given[label])
        squares = given @ given + np.bincount(part, change, parts)
        weighted = given**2 @ wanted
        weighted += np.bincount(part, change * wanted[label], parts)
        # Without the suggestions of the part: so often (N_c - n_c)^2.
        key = part * np.int64(q) + label
        lost, asked, often = cells(of, self.suggested, np.ones(len(of)), q)
        at = np.searchsorted(key, lost * np.int64(q) + asked)
        at = np.minimum(at, len(key) - 1)
        own = np.where(key[at] == lost * np.int64(q) + asked, count[at], 0)
        weighted -= np.bincount(lost, often * (given[asked] - own) ** 2, parts)
        with np.errstate(invalid="ignore", divide="ignore"):
            observed = (self.times @ gain - np.bincount(of, gain, parts)) / items
            expected = (2 * weighted / items - squares) / n**2
            values = (observed - expected) / (1 - expected)
        left = 1 - expected, squares / (given @ given)
        return anew(self, values, of, *left)

    def resampled(self, times: Array) -> float:
        q = len(self.totals)
        count = self._count * times[self._item]
        expected = self._expected(
            np.bincount(self._label, weights=count, minlength=q),
            np.bincount(self.suggested, weights=times, minlength=q),
        )
        if not times.any():
            return np.nan
        observed = times @ (self.correct - self.incorrect) / times.sum()
        return float((observed - expected) / (1 - expected))

    def shares(self, observed: float, expected: float) -> str:
        return (
            f"observed differential {significant(1 - observed)} (pairs who agree on the"
            " suggestion less pairs who agree on another label), expected by chance"
            f" {significant(1 - expected)}"
        )

    def meaning(self, value: float) -> str:
        if value < -1e-12:
            return "the suggestions do worse than chance alone would"
        share = decimals(100 * value, 0)
        return f"{share} % of the way from chance to agreed suggestions"

    def per_item(self) -> pd.DataFrame:
        names = [self._labels[code] for code in self.suggested]
        columns = {
            "ratings": self.m.astype(int),
            "suggested": names,
            "correct": self.correct,
            "incorrect": self.incorrect,
        }
        if self._patterns:
            columns = {"times": self.times.astype(int)} | columns
        return pd.DataFrame(columns, index=self.items)

    def per_label(self) -> pd.DataFrame:
        """Each suggested label: its items, and mean R and S over them."""
        used = np.flatnonzero(self.wanted)

        def mean(values: Array) -> Array:
            total = np.bincount(self.suggested, self.times * values, len(self.wanted))
            return total[used] / self.wanted[used]

        columns = {
            "items": self.wanted[used].astype(int),
            "correct": mean(self.correct),
            "incorrect": mean(self.incorrect),
        }
        return pd.DataFrame(columns, index=self.labels[used].rename("suggested"))

    def _per_item(self, values: Array) -> Array:
        return np.bincount(self._item, weights=values, minlength=len(self.times))


def _dropped(known: Array, enough: Array, times: Array) -> str:
    def items(which: Array) -> int:
        return int(times[which].sum())

    parts = []
    if items(~enough):
        parts.append(f"{items(~enough)} with fewer than two judgments")
    if items(enough & ~known):
        parts.append(f"{items(enough & ~known)} without a suggestion")
    if not parts:
        return ""
    lost = items(~(known & enough))
    return f"{lost:,} of {items(known | True):,} items dropped: {', '.join(parts)}"
