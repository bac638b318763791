"""Paths into the objects that cells hold: annotators.label, result.0.value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pandas as pd

from .._words import warn
from .inside import leaves
from .tables import at
from .text import UnreadableError, cell, few, parsed

Tree = dict[Any, Any]  # keys, and below the last of a path None: its name
Row = dict[str, str | None]


def expanded(
    path: str,
    frame: pd.DataFrame,
    names: Iterable[str],
    find: Callable[[str], str | None],
) -> pd.DataFrame:
    """With a column for each name that is a path; rows of lists are told apart.

    find : the column of a name, or None
    """
    trees: dict[str, Tree] = {}
    wanted: list[str] = []
    for name in dict.fromkeys(names):
        keys = name.split(".")
        parts = range(len(keys) - 1, 0, -1)
        root = next((c for k in parts if (c := find(".".join(keys[:k])))), None)
        if root is None or find(name) is not None:
            continue
        tree = trees.setdefault(root, {})
        for key in keys[len(root.split(".")) :]:
            tree = tree.setdefault(key, {})
        tree[None] = name
        wanted.append(name)
    if not wanted:
        return frame
    walk = _Walk()
    places: list[int] = []
    found: list[Row] = []
    for k, cells in enumerate(zip(*(frame[root] for root in trees))):
        try:
            parts_of = [
                walk.rows(text if (v := parsed(text)) is None else v, tree)
                for text, tree in zip(cells, trees.values())
            ]
            rows = _in_step(parts_of)
        except (ValueError, RecursionError) as error:
            deep = isinstance(error, RecursionError)
            why = "nested too deeply" if deep else error
            raise UnreadableError(f"{at(path, frame, k)}: {why}") from error
        if walk.listed:
            rows = [row for row in rows if any(row.values())]
        places += [k] * len(rows)
        found += rows
    for name in wanted:
        if not any(row.get(name) for row in found):
            inside = few(dict.fromkeys(p for c in trees for p in leaves(frame[c])))
            raise UnreadableError(
                f"{path}: nothing is found at {name!r}; paths inside: {inside}"
            )
    if walk.passed:
        warn(
            "entries of lists that are passed over, since a path takes one by its"
            f" number: {walk.passed:,}"
        )
    apart = frame.iloc[places].copy()
    for name in wanted:
        values = [row.get(name) for row in found]
        apart[name] = pd.Series(values, index=apart.index, dtype=object)
    return apart


class _Walk:
    """Rows of what paths find inside a value; those through one list are in step."""

    passed = 0  # entries of lists that no path takes
    listed = False  # whether a list was gone through

    def rows(self, value: Any, tree: Tree) -> list[Row]:
        if value is None or value == "":
            return [{}]
        parts: list[list[Row]] = []
        if name := tree.get(None):
            parts.append([{name: cell(value)}])
        keys = {key: below for key, below in tree.items() if key is not None}
        if keys and isinstance(value, list):
            numbers = {key: keys.pop(key) for key in [*keys] if key.isdecimal()}
            for key, below in numbers.items():
                here = value[int(key)] if int(key) < len(value) else None
                parts.append(self.rows(here, below))
            if numbers:
                taken = {int(key) for key in numbers if int(key) < len(value)}
                self.passed += len(value) - len(taken)
            if keys:
                self.listed = True
                parts.append([row for one in value for row in self.rows(one, keys)])
        elif keys and isinstance(value, dict):
            parts += [self.rows(value.get(key), below) for key, below in keys.items()]
        elif keys:
            told = cell(value) or ""
            raise ValueError(
                f"{told[:60]!r} is no object that has {few(keys)!r} inside"
            )
        return _in_step(parts)


def _in_step(parts: Sequence[list[Row]]) -> list[Row]:
    """Rows of several parts side by side; one row stands beside each of many."""
    sizes = {len(rows) for rows in parts if len(rows) != 1}
    many = [rows for rows in parts if len(rows) > 1]
    if 0 in sizes:
        return []
    if len(many) > 1:
        sizes_told = " and ".join(str(len(rows)) for rows in many[:2])
        raise ValueError(
            f"paths go through different lists, of {sizes_told} entries; which belong"
            " together is known only within one list"
        )
    length = len(many[0]) if many else 1
    made: list[Row] = []
    for k in range(length):
        row: Row = {}
        for rows in parts:
            row |= rows[k if len(rows) > 1 else 0]
        made.append(row)
    return made
