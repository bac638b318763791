"""The cross-replication kappa over the reliability within both replications.

Its parts share items: what moves one may move the others.
"""

from collections.abc import Callable
from functools import cached_property, partial
from itertools import starmap
from typing import Any

import numpy as np
import pandas as pd

from .. import _checks
from .._checks import Array
from .._digits import significant
from .._words import quietly, warn
from .across import alike, cross_kappa, reliability, usual
from .agreement import Agreement
from .clusters import Clusters, known_clusters
from .pairs import Pairs
from .ratings import Ratings
from .reading import index_of
from .sample import ROUNDING, added, without_rounding
from .table import joinable
from .uncertainty import quantile

Moments = tuple[float, float, Array]  # kappa_x, reliability, and their covariances


def normalized_cross_kappa(
    x: Ratings,
    y: Ratings,
    distance: Any = "nominal",
    irr: Callable[[Ratings], Agreement] | None = None,
    *,
    by: str = "both",
) -> Agreement:
    """kappa_x over the reliability of the replications: how alike are they?

    Parameters
    ----------
    x, y, distance : as for cross_kappa
    irr : function of Ratings, optional
        The reliability of one replication over its own items, as published, with the
        labels of both; default janson_olsson_iota where every kept item has the same
        raters, else krippendorff_alpha, with the same distance.
    by : "both", "x" or "y"
        Divide by the geometric mean of both reliabilities, or by that of one, an
        expert's say.

    Returns
    -------
    Agreement
        kappa_x / sqrt(IRR_X IRR_Y); 1 where two replications differ no more than
        raters within them do, and beyond 1 by chance. Observed and expected
        agreement and disagreement are NaN. Its interval is that of a ratio, Fieller's
        or, by default, Fieller's with an item more: (-inf, inf), with a warning, where
        the reliability is too uncertain to divide by.

    Raises
    ------
    ValueError
        As cross_kappa, and for an irr that does not return an Agreement of items
        that it was given.

    References
    ----------
    Wong, Paritosh and Aroyo 2021, Eq. 13; Fieller 1954.

    Examples
    --------
    >>> import labelaudit as la
    >>> x = la.Ratings.from_matrix([[1, 1], [2, 2], [1, 2], [2, 2]] * 10)
    >>> y = la.Ratings.from_matrix([[1, 2], [2, 2], [1, 1], [2, 2]] * 10)
    >>> a = la.normalized_cross_kappa(x, y)
    >>> round(a.value, 3), [round(end, 2) for end in a.interval()]
    (0.933, [0.66, 1.02])
    """
    _checks.one_of("by", by, ("both", "x", "y"))
    x, y = alike(joinable(x, "x"), joinable(y, "y"))
    with quietly():  # the result says what there is to say
        kappa = cross_kappa(x, y, distance)
    if irr is not None and not callable(irr):
        raise _checks.refuse("irr", irr, "a function of Ratings, or None")
    own = partial(usual, distance=distance) if irr is None else irr
    of, names = {"x": x, "y": y}, "xy" if by == "both" else by
    parts = {name: reliability(own, name, of[name]) for name in names}
    return Normalized(kappa, parts, [x, y])._told()


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
        self, kappa: Agreement, within: dict[str, Agreement], ratings: list[Ratings]
    ) -> None:
        self._parts: list[Any] = [kappa, *within.values()]
        self._names, self._sample = [*within], kappa._sample
        items = kappa.items
        for part in self._parts[1:]:
            items = items.append(part.items[items.get_indexer(part.items) < 0])
        self.items, self.n_items = items, len(items)
        self._times, self._of = np.ones(len(items)), np.arange(len(items))
        self._at = [items.get_indexer(part.items) for part in self._parts]
        judged = [r.per_item[r.items.isin(items)].sum() for r in ratings]
        self.n_ratings = int(sum(judged))
        self.dropped = f"for cross-kappa, {kappa.dropped}" if kappa.dropped else ""
        whys = [kappa.undefined, *starmap(_no_divisor, within.items())]
        self.undefined = next(filter(None, whys), "")
        if not self.undefined:
            self.value = without_rounding(kappa.value / self.reliability)
        if all(r.clusters is not None for r in ratings):
            known = known_clusters("x and y", *((r.items, r.clusters) for r in ratings))
            self.clusters = Clusters(index_of(map(known.__getitem__, items)))
        self._noted = [] if self.undefined else kappa._noted

    @property
    def reliability(self) -> float:
        """What kappa_x is divided by."""
        return float(mean_of([part.value for part in self._parts[1:]]))

    def per_item(self) -> pd.DataFrame:
        """The items of kappa_x, and what each does to the value."""
        table = self._parts[0].per_item()
        return table.assign(without=self.without[: len(table)])

    # Other samples ---------------------------------------------------------------

    def _without(self, clusters: Clusters | None) -> tuple[Array, Array]:
        """kappa_x, and the reliability, without each item, or each cluster."""
        kappa, *reliability = (
            part.value + part._jointly(self.items, clusters) for part in self._parts
        )
        return kappa, mean_of(reliability)

    def _changed(self, clusters: Clusters | None) -> Array:
        return np.divide(*self._without(clusters)) - self.value

    def _resampled(self, times: Array) -> float:
        kappa, *reliability = (
            part._resampled(np.bincount(part._of, times[at], len(part._times)))
            for part, at in zip(self._parts, self._at)
        )
        return kappa / float(mean_of(reliability))

    def _adjustable(self) -> bool:
        """Whether items can be added to each part: its labels are those in use."""
        cross, *within = self._parts
        same = all(
            isinstance(s._sample, Pairs)
            and s.labels.equals(cross.labels)
            and np.array_equal(s._sample.in_use, cross._sample.in_use)
            for s in within
        )
        return same and self.clusters is None and cross._adjustable()

    def _with(self, differ: float) -> Moments:
        """With items added: one on which all judges of both replications agree, evenly
        for each label; and `differ` on which those of each agree with each other, not
        with those of the other."""
        both, more = added(self._parts[0]._sample.in_use, 2, differ)
        values, moves = [], []
        for name, part, at in zip(("", *self._names), self._parts, self._at):
            said = both
            if name:  # within a replication all judges say what it says
                judges = len(part._sample.judges()[0])
                said = np.repeat(both[:, ["xy".index(name)]], judges, axis=1)
            value, times, influence = part._sample.plus(said, more).influences()
            move = np.append(np.zeros(self.n_items), influence[len(part._times) :])
            move[at] = influence[part._of]
            values.append(value)
            moves.append(move / times.sum())
        kappa, *reliability = values
        mean = float(mean_of(reliability))
        by = sum(move / value for move, value in zip(moves[1:], reliability))
        both_moves = np.array([moves[0], by * mean / len(reliability)])
        often, n = np.append(self._times, more), self.n_items + more.sum()
        away = both_moves - (both_moves @ often)[:, None] / n
        return kappa, mean, (away * often) @ away.T * n / (n - 1)

    # Its interval ----------------------------------------------------------------

    @cached_property
    def _moments(self) -> Moments:
        """By the jackknife; NaN where without some item there is no reliability."""
        left = self._without(self.clusters)
        v = np.cov(left, ddof=0) * (len(left[0]) - 1)
        return self._parts[0].value, self.reliability, v

    def _fieller(self, method: str | None, z: float) -> tuple[float, float, str]:
        """Its set, with the value; why it is unbounded or in two pieces, or nothing."""
        if method is None and self._adjustable():
            ends = [self._with(differ) for differ in (1.0, -1.0)]
        else:
            ends = [self._moments, self._moments]
        for _, g, v in ends:
            if not g**2 > z**2 * v[1, 1]:
                unit = "item" if self.clusters is None else "cluster"
                error = significant(np.sqrt(v[1, 1]))
                why = f"{significant(g)}, standard error {error}"
                if np.isnan(v[1, 1]):
                    why = f"without some {unit} it is not above 0"
                told = "the interval is unbounded, since the reliability that it is"
                return -np.inf, np.inf, f"{told} divided by is too uncertain ({why})"
        low, high = (_ratios(*of, z) for of in ends)
        return min(low[0], self.value), max(high[1], self.value), ""

    def _limits(self, method: str | None, confidence: float) -> tuple[float, float]:
        if method == "jackknife":
            return super()._limits(method, confidence)
        z = quantile(confidence, self.clusters)
        low, high, unbounded = self._fieller(method, z)
        if unbounded:
            warn(f"{self.name}: {unbounded}")
        return low, high

    def _no_interval(self, method: str | None = None) -> str:
        """Where without some item there is no reliability, the set is unbounded."""
        why = super()._no_interval(method)
        if why and why == self._error[1] != self.undefined and method != "jackknife":
            return "" if np.isnan(self._moments[2][1, 1]) else why
        return why

    def _meaning(self) -> str:
        kappa, reliability = map(significant, (self._parts[0].value, self.reliability))
        return f"cross-kappa {kappa} over a reliability of {reliability}"

    def _sentences(self) -> list[str]:
        lines = super()._sentences()
        if not self._no_interval():
            *_, unbounded = self._fieller(None, quantile(0.95, self.clusters))
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
    above = np.where(np.array(reliabilities) > ROUNDING, reliabilities, np.nan)
    return above.prod(axis=0) ** (1 / len(above))


def _ratios(k: float, g: float, v: Array, z: float) -> tuple[float, float]:
    """Ratios t with (k - t g)^2 <= z^2 Var(k - t g)."""
    a, c = g**2 - z**2 * v[1, 1], k**2 - z**2 * v[0, 0]
    b = k * g - z**2 * v[0, 1]
    root = np.sqrt(max(b**2 - a * c, 0.0))
    return float((b - root) / a), float((b + root) / a)
