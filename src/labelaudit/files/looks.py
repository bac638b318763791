"""What a table looks like, where it may be something else than what it is read as."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress, takewhile
from typing import Any, Self

import numpy as np
import pandas as pd
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from . import columns
from .cells import number, whole, whole_numbers
from .columns import MOST_COLUMNS, NUMBER, called
from .text import few

WORDS = re.compile(r"\S\s+\S")
FEW_ROWS = 5  # on fewer, a rater may well have labels of their own
FEW_PAIRS = 10  # on fewer, two raters may never agree
MOST_TOGETHER = 12  # of more, no columns that stand together are added up
MOST_ENDS = 3  # rows at an end that may be no items
FEW_SUMS = 3  # on fewer, some columns may add up to another by chance
TOGETHER = 0.6  # of columns' variances, of very many rows: a sum of counts varies less
LESS = 1.0  # over the root of the rows: by so much of them, where rows are few
MANY_JUDGED = 20  # of an item, where each label may have some
UNJUDGED = 0.1  # of rows of counts that add up to 0, at most

Guess = tuple[str, dict[str, Any]]  # its name, and what its sentence tells
Found = tuple[str, str, bool]  # a column, why it is hardly a rater's, and if it is sure
Whys = dict[str, str]  # of columns


@dataclass(frozen=True)
class Look:
    """Columns that may be raters.

    names : of k columns
    cells : (n, k) texts, None where there is no label
    rows : what the rows are called; none where they are numbered
    numbers : whether labels are numbers
    known : names that are raters'
    """

    names: list[str]
    cells: np.ndarray
    rows: list[str]
    numbers: bool
    known: Collection[str] = ()

    @cached_property
    def own(self) -> list[set[str]]:
        """The labels of each column."""
        return [{*column} - {None} for column in self.cells.T]

    @cached_property
    def there(self) -> np.ndarray:
        return pd.notna(self.cells)

    def foot(self) -> int:
        """How many last rows are called sums, means and the like, or have sums."""
        n, names = len(self.cells) - 1, self.rows[:1:-1]
        if found := [*takewhile(lambda name: called(name, "sums"), names)]:
            return len(found)
        last, above = whole_numbers(self.cells[-1:]), whole_numbers(self.cells[:-1])
        if n < 2 or last is None or not last.any():
            return 0
        if above is None:
            texts = np.isnan(whole(self.cells[:-1][self.there[:-1]])).all()
            return int(texts and (last == self.there[:-1].sum(axis=0)).all())
        more = last.size > 1 and n > 2 and last.max() > above.max()
        return int(more and (above.sum(axis=0) == last).all())

    def ends(self) -> list[str]:
        """The first or last rows with labels that no other has, where such are rare."""
        codes = pd.factorize(self.cells.ravel())[0].reshape(self.cells.shape)
        for n in range(min(MOST_ENDS, len(codes) - FEW_PAIRS), 0, -1):
            for part in (slice(-n, None), slice(n)):
                rest, own = np.delete(codes, part, axis=0), {*codes[part].flat} - {-1}
                several = all(map(_several, self.cells[part]))
                if several and not np.isin(rest, [*own]).any():
                    often = Counter(code for row in rest for code in {*row})
                    if [*often.values()].count(1) < len(own):
                        return self.rows[part]
        return []

    # Counts -----------------------------------------------------------------

    def square(self) -> Guess | None:
        """Rows and columns of numbers share their names, but for sums at the end.

        Where names are numbers, all do; short ones are bare on both sides or none.
        """
        both = self.rows or [""], self.names
        sides = (names[:-1] if called(names[-1], "sums") else names for names in both)
        rows, names = map(columns.bare, sides)
        shared = [name for name in names if name in rows]
        most = max(len(rows), len(names))
        numbers = bool(shared) and all(map(str.isdecimal, shared))
        told = [{*map(str.casefold, s)} >= {*shared} for s in (self.rows, self.names)]
        one = told[0] != told[1] and all(len(n) < 2 or n.isdecimal() for n in shared)
        least = most if numbers else min(0.75 * most, most - 1)
        digits = map(re.compile(r"\d").search, self.cells[self.there])
        if one or len(shared) < max(2, least) or not all(digits):
            return None
        whole = whole_numbers(self.cells) is not None
        return "square", {"shared": few(shared, 4), "whole": whole}

    @cached_property
    def whole(self) -> tuple[list[str], np.ndarray]:
        """The columns of whole numbers; without rows of sums at the end."""
        body = self.cells[: len(self.cells) - self.foot()]
        found = {
            name: whole
            for name, column in zip(self.names, body.T)
            if {*column} != {None} and (whole := whole_numbers(column)) is not None
        }
        return [*found], np.array([*found.values()], dtype=np.int64).T

    def counts(self) -> Guess | None:
        """Columns that add up, to another one (first that of all) or to one number."""
        names, table = self.whole
        if len(names) < 2 or (table == table[0, 0]).all():
            return None
        column = {table[:, k].tobytes(): name for k, name in enumerate(names)}
        own = (2 * table == table.sum(axis=1, keepdims=True)).all(axis=0)
        for kept in [[*np.flatnonzero(~own)], *_parts(len(names))]:
            part, others = table[:, kept], len(kept) < len(names)
            sums, told = part.sum(axis=1), [names[k] for k in kept]
            least = 1 if len(kept) == len(names) - 1 else FEW_SUMS
            # Rows with a number are enough, and those with more than one.
            full = (sums > 0).sum() > 2 and ((part > 0).sum(axis=1) > 1).sum() >= least
            total = column.get(sums.tobytes())
            if full and sums.max() > 1 and total not in (None, *told):
                return "sum", {"kept": told, "total": total}
            half = (2 * part == sums[0]).all(axis=0)  # as a sum that is always 3
            summed = any(called(told[k], "times", "sums") for k in half.nonzero()[0])
            steady = not summed and sums[0] and (sums == sums[0]).all()
            if steady and (part != part[0]).any():
                most = part.max() if part.min() == 0 else 0
                enough = 5 - (most > 1) - (most == sums[0]) + 3 * others
                if one := sums[0] == 1:  # one judgment of each item
                    enough = len(part) + 1 if len(kept) < 3 or others else FEW_PAIRS
                if len(part) >= enough:
                    ones = [n for n, most in zip(told, part.max(axis=0)) if most < 2]
                    those = ones if len(ones) == sums[0] == len(told) - 1 else told
                    found = {"kept": told, "those": those, "total": sums[0]}
                    return "one" if one else "counts", found
        return None

    def shares(self) -> list[str]:
        """Columns of counts, it may be: one falls as others rise, or no sum is larger
        than the largest number, which then is all judgments of an item.
        """
        rest = self.without(columns.no_raters(self.names, strict=True))
        kept, table = rest.whole
        if len(kept) < 2 or len(table) < FEW_ROWS or kept != rest.names:
            return []
        sums, each = table.sum(axis=1), table.var(axis=0).sum()
        spread = table.max() > (MANY_JUDGED if table.min() else 1)
        part = TOGETHER - LESS / np.sqrt(len(table))
        judged = (sums == 0).mean() <= UNJUDGED
        alike = sums.max() == table.max() or sums.var() < part * each
        return kept if spread and judged and alike else []

    def fractions(self) -> Guess | None:
        """Each row adds up to 1 or 100, but for what was rounded."""
        texts = [(c or "0").strip("% ").replace(",", ".") for c in self.cells.flat]
        if len(self.cells) < FEW_ROWS or not all(map(NUMBER.fullmatch, texts)):
            return None
        values = np.array([*map(float, texts)]).reshape(self.cells.shape)
        digits = max(len(text.partition(".")[2]) for text in texts)
        half = len(self.names) / 2  # a digit, by which all may be off; many hardly are
        most = min(half, 2 * np.sqrt(half)) * 10.0**-digits + 1e-9
        differ = values.min() >= 0 and (values != values[0]).any()
        for total in (1, 100):
            rounded = (abs(values.sum(axis=1) - total) <= most).all()
            if differ and rounded and (values % total).any():
                return "fractions", {"total": total}
        return None

    def turned(self) -> Guess | None:
        """Columns, more than rows, add up to one number, as rows of counts do."""
        names, table = self.whole
        if len(names) < max(4, len(table) + 1, len(self.names)):
            return None
        sums = table.sum(axis=0)
        spread = table.min() == 0 and table.max() > 1 and (table[:, :1] != table).any()
        return ("turned", {}) if spread and (sums == sums[0]).all() else None

    # Columns that are no raters' ----------------------------------------------

    def whys(self, found: Iterable[Found], sure: bool) -> Whys:
        """Why columns are hardly raters', but for known ones: all, or what is sure."""
        told = {name: why for name, why, one in found if one or not sure}
        return {name: why for name, why in told.items() if name not in self.known}

    def by_themselves(self) -> list[Found]:
        """Columns that by their names or texts are hardly a rater's."""
        values = map(self._by_values, self.names, self.cells.T)
        strict = columns.no_raters(self.names, strict=True)
        whys = dict(zip(self.names, values)) | strict | columns.beside(self.names)
        return [(name, why, why != "parts") for name, why in whys.items() if why]

    def without(self, names: Collection[str]) -> Self:
        kept = [name not in names for name in self.names]
        left = [*compress(self.names, kept)]
        return replace(self, names=left, cells=self.cells[:, kept])

    @cached_property
    def columns_of(self) -> Counter[str]:
        """In how many columns each label is."""
        return Counter(label for labels in self.own for label in labels)

    @cached_property
    def in_turn(self) -> list[str]:
        """Columns that count, as rows or parts of a file are numbered."""
        return [*compress(self.names, map(columns.in_turn, self.cells.T))]

    def _by_values(self, name: str, column: np.ndarray) -> str:
        """Why its values are hardly a rater's; those of documents are in blocks."""
        if name.casefold() == "item":
            return "other"
        if len(self.cells) >= FEW_PAIRS and all(column):
            labels, blocks = {*column}, 1 + (column[1:] != column[:-1]).sum()
            words = [text for text in labels if not NUMBER.fullmatch(text)]
            own_words = all(self.columns_of[text] == 1 for text in words)
            grouped = own_words and 2 < blocks == len(labels) < len(column)
            if grouped and columns.is_cluster(name):
                return "cluster"
            if name in self.in_turn:
                full = [*map(len, self.own)].count(len(column))  # several, as of ranks
                rows = full == 1 and len(labels) == len(column)
                if rows or len(self.in_turn) == 1:
                    return "numbers" if rows else "parts"
        return "text" * self._free_text(column)

    def _free_text(self, column: np.ndarray) -> bool:
        """Texts of several words, nearly all of them different and of this column."""
        given = [text for text in column if text is not None]
        spaced = sum(bool(WORDS.search(text)) for text in given) >= len(given) / 2
        own = min(len({*given}), sum(self.columns_of[text] == 1 for text in given))
        return len(given) > FEW_ROWS and spaced and own >= 0.8 * len(given)

    def alone(self, least: int) -> list[Found]:
        """Columns that share no label with most others, or no range; sure of so many.

        All, where no two share one; words called labels stay, or most, or words.
        """
        numbers = [all(map(NUMBER.fullmatch, labels)) for labels in self.own]
        many = [2 * len(labels) > len(self.cells) for labels in self.own]
        measured = 2 * sum(a and b for a, b in zip(numbers, many)) > len(self.own)
        one, k = self.numbers or measured, len(self.names)  # all numbers are as one
        pairs = [(c, text) for c, labels in enumerate(self.own) for text in labels]
        texts = ["" if one and NUMBER.fullmatch(text) else text for _, text in pairs]
        ends = [c for c, _ in pairs], k + pd.factorize(np.array(texts, dtype=object))[0]
        graph = coo_array((np.ones(len(pairs)), ends), shape=[k + len(pairs)] * 2)
        groups = connected_components(graph, directed=False)[1][:k]
        sizes = np.bincount(groups, self.there.any(axis=0))
        words = np.bincount(groups, np.invert(numbers)) / (k + 1)
        named = np.bincount(groups, [called(name, "label") for name in self.names]) > 1
        main = int((sizes + words + k * (named & (words > 0))).argmax())
        other = (groups != main) | (sizes[main] <= 1)
        found = {c: "alone" for c in range(k) if other[c] and self.own[c]}
        found |= self._beyond() if one else {}
        sure = self.there.sum(axis=0) >= least
        return [(self.names[c], why, bool(sure[c])) for c, why in found.items()]

    def _beyond(self) -> dict[int, str]:
        """Columns with numbers far beyond those of all others."""
        texts = ([text.replace(",", ".") for text in own] for own in self.own)
        told = [[n for n in map(number, one) if n == n] for one in texts]
        if sum(map(bool, told)) < 3 or len(self.cells) < FEW_PAIRS:
            return {}
        low = np.array([min(one, default=np.inf) for one in told])
        high, found = np.array([max(one, default=-np.inf) for one in told]), {}
        for c, one in enumerate(told):
            least, most = np.delete(low, c).min(), np.delete(high, c).max()
            off = min((max(least - n, n - most) for n in one), default=0)
            if off > most - least > 0:
                found[c] = "beyond"
        return found


def _several(cells: np.ndarray) -> bool:
    """Whether there are several labels, or only marks, as in a line of a table."""
    texts = {*cells} - {None}
    return len(texts) > 1 or not any(re.search(r"\w", text) for text in texts)


def _parts(size: int) -> Iterator[list[int]]:
    """All columns, all but one, and of few columns those that stand together."""
    yield [*range(size)]
    if 2 < size <= MOST_COLUMNS:
        yield from ([k for k in range(size) if k != one] for one in range(size))
    for width in range(size - 2, 1, -1) if size <= MOST_TOGETHER else ():
        yield from ([*range(k, k + width)] for k in range(size - width + 1))
