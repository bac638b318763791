"""An agreement coefficient with what one needs to trust it.

Value, observed and expected disagreement, a standard error and an interval with
items as units, and breakdowns by item, label and pair of raters.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from html import escape
from math import ceil
from typing import Any

import numpy as np
import pandas as pd

from .. import _checks
from .._checks import Array
from .._digits import significant
from .._words import plural, quietly, warn
from . import parts
from .adjusted import limits, spread
from .clusters import Clusters, quantile
from .disagreement import ROUNDING, Statistic, jackknife
from .ratings import Ratings

# A bootstrap that would take longer, in seconds, is not begun; a repetition takes
# about so many seconds for each item and judgment.
LONGEST = 120
SECONDS = 6e-8
# From so many items on, one item more or less is lost in rounding: the influences of
# items then take the place of the values without them, of which they are the limit.
MANY = 10**8


UNMOVED = "the standard error is 0: without any {} the value is the same"


@dataclass(frozen=True, eq=False, repr=False)
class Agreement:
    """An agreement coefficient, 1 - D_o / D_e.

    Attributes
    ----------
    name : str
    value : float
        The coefficient; NaN where it is undefined. float(a) is the same.
    observed, expected : float
        Observed and expected agreement, 1 - D_o and 1 - D_e. NaN where a distance can
        exceed 1, so that there is no such share: for "interval", "ordinal" and a
        matrix or callable with a larger value.
    observed_disagreement, expected_disagreement : float
        D_o and D_e, mean distances; NaN for a normalised kappa and without any item.
    n_items, n_ratings : int
        Items and judgments that take part.
    n_clusters : int, or None
        Clusters of these items, where the ratings have clusters.
    dropped : str
        What does not take part, and why; empty where everything does.
    undefined : str
        Why the value is NaN; empty where it is not.
    distance : Distance, or None
        How far labels are apart, where it is an agreement of labels alone.

    Examples
    --------
    >>> import labelaudit as la
    >>> rows = [[1, 1], [1, 1], [1, 2], [2, 2], [2, 2], [2, 1]] * 10
    >>> r = la.Ratings.from_matrix(rows)
    >>> a = la.cohen_kappa(r)
    >>> round(float(a), 3), round(a.observed, 3), a.expected
    (0.333, 0.667, 0.5)
    >>> print(a)
    Cohen's kappa 0.333, 95 % interval 0.0642 to 0.56
    observed agreement 0.667, expected by chance 0.5, standard error 0.124
    33 % of the agreement that chance leaves room for
    60 items, 120 judgments
    >>> a = la.krippendorff_alpha(r, "interval")
    >>> round(a.observed_disagreement, 3), a.observed
    (0.333, nan)
    """

    name: str
    value: float
    observed_disagreement: float
    expected_disagreement: float
    n_items: int
    n_ratings: int
    dropped: str
    undefined: str
    _statistic: Any
    _ratings: Ratings | None = None
    _again: Callable[..., Agreement] | None = None
    distance: Any = None

    def __float__(self) -> float:
        return self.value

    @property
    def observed(self) -> float:
        """Observed agreement, 1 - D_o; NaN where a distance can exceed 1."""
        return 1 - self.observed_disagreement if self._bounded else np.nan

    @property
    def expected(self) -> float:
        """Expected agreement, 1 - D_e; NaN where a distance can exceed 1."""
        return 1 - self.expected_disagreement if self._bounded else np.nan

    @property
    def _bounded(self) -> bool:
        return self.distance is None or self.distance.bounded

    @property
    def n_clusters(self) -> int | None:
        """Clusters that take part; None without clusters."""
        return None if self._clusters is None else len(self._clusters)

    @property
    def _clusters(self) -> Clusters | None:
        return self._statistic.clusters

    # Uncertainty --------------------------------------------------------------

    @cached_property
    def _without_clusters(self) -> Array:
        """The value without each cluster, (n_clusters,)."""
        return self._statistic.leave_clusters_out()

    @cached_property
    def _without(self) -> Array:
        """The value without one item of each unit."""
        values = self._statistic.leave_one_out()
        values.flags.writeable = False
        return values

    @property
    def without(self) -> Array:
        """The value without each item that takes part in turn, (n_items,)."""
        values = self._statistic.each(self._without)
        values.flags.writeable = False
        return values

    @cached_property
    def _error(self) -> tuple[float, str]:
        """The standard error, and why there is none."""
        if self.undefined:
            return np.nan, self.undefined
        if self.n_items < 2:
            return np.nan, "a standard error needs at least two items"
        if self._clusters is not None:
            if len(self._clusters) < 2:
                return np.nan, "a standard error needs at least two clusters"
            return jackknife(self._without_clusters, clusters=self._clusters)
        if self.n_items > MANY:
            return spread(*self._statistic.influences()[1:]), ""
        return jackknife(self._without, self._statistic)

    @property
    def standard_error(self) -> float:
        """Delete-one-item jackknife, exact; items are the units, or their clusters.

        sqrt((n - 1) / n sum (t_i - mean t)^2) over the values t_i without item i, or
        without cluster i. NaN, with a warning, where the value is undefined, or would
        be without some item or cluster.
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
        method : None, "adjusted", "jackknife" or "bootstrap"
            None is "adjusted", with clusters "jackknife". "adjusted": one item is
            added on which all agree, evenly for each label in use, and for the lower
            end one that is split between two labels, evenly for each pair of them; on
            the scale of sqrt(1 - value). "jackknife": the jackknife standard error,
            on the scale of atanh(value). "bootstrap": percentiles over items drawn
            with replacement.
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
            (-1, 1), or the standard error is 0 or undefined. With clusters Student's
            quantile is taken, of G - 1 degrees of freedom for G clusters, and the
            bootstrap draws clusters; none where they are worth fewer than 3,
            (sum m)^2 / sum m^2 with m items each, and a warning below 20.

        Raises
        ------
        ValueError
            For another method; "adjusted" with one label, clusters, or so many
            labels and raters that the items would have over 2 million judgments.

        Notes
        -----
        At a nominal 95 % "adjusted" covered at least 92 % in each of the simulated
        settings of notebook sweep_04, with nominal labels; the jackknife covers as
        little as half where a label is rare. With other distances nothing is known to
        cover where a rare label is far from the others, and a warning says so where
        one label has more than three quarters of the judgments.

        References
        ----------
        Agresti and Coull 1998 and Bartlett 1936, for a proportion and a count.

        Examples
        --------
        >>> import labelaudit as la
        >>> r = la.Ratings.from_counts([[3, 0], [0, 3], [2, 1], [3, 0], [1, 2]] * 8)
        >>> low, high = la.fleiss_kappa(r).interval(0.9)
        >>> print(f"{low:.2f} to {high:.2f}")
        0.24 to 0.61
        """
        confidence = _checks.confidence(confidence)
        if method is not None:
            _checks.one_of("method", method, ("adjusted", "jackknife", "bootstrap"))
        repetitions = enough_repetitions(repetitions, confidence, method)
        random = _checks.generator(seed)
        why = self._no_interval(method)
        if why:
            warn(f"{self.name} has no interval: {why}")
            return np.nan, np.nan
        statistic, clusters = self._statistic, self._clusters
        if method == "adjusted" and not self._adjustable:
            accepted = 'None, "jackknife" or "bootstrap" where one label is in use, or'
            accepted += " very many, and with clusters"
            raise _checks.refuse("method", method, accepted)
        for caution in self._cautions():
            warn(f"{self.name}: {caution}")
        if method in (None, "adjusted") and self._adjustable:
            return limits(statistic, self.value, confidence)
        if method == "bootstrap":
            return self._bootstrap(confidence, repetitions, random)
        half = quantile(confidence, clusters) * self._error[0] / (1 - self.value**2)
        centre = np.arctanh(self.value)
        return float(np.tanh(centre - half)), float(np.tanh(centre + half))

    def _no_interval(self, method: str | None = None) -> str:
        """Why there is no interval; empty where there is one."""
        if self.undefined:
            return self.undefined
        if self._clusters is not None and self._clusters.too_few:
            return self._clusters.too_few
        if method in ("adjusted", "bootstrap") or (not method and self._adjustable):
            return ""
        error, why = self._error
        if why:
            return why
        if abs(self.value) >= 1 - ROUNDING:
            return f"the value is {self.value:g}, at or beyond the end of the scale"
        if error == 0:
            return UNMOVED.format("item" if self._clusters is None else "cluster")
        return ""

    def _cautions(self) -> list[str]:
        """What to know before an interval is believed, each once."""
        s, few = self._statistic, "" if self._clusters is None else self._clusters.few
        return list(filter(None, [*s.cautions, s.skewed, few]))

    @property
    def _adjustable(self) -> bool:
        return self._statistic.adjustable and self._clusters is None

    def _bootstrap(
        self, confidence: float, repetitions: int, random: np.random.Generator
    ) -> tuple[float, float]:
        times, clusters = self._statistic.times, self._clusters
        each = SECONDS * len(times) * (1 + self.n_ratings / self.n_items)
        if repetitions * each > LONGEST:
            accepted = f"at most {int(LONGEST / each):,} for so many items (so many"
            accepted += f" would take about {repetitions * each / 60:.0f} minutes)"
            raise _checks.refuse("repetitions", repetitions, accepted)
        drawn, share = self.n_items, self._statistic.times / self.n_items
        if clusters is not None:
            drawn, share = len(clusters), np.full(len(clusters), 1 / len(clusters))
        values = np.empty(repetitions)
        for b in range(repetitions):
            times = random.multinomial(drawn, share).astype(float)
            if clusters is not None:
                times = times[clusters.of]
            values[b] = self._statistic.resampled(times)
        lost = int(np.isnan(values).sum())
        if lost:
            warn(
                f"{self.name}: undefined in {lost} of {repetitions} bootstrap samples,"
                " which are left out"
            )
        if lost == repetitions:
            return np.nan, np.nan
        if np.nanmin(values) == np.nanmax(values):
            warn(f"{self.name}: every bootstrap sample gives {values[0]:g}")
        ends = np.nanquantile(values, [(1 - confidence) / 2, (1 + confidence) / 2])
        return float(ends[0]), float(ends[1])

    # Breakdowns ---------------------------------------------------------------

    def per_item(self) -> pd.DataFrame:
        """Each item that takes part: its judgments, and what it does to the value.

        Returns
        -------
        DataFrame, index items
            ratings; disagreement (mean distance over the item's pairs of
            judgments); without (the value without the item).

        Examples
        --------
        >>> import labelaudit as la
        >>> r = la.Ratings.from_matrix([[1, 1], [1, 1], [1, 2], [2, 2]])
        >>> la.cohen_kappa(r).per_item().round(2)
           ratings  disagreement  without
        0        2           0.0      0.4
        1        2           0.0      0.4
        2        2           1.0      1.0
        3        2           0.0      0.0
        """
        table = self._statistic.per_item()
        if self.n_items > 1 and not self.undefined:
            return table.assign(without=self.without)
        return table.assign(without=np.nan)

    def per_label(self) -> pd.DataFrame:
        """Each label: how well raters tell it from all others.

        The same coefficient of the judgments with two labels, this one and the
        rest; for another distance than nominal, with the distances that involve
        this label and 0 for all others.

        Returns
        -------
        DataFrame, index labels
            ratings and share (of the judgments), value, observed, expected,
            observed_disagreement, expected_disagreement, standard_error. Agreement is
            NaN for all labels where it is for the whole.

        Examples
        --------
        >>> import labelaudit as la
        >>> r = la.Ratings.from_matrix([["a", "a"], ["a", "b"], ["b", "b"], ["c", "c"]])
        >>> la.fleiss_kappa(r).per_label()[["ratings", "value"]].round(3)
           ratings  value
        a        3  0.467
        b        3  0.467
        c        2  1.000
        """
        if hasattr(self._statistic, "per_label"):
            return self._statistic.per_label()
        return parts.by_label(self)

    def per_rater_pair(self) -> pd.DataFrame:
        """The same coefficient for every two raters who share an item.

        Returns
        -------
        DataFrame, index (rater, other rater)
            items (that both judged), value, observed, expected,
            observed_disagreement, expected_disagreement, standard_error.

        Examples
        --------
        >>> import labelaudit as la
        >>> r = la.Ratings.from_matrix([[1, 1, 2], [2, 2, 2], [1, 2, 1], [2, 2, 1]])
        >>> pairs = la.krippendorff_alpha(r).per_rater_pair()
        >>> pairs["value"].round(3).to_dict()
        {(0, 1): 0.533, (0, 2): 0.125, (1, 2): -0.4}
        """
        return parts.by_rater_pair(self)

    @cached_property
    def _table(self) -> Array:
        """The distances between all labels."""
        assert self._ratings is not None
        return self.distance.table(len(self._ratings.labels))

    # In words -----------------------------------------------------------------

    def _sentences(self) -> list[str]:
        if self.undefined:
            head = f"{self.name} is undefined: {self.undefined}"
        else:
            head = f"{self.name} {significant(self.value)}"
        with quietly():
            low, high = self.interval()
            error = self.standard_error
        if not np.isnan(low):
            head += f", 95 % interval {significant(low)} to {significant(high)}"
        lines = [head]
        both = self.observed_disagreement, self.expected_disagreement
        if not np.isnan(both[0]):
            lines.append(self._statistic.shares(*both))
        if not np.isnan(error):
            lines[-1] += f", standard error {significant(error)}"
        if not self.undefined:
            lines.append(self._statistic.meaning(self.value))
            if np.isnan(low):
                lines.append(f"no interval: {self._no_interval()}")
        size = f"{plural(self.n_items, 'item')}, {plural(self.n_ratings, 'judgment')}"
        if self._clusters is not None:
            size += f", {plural(len(self._clusters), 'cluster')}"
        lines.append(size + (f"; {self.dropped}" if self.dropped else ""))
        return lines

    def __repr__(self) -> str:
        return "\n".join(self._sentences())

    def _repr_html_(self) -> str:
        head, *rest = map(escape, self._sentences())
        return f"<strong>{head}</strong><br>" + "<br>".join(rest)


def agreement(
    name: str,
    statistic: Statistic,
    ratings: Ratings | None = None,
    again: Callable[..., Agreement] | None = None,
    distance: Any = None,
    result: type[Agreement] | None = None,
) -> Agreement:
    """The result for a computed disagreement; warns where it is undefined."""
    observed, expected = statistic.disagreement()
    value = np.nan
    if statistic.undefined:
        warn(f"{name} is undefined: {statistic.undefined}")
    else:
        value = getattr(statistic, "value", 1 - observed / expected)
        if abs(value) <= ROUNDING:
            value = 0.0
    for caution in statistic.cautions:
        warn(f"{name}: {caution}")
    return (result or Agreement)(
        name,
        value,
        observed,
        expected,
        statistic.n_items,
        statistic.n_ratings,
        statistic.dropped,
        statistic.undefined,
        statistic,
        ratings,
        again,
        distance,
    )


def enough_repetitions(value: Any, confidence: float, method: str | None) -> int:
    """How often to resample: each tail of a percentile interval needs a value."""
    alpha = 1 - _checks.fraction(confidence)
    least = ceil(2 / alpha) if method == "bootstrap" else 1
    return _checks.count("repetitions", value, least, _checks.LARGEST_REPETITIONS)
