"""Paths into the objects that cells hold: annotators.label, result.0.value."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import pandas as pd

from .said import say
from .text import cell, parsed, ticked

LOOKED_AT = 500  # rows, to see what is inside
DEEPEST = 500  # characters of a path
MOST_KEPT = 256  # columns, of which it is known what is inside
CHOICES = "choices"  # Label Studio writes one as a text, several in an object

Paths = dict[str, str]  # what is left of each, and its name
Row = dict[str, str | None]
Told = dict[int, list[str]]  # what is at a path, by row
Pairs = Iterator[tuple[str, str]]


def paths_of(names: Iterable[str], find: Callable[[str], str | None]) -> Pairs:
    """Names that are paths and no columns, from the column in which each begins."""
    for name in dict.fromkeys(names):
        for start, rest in () if find(name) is not None else _cuts(name):
            if rest and (root := find(start)) is not None:
                yield f"{root}.{rest}", name
                break


def _cuts(path: str) -> Pairs:
    """A path in two at each point, and whole; the longest beginning first."""
    keys = path.split(".")
    for k in range(len(keys), 0, -1):
        yield ".".join(keys[:k]), ".".join(keys[k:])


def roots_of(paths: Paths, known: Collection[str]) -> dict[str, Paths]:
    """Paths by the key with which each begins: a known one, which may hold points."""
    found: dict[str, Paths] = {}
    for path, name in paths.items():
        *_, first = cuts = [*_cuts(path)]
        key, rest = next((cut for cut in cuts if cut[0] in known), first)
        found.setdefault(key, {})[rest] = name
    return found


@dataclass
class Walk:
    """Rows of what paths find inside a value; those through one list are in step."""

    whole: bool
    passed: int = 0  # entries of lists that no path takes
    listed: bool = False  # whether a list was gone through

    def rows(self, value: Any, paths: Paths) -> list[Row]:
        if value is None or value == "":
            return [{}]
        if isinstance(value, str) and [*paths] == [CHOICES]:
            value = {CHOICES: value}
        elif isinstance(value, str) and [*paths] != [""]:  # JSON as a text
            value = value if (inside := parsed(value)) is None else inside
        parts: list[list[Row]] = []
        below = {path: name for path, name in paths.items() if path}
        if len(below) < len(paths):
            parts.append([{paths[""]: cell(value if self.whole else ticked(value))}])
        if isinstance(value, list):
            each = {p: n for p, n in below.items() if not p.split(".")[0].isdecimal()}
            below = {p: n for p, n in below.items() if p not in each}
            if each:
                self.listed = True
                parts.append([row for one in value for row in self.rows(one, each)])
            value = {str(k): one for k, one in enumerate(value)}
            taken = value.keys() & roots_of(below, ())
            self.passed += (len(value) - len(taken)) * bool(below)
        if isinstance(value, dict):
            inside = roots_of(below, value)
            parts += [self.rows(value.get(key), rest) for key, rest in inside.items()]
        elif below:
            told = {"seen": (cell(value) or "")[:60], "keys": [*roots_of(below, ())]}
            raise ValueError(say("why", "no object", **told))
        return _in_step(parts)


def _in_step(parts: Sequence[list[Row]]) -> list[Row]:
    """Rows of several parts side by side; one row stands beside each of many."""
    if not all(many := [rows for rows in parts if len(rows) != 1]):
        return []
    if len(many) > 1:
        sizes = " and ".join(str(len(rows)) for rows in many[:2])
        raise ValueError(say("why", "different lists", sizes=sizes))
    ones = {k: v for rows in parts if len(rows) == 1 for k, v in rows[0].items()}
    return [ones | row for row in (many[0] if many else [{}])]


def leaves(column: pd.Series) -> dict[str, Told]:
    """The paths to texts and numbers inside a column, and what is there, by row."""
    return {**_leaves(str(column.name), tuple(column[:LOOKED_AT]))}


@lru_cache(MOST_KEPT)
def _leaves(name: str, column: tuple[str | None, ...]) -> dict[str, Told]:
    """The same once, however many guesses ask for it."""
    longest = Counter[str]()
    cells = [text if (v := parsed(text)) is None else v for text in column]
    for _ in ("measured", "told"):
        found: dict[str, Told] = {}
        for k, value in enumerate(cells):
            for path, text in _texts(name, value, longest, False, name):
                found.setdefault(path, {}).setdefault(k, []).append(text)
    return found


def _texts(
    path: str, value: Any, longest: Counter[str], within: bool, place: str
) -> Pairs:
    """Lists of one entry inside a list are entered by their number.

    longest : list at each place, which is told so far
    """
    if isinstance(value, str) and isinstance(inside := parsed(value), dict):
        value = inside
    if len(place) > DEEPEST:
        return
    if isinstance(value, dict) and len(value) == 1:
        value = ticked(value)
    if isinstance(value, dict):
        for key, one in value.items():
            inner = f"{place}.{key}"
            yield from _texts(f"{path}.{key}", one, longest, within, inner)
        return
    objects = isinstance(value, list) and deep(value)
    if isinstance(value, list):
        longest[place] = max(longest[place], len(value))
    if objects or (isinstance(value, list) and longest[place] == 1):
        first = longest[place] == 1 and (within or not objects)
        for one in value:
            inner = f"{path}.0" if first else path
            yield from _texts(inner, one, longest, within or objects, place + "[]")
    elif (text := cell(value)) is not None:
        yield path, text


def deep(value: list[Any] | dict[str, Any]) -> bool:
    """Whether a list or object holds others."""
    inner = value.values() if isinstance(value, dict) else value
    return any(isinstance(one, (dict, list)) for one in inner)
