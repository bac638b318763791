"""A table whose cells have a meaning: labels, and what is told of each item."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from .._words import shown
from .asked import Asked
from .cells import Meaning
from .columns import Columns
from .inside import refuse_objects
from .tables import tables
from .text import UnreadableError, few

WHAT = {
    "--suggested": "suggestion",
    "--gold": "gold label",
    "--model": "model label",
    "--cluster": "cluster",
}


@dataclass(kw_only=True)
class Judged(Columns):
    """A table, what was asked of it, and what its cells mean."""

    asked: Asked
    meaning: Meaning

    def flat(self, names: list[str]) -> None:
        """Refuse cells that hold objects, or lists that no option explains."""
        lists = self.asked.sets is not None or self.asked.split is not None
        allowed = (list, dict) if self.asked.split is not None else (list,)
        refuse_objects(self.path, self.frame, names, allowed if lists else ())

    def labels(self, names: list[str], whose: str = "") -> pd.DataFrame:
        """The labels in these columns; there must be one."""
        self.flat(names)
        found = self.meaning.labels(self.frame[names])
        if found.isna().all(axis=None):
            raise UnreadableError(
                f"{self.path}{whose} has no label: every cell is empty"
            )
        return found

    def one_each(self, name: str, option: str, items: pd.Index) -> pd.Series:
        """The one entry of each item in a column; of its rows, those that have one."""
        if option == "--cluster":
            self.flat([name])
            told = self.whole(name).to_numpy()
        else:
            whose = f": column {name!r}, which {option} names,"
            told = self.labels([name], whose)[name].to_numpy()
        if not items.has_duplicates:
            return pd.Series(told, index=items)
        codes = pd.factorize(items)[0]
        pairs = pd.DataFrame({"item": codes, "told": told}).dropna().drop_duplicates()
        twice = pairs["item"].duplicated()
        if twice.any():
            row = int(twice[twice].index[0])
            first = pairs[pairs["item"] == codes[row]].iloc[0]
            raise UnreadableError(
                f"{self.at(row)}: a second {WHAT[option]} for item"
                f" {shown(items[row])}, {shown(told[row])} after {shown(first['told'])}"
            )
        return pd.Series(pairs["told"].to_numpy(), index=items[pairs.index])

    def told(self, items: pd.Index) -> dict[str, Any]:
        """What is suggested, right, said by a model of each item, where it is asked."""
        asked = self.asked
        found: dict[str, Any] = {"gold": self._gold_of_a_file()}
        for option, name in (
            ("--suggested", asked.suggested),
            ("--model", asked.model),
            ("--gold", asked.gold),
        ):
            column = None if name is None else self.find(name)
            if column is not None:
                found[option[2:]] = self.one_each(column, option, items)
        return found

    def _gold_of_a_file(self) -> pd.Series | None:
        """The right labels, where --gold names no column but a file."""
        name = self.asked.gold
        if name is None or self.find(name) is not None:
            return None
        if not Path(name).is_file():
            raise UnreadableError(
                f"{self.path} has no column {name!r}, and no file is called so, which"
                f" --gold names; its columns: {self.named}"
            )
        if self.asked.times is not None:
            raise UnreadableError(
                f"--gold {name} is joined on items, and rows that stand for --times"
                " items name none; give gold as a column"
            )
        frame = tables([name], ours=True)
        there = Judged(name, frame, asked=self.asked, meaning=self.meaning)
        keys = self.asked.item if len(self.asked.item) > 1 else ["item"]
        absent = [key for key in [*keys, "label"] if there.find(key) is None]
        if absent:
            raise UnreadableError(
                f"{name}, which --gold names, has no column {absent[0]!r}; it needs"
                f" {few([*keys, 'label'])}, and has {there.named}"
            )
        items = there.keys([there.column(key) for key in keys])
        return there.one_each(there.column("label"), "--gold", items)


def texts_of(frame: pd.DataFrame) -> np.ndarray:
    """All cells as one array."""
    found: np.ndarray = frame.to_numpy(dtype=object)
    return found
