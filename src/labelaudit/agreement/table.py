"""The coefficients of one set of ratings: each is a distance and a rule for chance.

Missing data, one rule for all: items with fewer than two judgments are dropped
(see `Agreement.dropped`); D_o is the mean over items of the mean pair distance,
weighted by the item's number of judgments; D_e is over the judgments of the kept
items, each with the same weight (iota: over those by different raters). With
complete data these are the published formulas. `weigh="items"` lets items weigh
alike in both: D_o is their mean, and a label's share the mean of its shares of the
items' judgments (iota: of each rater's, all pairs of raters alike). Two exceptions
follow their own documents: `dipietro_hazari_kappa` weighs items alike in D_o, and
`cross_kappa` needs one judgment in each replication.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from .. import _checks
from .._words import warn
from .agreement import Agreement
from .distances import NAMED, SHARES, WEIGHTED, resolve
from .pairs import ANY, DIFFERENT, RATERS, Pairs
from .ratings import NO_JOIN, Ratings
from .sample import units


class Coefficient(NamedTuple):
    """What makes a coefficient of 1 - D_o / D_e.

    name : as sentences call it
    pairs : that stand for chance, see `Pairs`
    distances : names that it takes
    of_labels : base and slope of D_e where labels count, by their number and the sum of
        distances over all pairs of them
    instead : what to take with other than two raters, where it is for two
    """

    name: str
    pairs: str = ANY
    distances: tuple[str, ...] = ("nominal",)
    of_labels: Callable[[int, float], tuple[float, float]] | None = None
    instead: str = ""


def _alike(q: int, total: float) -> tuple[float, float]:
    """Each label alike: the mean distance of all (Artstein 2007, slide 15)."""
    return total / q**2, 0.0


def _gwet(q: int, total: float) -> tuple[float, float]:
    """1 - (q^2 - total) / (q (q - 1)) sum p_c (1 - p_c) (Gwet 2008, 2014)."""
    return float(q > 1), (total - q**2) / max(q * (q - 1), 1)


IOTA = "janson_olsson_iota"
TABLE = {
    "bennett_s": Coefficient("Bennett's S", ANY, SHARES, _alike),
    "fleiss_kappa": Coefficient("Fleiss' kappa"),
    "krippendorff_alpha": Coefficient("Krippendorff's alpha", DIFFERENT, NAMED),
    "janson_olsson_iota": Coefficient("Janson and Olsson's iota", RATERS, NAMED),
    "gwet_ac1": Coefficient("Gwet's AC1", of_labels=_gwet),
    "gwet_ac2": Coefficient("Gwet's AC2", ANY, SHARES, _gwet),
    "scott_pi": Coefficient("Scott's pi", instead="fleiss_kappa"),
    "cohen_kappa": Coefficient("Cohen's kappa", RATERS, instead=IOTA),
    "weighted_kappa": Coefficient("Weighted kappa", RATERS, WEIGHTED, instead=IOTA),
}


def compute(
    key: str, r: Ratings, distance: Any = "nominal", weigh: str = "judgments"
) -> Agreement:
    """A coefficient of the table."""
    of, q = TABLE[key], len(once(r).labels)
    if of.instead or of.pairs == RATERS:
        other = ", or use fleiss_kappa, which needs none" if of.instead else ""
        raters = r._known_raters(key, other)
        if of.instead and len(raters) != 2:
            raise ValueError(
                f"r must have exactly two raters for {key}, got {len(raters)}"
                f" ({', '.join(map(str, raters[:5]))}); use {of.instead} for any"
                " number, or take two by r.between"
            )
    _checks.one_of("weigh", weigh, ("judgments", "items"))
    judged = units(r)
    far = resolve(distance, r.labels, r.declared, judged.totals(q), of.distances)
    if far.name in WEIGHTED and not r.declared and r.labels.dtype.kind not in "iufb":
        warn(
            f"{key} takes the labels in the order {list(r.labels)[:20]}; if it"
            " is not theirs, declare them: labels=[...] where the ratings are built"
        )
    base, slope = None, 1.0
    if of.of_labels:
        every = np.zeros(q, dtype=np.intp), np.arange(q), np.ones(q)
        base, slope = of.of_labels(q, float(far.within(*every, 1).sum()))
    why, nothing = "fewer than two judgments", "no item has two judgments"
    if r.raters is not None and len(r.raters) == 2:
        why, nothing = "not judged by both raters", "no item was judged by both raters"
    dropped = r._dropped(int(r.standing[judged.of < 0].sum()), why)
    sample = Pairs(judged, r.labels, far, of.pairs, weigh == "items", base, slope)
    again = partial(compute, key, distance=distance, weigh=weigh)
    return Agreement(of.name, sample, r, dropped, nothing, again=again)._told()


def once(r: Any, name: str = "r") -> Ratings:
    """Ratings with at most one judgment by a rater on an item."""
    if not isinstance(r, Ratings):
        raise _checks.refuse(name, r, "Ratings (see Ratings.from_matrix)")
    if r.repeats:
        raise ValueError(
            f"{name} must have one judgment by a rater on an item, got ratings with"
            " repeats (dawid_skene alone accepts them)"
        )
    return r


def joinable(r: Any, name: str) -> Ratings:
    """The same, of items that can be joined with others by their names."""
    if once(r, name).times is not None:
        raise ValueError(NO_JOIN.format(name=name))
    return r
