"""Tables from JSON: an array of records, records by item, or one record a line."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from .text import UnreadableError, cell

LARGE, SPARSE = 2**25, 20  # cells, and how many of them for each that is filled
LONG = ["item", "rater", "label"]


def is_json(text: str) -> bool:
    """Whether a text begins as JSON of records does."""
    return text[:1000].lstrip()[:1] in ("[", "{")


def from_json(path: str | Path, text: str) -> pd.DataFrame:
    """All cells as texts; lists and objects as JSON. Index "record", or "line"."""
    try:
        return _read(path, text)
    except RecursionError as error:
        raise UnreadableError(f"{path}: JSON that is nested too deeply") from error


def _read(path: str | Path, text: str) -> pd.DataFrame:
    try:
        found = _parsed(path, text)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":
            return _lines(path, text)
        raise UnreadableError(
            f"{path}, line {error.lineno}: not JSON ({error.msg.lower()})"
        ) from error
    if isinstance(found, dict) and len(found) == 1:
        (only,) = found.values()
        found = only if _of_records(only) and len(only) > 1 else found
    if isinstance(found, dict) and all(isinstance(v, dict) for v in found.values()):
        if {"rater", "label"} <= found.keys():
            raise UnreadableError(
                f"{path} has columns of records; write records, as pandas does by"
                ' to_json(orient="records")'
            )
        found = [{"item": key} | record for key, record in found.items()]
    elif isinstance(found, dict) and all(map(_of_records, found.values())):
        found = [{"item": key} | one for key, many in found.items() for one in many]
    elif isinstance(found, dict):
        found = [found]  # JSON Lines of one line
    return _table(path, found, "record", range(1, len(found) + 1))


def _parsed(where: str | Path, text: str) -> Any:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
            raise UnreadableError(
                f"{where}: the key {twice!r} stands twice in one object; which of its"
                " values counts is not known"
            )
        return found

    try:
        return json.loads(text, object_pairs_hook=once)
    except (json.JSONDecodeError, UnreadableError):
        raise
    except ValueError as error:  # a number of thousands of digits
        raise UnreadableError(f"{where}: {error}".partition(";")[0]) from error


def _of_records(value: Any) -> bool:
    """Whether it is a list of records, as of one item."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(one, dict) for one in value)
    )


def _lines(path: str | Path, text: str) -> pd.DataFrame:
    records, lines = [], []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        where = f"{path}, line {number}"
        try:
            records.append(_parsed(where, line))
        except json.JSONDecodeError as error:
            why = error.msg.lower()
            raise UnreadableError(f"{where}: not JSON ({why})") from error
        lines.append(number)
    return _table(path, records, "line", lines)


def _table(path: str | Path, records: list[Any], what: str, at: Any) -> pd.DataFrame:
    for number, record in zip(at, records):
        if not isinstance(record, dict):
            raise UnreadableError(
                f"{path}, {what} {number}: {json.dumps(record)[:60]} is no record, such"
                ' as {"item": 1, "rater": "ann", "label": "yes"}'
            )
    filled = Counter(name for record in records for name in record)
    if len(filled) * len(records) > max(LARGE, SPARSE * filled.total()):
        records, at = _told_apart(records, [*at], filled)
        filled = Counter(name for record in records for name in record)
    place = {name: k for k, name in enumerate(filled)}
    names = [name.strip() for name in place]
    for name, times in Counter(names).items():
        if times > 1:
            raise UnreadableError(f"{path}: two columns are called {name!r}")
    cells = np.full((len(records), len(names)), None, dtype=object)
    for row, record in zip(cells, records):
        for name, value in record.items():
            row[place[name]] = cell(value)
    frame = pd.DataFrame(cells, columns=names, dtype=object)
    return frame.set_axis(pd.Index([*at], name=what, dtype=int))


def _told_apart(
    records: list[dict[str, Any]], at: list[int], filled: Counter[str]
) -> tuple[list[dict[str, Any]], list[int]]:
    """A sparse table, which has nearly as many columns as cells, as a smaller one.

    Of judgments in rows, without the columns that hardly a record has; of items in
    rows, one record for each judgment.
    """
    if filled["rater"] and filled["label"]:
        often = {name for name, n in filled.items() if 1000 * n >= len(records)}
        kept = [{k: v for k, v in one.items() if k in often} for one in records]
        return kept, at
    key = next(iter(filled))
    judged = [
        (dict(zip(LONG, (record.get(key), name, value))), where)
        for record, where in zip(records, at)
        for name, value in record.items()
        if name != key
    ]
    return [one for one, _ in judged], [where for _, where in judged]
