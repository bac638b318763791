"""A value that is computed from items, with its standard error and intervals."""

from collections.abc import Callable, Sequence
from functools import cached_property
from math import ceil
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd

from .. import _checks
from .._checks import Array
from .._words import label_name, shown, warn
from .clusters import Clusters, places
from .ratings import Ratings
from .sample import MOST, ROUNDING, Sample, without_rounding
from .uncertainty import bootstrap, jackknife, limits, quantile, rare, skewed


class Estimate:
    """A value computed from items: what an Agreement is, beside its tables and words.

    A unit is an item, or several that were judged alike. Attributes are set once.
    """

    value: float = np.nan
    observed_disagreement: float = np.nan
    expected_disagreement: float = np.nan
    dropped: str = ""
    undefined: str = ""
    distance: Any = None
    clusters: Clusters | None = None
    _sample: Any = None
    _noted: Sequence[str] = ()  # what to know of the value
    _strangers: str = ""  # whether two replications share no label
    _ratings: Ratings | None = None  # of which it is, and how to compute it of others
    _again: Callable[..., Any] | None = None

    _methods: ClassVar[tuple[str, ...]] = ("jackknife", "bootstrap")
    _end: ClassVar[float] = 1.0  # of the scale of values, infinite if it has none

    def __init__(
        self,
        name: str,
        sample: Sample,
        r: Ratings,
        dropped: str,
        nothing: str,
        *,
        certain: str = "",
        again: Callable[..., Any] | None = None,
    ) -> None:
        """nothing : why no item takes part, where none does; certain : why D_e is 0"""
        units = sample.units
        rows = slice(None) if (units.of >= 0).all() else units.of >= 0
        self.name, self._sample, self.distance = name, sample, sample.distance
        # Items that take part; the unit of each; how many items each unit is.
        self.items, self._of, self._times = r.items[rows], units.of[rows], units.times
        self._ratings, self._again, self.dropped = r, again, dropped
        self.labels, self._totals = sample.labels, sample.totals
        if r.clusters is not None:
            self.clusters = Clusters(r.clusters[rows])
        self.n_items, self.n_ratings = int(units.times.sum()), int(self._totals.sum())
        d_o, d_e, _ = sample.whole
        self.observed_disagreement, self.expected_disagreement = d_o, d_e
        if self.n_items == 0:
            self.undefined = nothing
        elif not d_e > 0 and not certain and len(sample.in_use) == 1:
            only = label_name(self.labels[sample.in_use[0]])
            self.undefined = f"every judgment is {only}, so that chance never disagrees"
        elif not d_e > 0:
            self.undefined = certain or "no disagreement is expected by chance, D_e = 0"
        else:
            self.value = without_rounding(1 - d_o / d_e)

    def _told(self) -> Self:
        """The result, with warnings: why it is undefined, what to know of it."""
        if self.undefined:
            warn(f"{self.name} is undefined: {self.undefined}")
        for caution in self._noted:
            warn(f"{self.name}: {caution}")
        return self

    def __setattr__(self, name: str, value: Any) -> None:
        if name in vars(self):
            raise AttributeError(f"{name} of a result does not change")
        super().__setattr__(name, value)

    @property
    def n_clusters(self) -> int | None:
        """Clusters that take part; None without clusters."""
        return None if self.clusters is None else len(self.clusters)

    # Other samples ---------------------------------------------------------------

    def _changed(self, clusters: Clusters | None) -> Array:
        """Changes of the value without one item of each unit, or without each cluster;
        NaN: undefined."""
        n = len(self._times)
        part = (np.arange(n), n) if clusters is None else (clusters.of, len(clusters))
        return self._sample.changes(*part)

    def _resampled(self, times: Array) -> float:
        """The value with each unit taken so many times."""
        return self._sample.resampled(times)

    def _adjustable(self) -> bool:
        """Whether items can be added for the interval."""
        if self._sample is None or self.undefined or self._strangers:
            return False
        labels, judges = len(self._sample.in_use), len(self._sample.judges()[0])
        return labels >= 2 and labels * judges <= MOST

    @cached_property
    def _changes(self) -> Array:
        """Of the value without one item of each unit."""
        return self._changed(None)

    @cached_property
    def without(self) -> Array:
        """The value without each of `items`, those that take part, in turn, (n,); of
        patterns without one item of each. NaN: it is undefined."""
        values = np.full(len(self.items), np.nan)
        if self.n_items > 1 and not self.undefined:
            values = self.value + self._changes[self._of]
        values.flags.writeable = False
        return values

    def _jointly(self, items: pd.Index, clusters: Clusters | None) -> Array:
        """Changes without each of these items, or clusters: of several estimates, from
        the same samples. 0 where nothing of it is left out."""
        if clusters is None or self.clusters is None:
            changes, own = np.zeros(len(items)), self._changes[self._of]
            at = items.get_indexer(self.items)
        else:
            changes, own = np.zeros(len(clusters)), self._changed(self.clusters)
            at = places(self.clusters.names, clusters.names)
        changes[at] = own
        return changes

    @cached_property
    def _error(self) -> tuple[float, str]:
        """The standard error, and why there is none."""
        what, names, of, times = "item", self.items, self._of, self._times
        if self.clusters is not None and self.n_items > 1:
            what, names = "cluster", self.clusters.names
            of, times = np.arange(len(names)), np.ones(len(names))
        if self.undefined or times.sum() < 2:
            few = f"a standard error needs at least two {what}s"
            return np.nan, self.undefined or few
        changes = self._changed(self.clusters) if self.clusters else self._changes
        error, lost = jackknife(changes, self.value, times), np.isnan(changes)
        if lost.any():
            first = shown(names[int(np.argmax(lost[of]))])
            return error, f"without {what} {first} the value is undefined"
        many = f"of {times.sum():,.0f} {what}s none moves the value by more than"
        return error, f"{many} rounding" if np.isnan(error) else ""

    @property
    def standard_error(self) -> float:
        """Delete-one-item jackknife, exact; items are the units, or their clusters.

        sqrt((n - 1) / n sum (t_i - mean t)^2) over the values t_i without item i, or
        without cluster i. NaN, with a warning, where the value is undefined, or would
        be without some item or cluster, or where none of more than 10^8 items moves it
        by more than rounding.
        """
        error, why = self._error
        if why:
            warn(f"{self.name} has no standard error: {why}")
        return error

    def interval(
        self,
        confidence: float = 0.95,
        method: str | None = None,
        repetitions: int = 2000,
        seed: int | None = None,
    ) -> tuple[float, float]:
        """A confidence interval with items as units, or their clusters.

        Parameters
        ----------
        confidence : float in (0, 1)
        method : None, "jackknife" or "bootstrap"
            (A Difference has "jackknife" alone, which None is there, and a normalised
            kappa "fieller", too: see these.) None: one item (with clusters, one of
            these) is added on which all agree, evenly for each label in use, and for
            the lower end one that is split between two labels, evenly for each pair of
            them; on the scale of sqrt(1 - value). Where that cannot be, because one
            label alone is in use, or very many by many raters, or none in both
            replications, it is "jackknife": the jackknife standard error, on the scale
            of atanh(value). "bootstrap": percentiles over items drawn with replacement.
        repetitions : int
            Of the bootstrap: enough for one at either side of the interval, so at
            least 2 / (1 - confidence).
        seed : int, optional
            Of the bootstrap.

        Returns
        -------
        (low, high)
            (NaN, NaN), with a warning that says why: where the value is undefined, or
            one label only is in use; by the jackknife, where the value is not inside
            (-1, 1), or the standard error is 0 or undefined. With G clusters whole ones
            are added, and the bootstrap draws them; Student's quantile is taken, of
            sqrt(G G_e) - 1 degrees of freedom, by the jackknife of G - 1. (NaN, NaN),
            too, where clusters are worth G_e = (sum m)^2 / sum m^2 < 3, with m items
            each, and a warning below 20.

        Raises
        ------
        ValueError
            For another method, and for repetitions too few or too many.

        Notes
        -----
        At a nominal 95 % the default covered at least 92 % in each of the simulated
        settings of notebook sweep_04, with nominal labels; the jackknife covers as
        little as 39 % where a label is rare. With other distances nothing is known to
        cover where a rare label is far from the others, and a warning says so where
        one label has more than three quarters of the judgments. With nominal labels one
        warning names those that fewer than five items have. With clusters notebook
        teach_03 says where it covers.

        References
        ----------
        Agresti and Coull 1998 and Bartlett 1936, for a proportion and a count.

        Examples
        --------
        >>> import labelaudit as la
        >>> r = la.Ratings.from_counts([[3, 0], [0, 3], [2, 1], [3, 0], [1, 2]] * 8)
        >>> low, high = la.fleiss_kappa(r).interval(0.9)
        >>> print(f"{low:.2f} to {high:.2f}")
        0.25 to 0.62
        """
        confidence = _checks.confidence(confidence)
        if method is not None:
            _checks.one_of("method", method, self._methods)
        tails = 2 / (1 - _checks.fraction(confidence))  # a draw for each
        least = ceil(tails) if method == "bootstrap" else 1
        most = _checks.LARGEST_REPETITIONS
        repetitions = _checks.count("repetitions", repetitions, least, most)
        random = _checks.generator(seed)
        if why := self._no_interval(method):
            warn(f"{self.name} has no interval: {why}")
            return np.nan, np.nan
        if method == "bootstrap":
            ends = bootstrap(self, confidence, repetitions, random)
        else:
            ends = self._limits(method, confidence)
        for caution in filter(None, [*self._cautions(), rare(self)]):
            warn(f"{self.name}: {caution}")
        return ends

    def _limits(self, method: str | None, confidence: float) -> tuple[float, float]:
        if method is None and self._adjustable():
            return limits(self, confidence)
        half = quantile(confidence, self.clusters) * self._error[0]
        if self._end == np.inf:
            return self.value - half, self.value + half
        half, centre = half / (1 - self.value**2), np.arctanh(self.value)
        return float(np.tanh(centre - half)), float(np.tanh(centre + half))

    def _no_interval(self, method: str | None = None) -> str:
        """Why there is no interval; empty where there is one."""
        why = self.undefined or ("" if self.clusters is None else self.clusters.too_few)
        if why or method == "bootstrap" or (method is None and self._adjustable()):
            return why
        error, why = self._error
        if not why and abs(self.value) >= self._end - ROUNDING:
            why = f"the value is {self.value:g}, at or beyond the end of the scale"
        if not why and error == 0:
            what = "item" if self.clusters is None else "cluster"
            why = f"the standard error is 0: without any {what} the value is the same"
        return why

    def _cautions(self) -> list[str]:
        """What to know before an interval is believed, each once; rare labels are told
        apart, in reports in their own way."""
        few = "" if self.clusters is None else self.clusters.few
        return [*filter(None, [*self._noted, skewed(self), few])]
