"""Cross-replication reliability: do two replications agree (Wong et al. 2021)?

kappa_x compares judgments of an item across two replications only. It is Cohen's
kappa with replications in the place of raters, and the same disagreement
computation: what lies between two replications is what lies within both together
less what lies within each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from .. import _checks
from .._checks import Array
from .._digits import significant
from .._words import kind, label_name, side_by_side
from . import distances
from .agreement import Agreement, agreement
from .coefficients import once
from .disagreement import anew, cells, meaning, share, shares
from .ratings import Ratings
from .reading import _sorted

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
        labels, _ = _sorted(found)
    places = []
    for name, r in (("x", x), ("y", y)):
        at = labels.get_indexer(r.labels)
        if (at < 0).any():
            label = r.labels[int(np.argmax(at < 0))]
            accepted = f"one of the labels {list(labels)[:20]} that the other declares"
            raise _checks.refuse(f"a label of {name}", label, accepted)
        places.append(at)
    return labels, x.declared or y.declared, places[0], places[1]
