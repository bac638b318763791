"""Tables from JSON: an array of records, records by item, or one record a line."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

from .said import refused
from .text import Found, UnreadableError

LARGE, SPARSE = 2**25, 20  # cells, and how many of them for each that is filled
JSON = re.compile(r"\s*[\[{](?![^\W\d][\w -]*[\]}])")  # but [item] is a name in CSV
LONG = ["item", "rater", "label"]


def is_json(text: str) -> bool:
    """Whether a text begins as JSON of records does."""
    return JSON.match(text) is not None


def from_json(path: str | Path, text: str) -> Found:
    """All cells as they are; places are records, or lines."""
    try:
        return _table(path, *_records(path, text))
    except RecursionError as error:
        raise refused("deep", at=path) from error


def _records(path: str | Path, text: str) -> tuple[list[Any], str, list[int]]:
    """Records, and where each is."""
    try:
        found = _parsed(path, text)
    except json.JSONDecodeError:  # after a first one: one record a line
        lines = [
            (k, line) for k, line in enumerate(text.split("\n"), 1) if line.strip()
        ]
        records = [_parsed(path, line, k) for k, line in lines]
        return records, "line", [k for k, _ in lines]
    if isinstance(found, dict) and len(found) == 1:
        (only,) = found.values()
        found = only if _of_records(only) and len(only) > 1 else found
    if isinstance(found, dict):
        found = _of_object(path, found)
    return found, "record", [*range(1, len(found) + 1)]


def _of_object(path: str | Path, found: dict[str, Any]) -> list[Any]:
    """Records by item, columns of records as pandas writes them, or one record."""
    values = [*found.values()]
    if all(map(_is_record, values)):
        if _numbered(values) and len(values) < len(values[0]):
            return [dict(zip(found, row)) for row in zip(*map(dict.values, values))]
        if {"rater", "label"} <= found.keys() or _numbered(values):
            raise refused("orient", at=path)
        return [{"item": key} | one for key, one in found.items()]
    if all(map(_of_records, values)):
        return [{"item": key} | one for key, many in found.items() for one in many]
    return [found]  # JSON Lines of one line


def _parsed(path: str | Path, text: str, line: int = 0) -> Any:
    """line : where it is in the file, where it is but a line of it"""
    where = f"{path}, line {line}" if line else str(path)

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
            raise refused("twice", at=where, key=twice)
        return found

    try:
        return json.loads(text, object_pairs_hook=once)
    except UnreadableError:
        raise
    except json.JSONDecodeError as error:
        if error.msg == "Extra data" and not line:
            raise
        at = {"at": path, "line": line or error.lineno}
        raise refused("no JSON", why=error.msg.lower(), **at) from error
    except ValueError as error:  # a number of thousands of digits
        raise UnreadableError(f"{where}: {error}".partition(";")[0]) from error


def _of_records(value: Any) -> bool:
    """Whether it is a list of records, as of one item."""
    return isinstance(value, list) and bool(value) and all(map(_is_record, value))


def _is_record(value: Any) -> bool:
    return isinstance(value, dict)


def _numbered(values: list[dict[str, Any]]) -> bool:
    """Whether all keys inside are 0, 1, 2 ..., as pandas writes columns."""
    keys = [[*one] for one in values]
    return bool(keys) and all(one == [*map(str, range(len(keys[0])))] for one in keys)


def _table(path: str | Path, records: list[Any], what: str, at: list[int]) -> Found:
    for number, record in zip(at, records):
        if not _is_record(record):
            seen = json.dumps(record)[:60]
            raise refused("no record", at=f"{path}, {what} {number}", seen=seen)
    filled = Counter(name for record in records for name in record)
    if len(filled) * len(records) > max(LARGE, SPARSE * filled.total()):
        records, at = _told_apart(records, at, filled)
        filled = Counter(name for record in records for name in record)
    rows = ([record.get(name) for name in filled] for record in records)
    return Found([name.strip() for name in filled], rows, at, what)


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
        (where, dict(zip(LONG, (record.get(key), name, record[name]))))
        for where, record in zip(at, records)
        for name in record
        if name != key
    ]
    return [one for _, one in judged], [where for where, _ in judged]
