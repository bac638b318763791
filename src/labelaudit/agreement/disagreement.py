"""Observed and expected disagreement of a set of ratings: the body of 1 - D_o/D_e.

Every coefficient is this computation with a distance and a rule for chance. All of
the rules need five sums over judgments only, and leaving an item out changes these
sums by what the item contributes, so the delete-one-item jackknife is exact in one
pass.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np
import pandas as pd

from .._checks import Array
from .._digits import decimals, significant
from .._words import label_name, percent
from . import adjusted
from .chance import Chance, Sums
from .clusters import Clusters
from .distances import Distance
from .equal_raters import EqualRaters
from .pairs import Pairs
from .statistic import Statistic, anew, share
from .units import Units

# Share of one label from which on the interval warns, where distances differ.
SKEWED = 3 / 4


class Disagreement(Statistic):
    """D_o and D_e of one set of judgments.

    Parameters
    ----------
    items, labels : Index
    units : Units
        Of these items.
    distance : function of the judgments per label that take part
    chance : function of Sums
    by_rater : whether the rule for chance looks at who judged
    by_item : whether all items weigh alike, and with iota all pairs of raters, rather
        than all judgments
    several : whether a rater may have several judgments of an item, in order of
        (unit, rater, label); these are not compared with each other
    dropped : what takes no part, and why
    nothing : why no item takes part, where none does
    patterns : (n_items,), how many items each is, where they are patterns
    clusters : (n_items,), what each belongs to, where that is known
    """

    def __init__(
        self,
        items: pd.Index,
        labels: pd.Index,
        units: Units,
        distance: Callable[[Array], Distance],
        chance: Chance,
        *,
        by_rater: bool = False,
        by_item: bool = False,
        several: bool = False,
        dropped: str = "",
        nothing: str = "",
        patterns: Array | None = None,
        clusters: pd.Index | None = None,
    ) -> None:
        self._patterns = patterns
        self.clusters = None if clusters is None else Clusters(clusters[units.of >= 0])
        self._items, self.labels, self._of = items, labels, units.of
        self._units, self._by_rater, self._by_item = units, by_rater, by_item
        self._chance, self._several, self.dropped = chance, several, dropped
        self.times, self.m = units.times, units.m
        self.n_items = int(self.times.sum())
        # What an item weighs in D_o, and its judgments in D_e.
        self._weight = np.ones_like(self.m) if by_item else self.m
        unit, label, count, rater = units.judgments
        self.totals = np.bincount(label, count * self.times[unit], len(labels))
        self.n_ratings = int(self.totals.sum())
        self.distance = distance(self.totals)
        pairs = EqualRaters if by_rater and by_item else Pairs
        judged = unit, label, count, rater if by_rater or several else None
        each = self.m if by_item else None
        self._pairs = pairs(judged, len(labels), self.distance, each)
        self.undefined = self._why(nothing)

    @property
    def items(self) -> pd.Index:
        """The items that take part."""
        return self._items[self._of >= 0]

    def each(self, values: Array) -> Array:
        return values[self._of[self._of >= 0]]

    def gathered(self, times: Array) -> Array:
        unit = self._of[self._of >= 0]
        return np.bincount(unit, weights=times, minlength=len(self.times))

    # Disagreement -------------------------------------------------------------

    @cached_property
    def _alone(self) -> Sums:
        """The sums over each unit's own pairs."""
        n = len(self.times)
        return self._pairs.alone(np.arange(n), n)

    @cached_property
    def _observed(self) -> Array:
        """Mean distance over the pairs of each unit's judgments, by different raters
        where one may have several."""
        own = self._alone
        if self._several:
            return own.between / own.between_n
        # Where items weigh alike, their judgments were divided by m.
        return own.pairs * (self.m / self._weight) ** 2 / (self.m * (self.m - 1))

    @cached_property
    def _all(self) -> tuple[Sums, Sums]:
        """The sums behind D_e, and their slopes."""
        return self._pairs.at(self.times)

    def disagreement(self) -> tuple[float, float]:
        """Observed and expected disagreement."""
        if self.n_items == 0:
            return np.nan, np.nan
        whole, _ = self._all
        observed = (self.times * self._weight) @ self._observed / whole.n
        return float(observed), float(self._chance(whole))

    def _why(self, nothing: str) -> str:
        """Why the coefficient is undefined; empty where it is not."""
        if self.n_items == 0:
            return nothing
        if self.disagreement()[1] > 0:
            return ""
        used = self.labels[self.totals > 0]
        if len(used) == 1:
            return f"every judgment is {label_name(used[0])}, so D_e = 0"
        return "no disagreement is expected by chance, D_e = 0"

    # More items -----------------------------------------------------------------

    def plus(self, added: adjusted.Added) -> Disagreement:
        """With items that are added, at the same distances."""
        return Disagreement(
            self._items,
            self.labels,
            adjusted.extended(self._units, added, self._pairs.raters),
            lambda _: self.distance,
            self._chance,
            by_rater=self._by_rater,
            by_item=self._by_item,
            several=self._several,
        )

    @property
    def in_use(self) -> Array:
        """The labels that occur."""
        return np.flatnonzero(self.totals)

    @property
    def given(self) -> Array:
        """Judgments of an item by each judge, in the mean; (1,) where none is known."""
        judges = max(len(self._pairs.raters), 1)
        return np.full(judges, self.n_ratings / self.n_items / judges)

    @property
    def adjustable(self) -> bool:
        cells = len(self.in_use) * max(len(self._pairs.raters), 1)
        enough = len(self.in_use) > 1 and cells <= adjusted.MOST
        return enough and not self.undefined and self.clusters is None

    def with_items(self, split: float) -> Disagreement:
        """See `adjusted`."""
        return self.plus(adjusted.items(self.in_use, self.given, split))

    @property
    def skewed(self) -> str:
        """What to know of an interval; with equal distances nothing."""
        share = self.totals.max(initial=0) / max(self.n_ratings, 1)
        equal = self.distance.name == "nominal" or len(self.labels) < 3
        if self.undefined or equal or share <= SKEWED:
            return ""
        most = label_name(self.labels[self.totals.argmax()])
        return (
            f"{most} has {percent(share)} of the judgments, and a rare label that is"
            " far from it may be missing by chance: an interval may be far too short"
        )

    def influences(self) -> tuple[float, Array, Array]:
        """See `adjusted`: by how much each unit moves the value.

        An imaginary step of 1e-20 gives the derivative of D_e to the last digit.
        """
        whole, slopes = self._all
        w, times, step = self._weight, self.times, 1e-20j
        d_o, d_e = self.disagreement()
        if not d_e > 0:
            return np.nan, times, np.full(len(w), np.nan)
        sums = Sums(*(at + step * by for at, by in zip(whole, slopes)))
        by_e = np.imag(self._chance(sums)) / step.imag
        by_o = w * (self._observed - d_o) / whole.n
        influence = times.sum() * (d_o * by_e / d_e - by_o) / d_e
        return float(1 - d_o / d_e), times, influence

    # Subsets ------------------------------------------------------------------

    def leave_one_out(self) -> Array:
        """The coefficient without one item of each unit; NaN: undefined."""
        return self._left_out(np.arange(len(self.times)), self._alone)

    def leave_clusters_out(self) -> Array:
        """The coefficient without all items of each cluster; NaN: undefined."""
        assert self.clusters is not None
        of = self.clusters.of
        alone = self._pairs.alone(of, len(self.clusters))
        return self._left_out(of, alone, self.clusters)

    def _left_out(
        self, part: Array, alone: Sums, clusters: Clusters | None = None
    ) -> Array:
        """The coefficient without each part; part : (n_units,)."""
        (whole, slopes), w, parts = self._all, self._weight, len(alone.n)
        left = self._pairs.without(whole, slopes, alone, part, self.times)
        lost = np.bincount(part, w * self._observed, parts)
        with np.errstate(invalid="ignore", divide="ignore"):
            observed = ((self.times * w) @ self._observed - lost) / left.n
            values = 1 - observed / self._chance(left)
        remains = [share(left.pairs, whole.pairs)]
        if len(self._pairs.raters):
            remains.append(share(left.between, whole.between))
        return anew(self, values, *remains, clusters=clusters)

    def resampled(self, times: Array) -> float:
        """The coefficient with each unit taken so many times."""
        weights = times * self._weight
        if not weights.any():
            return np.nan
        observed = weights @ self._observed / weights.sum()
        expected = self._chance(self._pairs.at(times)[0])
        return float(1 - observed / expected) if expected > 0 else np.nan

    def shares(self, observed: float, expected: float) -> str:
        return shares(self.distance, observed, expected)

    def meaning(self, value: float) -> str:
        return meaning(self.distance, value)

    def per_item(self) -> pd.DataFrame:
        """Judgments and mean pair distance of each item that takes part."""
        columns = {
            "ratings": self.each(self.m).astype(int),
            "disagreement": self.each(self._observed),
        }
        if self._patterns is not None:
            columns = {"times": self._patterns[self._of >= 0].astype(int)} | columns
        return pd.DataFrame(columns, index=self.items)


def shares(distance: Distance, observed: float, expected: float) -> str:
    """D_o and D_e in words: as agreement where no distance exceeds 1."""
    what = "disagreement"
    if distance.bounded:
        what, observed, expected = "agreement", 1 - observed, 1 - expected
    of = "" if distance.name == "nominal" else f" ({distance.name} distance)"
    return (
        f"observed {what} {significant(observed)}, expected by chance"
        f" {significant(expected)}{of}"
    )


def meaning(distance: Distance, value: float) -> str:
    """What 1 - D_o / D_e says, in words."""
    if value < -1e-12:
        return "less agreement than chance alone would give"
    share = f"{decimals(100 * value, 0)} %"
    if distance.bounded:
        return f"{share} of the agreement that chance leaves room for"
    return f"removes {share} of the disagreement that chance alone would give"
