"""Paths into the objects that cells hold: annotators.label, result.0.value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import pandas as pd

from .._words import warn
from .tables import at
from .text import UnreadableError, cell, few, parsed, typed

Tree = dict[Any, Any]  # keys, and below the last of a path None: its name
Row = dict[str, str | None]
LOOKED_AT = 500  # rows, to see what is inside
WHO = {
    *("user", "annotator", "rater", "worker", "coder", "labeler", "labeller", "by"),
    *("who", "author", "judge", "reviewer", "person", "email", "username", "name"),
    *("completed", "created", "assessor", "participant", "contributor", "member"),
}
WHAT = {
    *("label", "labels", "value", "values", "choice", "choices", "class", "category"),
    *("answer", "rating", "score", "tag", "annotation", "grade", "vote", "option"),
    *("judgment", "judgement", "response", "result", "decision", "verdict", "accept"),
}


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
        except ValueError as error:
            raise UnreadableError(f"{at(path, frame, k)}: {error}") from error
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


# What is inside ---------------------------------------------------------------------


def refuse_objects(
    path: str, frame: pd.DataFrame, names: Iterable[str], flat: tuple[type, ...] = ()
) -> None:
    """Refuse columns whose cells hold objects: a path must say what of them is meant.

    flat : list, dict: what cells may be of texts and numbers
    """
    refused = []
    names = [*names]
    for name, column in zip(names, frame[names].to_numpy().T):
        for text in (text for text in column if text and text[0] in "[{"):
            value = parsed(text)
            inner = value.values() if isinstance(value, dict) else value or []
            deep = any(isinstance(one, (dict, list)) for one in inner)
            if value is None or (isinstance(value, flat) and not deep):
                continue
            if deep or isinstance(value, dict):
                refused.append((*_way_on(frame, name), name))
            else:
                refused.append((0, _of_list(name), name))
            break
    if refused:
        _, way, name = max(refused, key=lambda one: one[0])
        what = few(leaves(frame[name]))
        raise UnreadableError(
            f"{path}: cells of {name!r} hold lists or objects, with these paths inside:"
            f" {what}; {way}"
        )


def _of_list(name: str) -> str:
    return (
        f"name the first entry as {name + '.0'!r}, or add --sets , if each list is one"
        " set of labels, or --split , if each entry is a judgment"
    )


def leaves(column: pd.Series) -> dict[str, list[tuple[int, str]]]:
    """The paths to texts and numbers inside, with (row, value) of what is there."""
    values = [(k, parsed(text)) for k, text in enumerate(column[:LOOKED_AT])]
    longest: Counter[str] = Counter()
    for _, value in values:
        for name, size in _lists(str(column.name), value):
            longest[name] = max(longest[name], size)
    found: dict[str, list[tuple[int, str]]] = {}
    for k, value in values:
        for name, text in _texts(str(column.name), value, longest, False):
            found.setdefault(name, []).append((k, text))
    return found


def _lists(name: str, value: Any) -> Iterator[tuple[str, int]]:
    if isinstance(value, list):
        yield name, len(value)
        for one in value:
            yield from _lists(name + "[]", one)
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from _lists(f"{name}.{key}", one)


def _texts(
    name: str, value: Any, longest: Counter[str], within: bool, at_: str = ""
) -> Iterator[tuple[str, str]]:
    """Lists of one entry inside a list are entered by their number."""
    at_ = at_ or name
    if isinstance(value, dict):
        for key, one in value.items():
            yield from _texts(f"{name}.{key}", one, longest, within, f"{at_}.{key}")
    elif isinstance(value, list) and any(isinstance(v, (dict, list)) for v in value):
        single = within and longest[at_] == 1
        for one in value:
            inside = f"{name}.0" if single else name
            yield from _texts(inside, one, longest, True, at_ + "[]")
    elif isinstance(value, list) and longest[at_] == 1:
        for one in value:
            yield from _texts(f"{name}.0", one, longest, within, at_ + "[]")
    elif (text := cell(value)) is not None:
        yield name, text


def _way_on(frame: pd.DataFrame, name: str) -> tuple[int, str]:
    """Options that read what is inside, and how many of them could be guessed."""
    found = leaves(frame[name])
    item = _item(frame, name)
    by_rater = {path: {text for _, text in told} for path, told in found.items()}
    alike = [a & b for a in by_rater.values() for b in by_rater.values() if a is not b]
    one_each = all(len({*rows}) == len(rows) for rows in map(_places, found.values()))
    if one_each and len(alike) > 1 and all(alike):
        label = typed("--label", [name])
        return 2, f"if its keys are raters, say {item}{label} --split ,"
    who = _best(found, WHO, lambda t: len({*t}) == len(t) > len(_texts_of(t)))
    rest = {path: told for path, told in found.items() if path != who}
    what = _best(rest, WHAT, lambda t: len(_texts_of(t)) < len(t))
    if who is None and what is None:
        return 0, "name the paths of item, rater and label: --item, --rater, --label"
    if who is None:
        label = typed("--label", [str(what)])
        return 1, f"say {item}{label}, and by --rater whose it is"
    if what is None:
        return 1, f"say {item}{typed('--rater', [who])}, and by --label its label"
    sets = " --sets ," if any(text[:1] == "[" for _, text in found[what]) else ""
    both = f"{typed('--rater', [who])} {typed('--label', [what])}"
    return 2, f"say {item}{both}{sets}"


def _places(told: list[tuple[int, str]]) -> list[int]:
    return [row for row, _ in told]


def _texts_of(told: list[tuple[int, str]]) -> set[str]:
    return {text for _, text in told}


def _best(
    found: dict[str, list[tuple[int, str]]],
    words: set[str],
    fits: Callable[[list[tuple[int, str]]], bool],
) -> str | None:
    """The path that fits and is called so, else with the fewest different texts."""
    fitting = [
        p for p, told in found.items() if fits(told) and len(_texts_of(told)) > 1
    ]

    def worse(path: str) -> tuple[int, int]:
        keys = path.replace("_", ".").lower().split(".")[::-1]
        place = next((k for k, key in enumerate(keys) if key in words), len(keys) + 9)
        return place, len(_texts_of(found[path]))

    return min(fitting, key=worse, default=None)


def _item(frame: pd.DataFrame, name: str) -> str:
    """The option that names the items; nothing where the column item does."""
    if "item" in frame:
        return ""
    texts = {str(c): [*frame[c][:LOOKED_AT]] for c in frame if c != name}
    flat = {c: t for c, t in texts.items() if not any(map(parsed, t))}
    for column in [c for c in texts if c not in flat]:
        for path, told in leaves(frame[column]).items():
            rows = _places(told)
            if rows == [*range(len(texts[column]))]:
                flat[path] = [text for _, text in told]
    names = [c for c, t in flat.items() if None not in t and len({*t}) == len(t)]
    named = [c for c in names if "id" in c.lower().replace(".", "_").split("_")]
    chosen = next(iter(named + names), None)
    return "" if chosen is None else f"{typed('--item', [chosen])} "
