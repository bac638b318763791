"""Cross-replication reliability: do two replications agree (Wong et al. 2021)?

kappa_x compares judgments of an item across two replications only. It is Cohen's
kappa with replications in the place of raters, who may judge an item several times.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from .. import _checks
from .._checks import Array
from .._words import kind, side_by_side
from . import distances
from .agreement import Agreement
from .clusters import of_both
from .disagreement import REPLICATIONS, Chance, Disagreement
from .ratings import Ratings
from .reading import sorted_labels
from .table import joinable
from .units import together


def cross_kappa(x: Ratings, y: Ratings, distance: Any = "nominal") -> Agreement:
    """kappa_x: agreement between two replications, beyond chance.

    Parameters
    ----------
    x, y : Ratings
        Joined on their items, which must be of one type (1 is not "1"); an item
        takes part where both replications judged it. Any numbers of raters; who
        judged does not matter.
    distance : as for krippendorff_alpha
        As for krippendorff_alpha. Labels of both together; the ranks of "ordinal"
        are those of the judgments of both, and are held fixed in the standard
        error.

    Returns
    -------
    Agreement
        1 - d_o / d_e. d_o: the mean distance between judgments of an item in x and in
        y, weighted by its judgments; d_e: that between any judgment of x and any of y.
        With one judgment per item in each replication it is Cohen's kappa.

    Raises
    ------
    ValueError
        For ratings with repeats, a distance that does not fit, declared labels
        that differ.

    References
    ----------
    Wong, Paritosh and Aroyo 2021, Eq. 6-11.

    Examples
    --------
    >>> import labelaudit as la
    >>> x = la.Ratings.from_matrix([[1, 1], [2, 2], [1, 2], [2, 2]])
    >>> y = la.Ratings.from_matrix([[1, None], [2, 2], [1, 1], [2, 1]])
    >>> import warnings; warnings.simplefilter("ignore")  # few items
    >>> round(la.cross_kappa(x, y).value, 4)
    0.4851
    """
    x, y = alike(joinable(x, "x"), joinable(y, "y"))
    return _joined(x, y, distance)._told()


def _joined(x: Ratings, y: Ratings, distance: Any) -> Across:
    """The judgments of both, with replications for raters."""
    where = y.items.get_indexer(x.items)
    in_x, in_y = x.per_item > 0, y.per_item > 0
    kept = in_x & np.append(in_y, False)[where]
    n, total = int(kept.sum()), len(y.items) + int((where < 0).sum())
    of_y = np.full(len(y.items), -1)
    of_y[where[kept]] = np.arange(n)
    apart, mixed = _apart(x.items[in_x & ~kept], y.items[in_y & (of_y < 0)])
    nothing = "no item was judged in both replications"
    dropped, of_types = "", mixed and n > 0
    if n < total:
        dropped = f"{total - n:,} of {total:,} items dropped: "
        dropped += "not judged in both replications" + f"; {apart}" * of_types
    x, labels = x._on(np.flatnonzero(kept)), x.labels
    item = of_y[y.judgments.item]
    one, other = x.judgments, y.judgments[item >= 0]
    units = together(
        (one.item, one.label, one.count),
        (item[item >= 0], other.label, other.count),
        n,
        len(labels),
        join=x.clusters is None,
    )
    totals = units.totals(len(labels))
    found = Across(
        "Cross-kappa",
        units,
        distances.resolve(distance, labels, x.declared, totals, distances.NAMED),
        Chance(REPLICATIONS),
        x,
        dropped=dropped,
        _nothing=f"{nothing}: {apart}" if apart else nothing,
    )
    found._noted = [*filter(None, [dropped * of_types, found._strangers()])]
    return found


class Across(Disagreement):
    """D_o and D_e of two replications, x and y.

    _of_each : (2, n_labels), judgments of each replication by label
    _m_of_each : (2, n_units), by unit
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        unit, label, count, side = self._units.judgments
        assert side is not None
        q, n = len(self.labels), len(self._times)
        places = side * q + label, side * n + unit
        all_of = np.bincount(places[0], count * self._times[unit], 2 * q)
        self._of_each = all_of.reshape(2, q)
        self._m_of_each = np.bincount(places[1], count, 2 * n).reshape(2, n)

    @cached_property
    def _given(self) -> Array:
        """Judgments of an item in each replication, in the mean."""
        return self._of_each.sum(axis=1) / max(self.n_items, 1)

    def _strangers(self) -> str:
        """Two labels, one of each replication, where none is in both."""
        in_x, in_y = map(np.flatnonzero, self._of_each)
        scale = self.distance.name in ("interval", "ratio") and len(self._in_use) > 2
        if self.undefined or scale or len(np.intersect1d(in_x, in_y)):
            return ""
        seen = side_by_side(self.labels[in_x[0]], self.labels[in_y[0]])
        return f"no label of x is a label of y, check case and type: {seen}"

    @property
    def _adjustable(self) -> bool:
        return super()._adjustable and not self._strangers()

    def _item_table(self) -> pd.DataFrame:
        of_x, of_y = (self._each(m).astype(int) for m in self._m_of_each)
        columns = {"ratings_x": of_x, "ratings_y": of_y}
        columns |= {"disagreement": self._each(self._observed)}
        return pd.DataFrame(columns, index=self.items)


def _apart(x: pd.Index, y: pd.Index) -> tuple[str, bool]:
    """One item of each that the other lacks, and whether they differ in type."""
    if len(x) == 0 or len(y) == 0:
        return "", False
    return side_by_side(x[0], y[0]), kind(x[0]) != kind(y[0])


def alike(x: Ratings, y: Ratings) -> list[Ratings]:
    """Both replications with the same labels, and what either knows of clusters; as
    they are where that is so."""
    declared, same = x.declared or y.declared, x.labels.equals(y.labels)
    same = same and x.labels.inferred_type == y.labels.inferred_type  # True is not 1
    if x.declared and y.declared and not same:
        raise ValueError(
            "x and y must declare the same labels in the same order, got"
            f" {list(x.labels)[:20]} and {list(y.labels)[:20]}"
        )
    labels = x.labels if x.declared or same else y.labels
    if not declared and not same:
        found = x.labels.append(y.labels[x.labels.get_indexer(y.labels) < 0])
        labels, _ = sorted_labels(found)
    both = []
    for name, r in (("x", x), ("y", y)):
        at = labels.get_indexer(r.labels).astype(np.int32)
        if (at < 0).any():
            label = r.labels[int(np.argmax(at < 0))]
            accepted = f"one of the labels {list(labels)[:20]} that the other declares"
            raise _checks.refuse(f"a label of {name}", label, accepted)
        if r.declared != declared or not r.labels.equals(labels):
            j = replace(r.judgments, label=at[r.judgments.label])
            r = replace(r, labels=labels, declared=declared, judgments=j)
        both.append(r)
    of_each = zip(both, of_both(x, y))
    return [r if own is r.clusters else replace(r, clusters=own) for r, own in of_each]
