"""The difference between two coefficients on the same items."""

import numpy as np

from .. import _checks
from .._checks import Array
from .._digits import significant
from .._words import quietly, shown, valued
from .agreement import Agreement
from .clusters import Clusters, known_clusters
from .estimate import Estimate
from .ratings import NO_JOIN


class Difference(Estimate):
    """The difference of two coefficients on the same items.

    Its standard error is the joint jackknife over the items, or over their clusters, so
    that what both have in common cancels. Its interval is the value plus and minus
    standard errors: normal, or Student's with one degree of freedom fewer than there
    are clusters; (NaN, NaN) where these are worth fewer than 3.

    Attributes
    ----------
    value : float
        First minus second.
    n_items, n_ratings : int
        Items of both, and their judgments: of the two together, but of the same
        ratings once.

    Examples
    --------
    >>> import labelaudit as la
    >>> table = [[1, 1], [1, 1], [1, 2], [2, 2], [2, 2], [1, 1]]
    >>> r = la.Ratings.from_matrix(table * 6)
    >>> d = la.difference(la.cohen_kappa(r), la.scott_pi(r))
    >>> low, high = d.interval()
    >>> round(d.value, 4), round(low, 3), round(high, 3)
    (0.0095, -0.009, 0.028)
    """

    _methods = ("jackknife",)
    _end = np.inf

    def __init__(self, a: Agreement, b: Agreement) -> None:
        self._pair, self.clusters = (a, b), b.clusters
        self.name, self.value = f"{a.name} minus {b.name}", a.value - b.value
        self.undefined = a.undefined or b.undefined
        self.items, self._of, times = b.items, np.arange(len(b.items)), b._item_times
        self._times = np.ones(len(b.items)) if times is None else times
        same = a._ratings is not None and a._ratings is b._ratings
        self.n_items, self.dropped = b.n_items, a.dropped or b.dropped
        self.n_ratings = b.n_ratings + (0 if same else a.n_ratings)

    def _changed(self, clusters: Clusters | None) -> Array:
        one, other = (of._jointly(self.items, clusters) for of in self._pair)
        return one - other

    def __repr__(self) -> str:
        with quietly():
            low, high = self.interval()
            error = f"joint standard error {significant(self.standard_error)}"
            none = f"\nno interval: {why}" if (why := self._no_interval()) else ""
        return f"{valued(self.name, self.value, low, high)}\n{error}{none}"


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
        value (a minus b), standard_error, interval(), of which the last two warn where
        they are NaN.

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
    if len(items) != len(others) or (items.get_indexer(others) < 0).any():
        only = items.symmetric_difference(others, sort=False)
        raise ValueError(
            "a and b must be of the same items, got"
            f" {len(items)} and {len(others)} that take part;"
            f" {shown(only[0])} is in one only"
        )
    one, other = a.clusters, b.clusters
    if (one is None) != (other is None):
        which = "a" if one is None else "b"
        raise ValueError(
            f"a and b must both have clusters, or neither; {which} has none"
        )
    if one and other:
        whose = (items, one.names[one.of]), (others, other.names[other.of])
        known_clusters("a and b", *whose)
    return Difference(a, b)._told()
