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
        agreement, others agree / agreement, others differ: with the other raters
            on the item, in the same two classes of judgments

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
    j, most, wanted, rows, agreement = s.j, _most_others(s), codes[s.j.item], {}, {}
    told = (wanted >= 0) & (most >= 0)
    for name, alike in (("others agree", True), ("others differ", False)):
        at = told & ((most == wanted) == alike)
        followed = (j.label == wanted)[at].astype(float)
        found = share_right(r, j.item[at], j.count[at], followed)
        ends, n = found.limits(confidence), found.n_ratings
        rows[f"followed, {name}"] = (found.value, *ends, n)
        mean = np.average(s.same[at], weights=j.count[at]) if n else np.nan
        agreement[f"agreement, {name}"] = (mean, np.nan, np.nan, n)
    if q <= MOST_LABELS:
        rows |= _pull(r, j[told], most[told], wanted[told], q, confidence)
    return rows | agreement


def _most_others(s: Shared) -> Array:
    """For each judgment, the label that more of the others on its item gave than any
    other label; -1 where there is none."""
    order = np.lexsort((s.of, -s.size, s.unit))
    item, label, count = s.unit[order], s.of[order], s.size[order]
    first = np.flatnonzero(np.diff(item, prepend=-1))
    size = np.diff(np.append(first, len(order)))
    number = np.zeros((3, len(first)))  # judgments of the three commonest labels
    name = np.full((2, len(first)), -1)
    for k in range(3):
        has = size > k
        number[k, has] = count[first[has] + k]
        if k < 2:
            name[k, has] = label[first[has] + k]
    group = np.searchsorted(item[first], s.j.item)
    (one, two, three), (best, next_best) = number[:, group], name[:, group]
    # Without the judgment itself its label has one less.
    one = one - (s.j.label == best)
    two = two - (s.j.label == next_best)
    most = np.where(one > np.maximum(two, three), best, -1)
    return np.where(two > np.maximum(one, three), next_best, most)


def _pull(
    r: Ratings, j: Judgments, c: Array, t: Array, q: int, confidence: float
) -> dict[str, Row]:
    """The same label, suggested and not, where most others gave another one.

    A stratum is a pair of labels (c, s): most others gave c, and s is in question. Its
    weight is the number of judgments for which s was suggested.

    c, t : of each judgment, what most others gave, and the suggestion
    """
    y, n = j.label, j.count

    def table(of: Array, chosen: Array | slice) -> Array:
        key = c[chosen] * q + of[chosen]
        return np.bincount(key, n[chosen], q * q).reshape(q, q)

    there, followed = table(t, slice(None)), table(t, y == t)
    elsewhere = there.sum(axis=1, keepdims=True) - there
    anyway = table(y, slice(None)) - followed
    used = (there > 0) & (elsewhere > 0) & ~np.eye(q, dtype=bool)
    total = there[used].sum()
    if total == 0:
        return {}
    with np.errstate(invalid="ignore", divide="ignore"):
        p = np.where(used, followed / there, 0)
        p0 = np.where(used, anyway / elsewhere, 0)
        weight = np.where(used, there / total, 0)
        each = np.where(used, weight / elsewhere, 0)
    value, base = float((weight * p).sum()), float((weight * p0).sum())
    # What each judgment does to the difference, the weights held fixed.
    treated = np.where(used[c, t], ((y == t) - p[c, t]) / total, 0)
    mean = each * p0
    untreated = each[c, y] * (y != t) - (mean.sum(axis=1)[c] - mean[c, t])
    drawn, clusters = drawn_of(r, j.item)
    moved = np.bincount(drawn, n * (treated - untreated))
    error = np.sqrt(moved @ moved * len(moved) / max(len(moved) - 1, 1))
    reach = quantile(confidence, clusters) * error
    ends = np.clip([value - base - reach, value - base + reach], -1, 1)
    too_few = len(moved) < 2 or (clusters is not None and clusters.too_few)
    if total < FEW_AGAINST or too_few or error == 0:
        ends = np.full(2, np.nan)
    return {
        "given anyway": (base, np.nan, np.nan, int(elsewhere[used].sum())),
        "pull": (value - base, float(ends[0]), float(ends[1]), int(total)),
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
