"""The statistic of kappa_x over the reliability within both replications.

Three estimates from the same items; what moves one moves the others.
"""

from __future__ import annotations

from functools import cached_property
from itertools import starmap
from typing import Any

import numpy as np
import pandas as pd

from .._checks import Array
from .._digits import significant
from . import adjusted
from .agreement import Agreement
from .clusters import Clusters, places
from .disagreement import Disagreement
from .ratings import Ratings
from .reading import index_of
from .statistic import ROUNDING, Statistic

Both = tuple[Array, Array]  # kappa_x, reliability


class Ratio(Statistic):
    """Statistic of kappa_x / reliability; its items are those of any part."""

    def __init__(
        self,
        kappa: Agreement,
        reliabilities: dict[str, Agreement],
        ratings: tuple[Ratings, Ratings],
    ) -> None:
        self.parts, self._names = [kappa, *reliabilities.values()], [*reliabilities]
        found = [part._statistic.items for part in self.parts]
        items = found[0]
        for other in found[1:]:
            items = items.append(other[items.get_indexer(other) < 0])
        self.items, self.n_items = items, len(items)
        self.times = np.ones(len(items))
        self._at = [items.get_indexer(own) for own in found]
        self.n_ratings = int(
            sum(r.per_item[items.get_indexer(r.items) >= 0].sum() for r in ratings)
        )
        self.dropped = f"for cross-kappa, {kappa.dropped}" if kappa.dropped else ""
        whys = [kappa.undefined, *starmap(_no_divisor, reliabilities.items())]
        self.undefined = next(filter(None, whys), "")
        self.clusters = self._joined(ratings)
        self.cautions = [] if self.undefined else kappa._statistic.cautions

    def _joined(self, ratings: tuple[Ratings, Ratings]) -> Clusters | None:
        """The clusters of all items, by what either replication says."""
        if any(r.clusters is None for r in ratings):
            return None
        known = [pd.Series(r.clusters, index=r.items, dtype=object) for r in ratings]
        both = pd.concat(known)
        both = both[~both.index.duplicated()]
        return Clusters(index_of(both.loc[self.items]))

    # Items that are added --------------------------------------------------------

    @cached_property
    def adjustable(self) -> bool:
        """Whether items can be added to each part: its labels are those in use."""
        cross, *within = (part._statistic for part in self.parts)
        return bool(cross.adjustable) and all(
            isinstance(s, Disagreement)
            and s.labels.equals(cross.labels)
            and np.array_equal(s.in_use, cross.in_use)
            for s in within
        )

    def moments(self, differ: float) -> tuple[float, float, Array]:
        """kappa_x, the reliability, and their joint covariances, with items added.

        One item on which all judges of both replications agree, evenly for each label;
        and `differ` items on which the judges of each replication agree with each
        other, not with those of the other.
        """
        labels = self.parts[0]._statistic.in_use
        both, more = adjusted.shown(labels, 2, differ)
        values, moves = [], []
        for name, part, at in zip(("", *self._names), self.parts, self._at):
            s, said = part._statistic, both
            if name:  # within a replication all judges say what it says
                said = np.repeat(both[:, ["xy".index(name)]], len(s.given), axis=1)
            value, times, influence = s.plus(said, more).influences()
            units = len(s.times)
            move = np.append(np.zeros(self.n_items), influence[units:])
            move[at] = s.each(influence[:units])
            values.append(value)
            moves.append(move / times.sum())
        kappa, *reliability = values
        mean = float(mean_of(reliability))
        by = sum(move / value for move, value in zip(moves[1:], reliability))
        both_moves = np.array([moves[0], by * mean / len(reliability)])
        times = np.append(self.times, more)
        n = times.sum()
        away = both_moves - (both_moves @ times)[:, None] / n
        return kappa, mean, (away * times) @ away.T * n / (n - 1)

    @property
    def skewed(self) -> str:
        return "" if self.undefined else str(self.parts[0]._statistic.skewed)

    def disagreement(self) -> tuple[float, float]:
        return np.nan, np.nan

    @property
    def reliability(self) -> float:
        """What kappa_x is divided by."""
        return float(mean_of([part.value for part in self.parts[1:]]))

    @property
    def value(self) -> float:
        return self.parts[0].value / self.reliability

    def meaning(self, value: float) -> str:
        kappa, reliability = map(significant, (self.parts[0].value, self.reliability))
        return f"cross-kappa {kappa} over a reliability of {reliability}"

    @cached_property
    def _without(self) -> Both:
        return self._both(self.n_items, [part.without for part in self.parts], self._at)

    @cached_property
    def left(self) -> Both:
        """kappa_x, and the reliability it is divided by, without each item, or each
        cluster."""
        if self.clusters is None:
            return self._without
        names, own = self.clusters.names, [p._statistic.clusters for p in self.parts]
        at = [places(clusters.names, names) for clusters in own]
        left = [part._without_clusters for part in self.parts]
        return self._both(len(names), left, at)

    def _both(self, n: int, left: list[Array], at: list[Array]) -> Both:
        """Of n items or clusters; a part without others than its own is the whole."""
        values = np.repeat([[part.value] for part in self.parts], n, axis=1)
        for row, own, where in zip(values, left, at):
            row[where] = own
        return values[0], mean_of(values[1:])

    def leave_one_out(self) -> Array:
        return np.divide(*self._without)

    def leave_clusters_out(self) -> Array:
        return np.divide(*self.left)

    def resampled(self, times: Array) -> float:
        kappa, *reliability = (
            part._statistic.resampled(part._statistic.gathered(times[at]))
            for part, at in zip(self.parts, self._at)
        )
        return kappa / float(mean_of(reliability))

    def per_item(self) -> pd.DataFrame:
        return self.parts[0].per_item().drop(columns="without")


def _no_divisor(name: str, part: Agreement) -> str:
    """Why a replication's reliability cannot be divided by; empty where it can."""
    if part.undefined:
        return f"the reliability of {name} ({part.name}) is undefined: {part.undefined}"
    if part.value > ROUNDING:
        return ""
    value = round(part.value, 4) + 0.0  # never -4e-16
    return (
        f"the reliability of {name} ({part.name}) is {significant(value)}, not above 0,"
        " and the normalisation divides by it"
    )


def mean_of(reliabilities: Any) -> Any:
    """Geometric mean; NaN where one is not above 0."""
    product: Any = 1.0
    for value in reliabilities:
        product = product * np.where(np.asarray(value) > ROUNDING, value, np.nan)
    return product ** (1 / len(reliabilities))
