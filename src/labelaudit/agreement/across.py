"""Cross-replication reliability: do two replications agree (Wong et al. 2021)?

kappa_x compares judgments of an item across two replications only. It is Cohen's
kappa with replications in the place of raters, who may judge an item several times.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from .. import _checks
from .._checks import Array
from .._words import kind, side_by_side
from . import distances
from .agreement import Agreement, agreement
from .chance import Chance, different_raters
from .clusters import of_both
from .disagreement import Disagreement
from .ratings import Ratings
from .reading import sorted_labels
from .table import joinable
from .units import Cells, Judged, together


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
        1 - d_o / d_e. With one judgment per item in each replication it is
        Cohen's kappa.

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
    statistic = Across(joinable(x, "x"), joinable(y, "y"), distance, different_raters)
    return agreement("Cross-kappa", statistic, distance=statistic.distance)


@dataclass(frozen=True, eq=False)
class Side:
    """Judgments in one replication.

    unit, label, count : (n_cells,)
    m : (n_units,), judgments of each item
    totals : (n_labels,)
    """

    unit: Array
    label: Array
    count: Array
    m: Array
    totals: Array


class Across(Disagreement):
    """Statistic of two replications, x and y."""

    def __init__(self, x: Ratings, y: Ratings, distance: Any, chance: Chance) -> None:
        where = y.items.get_indexer(x.items)
        kept = (x.per_item > 0) & np.append(y.per_item > 0, False)[where]
        n = int(kept.sum())
        labels, declared, of_x, of_y = in_common(x, y)
        item_x = np.where(kept, np.cumsum(kept) - 1, -1)
        item_y = np.full(len(y.items), -1)
        item_y[where[kept]] = np.arange(n)
        total = len(x.items) + len(y.items) - int((where >= 0).sum())
        dropped = ""
        if n < total:
            dropped = f"{total - n:,} of {total:,} items dropped: "
            dropped += "not judged in both replications"
        lost = (x.per_item > 0) & ~kept, (y.per_item > 0) & (item_y < 0)
        apart, mixed = _apart(x.items[lost[0]], y.items[lost[1]])
        if mixed and n:
            dropped += f"; {apart}"
        nothing = "no item was judged in both replications"
        sides = _cells(x, item_x, of_x), _cells(y, item_y, of_y)
        clusters, _ = of_both(x, y)
        units = together(*sides, n, len(labels), join=clusters is None)
        super().__init__(
            x.items[kept],
            labels,
            units,
            partial(
                distances.resolve, distance, labels, declared, names=distances.NAMED
            ),
            chance,
            several=True,
            dropped=dropped,
            nothing=f"{nothing}: {apart}" if apart else nothing,
            clusters=None if clusters is None else clusters[kept],
        )
        self.x, self.y = (self._side(units.judgments, k) for k in (0, 1))
        of_types = [dropped] if mixed and n else []
        self.cautions = [*of_types, *filter(None, [self._strangers()])]

    def _side(self, judgments: Judged, k: int) -> Side:
        rows = np.flatnonzero(judgments[3] == k)
        unit, label, count = (array[rows] for array in judgments[:3])
        m = np.bincount(unit, weights=count, minlength=len(self.times))
        count_all = count * self.times[unit]
        totals = np.bincount(label, weights=count_all, minlength=len(self.labels))
        return Side(unit, label, count, m, totals)

    def _strangers(self) -> str:
        """Two labels, one of each replication, where none is in both."""
        in_x, in_y = np.flatnonzero(self.x.totals), np.flatnonzero(self.y.totals)
        scale = self.distance.name in ("interval", "ratio") and len(self.in_use) > 2
        if self.undefined or scale or len(np.intersect1d(in_x, in_y)):
            return ""
        seen = side_by_side(self.labels[in_x[0]], self.labels[in_y[0]])
        return f"no label of x is a label of y, check case and type: {seen}"

    @property
    def adjustable(self) -> bool:
        return super().adjustable and not self._strangers()

    @property
    def given(self) -> Array:
        return np.array([self.x.totals.sum(), self.y.totals.sum()]) / self.n_items

    def per_item(self) -> pd.DataFrame:
        columns = {
            "ratings_x": self.each(self.x.m).astype(int),
            "ratings_y": self.each(self.y.m).astype(int),
            "disagreement": self.each(self._observed),
        }
        return pd.DataFrame(columns, index=self.items)


def _apart(x: pd.Index, y: pd.Index) -> tuple[str, bool]:
    """One item of each that the other lacks, and whether they differ in type."""
    if len(x) == 0 or len(y) == 0:
        return "", False
    return side_by_side(x[0], y[0]), kind(x[0]) != kind(y[0])


def _cells(r: Ratings, item: Array, label: Array) -> Cells:
    """One replication's judgments of the joined items."""
    of = item[r.judgments.item]
    rows = slice(None) if (of >= 0).all() else np.flatnonzero(of >= 0)
    j = r.judgments
    return of[rows], label[j.label[rows]], j.count[rows]


def in_common(x: Ratings, y: Ratings) -> tuple[pd.Index, bool, Array, Array]:
    """Labels of both, whether declared, and where each one's labels are among them."""
    if x.labels.equals(y.labels):
        here = np.arange(len(x.labels))
        return x.labels, x.declared or y.declared, here, here
    if x.declared and y.declared:
        raise ValueError(
            "x and y must declare the same labels in the same order, got"
            f" {list(x.labels)[:20]} and {list(y.labels)[:20]}"
        )
    if x.declared or y.declared:
        labels = x.labels if x.declared else y.labels
    else:
        found = x.labels.append(y.labels[x.labels.get_indexer(y.labels) < 0])
        labels, _ = sorted_labels(found)
    places = []
    for name, r in (("x", x), ("y", y)):
        at = labels.get_indexer(r.labels)
        if (at < 0).any():
            label = r.labels[int(np.argmax(at < 0))]
            accepted = f"one of the labels {list(labels)[:20]} that the other declares"
            raise _checks.refuse(f"a label of {name}", label, accepted)
        places.append(at)
    return labels, x.declared or y.declared, places[0], places[1]


def with_labels_of_both(x: Ratings, y: Ratings) -> list[Ratings]:
    """Both replications with the same labels; as they are where these are alike."""
    labels, declared, *places = in_common(x, y)
    both = []
    for r, at in zip((x, y), places):
        if r.declared != declared or not r.labels.equals(labels):
            j = replace(r.judgments, label=at.astype(np.int32)[r.judgments.label])
            r = replace(r, labels=labels, declared=declared, judgments=j)
        both.append(r)
    return both
