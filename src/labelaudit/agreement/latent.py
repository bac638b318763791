"""Latent classes: each rater's confusion matrix, with few gold labels or none."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import csr_array

from .. import _checks
from .._checks import Array
from .._digits import significant
from .._words import plural, warn
from .gold import by_item
from .ratings import Ratings
from .sample import units

TIE = 1e-9  # probabilities so close are equal

# Iterations before the first leap, which settle where the others go; by what longer
# leaps may grow, and by what a leap may shrink a probability.
BEFORE_LEAPS, GROWTH, SHRINKS = 50, 4.0, 10

LEAST_TOLERANCE = 1e-14  # below, rounding would decide when the iterations end
MOST_CELLS = 100_000_000  # of a table, of which there are several


@dataclass(frozen=True, eq=False, repr=False)
class LatentClasses:
    """Estimates of a latent class model with one class for each label.

    Attributes
    ----------
    labels, raters, items : Index
    n_items : int
        Number of items; more than `items` where these are patterns.
    prevalence : array (n_labels,)
        Share of the items in each class.
    confusion : array (n_raters, n_labels, n_labels)
        Probability that a rater gives a label (last axis), given the class (rows).
        NaN where the rater's items leave a class without weight.
    posterior : array (len(items), n_labels)
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
    n_items: int
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
            f"Latent classes of {self.n_items:,} items by {len(self.raters)} raters:"
            f" prevalence {shares}\n"
            f"log-likelihood {significant(self.log_likelihood, 6)}, {state}"
        )


def dawid_skene(
    r: Ratings,
    *,
    gold: Any = None,
    tolerance: float = 1e-12,
    max_iterations: int = 10_000,
) -> LatentClasses:
    """Dawid and Skene's latent class model, by expectation-maximisation.

    Every item has one true label; given it, raters err independently, each with
    a confusion matrix of their own. Classes start from each item's label shares, or
    from `gold`.

    Parameters
    ----------
    r : Ratings
        By raters who can be told apart; with missing and repeated judgments.
    gold : Series or dict by item, optional
        The class of these items is known: it stays in every step, and counts in the
        prevalence, the confusion and the likelihood, also of an item without any
        judgment. (Or a sequence in the order of items, None where it is not known.)
        Items that r does not have are left out, with a warning.
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
        For anonymous raters, parameters out of range, too many labels, or a class in
        gold that is no label of r.

    References
    ----------
    Dawid and Skene 1979, "Maximum likelihood estimation of observer error-rates
    using the EM algorithm", Eq. 2.3-2.5 and 3.1; with classes that are known, Eq. 2.3
    and 2.4 hold for these items as they stand.

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
    >>> la.dawid_skene(r, gold={0: 2}).posterior[[0, 1]].round(3)
    array([[0.   , 1.   ],
           [0.953, 0.047]])
    """
    if not isinstance(r, Ratings):
        raise _checks.refuse("r", r, "Ratings (see Ratings.from_matrix)")
    raters = r._known_raters("dawid_skene")
    if _checks.unit("tolerance", tolerance) < LEAST_TOLERANCE:
        raise _checks.refuse("tolerance", tolerance, f"from {LEAST_TOLERANCE:g} to 1")
    most = _checks.LARGEST_REPETITIONS
    max_iterations = _checks.count("max_iterations", max_iterations, 1, most)
    model = _Model(r, gold)
    end, iterations = model.fit(tolerance, max_iterations)
    converged = end.moved <= tolerance
    if not converged:
        warn(
            f"dawid_skene did not converge in {max_iterations} iterations; raise"
            " max_iterations or tolerance"
        )
    # The last row is that of items without a judgment.
    posterior = np.vstack([end.posterior, end.prevalence])[model.unit]
    found = end.prevalence, end.confusion.transpose(0, 2, 1), posterior
    how = end.log_likelihood, converged, iterations
    return LatentClasses(r.labels, raters, r.items, r.n_items, *found, *how)


@dataclass
class _Point:
    """Parameters, and the class probabilities and the likelihood that they give."""

    posterior: Array
    prevalence: Array
    confusion: Array  # (n_raters, q labels, q classes)
    log_likelihood: float
    moved: float  # largest change of a class probability by the iteration


def _classes(r: Ratings, gold: Any) -> Array:
    """The class of each item, -1: not known."""
    given = by_item(gold)
    if isinstance(given, pd.Series) and r.times is None:
        others = ~given.index.isin(r.items)
        if others.any():
            left = plural(int(others.sum()), "item")
            warn(f"gold: {left} not among the ratings, left out")
        if others.all():
            return np.full(len(r.items), -1)
    # As if the labels were declared: another class is refused.
    return replace(r, declared=True).item_labels("gold", given)[0]


class _Model:
    """Judgments as a sparse matrix, items x (rater, label)."""

    def __init__(self, r: Ratings, gold: Any) -> None:
        self.q = q = len(r.labels)
        columns = len(r._known_raters("dawid_skene")) * q
        if max(len(r.items), columns) * q > MOST_CELLS:
            raise ValueError(
                "the most likely labels need tables of items by labels and"
                f" of raters by labels by labels, of at most {MOST_CELLS:,} cells:"
                f" {len(r.items):,} items and {q:,} labels are too many"
            )
        known = np.full(len(r.items), -1) if gold is None else _classes(r, gold)
        judged = units(r, least=1, also=known + 1)
        self.unit, self.times = judged.of, judged.times
        row, label, count, rater = judged.judgments
        assert rater is not None
        column, n = rater.astype(np.int64) * q + label, len(self.times)
        self.given = csr_array((count, (row, column)), shape=(n, columns))
        self.taken = self.given.T.tocsr()
        labels = csr_array((count, (row, label)), shape=(n, q)).toarray()
        sure, of_unit = np.flatnonzero(known >= 0), np.full((n, 1), -1)
        of_unit[self.unit[sure], 0] = known[sure]
        fixed, its = of_unit >= 0, of_unit == np.arange(q)
        self.shares = np.where(fixed, its, labels / np.maximum(judged.m, 1)[:, None])
        self.others = np.where(fixed & ~its, -np.inf, 0.0)  # classes that it has not

    def fit(self, tolerance: float, limit: int) -> tuple[_Point, int]:
        """Expectation-maximisation, with leaps over many iterations.

        A leap that lowers the likelihood is taken back. It ends when an iteration moves
        no class probability by more than the tolerance (at a saddle, perhaps, which
        iterations without leaps would leave after very many), or after so many, those
        of leaps that were taken back among them.
        """
        here, used = self._step(self.shares), 1  # Eq. 3.1
        path: list[Array] = []  # of class probabilities, since the last leap
        longest = GROWTH
        while used < limit and here.moved > tolerance:
            path = [*path[-2:], here.posterior]
            leaps = used >= BEFORE_LEAPS and len(path) == 3
            start = _leap(path, longest) if leaps else here.posterior
            there, used = self._step(start), used + 1
            rises = there.log_likelihood >= here.log_likelihood
            if leaps:
                longest = max(1.0, longest * (GROWTH if rises else 1 / GROWTH))
                path = []
            if rises or not leaps:
                here = there
        return here, used

    def _step(self, posterior: Array) -> _Point:
        """One iteration: the parameters given the classes, then the classes."""
        weighted = self.times[:, None] * posterior
        prevalence = weighted.sum(axis=0) / self.times.sum()  # Eq. 2.4
        given = (self.taken @ weighted).reshape(-1, self.q, self.q)  # Eq. 2.3
        total = given.sum(axis=1, keepdims=True)
        # A rater without weight in a class says nothing about it.
        confusion = given / np.where(total > 0, total, np.nan)
        with np.errstate(divide="ignore"):
            evidence = np.log(np.where(np.isnan(confusion), 1.0, confusion))
            joint = self.given @ evidence.reshape(-1, self.q) + np.log(prevalence)
        joint = joint + self.others
        largest = joint.max(axis=1, keepdims=True)
        shares = np.exp(joint - largest)  # Eq. 2.5
        sums = shares.sum(axis=1, keepdims=True)
        likelihood = float(self.times @ (np.log(sums) + largest)[:, 0])
        after = shares / sums
        moved = float(np.abs(after - posterior).max(initial=0.0))
        return _Point(after, prevalence, confusion, likelihood, moved)


def _leap(path: list[Array], longest: float) -> Array:
    """Where the last two iterations lead, by Varadhan and Roland's third scheme."""
    first, second, third = path
    move, turn = second - first, third - 2 * second + first
    size = float(np.linalg.norm(move)) / max(float(np.linalg.norm(turn)), 1e-150)
    length = min(max(size, 1.0), longest)
    # A share that iterations only approach 0 with must not be 0 by a leap.
    goal = np.maximum(first + 2 * length * move + length**2 * turn, third / SHRINKS)
    return goal / goal.sum(axis=1, keepdims=True)
