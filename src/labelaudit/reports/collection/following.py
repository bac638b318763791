"""Are suggested labels followed?

Whoever sees a suggestion may follow it. Judgments that follow look like agreement,
and nothing in them says whether the suggestion was right. What the data do hold is
what the other raters said: where most of them gave another label than the suggested
one, how often was the suggestion followed?
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from ..._checks import Array
from ...agreement.gold import accuracy, share_right
from ...agreement.ratings import Ratings
from ...agreement.suggested import dipietro_hazari_kappa
from ..saying import say
from .breakdowns import Shared, shared

FEW_AGAINST = 50  # judgments below which nothing is said of following; ours
FOLLOWED = 0.95  # judgments that are the suggestion, so that nothing is told; ours
DIFFER = "followed, others differ"


def following(r: Ratings, suggested: Any, confidence: float) -> pd.DataFrame | None:
    """What judgments have to do with the labels that were suggested.

    Parameters
    ----------
    r : Ratings
        Raters may be anonymous.
    suggested : Series or sequence, one label for each item
        As for dipietro_hazari_kappa.
    confidence : float in (0, 1)

    Returns
    -------
    DataFrame
        value, low, high, judgments; the rows:

        dipietro_hazari_kappa
        followed: share of judgments that are the suggestion
        followed, others agree: of those whose item most other raters gave the
            suggested label
        followed, others differ: of those whose item most other raters gave one and
            the same other label

        None where there is no judgment of an item with a suggestion. Judgments
        whose other raters are tied are in neither class; of patterns, which do not
        name each item, there is neither.

    Raises
    ------
    ValueError
        As dipietro_hazari_kappa.
    """
    codes, _ = r.item_labels("suggested", suggested)
    if not (codes[r.judgments.item] >= 0).any():
        return None
    kappa, right = dipietro_hazari_kappa(r, suggested), accuracy(r, suggested)
    ends = kappa.interval(confidence), right.interval(confidence)
    rows = {
        "dipietro_hazari_kappa": (kappa.value, *ends[0], kappa.n_ratings),
        "followed": (right.value, *ends[1], right.n_ratings),
    }
    if r.times is None:
        s = shared(r)
        most, wanted = _most_others(s), codes[s.j.item]
        told = (wanted >= 0) & (most >= 0)
        for name, alike in (("followed, others agree", True), (DIFFER, False)):
            at = told & ((most == wanted) == alike)
            followed = (s.j.label == wanted)[at].astype(float)
            found = share_right(r, s.j.item[at], s.j.count[at], followed)
            rows[name] = (found.value, *found.limits(confidence), found.n_ratings)
    columns = ["value", "low", "high", "judgments"]
    return pd.DataFrame(rows, columns).T.astype({"judgments": int})


def _most_others(s: Shared) -> Array:
    """For each judgment, the label that more of the others on its item gave than any
    other label; -1 where there is none."""
    own = pd.DataFrame({"item": s.j.item, "label": s.j.label}).reset_index()
    cells = pd.DataFrame({"item": s.unit, "of": s.of, "others": s.size})
    each = own.merge(cells, on="item")
    each["others"] -= each["of"] == each["label"]
    most = each["others"] == each.groupby("index")["others"].transform("max")
    clear = each[most].drop_duplicates("index", keep=False)
    found = np.full(len(own), -1)
    found[clear["index"]] = clear["of"]
    return found


def told(table: pd.DataFrame) -> str:
    """What the table says, and what it cannot."""
    if DIFFER not in table.index:
        return ""
    against, followed = table.loc[DIFFER], table.loc["followed", "value"]
    if followed >= FOLLOWED or against["judgments"] < FEW_AGAINST:
        return say("no_telling", followed=followed, against=int(against["judgments"]))
    return say("followed", against=against)
