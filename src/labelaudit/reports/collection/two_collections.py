"""A second collection of labels for the same items: do the two agree?"""

from typing import Any

import numpy as np
import pandas as pd

from ..._words import below, quietly
from ...agreement.across import cross_kappa
from ...agreement.normalized import normalized_cross_kappa
from ...agreement.ratings import Ratings
from ..saying import merged, say
from .fitting import SHOWN, row
from .found import Reliability


def compared(
    x: Ratings, y: Ratings, distance: Any = "nominal", confidence: float = 0.95
) -> pd.DataFrame:
    """Agreement between two collections, beside the reliability of each.

    Parameters
    ----------
    x, y, distance : as for cross_kappa
    confidence : float in (0, 1)

    Returns
    -------
    DataFrame
        The numbers of Reliability.coefficients, items, and why: why there is no value
        or interval, or what to know about it. The rows: cross_kappa;
        normalized_cross_kappa (with Fieller's interval); reliability_x and
        reliability_y (iota, or alpha where raters change).

    Examples
    --------
    >>> import labelaudit as la
    >>> from labelaudit.reports.collection.two_collections import compared
    >>> x = la.Ratings.from_matrix([[1, 1], [2, 2], [1, 2], [2, 2]] * 10)
    >>> y = la.Ratings.from_matrix([[1, 2], [2, 2], [1, 1], [2, 2]] * 10)
    >>> compared(x, y)["value"].round(3).to_dict()["normalized_cross_kappa"]
    0.933
    """
    with quietly():
        kappa = cross_kappa(x, y, distance)
        normal: Any = normalized_cross_kappa(x, y, distance)
        of_x, of_y = normal._parts[1:]
        rows = {}
        for name, one in (
            ("cross_kappa", kappa),
            ("normalized_cross_kappa", normal),
            ("reliability_x", of_x),
            ("reliability_y", of_y),
        ):
            found = row(one, confidence)
            why = found.pop("why") or "; ".join(merged(one._noted))
            if np.isinf(found["low"]):
                why = "the reliability is too uncertain to divide by"
            rows[name] = found | {"items": one.n_items, "why": why}
    numbers = dict.fromkeys(SHOWN, float)
    return pd.DataFrame(rows).T.astype(numbers | {"items": int})


# In words -------------------------------------------------------------------------


def across(found: Reliability) -> str:
    """Agreement across the collections beside that within."""
    if found.other is None:
        return ""
    names = ("cross_kappa", "normalized_cross_kappa")
    kappa, normal = (found.other.loc[name] for name in names)
    if np.isnan(kappa["value"]):
        return say("not_compared", why=kappa["why"])
    said = [say("second", why=kappa["why"])] if kappa["why"] else []
    both = {"kappa": kappa, "normal": normal}
    if np.isnan(normal["value"]) or np.isinf(normal["low"]):
        said.append(say("not_normalised", **both))
    elif normal["high"] < 1:
        said.append(say("differ", high=below(normal["high"], 1), **both))
    return ". ".join(said)


def joined(found: Reliability) -> str:
    """Items that only one of the two collections has judged."""
    if found.other is None or found._second is None:
        return ""
    shared = int(found.other.loc["cross_kappa", "items"])
    first, second = (
        int((r.per_item > 0).sum()) - shared for r in (found.ratings, found._second)
    )
    if not shared or not (first or second):
        return ""
    return say("joined", shared=shared, first=first, second=second)
