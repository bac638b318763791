"""A kappa for suggested labels (DiPietro and Hazari).

Each item comes with a suggested label. A pair of raters who agree counts for the
suggestion where they agree on it, and against it where they agree on another
label: D_o = 1 - (mean R - mean S), D_e = 1 - (C_E - C_F).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from .._checks import Array
from .._digits import decimals, significant
from .agreement import Agreement
from .ratings import Ratings
from .reading import index_of
from .sample import Sample, Units, added, by_two, gathered
from .table import once


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
    asked = np.flatnonzero(known)
    judged = by_two((j.item, j.label, j.count), (asked, codes[asked], known[asked]))
    units = gathered(judged, r.per_item, known & enough, r)
    few, unknown = (int(r.standing[lost].sum()) for lost in (~enough, enough & ~known))
    why = [f"{few} with fewer than two judgments"] * bool(few)
    why += [f"{unknown} without a suggestion"] * bool(unknown)
    return _Suggested(
        "DiPietro and Hazari's kappa",
        Suggestions(units, index_of(labels)),
        r,
        r._dropped(few + unknown, ", ".join(why)),
        "no item has two judgments and a suggestion",
        certain="all judgments and all suggestions are one label, so the expected"
        " differential is 1",
    )._told()


@dataclass(eq=False)
class Suggestions(Sample):
    """Judgments, by 0, of units of one item each, and what is suggested, by 1."""

    units: Units
    labels: pd.Index
    distance: None = None

    def __post_init__(self) -> None:
        (unit, label, count, by), times = self.units.judgments, self.units.times
        q, n = len(self.labels), len(times)
        # Each (unit, label): its judgments, and whether it is what is suggested.
        key, cell = np.unique(unit.astype(np.int64) * q + label, return_inverse=True)
        self.unit, self.label = np.divmod(key, q)
        self.count, self.asked = (np.bincount(cell, count * (by == k)) for k in (0, 1))
        self.m, hits, pairs = (
            np.bincount(self.unit, self.count * of, n)
            for of in (1, self.asked, self.count - 1)
        )
        pairs_of = self.m * (self.m - 1)
        self.correct = hits * np.maximum(hits - 1, 0) / pairs_of  # R_i, Eq. 10
        self.incorrect = pairs / pairs_of - self.correct  # S_i, Eq. 12
        self.observed = 1 - (self.correct - self.incorrect)
        self.weight = np.ones(n)
        self.totals, self.wanted = self._sums(times)
        self.suggested = np.zeros(n, dtype=np.int64)
        self.suggested[self.unit[self.asked > 0]] = self.label[self.asked > 0]

    def columns(self) -> dict[str, Any]:
        columns = {"ratings": self.m.astype(int)}
        columns |= {"suggested": self.labels[self.suggested].to_numpy()}
        return columns | {"correct": self.correct, "incorrect": self.incorrect}

    def judges(self) -> tuple[Array, Array]:
        given = self.totals.sum() / max(self.units.times.sum(), 1)
        return np.array([given, 1.0]), np.arange(2)

    def added(self, split: float) -> tuple[Array, Array]:
        """Judgments that are the suggestion, or half of them."""
        q = len(self.in_use)
        said, times = added(self.in_use, 1, split)
        said = np.concatenate([said, said[q:, :, ::-1]])  # either label is suggested
        wanted = np.repeat(said[:, :, :1], 2, axis=2)
        times = np.append(times[:q], np.tile(times[q:] / 2, 2))
        return np.concatenate([said, wanted], axis=1), times

    def _sums(self, times: Array) -> tuple[Array, Array]:
        """Judgments and suggestions with each label, each unit taken so many times."""
        taken, q = times[self.unit], len(self.labels)
        given = np.bincount(self.label, self.count * taken, q)
        return given, np.bincount(self.label, self.asked * taken, q)

    def expected(self, times: Array) -> tuple[float, Array]:
        """1 - (C_E - C_F); C_E - C_F is 2 sum C^2 L - sum C^2."""
        given, wanted = self._sums(times)
        n, items = given.sum(), times.sum()
        c, s = given / n, wanted / items
        slope = 2 * c * (2 * s - 1)  # of C_E - C_F, in each label's share
        own = np.bincount(self.unit, self.count * slope[self.label], len(times))
        by = (own - self.m * (c @ slope)) / n
        by += 2 * (c[self.suggested] ** 2 - c**2 @ s) / items
        return float(1 - c**2 @ (2 * s - 1)), -by

    def changed(self, part: Array, parts: int) -> tuple[Array, Array]:
        """By the changes of sum N^2 L and sum N^2, with N judgments of each label."""
        q, times = len(self.labels), self.units.times
        key = part[self.unit].astype(np.int64) * q + self.label
        known, cell = np.unique(key, return_inverse=True)
        of, label = np.divmod(known, q)
        count, asked = (np.bincount(cell, x) for x in (self.count, self.asked))
        given, wanted = self.totals[label], self.wanted[label]
        fewer = count * (count - 2 * given)  # (N - n)^2 - N^2
        cubes = self.totals**2 @ self.wanted
        less = np.bincount(of, fewer * (wanted - asked) - given**2 * asked, parts)
        squares, lost = self.totals**2 @ np.ones(q), np.bincount(of, fewer, parts)
        items, gone = times.sum(), np.bincount(part, minlength=parts)
        n, taken = times @ self.m, np.bincount(part, self.m, parts)
        with np.errstate(invalid="ignore", divide="ignore"):
            change = 2 * (less + cubes / items * gone) / (items - gone) - lost
            both = 2 * cubes / items - squares
            change += both * taken * (2 * n - taken) / n**2
            change /= -((n - taken) ** 2)
        return change, np.minimum(self.whole[1] + change, 1 + lost / squares)


class _Suggested(Agreement):
    _sample: Suggestions

    def _shares(self) -> str:
        return (
            f"observed differential {significant(self.observed)} (pairs who agree on"
            " the suggestion less pairs who agree on another label), expected by chance"
            f" {significant(self.expected)}"
        )

    def _meaning(self) -> str:
        if self.value < -1e-12:
            return "the suggestions do worse than chance alone would"
        share = decimals(100 * self.value, 0)
        return f"{share} % of the way from chance to agreed suggestions"

    def per_label(self) -> pd.DataFrame:
        """Each suggested label: its items, and mean R and S over them."""
        s = self._sample
        used = np.flatnonzero(s.wanted)
        columns = {"items": s.wanted[used].astype(int)}
        for name, of in (("correct", s.correct), ("incorrect", s.incorrect)):
            total = np.bincount(s.suggested, self._times * of, len(s.wanted))
            columns[name] = total[used] / s.wanted[used]
        return pd.DataFrame(columns, index=self.labels[used].rename("suggested"))
