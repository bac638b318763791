"""An agreement coefficient with what one needs to trust it.

Value, observed and expected disagreement, a standard error and an interval with
items as units, and breakdowns by item, label and pair of raters.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any, Self

import numpy as np
import pandas as pd

from .._checks import Array
from .._digits import decimals, significant
from .._words import label_name, plural, quietly, warn
from . import parts, uncertainty
from .clusters import Clusters
from .estimate import Estimate
from .ratings import Ratings
from .sample import Sample, without_rounding


class Agreement(Estimate):
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

    distance: Any = None
    _sample: Any = None
    _strangers: str = ""  # whether two replications share no label
    _ratings: Ratings | None = None  # of which it is, and how to compute it of others
    _again: Callable[..., Agreement] | None = None

    def __init__(
        self,
        name: str,
        sample: Sample,
        r: Ratings,
        dropped: str,
        nothing: str,
        *,
        certain: str = "",
        again: Callable[..., Agreement] | None = None,
    ) -> None:
        """nothing : why no item takes part, where none does; certain : why D_e is 0"""
        units = sample.units
        rows = slice(None) if (units.of >= 0).all() else units.of >= 0
        self.name, self._sample, self.distance = name, sample, sample.distance
        self.items, self._of, self._times = r.items[rows], units.of[rows], units.times
        self._ratings, self._again, self.dropped = r, again, dropped
        self.labels, self._totals = sample.labels, sample.totals
        self._in_use = np.flatnonzero(self._totals)
        if r.clusters is not None:
            self.clusters = Clusters(r.clusters[rows])
        self.n_items, self.n_ratings = int(units.times.sum()), int(self._totals.sum())
        d_o, d_e, _ = sample.whole
        self.observed_disagreement, self.expected_disagreement = d_o, d_e
        if self.n_items == 0:
            self.undefined = nothing
        elif not d_e > 0 and not certain and len(self._in_use) == 1:
            only = label_name(self.labels[self._in_use[0]])
            self.undefined = f"every judgment is {only}, so D_e = 0"
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
    def _item_times(self) -> Array | None:
        """How many items each of `items` is, where they are patterns."""
        times = None if self._ratings is None else self._ratings.times
        return None if times is None else times[self.items]

    @property
    def _bounded(self) -> bool:
        return self.distance is None or self.distance.bounded

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
        times, several = self._item_times, self.n_items > 1 and not self.undefined
        columns = {} if times is None else {"times": times.astype(int)}
        columns |= {name: of[self._of] for name, of in self._sample.columns().items()}
        without = self.without if several else np.nan
        return pd.DataFrame(columns | {"without": without}, index=self.items)

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

    # Other samples ------------------------------------------------------------

    def _changed(self, clusters: Clusters | None) -> Array:
        n = len(self._times)
        part = (np.arange(n), n) if clusters is None else (clusters.of, len(clusters))
        return self._sample.changes(*part)

    def _resampled(self, times: Array) -> float:
        return self._sample.resampled(times)

    def _adjustable(self) -> bool:
        labels, judges = len(self._in_use), len(self._sample.judges()[0])
        none = self.undefined or self._strangers or labels < 2
        return not none and labels * judges <= uncertainty.MOST

    def _with_items(self, split: float, each: float) -> Sample:
        """See `uncertainty`."""
        said, often = self._added(split)
        return self._sample.plus(said, often * each)

    def _added(self, split: float) -> tuple[Array, Array]:
        return uncertainty.added(self._in_use, len(self._sample.judges()[0]), split)

    # In words -----------------------------------------------------------------

    def _shares(self) -> str:
        """D_o and D_e in words: as agreement where no distance exceeds 1."""
        what, both = "agreement", (self.observed, self.expected)
        if not self._bounded:
            what = "disagreement"
            both = self.observed_disagreement, self.expected_disagreement
        observed, expected = map(significant, both)
        name = self.distance.name
        of = "" if name == "nominal" else f" ({name} distance)"
        return f"observed {what} {observed}, expected by chance {expected}{of}"

    def _meaning(self) -> str:
        """What 1 - D_o / D_e says, in words."""
        if self.value < -1e-12:
            return "less agreement than chance alone would give"
        share = f"{decimals(100 * self.value, 0)} %"
        if self._bounded:
            return f"{share} of the agreement that chance leaves room for"
        return f"removes {share} of the disagreement that chance alone would give"

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
        if not np.isnan(self.observed_disagreement):
            lines.append(self._shares())
        if not np.isnan(error):
            lines[-1] += f", standard error {significant(error)}"
        if not self.undefined:
            lines.append(self._meaning())
            if np.isnan(low):
                lines.append(f"no interval: {self._no_interval()}")
        size = f"{plural(self.n_items, 'item')}, {plural(self.n_ratings, 'judgment')}"
        if self.clusters is not None:
            size += f", {plural(len(self.clusters), 'cluster')}"
        lines.append(size + (f"; {self.dropped}" if self.dropped else ""))
        return lines

    def __repr__(self) -> str:
        return "\n".join(self._sentences())

    def _repr_html_(self) -> str:
        head, *rest = map(escape, self._sentences())
        return f"<strong>{head}</strong><br>" + "<br>".join(rest)
