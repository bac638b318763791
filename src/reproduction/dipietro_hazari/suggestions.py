"""Suggested labels: kappa_DH of many tables at once, and a model of its behaviour.

Symbols are DiPietro and Hazari's: n items, N annotators, m categories; R and S are
the shares of pairs of annotators who agree on the suggestion and on another label,
C_E and C_F what is expected of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations_with_replacement
from math import comb
from typing import Any

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
    def value(self) -> np.ndarray:
        """kappa_DH; NaN where it is 0 / 0."""
        room = 1 - self.expected
        return _ratio(self.observed - self.expected, np.where(room > 1e-12, room, 0))

    @property
    def fleiss(self) -> np.ndarray:
        """Fleiss' kappa: the same parts, added instead of subtracted."""
        chance = self.expected_correct + self.expected_incorrect
        room = np.where(1 - chance > 1e-12, 1 - chance, 0)
        return _ratio(self.correct + self.incorrect - chance, room)


def _ratio(above: np.ndarray, room: np.ndarray) -> np.ndarray:
    lost = np.full(np.shape(above), np.nan)
    return np.divide(above, room, out=lost, where=np.asarray(room) > 0)


def indicator(suggested: np.ndarray, labels: int) -> np.ndarray:
    """The matrix B of section 4: (..., n) positions of labels to (..., n, m)."""
    return (np.asarray(suggested)[..., None] == np.arange(labels)).astype(int)


def parts(counts: np.ndarray, suggested: np.ndarray, slip: bool = False) -> Parts:
    """Eqs. 4 to 12 for counts (..., n, m) and suggestions (..., n).

    Every item has at least two annotators; their number may vary. `slip` takes a
    cell with one annotator for an agreeing pair, (1 over 2) = 1.
    """
    counts = np.asarray(counts)
    chosen = indicator(suggested, counts.shape[-1])
    agreeing = counts * (counts - 1) / 2
    if slip:
        agreeing = agreeing + (counts == 1)
    each = counts.sum(axis=-1)
    of = each * (each - 1) / 2
    on_it = (agreeing * chosen).sum(axis=-1)
    shares = counts.sum(axis=-2) / each.sum(axis=-1)[..., None]
    wanted = chosen.mean(axis=-2)
    both = shares**2
    hit = (both * wanted).sum(axis=-1)
    return Parts(
        (on_it / of).mean(axis=-1),
        ((agreeing.sum(axis=-1) - on_it) / of).mean(axis=-1),
        hit,
        both.sum(axis=-1) - hit,
    )


def compositions(total: int, cells: int) -> np.ndarray:
    """All ways to put `total` judgments into `cells` labels, (ways, cells)."""
    if cells == 1:
        return np.array([[total]])
    rows = [
        np.column_stack([np.full(len(rest), first), rest])
        for first in range(total, -1, -1)
        for rest in [compositions(total - first, cells - 1)]
    ]
    return np.concatenate(rows)


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
    ways = compositions(annotators, m)
    kinds = np.repeat(ways, m, axis=0), np.tile(np.arange(m), len(ways))
    chosen = np.array(list(combinations_with_replacement(range(len(kinds[1])), n)))
    return kinds[0][chosen], kinds[1][chosen]


def exact(counts: np.ndarray, suggested: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Numerator and denominator of kappa_DH as whole numbers; 0 / 0 where undefined.

    For counts (tables, n, m) with the same number of annotators everywhere.
    """
    counts = np.asarray(counts, dtype=np.int64)
    n, annotators = counts.shape[-2], int(counts[0, 0].sum())
    chosen = indicator(suggested, counts.shape[-1])
    sign = 2 * chosen - 1
    observed = (counts * (counts - 1) * sign).sum(axis=(-1, -2))
    totals, wanted = counts.sum(axis=-2), chosen.sum(axis=-2)
    expected = (totals**2 * (2 * wanted - n)).sum(axis=-1)
    whole = n**3 * annotators**2 * (annotators - 1)
    chance = expected * (annotators - 1)
    return observed * n**2 * annotators - chance, whole - chance


@dataclass(frozen=True)
class Requirements:
    """Which tables meet the three conditions of section 1 on every item."""

    agreed: np.ndarray  # all annotators give the suggestion
    scattered: np.ndarray  # nobody gives it, and no two agree
    against: np.ndarray  # nobody gives it, and all agree


def requirements(counts: np.ndarray, suggested: np.ndarray) -> Requirements:
    """The condition of each requirement, for counts (tables, n, m)."""
    on_it = (counts * indicator(suggested, counts.shape[-1])).sum(axis=-1)
    each, most = counts.sum(axis=-1), counts.max(axis=-1)
    return Requirements(
        (on_it == each).all(axis=-1),
        ((on_it == 0) & (most == 1)).all(axis=-1),
        ((on_it == 0) & (most == each)).all(axis=-1),
    )


def written_down(n: int, annotators: int, m: int) -> pd.DataFrame:
    """All tables of one size: kappa_DH, and which requirement each meets.

    Columns: n, N, m; above and room, numerator and denominator of kappa_DH as whole
    numbers; value; fleiss, Fleiss' kappa, with its observed agreement and what is
    expected by_chance; observed, the differential; "1", "2", "3", the requirements
    met; hits, the share of judgments that are the suggestion; unanimous, whether
    every item is; at, the table's position in `all_tables`.
    """
    counts, chosen = all_tables(n, annotators, m)
    above, room = exact(counts, chosen)
    of, met = parts(counts, chosen), requirements(counts, chosen)
    hits = (counts * indicator(chosen, m)).sum(axis=(1, 2))
    columns = {
        "n": n,
        "N": annotators,
        "m": m,
        "above": above,
        "room": room,
        "value": of.value,
        "fleiss": of.fleiss,
        "agreement": of.correct + of.incorrect,
        "by_chance": of.expected_correct + of.expected_incorrect,
        "observed": of.observed,
        "1": met.agreed,
        "2": met.scattered,
        "3": met.against,
        "hits": hits / (n * annotators),
        "unanimous": (counts.max(axis=-1) == annotators).all(axis=-1),
        "at": np.arange(len(counts)),
    }
    return pd.DataFrame(columns)


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

    @cached_property
    def truth(self) -> np.ndarray:
        """Share of each true label, (m,)."""
        first = 1 / self.labels if self.prevalence is None else self.prevalence
        rest = (1 - first) / (self.labels - 1)
        return np.array([first] + [rest] * (self.labels - 1))

    def _law(self, right: float) -> np.ndarray:
        wrong = (1 - right) / (self.labels - 1)
        return np.where(np.eye(self.labels) > 0, right, wrong)

    @cached_property
    def joint(self) -> np.ndarray:
        """Probability of a truth (rows) with a suggestion (columns)."""
        return self.truth[:, None] * self._law(self.suggestions)

    @cached_property
    def judgment(self) -> np.ndarray:
        """Probability of a judgment (last) given truth and suggestion (m, m, m)."""
        own = self._law(self.annotators)[:, None, :]
        return (1 - self.followed) * own + self.followed * np.eye(self.labels)

    @cached_property
    def label_shares(self) -> tuple[np.ndarray, np.ndarray]:
        """Shares of each label among judgments, C, and suggestions, L."""
        return np.einsum("tl,tlk->k", self.joint, self.judgment), self.joint.sum(0)

    @cached_property
    def population(self) -> Parts:
        """What the parts are in the long run, for any number of annotators."""
        both = self.judgment**2
        hit = np.einsum("tl,tll->", self.joint, both)
        shares, wanted = self.label_shares
        expected = shares**2 @ wanted
        return Parts(
            hit,
            np.einsum("tl,tlk->", self.joint, both) - hit,
            expected,
            (shares**2).sum() - expected,
        )

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

    def but(self, **changes: Any) -> World:
        """The same world with something changed."""
        return replace(self, **changes)


def pooled_kappa(counts: np.ndarray, suggested: np.ndarray) -> np.ndarray:
    """Cohen's kappa of every judgment against its item's suggestion."""
    counts = np.asarray(counts)
    chosen = indicator(suggested, counts.shape[-1])
    total = counts.sum(axis=(-1, -2))
    same = (counts * chosen).sum(axis=(-1, -2)) / total
    given = counts.sum(axis=-2) / total[..., None]
    asked = (counts.sum(axis=-1)[..., None] * chosen).sum(axis=-2) / total[..., None]
    chance = (given * asked).sum(axis=-1)
    room = np.where(1 - chance > 1e-12, 1 - chance, 0)
    return _ratio(same - chance, room)
