"""The items of a batch, from files as people have them.

A batch is a file, or the rows of a file that share a value in a column.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from .contents import content, decoded
from .said import refused
from .tables import at, table


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
    """
    path = Path(path)
    if path.suffix.lower() == ".txt":
        if column is not None:
            raise refused("plain text", at=path, name=column)
        return _checked(path, _plain(path).to_frame("item"), "item")
    frame = table(path)
    return _checked(path, frame, _item_column(path, frame, column))


def _checked(path: Path, frame: pd.DataFrame, key: str) -> pd.DataFrame:
    """The frame by its items, which are all there and all different."""
    listed = frame[key]
    bad = (listed.isna() | listed.duplicated()).to_numpy()
    if bad.any():
        row = int(listed.isna().argmax() if listed.isna().any() else bad.argmax())
        kind = "listed twice" if (item := listed.iloc[row]) else "not listed"
        raise refused(kind, at=at(path, listed, row), item=item)
    return frame.drop(columns=key).set_index(pd.Index(listed, name=key))


def _plain(path: Path) -> pd.Series:
    text = decoded(path, content(path)).replace("\r\n", "\n").replace("\r", "\n")
    lines = [line.strip() or None for line in text.split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    if not lines:
        raise refused("empty", at=path)
    where = pd.RangeIndex(1, len(lines) + 1, name="line")
    return pd.Series(lines, index=where, dtype=object)


def _item_column(path: Path, frame: pd.DataFrame, column: str | None) -> str:
    if (column or "item") in frame.columns:
        return column or "item"
    kind = "no column" if column else "no item column"
    if not column and len(frame.columns) == 1:
        kind = "no header, items"
    raise refused(kind, at=path, name=column, has=frame)


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
    found: dict[str, pd.DataFrame] = {}
    for path in map(Path, paths):
        whole = path.name.removesuffix(".gz").rsplit(".", 1)[0]
        parts = {whole: items(path, column)} if batch is None else {}
        for name, part in (parts or _by(path, column, str(batch))).items():
            alike = {safe(known): known for known in found}
            if safe(name) in alike:
                other = alike[safe(name)]
                raise refused("batches alike", at=path, name=name, other=other)
            found[name] = part
    return found


def safe(name: str) -> str:
    """A batch's name in a file's: letters, digits, ".", "_" and "-"."""
    return re.sub(r"[^\w.-]", "_", name)


def _by(path: Path, column: str | None, batch: str) -> dict[str, pd.DataFrame]:
    frame = table(path)
    if batch not in frame.columns:
        raise refused("no batches", at=path, name=batch, has=frame)
    empty = frame[batch].isna()
    if empty.any():
        where = at(path, frame, int(empty.argmax()))
        raise refused("no batch", at=where, name=batch)
    key = _item_column(path, frame, column)
    parts = frame.groupby(batch, sort=False)
    return {str(name): _checked(path, part, key) for name, part in parts}
