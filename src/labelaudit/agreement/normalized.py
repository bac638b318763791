"""The cross-replication kappa over the reliability within both replications."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from .. import _checks
from .._words import quietly, shown
from .across import alike, cross_kappa
from .agreement import Agreement
from .clusters import places
from .coefficients import janson_olsson_iota, krippendorff_alpha
from .ratings import Ratings
from .ratio import Normalized
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
    return Normalized(kappa, parts, (x, y))._told()


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
    own = part.clusters
    if r.clusters is not None and (
        own is None or (places(own.names, r.clusters) < 0).any()
    ):
        accepted = "a function that keeps the clusters of the Ratings that it gets"
        raise _checks.refuse("irr", "an Agreement of other or no clusters", accepted)
    items = part.items
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
