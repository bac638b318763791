"""What is inside cells that hold lists and objects, and which options would read it."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import pandas as pd

from . import looks, no_raters
from .text import UnreadableError, cell, few, parsed, typed

MARKS = (",", ";", "|", "/")
LOOKED_AT = 500  # rows, to see what is inside
DEEPEST = 500  # characters of a path
WHO = {
    *no_raters.RATERS.split(),
    *("by", "who", "author", "reviewer", "person", "email", "name", "completed"),
    *("created", "participant", "contributor", "member"),
}
WHAT = {
    *no_raters.LABELS.split(),
    *("values", "choices", "tag", "grade", "option", "result", "decision", "verdict"),
    "accept",
}


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
            if way := _beside(frame, name, column, deep or isinstance(value, dict)):
                refused.append((3, way, name))
            elif deep or isinstance(value, dict):
                refused.append((*_way_on(frame, name), name))
            else:
                refused.append((0, _of_list(name, column), name))
            break
    if refused:
        _, way, name = max(refused, key=lambda one: one[0])
        inside = [one for one in leaves(frame[name]) if one != name]
        what = f", with these paths inside: {few(inside)}" if inside else ""
        raise UnreadableError(
            f"{path}: cells of {name!r} hold lists or objects{what}; {way}"
        )


def _beside(frame: pd.DataFrame, name: str, column: np.ndarray, deep: bool) -> str:
    """The way on where columns beside say who judged: in step, or a row for each."""
    raters = [c for c in frame if c != name and no_raters.is_rater(c)]
    if len(raters) != 1:
        return ""
    if way := _in_step(frame, name, raters[0]):
        return way
    paths = [*leaves(frame[name])]
    found = looks.long_rows(frame)
    named = {"item", "rater"} <= {*frame}  # what is to be said is of the label alone
    if found is None or named or (deep and len(paths) != 1):
        return ""
    said = f"say {typed('--item', found[:1])} {typed('--rater', raters)}"
    if deep:
        return f"{said} {typed('--label', paths)}"
    if max(len(parsed(text) or ()) for text in column if text) == 1:
        return f"{said} {typed('--label', [name + '.0'])}"
    return f"{said} {typed('--label', [name])} --sets ,"


def _in_step(frame: pd.DataFrame, name: str, rater: str) -> str:
    """Where cells of raters and of labels have as many marks in each row."""
    labels = [c for c in frame if c != rater and no_raters.is_label(c)]
    for mark in MARKS:
        number = frame[rater].fillna("").str.count(re.escape(mark))
        for label in labels if number.any() else ():
            if frame[label].fillna("").str.count(re.escape(mark)).equals(number):
                key = _item(frame, name, [])
                options = {"--item": key, "--rater": rater, "--label": label}
                if key in (None, "item"):
                    del options["--item"]
                said = (typed(option, [str(c)]) for option, c in options.items())
                return f"say {' '.join(said)} --split {shlex.quote(mark)}"
    return ""


def _of_list(name: str, column: np.ndarray) -> str:
    """The ways on; the mark is what stands between labels in cells without a list."""
    plain = "".join(text for text in column if text and text[0] not in "[{")
    mark = shlex.quote(max(MARKS, key=plain.count))
    return (
        f"add --sets {mark} if each cell is one set of labels, or --split {mark} if"
        f" each entry is a judgment, or name the first entry as {name + '.0'!r}"
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
    if len(name) > DEEPEST:
        return
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
    if len(at_) > DEEPEST:
        return
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
    who = _best(found, WHO, lambda t: len({*t}) == len(t) > len(_texts_of(t)))
    rest = {path: told for path, told in found.items() if path != who}
    what = _best(rest, WHAT, lambda t: len(_texts_of(t)) < len(t) and _varies(t))
    key = _item(frame, name, found.get(str(who), []))
    item = "" if key in (None, "item") else f"{typed('--item', [str(key)])} "
    texts = [*map(_texts_of, found.values())]
    common = [a & b for a in texts for b in texts if a is not b]
    one_each = all(len({k for k, _ in told}) == len(told) for told in found.values())
    if one_each and common and all(common):
        label = typed("--label", [name])
        return 2, f"if its keys are raters, say {item}{label} --split ,"
    if what is None:
        way = "name the paths of item, rater and label by --item, --rater and --label"
        flat = [c for c in frame if c != key and not any(map(parsed, frame[c]))]
        raters = f"; if columns are raters, say {item}{typed('--raters', flat)}"
        own = [{*frame[c].dropna()} for c in flat]
        alike = len(set().union(*own)) < sum(map(len, own))
        return 0, way + raters * alike
    label = typed("--label", [what])
    if who is None:
        return 1, f"say {item}{label}, and by --rater whose it is"
    sets = " --sets ," if any(text[:1] == "[" for _, text in found[what]) else ""
    return 2, f"say {item}{typed('--rater', [who])} {label}{sets}"


def _texts_of(told: list[tuple[int, str]]) -> set[str]:
    return {text for _, text in told}


def _varies(told: list[tuple[int, str]]) -> bool:
    """Whether not all rows have the same texts, as options to choose from."""
    rows: dict[int, list[str]] = {}
    for row, text in told:
        rows.setdefault(row, []).append(text)
    return len({*map(tuple, rows.values())}) > 1


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
        place = next((k for k, key in enumerate(keys) if key in words), 99)
        return place, len(_texts_of(found[path]))

    return min(fitting, key=worse, default=None)


def _item(frame: pd.DataFrame, name: str, who: list[tuple[int, str]]) -> str | None:
    """The column or path that may name the items, by whom they were judged."""
    if "item" in frame:
        return "item"
    texts = {str(c): [*frame[c][:LOOKED_AT]] for c in frame if c != name}
    flat = {c: t for c, t in texts.items() if not any(map(parsed, t))}
    for column in [c for c in texts if c not in flat]:
        for path, told in leaves(frame[column]).items():
            if [row for row, _ in told] == [*range(len(texts[column]))]:
                flat[path] = [text for _, text in told]
    flat = {c: t for c, t in flat.items() if None not in t}
    names = [c for c, t in flat.items() if len({*t}) == len(t)]
    if not names:  # one row per judgment
        pairs = {c: {(t[row], text) for row, text in who} for c, t in flat.items()}
        names = [c for c in flat if len(pairs[c]) == len(who) > len({*flat[c]})]
    named = [c for c in names if "id" in c.lower().replace(".", "_").split("_")]
    return next(iter(named + names), None)
