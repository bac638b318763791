"""Do suggested labels lead raters?

Whoever sees a suggestion may follow it. Judgments that follow look like agreement,
and nothing in them says whether the suggestion was right. What the data do hold is
what the other raters said: where most of them gave another label than the suggested
one, how often was the suggestion followed, and how often was the same label given in
such a place when it was not suggested?
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from ... import _checks
from ..._checks import Array
from ..._words import quietly
from ...agreement.clusters import quantile
from ...agreement.gold import accuracy, share_right
from ...agreement.ratings import Judgments, Ratings
from ...agreement.suggested import dipietro_hazari_kappa
from ...agreement.table import once
from ..saying import say
from .breakdowns import Shared, drawn_of, shared
from .found import EDGE, Reliability

FEW_AGAINST = 50  # judgments below which a pull has no interval; ours
LED = 0.05  # judgments that follow a suggestion against most others; ours
FOLLOWED = 0.95  # judgments that are the suggestion, so that nothing is told; ours
MOST_LABELS = 1000  # a table of labels by labels is built

Row = tuple[float, float, float, int]  # value, low, high, judgments


def following(
    r: Ratings, suggested: Any, *, confidence: float = 0.95
) -> pd.DataFrame | None:
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
        given anyway: how often the same label is given against the same majority
            where it is not suggested, at the same mix of the two labels
        pull: the difference of the last two, items or clusters as units; 0 where
            suggestions change nothing, but also above 0 where they know what most
            raters miss. No interval below FEW_AGAINST judgments (our rule)

        None where there is no judgment of an item with a suggestion. Judgments
        whose other raters are tied are in neither class.

    Raises
    ------
    ValueError
        As dipietro_hazari_kappa.

    Examples
    --------
    >>> import labelaudit as la
    >>> from labelaudit.reports.collection.following import following
    >>> r = la.Ratings.from_matrix([[1, 1, 1], [1, 1, 2], [2, 2, 2], [2, 2, 2]])
    >>> following(r, [1, 2, 2, 2])["value"].round(3).to_dict()["followed"]
    0.833
    """
    confidence = _checks.confidence(confidence)
    with quietly():
        codes, labels = once(r).item_labels("suggested", suggested)
        if not (codes[r.judgments.item] >= 0).any():
            return None
        kappa, right = dipietro_hazari_kappa(r, suggested), accuracy(r, suggested)
        low, high = kappa.interval(confidence)
    rows = {
        "dipietro_hazari_kappa": (kappa.value, low, high, kappa.n_ratings),
        "followed": (right.value, *right.interval(confidence), right.n_ratings),
    }
    if r.times is None:  # what others say tells each item
        rows |= _by_others(r, codes, len(labels), confidence)
    columns = ["value", "low", "high", "judgments"]
    return pd.DataFrame(rows, columns).T.astype({"judgments": int})


def _by_others(r: Ratings, codes: Array, q: int, confidence: float) -> dict[str, Row]:
    """Following where most others say the same, and where they do not.

    codes : of each item, the suggested label, -1: none
    """
    s = shared(r)
    j, most, wanted, rows = s.j, _most_others(s), codes[s.j.item], {}
    told = (wanted >= 0) & (most >= 0)
    for name, alike in (("others agree", True), ("others differ", False)):
        at = told & ((most == wanted) == alike)
        followed = (j.label == wanted)[at].astype(float)
        found = share_right(r, j.item[at], j.count[at], followed)
        ends = found.limits(confidence)
        rows[f"followed, {name}"] = (found.value, *ends, found.n_ratings)
    if q <= MOST_LABELS:
        rows |= _pull(r, j[told], most[told], wanted[told], q, confidence)
    return rows


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


def _pull(
    r: Ratings, j: Judgments, c: Array, t: Array, q: int, confidence: float
) -> dict[str, Row]:
    """The same label, suggested and not, where most others gave another one.

    A stratum is a pair of labels (c, s): most others gave c, and s is in question. Its
    weight is the number of judgments for which s was suggested.

    c, t : of each judgment, what most others gave, and the suggestion
    """
    y, n = j.label, j.count

    def table(of: Array, weights: Array) -> Array:
        return np.bincount(c * q + of, weights, q * q).reshape(q, q)

    def ratio(one: Array, other: Array) -> Array:
        return np.divide(one, other, out=np.zeros((q, q)), where=used)

    there, followed = table(t, n), table(t, n * (y == t))
    anyway = table(y, n) - followed
    elsewhere = there.sum(axis=1, keepdims=True) - there
    used = (there > 0) & (elsewhere > 0) & ~np.eye(q, dtype=bool)
    total = there[used].sum()
    if total == 0:
        return {}
    each = ratio(there, elsewhere) / total  # the weight of one that is not suggested
    base = float((each * anyway).sum())
    pull = followed[used].sum() / total - base
    # What each judgment does to the difference, the weights held fixed.
    treated = used[c, t] * ((y == t) - ratio(followed, there)[c, t]) / total
    mean = each * ratio(anyway, elsewhere)
    untreated = each[c, y] * (y != t) - (mean.sum(axis=1)[c] - mean[c, t])
    drawn, clusters = drawn_of(r, j.item)
    moved = np.bincount(drawn, n * (treated - untreated))
    error = np.sqrt(moved @ moved * len(moved) / max(len(moved) - 1, 1))
    reach = quantile(confidence, clusters) * error
    too_few = len(moved) < 2 or (clusters is not None and clusters.too_few)
    unknown = total < FEW_AGAINST or too_few or reach == 0
    low, high = np.clip([pull - reach, pull + reach], -1, 1)
    ends = (np.nan, np.nan) if unknown else (float(low), float(high))
    untold = int(elsewhere[used].sum())
    return {
        "given anyway": (base, np.nan, np.nan, untold),
        "pull": (float(pull), *ends, int(total)),
    }


# In words -------------------------------------------------------------------------


def led(found: Reliability) -> str:
    """Judgments that lean to the suggestions, or too few to tell.

    Our rules: FOLLOWED, FEW_AGAINST and LED. Where most items have two judgments,
    "most others" is one person, and no pull is said.
    """
    table, per_item = found.suggested, found.ratings.per_item
    if table is None or "followed, others differ" not in table.index:
        return ""
    followed = table.loc["followed", "value"]
    against = table.loc["followed, others differ", "judgments"]
    if followed >= FOLLOWED - EDGE or against < FEW_AGAINST:
        rule = {"most": FOLLOWED, "least": FEW_AGAINST}
        return say("no_telling", followed=followed, against=against, **rule)
    if "pull" not in table.index or np.median(per_item[per_item >= 2]) < 3:
        return ""
    pull, anyway = table.loc["pull"], table.loc["given anyway", "value"]
    if not (pull["value"] >= LED - EDGE and pull["low"] > 0):
        return ""
    with_it, level = anyway + pull["value"], 100 * found.confidence
    return say("led", with_it=with_it, anyway=anyway, pull=pull, level=level)
