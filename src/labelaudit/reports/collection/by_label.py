"""Each label: how often it is given, and how often twice to the same item."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..._checks import Array
from ...agreement.ratings import Ratings
from ...agreement.units import cells


def agreement_on_labels(r: Ratings) -> pd.DataFrame:
    """Agreement on each label, and how many items it rests on.

    Parameters
    ----------
    r : Ratings
        Raters may be anonymous.

    Returns
    -------
    DataFrame, index labels
        ratings, share: judgments with this label, of all, also of items with one
        judgment, which no coefficient sees; agreement: mean over
        them of the share of the item's other judgments that are it too (specific
        agreement; Dice's coefficient for two raters); twice: items on which two
        judgments, drawn at random, are both this label, in expectation.

    References
    ----------
    Dice 1945; for agreement, Cicchetti and Feinstein 1990.

    Examples
    --------
    >>> import labelaudit as la
    >>> from labelaudit.reports.collection.by_label import agreement_on_labels
    >>> r = la.Ratings.from_matrix([["a", "a"], ["a", "b"], ["b", "b"], ["a", "a"]])
    >>> agreement_on_labels(r).loc["b"].round(3).to_dict()
    {'ratings': 3.0, 'share': 0.375, 'agreement': 0.667, 'twice': 1.0}
    """
    j, q = r.judgments, len(r.labels)
    item, label, count = cells(j.item, j.label, j.count, q)
    m = r.per_item[item]
    # Of each judgment, the expected number of equal ones among the item's others.
    same = count * (count - 1) / np.maximum(m - 1, 1)

    def total(values: Array) -> Array:
        return np.bincount(label, weights=values, minlength=q)

    with np.errstate(invalid="ignore"):
        agreement = total(same) / total(count * (m >= 2))
    ratings = total(count).astype(int)
    columns = {
        "ratings": ratings,
        "share": ratings / r.n_ratings,
        "agreement": agreement,
        "twice": total(same / m),
    }
    return pd.DataFrame(columns, index=r.labels.rename("label"))
