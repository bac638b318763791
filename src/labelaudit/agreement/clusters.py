"""Clusters: items that share their luck, as those of a document or a conversation do.

Then the cluster is what is drawn, and what is left out for a standard error: the
delete-one-cluster jackknife, SE^2 = (G - 1) / G sum (v_g - mean)^2 over the values v_g
without each of the G clusters.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from .. import _checks
from .._checks import Array
from .._words import plural, shown
from . import reading

# With so few clusters, in effect, an interval covers far less than it says; with so few
# it may, and a warning gives their number.
TOO_FEW, FEW = 3, 20
ROUNDING = 1e-13  # a variance of so small a share of the squares is none


def of_items(given: Any, items: pd.Index) -> pd.Index:
    """One cluster for each item: a Series joins on items, else in their order."""
    values = reading.of_items("clusters", given, items, "cluster")
    codes, found = reading.identities(values, "clusters", "item", items)
    return found[codes]


def of_rows(values: Any, item: Array, items: pd.Index) -> pd.Index:
    """The cluster of each item, of a column with one entry a row.

    item : (n_rows,), the position of each row's item
    """
    codes, found = reading.identities(values, "cluster", "item", items[item])
    of = np.empty(len(items), dtype=np.int32)
    of[item] = codes
    unlike = np.flatnonzero(of[item] != codes)
    if len(unlike):
        row = unlike[0]
        both = f"{shown(found[codes[row]])} and {shown(found[of[item[row]]])}"
        which = shown(items[item[row]])
        accepted = f"one cluster for each item (item {which} has two)"
        raise _checks.refuse("cluster", both, accepted)
    return found[of]


def known_clusters(whose: str, *of: tuple[Iterable[Any], Any]) -> dict[Any, Any]:
    """The cluster of each item, from several of items and their clusters (None: they
    have none). Refused where two differ; whose names them."""
    known: dict[Any, Any] = {}
    for items, clusters in of:
        for item, cluster in zip(items, () if clusters is None else clusters):
            if known.setdefault(item, cluster) != cluster:
                raise ValueError(
                    f"{whose} must have the same clusters, got {shown(known[item])}"
                    f" and {shown(cluster)} for item {shown(item)}"
                )
    return known


def of_both(x: Any, y: Any) -> list[pd.Index | None]:
    """The clusters of two Ratings' items, each taken from the other where it has none.

    Refused where they disagree, or where one does not know the cluster of an item.
    """
    both, each = [], ((r.items, r.clusters) for r in (x, y))
    known = known_clusters("x and y", *each)
    for name, r in (("x", x), ("y", y)) if known else ():
        of, lost = r.clusters, [item for item in r.items if item not in known]
        if of is None and len(lost) < len(r.items):  # else there is nothing to compare
            if lost:
                seen = f"nothing for item {shown(lost[0])} of {name}"
                accepted = "given for x and for y where one has items of its own"
                raise _checks.refuse("clusters", seen, accepted)
            of = reading.index_of(map(known.__getitem__, r.items))
        both.append(of)
    return both or [x.clusters, y.clusters]


def places(names: Iterable[Any], among: Iterable[Any]) -> Array:
    """Where each name is among others (True and 1 are one); -1: nowhere."""
    at = {name: place for place, name in enumerate(among)}
    return np.array([at.get(name, -1) for name in names], dtype=np.intp)


class Clusters:
    """The clusters of the items that take part.

    Attributes
    ----------
    of : (n_items,), positions in names
    names : Index of the G clusters
    sizes : (G,), items of each
    effective : float, (sum m)^2 / sum m^2 with m items each
    """

    def __init__(self, entries: pd.Index) -> None:
        self.of, names = pd.factorize(reading.objects(entries))
        self.names = reading.index_of(names)
        self.sizes = m = np.bincount(self.of, minlength=len(names)).astype(float)
        self.effective = float(m.sum() ** 2 / max(m @ m, 1.0))

    def __len__(self) -> int:
        return len(self.names)

    def alike(self, of_items: Array) -> float:
        """Correlation of two items of a cluster, from 0 to 1: by analysis of variance.

        of_items : (n_items,), the quantity; NaN where it does not vary
        """
        m, sums = self.sizes, np.bincount(self.of, of_items)
        n, groups, between = m.sum(), len(m), (sums**2 / m).sum()
        within = (of_items @ of_items - between) / max(n - groups, 1)
        among = (between - sums.sum() ** 2 / n) / (groups - 1)
        mean = (n - m @ m / n) / (groups - 1)
        total = among + (mean - 1) * within
        differ = total > ROUNDING * (of_items @ of_items) / n
        return float(np.clip((among - within) / total, 0, 1)) if differ else np.nan

    @property
    def too_few(self) -> str:
        """Why there is no interval; empty where there may be one."""
        return self._told(TOO_FEW, "too few for an interval")

    @property
    def few(self) -> str:
        """What to know of an interval."""
        return self._told(FEW, "an interval may be too short")

    def _told(self, least: int, what: str) -> str:
        if self.effective >= least:
            return ""
        many, worth = plural(len(self), "cluster"), f"{self.effective:.3g}"
        more = "" if worth == str(len(self)) else f", worth {worth}"
        return f"{many}{more}: {what}"
