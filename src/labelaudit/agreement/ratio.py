"""kappa_x over the reliability within both replications, and its interval.

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
from .._words import warn
from . import adjusted
from .agreement import Agreement
from .clusters import Clusters, quantile
from .disagreement import Disagreement
from .ratings import Ratings
from .reading import index_of
from .resampling import ROUNDING

Both = tuple[Array, Array]  # kappa_x, reliability
Moments = tuple[float, float, Array]  # and their covariances


class Normalized(Agreement):
    """A normalised kappa_x: an Agreement whose interval is that of a ratio.

    Its methods are "fieller": the ratios that kappa_x and the reliability, with their
    joint jackknife errors, leave possible; None: the same, where all parts have the
    same labels after one item was added on which all agree, evenly for each label, and
    for the lower end one item on which the replications differ, which for the upper end
    is taken away; "jackknife": value plus and minus standard errors; and "bootstrap".
    The last two fail where the reliability is uncertain. With clusters None is
    "fieller", with Student's quantile. The interval is (-inf, inf), with a warning,
    where Fieller's set is unbounded or in two pieces.
    """

    name = "Normalised cross-kappa"
    _methods = ("fieller", "jackknife", "bootstrap")
    _end = np.inf

    def __init__(
        self,
        kappa: Agreement,
        reliabilities: dict[str, Agreement],
        ratings: tuple[Ratings, Ratings],
    ) -> None:
        self._parts: list[Any] = [kappa, *reliabilities.values()]
        self._names = [*reliabilities]
        found = [part.items for part in self._parts]
        items = found[0]
        for other in found[1:]:
            items = items.append(other[items.get_indexer(other) < 0])
        self.items, self.n_items = items, len(items)
        self._times, self._of = np.ones(len(items)), np.arange(len(items))
        self._at = [items.get_indexer(own) for own in found]
        self.n_ratings = int(
            sum(r.per_item[items.get_indexer(r.items) >= 0].sum() for r in ratings)
        )
        self.dropped = f"for cross-kappa, {kappa.dropped}" if kappa.dropped else ""
        whys = [kappa.undefined, *starmap(_no_divisor, reliabilities.items())]
        self.undefined = next(filter(None, whys), "")
        self.clusters = self._joined(ratings)
        self._noted = [] if self.undefined else kappa._noted

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
    def _adjustable(self) -> bool:
        """Whether items can be added to each part: its labels are those in use."""
        cross, *within = self._parts
        return (
            bool(cross._adjustable)
            and self.clusters is None
            and all(
                isinstance(s, Disagreement)
                and s.labels.equals(cross.labels)
                and np.array_equal(s._in_use, cross._in_use)
                for s in within
            )
        )

    def _added(self, differ: float) -> Moments:
        """kappa_x, the reliability, and their joint covariances, with items added.

        One item on which all judges of both replications agree, evenly for each label;
        and `differ` items on which the judges of each replication agree with each
        other, not with those of the other.
        """
        labels = self._parts[0]._in_use
        both, more = adjusted.shown(labels, 2, differ)
        values, moves = [], []
        for name, part, at in zip(("", *self._names), self._parts, self._at):
            said = both
            if name:  # within a replication all judges say what it says
                said = np.repeat(both[:, ["xy".index(name)]], len(part._given), axis=1)
            value, times, influence = part._plus(said, more)._influences()
            units = len(part._times)
            move = np.append(np.zeros(self.n_items), influence[units:])
            move[at] = part._each(influence[:units])
            values.append(value)
            moves.append(move / times.sum())
        kappa, *reliability = values
        mean = float(mean_of(reliability))
        by = sum(move / value for move, value in zip(moves[1:], reliability))
        both_moves = np.array([moves[0], by * mean / len(reliability)])
        times = np.append(self._times, more)
        n = times.sum()
        away = both_moves - (both_moves @ times)[:, None] / n
        return kappa, mean, (away * times) @ away.T * n / (n - 1)

    @property
    def _skewed(self) -> str:
        return "" if self.undefined else str(self._parts[0]._skewed)

    @property
    def reliability(self) -> float:
        """What kappa_x is divided by."""
        return float(mean_of([part.value for part in self._parts[1:]]))

    @property
    def value(self) -> float:
        """kappa_x over the reliability; NaN where it is undefined."""
        value = np.nan if self.undefined else self._parts[0].value / self.reliability
        return 0.0 if abs(value) <= ROUNDING else value

    def _meaning(self, value: float) -> str:
        kappa, reliability = map(significant, (self._parts[0].value, self.reliability))
        return f"cross-kappa {kappa} over a reliability of {reliability}"

    def _both(self, clusters: Clusters | None) -> Both:
        """Without each item, or each cluster."""
        kappa, *reliability = (
            part._jointly(self.items, clusters) for part in self._parts
        )
        return kappa, mean_of(reliability)

    @cached_property
    def _left(self) -> Both:
        """kappa_x, and the reliability it is divided by, without each unit drawn."""
        return self._both(self.clusters)

    @cached_property
    def _without(self) -> Array:
        return np.divide(*self._both(None))

    @cached_property
    def _without_clusters(self) -> Array:
        return np.divide(*self._left)

    def _resampled(self, times: Array) -> float:
        kappa, *reliability = (
            part._resampled(part._gathered(times[at]))
            for part, at in zip(self._parts, self._at)
        )
        return kappa / float(mean_of(reliability))

    def _item_table(self) -> pd.DataFrame:
        return self._parts[0]._item_table()

    # Its interval ----------------------------------------------------------------

    def _limits(self, method: str | None, confidence: float) -> tuple[float, float]:
        z = quantile(confidence, self.clusters)
        if method == "jackknife":
            reach = z * self._error[0]
            return self.value - reach, self.value + reach
        if unbounded := self._unbounded(z, method):
            warn(f"{self.name}: {unbounded}")
            return -np.inf, np.inf
        low, high = (_fieller(*of, z) for of in self._ends(method))
        return min(low[0], self.value), max(high[1], self.value)

    def _ends(self, method: str | None) -> list[Moments]:
        """What Fieller's set is of: at the lower and at the upper end."""
        if method is None and self._adjustable:
            return [self._added(differ) for differ in (1.0, -1.0)]
        return [self._moments, self._moments]

    @cached_property
    def _moments(self) -> Moments:
        """kappa_x, the reliability, and their joint jackknife covariances."""
        v = np.cov(self._left, ddof=0) * (len(self._left[0]) - 1)
        return self._parts[0].value, self.reliability, v

    @property
    def _lost(self) -> bool:
        """Whether without some item or cluster nothing is there to divide by."""
        return bool(np.isnan(self._left[1]).any())

    def _unbounded(self, z: float, method: str | None = None) -> str:
        """Why Fieller's set is unbounded or in two pieces; empty where it is not."""
        if self._lost and (method or not self._adjustable):
            unit = "item" if self.clusters is None else "cluster"
            why = f"without some {unit} it is not above 0"
        else:
            for _, g, v in self._ends(method):
                if not g**2 > z**2 * v[1, 1]:
                    error = significant(np.sqrt(v[1, 1]))
                    why = f"{significant(g)}, standard error {error}"
                    break
            else:
                return ""
        return (
            "the interval is unbounded, since the reliability that it is divided by is"
            f" too uncertain ({why})"
        )

    def _needs_no_error(self, method: str | None) -> bool:
        by_fieller = method in (None, "fieller")
        return super()._needs_no_error(method) or (by_fieller and self._lost)

    def _sentences(self) -> list[str]:
        lines = super()._sentences()
        if not self._no_interval():
            unbounded = self._unbounded(quantile(0.95, self.clusters))
            lines[-1:-1] = [unbounded] * bool(unbounded)
        return lines


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


def _fieller(k: float, g: float, v: Array, z: float) -> tuple[float, float]:
    """Ratios t with (k - t g)^2 <= z^2 Var(k - t g)."""
    a, b, c = (
        g**2 - z**2 * v[1, 1],
        k * g - z**2 * v[0, 1],
        k**2 - z**2 * v[0, 0],
    )
    root = np.sqrt(max(b**2 - a * c, 0.0))
    return float((b - root) / a), float((b + root) / a)
