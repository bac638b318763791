"""Tables from files as people have them: every cell a text, every row with its line.

What cannot be read is refused with the line and the reason. Nothing is guessed but the
separator and, from a byte-order mark, the encoding.
"""

from __future__ import annotations

import csv
import gc
import gzip
import io
import re
import sys
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from .records import from_json, is_json
from .text import UnreadableError, plain

STANDARD_INPUT = "-"
SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
QUOTED = re.compile(r'(^|[,;\t|]) *"(?:[^"]|"")*"', re.MULTILINE)
SPACED = re.compile(r'\s*"[^"]*" +"')
PARQUET = (".parquet", ".pq")
LARGEST_CELL = 131_072  # characters; more is a quote that is not closed

KINDS = {  # how files that are no text begin
    b"PK\x03\x04": "an Excel workbook or another zip archive",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook",
    b"%PDF": "a PDF file",
    b"BZh": "a bzip2 archive",
    b"\xfd7zXZ": "an xz archive",
}
REASONS = {  # what Python's reader says, and what it means
    "unexpected end of data": "a quoted cell begins and never ends",
    "' expected after '": "text after a quoted cell (a quote inside one is doubled)",
    "field larger than": f"a cell of more than {LARGEST_CELL} characters; is a quote"
    " not closed?",
}


def table(path: str | Path, names: Sequence[str] = ()) -> pd.DataFrame:
    """All cells of a file as texts, without blanks around them; an empty one is None.

    Parameters
    ----------
    path : str or Path
        CSV in UTF-8, with or without a byte-order mark, or in UTF-16 with one;
        separated by comma, semicolon, tab or bar, whichever the first line has
        most of outside quotes, or what a line "sep=;" says. JSON: an array of records,
        one record a line, or an object whose keys are the column item and whose values
        are a record or a list of records. Either may be gzipped. Or Parquet. "-" is
        standard input.
    names : sequence of str
        The names of the columns of a CSV without a header.

    Returns
    -------
    DataFrame
        Index "line": where in the file each row begins (JSON: "record", Parquet: "row",
        from 1). Lines without any text are left out, and so is an empty last column
        without a name. In Parquet and JSON whole numbers are written without a point,
        and lists and objects as JSON; in Parquet dates as 2024-01-31.

    Raises
    ------
    UnreadableError
        For what is no such file, has no row below its header, a row with more or
        fewer cells than the header, a quote that is not closed, two columns of one
        name; names for a file that has some, or of another number.
    """
    data = _bytes(path)
    if data.startswith(b"\x1f\x8b"):
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError, zlib.error) as error:
            raise UnreadableError(f"{path} is a broken gzip file: {error}") from error
    parquet = data.startswith(b"PAR1") or Path(path).suffix.lower() in PARQUET
    text = "" if parquet else _text(path, data)
    if parquet or is_json(text):
        if names:
            kind = "Parquet" if parquet else "JSON"
            raise UnreadableError(f"{path}: {kind} names its columns; leave --columns")
        frame = _parquet(path, data) if parquet else from_json(path, text)
    else:
        frame = _cells(path, text, names)
    if len(frame) == 0:
        raise UnreadableError(f"{path} has no row" + " below its header" * (not names))
    return frame


def tables(paths: Sequence[str | Path], names: Sequence[str] = ()) -> pd.DataFrame:
    """The rows of several files, in order; their columns are the same.

    Returns
    -------
    DataFrame
        As from `table`; of more than one file the index has the file before the line.
    """
    if [str(path) for path in paths].count(STANDARD_INPUT) > 1:
        raise UnreadableError("- names standard input, which can be read once only")
    first, *others = frames = [table(path, names) for path in paths]
    if not others:
        return first
    for path, frame in zip(paths[1:], others):
        if set(frame.columns) != set(first.columns):
            raise UnreadableError(
                f"{path} has the columns {', '.join(frame.columns)}; {paths[0]} has"
                f" {', '.join(first.columns)}"
            )
    places = [*zip((str(path) for path in paths), frames)]
    files = [name for name, frame in places for _ in range(len(frame))]
    lines = [line for _, frame in places for line in frame.index]
    index = pd.MultiIndex.from_arrays([files, lines], names=["", "line"])
    return pd.concat(frames, ignore_index=True).set_axis(index)


def _bytes(path: str | Path) -> bytes:
    if str(path) == STANDARD_INPUT:
        return sys.stdin.buffer.read()
    try:
        return Path(path).read_bytes()
    except OSError as error:
        why = error.strerror or error
        raise UnreadableError(f"cannot read {path}: {why}") from error


def at(path: Any, frame: pd.DataFrame | pd.Series, position: int) -> str:
    """Where the row at a position is, for a message."""
    where, name = frame.index[position], frame.index.names[-1]
    if isinstance(where, tuple):
        path, where = where
    return f"{path}, {name} {where}"


# CSV ------------------------------------------------------------------------------


def _text(path: str | Path, data: bytes) -> str:
    for begin, kind in KINDS.items():
        if data.startswith(begin):
            raise UnreadableError(f"{path} is {kind}; save it as CSV (UTF-8) first")
    encoding = "utf-8-sig"
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding = "utf-16"
    elif b"\0" in data[:4096]:
        raise UnreadableError(
            f"{path} is no text, or UTF-16 without a byte-order mark; save it as CSV"
            " (UTF-8) first"
        )
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        name = encoding.removesuffix("-sig").upper()
        raise UnreadableError(
            f"{path}, line {line}: not {name} (byte 0x{data[error.start]:02x}); save"
            " it as CSV (UTF-8)"
        ) from error


def _cells(path: str | Path, text: str, named: Sequence[str]) -> pd.DataFrame:
    separator, begin = _separator(text)
    if separator not in text:
        _not_by_spaces(path, text)
    with _by_the_million():
        lines, rows = _rows(path, text, separator, begin)
    if not rows:
        raise UnreadableError(f"{path} is empty")
    if named:
        names = [*named]
        if len(rows[0]) != len(names):
            raise UnreadableError(
                f"{path}, line {lines[0]}: {len(rows[0])} cells, and --columns names"
                f" {len(names)}"
            )
    else:
        names = [name.strip() for name in rows.pop(0)]
        del lines[0]
    _even(path, names, lines, rows, separator)
    for name in names:
        if names.count(name) > 1:
            what = f"are called {name!r}" if name else "have no name"
            raise UnreadableError(f"{path}: two columns {what}")
    columns = {
        name: pd.Series([row[k].strip() or None for row in rows], dtype=object)
        for k, name in enumerate(names)
    }
    frame = pd.DataFrame(columns, columns=names)
    return frame.set_axis(pd.Index(lines, name="line", dtype=int))


def _separator(text: str) -> tuple[str, int]:
    """The separator, and the line from which to read, from 1."""
    said = text[:20].splitlines()[0].strip().strip('"') if text.strip() else ""
    if len(said) == 5 and said[:4].lower() == "sep=":
        return said[4], 2
    bare = QUOTED.sub(r"\1quoted", text[:LARGEST_CELL])
    blank = "".join(SEPARATORS) + ' "'
    lines = re.split(r"\r\n?|\n", bare)
    header = next((line for line in lines if line.strip().strip(blank)), "")
    return max(SEPARATORS, key=header.count), 1


def _not_by_spaces(path: str | Path, text: str) -> None:
    """Refuse quoted names separated by spaces, as R's write.table writes them."""
    if SPACED.match(text):
        raise UnreadableError(
            f"{path}: its cells seem to be separated by spaces; save it with commas, as"
            " R's write.csv does"
        )


@contextmanager
def _by_the_million() -> Iterator[None]:
    """A limit on cells, and no search for cycles: rows are none, and it takes longer
    than reading them."""
    limit, collects = csv.field_size_limit(LARGEST_CELL), gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        csv.field_size_limit(limit)
        if collects:
            gc.enable()


def _rows(
    path: str | Path, text: str, separator: str, begin: int
) -> tuple[list[int], list[list[str]]]:
    """Rows with some text, and where each begins."""
    file = io.StringIO(text, newline="")
    for _ in range(begin - 1):
        file.readline()
    reader = csv.reader(file, delimiter=separator, strict=True, skipinitialspace=True)
    lines, rows, skipped = [], [], begin - 1
    try:
        for cells in reader:
            if any(cells) and any(map(str.strip, cells)):
                lines.append(begin)
                rows.append(cells)
            begin = skipped + reader.line_num + 1
    except csv.Error as error:
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
    while names and not names[-1]:
        width = len(names)
        if any(len(row) >= width and row[width - 1].strip() for row in rows):
            break
        names.pop()
    width = len(names)
    for line, row in zip(lines, rows):
        if len(row) > width and not any(map(str.strip, row[width:])):
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


# Parquet --------------------------------------------------------------------------


def _parquet(path: str | Path, data: bytes) -> pd.DataFrame:
    try:
        from pyarrow import parquet
    except ImportError as error:
        raise UnreadableError(f"{path}: Parquet files need pyarrow") from error
    try:
        found = parquet.read_table(io.BytesIO(data))
        order = _places(found.schema)
        values = [_values(found.column(k)) for k in order]
    except Exception as error:
        raise UnreadableError(f"{path} is not a Parquet file: {error}") from error
    names = [found.schema.names[k].strip() for k in order]
    columns = dict(zip(names, map(_texts, values)))
    if len(columns) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise UnreadableError(f"{path}: two columns are called {twice!r}")
    index = pd.RangeIndex(1, found.num_rows + 1, name="row")
    return pd.DataFrame(columns, columns=names).set_axis(index)


def _places(schema: Any) -> list[int]:
    """The columns in their order: those of a pandas index first, or not at all.

    An index that has no name is none of the table's own.
    """
    known = (schema.pandas_metadata or {}).get("index_columns", [])
    index = [schema.names.index(name) for name in known if name in schema.names]
    unnamed = all(schema.names[k].startswith("__index_level_") for k in index)
    rest = [k for k in range(len(schema.names)) if k not in index]
    return rest if unnamed else index + rest


def _values(column: Any) -> pd.Series:
    """A column of Parquet. pandas has no whole numbers beside an empty cell, not even
    in a list: they would become floats, and those beyond 2^53 would merge."""
    from pyarrow import types

    if types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    kind = column.type
    if types.is_floating(kind) or types.is_timestamp(kind) or types.is_duration(kind):
        return column.to_pandas()
    return pd.Series(column.to_pylist(), dtype=object)


def _texts(column: pd.Series) -> pd.Series:
    """Cells of a typed column as texts; what is missing is None."""
    missing = column.isna().to_numpy()
    if pd.api.types.is_float_dtype(column):
        texts = column[~missing].astype(float).map(plain)
    elif pd.api.types.is_datetime64_any_dtype(column):
        values = column[~missing]
        days = bool((values == values.dt.normalize()).all())
        texts = values.map(lambda v: str(v.date()) if days else str(v))
    else:
        texts = column[~missing].map(plain)
    cells = np.full(len(column), None, dtype=object)
    cells[~missing] = [text.strip() or None for text in texts]
    return pd.Series(cells, dtype=object)
