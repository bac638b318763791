"""An agreement coefficient with what one needs to trust it.

Value, observed and expected disagreement, a standard error and an interval with
items, or clusters of them, as units, and breakdowns by item, label and pair of raters.
"""

from html import escape

import numpy as np
import pandas as pd

from .._checks import Array
from .._digits import decimals, significant
from .._words import quietly, sized, valued
from . import parts
from .estimate import Estimate


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
            ratings (of kappa_x also those of each replication); disagreement (mean
            distance over the item's pairs of judgments); without (the value without
            the item); before them times, of patterns.

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
        times = self._item_times
        columns = {} if times is None else {"times": times.astype(int)}
        columns |= {name: of[self._of] for name, of in self._sample.columns().items()}
        return pd.DataFrame(columns | {"without": self.without}, index=self.items)

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
            observed_disagreement, expected_disagreement, standard_error. Two who share
            no item have no row; without such raters the table is empty.

        Examples
        --------
        >>> import labelaudit as la
        >>> r = la.Ratings.from_matrix([[1, 1, 2], [2, 2, 2], [1, 2, 1], [2, 2, 1]])
        >>> pairs = la.krippendorff_alpha(r).per_rater_pair()
        >>> pairs["value"].round(3).to_dict()
        {(0, 1): 0.533, (0, 2): 0.125, (1, 2): -0.4}
        """
        return parts.by_rater_pair(self)

    # In words -----------------------------------------------------------------

    def _shares(self) -> str:
        """D_o and D_e in words: as agreement where no distance exceeds 1."""
        what, names = "agreement", parts.AGREEMENT
        if not self._bounded:
            what, names = "disagreement", parts.DISAGREEMENT
        observed, expected = (significant(getattr(self, name)) for name in names)
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
        with quietly():
            low, high = self.interval()
            error = self.standard_error
        lines = [f"{self.name} is undefined: {self.undefined}"]
        if not self.undefined:
            lines = [valued(self.name, self.value, low, high)]
        if not np.isnan(self.observed_disagreement):
            lines.append(self._shares())
        if not np.isnan(error):
            lines[-1] += f", standard error {significant(error)}"
        if not self.undefined:
            lines.append(self._meaning())
            if np.isnan(low):
                lines.append(f"no interval: {self._no_interval()}")
        return [*lines, sized(self)]

    def __repr__(self) -> str:
        return "\n".join(self._sentences())

    def _repr_html_(self) -> str:
        head, *rest = map(escape, self._sentences())
        return f"<strong>{head}</strong><br>" + "<br>".join(rest)
