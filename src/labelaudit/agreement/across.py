"""Cross-replication reliability: do two replications agree (Wong et al. 2021)?

kappa_x compares judgments of an item across two replications only. It is Cohen's
kappa with replications in the place of raters, and the same disagreement
computation: what lies between two replications is what lies within both together
less what lies within each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import starmap
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.special import ndtri

from .. import _checks
from .._digits import significant
from .._words import label_name
from ..laws.law import Array
from . import distances
from .agreement import ROUNDING, Agreement, _repetitions, agreement, quietly
from .coefficients import janson_olsson_iota, krippendorff_alpha, once
from .disagreement import anew, cells, meaning, share, shares
from .ratings import Ratings, in_common, kind, shown, side_by_side, warn

FEW, TOO_FEW = 10, 5  # items that carry a rare label in both replications
BELOW = 1 - 1e-9  # sums that end a rounding below are not below
MOST_SAID = 10  # rare labels that get a warning of their own


class Sums(NamedTuple):
    """Sums over the judgments that take part; numbers, or arrays for many subsets.

    across : distances over all pairs of a judgment of X and one of Y
    all : over all ordered pairs of judgments
    x, y : judgments
    """

    across: Any
    all: Any
    x: Any
    y: Any


def other_replication(s: Sums) -> Any:
    """d_e of kappa_x: a judgment of X and one of Y (Eq. 10)."""
    return s.across / (s.x * s.y)


def any_two_different(s: Sums) -> Any:
    """d_e of a cross-replication alpha: two different judgments of X and Y together."""
    n = s.x + s.y
    return s.all / (n * (n - 1))


def cross_kappa(x: Ratings, y: Ratings, distance: Any = "nominal") -> Agreement:
    """kappa_x: agreement between two replications, beyond chance.

    Parameters
    ----------
    x, y : Ratings
        Joined on their items, which must be of one type (1 is not "1"); an item
        takes part where both replications judged it. Any numbers of raters; who
        judged does not matter.
    distance : "nominal", "ordinal", "interval", "ratio", callable or matrix
        As for krippendorff_alpha. Labels of both together; the ranks of "ordinal"
        are those of the judgments of both, and are held fixed in the standard
        error.

    Returns
    -------
    Agreement
        1 - d_o / d_e. With one judgment per item in each replication it is
        Cohen's kappa. Its interval is (NaN, NaN) where, with two labels, fewer
        than 5 items can be expected to carry the rarer one in both replications;
        below 10 it comes with a warning.

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
    statistic = _Across(once(x, "x"), once(y, "y"), distance, other_replication)
    return agreement("Cross-kappa", statistic, distance=statistic.distance)


def cross_alpha(x: Ratings, y: Ratings, distance: Any = "nominal") -> Agreement:
    """A cross-replication alpha: chance draws from both replications together.

    The observed disagreement is that of `cross_kappa`; the expected one is
    Krippendorff's, of two different judgments of all, so that two replications
    that use labels differently are held to it.

    Parameters
    ----------
    x, y, distance : as for cross_kappa

    Returns
    -------
    Agreement

    References
    ----------
    Named as future work by Wong, Paritosh and Aroyo 2021, section 6; d_e as in
    Krippendorff 2004.

    Examples
    --------
    >>> import labelaudit as la
    >>> x = la.Ratings.from_matrix([[1], [2], [1], [2]])
    >>> y = la.Ratings.from_matrix([[1], [2], [2], [2]])
    >>> import warnings; warnings.simplefilter("ignore")  # few items
    >>> round(la.cross_alpha(x, y).value, 4)
    0.5333
    """
    statistic = _Across(once(x, "x"), once(y, "y"), distance, any_two_different)
    return agreement("Cross-alpha", statistic, distance=statistic.distance)


class _Across:
    """Statistic of two replications; see disagreement.Statistic."""

    def __init__(
        self, x: Ratings, y: Ratings, distance: Any, chance: Callable[[Sums], Any]
    ) -> None:
        self._chance = chance
        where = y.items.get_indexer(x.items)
        kept = (x.per_item > 0) & np.append(y.per_item > 0, False)[where]
        self.items = x.items[kept]
        self.n_items = n = int(kept.sum())
        self.labels, declared, of_x, of_y = in_common(x, y)
        q = len(self.labels)
        item_x = np.where(kept, np.cumsum(kept) - 1, -1)
        item_y = np.full(len(y.items), -1)
        item_y[where[kept]] = np.arange(n)
        sides = _side(x, item_x, of_x), _side(y, item_y, of_y)
        self._unit, self.times, self.x, self.y = units(*sides, n, q)
        unit, label, count = (np.concatenate(pair) for pair in zip(self.x, self.y))
        self.all = cells(unit, label, count, q)
        self.n_x, self.n_y = (
            self._per_unit(side, side[2]) for side in (self.x, self.y)
        )
        self.totals = self._totals(self.times)
        self.n_ratings = int(self.totals[2].sum())
        self.distance = distances.resolve(
            distance, self.labels, declared, self.totals[2], distances.NAMED
        )
        total = len(x.items) + len(y.items) - int((where >= 0).sum())
        self.dropped = ""
        if n < total:
            self.dropped = f"{total - n} of {total} items dropped: "
            self.dropped += "not judged in both replications"
        lost = (x.per_item > 0) & ~kept, (y.per_item > 0) & (item_y < 0)
        apart, mixed = _apart(x.items[lost[0]], y.items[lost[1]])
        self.undefined = self._why(apart)
        self.cautions, self.no_interval = self._rare()
        if mixed and n:
            self.dropped += f"; {apart}"
            self.cautions = [self.dropped, *self.cautions]

    def each(self, values: Array) -> Array:
        return values[self._unit]

    def gathered(self, times: Array) -> Array:
        return np.bincount(self._unit, weights=times, minlength=len(self.times))

    # Disagreement -------------------------------------------------------------

    @cached_property
    def _within(self) -> tuple[Array, Array]:
        """Sums of distances over a unit's pairs: across replications, and all."""
        parts = []
        for side in (self.all, self.x, self.y):
            far = self.distance.within(*side, len(self.times))
            parts.append(self._per_unit(side, side[2] * far))
        return (parts[0] - parts[1] - parts[2]) / 2, parts[0]

    @cached_property
    def _observed(self) -> Array:
        """Mean distance over a unit's pairs across replications."""
        return self._within[0] / (self.n_x * self.n_y)

    def _far(self, totals: list[Array]) -> tuple[Array, Array, Array]:
        """For each label, the sums of distances to X, to Y and to all.

        To X is right for the labels of Y, and to Y for those of X.
        """
        far = []
        for count in totals:
            used = np.flatnonzero(count)
            sums = np.zeros(len(count))
            here = np.zeros(len(used), dtype=np.intp)
            sums[used] = self.distance.within(here, used, count[used], 1)
            far.append(sums)
        in_x, in_y, to_all = far
        return to_all - in_y, to_all - in_x, to_all

    @cached_property
    def _far_all(self) -> tuple[Array, Array, Array]:
        return self._far(self.totals)

    @cached_property
    def _whole(self) -> Sums:
        return self._sums(self.totals, self._far_all)

    @staticmethod
    def _sums(totals: list[Array], far: tuple[Array, Array, Array]) -> Sums:
        _, to_y, to_all = far
        x, y, both = totals
        return Sums(x @ to_y, both @ to_all, x.sum(), y.sum())

    def disagreement(self) -> tuple[float, float]:
        if self.n_items == 0:
            return np.nan, np.nan
        m = self.times * (self.n_x + self.n_y)
        observed = self._observed @ m / m.sum()
        return float(observed), float(self._chance(self._whole))

    def _why(self, apart: str) -> str:
        """Why it is undefined; apart: items that only one replication judged."""
        if self.n_items == 0:
            return "no item was judged in both replications" + (apart and f": {apart}")
        if self.disagreement()[1] > 0:
            return ""
        used = self.labels[self.totals[2] > 0]
        if len(used) == 1:
            return f"every judgment is {label_name(used[0])}, so D_e = 0"
        return "no disagreement is expected by chance, D_e = 0"

    # Subsets ------------------------------------------------------------------

    def leave_one_out(self) -> Array:
        whole, (to_x, to_y, to_all) = self._whole, self._far_all
        m, o = self.n_x + self.n_y, self._observed
        towards = self._per_unit(self.x, self.x[2] * to_y[self.x[1]])
        towards += self._per_unit(self.y, self.y[2] * to_x[self.y[1]])
        towards_all = self._per_unit(self.all, self.all[2] * to_all[self.all[1]])
        across, own = self._within
        left = Sums(
            whole.across - towards + across,
            whole.all - 2 * towards_all + own,
            whole.x - self.n_x,
            whole.y - self.n_y,
        )
        with np.errstate(invalid="ignore", divide="ignore"):
            total = self.times * m
            observed = (o @ total - o * m) / (total.sum() - m)
            values = 1 - observed / self._chance(left)
        remains = [share(part, of) for part, of in zip(left[:2], whole[:2])]
        return anew(self, values, *remains)

    def resampled(self, times: Array) -> float:
        m = times * (self.n_x + self.n_y)
        if not m.any():
            return np.nan
        totals = self._totals(times)
        expected = self._chance(self._sums(totals, self._far(totals)))
        observed = m @ self._observed / m.sum()
        return float(1 - observed / expected) if expected > 0 else np.nan

    # Rare labels ----------------------------------------------------------------

    def _rare(self) -> tuple[Sequence[str], str]:
        """What to know about labels that are rare, and why there is no interval."""
        used = np.flatnonzero(self.totals[2])
        two = len(used) == 2
        if self.undefined or (not two and self.distance.name in ("interval", "ratio")):
            return [], ""
        in_x, in_y = (np.flatnonzero(total) for total in self.totals[:2])
        if len(np.intersect1d(in_x, in_y)) == 0:
            seen = side_by_side(self.labels[in_x[0]], self.labels[in_y[0]])
            why = f"no label of x is a label of y, check case and type: {seen}"
            return [why], why if two else ""
        few = used[self.carriers[used] < FEW * BELOW]
        few = few[np.argsort(self.carriers[few], kind="stable")]
        said = [
            f"about {_about(self.carriers[c])} can be expected to carry"
            f" {label_name(self.labels[c])} in both replications"
            for c in few[: 1 if two else MOST_SAID]
        ]
        if two and self.carriers[used].min() < TOO_FEW * BELOW:
            why = f"{said[0]}, fewer than {TOO_FEW}: no interval is honest"
            return [why], why
        more = len(few) - len(said)
        said = [f"{s}, fewer than {FEW}: an interval may be too short" for s in said]
        if more and not two:
            said.append(f"so with {more} more labels")
        return said, ""

    @cached_property
    def carriers(self) -> Array:
        """J: items that carry each label in both replications, in expectation."""
        q = len(self.labels)
        key_x, key_y = (side[0] * np.int64(q) + side[1] for side in (self.x, self.y))
        _, at_x, at_y = np.intersect1d(
            key_x, key_y, assume_unique=True, return_indices=True
        )
        unit, label = self.x[0][at_x], self.x[1][at_x]
        share = self.x[2][at_x] * self.y[2][at_y] / (self.n_x * self.n_y)[unit]
        seen = np.bincount(label, weights=share * self.times[unit], minlength=q)
        x, y, _ = self.totals
        return np.maximum(seen, self.n_items * (x / x.sum()) * (y / y.sum()))

    def shares(self, observed: float, expected: float) -> str:
        return shares(self.distance, observed, expected)

    def meaning(self, value: float) -> str:
        return meaning(self.distance, value)

    def per_item(self) -> pd.DataFrame:
        columns = {
            "ratings_x": self.each(self.n_x).astype(int),
            "ratings_y": self.each(self.n_y).astype(int),
            "disagreement": self.each(self._observed),
        }
        return pd.DataFrame(columns, index=self.items)

    def _per_unit(self, side: Cells, values: Array) -> Array:
        return np.bincount(side[0], weights=values, minlength=len(self.times))

    def _totals(self, times: Array) -> list[Array]:
        """Judgments per label in X, in Y and in both."""
        x, y = (
            np.bincount(
                side[1], weights=side[2] * times[side[0]], minlength=len(self.labels)
            )
            for side in (self.x, self.y)
        )
        return [x, y, x + y]


def _about(items: float) -> str:
    text = significant(items, 2)
    return f"{text} item{'s' * (text != '1')}"


def _apart(x: pd.Index, y: pd.Index) -> tuple[str, bool]:
    """One item of each that the other lacks, and whether they differ in type."""
    if len(x) == 0 or len(y) == 0:
        return "", False
    return side_by_side(x[0], y[0]), kind(x[0]) != kind(y[0])


Cells = tuple[Array, Array, Array]  # item or unit, label, count


def _side(r: Ratings, item: Array, label: Array) -> Cells:
    """One replication's judgments of the joined items."""
    j = r.judgments
    of = item[j.item]
    if (of >= 0).all():
        return of, label[j.label], j.count
    rows = np.flatnonzero(of >= 0)
    return of[rows], label[j.label[rows]], j.count[rows]


def units(x: Cells, y: Cells, n: int, q: int) -> tuple[Array, Array, Cells, Cells]:
    """The unit of each item, items per unit, and both sides' cells of units.

    Items with the same counts of labels in both replications are one unit, unless
    there are nearly as many possible counts as items.
    """
    base = 1 + max(int(np.bincount(side[0], side[2], 1).max()) for side in (x, y))
    if n == 0 or 2 * q * np.log(base) > np.log(n / 4):
        sides = []
        for item, label, count in (x, y):
            order = np.argsort(item, kind="stable")
            sides.append(cells(item[order], label[order], count[order], q))
        return np.arange(n), np.ones(n), sides[0], sides[1]
    power = base ** np.arange(2 * q)
    number = np.zeros(n)
    for (item, label, count), part in ((x, power[:q]), (y, power[q:])):
        number += np.bincount(item, weights=count * part[label], minlength=n)
    code = number.astype(np.int64)
    times = np.bincount(code, minlength=base ** (2 * q))
    known = np.flatnonzero(times)
    place = np.zeros(len(times), dtype=np.int64)
    place[known] = np.arange(len(known))
    digits = known[:, None] // power % base
    found = []
    for part in (digits[:, :q], digits[:, q:]):
        unit, label = np.nonzero(part)
        found.append((unit, label, part[unit, label].astype(float)))
    return place[code], times[known].astype(float), found[0], found[1]


# Normalised ---------------------------------------------------------------------


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
        raters within them do, and beyond 1 by chance. observed and expected are
        NaN. Its interval is Fieller's by default: (-inf, inf), with a warning,
        where the reliability is too uncertain to divide by.

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
    for name, r in zip("xy", _with_labels_of_both(x, y)):
        if by in ("both", name):
            shared = items == "shared" and kappa.n_items > 0
            given = r.on(kappa._statistic.items) if shared else r
            parts[name] = _part(own, name, given)
    statistic = _Ratio(kappa, parts, (x, y))
    return agreement("Normalised cross-kappa", statistic, result=Normalized)


def _with_labels_of_both(x: Ratings, y: Ratings) -> list[Ratings]:
    """Both replications with the same labels; as they are where these are alike."""
    labels, declared, *places = in_common(x, y)
    both = []
    for r, at in zip((x, y), places):
        if r.declared != declared or not r.labels.equals(labels):
            j = replace(r.judgments, label=at.astype(np.int32)[r.judgments.label])
            r = replace(r, labels=labels, declared=declared, judgments=j)
        both.append(r)
    return both


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
        repetitions = _repetitions(repetitions, confidence, method)
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
