"""Latent classes: each rater's confusion matrix without a gold standard."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.sparse import csr_array

from .. import _checks
from .._checks import Array
from .._digits import significant
from .._words import warn
from .ratings import NEEDS_RATERS, Ratings
from .units import units

# Probabilities so close are equal.
TIE = 1e-9

# Iterations before the first leap, which settle where the others go; before each other
# one; by what longer leaps may grow, and by what a leap may shrink a probability.
BEFORE_LEAPS = 50
BEFORE_A_LEAP = 4
GROWTH = 4.0
SHRINKS = 10

# Below this, rounding would decide when the iterations end.
LEAST_TOLERANCE = 1e-14


@dataclass(frozen=True, eq=False, repr=False)
class LatentClasses:
    """Estimates of a latent class model with one class for each label.

    Attributes
    ----------
    labels, raters, items : Index
    prevalence : array (n_labels,)
        Share of the items in each class.
    confusion : array (n_raters, n_labels, n_labels)
        Probability that a rater gives a label (last axis), given the class (rows).
        NaN where the rater's items leave a class without weight.
    posterior : array (n_items, n_labels)
        Probability of each class given the item's judgments; the prevalence for
        an item without any.
    log_likelihood : float
    converged : bool
    iterations : int

    Examples
    --------
    >>> import labelaudit as la
    >>> r = la.Ratings.from_matrix([[1, 1, 1]] * 6 + [[2, 2, 1]] * 3 + [[2, 2, 2]])
    >>> found = la.dawid_skene(r)
    >>> found.most_likely.tolist(), found.converged
    ([1, 1, 1, 1, 1, 1, 2, 2, 2, 2], True)
    """

    labels: pd.Index
    raters: pd.Index
    items: pd.Index
    prevalence: Array
    confusion: Array
    posterior: Array
    log_likelihood: float
    converged: bool
    iterations: int

    @property
    def most_likely(self) -> pd.Series:
        """The most likely label of each item; of equally likely ones the first."""
        largest = self.posterior.max(axis=1, keepdims=True)
        first = (self.posterior >= largest - TIE).argmax(axis=1)
        return pd.Series(self.labels[first], index=self.items)

    def __repr__(self) -> str:
        shares = ", ".join(
            f"{label} {significant(share)}"
            for label, share in zip(self.labels, self.prevalence)
        )
        state = "converged"
        if not self.converged:
            state = f"NOT converged after {self.iterations} iterations"
        return (
            f"Latent classes of {len(self.items)} items by {len(self.raters)} raters:"
            f" prevalence {shares}\n"
            f"log-likelihood {significant(self.log_likelihood, 6)}, {state}"
        )


def dawid_skene(
    r: Ratings,
    *,
    tolerance: float = 1e-12,
    max_iterations: int = 10_000,
) -> LatentClasses:
    """Dawid and Skene's latent class model, by expectation-maximisation.

    Every item has one true label; given it, raters err independently, each with
    a confusion matrix of their own. Classes start from each item's label shares.

    Parameters
    ----------
    r : Ratings
        By raters who can be told apart; with missing and repeated judgments.
    tolerance : float
        From 1e-14 to 1. Stop when an iteration moves no item's class probability by
        more than this.
    max_iterations : int
        A warning says where they were not enough.

    Returns
    -------
    LatentClasses

    Raises
    ------
    ValueError
        For anonymous raters, or parameters out of range.

    References
    ----------
    Dawid and Skene 1979, "Maximum likelihood estimation of observer error-rates
    using the EM algorithm", Eq. 2.3-2.5 and 3.1.

    Examples
    --------
    >>> import labelaudit as la
    >>> r = la.Ratings.from_matrix([[1, 1, 1]] * 6 + [[2, 2, 1]] * 3 + [[2, 2, 2]])
    >>> found = la.dawid_skene(r)
    >>> found.prevalence.round(3)
    array([0.6, 0.4])
    >>> found.confusion[2].round(3)
    array([[1.  , 0.  ],
           [0.75, 0.25]])
    """
    if not isinstance(r, Ratings):
        raise _checks.refuse("r", r, "Ratings (see Ratings.from_matrix)")
    if r.raters is None:
        raise ValueError(NEEDS_RATERS.format(name="dawid_skene"))
    if _checks.unit("tolerance", tolerance) < LEAST_TOLERANCE:
        raise _checks.refuse("tolerance", tolerance, f"from {LEAST_TOLERANCE:g} to 1")
    most = _checks.LARGEST_REPETITIONS
    max_iterations = _checks.count("max_iterations", max_iterations, 1, most)
    model = _Model(r)
    fit = model.fit(model.shares, tolerance, max_iterations)  # Eq. 3.1
    if not fit.converged:
        warn(
            f"dawid_skene did not converge in {max_iterations} iterations; raise"
            " max_iterations or tolerance"
        )
    return model.result(fit)


@dataclass
class _Fit:
    posterior: Array
    prevalence: Array
    confusion: Array  # (n_raters, q labels, q classes)
    log_likelihood: float
    converged: bool
    iterations: int


@dataclass
class _Point:
    """Parameters, and the class probabilities and the likelihood that they give."""

    posterior: Array
    prevalence: Array
    confusion: Array
    log_likelihood: float
    moved: float  # largest change of a class probability by the iteration

    @property
    def parameters(self) -> Array:
        return np.append(self.prevalence, self.confusion)


class _Model:
    """Judgments as a sparse matrix, items x (rater, label)."""

    def __init__(self, r: Ratings) -> None:
        assert r.raters is not None
        self.r, self.q = r, len(r.labels)
        judged = units(r, least=1)
        self.unit, self.times = judged.of, judged.times
        row, label, count, rater = judged.judgments
        assert rater is not None
        column = rater.astype(np.int64) * self.q + label
        shape = len(self.times), len(r.raters) * self.q
        self.given = csr_array((count, (row, column)), shape=shape)
        self.taken = self.given.T.tocsr()
        labels = csr_array((count, (row, label)), shape=(shape[0], self.q))
        self.shares = labels.toarray() / judged.m[:, None]

    def fit(self, posterior: Array, tolerance: float, limit: int) -> _Fit:
        """Expectation-maximisation, with leaps over many iterations.

        A leap that does not raise the likelihood is taken back, so that the likelihood
        never falls. It ends as without leaps, when an iteration moves nothing.
        """
        here = self._step(posterior)
        used, longest = 1, GROWTH
        wait, path = BEFORE_LEAPS, [here]  # the last iterations without a leap
        while used < limit and here.moved > tolerance:
            here, used, wait = self._step(here.posterior), used + 1, wait - 1
            path = [*path[-2:], here]
            if wait > 0 or here.moved <= tolerance or used >= limit:
                continue
            there, length = self._leap(path, longest)
            used, wait, path = used + 1, BEFORE_A_LEAP - 2, [here]
            if there.log_likelihood >= here.log_likelihood:
                here, path = there, [there]
                longest *= GROWTH if length >= longest else 1
            else:
                longest = max(1.0, longest / GROWTH)
        return _Fit(
            here.posterior,
            here.prevalence,
            here.confusion,
            here.log_likelihood,
            here.moved <= tolerance,
            used,
        )

    def _step(self, posterior: Array) -> _Point:
        """One iteration: the parameters given the classes, then the classes."""
        weighted = self.times[:, None] * posterior
        prevalence = weighted.sum(axis=0) / self.times.sum()  # Eq. 2.4
        given = (self.taken @ weighted).reshape(-1, self.q, self.q)  # Eq. 2.3
        total = given.sum(axis=1, keepdims=True)
        # A rater without weight in a class says nothing about it.
        confusion = np.divide(
            given, total, out=np.full_like(given, np.nan), where=total > 0
        )
        after, likelihood = self._classes(prevalence, confusion)
        moved = float(np.abs(after - posterior).max(initial=0.0))
        return _Point(after, prevalence, confusion, likelihood, moved)

    def _classes(self, prevalence: Array, confusion: Array) -> tuple[Array, float]:
        """Class probabilities of each unit (Eq. 2.5), and the log-likelihood."""
        with np.errstate(divide="ignore"):
            evidence = np.log(np.where(np.isnan(confusion), 1.0, confusion))
            joint = self.given @ evidence.reshape(-1, self.q) + np.log(prevalence)
        largest = joint.max(axis=1, keepdims=True)
        shares = np.exp(joint - largest)
        total = shares.sum(axis=1, keepdims=True)
        each = np.log(total[:, 0]) + largest[:, 0]
        return shares / total, float((self.times * each).sum())

    def _leap(self, path: list[_Point], longest: float) -> tuple[_Point, float]:
        """Where the last two iterations lead, by Varadhan and Roland's third scheme."""
        first, second, third = (point.parameters for point in path)
        move = second - first
        turn = np.nan_to_num(third - 2 * second + first)
        size = float(np.sqrt(np.nansum(move**2) / max(float(turn @ turn), 1e-300)))
        length = min(max(size, 1.0), longest)
        goal = first + 2 * length * move + length**2 * (third - 2 * second + first)
        # A share that iterations only approach 0 with must not be 0 by a leap.
        goal = np.maximum(goal, third / SHRINKS)
        prevalence = goal[: self.q]
        confusion = goal[self.q :].reshape(path[0].confusion.shape)
        confusion = confusion / confusion.sum(axis=1, keepdims=True)
        posterior, _ = self._classes(prevalence / prevalence.sum(), confusion)
        return self._step(posterior), length

    def result(self, fit: _Fit) -> LatentClasses:
        posterior = np.tile(fit.prevalence, (len(self.r.items), 1))
        judged = self.unit >= 0
        posterior[judged] = fit.posterior[self.unit[judged]]
        assert self.r.raters is not None
        return LatentClasses(
            self.r.labels,
            self.r.raters,
            self.r.items,
            fit.prevalence,
            fit.confusion.transpose(0, 2, 1),
            posterior,
            fit.log_likelihood,
            fit.converged,
            fit.iterations,
        )
