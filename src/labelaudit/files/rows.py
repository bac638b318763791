"""Rows of cells from the texts and bytes of files: CSV, JSON, Parquet.

CSV has a separator between cells, as programs write them. JSON is an array of records,
records by item or another key, columns, or one record a line; its cells have types, as
those of Parquet.
"""

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from .columns import called
from .said import SENTENCES, note, refused
from .text import Found, UnreadableError

SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
SAID = re.compile(r'[\s"]*sep=(.)"?[ ]*(\r\n?|\n|$)', re.IGNORECASE)
QUOTED = re.compile(r'(^|[,;\t|]) *"(?:[^"]|"")*"', re.MULTILINE)
LARGEST_CELL = 131_072  # characters: what Python's reader takes
FEW = 5  # inside, or fewer: hardly items
FAR = 3  # times as many inside: more likely items than raters, whatever their labels
LARGE, SPARSE = 2**25, 20  # cells, and how many of them for each that is filled
ITEMS = {"item", "id"}
ROLES = {*ITEMS, "rater", "label"}
# How JSON of records begins; but [item] is a name in CSV.
JSON = re.compile(r"\s*[\[{](?![^\W\d][\w -]*[\]}])")


# CSV ----------------------------------------------------------------------------------


def from_csv(path: str | Path, text: str, named: Sequence[str]) -> Found:
    """All cells as texts; named: the columns of a file without a header."""
    separator, begin = _separator(text)
    if not (rows := _rows(path, text, separator, begin)):
        raise refused("empty", at=path)
    first = next(iter(rows))
    if named and len(rows[first]) != len(named):
        sizes = {"cells": len(rows[first]), "names": len(named)}
        raise refused("names", at=path, line=first, **sizes)
    names = [*named] or [name.strip() for name in rows.pop(first)]
    most = max(map(len, rows.values()), default=len(names))
    last = names[most : _used(names)]
    # As in MTurk's results; where others are lacking, a name may have a comma in it.
    if last and all(called(name, "unfilled") for name in last):
        note("no cells", at=path, names=last)
        del names[most:]
    over = (line for line, row in rows.items() if any("\n" in one for one in row))
    if separator == "\t" and (line := next(over, None)):
        note("over lines", at=path, line=line)
    width = min(len(names), max(map(_used, [names, *rows.values()])))
    del names[width:]
    for line, row in rows.items():
        if _used(row) <= width:  # trailing separators are no cells
            del row[width:]
        if len(row) != width:
            alike = {*map(len, rows.values())} == {len(row)}
            told: dict[str, Any] = {"line": line, "cells": len(row), "width": width}
            told["every"] = alike and 1 < len(row) <= width + 1
            told["lacking"] = names[len(row) :]
            told["separator"] = SEPARATORS.get(separator, repr(separator))
            rest = {*"".join(names)} - {separator}
            others = (name[:-1] for mark, name in SEPARATORS.items() if mark in rest)
            raise refused("cells", at=path, other=next(others, None), **told)
    return names, rows.values(), pd.Index(rows, name="line", dtype=int), separator


def _separator(text: str) -> tuple[str, int]:
    """The separator, and the line from which to read, from 1.

    It divides all lines alike, or else is the most frequent one of the first; names and
    numbers have commas, too, so of marks that are as frequent it is another one.
    """
    if said := SAID.match(text[:20]):
        return said[1], 2 + text[: said.start(1)].count("\n")
    begin, blank = text[:LARGEST_CELL], "".join(SEPARATORS) + ' "'
    lines = re.split(r"\r\n?|\n", QUOTED.sub(r"\1quoted", begin))
    lines = [line for line in lines if line.strip().strip(blank)] or [""]
    whole = lines if begin == text else lines[:-1]
    often = {one: n for one in SEPARATORS if (n := lines[0].count(one))}
    alike = [c for c, n in often.items() if all(line.count(c) == n for line in whole)]
    return max(often, key=lambda c: (c in alike, often[c], c != ","), default=","), 1


def _rows(path: Any, text: str, separator: str, begin: int) -> dict[int, list[str]]:
    """Rows with some text, by the lines where they begin."""
    file, rows, skipped = io.StringIO(text, newline=""), {}, begin - 1
    for _ in range(skipped):
        file.readline()
    how: dict[str, Any] = {"strict": True, "skipinitialspace": separator != " "}
    try:
        reader = csv.reader(file, delimiter=separator, **how)
        for cells in reader:
            if any(map(str.strip, cells)):
                rows[begin] = cells
            begin = skipped + reader.line_num + 1
    except (csv.Error, TypeError, ValueError) as error:  # the last two: of a separator
        known = SENTENCES["csv"].items()
        why = next((why for says, why in known if says in str(error)), error)
        raise refused("line", at=path, line=begin, why=why) from error
    return rows


def _used(cells: list[str]) -> int:
    """How many cells there are up to the last with text."""
    return next((k for k in range(len(cells), 0, -1) if cells[k - 1].strip()), 0)


# JSON ---------------------------------------------------------------------------------


def from_json(path: str | Path, text: str) -> Found:
    """All cells as they are; rows are records, or lines."""
    try:
        records, where = _records(path, text)
    except RecursionError as error:
        raise refused("deep", at=path) from error
    for number, record in zip(where, records):
        if not isinstance(record, dict):
            seen = json.dumps(record)[:60]
            raise refused("no record", at=f"{path}, {where.name} {number}", seen=seen)
    filled = Counter(name for record in records for name in record)
    if len(filled) * len(records) > max(LARGE, SPARSE * filled.total()):
        raise refused("sparse", at=path, names=len(filled), records=len(records))
    rows = ([record.get(name) for name in filled] for record in records)
    return [name.strip() for name in filled], rows, where, ""


def _records(path: str | Path, text: str) -> tuple[list[Any], pd.Index]:
    """Records, and where each is."""
    try:
        found = _parsed(path, text)
    except json.JSONDecodeError:  # after a first one: one record a line
        lines = {k: s for k, s in enumerate(text.split("\n"), 1) if s.strip()}
        records = [_parsed(path, line, k) for k, line in lines.items()]
        return records, pd.Index(lines, name="line", dtype=int)
    if isinstance(found, dict):
        found = _of_object(path, found)
    return found, pd.RangeIndex(1, len(found) + 1, name="record")


def _of_object(path: str | Path, found: dict[str, Any]) -> list[Any]:
    """Records beside what is said of all, by item or by another key, columns as pandas
    writes them, or a record.
    """
    values = [*found.values()]
    lists = [value for value in values if isinstance(value, list)]
    if len(lists) == 1 and _of_records(lists[0]) and len(lists[0]) > len(found):
        return lists[0]
    if _of_records(values):
        keys = [[*one] for one in values]  # 0, 1, 2 ..., as pandas writes columns
        numbered = all(one == [*map(str, range(len(keys[0])))] for one in keys)
        few = len(values) >= len(keys[0])  # items, or they are the keys
        if numbered and not (few and ITEMS.isdisjoint(found)):
            return [dict(zip(found, row)) for row in zip(*map(dict.values, values))]
        if numbered or {"rater", "label"} <= found.keys():
            raise refused("orient", at=path)
        if inside := many_keys(values):
            note("turned", at=path, names=found, inside=inside)
        return _keyed(path, found.items())
    if all(map(_of_records, values)):
        each = [(key, one) for key, many in found.items() for one in many]
        twice = len({(key, str(one.get("rater"))) for key, one in each}) < len(each)
        own = all("item" in one for _, one in each)
        many = len(each) > max(FEW, len(values)) * len(values)
        beside = [{"keys": key} | one for key, one in each]  # which are no items
        return beside if twice and (own or many) else _keyed(path, each)
    flat = not any(isinstance(value, (dict, list)) for value in values)
    again = flat and 2 * len({*map(str, values)}) <= len(values)
    if again and not ROLES & found.keys():
        note("labels", at=path, names=found)
        return [{"item": key, "label": value} for key, value in found.items()]
    return _of_lists(path, found) or [found]  # JSON Lines of one line


def many_keys(records: Sequence[Mapping[str, Any]]) -> int:
    """How many keys records have, where keys are more likely items than raters."""
    often, n = Counter(key for one in records for key in one), len(records)
    labels = {str(label) for one in records for label in one.values()}
    full, least = 2 * often.total() > len(often) * n, FAR * n
    if 2 * len(labels) <= often.total():
        least = min(least, max(FEW, n))
    return len(often) if full and len(often) > least else 0


def _of_lists(path: str | Path, found: dict[str, Any]) -> list[Any]:
    """Columns, where all values are lists of one length without objects."""
    values = [*found.values()]
    sizes = {len(value) if isinstance(value, list) else 0 for value in values}
    if {"columns", "data"} <= found.keys() and 0 not in sizes:
        raise refused("orient", at=path)
    if len(values) < 2 or len(sizes) > 1 or sizes <= {0, 1}:
        return []
    records = [dict(zip(found, row)) for row in zip(*values)]
    if many_keys(records):
        raise refused("orient", at=path)
    note("lists", at=path, names=found)
    return records


def _keyed(path: str | Path, pairs: Iterable[tuple[str, Any]]) -> list[Any]:
    """Records with their keys, which are the items, whatever a field says."""
    found = [(key, {"item": key} | one) for key, one in pairs]
    for key, one in [pair for pair in found if str(pair[1]["item"]) != pair[0]][:1]:
        note("key and field", at=path, key=key, field=one["item"])
    return [one | {"item": key} for key, one in found]


def _of_records(value: Any) -> bool:
    """Whether it is a list of records, as of one item."""
    several = isinstance(value, list) and bool(value)
    return several and all(isinstance(one, dict) for one in value)


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
        found = json.loads(text, object_pairs_hook=once)
        if "\\ud" in text or "\\uD" in text:  # as which no text can be written
            json.dumps(found, ensure_ascii=False).encode()
        return found
    except UnreadableError:
        raise
    except UnicodeEncodeError as error:
        raise refused("half", at=where) from error
    except json.JSONDecodeError as error:
        if error.msg == "Extra data" and not line:
            raise
        known = SENTENCES["json"].items()
        why = next((why for says, why in known if says in error.msg), error.msg.lower())
        raise refused("no JSON", at=path, line=line or error.lineno, why=why) from error
    except ValueError as error:  # a number of thousands of digits
        raise refused("digits", at=where) from error


# Parquet ------------------------------------------------------------------------------


def from_parquet(path: str | Path, data: bytes) -> Found:
    """All cells as they are."""
    try:
        from pyarrow import parquet
    except ImportError as error:
        raise refused("no pyarrow", at=path) from error
    try:
        found = parquet.read_table(io.BytesIO(data))
        names, known = found.schema.names, found.schema.pandas_metadata or {}
        index = [name for name in known.get("index_columns", []) if name in names]
        # It stands first; one that has no name is none of the table's own.
        unnamed = all(name.startswith("__index_level_") for name in index)
        own = (k for k, name in enumerate(names) if not (unnamed and name in index))
        order = sorted(own, key=lambda k: names[k] not in index)
        # Not by pandas: it has no whole numbers beside an empty cell, not even in a
        # list. They would become floats, and those beyond 2^53 would merge.
        columns = [found.column(k).to_pylist() for k in order]
    except Exception as error:
        raise refused("no Parquet", at=path) from error
    where = pd.RangeIndex(1, found.num_rows + 1, name="row")
    return [names[k].strip() for k in order], zip(*columns), where, ""
