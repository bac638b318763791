"""The columns of a table: found by their names, each in one role."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from ..agreement.reading import index_of
from .tables import at
from .text import UnreadableError, few


@dataclass
class Columns:
    """A table of texts, called by its path in messages."""

    path: str
    frame: pd.DataFrame
    folded: dict[str, list[str]] = field(default_factory=dict)

    def find(self, name: str) -> str | None:
        """A column by its name, whose case may differ if that tells no two apart."""
        if name in self.frame.columns:
            return name
        if not self.folded:
            for one in self.frame.columns:
                self.folded.setdefault(one.casefold(), []).append(one)
        same = self.folded.get(name.strip().casefold(), [])
        return same[0] if len(same) == 1 else None

    @property
    def named(self) -> str:
        return few(self.frame.columns)

    def column(self, name: str) -> str:
        """A column that was named; it must be there."""
        found = self.find(name)
        if found is None:
            raise UnreadableError(
                f"{self.path} has no column {name!r}; its columns: {self.named}"
            )
        return found

    def given(self, name: str | None) -> str | None:
        return None if name is None else self.column(name)

    def at(self, position: int) -> str:
        return at(self.path, self.frame, position)

    def whole(self, name: str) -> pd.Series:
        """A column without an empty cell."""
        absent = self.frame[name].isna().to_numpy()
        if absent.any():
            where = self.at(int(absent.argmax()))
            raise UnreadableError(
                f"{where}: {name or 'the item'} is missing; --where '{name}!=' leaves"
                " such rows out"
            )
        return self.frame[name]

    def keys(self, names: Sequence[str]) -> pd.Index:
        """The item of each row; several columns name it together."""
        parts = [self.whole(name) for name in names]
        return index_of(zip(*parts) if len(parts) > 1 else parts[0])

    def numbers(self) -> pd.Index:
        """Rows as items, numbered from 1."""
        return index_of(map(str, range(1, len(self.frame) + 1)))

    def apart(self, roles: Iterable[tuple[str, str | None]]) -> None:
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


def whole_numbers(cells: np.ndarray) -> np.ndarray | None:
    """Texts as whole numbers of at least 0, an empty one as 0; None for others."""
    texts = ["0" if text is None else text for text in cells.flat]
    if not all(t.isascii() and t.isdecimal() and len(t) < 13 for t in texts):
        return None
    return np.array([*map(int, texts)], dtype=np.int64).reshape(cells.shape)
