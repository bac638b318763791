"""Raters to talk to: who agrees too little, or answers with one label."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ...._checks import Array
from ....agreement.ratings import Ratings
from ..breakdowns import raters_of, shared
from . import least_able, one_label

LEVEL = 0.05  # false discovery rate that the adjusted p-values aim at
SHARE = 1 / 2  # of it, for either test

COLUMNS = ("judgments", "p_value", "reasons", "flagged")


def flags(r: Ratings) -> pd.DataFrame:
    """Raters to talk to.

    Parameters
    ----------
    r : Ratings
        Labels are compared as equal or not. With fewer than three raters nobody can be
        told from the others, and nobody is flagged.

    Returns
    -------
    DataFrame, index rater
        All raters, those with most judgments first; empty where they are anonymous, or
        patterns stand for items.
        judgments; p_value: the smallest of the rater's tests, adjusted for all tests;
        reasons: in words, joined by "; "; flagged: whether there are any.

    Examples
    --------
    >>> import labelaudit as la
    >>> import numpy as np
    >>> from labelaudit.reports.collection.raters import flags
    >>> random = np.random.default_rng(1)
    >>> truth = random.integers(3, size=(300, 1))
    >>> wrong = random.random((300, 5)) < [0.1, 0.2, 0.1, 0.2, 1]
    >>> labels = np.where(wrong, random.integers(3, size=(300, 5)), truth)
    >>> flags(la.Ratings.from_matrix(labels))["flagged"].to_dict()
    {0: False, 1: False, 2: False, 3: False, 4: True}
    """
    if r.raters is None or r.times is not None:
        return pd.DataFrame(columns=COLUMNS).rename_axis("rater")
    n = len(r.raters)
    p = np.ones(n)
    words: list[list[str]] = [[] for _ in range(n)]
    if n >= 3:
        for rater, value, reason in _found(r):
            p[rater] = min(p[rater], value)
            if value <= LEVEL:
                words[rater].append(reason)
    judgments = np.bincount(r.judgments.known_rater, minlength=n)
    columns = {
        "judgments": judgments,
        "p_value": p,
        "reasons": ["; ".join(own) for own in words],
        "flagged": [bool(own) for own in words],
    }
    table = pd.DataFrame(columns, index=r.raters.rename("rater"))
    order = np.argsort(-judgments, kind="stable")
    return table.iloc[order]


def _found(r: Ratings) -> list[tuple[int, float, str]]:
    """Raters, adjusted p-values and reasons of both tests.

    Bets are adjusted by Benjamini and Hochberg's rule, however they depend. Tails,
    which may depend on each other, by Benjamini and Yekutieli's, of one test a rater.
    """
    s = shared(r)
    c = least_able.compared(r, s)
    tails, bets = one_label.tested(r, s, c), least_able.tested(r, c)
    n = len(raters_of(r))
    p = adjusted(tails.p, n * (1 / np.arange(1, n + 1)).sum()) / SHARE
    found = [*zip(tails.rater, np.minimum(p, 1), tails.reasons)]
    clear = {a for a, value, _ in found if value <= LEVEL}
    p = np.minimum(adjusted(bets.p, len(bets.p)) / SHARE, 1)
    # Who is named for giving one label is not also said to guess.
    return found + [
        one for one in zip(bets.rater, p, bets.reasons) if one[0] not in clear
    ]


def adjusted(p: Array, factor: float) -> Array:
    """p times factor over its rank, made to rise with p.

    The number of tests as factor is Benjamini and Hochberg's (1995); times the sum of
    1 / rank it is Benjamini and Yekutieli's (2001). scipy's wants all tests, also those
    whose p is 1.
    """
    order = np.argsort(p, kind="stable")
    risen = p[order] * factor / np.arange(1, len(p) + 1)
    result = np.empty(len(p))
    result[order] = np.minimum.accumulate(risen[::-1])[::-1]
    return np.minimum(result, 1.0)
