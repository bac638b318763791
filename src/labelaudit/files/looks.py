"""What a table looks like, where it may be something else than what it is read as."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
import pandas as pd

from . import names as named
from .cells import WHOLE, whole_numbers

FEW_ROWS = 5  # on fewer, a rater may well have labels of their own
FEW_PAIRS = 10  # on fewer, two raters may never agree
WORDS = re.compile(r"\S\s+\S")
NUMBER = re.compile(r"-?\d+([.,]\d+)?")
MOST_COLUMNS = 50  # of more, none is compared with all others
MOST_ITEMS = 0.85  # of judgments: of more, a column tells rows apart and no items
CHANCE = 0.001  # of a rater like the others to equal a majority throughout
TOGETHER = 0.3  # of columns' variances: a sum that varies less is one of counts


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

    def sums_below(self) -> bool:
        """Whether the last row has the sums of the others, or how many they are."""
        n = len(self.cells) - 1
        if n < 2:
            return False
        if self.rows and named.called(self.rows[-1], "sums"):
            return True
        last = whole_numbers(self.cells[-1])
        if last is None or not last.any():
            return False
        above = whole_numbers(self.cells[:-1])
        if above is not None and len(last) > 1:
            return bool((above.sum(axis=0) == last).all() and n > 2)
        texts = not any(WHOLE.fullmatch(c or "") for c in self.cells[:-1].flat)
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

    def counts(self) -> tuple[list[str], str, int] | None:
        """Columns that add up: these, and the column with their sum, or the sum."""
        names, table = self.whole
        if len(names) < 2 or (table == table[0, 0]).all():
            return None
        total = table.sum(axis=1)
        each = range(len(names)) if 2 < len(names) <= MOST_COLUMNS else ()
        for k in (None, *each):
            kept = [name for i, name in enumerate(names) if i != k]
            part = table if k is None else np.delete(table, k, axis=1)
            sums = part.sum(axis=1)
            full = (sums > 0).sum() > 2 and part.any(axis=0).sum() > 1
            if k is not None and full and sums.max() > 1 and (2 * sums == total).all():
                return kept, names[k], 0
            if (sums == sums[0]).all() and sums[0] >= 2 and (part != part[0]).any():
                spans = part.min() == 0 and part.max() == sums[0]
                if len(part) >= (4 if spans else 5) + (k is not None) * 3:
                    return kept, "", int(sums[0])
        return None

    def shares(self) -> bool:
        """Whether one number falls where others rise, as counts of labels do."""
        names, table = self.whole
        if not 2 < len(names) == len(self.names) or len(table) < FEW_PAIRS:
            return False
        each = table.var(axis=0).sum()
        spread = table.min() == 0 and table.max() > 1 and table.sum(axis=1).all()
        return bool(spread and table.sum(axis=1).var() < TOGETHER * each)

    def turned(self) -> bool:
        """Whether columns, more than rows, add up to one number, as rows of counts."""
        names, table = self.whole
        if len(names) < max(4, len(table) + 1) or len(names) < len(self.names):
            return False
        sums = table.sum(axis=0)
        spread = table.min() == 0 and table.max() > 1 and (table[:, :1] != table).any()
        return bool(spread and (sums == sums[0]).all())

    # Columns that are no raters' ----------------------------------------------

    def no_raters(self, alone: list[str]) -> dict[str, str]:
        """Columns that are hardly a rater's, and why."""
        found = {}
        for name, column in zip(self.names, self.cells.T):
            if name in self.known:
                continue
            if named.called(name, "gold"):
                found[name] = "gold"
            elif named.is_other(name):
                found[name] = "other"
            elif self._free_text(column):
                found[name] = "text"
            elif name in alone:
                found[name] = "alone"
        kept = [k for k, name in enumerate(self.names) if name not in found]
        if (column := _majority(self.cells[:, kept])) is not None:
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


def _majority(cells: np.ndarray) -> int | None:
    """A column that has the others' most frequent label wherever there is one.

    Only where a rater who agrees with the others as these do would hardly do so.
    """
    n, k = cells.shape
    codes, labels = pd.factorize(cells.ravel())
    codes, each = codes.reshape(n, k), np.arange(len(labels))
    if not 3 <= k <= MOST_COLUMNS or len(each) * n > 2**24:
        return None

    def of(column: int) -> np.ndarray:
        found: np.ndarray = (codes[:, [column]] == each).astype(np.int32)
        return found

    def follows(column: int, votes: np.ndarray) -> tuple[int, int]:
        """On how many items it has the one label that has most votes, of all such."""
        best = votes.max(axis=1)
        one = (votes == best[:, None]).sum(axis=1) == 1
        enough = best >= min(2, int(best.max(initial=0)))
        judged = one & enough & (codes[:, column] >= 0)
        hits = votes.argmax(axis=1) == codes[:, column]
        return int(hits[judged].sum()), int(judged.sum())

    every = np.zeros((n, len(each)), dtype=np.int32)
    every += sum(map(of, range(k)))
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
    """Columns of items, raters and labels, where a row may be a judgment.

    A pair of item and rater is there once, and one column by its name has raters, or
    pairs would hardly be there once if these columns were judgments. The rater is the
    one with fewer values.
    """
    again = [c for c in frame if frame[c].duplicated().any() and frame[c].notna().all()]
    called = [name for name in again if named.called(name, "rater")]
    codes = {name: pd.factorize(frame[name])[0] for name in again[:MOST_COLUMNS]}
    pairs = [*combinations(codes, 2)]
    found = []
    for item, rater in pairs:
        if len(called) == 1 and called[0] not in (item, rater):
            continue
        counts = [np.bincount(codes[name]) for name in (item, rater)]
        sizes = [len(count) for count in counts]
        if min(sizes) < 2 or sizes[0] * sizes[1] < len(frame):
            continue
        shares = [((count / len(frame)) ** 2).sum() for count in counts]
        twice = len(frame) * (len(frame) - 1) / 2 * shares[0] * shares[1]  # by chance
        if len(called) == 1 or len(pairs) * np.exp(-twice) < CHANCE:
            if not frame[[item, rater]].duplicated().any():
                found.append((twice, item, rater))
    for _, *pair in sorted(found, key=lambda one: -one[0]):
        item, rater = sorted(pair, key=lambda c: (c in called, -len({*codes[c]})))
        rest = [c for c in frame if c not in pair and _varies(frame[c], frame[item])]
        labels = [c for c in rest if named.called(c, "label")] or rest[-1:]
        if labels:
            return item, rater, labels[0]
    return None


def _varies(told: pd.Series, items: pd.Series) -> bool:
    """Whether it may be labels: some are there again, or numbers; not one an item."""
    number = told.map(NUMBER.fullmatch, na_action="ignore").notna().all()
    again = told.duplicated().any() or (number and told.str.contains("[.,]").any())
    own = told.groupby(items).nunique().max() > 1
    return bool(again and own and not named.is_other(str(told.name)))


def second_key(pairs: pd.DataFrame, others: pd.DataFrame) -> list[str] | None:
    """One or two columns with which each pair of item and rater is there once."""
    names = [*others][:20]
    codes = pairs.assign(**{f"{k}": others[name].array for k, name in enumerate(names)})
    for size in (1, 2):
        for more in combinations(codes.columns[2:], size):
            keys = codes.drop_duplicates(["item", *more])
            each = not codes.duplicated(["item", "rater", *more]).any()
            if each and len(keys) <= MOST_ITEMS * len(codes):
                return [names[int(k)] for k in more]
    return None
