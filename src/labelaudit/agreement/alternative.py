"""Can a model replace the people who annotate (Calderon, Reichart and Dror 2025)?

One rater after the other is left out, and the model and this rater are compared: who
is nearer to the labels of the others? `nearer` tells, `regions` has the tests.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from .. import _checks
from .._checks import Array
from .._digits import significant
from .._words import plural, warn
from .nearer import SCORINGS, better
from .ratings import Judgments, Ratings
from .regions import P_VALUES
from .table import once

PASSED = 0.5  # winning rate


@dataclass(frozen=True, eq=False, repr=False)
class AlternativeAnnotator:
    """Whether a model may stand in for the raters.

    Attributes
    ----------
    winning_rate : float
        The share of raters whom the model beats, NaN where no rater is tested.
    advantage : float
        How often the model is at least as good as a rater, the mean over raters.
    passed : bool
        Whether the winning rate is at least 0.5.
    per_rater : DataFrame, index rater
        items, advantage, human_advantage (how often the rater is at least as good as
        the model), p_value (before Benjamini and Yekutieli), rejected (the model beats
        the rater) and skipped (too few items; the shares and p_value are NaN).
    scoring, test : str
        As called; a function's scoring is "callable".
    epsilon, q : float
    n_items : int
        Items with a label by the model and enough raters.

    Examples
    --------
    >>> import labelaudit as la
    >>> r = la.Ratings.from_matrix([["a", "a", "a"], ["b", "b", "a"]] * 20)
    >>> la.alternative_annotator(r, ["a", "b"] * 20)
    Winning rate 1 (passed), advantage 1, 3 of 3 raters tested
    accuracy, epsilon 0.2, q 0.05, test t; 40 items
    """

    winning_rate: float
    advantage: float
    passed: bool
    per_rater: pd.DataFrame
    scoring: str
    test: str
    epsilon: float
    q: float
    n_items: int

    def __repr__(self) -> str:
        tested = int((~self.per_rater["skipped"]).sum())
        told = "passed" if self.passed else "not passed"
        raters = plural(len(self.per_rater), "rater")
        return (
            f"Winning rate {significant(self.winning_rate)} ({told}), advantage"
            f" {significant(self.advantage)}, {tested} of {raters} tested\n"
            f"{self.scoring}, epsilon {self.epsilon:g}, q {self.q:g}, test {self.test};"
            f" {plural(self.n_items, 'item')}"
        )


def alternative_annotator(
    r: Ratings,
    model: Any,
    *,
    scoring: str | Callable[[Any, list[Any]], float] = "accuracy",
    epsilon: float = 0.2,
    q: float = 0.05,
    min_raters: int = 2,
    min_items: int = 30,
    test: str = "t",
) -> AlternativeAnnotator:
    """Is a model as good an annotator as the raters are, less a margin for its price?

    On each item of a rater the model and the rater are scored against the labels of
    the other raters. d is 1 where the rater is better, -1 where the model is, else 0.
    The model beats the rater where a test rejects that d has a mean of at least
    epsilon, at a false discovery rate of q over raters (Benjamini and Yekutieli).

    It is about all items together: a model that never gives a rare label may pass.
    Raters who saw the model's labels make it look better than it is. Items are taken as
    independent: clusters of the ratings are not looked at.

    Parameters
    ----------
    r : Ratings
        Raters have names, and at most one judgment of an item each.
    model : Series or sequence, one label for each item
        A Series joins on items; any other sequence is in the order of r.items.
        An item without a label by the model is left out.
    scoring : "accuracy", "neg_rmse" or callable
        The share of the others' labels that are this one; or minus the root of the mean
        squared difference from them, of labels that are numbers; or a function of a
        label and a list of the others' labels that returns a number, higher if better.
    epsilon : float
        From 0, below 1: how much more often a rater may be nearer to the others than
        the model. The authors take 0.2 for experts, 0.15 for skilled raters, 0.1 for a
        crowd, and less where raters agree little.
    q : float
        The false discovery rate, between 0 and 1.
    min_raters : int
        Items with fewer judgments are left out; at least 2.
    min_items : int
        Raters with fewer items are skipped; at least 2.
    test : "t" or "exact"
        "t", as published: Student's one-sided test of the mean of d. Its p is 0 where
        all d are alike and below epsilon. It rejects too often where the model is
        nearly never nearer than the rater, the more so the fewer items there are.
        "exact": Tango's (1998) score statistic, the mean of d less epsilon over the
        standard error that it has where the mean is epsilon, made exact. p is the
        largest probability of a score that is no larger, over all laws of d with a mean
        of at least epsilon, or up to 1 % more; 1 where the mean of d is at least
        epsilon. It never rejects more often than it says; for at most 1,000 items of a
        rater, then in seconds.

    Returns
    -------
    AlternativeAnnotator
        winning_rate, advantage, passed, per_rater (n_raters rows).

    Raises
    ------
    ValueError
        For anonymous raters, ratings with repeats, a wrong number of labels, no item
        in common, a label outside the declared ones, labels that are no numbers with
        "neg_rmse", a function that fails or returns no number, numbers out of range,
        more than 1,000 items of a rater with "exact".

    Warns
    -----
    UserWarning
        Where no rater has enough items: the shares are NaN, and it is not passed.

    References
    ----------
    Calderon, Reichart and Dror (2025), "The Alternative Annotator Test for
    LLM-as-a-Judge", ACL 2025. Tango (1998), "Equivalence test and confidence interval
    for the difference in proportions for the paired-sample design", Statistics in
    Medicine 17.

    Examples
    --------
    >>> import labelaudit as la
    >>> r = la.Ratings.from_matrix([["a", "a", "a"], ["b", "b", "a"]] * 20)
    >>> found = la.alternative_annotator(r, ["a", "b"] * 20)
    >>> found.winning_rate, found.advantage, found.passed
    (1.0, 1.0, True)
    >>> found.per_rater["human_advantage"].to_dict()
    {0: 1.0, 1: 1.0, 2: 0.5}
    """
    once(r)._known_raters("r of alternative_annotator")
    named = isinstance(scoring, str) and scoring in SCORINGS
    if not named and not callable(scoring):
        accepted = f"{' or '.join(map(repr, SCORINGS))} or a function"
        raise _checks.refuse("scoring", scoring, accepted)
    margin = _checks.real(epsilon)
    if margin is None or not 0 <= margin < 1:
        raise _checks.refuse("epsilon", epsilon, "a number from 0, below 1")
    level = _checks.open_unit("q", q)
    least_raters = _checks.count("min_raters", min_raters, 2, _checks.LARGEST_COUNT)
    least_items = _checks.count("min_items", min_items, 2, _checks.LARGEST_COUNT)
    _checks.one_of("test", test, tuple(P_VALUES))
    codes, labels = r.item_labels("model", model)
    kept = (codes >= 0) & (r.per_item >= least_raters)
    j = r.judgments[np.flatnonzero(kept[r.judgments.item])]
    signs = better(scoring, r.items, j, codes, labels)
    p_of = partial(P_VALUES[test], epsilon=margin)
    per_rater = _per_rater(r, j, signs, least_items, p_of, level)
    if per_rater["skipped"].all():
        warn(
            "the winning rate and the advantage are undefined: no rater has"
            f" {least_items} items (min_items) with a label by the model and"
            f" {least_raters} judgments (min_raters)"
        )
    tested = per_rater[~per_rater["skipped"]]
    rate, advantage = (float(tested[of].mean()) for of in ("rejected", "advantage"))
    how = scoring if isinstance(scoring, str) else "callable", test, margin, level
    items = int(r.standing[kept].sum())
    return AlternativeAnnotator(rate, advantage, rate >= PASSED, per_rater, *how, items)


def _per_rater(
    r: Ratings, j: Judgments, signs: Array, least: int, p_of: Any, q: float
) -> pd.DataFrame:
    """p_of : p of the items, wins and losses of raters"""
    from scipy.stats import false_discovery_control  # half a second to import

    raters, times = r._known_raters("r of alternative_annotator"), r.standing[j.item]
    items, wins, losses = (
        np.bincount(j.rater, times * which, len(raters))
        for which in (True, signs > 0, signs < 0)
    )
    tested = items >= least
    n = np.where(tested, items, np.nan)
    p, rejected = np.full_like(n, np.nan), np.zeros_like(tested)
    p[tested] = p_of(items[tested], wins[tested], losses[tested])
    rejected[tested] = false_discovery_control(p[tested], method="by") <= q
    columns = {
        "items": items.astype(np.int64),
        "advantage": 1 - wins / n,
        "human_advantage": 1 - losses / n,
        "p_value": p,
        "rejected": rejected,
        "skipped": ~tested,
    }
    return pd.DataFrame(columns, index=raters.rename("rater"))
