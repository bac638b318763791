"""Tables from CSV: cells with a separator between them, as programs write them."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from pathlib import Path

from .text import Found, UnreadableError

SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
SAID = re.compile(r'[\s"]*sep=(.)"?[ ]*(\r\n?|\n|$)', re.IGNORECASE)
QUOTED = re.compile(r'(^|[,;\t|]) *"(?:[^"]|"")*"', re.MULTILINE)
SPACED = re.compile(r'\s*"[^"]*" +"')
LARGEST_CELL = 131_072  # characters that Python reads; more is a quote left open

REASONS = {  # what Python's reader says, and what it means
    "unexpected end of data": "a quoted cell begins and never ends",
    "' expected after '": "text after a quoted cell (a quote inside one is doubled)",
    "field larger than": f"a cell of more than {LARGEST_CELL} characters; is a quote"
    " not closed?",
}

ADVICE = (
    "; if the first line is data, say --no-header and name the columns by --columns"
)


def from_csv(path: str | Path, text: str, named: Sequence[str]) -> Found:
    """All cells as texts; named: the columns of a file without a header."""
    separator, begin = _separator(text)
    if separator not in text and SPACED.match(text):  # as R's write.table writes
        raise UnreadableError(
            f"{path}: its cells seem to be separated by spaces; save it with commas, as"
            " R's write.csv does"
        )
    lines, rows = _rows(path, text, separator, begin)
    if not rows:
        raise UnreadableError(f"{path} is empty")
    if named and len(rows[0]) != len(named):
        raise UnreadableError(
            f"{path}, line {lines[0]}: {len(rows[0])} cells, and --columns names"
            f" {len(named)}"
        )
    names = [*named] or [name.strip() for name in rows.pop(0)]
    lines = lines[len(lines) - len(rows) :]
    _even(path, names, lines, rows, separator)
    return Found(names, rows, lines, "line", ADVICE)


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
        why = next((t for says, t in REASONS.items() if says in str(error)), str(error))
        raise UnreadableError(f"{path}, line {begin}: {why}") from error
    return lines, rows


def _even(
    path: str | Path,
    names: list[str],
    lines: list[int],
    rows: list[list[str]],
    separator: str,
) -> None:
    """Rows as long as the header, or refused; trailing separators are no cells."""
    width = max([_used(names), *(min(_used(row), len(names)) for row in rows)])
    del names[width:]
    for line, row in zip(lines, rows):
        if _used(row) <= width:
            del row[width:]
        if len(row) == width:
            continue
        why = f"{len(row)} cells where the header has {width}"
        if all(len(other) == width + 1 for other in rows):
            why += ", as in every line: does the first column lack a name?"
        elif len(row) < width:
            why += "; an empty cell needs its separator too"
        name = SEPARATORS.get(separator, repr(separator))
        raise UnreadableError(
            f"{path}, line {line}: {why} (cells are separated by {name} here)"
        )


def _used(cells: list[str]) -> int:
    """How many cells there are up to the last with text."""
    return next((k for k in range(len(cells), 0, -1) if cells[k - 1].strip()), 0)
