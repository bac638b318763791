"""Clusters: items that share their luck, as those of a document or a conversation do.

Then the cluster is what is drawn, and what is left out for a standard error: the
delete-one-cluster jackknife, SE^2 = (G - 1) / G sum (v_g - mean)^2 over the values v_g
without each of the G clusters.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import ndtri, stdtrit

from .. import _checks
from .._checks import Array
from .._words import plural, shown
from .reading import SEQUENCES, factorized, index_of, objects, unmasked

# With so few clusters, in effect, an interval covers far less than it says; with so few
# it may, and a warning gives their number.
TOO_FEW, FEW = 3, 20


def of_items(given: Any, items: pd.Index) -> pd.Index | None:
    """One cluster for each item: a Series joins on items, else in their order."""
    if given is None:
        return None
    accepted = "a Series that names items, or one cluster for each item in order"
    if isinstance(given, pd.Series):
        if given.index.has_duplicates:
            twice = given.index[given.index.duplicated()][0]
            raise _checks.refuse("clusters", twice, "one cluster for each item")
        if (given.index.get_indexer(items) < 0).all():
            raise _checks.refuse(
                "clusters",
                f"the index {list(given.index[:3])}",
                f"a Series whose index names items, such as {shown(items[0])}",
            )
        values = given.reindex(items).array
    else:
        wrong = isinstance(given, (str, bytes)) or getattr(given, "ndim", 1) != 1
        if wrong or not isinstance(given, SEQUENCES):
            raise _checks.refuse("clusters", given, accepted)
        if len(given) != len(items):
            accepted += f" ({len(items)} items)"
            raise _checks.refuse("clusters", f"{len(given)} clusters", accepted)
        values = unmasked(given) if hasattr(given, "dtype") else objects(given)
    return _named("clusters", values, items)


def of_rows(name: str, column: pd.Series, item: Array, items: pd.Index) -> pd.Index:
    """The cluster of each item, of a column with one entry a row.

    item : (n_rows,), the position of each row's item
    """
    codes, found = factorized(column.array, name)
    lowest = np.full(len(items), len(found), dtype=np.int64)
    highest = np.full(len(items), -1, dtype=np.int64)
    np.minimum.at(lowest, item, codes)
    np.maximum.at(highest, item, codes)
    several = np.flatnonzero((lowest != highest) & (lowest >= 0))
    if len(several):
        at = several[0]
        both = f"{shown(found[lowest[at]])} and {shown(found[highest[at]])}"
        accepted = f"one cluster for each item (item {shown(items[at])} has two)"
        raise _checks.refuse(name, both, accepted)
    values = objects([*found, None])[lowest]
    return _named(name, values, items)


def _named(name: str, values: Any, items: pd.Index) -> pd.Index:
    codes, found = factorized(values, name)
    if (codes < 0).any():
        item = shown(items[int(np.argmax(codes < 0))])
        raise _checks.refuse(name, f"nothing for item {item}", "given for every item")
    return index_of(objects(found)[codes])


def of_both(x: Any, y: Any) -> tuple[pd.Index | None, pd.Index | None]:
    """The clusters of two Ratings' items, each taken from the other where it has none.

    Refused where they disagree, or where one does not know the cluster of an item.
    """
    if x.clusters is None and y.clusters is None:
        return None, None
    at = x.items.get_indexer(y.items)
    if (at < 0).all():  # nothing to compare
        return x.clusters, y.clusters
    if x.clusters is None:
        back = y.items.get_indexer(x.items)
        return _taken("x", x.items, y.clusters, back), y.clusters
    if y.clusters is None:
        return x.clusters, _taken("y", y.items, x.clusters, at)
    shared = np.flatnonzero(at >= 0)
    here, there = objects(y.clusters)[shared], objects(x.clusters)[at[shared]]
    unlike = np.flatnonzero(here != there)
    if len(unlike):
        k = unlike[0]
        raise ValueError(
            "x and y must have the same clusters, got"
            f" {shown(there[k])} and {shown(here[k])} for item"
            f" {shown(y.items[shared[k]])}"
        )
    return x.clusters, y.clusters


def _taken(name: str, items: pd.Index, clusters: pd.Index, at: Array) -> pd.Index:
    if (at < 0).any():
        item = shown(items[int(np.argmax(at < 0))])
        accepted = "given for x and for y where one of them has items of its own"
        raise _checks.refuse("clusters", f"nothing for item {item} of {name}", accepted)
    return clusters[at]


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
    effective : float, (sum m)^2 / sum m^2 with m items each
    """

    def __init__(self, entries: pd.Index) -> None:
        self.of, names = pd.factorize(objects(entries))
        self.names = index_of(names)
        size = np.bincount(self.of, minlength=len(names)).astype(float)
        self.effective = float(size.sum() ** 2 / max(size @ size, 1.0))

    def __len__(self) -> int:
        return len(self.names)

    @property
    def too_few(self) -> str:
        """Why there is no interval; empty where there may be one."""
        if self.effective >= TOO_FEW:
            return ""
        return f"{self._many()}: too few for an interval"

    @property
    def few(self) -> str:
        """What to know of an interval."""
        if self.effective >= FEW:
            return ""
        return f"{self._many()}: an interval may be too short"

    def _many(self) -> str:
        worth = f"{self.effective:.3g}"
        same = worth == str(len(self))
        return plural(len(self), "cluster") + ("" if same else f", worth {worth}")


def quantile(confidence: float, clusters: Clusters | None) -> float:
    """Of the normal distribution, or of Student's with G - 1 degrees of freedom."""
    p = (1 + confidence) / 2
    return float(ndtri(p) if clusters is None else stdtrit(len(clusters) - 1, p))
