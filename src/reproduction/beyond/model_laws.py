"""Raters and a model that label items as yes or no: how often does the model pass?

Items are independent draws. So each item has one of finitely many patterns (what each
rater says, and the model), whose probabilities are exact, and so is the mean of d.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import ArrayLike

from labelaudit._checks import Array
from labelaudit.agreement.alternative import PASSED

from . import model_tests

LARGEST = 3_000_000  # patterns that are drawn at a time, times raters


@dataclass(frozen=True, eq=False)
class Law:
    """Patterns of one item.

    shares : (k,), their probabilities
    labels : (k, m), 0 or 1
    model : (k,), 0 or 1
    """

    shares: Array
    labels: Array
    model: Array

    @property
    def d(self) -> Array:
        """1 where the rater is nearer to the others, -1 where the model is, else 0."""
        yes, no = ((self.labels == label).sum(axis=1) for label in (1, 0))
        alike = np.where(self.model == 1, yes, no)[:, None]
        own = np.where(self.labels == 1, yes[:, None], no[:, None]) - 1
        its = alike - (self.labels == self.model[:, None])
        return np.sign(own - its)

    def margins(self) -> Array:
        """The mean of d for each rater."""
        return self.shares @ self.d


def law(right: ArrayLike, says_yes: ArrayLike, prevalence: float) -> Law:
    """The law of raters and a model who err independently, given the true label.

    right : (m, 2), how often each rater is right where no and yes is true
    says_yes : (2,), how often the model says yes there
    """
    chances = np.asarray(right, dtype=float)
    yes = np.stack([1 - chances[:, 0], chances[:, 1]], axis=1)
    patterns = np.array([*product((0, 1), repeat=len(yes) + 1)])
    labels, model = patterns[:, :-1], patterns[:, -1]
    shares = np.zeros(len(patterns))
    for truth, weight in enumerate((1 - prevalence, prevalence)):
        part = np.full(len(patterns), weight)
        for rater, own in enumerate(yes[:, truth]):
            part *= np.where(labels[:, rater] == 1, own, 1 - own)
        its = np.asarray(says_yes)[truth]
        shares += part * np.where(model == 1, its, 1 - its)
    kept = shares > 0
    return Law(shares[kept], labels[kept], model[kept])


def flipped(right: ArrayLike, like: ArrayLike, flip: float, prevalence: float) -> Law:
    """A model that is right as often as `like` (2,), then says the other label."""
    no, yes = np.asarray(like, dtype=float)
    says = np.array([1 - no, yes])
    return law(right, says * (1 - flip) + (1 - says) * flip, prevalence)


def worse_by(epsilon: float, right: ArrayLike, prevalence: float) -> tuple[Law, float]:
    """A model as good as the first rater, but flipped until d has a mean of epsilon.

    And how often it is flipped. The mean is linear in that. Raises ValueError where
    even a model that is always flipped is not so much worse.
    """
    like = np.asarray(right)[0]
    ends = [flipped(right, like, flip, prevalence).margins()[0] for flip in (0.0, 1.0)]
    flip = float((epsilon - ends[0]) / (ends[1] - ends[0]))
    if not 0 <= flip <= 1:
        most = f"flipped always, d has a mean of {ends[1]:.3g}"
        raise ValueError(f"no model is worse by {epsilon:g}: {most}")
    return flipped(right, like, flip, prevalence), flip


def counts(
    of: Law, n: int, repetitions: int, random: np.random.Generator
) -> tuple[Array, Array]:
    """Wins and losses of each rater in studies of n items, (repetitions, m)."""
    edges = np.cumsum(of.shares)[:-1]
    table = np.stack([of.d > 0, of.d < 0])
    step = max(1, LARGEST // (n * of.labels.shape[1]))
    parts = []
    for start in range(0, repetitions, step):
        some = min(step, repetitions - start)
        drawn = np.searchsorted(edges, random.random((some, n)), side="right")
        parts.append([one[drawn].sum(axis=1) for one in table])
    wins, losses = (np.concatenate(part) for part in zip(*parts))
    return wins, losses


def passed(
    counted: tuple[Array, Array], n: int, epsilon: float, q: float, test: str
) -> Array:
    """Whether the model passes in each study of n items, (repetitions,).

    It does if so many raters that they are enough, k of m, have a p that is at most
    the k-th smallest p's level.
    """
    wins, losses = counted
    whether = np.zeros(len(wins), dtype=bool)
    for k, level in enumerate(model_tests.levels(wins.shape[1], q), start=1):
        if k >= PASSED * wins.shape[1]:
            most = model_tests.most_wins(n, epsilon, level, test)
            whether |= (wins <= most[wins + losses]).sum(axis=1) >= k
    return whether
