"""Raters to talk to: who agrees too little, answers with one label, or copies."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ....agreement.ratings import Ratings
from ..breakdowns import raters_of, shared
from . import copies, least_able, one_label
from .false_discovery import hochberg, yekutieli

LEVEL = 0.05  # false discovery rate that the adjusted p-values aim at
SHARES = {"bets": 1 / 2, "one label": 1 / 4, "copies": 1 / 4}  # of it, by test

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
    """Raters, adjusted p-values and reasons of all tests.

    Bets are adjusted by Benjamini and Hochberg's rule. Tails, which may depend on each
    other, by Benjamini and Yekutieli's: of n raters, and of all pairs of them.
    """
    s = shared(r)
    n = len(raters_of(r))
    c = least_able.compared(r, s)
    bets = least_able.tested(r, c)
    found = []
    for name, tails, tests in (
        ("one label", one_label.tested(r, s, c), n),
        ("copies", copies.tested(r, s), n * (n - 1) // 2),
    ):
        p = yekutieli(np.array([one.p for one in tails]), tests) / SHARES[name]
        for one, value in zip(tails, p):
            value = float(min(value, 1.0))
            found += [(a, value, why) for a, why in zip(one.raters, one.reasons)]
        if name == "one label":  # who is named by it is not also said to guess
            clear = {a for a, value, _ in found if value <= LEVEL}
    p = hochberg(bets.p) / SHARES["bets"]
    return found + [
        (int(a), float(min(value, 1.0)), reason)
        for a, value, reason in zip(bets.rater, p, bets.reasons)
        if a not in clear
    ]
