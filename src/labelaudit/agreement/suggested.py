"""A kappa for suggested labels (DiPietro and Hazari).

Each item comes with a suggested label. A pair of raters who agree counts for the
suggestion where they agree on it, and against it where they agree on another
label: D_o = 1 - (mean R - mean S), D_e = 1 - (C_E - C_F).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from .._checks import Array
from .._digits import decimals, significant
from .adjusted import extended, shown
from .agreement import Agreement
from .clusters import Clusters
from .ratings import Ratings
from .reading import index_of
from .resampling import anew
from .table import once
from .units import Units, cells, gathered


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
    known, enough, j = codes >= 0, r.per_item >= 2, r.judgments
    kept, judged = known & enough, (j.item, j.label, j.count, None)
    units = gathered(judged, r.times, r.per_item, kept)
    found = _Suggested(units, codes[kept], index_of(labels))
    found.items, found._ratings = r.items[kept], r
    found.clusters = None if r.clusters is None else Clusters(r.clusters[kept])
    few, unknown = (int(r.standing[lost].sum()) for lost in (~enough, enough & ~known))
    why = [f"{few} with fewer than two judgments"] * bool(few)
    why += [f"{unknown} without a suggestion"] * bool(unknown)
    found.dropped = r._dropped(few + unknown, ", ".join(why))
    return found._told()


class _Suggested(Agreement):
    """1 - D_o / D_e of judgments with suggestions.

    units : of one item each; suggested : (n_units,), positions in labels
    """

    name = "DiPietro and Hazari's kappa"

    def __init__(self, units: Units, suggested: Array, labels: pd.Index) -> None:
        self._units, self._suggested, self.labels = units, suggested, labels
        self._times, self._m, self._of = units.times, units.m, np.arange(len(units.m))
        self.n_items = int(units.times.sum())
        self.n_ratings = int(units.times @ units.m)
        unit, label, count, _ = units.judgments
        n, n_judged = len(self._m), len(count)
        # Each (unit, label): its judgments, and whether it is what is suggested.
        cell = np.append(unit, np.arange(n)), np.append(label, suggested)
        given = np.append(count, np.zeros(n))
        asked = np.append(np.zeros(n_judged), np.ones(n))
        self._unit, self._label, self._count = cells(*cell, given, len(labels))
        *_, self._asked = cells(*cell, asked, len(labels))
        hits, pairs = (
            np.bincount(self._unit, self._count * times, n)
            for times in (self._asked, self._count - 1)
        )
        of = self._m * (self._m - 1)
        self._correct = hits * np.maximum(hits - 1, 0) / of  # R_i, Eq. 10
        self._incorrect = pairs / of - self._correct  # S_i, Eq. 12
        self._totals, self._wanted = self._sums(self._times)
        observed, expected = self._parts(self._times)
        self.observed_disagreement = 1 - observed
        self.expected_disagreement = 1 - expected
        if self.n_items == 0:
            self.undefined = "no item has two judgments and a suggestion"
        elif expected == 1:
            self.undefined = (
                "all judgments and all suggestions are one label, so the expected"
                " differential is 1"
            )

    def _sums(self, times: Array) -> tuple[Array, Array]:
        """Judgments and suggestions with each label, each unit taken so many times."""
        taken, q = times[self._unit], len(self.labels)
        given = np.bincount(self._label, self._count * taken, q)
        return given, np.bincount(self._label, self._asked * taken, q)

    def _parts(self, times: Array) -> tuple[float, float]:
        """Mean R - mean S, and C_E - C_F = 2 sum C^2 L - sum C^2."""
        if not times.any():
            return np.nan, np.nan
        given, wanted = self._sums(times)
        c, asked = given / given.sum(), wanted / times.sum()
        observed = times @ (self._correct - self._incorrect) / times.sum()
        expected = 1.0 if (c * asked).max() == 1 else c**2 @ (2 * asked - 1)
        return float(observed), float(expected)

    def _resampled(self, times: Array) -> float:
        observed, expected = self._parts(times)
        return (observed - expected) / (1 - expected) if expected < 1 else np.nan

    @property
    def _in_use(self) -> Array:
        return np.flatnonzero(self._totals)

    @property
    def _adjustable(self) -> bool:
        return len(self._in_use) > 1 and not self.undefined

    def _with_items(self, split: float) -> _Suggested:
        """See `adjusted`: judgments that are the suggestion, or half of them."""
        q, m = len(self._in_use), self.n_ratings / self.n_items
        said, times = shown(self._in_use, 1, split)
        said = np.concatenate([said, said[q:, :, ::-1]])  # either label is suggested
        times = np.append(times[:q], np.tile(times[q:] / 2, 2))
        times = times if self.clusters is None else times * self.clusters.added
        nobody = np.zeros(0, int)
        units = extended(self._units, said, times, np.array([m]), nobody)
        suggested = np.append(self._suggested, said[:, 0, 0])
        return _Suggested(units, suggested, self.labels)

    def _influences(self) -> tuple[float, Array, Array]:
        """See `adjusted`: by how much each item moves the value."""
        times, n = self._times, self._times.sum()
        given, wanted = self._sums(times)
        c, s = given / given.sum(), wanted / n
        observed, expected = self._parts(times)
        if expected == 1:
            return np.nan, times, np.full(len(times), np.nan)
        slope = 2 * c * (2 * s - 1)  # of `expected`, in each label's share
        own = np.bincount(self._unit, self._count * slope[self._label], len(self._m))
        by_c = (own - self._m * (c @ slope)) * n / given.sum()
        by_s = 2 * (c[self._suggested] ** 2 - c**2 @ s)
        value = (observed - expected) / (1 - expected)
        influence = self._correct - self._incorrect - observed
        influence -= (1 - value) * (by_c + by_s)
        return value, times, influence / (1 - expected)

    def _left_out(self, of: Array, parts: int) -> Array:
        """Without each part; of : (n_units,), the part that a unit belongs to."""
        cell, q = (of[self._unit], self._label), len(self.labels)
        part, label, count = cells(*cell, self._count, q)
        *_, asked = cells(*cell, self._asked, q)
        given, wanted = self._totals[label], self._wanted[label]
        # (N_c - n_c)^2 = N_c^2 + change, so often as c is still suggested
        change = count * (count - 2 * given)
        fewer = change * (wanted - asked) - given**2 * asked
        squares, weighted = (
            self._totals**2 @ times + np.bincount(part, lost, parts)
            for times, lost in ((np.ones(q), change), (self._wanted, fewer))
        )
        gain = self._correct - self._incorrect
        items = self.n_items - np.bincount(of, minlength=parts)
        n = self.n_ratings - np.bincount(of, self._m, parts)
        with np.errstate(invalid="ignore", divide="ignore"):
            observed = (self._times @ gain - np.bincount(of, gain, parts)) / items
            expected = (2 * weighted / items - squares) / n**2
            values = (observed - expected) / (1 - expected)
        left = 1 - expected, squares / (self._totals @ self._totals)
        return anew(self, values, of, *left)

    def _shares(self, observed: float, expected: float) -> str:
        return (
            f"observed differential {significant(1 - observed)} (pairs who agree on the"
            " suggestion less pairs who agree on another label), expected by chance"
            f" {significant(1 - expected)}"
        )

    def _meaning(self, value: float) -> str:
        if value < -1e-12:
            return "the suggestions do worse than chance alone would"
        share = decimals(100 * value, 0)
        return f"{share} % of the way from chance to agreed suggestions"

    def _item_table(self) -> pd.DataFrame:
        names = [self.labels[code] for code in self._suggested]
        columns = {
            "ratings": self._m.astype(int),
            "suggested": names,
            "correct": self._correct,
            "incorrect": self._incorrect,
        }
        return pd.DataFrame(columns, index=self.items)

    def per_label(self) -> pd.DataFrame:
        """Each suggested label: its items, and mean R and S over them."""
        used = np.flatnonzero(self._wanted)

        def mean(values: Array) -> Array:
            often = self._times * values
            total = np.bincount(self._suggested, often, len(self._wanted))
            return total[used] / self._wanted[used]

        columns = {
            "items": self._wanted[used].astype(int),
            "correct": mean(self._correct),
            "incorrect": mean(self._incorrect),
        }
        return pd.DataFrame(columns, index=self.labels[used].rename("suggested"))
