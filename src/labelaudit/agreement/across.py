"""Cross-replication reliability: do two replications agree (Wong et al. 2021)?

kappa_x compares judgments of an item across two replications only. It is Cohen's
kappa with replications in the place of raters, who may judge an item several times.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from .. import _checks
from .._words import kind, quietly, shown, side_by_side
from . import distances
from .agreement import Agreement
from .clusters import of_both, places
from .coefficients import janson_olsson_iota, krippendorff_alpha
from .pairs import REPLICATIONS, Pairs
from .ratings import Ratings
from .reading import sorted_labels
from .sample import by_two, gathered
from .table import joinable


def cross_kappa(x: Ratings, y: Ratings, distance: Any = "nominal") -> Agreement:
    """kappa_x: agreement between two replications, beyond chance.

    Parameters
    ----------
    x, y : Ratings
        Joined on their items, which must be of one type (1 is not "1"); an item
        takes part where both replications judged it. Any numbers of raters; who
        judged does not matter.
    distance : as for krippendorff_alpha
        Labels of both together; the ranks of "ordinal"
        are those of the judgments of both, and are held fixed in the standard
        error.

    Returns
    -------
    Agreement
        1 - d_o / d_e. d_o: the mean distance between judgments of an item in x and in
        y, weighted by its judgments; d_e: that between any judgment of x and any of y.
        With one judgment per item in each replication it is Cohen's kappa.

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
    x, y = alike(joinable(x, "x"), joinable(y, "y"))
    where = y.items.get_indexer(x.items)
    in_x, in_y = x.per_item > 0, y.per_item > 0
    kept = in_x & np.append(in_y, False)[where]
    n, total = int(kept.sum()), len(y.items) + int((where < 0).sum())
    of_y = np.full(len(y.items), -1)
    of_y[where[kept]] = np.flatnonzero(kept)
    apart, mixed = _apart(x.items[in_x & ~kept], y.items[in_y & (of_y < 0)])
    nothing = "no item was judged in both replications"
    dropped, of_types = "", mixed and n > 0
    if n < total:
        dropped = f"{total - n:,} of {total:,} items dropped: "
        dropped += "not judged in both replications" + f"; {apart}" * of_types
    one, other = x.judgments, y.judgments
    other = other[of_y[other.item] >= 0]
    judged = by_two(
        (one.item, one.label, one.count), (of_y[other.item], other.label, other.count)
    )
    m, q, (_, label, count, side) = np.zeros_like(x.per_item), len(x.labels), judged
    m[kept] = y.per_item[where[kept]]
    digits = side * q + label, count, np.maximum(x.per_item, m)
    units = gathered(judged, x.per_item + m, kept, x, digits)
    names, totals = distances.NAMED, units.totals(q)
    far = distances.resolve(distance, x.labels, x.declared, totals, names)
    sample = Pairs(units, x.labels, far, REPLICATIONS)
    nothing += f": {apart}" if apart else ""
    found = Agreement("Cross-kappa", sample, x, dropped, nothing)
    found._strangers = "" if found.undefined else _strangers(sample)
    found._noted = [*filter(None, [dropped * of_types, found._strangers])]
    return found._told()


def _strangers(s: Pairs) -> str:
    """Two labels, one of each replication, where none is in both."""
    in_x, in_y = map(np.flatnonzero, s.of_each)
    scale = s.distance.name in ("interval", "ratio") and (s.totals > 0).sum() > 2
    if scale or len(np.intersect1d(in_x, in_y)):
        return ""
    seen = side_by_side(s.labels[in_x[0]], s.labels[in_y[0]])
    return f"no label of x is a label of y, check case and type: {seen}"


def _apart(x: pd.Index, y: pd.Index) -> tuple[str, bool]:
    """One item of each that the other lacks, and whether they differ in type."""
    if len(x) == 0 or len(y) == 0:
        return "", False
    return side_by_side(x[0], y[0]), kind(x[0]) != kind(y[0])


def alike(x: Ratings, y: Ratings) -> list[Ratings]:
    """Both replications with the same labels, and what either knows of clusters."""
    declared, same = x.declared or y.declared, x.labels.equals(y.labels)
    same = same and x.labels.inferred_type == y.labels.inferred_type  # True is not 1
    if x.declared and y.declared and not same:
        raise ValueError(
            "x and y must declare the same labels in the same order, got"
            f" {list(x.labels)[:20]} and {list(y.labels)[:20]}"
        )
    labels = x.labels if x.declared or same else y.labels
    if not declared and not same:
        found = x.labels.append(y.labels[x.labels.get_indexer(y.labels) < 0])
        labels, _ = sorted_labels(found)
    both = []
    for name, r, clusters in zip("xy", (x, y), of_both(x, y)):
        at = labels.get_indexer(r.labels).astype(np.int32)
        if (at < 0).any():
            label = r.labels[int(np.argmax(at < 0))]
            accepted = f"one of the labels {list(labels)[:20]} that the other declares"
            raise _checks.refuse(f"a label of {name}", label, accepted)
        if r.labels is not labels or r.declared != declared:
            j = replace(r.judgments, label=at[r.judgments.label])
            r = replace(r, judgments=j, labels=labels, declared=declared)
        both.append(r if clusters is r.clusters else replace(r, clusters=clusters))
    return both


def reliability(
    irr: Callable[[Ratings], Agreement], name: str, r: Ratings
) -> Agreement:
    """The reliability of one replication, checked."""
    accepted = "a function that gives an Agreement of the Ratings that it gets"
    try:
        with quietly():
            part = irr(r)
    except ValueError:  # ours, or said in words
        raise
    except Exception as error:
        raise _checks.refuse("irr", error, accepted) from error
    if not isinstance(part, Agreement):
        raise _checks.refuse("irr", part, accepted)
    foreign = part.items[r.items.get_indexer(part.items) < 0]
    if len(foreign):
        seen = f"one of item {shown(foreign[0])}, which is not among those of {name}"
        raise _checks.refuse("irr", seen, accepted)
    own, of = part.clusters, r.clusters
    if of is not None and (own is None or (places(own.names, of) < 0).any()):
        raise _checks.refuse("irr", "one of other or no clusters", accepted)
    return part


def usual(r: Ratings, distance: Any) -> Agreement:
    """iota where every kept item has the same raters, else alpha."""
    kept = r.per_item >= 2
    if r.raters is not None and kept.any():
        rater = r.judgments.rater[kept[r.judgments.item]]
        if {*np.bincount(rater)} <= {0, kept.sum()}:
            return janson_olsson_iota(r, distance)
    return krippendorff_alpha(r, distance)
