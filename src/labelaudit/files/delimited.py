"""Tables from CSV: cells with a separator between them, as programs write them."""

import csv
import io
import re
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from .said import SENTENCES, refused
from .text import Found

SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
SAID = re.compile(r'[\s"]*sep=(.)"?[ ]*(\r\n?|\n|$)', re.IGNORECASE)
QUOTED = re.compile(r'(^|[,;\t|]) *"(?:[^"]|"")*"', re.MULTILINE)
SPACED = re.compile(r'\s*"[^"]*" +"')
LARGEST_CELL = 131_072  # characters: what Python's reader takes


def from_csv(path: str | Path, text: str, named: Sequence[str]) -> Found:
    """All cells as texts; named: the columns of a file without a header."""
    separator, begin = _separator(text)
    if separator not in text and SPACED.match(text):  # as R's write.table writes
        raise refused("spaces", at=path)
    lines, rows = _rows(path, text, separator, begin)
    if not rows:
        raise refused("empty", at=path)
    if named and len(rows[0]) != len(named):
        sizes = {"cells": len(rows[0]), "names": len(named)}
        raise refused("names", at=path, line=lines[0], **sizes)
    names = [*named] or [name.strip() for name in rows.pop(0)]
    lines = lines[len(lines) - len(rows) :]
    width = max([_used(names), *(min(_used(row), len(names)) for row in rows)])
    del names[width:]
    for line, row in zip(lines, rows):
        if _used(row) <= width:  # trailing separators are no cells
            del row[width:]
        if len(row) != width:
            kind = "too few" if len(row) < width else "too many"
            if all(len(other) == width + 1 for other in rows):
                kind = "no name"
            found = {"line": line, "cells": len(row), "width": width}
            between = SEPARATORS.get(separator, repr(separator))
            raise refused(kind, at=path, separator=between, **found)
    return names, rows, pd.Index(lines, name="line", dtype=int)


def _separator(text: str) -> tuple[str, int]:
    """The separator, and the line from which to read, from 1."""
    if said := SAID.match(text[:20]):
        return said[1], 2 + text[: said.start(1)].count("\n")
    bare = QUOTED.sub(r"\1quoted", text[:LARGEST_CELL])
    blank = "".join(SEPARATORS) + ' "'
    lines = re.split(r"\r\n?|\n", bare)
    header = next((line for line in lines if line.strip().strip(blank)), "")
    return max(SEPARATORS, key=header.count), 1


def _rows(
    path: str | Path, text: str, separator: str, begin: int
) -> tuple[list[int], list[list[str]]]:
    """Rows with some text, and where each begins."""
    file = io.StringIO(text, newline="")
    for _ in range(begin - 1):
        file.readline()
    lines, rows, skipped = [], [], begin - 1
    try:
        reader = csv.reader(
            file, delimiter=separator, strict=True, skipinitialspace=separator != " "
        )
        for cells in reader:
            if any(cells) and any(map(str.strip, cells)):
                lines.append(begin)
                rows.append(cells)
            begin = skipped + reader.line_num + 1
    except (csv.Error, TypeError, ValueError) as error:  # the last two: of a separator
        known = SENTENCES["csv"].items()
        why = next((why for says, why in known if says in str(error)), error)
        raise refused("line", at=path, line=begin, why=why) from error
    return lines, rows


def _used(cells: list[str]) -> int:
    """How many cells there are up to the last with text."""
    return next((k for k in range(len(cells), 0, -1) if cells[k - 1].strip()), 0)
