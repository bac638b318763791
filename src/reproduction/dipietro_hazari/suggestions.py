"""Suggested labels: kappa_DH of many tables at once, and a model of its behaviour.

Symbols are DiPietro and Hazari's: n items, N annotators, m categories; R and S are
the shares of pairs of annotators who agree on the suggestion and on another label,
C_E and C_F what is expected of them.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement, product
from math import comb

import numpy as np
import pandas as pd

# Tables -------------------------------------------------------------------------


@dataclass(frozen=True)
class Parts:
    """The parts of kappa_DH of one table or, as arrays, of many."""

    correct: np.ndarray  # mean R
    incorrect: np.ndarray  # mean S
    expected_correct: np.ndarray  # C_E
    expected_incorrect: np.ndarray  # C_F

    @property
    def observed(self) -> np.ndarray:
        """The differential of mean R and mean S."""
        return self.correct - self.incorrect

    @property
    def expected(self) -> np.ndarray:
        """The differential C_E - C_F."""
        return self.expected_correct - self.expected_incorrect

    @property
    def agreement(self) -> np.ndarray:
        """The share of pairs who agree on any label."""
        return self.correct + self.incorrect

    @property
    def by_chance(self) -> np.ndarray:
        """What Fleiss' kappa expects of it."""
        return self.expected_correct + self.expected_incorrect

    @property
    def value(self) -> np.ndarray:
        """kappa_DH; NaN where it is 0 / 0."""
        return _above_chance(self.observed, self.expected)

    @property
    def fleiss(self) -> np.ndarray:
        """Fleiss' kappa: the same parts, added instead of subtracted."""
        return _above_chance(self.agreement, self.by_chance)


def _above_chance(observed: np.ndarray, expected: np.ndarray) -> np.ndarray:
    room = np.where(1 - expected > 1e-12, 1 - expected, np.nan)
    return (observed - expected) / room


def indicator(suggested: np.ndarray, labels: int) -> np.ndarray:
    """The matrix B of section 4: (..., n) positions of labels to (..., n, m)."""
    return (np.asarray(suggested)[..., None] == np.arange(labels)).astype(int)


def parts(counts: np.ndarray, suggested: np.ndarray, slip: bool = False) -> Parts:
    """Eqs. 4 to 12 for counts (..., n, m) and suggestions (..., n).

    Every item has at least two annotators; their number may vary. `slip` takes a
    cell with one annotator for an agreeing pair, (1 over 2) = 1.
    """
    chosen = indicator(suggested, counts.shape[-1])
    agreeing = counts * (counts - 1) / 2 + slip * (counts == 1)
    each = counts.sum(axis=-1)
    of = each * (each - 1) / 2
    on_it = (agreeing * chosen).sum(axis=-1)
    both = (counts.sum(axis=-2) / each.sum(axis=-1)[..., None]) ** 2
    hit = (both * chosen.mean(axis=-2)).sum(axis=-1)
    off_it = agreeing.sum(axis=-1) - on_it
    right, wrong = (on_it / of).mean(axis=-1), (off_it / of).mean(axis=-1)
    return Parts(right, wrong, hit, both.sum(axis=-1) - hit)


def all_tables(n: int, annotators: int, m: int) -> tuple[np.ndarray, np.ndarray]:
    """Every table of n items; tables that differ in the items' order only are one.

    Returns counts (tables, n, m) and suggestions (tables, n). Raises ValueError for
    more than a million tables.
    """
    different = m * comb(annotators + m - 1, m - 1)
    if comb(different + n - 1, n) > 1_000_000:
        raise ValueError(
            f"{n} items, {annotators} annotators and {m} labels make more than a"
            " million tables; take fewer"
        )
    given = combinations_with_replacement(range(m), annotators)
    ways = np.array([np.bincount(labels, minlength=m) for labels in given])
    kinds = np.repeat(ways, m, axis=0), np.tile(np.arange(m), len(ways))
    chosen = np.array(list(combinations_with_replacement(range(different), n)))
    return kinds[0][chosen], kinds[1][chosen]


def every_table(items: int, raters: int, labels: int) -> pd.DataFrame:
    """All tables of 1 to `items` items, 2 to `raters` annotators and 2 to `labels`.

    Columns: n, N, m; value, kappa_DH, NaN where it is 0 / 0, and other parts of
    `Parts`; released, kappa_DH with the slip; good, poor, worst: whether every item
    is agreed on, rejected without any agreement, rejected with one voice; unanimous,
    whether all agree on every item.
    """
    sizes = product(range(1, items + 1), range(2, raters + 1), range(2, labels + 1))
    return pd.concat([_written_down(*size) for size in sizes], ignore_index=True)


def _written_down(n: int, annotators: int, m: int) -> pd.DataFrame:
    counts, chosen = all_tables(n, annotators, m)
    of, slipped = parts(counts, chosen), parts(counts, chosen, slip=True)
    hits = (counts * indicator(chosen, m)).sum(axis=-1)
    most = counts.max(axis=-1)
    names = ("value", "observed", "fleiss", "agreement", "by_chance")
    values = {name: getattr(of, name) for name in names} | {"released": slipped.value}
    columns = {name: np.round(value, 13) for name, value in values.items()}
    columns |= {
        "good": (hits == annotators).all(axis=-1),
        "poor": ((hits == 0) & (most == 1)).all(axis=-1),
        "worst": ((hits == 0) & (most == annotators)).all(axis=-1),
        "unanimous": (most == annotators).all(axis=-1),
    }
    return pd.DataFrame({"n": n, "N": annotators, "m": m} | columns)


# A model --------------------------------------------------------------------------


@dataclass(frozen=True)
class World:
    """Items with a true label, a suggested label and judgments by annotators.

    annotators, suggestions: the chance that a judgment, or a suggestion, is the
    true label; otherwise it is any other label alike. labels: m. prevalence: share
    of the first label (default 1 / m); the others share the rest alike. followed:
    the chance that a judgment just repeats the suggestion. Given the item, all
    judgments are independent.
    """

    annotators: float
    suggestions: float
    labels: int = 2
    prevalence: float | None = None
    followed: float = 0.0

    def _law(self, right: float) -> np.ndarray:
        wrong = (1 - right) / (self.labels - 1)
        return np.where(np.eye(self.labels) > 0, right, wrong)

    @cached_property
    def joint(self) -> np.ndarray:
        """Probability of a truth (rows) with a suggestion (columns)."""
        first = 1 / self.labels if self.prevalence is None else self.prevalence
        rest = (1 - first) / (self.labels - 1)
        truth = np.array([first] + [rest] * (self.labels - 1))
        return truth[:, None] * self._law(self.suggestions)

    @cached_property
    def judgment(self) -> np.ndarray:
        """Probability of a judgment (last) given truth and suggestion (m, m, m)."""
        own = self._law(self.annotators)[:, None, :]
        return (1 - self.followed) * own + self.followed * np.eye(self.labels)

    @cached_property
    def population(self) -> Parts:
        """What the parts are in the long run, for any number of annotators."""
        both = self.judgment**2
        hit = np.einsum("tl,tll->", self.joint, both)
        shares = np.einsum("tl,tlk->k", self.joint, self.judgment) ** 2
        expected = shares @ self.joint.sum(axis=0)
        other = np.einsum("tl,tlk->", self.joint, both) - hit
        return Parts(hit, other, expected, shares.sum() - expected)

    @property
    def value(self) -> float:
        """kappa_DH in the long run."""
        return float(self.population.value)

    def draw(
        self, random: np.random.Generator, items: int, raters: int, tables: int = 1
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Counts (tables, n, m), suggestions and truths (tables, n)."""
        cell = random.choice(self.labels**2, p=self.joint.ravel(), size=(tables, items))
        truth, suggested = np.divmod(cell, self.labels)
        counts = random.multinomial(raters, self.judgment[truth, suggested])
        return counts, suggested, truth
