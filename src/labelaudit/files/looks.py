"""What a table looks like, where it may be something else than what it is read as."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from .cells import WHOLE, whole_numbers
from .names import called, folded, is_beside, no_rater
from .text import few

WORDS = re.compile(r"\S\s+\S")
NUMBER = re.compile(r"-?\d+([.,]\d+)?")
DECIMALS = re.compile(r"-?\d+[.,]\d+")
FEW_ROWS = 5  # on fewer, a rater may well have labels of their own
FEW_PAIRS = 10  # on fewer, two raters may never agree
MOST_COLUMNS = 50  # of more, none is compared with all others
MOST_TOGETHER = 12  # of more, no columns that stand together are added up
TOGETHER = 0.3  # of columns' variances: a sum that varies less is one of counts
CHANCE = 0.001  # of a rater like the others to equal them throughout

Guess = tuple[str, dict[str, Any]]  # its name, and what its sentence tells


@dataclass(frozen=True)
class Look:
    """Columns that may be raters.

    names : of k columns
    cells : (n, k) texts, None where there is no label
    rows : what the rows are called, or None
    numbers : whether labels are numbers
    known : names that are raters'
    """

    names: list[str]
    cells: np.ndarray
    rows: list[str] | None
    numbers: bool
    known: Collection[str] = ()

    @cached_property
    def own(self) -> list[set[str]]:
        """The labels of each column."""
        return [{*column} - {None} for column in self.cells.T]

    @cached_property
    def there(self) -> np.ndarray:
        return pd.notna(self.cells)

    def sums_below(self) -> bool:
        """Whether the last row has the sums of the others, or how many they are."""
        n = len(self.cells) - 1
        if n < 2:
            return False
        if self.rows and called(self.rows[-1], "sums"):
            return True
        last, above = whole_numbers(self.cells[-1]), whole_numbers(self.cells[:-1])
        if last is None or not last.any():
            return False
        if above is None:
            texts = not any(WHOLE.fullmatch(c or "") for c in self.cells[:-1].flat)
            return bool(texts and (last == self.there[:-1].sum(axis=0)).all())
        more = len(last) > 1 and n > 2 and last.max() > above.max()
        return bool(more and (above.sum(axis=0) == last).all())

    # Counts -----------------------------------------------------------------

    def square(self) -> Guess | None:
        """Rows and columns of whole numbers share their names."""
        if not self.rows or len({*self.rows}) < len(self.rows):
            return None
        known = {folded(name) for name in self.rows}
        shared = [name for name in self.names if folded(name) in known]
        most = max(len(self.rows), len(self.names))
        numbers = all(map(str.isdecimal, shared))  # of items and raters, it may be
        alike = len(shared) >= max(2, most * (1 if numbers else 0.75))
        found = alike and whole_numbers(self.cells) is not None
        return ("square", {"shared": few(shared, 4)}) if found else None

    @cached_property
    def whole(self) -> tuple[list[str], np.ndarray]:
        """The columns of whole numbers; without a last row of sums."""
        body = self.cells[: len(self.cells) - self.sums_below()]
        found = {
            name: whole
            for name, column in zip(self.names, body.T)
            if {*column} != {None} and (whole := whole_numbers(column)) is not None
        }
        table = np.array([*found.values()], dtype=np.int64)
        return [*found], table.T if found else np.zeros((0, 0), int)

    def counts(self) -> Guess | None:
        """Columns that add up, to another one or to one number."""
        names, table = self.whole
        if len(names) < 2 or (table == table[0, 0]).all():
            return None
        column = {table[:, k].tobytes(): k for k in range(len(names))}
        for kept in _parts(len(names)):
            part, left = table[:, kept], len(names) - len(kept)
            sums = part.sum(axis=1)
            full = (sums > 0).sum() > 2 and part.any(axis=0).sum() > 1
            total = column.get(sums.tobytes())
            told = [names[k] for k in kept]
            if total is not None and total not in kept and full and sums.max() > 1:
                return "sum", {"kept": told, "total": names[total]}
            if (sums == sums[0]).all() and sums[0] and (part != part[0]).any():
                spans = part.min() == 0 and part.max() == sums[0] > 1
                enough = (4 if spans else 5) + 3 * bool(left)
                if one := sums[0] == 1:  # one judgment of each item
                    enough = FEW_PAIRS if len(kept) > 2 and not left else len(part) + 1
                if len(part) >= enough:
                    kind = "one" if one else "counts"
                    return kind, {"kept": told, "total": sums[0]}
        return None

    def shares(self) -> list[str]:
        """Columns where one number falls as others rise, as counts of labels do."""
        names, table = self.whole
        at = [k for k, name in enumerate(names) if not no_rater(name)]
        kept, table = [names[k] for k in at], table[:, at]
        others = all(no_rater(name) for name in self.names if name not in kept)
        if len(kept) < 3 or len(table) < FEW_PAIRS or not others:
            return []
        sums, each = table.sum(axis=1), table.var(axis=0).sum()
        spread = table.min() == 0 and table.max() > 1 and sums.all()
        return kept if spread and sums.var() < TOGETHER * each else []

    def fractions(self) -> Guess | None:
        """Each row adds up to 1 or 100, but for what was rounded."""
        texts = [
            (text or "0").strip("% ").replace(",", ".") for text in self.cells.flat
        ]
        if len(self.cells) < FEW_ROWS or not all(map(NUMBER.fullmatch, texts)):
            return None
        values = np.array([*map(float, texts)]).reshape(self.cells.shape)
        digits = max(len(text.partition(".")[2]) for text in texts)
        differ = values.min() >= 0 and (values != values[0]).any()
        for total in (1, 100):
            off = abs(values.sum(axis=1) - total).max()
            rounded = off <= len(self.names) * 0.5 * 10.0**-digits + 1e-9
            if differ and rounded and (values % total).any():
                return "fractions", {"total": total}
        return None

    def turned(self) -> Guess | None:
        """Columns, more than rows, add up to one number, as rows of counts do."""
        names, table = self.whole
        if len(names) < max(4, len(table) + 1) or len(names) < len(self.names):
            return None
        sums = table.sum(axis=0)
        spread = table.min() == 0 and table.max() > 1 and (table[:, :1] != table).any()
        return ("turned", {}) if spread and (sums == sums[0]).all() else None

    # Columns that are no raters' ----------------------------------------------

    def no_raters(self, alone: list[str]) -> dict[str, str]:
        """Columns that are hardly a rater's, and why."""
        found = {}
        for name, column in zip(self.names, self.cells.T):
            if name in self.known:
                continue
            text = "text" * self._free_text(column)
            of = "beside" * is_beside(name, self.names)
            if why := no_rater(name) or of or text or "alone" * (name in alone):
                found[name] = why
        kept = [k for k, name in enumerate(self.names) if name not in found]
        if (column := majority(self.cells[:, kept])) is not None:
            found[self.names[kept[column]]] = "majority"
        return found

    @cached_property
    def columns_of(self) -> Counter[str]:
        """In how many columns each label is."""
        return Counter(label for labels in self.own for label in labels)

    def _free_text(self, column: np.ndarray) -> bool:
        """Texts of several words, nearly all of them different and of this column."""
        given = [text for text in column if text is not None]
        spaced = sum(bool(WORDS.search(text)) for text in given)
        alone = sum(self.columns_of[text] == 1 for text in given)
        nearly = 0.8 * len(given)
        several = len(given) > FEW_ROWS and spaced >= len(given) / 2
        return several and len({*given}) >= nearly and alone >= nearly

    def alone(self) -> list[str]:
        """Columns that share no label with another, of numbers no range."""
        if self.numbers:
            return self._out_of_range()
        measured = [
            2 * len(labels) > len(self.cells) and all(map(NUMBER.fullmatch, labels))
            for labels in self.own
        ]
        if 2 * sum(measured) > len(self.own):  # whose numbers hardly ever are the same
            return []
        return [
            name
            for name, labels in zip(self.names, self.own)
            if labels and all(self.columns_of[label] == 1 for label in labels)
        ]

    def _out_of_range(self) -> list[str]:
        values = pd.DataFrame(self.cells).apply(pd.to_numeric, errors="coerce")
        low, high = values.min().to_numpy(), values.max().to_numpy()
        if len(low) < 3 or len(values) < FEW_PAIRS:
            return []
        lows, highs = np.sort(low), np.sort(high)
        above = (low == lows[-1]) & (low > highs[-2])
        below = (high == highs[0]) & (high < lows[1])
        return [name for name, out in zip(self.names, above | below) if out]


def _parts(size: int) -> Iterator[list[int]]:
    """All columns, all but one, and of few columns those that stand together."""
    yield [*range(size)]
    if 2 < size <= MOST_COLUMNS:
        yield from ([k for k in range(size) if k != one] for one in range(size))
    for width in range(size - 2, 1, -1) if size <= MOST_TOGETHER else ():
        yield from ([*range(k, k + width)] for k in range(size - width + 1))


def majority(cells: np.ndarray) -> int | None:
    """A column that has the others' most frequent label wherever there is one.

    Only where a rater who agrees with the others as these do would hardly do so.
    """
    n, k = cells.shape
    codes, labels = pd.factorize(cells.ravel())
    codes, each = codes.reshape(n, k), np.arange(len(labels))
    if not 3 <= k <= MOST_COLUMNS or not 0 < len(each) * n <= 2**24:
        return None

    def of(column: int) -> np.ndarray:
        return np.asarray(codes[:, [column]] == each, dtype=np.int32)

    def follows(column: int, votes: np.ndarray) -> tuple[int, int]:
        """On how many items it has the one label that has most votes, of all such."""
        best = votes.max(axis=1)
        one = (votes == best[:, None]).sum(axis=1) == 1
        enough = best >= min(2, int(best.max(initial=0)))
        judged = one & enough & (codes[:, column] >= 0)
        hits = votes.argmax(axis=1) == codes[:, column]
        return int(hits[judged].sum()), int(judged.sum())

    every = sum(map(of, range(k)))
    for c in range(k):
        rest = every - of(c)
        hits, judged = follows(c, rest)
        if hits == judged >= FEW_PAIRS:
            others = [follows(r, rest - of(r)) for r in range(k) if r != c]
            share = max((hits / n for hits, n in others if n), default=1.0)
            if share ** (judged / 2 if k == 3 else judged) < CHANCE:
                return c
    return None


# Rows ---------------------------------------------------------------------------------


def like_data(frame: pd.DataFrame) -> bool:
    """Whether the names of the columns look like a first row of them."""
    names = [str(name) for name in frame.columns]
    cells = frame.to_numpy()
    again = (cells == np.array(names, dtype=object)).any(axis=0)
    if not all(names) or not len(cells):
        return False
    if again.all() and len(names) > 1:
        return True
    first = pd.Series(cells[:, 0], dtype=object).dropna()
    alike = (first.map(_form) == _form(names[0])).mean() if len(first) else 0
    rest = again[1:]
    if len(rest) and ((alike >= 0.5 and rest.any()) or (alike >= 0.2 and rest.all())):
        return True
    counted = names in ([str(k + d) for k in range(len(names))] for d in (0, 1))
    if counted or not all(map(NUMBER.fullmatch, names)):
        return False
    given = pd.Series(cells.ravel(), dtype=object).dropna()
    return bool(given.str.fullmatch(NUMBER).mean() > 0.9)


def alike(names: pd.Series, labels: pd.Series) -> bool:
    """Whether what should be names is labels, or numbers with decimals as these are."""
    numbers = pd.to_numeric(names, errors="coerce").sort_values()
    if (numbers.diff()[1:] == 1).all():  # in turn, as of rows
        return False
    both = (texts.str.fullmatch(DECIMALS).mean() > 0.5 for texts in (names, labels))
    return bool(all(both) or names.isin(labels).mean() >= 0.5)


def _form(text: str) -> str:
    """Letters as a, digits as 0, words as one: t17 and x3 are alike."""
    form = re.sub(r"\d+", "0", re.sub(r"[^\W\d_]+", "a", text))
    return re.sub(r"a(\W+a)+", "a a", form)
