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
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
QUOTED = re.compile(r'(^|[,;\t|]) *"(?:[^"]|"")*"', re.MULTILINE)
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


class UnreadableError(ValueError):
    """A file that cannot be read; its text names the file, and the line if any."""


def table(path: str | Path) -> pd.DataFrame:
    """All cells of a file as texts, without blanks around them; an empty one is None.

    Parameters
    ----------
    path : str or Path
        CSV in UTF-8, with or without a byte-order mark, or in UTF-16 with one;
        separated by comma, semicolon, tab or bar, whichever the first line has
        most of outside quotes, or what a line "sep=;" says. May be gzipped. Or Parquet.

    Returns
    -------
    DataFrame
        Index "line": where in the file each row begins (Parquet: "row", from 1).
        Lines without any text are left out, and so is an empty last column without
        a name. In Parquet whole numbers are written without a point, in whatever
        column, and dates as 2024-01-31.

    Raises
    ------
    UnreadableError
        For what is no such file, has no row below its header, a row with more or
        fewer cells than the header, a quote that is not closed, two columns of one
        name.
    """
    path = Path(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        why = error.strerror or error
        raise UnreadableError(f"cannot read {path}: {why}") from error
    if data.startswith(b"PAR1") or path.suffix.lower() in PARQUET:
        frame = _parquet(path)
    else:
        frame = _cells(path, _text(path, data))
    if len(frame) == 0:
        raise UnreadableError(f"{path} has no row below its header")
    return frame


def at(path: str | Path, frame: pd.DataFrame | pd.Series, position: int) -> str:
    """Where the row at a position is, for a message."""
    return f"{path}, {frame.index.name} {frame.index[position]}"


# CSV ------------------------------------------------------------------------------


def _text(path: Path, data: bytes) -> str:
    if data.startswith(b"\x1f\x8b"):
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError, zlib.error) as error:
            raise UnreadableError(f"{path} is a broken gzip file: {error}") from error
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


def _cells(path: Path, text: str) -> pd.DataFrame:
    separator, begin = _separator(text)
    with _by_the_million():
        lines, rows = _rows(path, text, separator, begin)
    if not rows:
        raise UnreadableError(f"{path} is empty")
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
    path: Path, text: str, separator: str, begin: int
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
    path: Path,
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


def _parquet(path: Path) -> pd.DataFrame:
    try:
        frame = pd.read_parquet(path)
    except ImportError as error:
        raise UnreadableError(f"{path}: Parquet files need pyarrow") from error
    except Exception as error:
        raise UnreadableError(f"{path} is not a Parquet file: {error}") from error
    if any(name is not None for name in frame.index.names):
        frame = frame.reset_index()
    names = [str(name).strip() for name in frame.columns]
    columns = {name: _texts(frame.iloc[:, k]) for k, name in enumerate(names)}
    if len(columns) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise UnreadableError(f"{path}: two columns are called {twice!r}")
    index = pd.RangeIndex(1, len(frame) + 1, name="row")
    return pd.DataFrame(columns, columns=names).set_axis(index)


def _texts(column: pd.Series) -> pd.Series:
    """Cells of a typed column as texts; what is missing is None."""
    missing = column.isna().to_numpy()
    column = column.reset_index(drop=True)
    if isinstance(column.dtype, pd.CategoricalDtype):
        kind = column.cat.categories.dtype
        column = column.astype(object if missing.any() and kind.kind in "iub" else kind)
    if pd.api.types.is_float_dtype(column):
        texts = column[~missing].astype(float).map(_plain)
    elif pd.api.types.is_datetime64_any_dtype(column):
        values = column[~missing]
        days = bool((values == values.dt.normalize()).all())
        texts = values.map(lambda v: str(v.date()) if days else str(v))
    else:
        texts = column[~missing].map(_plain)
    cells = np.full(len(column), None, dtype=object)
    cells[~missing] = [text.strip() or None for text in texts]
    return pd.Series(cells, dtype=object)


def _plain(value: Any) -> str:
    """A value as text; equal numbers are one text, whatever their type."""
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    if isinstance(value, Decimal) and value == float(value):
        value = float(value)
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(float(value))
    return str(value)
