"""Raters and a model that label items as yes or no: how often does the model pass?

Items are independent draws. So each item has one of finitely many patterns (what each
rater says, and the model), whose probabilities are exact, and so is the mean of d.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import ArrayLike

from labelaudit._checks import Array
from labelaudit.agreement.alternative import PASSED
from labelaudit.agreement.regions import yekutieli

from . import model_tests

LARGEST = 3_000_000  # patterns that are drawn at a time, times raters


@dataclass(frozen=True, eq=False)
class Law:
    """Patterns of one item.

    shares : (k,), their probabilities
    labels : (k, m), 0, 1, or -1 where a rater does not judge
    model : (k,), 0 or 1
    """

    shares: Array
    labels: Array
    model: Array

    @property
    def judged(self) -> Array:
        """Where a rater is compared: two judgments or more, one of them theirs."""
        given: Array = self.labels >= 0
        return given & (given.sum(axis=1) >= 2)[:, None]

    @property
    def d(self) -> Array:
        """1 where the rater is nearer to the others, -1 where the model is, else 0."""
        yes, no = ((self.labels == label).sum(axis=1) for label in (1, 0))
        alike = np.where(self.model == 1, yes, no)[:, None]
        own = np.where(self.labels == 1, yes[:, None], no[:, None]) - 1
        its = alike - (self.labels == self.model[:, None])
        found: Array = np.sign(own - its) * self.judged
        return found

    def margins(self) -> Array:
        """The mean of d for each rater, over the items on which they are compared."""
        weight = self.shares[:, None] * self.judged
        mean: Array = (weight * self.d).sum(axis=0) / weight.sum(axis=0)
        return mean


def law(
    right: ArrayLike, says_yes: ArrayLike, prevalence: float, missing: float = 0.0
) -> Law:
    """The law of raters and a model who err independently, given the true label.

    right : (m, 2), how often each rater is right where no and yes is true
    says_yes : (2,), how often the model says yes there
    """
    chances = np.asarray(right, dtype=float)
    yes = np.stack([1 - chances[:, 0], chances[:, 1]], axis=1)
    says = (-1, 0, 1) if missing > 0 else (0, 1)
    patterns = np.array([*product(*[says] * len(yes), (0, 1))])
    labels, model = patterns[:, :-1], patterns[:, -1]
    shares = np.zeros(len(patterns))
    for truth, weight in enumerate((1 - prevalence, prevalence)):
        part = np.full(len(patterns), weight)
        for rater, own in enumerate(yes[:, truth]):
            said = labels[:, rater]
            given = np.where(said == 1, own, 1 - own)
            part *= np.where(said < 0, missing, (1 - missing) * given)
        its = np.asarray(says_yes)[truth]
        shares += part * np.where(model == 1, its, 1 - its)
    kept = shares > 0
    return Law(shares[kept], labels[kept], model[kept])


def flipped(
    right: ArrayLike, like: ArrayLike, flip: float, prevalence: float, missing: float
) -> Law:
    """A model that is right as often as `like` (2,), then says the other label."""
    no, yes = np.asarray(like, dtype=float)
    says = np.array([1 - no, yes])
    return law(right, says * (1 - flip) + (1 - says) * flip, prevalence, missing)


def worse_by(
    epsilon: float,
    right: ArrayLike,
    prevalence: float,
    missing: float = 0.0,
    against: int = 0,
) -> tuple[Law, float]:
    """A model as good as rater `against`, but flipped until d has a mean of epsilon.

    And how often it is flipped. The mean is linear in that. Raises ValueError where
    even a model that is always flipped is not so much worse.
    """
    like = np.asarray(right)[against]
    ends = [
        flipped(right, like, flip, prevalence, missing).margins()[against]
        for flip in (0.0, 1.0)
    ]
    flip = float((epsilon - ends[0]) / (ends[1] - ends[0]))
    if not 0 <= flip <= 1:
        most = f"flipped always, d has a mean of {ends[1]:.3g}"
        raise ValueError(f"no model is worse by {epsilon:g}: {most}")
    return flipped(right, like, flip, prevalence, missing), flip


def counts(
    of: Law, n: int, repetitions: int, random: np.random.Generator
) -> tuple[Array, Array, Array]:
    """Items, wins and losses of each rater in studies of n items, (repetitions, m)."""
    edges = np.cumsum(of.shares)[:-1]
    table = np.stack([of.judged, of.d > 0, of.d < 0])
    step = max(1, LARGEST // (n * of.labels.shape[1]))
    parts = []
    for start in range(0, repetitions, step):
        some = min(step, repetitions - start)
        drawn = np.searchsorted(edges, random.random((some, n)), side="right")
        parts.append([one[drawn].sum(axis=1) for one in table])
    items, wins, losses = (np.concatenate(part) for part in zip(*parts))
    return items, wins, losses


def winning_rates(
    counted: tuple[Array, Array, Array], epsilon: float, q: float, test: str
) -> Array:
    """The winning rate of the model in each study, (repetitions,)."""
    p = _p(counted, epsilon, q, test)
    rates: Array = yekutieli(p, q).mean(axis=1)
    return rates


def passed(
    counted: tuple[Array, Array, Array], epsilon: float, q: float, test: str
) -> Array:
    """Whether the model passes in each study, (repetitions,)."""
    whether: Array = winning_rates(counted, epsilon, q, test) >= PASSED
    return whether


def _p(
    counted: tuple[Array, Array, Array], epsilon: float, q: float, test: str
) -> Array:
    """p of each rater; of the exact test some number between the same two levels."""
    items, wins, losses = counted
    if test in model_tests.QUICK:
        return model_tests.QUICK[test](items, wins, losses, epsilon)
    bounds = model_tests.levels(items.shape[1], q)
    p = np.ones(items.shape)
    for level, below in reversed([*zip(bounds, (0.0, *bounds[:-1]))]):
        for n in np.unique(items):
            most = model_tests.most_wins(int(n), epsilon, level, test)
            held = wins <= most[np.minimum(wins + losses, n)]
            p[held & (items == n)] = (level + below) / 2
    return p
