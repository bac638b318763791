"""Ratings from files as people have them.

A file becomes a table of texts (`tables`), rows are chosen and cells with several
judgments taken apart (`shapes`), columns get their roles and texts their meaning
(`cells`), and second judgments are settled (`settled`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from .._words import shown, warn
from ..agreement.ratings import Ratings
from ..agreement.reading import MOST_ITEMS, index_of
from . import settled, shapes
from .cells import Meaning, counts
from .columns import are_raters
from .tables import UnreadableError, at, tables

DEFAULTS = {"item": "item", "rater": "rater", "label": "label"}
OPTIONS = {
    "suggestion": "--suggested",
    "gold label": "--gold",
    "model label": "--model",
}


@dataclass(frozen=True)
class Collection:
    """Ratings from files; what was suggested, is right, and a model says, if known."""

    ratings: Ratings
    suggested: pd.Series | None = None
    gold: Any = None  # as la.accuracy takes it
    model: pd.Series | None = None


def collection(
    path: str | Path | Sequence[str | Path],
    item: str | None = None,
    rater: str | None = None,
    label: str | None = None,
    *,
    raters: Sequence[str] = (),
    ignored: Sequence[str | None] = (),
    suggested: str | None = None,
    count: str | None = None,
    labels: Sequence[str] = (),
    missing: Sequence[str] = (),
    numbers: bool = False,
    names: Sequence[str] = (),
    where: Sequence[str] = (),
    split: str | None = None,
    sets: str | None = None,
    repeats: str | None = None,
    gold: str | None = None,
    model: str | None = None,
) -> Collection:
    """The ratings in files, and the suggested labels if a column has them.

    Parameters
    ----------
    path : str or Path, or several
        CSV, JSON or Parquet, as tables.table reads them; several are one table.
    item, rater, label : str, optional
        Names of the columns of a long table, one row per judgment; by default these
        words. Case matters only where it tells columns apart. Where the table has
        none of the last two, it is wide: one row per item, which the column `item`
        names (default: the first), one column per rater.
    raters : sequence of str
        The columns of a wide table that are raters; default: all others. Where the
        first column is one of them, says some label twice and shares one with another,
        no column names the items, and these are numbered from 1.
    ignored : sequence of str
        Columns that are no raters, if they are there.
    suggested : str, optional
        The column with the label that was suggested for the item.
    count : str, optional
        The column of a wide table that says for how many items a row stands.
    labels : sequence of str
        The labels that there are, in their order.
    missing : sequence of str
        Texts that are no judgment. An empty cell never is one.
    numbers : bool
        Labels are numbers; else they are texts, also those that look like numbers.
        A decimal comma is one where no label has a point; what may group thousands,
        as in 1,500, is refused.
    names : sequence of str
        The names of the columns of files without a header.
    where : sequence of "COLUMN=VALUE"
        Rows are kept that have all of these values, as texts.
    split : str, optional
        What separates judgments in a cell; cells may be JSON lists instead, and a label
        cell a JSON object of raters and labels.
    sets : str, optional
        What separates the labels of a judgment that is a set of them; a JSON list is
        one, and [] the empty one.
    repeats : "first", "last" or "drop", optional
        What is done with a rater's judgments of an item that contradict each other.
        Those that repeat an earlier one are left out first.
    gold : str, optional
        The column with the right label of the item; without such a column a file with
        the columns item and label.
    model : str, optional
        The column with a model's label of the item.

    Raises
    ------
    UnreadableError
        Where the file cannot be read, lacks a column that was named, has an item or
        rater that is missing, a second judgment by a rater on an item with another
        label, a label that is no number or not among `labels`, two suggestions for
        an item (or gold labels, or labels by a model), or one column in two roles.
    ValueError
        From Ratings.

    Warns
    -----
    UserWarning
        Where rows are repeated, a label may mean that there is none, or a column
        may be no rater.
    """
    paths = [path] if isinstance(path, (str, Path)) else [*path]
    called = ", ".join(map(str, paths))
    frame = tables(paths, names)
    meaning = Meaning.of(called, labels, missing, numbers, sets)
    reader = _Reader(called, frame, meaning, repeats=repeats, named=bool(names))
    reader.frame = shapes.chosen(called, frame, where, reader.column)
    roles = {"item": item, "rater": rater, "label": label}
    right, elsewhere = reader.gold(gold, count)
    told = reader.column(suggested)
    reader.model = reader.column(model)
    if split is not None:
        taken = {key: reader.find(name or DEFAULTS[key]) for key, name in roles.items()}
        reader.frame, anonymous = shapes.taken_apart(called, reader.frame, taken, split)
        if anonymous:
            return reader.anonymous(
                taken["item"], taken["label"], told, right, elsewhere
            )
        roles["rater"] = roles["rater"] or DEFAULTS["rater"]
    long = reader.columns_if_long(roles, wide=bool(raters or count))
    if long:
        return reader.long(long, told, right, elsewhere)
    reader.without([name for name in ignored if name])
    chosen = [reader.column(name) for name in raters]
    found = reader.column(item), chosen, told, reader.column(count)
    return reader.wide(*found, right, elsewhere)


@dataclass
class _Reader:
    """One file, and what its cells mean."""

    path: str
    frame: pd.DataFrame
    meaning: Meaning
    repeats: str | None = None
    named: bool = False  # whether columns were, and the files have no header
    model: str | None = None  # the column with a model's labels

    # Columns ------------------------------------------------------------------

    @property
    def _named(self) -> str:
        return ", ".join(" ".join(n.split()) or "(no name)" for n in self.frame.columns)

    def find(self, name: str) -> str | None:
        """A column by its name, whose case may differ if that tells no two apart."""
        if name in self.frame.columns:
            return name
        key = name.strip().casefold()
        same = [one for one in self.frame.columns if one.casefold() == key]
        return same[0] if len(same) == 1 else None

    def column(self, name: str | None) -> str | None:
        """A column that was named; it must be there."""
        if name is None:
            return None
        found = self.find(name)
        if found is None:
            raise UnreadableError(
                f"{self.path} has no column {name!r}; its columns: {self._named}"
            )
        return found

    def without(self, names: list[str]) -> None:
        """Leave out columns, where they are there."""
        found = [self.find(name) for name in names]
        self.frame = self.frame.drop(columns=[name for name in found if name])

    def columns_if_long(
        self, named: dict[str, str | None], wide: bool
    ) -> list[str] | None:
        """The three columns of a long table; None where it is a wide one."""
        if wide:
            for key in ("rater", "label"):
                if named[key] is not None:
                    raise UnreadableError(
                        f"{self.path}: --{key} is for tables with one row per judgment,"
                        " --raters and --count for those with one row per item"
                    )
            return None
        for name in named.values():
            self.column(name)
        found = {key: self.find(name or DEFAULTS[key]) for key, name in named.items()}
        absent = [key for key, name in found.items() if name is None]
        if not absent:
            return [name for name in found.values() if name is not None]
        if len(absent) == 1 or named["rater"] or named["label"]:
            raise UnreadableError(
                f"{self.path} has no column {DEFAULTS[absent[0]]!r}: if each"
                f" row is a judgment, name it by --{absent[0]}; if each row is an item,"
                f" name the raters' columns by --raters; its columns: {self._named}"
            )
        if not self.named and shapes.looks_like_data(self.frame):
            raise UnreadableError(
                f"{self.path}: its columns are called {self._named}, which looks like a"
                " first row of data; if it has no header, say --no-header and name the"
                " columns, as in --columns item,rater,label"
            )
        return None

    def gold(self, name: str | None, count: str | None) -> tuple[str | None, Any]:
        """The column with the right labels, or those of a file."""
        if name is None or (found := self.find(name)) is not None:
            return (None if name is None else found), None
        if not Path(name).is_file():
            raise UnreadableError(
                f"{self.path} has no column {name!r}, and no file is called so, which"
                f" --gold names; its columns: {self._named}"
            )
        if count is not None:
            raise UnreadableError(
                f"--gold {name} is joined on items, and rows that --count counts name"
                " none; give gold as a column"
            )
        frame = tables([name])
        reader = _Reader(name, frame, self.meaning)
        item, label = (reader.column(column) for column in ("item", "label"))
        assert item is not None and label is not None
        return None, reader._one_by_item(item, label, "gold label")

    def _apart(self, *roles: tuple[str, str | None]) -> None:
        """Refuse a column in two roles; each role is an option and its column."""
        taken: dict[str, str] = {}
        for option, name in roles:
            if name is None:
                continue
            if name in taken:
                both = f"{taken[name]} and {option} are both"
                if taken[name] == option:
                    both = f"{option} names twice"
                raise UnreadableError(
                    f"{self.path}: {both} the column {name!r}; each needs its own"
                )
            taken[name] = option

    # Two shapes ---------------------------------------------------------------

    def long(
        self,
        columns: list[str],
        suggested: str | None,
        gold: str | None = None,
        elsewhere: Any = None,
    ) -> Collection:
        """One row per judgment; columns: item, rater, label."""
        item, rater, label = columns
        roles = [*zip(("--item", "--rater", "--label"), columns)]
        self._apart(*roles, ("--suggested", suggested))
        self._apart(*roles, ("--model", self.model))
        self._apart(("--item", item), ("--label", label), ("--gold", gold))
        for name in (item, rater):
            self._whole(name)
        judged = self._labels([label])[label]
        frame = pd.DataFrame(
            {
                "item": self.frame[item].to_numpy(),
                "rater": self.frame[rater].to_numpy(),
                "label": judged.to_numpy(),
            }
        )
        known = self.meaning.declared
        r = Ratings.from_long(frame, labels=known, repeats=True)
        if r.repeats:
            once = settled.Repeats(self.path, frame, self._at, self.repeats).once()
            how = self.repeats or False
            r = Ratings.from_long(once, labels=known, repeats=how)
        told = suggested and self._one_by_item(item, suggested, "suggestion")
        if gold is not None:
            elsewhere = self._one_by_item(item, gold, "gold label")
        return Collection(r, told if suggested else None, elsewhere, self._its(item))

    def anonymous(
        self,
        item: str | None,
        label: str | None,
        suggested: str | None,
        gold: str | None,
        elsewhere: Any,
    ) -> Collection:
        """One row per judgment, by whom is not known."""
        assert item is not None and label is not None
        self._whole(item)
        judged = self._labels([label])[label]
        known = judged.notna().to_numpy()
        codes, items = pd.factorize(self.frame[item].to_numpy())
        of, labels = pd.factorize(judged[known])
        counts = np.zeros((len(items), len(labels)), dtype=int)
        np.add.at(counts, (codes[known], of), 1)
        table = pd.DataFrame(counts, index_of(items), index_of(labels))
        r = Ratings.from_counts(table, labels=self.meaning.declared)
        told = suggested and self._one_by_item(item, suggested, "suggestion")
        if gold is not None:
            elsewhere = self._one_by_item(item, gold, "gold label")
        return Collection(r, told if suggested else None, elsewhere, self._its(item))

    def wide(
        self,
        item: str | None,
        raters: list[str | None],
        suggested: str | None,
        count: str | None,
        gold: str | None = None,
        elsewhere: Any = None,
    ) -> Collection:
        """One row per item."""
        role = "--item" if item else "the items (without --item the first column)"
        chosen = [name for name in raters if name is not None]
        if item is None and count is None:
            item = self._names(chosen)
        columns = item, suggested, count, gold, self.model
        other = [name for name in columns if name is not None]
        self._apart(
            *(("--raters", name) for name in chosen),
            (role, item),
            ("--suggested", suggested),
            ("--count", count),
            ("--gold", gold),
        )
        roles = *(("--raters", name) for name in chosen), (role, item)
        self._apart(*roles, ("--count", count), ("--model", self.model))
        chosen = chosen or [name for name in self.frame if name not in other]
        if len(self.frame.columns) == 1 and re.search(
            r"[,;|\t]|\S \S+ \S", self._named
        ):
            raise UnreadableError(
                f"{self.path} has one column, called {self._named!r}: its cells seem to"
                " hold whole rows; open it with the right separator and save it again"
            )
        if len(chosen) < 2:
            raise UnreadableError(
                f"{self.path} has the columns {self._named}: neither"
                f" {', '.join(DEFAULTS)} (one row per judgment) nor an item and two"
                " raters or more (one row per item)"
            )
        judged = self._labels(chosen)
        told = None if suggested is None else self._told(suggested)
        known = self.meaning.declared
        index: pd.Index
        if count is not None:
            index = pd.RangeIndex(len(judged))
            r = Ratings.from_patterns(judged, self._times(count, judged), labels=known)
        else:
            index = self._items(item)
            r = Ratings.from_matrix(judged.set_axis(index), labels=known)
        if not (self.meaning.numbers or self.meaning.declared):
            are_raters(self.path, judged)
        if gold is not None:
            elsewhere = self._told(gold, "--gold").set_axis(index)
        told = None if told is None else told.set_axis(index)
        its = self.model and self._told(self.model, "--model").set_axis(index)
        return Collection(r, told, elsewhere, its if self.model else None)

    def _names(self, raters: list[str]) -> str | None:
        """The column that names the items of a wide table: the first.

        Unless it is the nameless row number that pandas and R write, and the second has
        another name in every row. (R leaves numbers out where rows were.) None where
        the first is a rater's: it was named as one, says some label twice, and has
        labels of the others.
        """
        first, *rest = self.frame.columns
        if first in raters:
            others = self.frame[[name for name in raters if name != first]]
            labels = pd.Series(others.to_numpy().ravel()).dropna()
            own = self.frame[first]
            is_rater = own.isin(labels).any() and not own.dropna().is_unique
            return None if is_rater else first
        if first or len(rest) < 3:
            return first
        number, second = self.frame[first].fillna(""), self.frame[rest[0]]
        counted = number.is_unique and number.str.fullmatch("[0-9]+").all()
        others = pd.unique(self.frame[rest[1:]].to_numpy().ravel())
        if counted and second.is_unique and not second.isin(others).any():
            warn(
                f"the first column has no name and numbers the rows: items are those of"
                f" {rest[0]!r}"
            )
            self.frame = self.frame[rest]
            return rest[0]
        return first

    def _items(self, item: str | None) -> pd.Index:
        """The names of the items; numbers from 1 where no column has them."""
        if item is None:
            return pd.Index(
                [f"{k}" for k in range(1, len(self.frame) + 1)], dtype=object
            )
        self._whole(item)
        names = self.frame[item]
        twice = names.duplicated().to_numpy()
        if twice.any():
            position = int(twice.argmax())
            raise UnreadableError(
                f"{self._at(position)}: item"
                f" {shown(names.iloc[position])} is there twice, so this is no table"
                " with one row per item; if each row is a judgment, it needs the"
                f" columns {', '.join(DEFAULTS)}, or their names by"
                f" {', '.join('--' + key for key in DEFAULTS)}; if no column names the"
                " items, name all raters' columns by --raters"
            )
        return pd.Index(names.to_numpy(), dtype=object)

    def _times(self, count: str, judged: pd.DataFrame) -> np.ndarray:
        """How many items each row stands for."""
        found = counts(self.path, self.frame[count])
        given = found * judged.notna().sum(axis=1).to_numpy()
        if given.sum() == 0:
            raise UnreadableError(
                f"{self.path}: column {count!r}, which --count names, is 0 in every row"
                " that has a label"
            )
        if found.sum() > MOST_ITEMS:
            where, position = f"{self.path}", int(found.argmax())
            what = f"the counts that --count names, {count!r}, are in all"
            if found[position] > MOST_ITEMS:
                where = self._at(position)
                what = f"{count} {self.frame[count].iloc[position]} is"
            raise UnreadableError(
                f"{where}: {what} more than {MOST_ITEMS:,}, the most that are counted"
            )
        return found.astype(int)

    # Cells --------------------------------------------------------------------

    def _whole(self, column: str) -> None:
        """Refuse a row without an item or rater."""
        absent = self.frame[column].isna().to_numpy()
        if absent.any():
            where = self._at(int(absent.argmax()))
            raise UnreadableError(f"{where}: {column or 'the item'} is missing")

    def _labels(self, columns: list[str], whose: str = "") -> pd.DataFrame:
        """The labels in these columns; there must be one."""
        found = self.meaning.labels(self.frame[columns])
        if found.isna().all(axis=None):
            raise UnreadableError(
                f"{self.path}{whose} has no label: every cell is empty"
            )
        return found

    def _told(self, suggested: str, option: str = "--suggested") -> pd.Series:
        whose = f": column {suggested!r}, which {option} names,"
        return self._labels([suggested], whose)[suggested]

    def _its(self, item: str) -> pd.Series | None:
        """The model's one label of each item of a long table."""
        if self.model is None:
            return None
        return self._one_by_item(item, self.model, "model label")

    def _at(self, position: int) -> str:
        return at(self.path, self.frame, position)

    def _one_by_item(self, item: str, column: str, what: str) -> pd.Series:
        """The one suggestion, or gold label, of each item of a long table."""
        told = self._told(column, OPTIONS[what]).to_numpy()
        items = self.frame[item].to_numpy()
        pairs = pd.DataFrame({"item": items, "told": told}).dropna().drop_duplicates()
        twice = pairs["item"].duplicated()
        if twice.any():
            position = int(twice[twice].index[0])
            name = items[position]
            first = pairs[pairs["item"] == name].iloc[0]
            raise UnreadableError(
                f"{self._at(position)}: a second {what} for item"
                f" {shown(name)}, {shown(told[position])} after {shown(first['told'])}"
            )
        return pairs.set_index("item")["told"]
