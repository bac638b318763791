"""Observed and expected disagreement of a set of ratings: the body of 1 - D_o/D_e.

Every coefficient is this computation with a distance and a rule for chance. All of
the rules need four sums over judgments only, and leaving an item out changes these
sums by what the item contributes, so the delete-one-item jackknife is exact in one
pass.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import pandas as pd

from .._checks import Array
from .._digits import decimals, significant
from .._words import label_name, percent, shown
from . import adjusted
from .between_raters import BetweenRaters, EqualRaters
from .chance import Chance, Sums
from .clusters import Clusters
from .distances import Distance
from .units import Units, cells

# Values that differ by rounding only are equal: to each other, or to 0.
ROUNDING = 1e-13


# Below this share of the whole, what is left of a sum without an item is computed
# anew rather than by subtraction, which would lose its digits.
CANCELLED = 1e-6

# Share of one label from which on the interval warns, where distances differ.
SKEWED = 3 / 4


class Statistic(Protocol):
    """What an Agreement needs to know to give errors and intervals.

    A unit is an item, or several that were judged alike: `times` says how many.
    """

    n_items: int
    n_ratings: int
    times: Array  # (n_units,)
    undefined: str
    cautions: Sequence[str]  # what to know of the value
    clusters: Clusters | None

    @property
    def skewed(self) -> str:
        """What to know of an interval."""
        ...

    @property
    def items(self) -> pd.Index: ...
    @property
    def dropped(self) -> str: ...
    def each(self, values: Array) -> Array:
        """Values of units as values of items."""
        ...

    def gathered(self, times: Array) -> Array:
        """How often items are taken as how often units are."""
        ...

    def disagreement(self) -> tuple[float, float]: ...
    def leave_one_out(self) -> Array:
        """The coefficient without one item of each unit; NaN: undefined."""
        ...

    def leave_clusters_out(self) -> Array:
        """The coefficient without each cluster; NaN: undefined."""
        ...

    def resampled(self, times: Array) -> float:
        """The coefficient with each unit taken so many times."""
        ...

    @property
    def adjustable(self) -> bool:
        """Whether items can be added for its interval."""
        ...

    def with_items(self, split: float) -> adjusted.Adjustable: ...
    def per_item(self) -> pd.DataFrame: ...
    def shares(self, observed: float, expected: float) -> str:
        """D_o and D_e in words."""
        ...

    def meaning(self, value: float) -> str:
        """What the value says, in words."""
        ...


class Disagreement:
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

    cautions: Sequence[str] = ()

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
        self._unit, self._label, self._count = cells(*units.judgments[:3], len(labels))
        # What an item weighs in D_o, and its judgments of a label in D_e.
        self._weight = np.ones_like(self.m) if by_item else self.m
        self._mass = self._count / self.m[self._unit] if by_item else self._count
        self.totals = self._per_label(self._count, self.times)
        self.distance = distance(self.totals)
        self.n_ratings = int(self.totals.sum())
        self._raters: BetweenRaters | None = None
        if (by_rater or several) and self.n_items:
            between = EqualRaters if by_item else BetweenRaters
            self._raters = between(units.judgments, len(labels))
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
    def _within(self) -> Array:
        """Sum of distances over the ordered pairs of a unit's judgments."""
        far = self.distance.within(
            self._unit, self._label, self._count, len(self.times)
        )
        return self._per_unit(self._count * far)

    @cached_property
    def _between(self) -> tuple[Array, Array]:
        """Distances over the pairs of a unit's judgments by different raters; pairs."""
        if self._several and self._raters:
            own, pairs = self._raters.within(self.distance, self.m)
            return self._within - own, pairs
        return self._within, self.m * (self.m - 1)

    @cached_property
    def _observed(self) -> Array:
        """Mean distance over these pairs."""
        far, pairs = self._between
        return far / pairs

    def _far(self, totals: Array) -> Array:
        """For each label, the sum of distances to all judgments."""
        used = np.flatnonzero(totals)
        far = np.zeros(len(totals))
        here = np.zeros(len(used), dtype=np.intp)
        far[used] = self.distance.within(here, used, totals[used], 1)
        return far

    @cached_property
    def _far_all(self) -> Array:
        return self._far(self._masses)

    @cached_property
    def _masses(self) -> Array:
        """What the judgments of each label weigh in D_e, (n_labels,)."""
        return self._per_label(self._mass, self.times)

    def _sums(self, times: Array) -> Sums:
        totals, far = self._masses, self._far_all
        if times is not self.times:
            totals = self._per_label(self._mass, times)
            far = self._far(totals)
        between = between_n = np.float64(0)
        if self._raters:
            between, between_n = self._raters.sums(self.distance, times, far)
        return Sums(far @ totals, between, totals.sum(), between_n, totals @ totals)

    @cached_property
    def _all(self) -> Sums:
        return self._sums(self.times)

    def disagreement(self) -> tuple[float, float]:
        """Observed and expected disagreement."""
        if self.n_items == 0:
            return np.nan, np.nan
        observed = (self.times * self._weight) @ self._observed / self._all.n
        return float(observed), float(self._chance(self._all))

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
        raters = None if self._raters is None else self._raters.known
        return Disagreement(
            self._items,
            self.labels,
            adjusted.extended(self._units, added, raters),
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
        judges = 1 if self._raters is None else len(self._raters.known)
        return np.full(judges, self.n_ratings / self.n_items / judges)

    @property
    def skewed(self) -> str:
        """What to know of an interval; with equal distances nothing."""
        if self.distance.name == "nominal" or len(self.labels) < 3 or self.undefined:
            return ""
        share = self.totals.max() / self.n_ratings
        if share <= SKEWED:
            return ""
        most = label_name(self.labels[self.totals.argmax()])
        return (
            f"{most} has {percent(share)} of the judgments, and a rare label that is"
            " far from it may be missing by chance: an interval may be far too short"
        )

    @property
    def adjustable(self) -> bool:
        judges = 1 if self._raters is None else len(self._raters.known)
        few = len(self.in_use) * judges <= adjusted.MOST
        return not self.undefined and len(self.in_use) > 1 and few

    def with_items(self, split: float) -> Disagreement:
        """See `adjusted`."""
        return self.plus(adjusted.items(self.in_use, self.given, split))

    def influences(self) -> tuple[float, Array, Array]:
        """See `adjusted`: by how much each unit moves the value.

        An imaginary step of 1e-20 gives the derivative of D_e to the last digit.
        """
        whole, w, times, step = self._all, self._weight, self.times, 1e-20j
        n, o = whole.n, self._observed
        towards = self._per_unit(self._mass * self._far_all[self._label])
        alike = self._per_unit(self._mass * self._masses[self._label])
        to = to_n = np.zeros(len(w))
        if self._raters:
            to, to_n = self._raters.towards(self.distance, times, self._far_all)
        moved = (2 * towards, 2 * to, w, 2 * to_n, 2 * alike)
        sums = Sums(*(at + step * by for at, by in zip(whole, moved)))
        d_o, d_e = (times * w) @ o / n, float(self._chance(whole))
        if not d_e > 0:
            return np.nan, times, np.full(len(w), np.nan)
        by_o, by_e = w * (o - d_o) / n, np.imag(self._chance(sums)) / step.imag
        influence = times.sum() * (d_o * by_e / d_e - by_o) / d_e
        return float(1 - d_o / d_e), times, influence

    # Subsets ------------------------------------------------------------------

    def leave_one_out(self) -> Array:
        """The coefficient without one item of each unit; NaN: undefined."""
        own = self._within * (self._weight / self.m) ** 2
        same = self._per_unit(self._mass**2)
        values, *remains = self._left_out(None, own, same, self._between)
        return anew(self, values, *remains)

    def leave_clusters_out(self) -> Array:
        """The coefficient without all items of each cluster; NaN: undefined."""
        assert self.clusters is not None
        of, groups = self.clusters.of, len(self.clusters)
        group, label, mass = cells(
            of[self._unit], self._label, self._mass, len(self.labels)
        )
        far = self.distance.within(group, label, mass, groups)
        own, same = (np.bincount(group, mass * v, groups) for v in (far, mass))
        between = own, own  # looked at with raters only
        if self._raters:
            between = self._raters.of_groups(self.distance, of, groups)
        values, *remains = self._left_out(self.clusters, own, same, between)
        return anew(self, values, *remains, clusters=self.clusters)

    def _left_out(
        self,
        clusters: Clusters | None,
        own: Array,
        same: Array,
        between_own: tuple[Array, Array],
    ) -> tuple[Array, ...]:
        """The coefficient without each part, and what is left of the sums behind D_e.

        A sum is q(w) = sum over i, j of w_i Q_ij w_j, of how often each item is taken:
        without a part it is q, less the part's share of the slope, and its own pairs.
        own, same, between_own : of each part, its own pairs' distances, equal pairs,
            and distances and number of pairs by different raters
        """

        def by_part(values: Array) -> Array:
            if clusters is None:
                return values
            return np.bincount(clusters.of, values, len(clusters))

        whole, w, o, far = self._all, self._weight, self._observed, self._far_all
        towards = by_part(self._per_unit(self._mass * far[self._label]))
        alike = by_part(self._per_unit(self._mass * self._masses[self._label]))
        pairs = whole.pairs - 2 * towards + own
        equal = whole.same - 2 * alike + same
        remains = [share(pairs, whole.pairs)]
        between = between_n = np.zeros(len(pairs))
        if self._raters:
            between, between_n = self._raters.without(
                self.distance, self.times, far, whole, between_own, by_part
            )
            remains.append(share(between, whole.between))
        with np.errstate(invalid="ignore", divide="ignore"):
            n = whole.n - by_part(w)
            observed = ((self.times * w) @ o - by_part(o * w)) / n
            sums = Sums(pairs, between, n, between_n, equal)
            return 1 - observed / self._chance(sums), *remains

    def resampled(self, times: Array) -> float:
        """The coefficient with each unit taken so many times."""
        weights = times * self._weight
        if not weights.any():
            return np.nan
        observed = weights @ self._observed / weights.sum()
        expected = self._chance(self._sums(times))
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

    def _per_unit(self, values: Array) -> Array:
        return np.bincount(self._unit, weights=values, minlength=len(self.times))

    def _per_label(self, values: Array, times: Array) -> Array:
        values = values * times[self._unit]
        return np.bincount(self._label, weights=values, minlength=len(self.labels))


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


def anew(
    statistic: Statistic,
    values: Array,
    *left: Array,
    clusters: Clusters | None = None,
) -> Array:
    """Leave-one-out values, computed anew where subtraction lost their digits.

    left: what is left of the sums behind D_e without an item, or without a cluster, as
    shares of the whole.
    """
    lost = ~(np.min(left, axis=0) > CANCELLED)
    for part in np.flatnonzero(lost):
        times = statistic.times.copy()
        if clusters is None:
            times[part] -= 1
        else:
            times[clusters.of == part] = 0
        values[part] = statistic.resampled(times)
    return values


def share(left: Array, whole: Any) -> Array:
    """What is left of a sum; all of it where the sum is 0."""
    return left / whole if whole > 0 else np.ones(np.shape(left))


def jackknife(
    values: Array,
    of: Statistic | None = None,
    times: Array | None = None,
    clusters: Clusters | None = None,
) -> tuple[float, str]:
    """Jackknife standard error of leave-one-out values, or why there is none.

    values: of items, each `times`, or of the units of a statistic, or of clusters.
    """
    if clusters is not None and np.isnan(values).any():
        name = shown(clusters.names[int(np.argmax(np.isnan(values)))])
        return np.nan, f"without cluster {name} the value is undefined"
    if np.isnan(values).any():
        item = ""
        if of is not None:
            item = " " + shown(of.items[int(np.argmax(np.isnan(of.each(values))))])
        return np.nan, f"without item{item} the value is undefined"
    if times is None:
        times = np.ones(len(values)) if of is None else of.times
    n = times.sum()
    away = values - times @ values / n
    if np.abs(away).max() <= ROUNDING * max(1.0, np.abs(values).max()):
        return 0.0, ""
    return float(np.sqrt((n - 1) / n * (times @ away**2))), ""
