"""Observed and expected disagreement of a set of ratings: the body of 1 - D_o/D_e.

Every coefficient in `table`, and kappa_x, is this computation with a distance and a
rule for chance. The rules need two sums over pairs of judgments only, and leaving an
item out changes these sums by what the item contributes, so the delete-one-item
jackknife is exact in one pass (but for iota with items that weigh alike, see `pairs`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from .._checks import Array
from .._digits import decimals, significant
from .._words import label_name, percent, several, whole
from . import adjusted
from .agreement import Agreement
from .clusters import Clusters
from .distances import NOMINAL
from .pairs import Pairs, Sum
from .ratings import Ratings
from .resampling import anew, share
from .units import Units, cells
from .within import Distance, size_of_group

# Share of one label from which on the interval warns, where distances differ.
SKEWED = 3 / 4
FEW = 5  # items with a label, below which the interval warns of it

ANY, DIFFERENT, RATERS, REPLICATIONS = "any", "different", "raters", "replications"


class Chance(NamedTuple):
    """A rule for chance: whose pairs of judgments stand for it, and D_e by them.

    pairs :
        ANY two judgments, the same one twice included: N' d N / N^2 of pi and K
        (Artstein 2007, slides 17, 27). Two DIFFERENT ones: N' d N / (N (N - 1)) of
        alpha (slide 39). Two by different RATERS: kappa and iota (slide 22). Two of
        different REPLICATIONS, for raters, in D_o too: kappa_x (Wong et al. 2021,
        Eq. 10).
    base, slope : float, or None
        Where labels count, D_e = base + slope times the share of pairs that differ.

    Each judgment weighs 1; where items weigh alike, 1 / (judgments of its item), and
    for iota 1 / (judgments of its rater).
    """

    pairs: str
    base: float | None = None
    slope: float = 1.0

    def expected(self, sums: Sequence[Any], n: Any) -> Any:
        """D_e, by the distances and the number of the pairs of n judgments; also of
        arrays."""
        distances, number = sums
        if self.pairs == DIFFERENT:
            number = number - n
        return (self.base or 0.0) + self.slope * (distances / number)


@dataclass(eq=False, repr=False)
class Disagreement(Agreement):
    """1 - D_o / D_e of one set of judgments.

    Parameters
    ----------
    _units : Units
        Of the items of `_ratings`.
    distance, _chance
    _ratings : Ratings
    _by_item : whether all items weigh alike, and with iota all pairs of raters, rather
        than all judgments
    dropped : what takes no part, and why
    _nothing : why no item takes part, where none does
    """

    name: str
    _units: Units
    distance: Distance = field()
    _chance: Chance
    _ratings: Ratings = field()
    _by_item: bool = False
    dropped: str = ""
    _nothing: str = ""
    _again: Callable[..., Agreement] | None = None

    def __post_init__(self) -> None:
        r, of = self._ratings, self._units.of
        rows = slice(None) if (of >= 0).all() else of >= 0
        self.items, self._of = r.items[rows], of[rows]
        self.labels, q = r.labels, len(r.labels)
        if r.clusters is not None:
            self.clusters = Clusters(r.clusters[rows])
        self._times, self._m = self._units.times, self._units.m
        # What an item weighs in D_o.
        self._weight = np.ones_like(self._m) if self._by_item else self._m
        unit, label, count, rater = self._units.judgments
        self._totals = self._units.totals(q)
        self._in_use = np.flatnonzero(self._totals)
        self.n_items, self.n_ratings = int(self._times.sum()), int(self._totals.sum())
        apart = self._chance.pairs in (RATERS, REPLICATIONS)
        self._pairs = Pairs(
            (unit, label, count, rater if apart else None),
            q,
            self._m if self._by_item and not apart else None,
            alike=self._by_item and apart,
        )
        compared = self._pairs
        if self._chance.pairs == RATERS:
            compared = Pairs((unit, label, count, None), q)
        self._compared = compared  # in D_o
        far = self.distance if self._chance.base is None else NOMINAL
        self._sums = far.within, size_of_group
        self._as_one = far is self.distance and self._compared is self._pairs
        self._settle()

    @cached_property
    def _given(self) -> Array:
        """Judgments of an item by each judge, in the mean; by all where none is
        known."""
        judges = max(len(self._pairs.raters), 1)
        return np.full(judges, self.n_ratings / max(self.n_items, 1) / judges)

    # Disagreement -------------------------------------------------------------

    @cached_property
    def _alone(self) -> list[Array]:
        """The sums behind D_e over each unit's own pairs."""
        n = len(self._times)
        return [self._pairs.alone(of, np.arange(n), n) for of in self._sums]

    @cached_property
    def _observed(self) -> Array:
        """Mean distance over the pairs of each unit's judgments."""
        if self._as_one:
            far, number = self._alone
        else:
            of, n = self._compared.alone, len(self._times)
            sums = self.distance.within, size_of_group
            far, number = (of(one, np.arange(n), n) for one in sums)
        if self._chance.pairs != REPLICATIONS:  # not of a judgment with itself
            number = number - number / self._m
        return far / number

    @cached_property
    def _whole(self) -> list[Sum]:
        """The sums behind D_e, and their slopes."""
        return [self._pairs.whole(of, self._times) for of in self._sums]

    def _settle(self) -> None:
        """D_o and D_e, and why the coefficient is undefined, where it is."""
        if self.n_items == 0:
            self.undefined = self._nothing
            return
        n, sums = self._times @ self._weight, [value for value, _ in self._whole]
        observed = (self._times * self._weight) @ self._observed / n
        expected = float(self._chance.expected(sums, n))
        self.observed_disagreement = float(observed)
        self.expected_disagreement = expected
        if not expected > 0 and len(self._in_use) == 1:
            only = label_name(self.labels[self._in_use[0]])
            self.undefined = f"every judgment is {only}, so D_e = 0"
        elif not expected > 0:
            self.undefined = "no disagreement is expected by chance, D_e = 0"

    # More items -----------------------------------------------------------------

    @property
    def _adjustable(self) -> bool:
        cells = len(self._in_use) * len(self._given)
        enough = len(self._in_use) > 1 and cells <= adjusted.MOST
        return enough and not self.undefined

    def _with_items(self, split: float) -> Disagreement:
        """See `adjusted`."""
        said, often = adjusted.shown(self._in_use, len(self._given), split)
        if self.clusters is not None:
            often = often * self.clusters.added
        return self._plus(said, often)

    def _plus(self, said: Array, often: Array) -> Disagreement:
        """With items of which judges say so, at the same distances."""
        judges = self._given, self._pairs.raters
        units = adjusted.extended(self._units, said, often, *judges)
        return replace(self, _units=units)

    @property
    def _skewed(self) -> str:
        """What to know of an interval; with equal distances nothing."""
        share = self._totals.max(initial=0) / max(self.n_ratings, 1)
        equal = self.distance.name == "nominal" or len(self.labels) < 3
        if self.undefined or equal or share <= SKEWED:
            return ""
        most = label_name(self.labels[self._totals.argmax()])
        return (
            f"{most} has {percent(share)} of the judgments, and a rare label that is"
            " far from it may be missing by chance: an interval may be far too short"
        )

    @property
    def _rare(self) -> str:
        if self.distance.name != "nominal":
            return ""
        unit, label, count, _ = self._units.judgments
        unit, label, _ = cells(unit, label, count, len(self.labels))
        items = np.bincount(label, self._times[unit], len(self.labels))
        few = self.labels[(items > 0) & (items < FEW)]
        each = "each " * (len(few) > 1)
        told = f"{several(map(whole, few))}: {each}on fewer than {FEW} items, so that"
        return f"{told} an interval hangs on single ones" if len(few) else ""

    def _influences(self) -> tuple[float, Array, Array]:
        """See `adjusted`: by how much each unit moves the value.

        An imaginary step of 1e-20 gives the derivative of D_e to the last digit.
        """
        w, times, step = self._weight, self._times, 1e-20j
        d_o, d_e = self.observed_disagreement, self.expected_disagreement
        if not d_e > 0:
            return np.nan, times, np.full(len(w), np.nan)
        n = times @ w
        sums = [value + step * slope for value, slope in self._whole]
        by_e = np.imag(self._chance.expected(sums, n + step * w)) / step.imag
        # Ratios, since the products of distances may be too large for a number.
        influence = d_o / d_e * (by_e / d_e) - w * ((self._observed - d_o) / d_e) / n
        return float(1 - d_o / d_e), times, times.sum() * influence

    # Subsets ------------------------------------------------------------------

    def _left_out(self, part: Array, parts: int) -> Array:
        if self._pairs.alike:
            rest = self._pairs.rest
            left = [rest(of, part, parts, self._times) for of in self._sums]
        else:
            alone = self._alone
            if self.clusters is not None and part is self.clusters.of:
                alone = [self._pairs.alone(of, part, parts) for of in self._sums]
            left = [
                value - np.bincount(part, slope, parts) + own
                for (value, slope), own in zip(self._whole, alone)
            ]
        w = self._weight
        n = self._times @ w - np.bincount(part, w, parts)
        lost = np.bincount(part, w * self._observed, parts)
        with np.errstate(invalid="ignore", divide="ignore"):
            observed = ((self._times * w) @ self._observed - lost) / n
            values = 1 - observed / self._chance.expected(left, n)
        remains = [share(one, value) for one, (value, _) in zip(left, self._whole)]
        return anew(self, values, part, *remains)

    def _resampled(self, times: Array) -> float:
        """The coefficient with each unit taken so many times."""
        weights = times * self._weight
        n = weights.sum()
        if n == 0:
            return np.nan
        sums = [self._pairs.whole(of, times)[0] for of in self._sums]
        expected = self._chance.expected(sums, n)
        if not expected > 0:
            return np.nan
        return float(1 - weights @ self._observed / n / expected)

    # In words -----------------------------------------------------------------

    def _shares(self, observed: float, expected: float) -> str:
        """D_o and D_e in words: as agreement where no distance exceeds 1."""
        what, name = "disagreement", self.distance.name
        if self.distance.bounded:
            what, observed, expected = "agreement", 1 - observed, 1 - expected
        of = "" if name == "nominal" else f" ({name} distance)"
        return (
            f"observed {what} {significant(observed)}, expected by chance"
            f" {significant(expected)}{of}"
        )

    def _meaning(self, value: float) -> str:
        """What 1 - D_o / D_e says, in words."""
        if value < -1e-12:
            return "less agreement than chance alone would give"
        share = f"{decimals(100 * value, 0)} %"
        if self.distance.bounded:
            return f"{share} of the agreement that chance leaves room for"
        return f"removes {share} of the disagreement that chance alone would give"

    def _item_table(self) -> pd.DataFrame:
        """Judgments and mean pair distance of each item that takes part."""
        columns = {
            "ratings": self._each(self._m).astype(int),
            "disagreement": self._each(self._observed),
        }
        return pd.DataFrame(columns, index=self.items)
