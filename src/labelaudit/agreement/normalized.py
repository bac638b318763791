"""The cross-replication kappa over the reliability within both replications."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from itertools import starmap
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import ndtri

from .. import _checks
from .._checks import Array
from .._digits import significant
from .._words import quietly, shown, warn
from . import distances
from .across import cross_kappa, with_labels_of_both
from .agreement import Agreement, agreement, enough_repetitions
from .coefficients import janson_olsson_iota, krippendorff_alpha, once
from .disagreement import ROUNDING
from .ratings import Ratings


def normalized_cross_kappa(
    x: Ratings,
    y: Ratings,
    distance: Any = "nominal",
    irr: Callable[[Ratings], Agreement] | None = None,
    items: str = "own",
    *,
    by: str = "both",
) -> Agreement:
    """kappa_x over the reliability of the replications: how alike are they?

    Parameters
    ----------
    x, y, distance : as for cross_kappa
    irr : function of Ratings, optional
        The reliability of one replication, whose labels are those of both; default
        janson_olsson_iota where every kept item has the same raters, else
        krippendorff_alpha, with the same distance.
    items : "own" or "shared"
        Reliability over each replication's own items, as published, or over those
        that both judged.
    by : "both", "x" or "y"
        Divide by the geometric mean of both reliabilities, or by that of one, an
        expert's say.

    Returns
    -------
    Agreement
        kappa_x / sqrt(IRR_X IRR_Y); 1 where two replications differ no more than
        raters within them do, and beyond 1 by chance. Observed and expected
        agreement and disagreement are NaN. Its interval is Fieller's by default:
        (-inf, inf), with a warning, where the reliability is too uncertain to divide
        by.

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
    (0.933, [0.86, 0.99])
    """
    _checks.one_of("items", items, ("own", "shared"))
    _checks.one_of("by", by, ("both", "x", "y"))
    with quietly():  # the result says what there is to say
        kappa = cross_kappa(x, y, distance)
    if irr is not None and not callable(irr):
        raise _checks.refuse("irr", irr, "a function of Ratings, or None")
    own = partial(_reliability, distance=distance) if irr is None else irr
    parts = {}
    for name, r in zip("xy", with_labels_of_both(x, y)):
        if by in ("both", name):
            shared = items == "shared" and kappa.n_items > 0
            given = r.on(kappa._statistic.items) if shared else r
            parts[name] = _part(own, name, given)
    statistic = _Ratio(kappa, parts, (x, y))
    return agreement("Normalised cross-kappa", statistic, result=Normalized)


def _part(irr: Callable[[Ratings], Agreement], name: str, r: Ratings) -> Agreement:
    """The reliability of one replication, checked."""
    try:
        with quietly():
            part = irr(r)
    except ValueError:  # ours, or said in words
        raise
    except Exception as error:
        accepted = "a function that gives an Agreement"
        raise _checks.refuse("irr", error, accepted) from error
    if not isinstance(part, Agreement):
        raise _checks.refuse("irr", part, "a function that gives an Agreement")
    items = part._statistic.items
    foreign = items[r.items.get_indexer(items) < 0]
    if len(foreign):
        raise ValueError(
            "irr must be a function that gives an Agreement of items of the Ratings"
            f" that it gets, got one of item {shown(foreign[0])}, which is not among"
            f" those of {name}"
        )
    return part


def _reliability(r: Ratings, distance: Any) -> Agreement:
    """iota where every kept item has the same raters, else alpha."""
    if r.raters is not None:
        kept = (r.per_item >= 2)[r.judgments.item]
        judges = np.bincount(r.judgments.known_rater[kept], minlength=len(r.raters))
        if (
            len(set(judges[judges > 0])) == 1
            and judges.max() == (r.per_item >= 2).sum()
        ):
            return janson_olsson_iota(r, distance)
    return krippendorff_alpha(r, distance)


class _Ratio:
    """Statistic of kappa_x / reliability; its items are those of any part."""

    def __init__(
        self,
        kappa: Agreement,
        reliabilities: dict[str, Agreement],
        ratings: tuple[Ratings, Ratings],
    ) -> None:
        self.parts = [kappa, *reliabilities.values()]
        self.no_interval = kappa._statistic.no_interval
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
        self.cautions = [] if self.undefined else kappa._statistic.cautions

    def each(self, values: Array) -> Array:
        return values

    def gathered(self, times: Array) -> Array:
        return times

    def disagreement(self) -> tuple[float, float]:
        return np.nan, np.nan

    def shares(self, observed: float, expected: float) -> str:
        return ""

    def meaning(self, value: float) -> str:
        kappa, *reliability = (part.value for part in self.parts)
        mean = significant(_mean(reliability))
        return f"cross-kappa {significant(kappa)} over a reliability of {mean}"

    @property
    def value(self) -> float:
        kappa, *reliability = (part.value for part in self.parts)
        return float(kappa / _mean(reliability))

    @cached_property
    def without(self) -> tuple[Array, Array]:
        """kappa_x, and the reliability it is divided by, without each item."""
        left = []
        for part, at in zip(self.parts, self._at):
            values = np.full(self.n_items, part.value)
            values[at] = part.without
            left.append(values)
        return left[0], _mean(left[1:])

    def leave_one_out(self) -> Array:
        kappa, reliability = self.without
        return kappa / reliability

    def resampled(self, times: Array) -> float:
        kappa, *reliability = (
            part._statistic.resampled(part._statistic.gathered(times[at]))
            for part, at in zip(self.parts, self._at)
        )
        return kappa / float(_mean(reliability))

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


def _mean(reliabilities: Any) -> Any:
    """Geometric mean; NaN where one is not above 0."""
    product: Any = 1.0
    for value in reliabilities:
        product = product * np.where(np.asarray(value) > ROUNDING, value, np.nan)
    return product ** (1 / len(reliabilities))


class Normalized(Agreement):
    """A normalised kappa_x: an Agreement whose interval is that of a ratio."""

    def interval(
        self,
        confidence: float = 0.95,
        method: str = "fieller",
        repetitions: int = 2000,
        seed: Any = None,
    ) -> tuple[float, float]:
        """A confidence interval with items as units.

        Parameters
        ----------
        confidence : float in (0, 1)
        method : "fieller", "jackknife" or "bootstrap"
            Fieller's set of the ratios that kappa_x and the reliability, with
            their joint jackknife errors, leave possible; value plus and minus
            standard errors; or percentiles over items drawn with replacement.
            The last two fail where the reliability is uncertain.
        repetitions, seed : of the bootstrap

        Returns
        -------
        (low, high)
            (-inf, inf), with a warning, where Fieller's set is unbounded or in two
            pieces; (NaN, NaN), with a warning, where there is none.
        """
        confidence = _checks.confidence(confidence)
        _checks.one_of("method", method, ("fieller", "jackknife", "bootstrap"))
        repetitions = enough_repetitions(repetitions, confidence, method)
        random = _checks.generator(seed)
        z = float(ndtri((1 + confidence) / 2))
        unbounded = self._unbounded(z) if method == "fieller" else ""
        why = "" if unbounded else self._no_interval()
        if why:
            warn(f"{self.name} has no interval: {why}")
            return np.nan, np.nan
        for caution in self._statistic.cautions:
            warn(f"{self.name}: {caution}")
        if unbounded:
            warn(f"{self.name}: {unbounded}")
            return -np.inf, np.inf
        if method == "bootstrap":
            return self._bootstrap(confidence, repetitions, random)
        if method == "jackknife":
            reach = z * self._error[0]
            return self.value - reach, self.value + reach
        return self._fieller(z)

    def _fieller(self, z: float) -> tuple[float, float]:
        """Ratios t with (kappa - t g)^2 <= z^2 Var(kappa - t g)."""
        k, g, v = self._moments
        a, b, c = (
            g**2 - z**2 * v[1, 1],
            k * g - z**2 * v[0, 1],
            k**2 - z**2 * v[0, 0],
        )
        root = np.sqrt(max(b**2 - a * c, 0.0))
        return float((b - root) / a), float((b + root) / a)

    @cached_property
    def _moments(self) -> tuple[float, float, Array]:
        """kappa_x, the reliability, and their joint jackknife covariances."""
        kappa, *reliabilities = (part.value for part in self._statistic.parts)
        v = np.cov(self._statistic.without, ddof=0) * (self.n_items - 1)
        return kappa, float(_mean(reliabilities)), v

    def _unbounded(self, z: float) -> str:
        """Why Fieller's set is unbounded or in two pieces; empty where it is not."""
        if self.undefined or self._statistic.no_interval:
            return ""
        if np.isnan(self._statistic.without[1]).any():
            why = "without some item it is not above 0"
        elif self._no_interval():
            return ""
        else:
            _, g, v = self._moments
            if g**2 > z**2 * v[1, 1]:
                return ""
            why = f"{significant(g)}, standard error {significant(np.sqrt(v[1, 1]))}"
        return (
            "the interval is unbounded, since the reliability that it is divided by is"
            f" too uncertain ({why})"
        )

    def _no_interval(self) -> str:
        error, why = self._error
        if error == 0:
            why = "the standard error is 0: without any item the value is the same"
        return self.undefined or self._statistic.no_interval or why

    def _sentences(self) -> list[str]:
        lines = super()._sentences()
        unbounded = self._unbounded(float(ndtri(0.975)))
        if unbounded:
            lines.insert(-1, unbounded)
        return lines


def disattenuated_correlation(x: Ratings, y: Ratings) -> float:
    """rho_xy: the correlation of item means, corrected for their unreliability.

    Parameters
    ----------
    x, y : Ratings
        With numbers for labels. Items with two judgments in both take part.

    Returns
    -------
    float
        r_xy / sqrt(reliability_x reliability_y). The reliability of item means is
        1 less the share of their variance that comes from raters, mean s_i^2 / m_i.
        NaN, with a warning, where it is not above 0. An estimate can exceed 1.

    References
    ----------
    Spearman 1904; Wong, Paritosh and Aroyo 2021, Eq. 12.

    Examples
    --------
    >>> import labelaudit as la
    >>> x = la.Ratings.from_matrix([[1, 2], [4, 4], [2, 2], [5, 3]])
    >>> y = la.Ratings.from_matrix([[1, 1], [4, 5], [3, 2], [4, 4]])
    >>> round(la.disattenuated_correlation(x, y), 3)
    1.09
    """
    sides = []
    for name, r in (("x", x), ("y", y)):
        j = once(r, name).judgments
        value = distances.numbers(r.labels, "interval")[j.label]
        m = np.bincount(j.item, weights=j.count, minlength=len(r.items))
        total = np.bincount(j.item, weights=j.count * value, minlength=len(m))
        mean = total / np.maximum(m, 1)
        away = (value - mean[j.item]) ** 2 * j.count
        error = np.bincount(j.item, weights=away, minlength=len(m))
        kept = m >= 2
        spread = error / np.maximum(m * (m - 1), 1)
        table = {f"mean_{name}": mean, f"error_{name}": spread}
        sides.append(pd.DataFrame(table, index=r.items)[kept])
    both = sides[0].join(sides[1], how="inner")
    if len(both) < 2:
        warn(
            "the disattenuated correlation is undefined: fewer than two items in common"
        )
        return np.nan
    variance = both.var().replace(0.0, np.nan)
    reliable = [1 - both[f"error_{s}"].mean() / variance[f"mean_{s}"] for s in "xy"]
    if not all(part > 0 for part in reliable):
        warn(
            "the disattenuated correlation is undefined: item means are not reliable"
            f" ({significant(reliable[0])} and {significant(reliable[1])})"
        )
        return np.nan
    r_xy = both["mean_x"].corr(both["mean_y"])
    return float(r_xy / np.sqrt(reliable[0] * reliable[1]))
