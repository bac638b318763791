"""Tables from JSON: an array of records, records by item, or one record a line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd

from .text import UnreadableError, plain


def is_json(text: str) -> bool:
    """Whether a text begins as JSON of records does."""
    return text.lstrip()[:1] in ("[", "{")


def from_json(path: str | Path, text: str) -> pd.DataFrame:
    """All cells as texts; lists and objects as JSON. Index "record", or "line"."""
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":
            return _lines(path, text)
        raise UnreadableError(
            f"{path}, line {error.lineno}: not JSON ({error.msg.lower()})"
        ) from error
    except RecursionError as error:
        raise UnreadableError(f"{path}: JSON that is nested too deeply") from error
    if isinstance(found, dict) and all(isinstance(v, dict) for v in found.values()):
        if {"rater", "label"} <= found.keys():
            raise UnreadableError(
                f"{path} has columns of records; write records, as pandas does by"
                ' to_json(orient="records")'
            )
        records = [{"item": key} | record for key, record in found.items()]
    elif isinstance(found, dict) and all(_of_records(v) for v in found.values()):
        records = [{"item": key} | one for key, many in found.items() for one in many]
    elif isinstance(found, dict):
        records = [found]  # JSON Lines of one line
    else:
        records = found
    return _table(path, records, "record", range(1, len(records) + 1))


def _of_records(value: Any) -> bool:
    """Whether it is a list of records, as of one item."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(one, dict) for one in value)
    )


def _lines(path: str | Path, text: str) -> pd.DataFrame:
    records, lines = [], []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            records.append(json.loads(line))
        except (json.JSONDecodeError, RecursionError) as error:
            why = getattr(error, "msg", "nested too deeply").lower()
            raise UnreadableError(f"{path}, line {number}: not JSON ({why})") from error
        lines.append(number)
    return _table(path, records, "line", lines)


def _table(path: str | Path, records: list[Any], what: str, at: Any) -> pd.DataFrame:
    for number, record in zip(at, records):
        if not isinstance(record, dict):
            raise UnreadableError(
                f"{path}, {what} {number}: {json.dumps(record)[:60]} is no record, such"
                ' as {"item": 1, "rater": "ann", "label": "yes"}'
            )
    names = list(dict.fromkeys(name for record in records for name in record))
    stripped = [name.strip() for name in names]
    for name in stripped:
        if stripped.count(name) > 1:
            raise UnreadableError(f"{path}: two columns are called {name!r}")
    columns = {
        short: pd.Series([_cell(record.get(name)) for record in records], dtype=object)
        for short, name in zip(stripped, names)
    }
    frame = pd.DataFrame(columns, columns=stripped)
    return frame.set_axis(pd.Index([*at], name=what, dtype=int))


def _cell(value: Any) -> str | None:
    missing = value is None or (isinstance(value, float) and value != value)
    return None if missing else plain(value).strip() or None
