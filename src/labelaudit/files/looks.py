"""What a table with one row per item looks like, where it may be something else."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from . import no_raters
from .columns import whole_numbers

FEW_ROWS = 5  # on fewer, a rater may well have labels of their own
FEW_PAIRS = 10  # on fewer, two raters may never agree
WORDS = re.compile(r"\S\s+\S")
NUMBER = re.compile(r"-?\d+([.,]\d+)?")
MOST_COLUMNS = 50  # of more, none is compared with all others
MOST_ITEMS = 0.85  # of judgments: of more, a column tells rows apart and no items
CHANCE = 0.001  # of a rater like the others to equal a majority throughout


@dataclass(frozen=True)
class Look:
    """Columns that may be raters.

    names : of k columns
    cells : (n, k) texts, None where there is no label
    rows : what the rows are called, or None
    numbers : whether labels are numbers
    """

    names: list[str]
    cells: np.ndarray
    rows: list[str] | None
    numbers: bool

    def sums_below(self) -> bool:
        """Whether the last row has the sums of the others, or how many they are."""
        n = len(self.cells) - 1
        if n < 2:
            return False
        if self.rows and no_raters.is_sums(self.rows[-1]):
            return True
        last = whole_numbers(self.cells[-1])
        if last is None or not last.any():
            return False
        above = whole_numbers(self.cells[:-1])
        if above is not None and len(last) > 1:
            return bool((above.sum(axis=0) == last).all() and n > 2)
        texts = not any(re.fullmatch(r"\d+", c or "") for c in self.cells[:-1].flat)
        given = (self.cells[:-1] != None).sum(axis=0)  # noqa: E711
        return bool(texts and (last == given).all())

    # Counts -----------------------------------------------------------------

    def square(self) -> list[str] | None:
        """The names that rows and columns of whole numbers share."""
        rows = {*(self.rows or ())}
        if not self.rows or len(rows) < len(self.rows):
            return None
        shared = [name for name in self.names if name in rows]
        most = max(len(self.rows), len(self.names))
        numbers = all(map(str.isdecimal, shared))  # of items and raters, it may be
        alike = len(shared) >= max(2, most * (1 if numbers else 0.75))
        return shared if alike and whole_numbers(self.cells) is not None else None

    def _whole(self) -> tuple[list[str], np.ndarray]:
        """The columns of whole numbers; without a last row of sums."""
        body = self.cells[: len(self.cells) - self.sums_below()]
        found = {
            name: whole
            for name, column in zip(self.names, body.T)
            if (column != None).any()  # noqa: E711
            and (whole := whole_numbers(column)) is not None
        }
        table = np.array([*found.values()], dtype=np.int64)
        return [*found], table.T if found else np.zeros((0, 0), int)

    def counts(self) -> tuple[list[str], str, int] | None:
        """Columns that add up: these, and the column with their sum, or the sum."""
        names, table = self._whole()
        if len(names) < 2 or (table == table[0, 0]).all():
            return None
        total = table.sum(axis=1)
        each = range(len(names)) if 2 < len(names) <= MOST_COLUMNS else ()
        for k in (None, *each):
            kept = [name for i, name in enumerate(names) if i != k]
            part = table if k is None else np.delete(table, k, axis=1)
            sums = total if k is None else total - table[:, k]
            full = (sums > 0).sum() > 2 and part.any(axis=0).sum() > 1
            if k is not None and full and sums.max() > 1 and (2 * sums == total).all():
                return kept, names[k], 0
            if (sums == sums[0]).all() and sums[0] >= 2 and (part != part[0]).any():
                spans = part.min() == 0 and part.max() == sums[0]
                if len(part) >= (4 if spans else 5) + (k is not None) * 3:
                    return kept, "", int(sums[0])
        return None

    def turned(self) -> bool:
        """Whether columns, more than rows, add up to one number, as rows of counts."""
        names, table = self._whole()
        if len(names) < max(4, len(table) + 1) or len(names) < len(self.names):
            return False
        sums = table.sum(axis=0)
        differ = bool((table[:, :1] != table).any())
        return bool(
            (sums == sums[0]).all() and table.min() == 0 and table.max() > 1 and differ
        )

    # Columns that are no raters' ----------------------------------------------

    def no_raters(self, alone: list[str]) -> dict[str, str]:
        """Columns that are hardly a rater's, and why."""
        found = {}
        columns = self._columns_of()
        for name, column in zip(self.names, self.cells.T):
            if no_raters.is_gold(name):
                found[name] = "gold"
            elif no_raters.is_other(name):
                found[name] = "other"
            elif _free_text(column, columns):
                found[name] = "text"
            elif name in alone:
                found[name] = "alone"
        kept = [k for k, name in enumerate(self.names) if name not in found]
        rest = Look([self.names[k] for k in kept], self.cells[:, kept], None, False)
        if (majority := rest.majority()) is not None:
            found[majority] = "majority"
        return found

    def alone(self) -> list[str]:
        """Columns that share no label with another, of numbers no range."""
        if self.numbers:
            return self._out_of_range()
        columns = self._columns_of()
        own = [{*column} - {None} for column in self.cells.T]
        measured = [
            2 * len(labels) > len(self.cells) and all(map(NUMBER.fullmatch, labels))
            for labels in own
        ]
        if 2 * sum(measured) > len(own):  # whose numbers hardly ever are the same
            return []
        return [
            name
            for name, labels in zip(self.names, own)
            if labels and all(columns[label] == 1 for label in labels)
        ]

    def _columns_of(self) -> Counter[str]:
        """In how many columns each label is."""
        own = [{*column} - {None} for column in self.cells.T]
        return Counter(label for labels in own for label in labels)

    def _out_of_range(self) -> list[str]:
        values = pd.DataFrame(self.cells).apply(pd.to_numeric, errors="coerce")
        low, high = values.min().to_numpy(), values.max().to_numpy()
        if len(low) < 3 or len(values) < FEW_PAIRS:
            return []
        lows, highs = np.sort(low), np.sort(high)
        return [
            name
            for name, a, b in zip(self.names, low, high)
            if (a == lows[-1] and a > highs[-2]) or (b == highs[0] and b < lows[1])
        ]

    def majority(self) -> str | None:
        """A column that has the others' most frequent label wherever there is one.

        Only where a rater who agrees with the others as these do would hardly do so.
        """
        k = len(self.names)
        codes, labels = pd.factorize(self.cells.ravel())
        codes = codes.reshape(self.cells.shape)
        if not 3 <= k <= MOST_COLUMNS or len(labels) * len(codes) > 2**24:
            return None
        votes = np.zeros((len(codes), len(labels)), dtype=np.int32)
        for column in codes.T:
            given = np.flatnonzero(column >= 0)
            votes[given, column[given]] += 1
        for c in range(k):
            hits, judged = _follows(votes, codes[:, c])
            if hits == judged >= FEW_PAIRS:
                rest = votes.copy()
                _take(rest, codes[:, c])
                others = [_follows(rest, codes[:, r]) for r in range(k) if r != c]
                share = max((hits / n for hits, n in others if n), default=1.0)
                share = share**0.5 if k == 3 else share
                if share**judged < CHANCE:
                    return self.names[c]
        return None


def _take(votes: np.ndarray, column: np.ndarray) -> None:
    given = np.flatnonzero(column >= 0)
    votes[given, column[given]] -= 1


def _follows(votes: np.ndarray, column: np.ndarray) -> tuple[int, int]:
    """On how many items a column has the others' one most frequent label, of all."""
    others = votes.copy()
    _take(others, column)
    best = others.max(axis=1)
    needed = min(2, int(best.max(initial=0)))
    one = (others == best[:, None]).sum(axis=1) == 1
    judged = one & (best >= needed) & (column >= 0)
    return int((others.argmax(axis=1) == column)[judged].sum()), int(judged.sum())


def _free_text(column: np.ndarray, columns: Counter[str]) -> bool:
    """Texts of several words, nearly all of them different and in no other column."""
    given = [text for text in column if text is not None]
    spaced = sum(bool(WORDS.search(text)) for text in given)
    different = len({*given}) >= 0.8 * len(given)
    alone = sum(columns[text] == 1 for text in given) >= 0.8 * len(given)
    return len(given) > FEW_ROWS and different and alone and spaced >= len(given) / 2


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
    numbers = [bool(NUMBER.fullmatch(name)) for name in names]
    counted = names in ([str(k + d) for k in range(len(names))] for d in (0, 1))
    if not all(numbers) or counted:
        return False
    given = pd.Series(cells.ravel(), dtype=object).dropna()
    return bool(given.str.fullmatch(NUMBER).mean() > 0.9)


def _form(text: str) -> str:
    """Letters as a, digits as 0, words as one: t17 and x3 are alike."""
    form = re.sub(r"\d+", "0", re.sub(r"[^\W\d_]+", "a", text))
    return re.sub(r"a(\W+a)+", "a a", form)


def long_rows(frame: pd.DataFrame) -> tuple[str, str, str] | None:
    """Columns of items, raters and labels, where one by its name has the raters."""
    called = [name for name in frame if no_raters.is_rater(name)]
    if len(called) != 1:
        return None
    (rater,) = called
    for item in [name for name in frame if name != rater]:
        both = frame[[item, rater]]
        if frame[item].duplicated().any() and not both.duplicated().any():
            rest = [n for n in frame if n not in both and frame[n].duplicated().any()]
            named = [name for name in rest if no_raters.is_label(name)] or rest[-1:]
            return (item, rater, named[0]) if named else None
    return None


def second_key(
    frame: pd.DataFrame, items: pd.Index, rater: str, others: list[str]
) -> list[str] | None:
    """One or two columns with which each pair of item and rater is there once."""
    codes = pd.DataFrame({"item": pd.factorize(items)[0], "rater": frame[rater].array})
    for name in others:
        codes[f"of {name}"] = frame[name].array
    for size in (1, 2):
        for more in combinations([f"of {name}" for name in others[:20]], size):
            key = codes[["item", *more]]
            each = not codes[["item", "rater", *more]].duplicated().any()
            if each and len(key.drop_duplicates()) <= MOST_ITEMS * len(codes):
                return [name.removeprefix("of ") for name in more]
    return None
