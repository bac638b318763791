"""The cross-replication kappa over the reliability within both replications."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from typing import Any

import numpy as np

from .. import _checks
from .._checks import Array
from .._digits import significant
from .._words import quietly, shown, warn
from .across import alike, cross_kappa
from .agreement import Agreement, agreement
from .clusters import places, quantile
from .coefficients import janson_olsson_iota, krippendorff_alpha
from .ratings import Ratings
from .ratio import Ratio
from .table import joinable


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
    (0.933, [0.66, 1.02])
    """
    _checks.one_of("by", by, ("both", "x", "y"))
    x, y = alike(joinable(x, "x"), joinable(y, "y"))
    with quietly():  # the result says what there is to say
        kappa = cross_kappa(x, y, distance)
    if irr is not None and not callable(irr):
        raise _checks.refuse("irr", irr, "a function of Ratings, or None")
    own = partial(_reliability, distance=distance) if irr is None else irr
    parts = {}
    for name, r in zip("xy", (x, y)):
        if by in ("both", name):
            parts[name] = _part(own, name, r)
    statistic = Ratio(kappa, parts, (x, y))
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
    own = part._statistic.clusters
    if r.clusters is not None and (
        own is None or (places(own.names, r.clusters) < 0).any()
    ):
        accepted = "a function that keeps the clusters of the Ratings that it gets"
        raise _checks.refuse("irr", "an Agreement of other or no clusters", accepted)
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


Moments = tuple[float, float, Array]  # kappa_x, reliability, covariances


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

    _methods = ("fieller", "jackknife", "bootstrap")
    _end = np.inf

    def _limits(self, method: str | None, confidence: float) -> tuple[float, float]:
        z = quantile(confidence, self._clusters)
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
        if method is None and self._statistic.adjustable:
            return [self._statistic.moments(differ) for differ in (1.0, -1.0)]
        return [self._moments, self._moments]

    @cached_property
    def _moments(self) -> Moments:
        """kappa_x, the reliability, and their joint jackknife covariances."""
        s = self._statistic
        v = np.cov(s.left, ddof=0) * (len(s.left[0]) - 1)
        return s.parts[0].value, s.reliability, v

    @property
    def _lost(self) -> bool:
        """Whether without some item or cluster nothing is there to divide by."""
        return bool(np.isnan(self._statistic.left[1]).any())

    def _unbounded(self, z: float, method: str | None = None) -> str:
        """Why Fieller's set is unbounded or in two pieces; empty where it is not."""
        if self._lost and (method or not self._statistic.adjustable):
            unit = "item" if self._clusters is None else "cluster"
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
            unbounded = self._unbounded(quantile(0.95, self._clusters))
            lines[-1:-1] = [unbounded] * bool(unbounded)
        return lines


def _fieller(k: float, g: float, v: Array, z: float) -> tuple[float, float]:
    """Ratios t with (k - t g)^2 <= z^2 Var(k - t g)."""
    a, b, c = (
        g**2 - z**2 * v[1, 1],
        k * g - z**2 * v[0, 1],
        k**2 - z**2 * v[0, 0],
    )
    root = np.sqrt(max(b**2 - a * c, 0.0))
    return float((b - root) / a), float((b + root) / a)
