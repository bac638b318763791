"""The difference between two coefficients on the same items."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .. import _checks
from .._checks import Array
from .._digits import significant
from .._words import quietly, shown, warn
from .agreement import Agreement
from .clusters import Clusters
from .ratings import NO_JOIN
from .reading import objects
from .uncertainty import jackknife, quantile, unmoved


@dataclass(frozen=True, repr=False)
class Difference:
    """The difference of two coefficients on the same items.

    Attributes
    ----------
    value : float
        First minus second.
    standard_error : float
        Joint jackknife over the items, or over their clusters.

    Examples
    --------
    >>> import labelaudit as la
    >>> r = la.Ratings.from_matrix([[1, 1], [1, 1], [1, 2], [2, 2], [2, 2], [1, 1]])
    >>> round(la.difference(la.cohen_kappa(r), la.scott_pi(r)).value, 4)
    0.0095
    """

    value: float
    standard_error: float
    name: str = "difference"
    no_interval: str = ""
    _clusters: Clusters | None = field(default=None, compare=False)

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """(low, high), normal; (NaN, NaN) with a warning where it is undefined.

        With clusters by Student's distribution with one degree of freedom fewer than
        there are clusters; none where they are worth fewer than 3.

        Examples
        --------
        >>> import labelaudit as la
        >>> table = [[1, 1], [1, 1], [1, 2], [2, 2], [2, 2], [1, 1]]
        >>> r = la.Ratings.from_matrix(table * 6)
        >>> low, high = la.difference(la.cohen_kappa(r), la.scott_pi(r)).interval()
        >>> round(low, 3), round(high, 3)
        (-0.009, 0.028)
        """
        confidence = _checks.confidence(confidence)
        if self.no_interval or not self.standard_error > 0:
            none = "it has no standard error"
            unsure = none if np.isnan(self.standard_error) else unmoved(self._clusters)
            why = self.no_interval or unsure
            warn(f"the {self.name} has no interval: {why}")
            return np.nan, np.nan
        if self._clusters is not None and self._clusters.few:
            warn(f"the {self.name}: {self._clusters.few}")
        half = quantile(confidence, self._clusters) * self.standard_error
        return self.value - half, self.value + half

    def __repr__(self) -> str:
        with quietly():
            low, high = self.interval()
        interval = ""
        if not np.isnan(low):
            interval = f", 95 % interval {significant(low)} to {significant(high)}"
        return (
            f"{self.name} {significant(self.value)}{interval}\n"
            f"joint standard error {significant(self.standard_error)}"
        )


def difference(a: Agreement, b: Agreement) -> Difference:
    """How far two coefficients on the same items are apart.

    Parameters
    ----------
    a, b : Agreement
        Of the same items: two coefficients of the same ratings, or of two groups
        of raters, say.

    Returns
    -------
    Difference
        value (a minus b), standard_error (the delete-one-item jackknife of the
        difference, so that what both have in common cancels), interval().

    Raises
    ------
    ValueError
        Where the items that take part differ, or their clusters.

    Examples
    --------
    >>> import labelaudit as la
    >>> r = la.Ratings.from_matrix([[1, 1], [1, 1], [1, 2], [2, 2], [2, 2], [1, 1]])
    >>> d = la.difference(la.cohen_kappa(r), la.scott_pi(r))
    >>> round(d.value, 4), round(d.standard_error, 4)
    (0.0095, 0.0162)
    """
    for name, given in (("a", a), ("b", b)):
        if not isinstance(given, Agreement):
            raise _checks.refuse(name, given, "an Agreement")
    for name, given in (("a", a), ("b", b)):
        if given._item_times is not None and a._ratings is not b._ratings:
            raise ValueError(NO_JOIN.format(name=name))
    items, others = a.items, b.items
    where = items.get_indexer(others)
    if len(items) != len(others) or (where < 0).any():
        only = items.symmetric_difference(others, sort=False)
        raise ValueError(
            "a and b must be of the same items, got"
            f" {len(items)} and {len(others)} that take part;"
            f" {shown(only[0])} is in one only"
        )
    clusters = _same_clusters(a, b, where)
    value, error = a.value - b.value, np.nan
    why = a.undefined or b.undefined or ("" if a.n_items > 1 else "one item only")
    drawn: Any = "item", others, b._item_times
    if clusters is not None:
        drawn = "cluster", clusters.names
        why = why or ("" if len(clusters) > 1 else "one cluster only")
    if not why:
        apart = a._jointly(others, clusters) - b._jointly(others, clusters)
        error, why = jackknife(apart, value, *drawn)
    if why:
        warn(f"the difference has no standard error: {why}")
    no_interval = "" if clusters is None else clusters.too_few
    return Difference(value, error, f"{a.name} minus {b.name}", no_interval, clusters)


def _same_clusters(a: Agreement, b: Agreement, where: Array) -> Clusters | None:
    """The clusters of both; where: the place of b's items among those of a."""
    one, other = a.clusters, b.clusters
    if one is None and other is None:
        return None
    if one is None or other is None:
        which = "a" if one is None else "b"
        raise ValueError(
            f"a and b must both have clusters, or neither; {which} has none"
        )
    mine, its = one.names[one.of[where]], other.names[other.of]
    unlike = np.flatnonzero(objects(mine) != objects(its))
    if len(unlike):
        k = unlike[0]
        raise ValueError(
            f"a and b must have the same clusters, got {shown(mine[k])} and"
            f" {shown(its[k])} for item {shown(b.items[k])}"
        )
    return other
