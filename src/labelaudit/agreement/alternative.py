"""Can a model replace the people who annotate (Calderon, Reichart and Dror 2025)?

One rater after the other is left out, and the model and this rater are compared: who
is nearer to the labels of the others? `regions` has the mathematics of the exact test.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import ndtr, stdtr

from .. import _checks
from .._checks import Array
from .._digits import significant
from .._words import plural, shown, warn
from . import distances, regions
from .ratings import NEEDS_RATERS, Ratings
from .reading import index_of
from .table import once

SCORINGS = ("accuracy", "neg_rmse")
TESTS = ("t", "exact")
PASSED = 0.5  # winning rate
SAME = 1e-12  # differences of squares, as shares of their terms, that are rounding


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
    once(r)
    if r.raters is None:
        raise ValueError(NEEDS_RATERS.format(name="r of alternative_annotator"))
    named = isinstance(scoring, str)
    if (named and scoring not in SCORINGS) or not (named or callable(scoring)):
        names = " or ".join(map(repr, SCORINGS))
        raise _checks.refuse("scoring", scoring, f"{names} or a function")
    margin = _checks.unit("epsilon", epsilon)
    if margin == 1:
        raise _checks.refuse("epsilon", epsilon, "a number from 0, below 1")
    level = _checks.open_unit("q", q)
    least_raters = _checks.count("min_raters", min_raters, 2, _checks.LARGEST_COUNT)
    least_items = _checks.count("min_items", min_items, 2, _checks.LARGEST_COUNT)
    _checks.one_of("test", test, TESTS)
    codes, labels = r.item_labels("model", model)
    kept = (codes >= 0) & (r.per_item >= least_raters)
    rows = np.flatnonzero(kept[r.judgments.item])
    item, label = r.judgments.item[rows], r.judgments.label[rows]
    if callable(scoring):
        better = _by_function(scoring, r.items, item, label, codes, labels)
    elif scoring == "accuracy":
        better = _by_accuracy(item, label, codes, len(labels))
    else:
        better = _by_squares(item, label, codes, _numbers(labels))
    n_raters = len(r.raters)
    rater, times = r.judgments.known_rater[rows], r.standing[item]

    def total(which: Array) -> Array:
        return np.bincount(rater[which], times[which], n_raters)

    items = total(np.full(len(rows), True))
    wins, losses = total(better > 0), total(better < 0)  # of the rater
    tested = items >= least_items
    n = np.where(tested, items, np.nan)
    p = np.full(n_raters, np.nan)
    of = items[tested], wins[tested], losses[tested]
    p[tested] = P_VALUES[test](*of, margin)
    rejected = np.zeros(n_raters, dtype=bool)
    rejected[tested] = yekutieli(p[tested], level)
    per_rater = pd.DataFrame(
        {
            "items": items.astype(np.int64),
            "advantage": 1 - wins / n,
            "human_advantage": 1 - losses / n,
            "p_value": p,
            "rejected": rejected,
            "skipped": ~tested,
        },
        index=r.raters.rename("rater"),
    )
    winning_rate = advantage = np.nan
    if tested.any():
        winning_rate = float(rejected[tested].mean())
        advantage = float(per_rater["advantage"][tested].mean())
    else:
        warn(
            "the winning rate and the advantage are undefined: no rater has"
            f" {least_items} items (min_items) with a label by the model and"
            f" {least_raters} judgments (min_raters)"
        )
    return AlternativeAnnotator(
        winning_rate,
        advantage,
        bool(winning_rate >= PASSED),
        per_rater,
        scoring if isinstance(scoring, str) else "callable",
        test,
        margin,
        level,
        int(r.standing[kept].sum()),
    )


# Who is better: 1 the rater, -1 the model, 0 neither; of each judgment ----------------


def _by_accuracy(item: Array, label: Array, codes: Array, n_labels: int) -> Array:
    """How many of the others gave the rater's label, and the model's."""
    cell = item.astype(np.int64) * n_labels + label
    _, at, size = np.unique(cell, return_inverse=True, return_counts=True)
    right = label == codes[item]
    alike = np.bincount(item[right], minlength=len(codes))[item]
    signs: Array = np.sign((size[at] - 1) - (alike - right))
    return signs


def _by_squares(item: Array, label: Array, codes: Array, values: Array) -> Array:
    """sum (model - other)^2 - sum (rater - other)^2, where rounding does not decide.

    With a = model - rater and b = sum of (other - rater), it is a (n a - 2 b).
    """
    _, first, at = np.unique(item, return_index=True, return_inverse=True)
    begin = values[label[first]][at]
    own = values[label] - begin
    m = np.bincount(at)[at]
    whole = np.bincount(at, own)[at] if len(at) else own
    size = np.bincount(at, np.abs(own))[at] if len(at) else own
    a = values[codes[item]] - values[label]
    n, b = m - 1, whole - m * own
    away = n * a - 2 * b
    rounding = SAME * (n * np.abs(a) + 2 * (size + m * np.abs(own)))
    signs: Array = np.where(np.abs(away) <= rounding, 0, np.sign(a) * np.sign(away))
    return signs.astype(np.int64)


def _by_function(
    scoring: Callable[[Any, list[Any]], float],
    items: pd.Index,
    item: Array,
    label: Array,
    codes: Array,
    labels: list[Any],
) -> Array:
    """The same by a function of a label and the others' labels."""
    signs = np.zeros(len(item), dtype=np.int64)
    start = np.flatnonzero(np.diff(item, prepend=-1))
    for first, last in zip(start, np.append(start[1:], len(item))):
        given = [labels[code] for code in label[first:last]]
        name = items[item[first]]
        for k, own in enumerate(given):
            others = given[:k] + given[k + 1 :]
            rater = _scored(scoring, own, others, name)
            its = _scored(scoring, labels[codes[item[first]]], others, name)
            signs[first + k] = (rater > its) - (rater < its)
    return signs


def _scored(scoring: Any, label: Any, others: list[Any], item: Any) -> float:
    accepted = f"a function whose value is a number, also on item {shown(item)},"
    try:
        value = scoring(label, list(others))
    except Exception as error:
        raise _checks.refuse("scoring", error, accepted) from error
    number = _checks.real(int(value) if isinstance(value, np.bool_ | bool) else value)
    if number is None or not -np.inf < number < np.inf:
        raise _checks.refuse("scoring", value, accepted)
    return number


def _numbers(labels: list[Any]) -> Array:
    try:
        return distances.numbers(index_of(labels), "interval")
    except ValueError as error:
        told = str(error).replace("the interval distance", "scoring 'neg_rmse'")
        raise ValueError(told) from None


# Tests of d: a p for each rater, from the numbers of items, wins and losses ----------


def student(items: Array, wins: Array, losses: Array, epsilon: float) -> Array:
    """The one-sided t-test of a mean of d of at least epsilon."""
    mean = (wins - losses) / items
    squares = (wins + losses) - (wins - losses) * mean
    constant = (wins == items) | (losses == items) | (wins + losses == 0)
    error = np.sqrt(np.where(constant, 1.0, squares) / (items - 1) / items)
    p = stdtr(items - 1, (mean - epsilon) / error)
    exact: Array = np.where(constant, (mean >= epsilon).astype(float), p)
    return exact


def score(items: Array, wins: Array, losses: Array, epsilon: float) -> Array:
    """The score test: the variance is the likeliest where d has a mean of epsilon.

    a, the probability of a win there, solves W / a + L / (a - epsilon) = 2 T / (1 - 2 a
    + epsilon) with W wins, L losses and T ties; it is at least epsilon.
    """
    ties = items - wins - losses
    line = wins * (1 + 3 * epsilon) + losses * (1 + epsilon) + 2 * ties * epsilon
    root = np.sqrt(np.maximum(line**2 - 8 * items * wins * epsilon * (1 + epsilon), 0))
    a = np.maximum((line + root) / (4 * items), epsilon)
    variance = 2 * a - epsilon - epsilon**2
    some = variance > 0  # epsilon 0 and ties alone: no variance, and no evidence
    error = np.sqrt(np.where(some, variance, 1.0) * items)
    p: Array = np.where(some, ndtr((wins - losses - items * epsilon) / error), 1.0)
    return p


def exact(items: Array, wins: Array, losses: Array, epsilon: float) -> Array:
    """The largest probability of a p of the score test that is no larger."""
    most = int(items.max(initial=0))
    if most > regions.LARGEST:
        accepted = f"'t' where a rater has more than {regions.LARGEST:,} items"
        raise _checks.refuse("test", "exact", f"{accepted} ({most:,})")
    counts = np.stack([items, wins, losses]).astype(np.int64)
    different, at = np.unique(counts, axis=1, return_inverse=True)
    p = [
        regions.largest_error(int(n), int(w), int(x), epsilon, score)
        for n, w, x in different.T
    ]
    return np.array(p, dtype=float)[at.ravel()]


P_VALUES = {"t": student, "exact": exact}


def yekutieli(p: Array, q: float) -> Array:
    """Which are rejected at a false discovery rate of q, however they depend.

    p : (..., m), each row of m a family of its own
    """
    rank = np.arange(1, p.shape[-1] + 1)
    ordered = np.sort(p, axis=-1)
    held = ordered <= q * rank / (len(rank) * (1 / rank).sum())
    largest = np.where(held, ordered, -1.0).max(axis=-1, keepdims=True, initial=-1.0)
    below: Array = p <= largest
    return below
