"""The items of a batch, from files as people have them.

A batch is a file, or the rows of a file that share a value in a column.
"""

import re
import shlex
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from . import sheets
from .columns import like_cells
from .contents import STANDARD_INPUT, content, decoded
from .looks import Look
from .said import note, refused
from .tables import Table, repeated, table

LINE = re.compile(r"\r\n?|\n")


def items(path: str | Path, column: str | None = None) -> pd.DataFrame:
    """The items of a lot, from a file with a row or line for each.

    Parameters
    ----------
    path : str or Path
        CSV or Parquet as `tables.table` reads them; or plain text (.txt), a line an
        item, without a header.
    column : str, optional
        By default "item".

    Returns
    -------
    DataFrame of str
        Its index has the items, named as their column; its columns are the others of
        the file, such as a text and the label that it was given.

    Raises
    ------
    UnreadableError
        With the line, where an item is missing or there for the second time.

    Warns
    -----
    UserWarning
        Where the last row looks like sums.
    """
    return _checked(*_read(Path(path), column))


def _read(path: Path, column: str | None) -> tuple[Table, str]:
    """A file, and the column that names the items."""
    if path.suffix.lower() == ".txt" and (lines := _plain(path)) is not None:
        if column is not None:
            raise refused("plain text", at=path, name=column)
        return Table(path, lines.to_frame("item")), "item"
    frame = table(path)
    if {*sheets.COLUMNS, sheets.ABOUT} <= {*frame}:
        raise refused("a sheet", at=path, sheet=shlex.quote(str(path)))
    read, name, free = Table(path, frame), column or "item", column is None
    if len(frame.columns) > 1:  # of one, it may be an item
        repeated(read)
    if (found := read.find(name)) is None:
        one = free and len(frame.columns) == 1
        data = not one and any(like_cells(*told) for told in frame.items())
        raise read.refused("no item column", name=name, free=free, one=one, data=data)
    if frame.index.name == "line" and like_cells(found, frame[found]):
        note("header", at=path, line=found)
    return read, found


def _plain(path: Path) -> pd.Series | None:
    """Its lines; None where it is a table, with tabs or semicolons in each."""
    if not (text := decoded(path, content(path)).rstrip()):
        raise refused("empty", at=path)
    lines = [line.strip() or None for line in LINE.split(text)]
    filled = [line for line in lines if line]
    if len(filled) > 1 and any(all(mark in k for k in filled) for mark in "\t;"):
        return None
    where = pd.RangeIndex(1, len(lines) + 1, name="line")
    found = pd.Series(lines, index=where, dtype=object)
    if (lines[0] or "").lower() == "item":
        note("header", at=path, line=lines[0])
        return found[1:]
    return found


def _checked(read: Table, key: str) -> pd.DataFrame:
    """The frame by its items, which are all there and all different."""
    frame, listed = read.frame, read.frame[key]
    read.check(listed.isna(), "not listed")
    if (twice := listed.duplicated()).any():
        whole = [c for c in frame if c and frame[c].nunique() == len(frame)]
        item = listed[twice].iloc[0]
        read.check(twice, "listed twice", item=item, whole=whole[:1])
    beside = frame.drop(columns=key)
    if n := Look([*beside], beside.to_numpy(), [*listed], numbers=False).foot():
        note("sums listed", at=read.at(len(frame) - n), names=listed[-n:])
    return beside.set_index(pd.Index(listed, name=key))


def batches(
    paths: Sequence[str | Path], column: str | None = None, batch: str | None = None
) -> dict[str, pd.DataFrame]:
    """Several batches: a file each, or the values of a column.

    Parameters
    ----------
    paths : sequence of str or Path
    column : str, optional
        As for items.
    batch : str, optional
        A column that names the batch of each item. An item may be in two batches.

    Returns
    -------
    dict of DataFrame, as items gives them
        By the files' names without their endings, or the column's values.

    Raises
    ------
    UnreadableError
        As items; also for two batches of one name, as it will stand in a file's.
    """
    found, taken = dict[str, pd.DataFrame](), dict[str, str]()
    if [*map(str, paths)].count(STANDARD_INPUT) > 1:
        raise refused("stdin")
    for path in map(Path, paths):
        read, key = _read(path, column)
        named = {path.name.removesuffix(".gz").rsplit(".", 1)[0]: read.frame}
        if batch is not None:
            if (own := read.find(batch)) is None:
                raise read.refused("no batches", name=batch)
            read.check(read.frame[own].isna(), "no batch", name=own)
            parts = read.frame.groupby(read.frame[own], sort=False)
            named = {str(name): part for name, part in parts}
        for name, part in named.items():
            as_file = safe(name).casefold()  # some systems tell no A from a
            if (other := taken.get(as_file)) is not None:
                raise refused("batches alike", at=path, name=name, other=other)
            taken[as_file] = name
            found[name] = _checked(Table(path, part), key)
    return found


def safe(name: str) -> str:
    """A batch's name in a file's: letters, digits, ".", "_" and "-"."""
    return re.sub(r"[^\w.-]", "_", name)
