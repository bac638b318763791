"""Tables from Parquet."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pandas as pd

from .said import refused
from .text import Found


def from_parquet(path: str | Path, data: bytes) -> Found:
    """All cells as they are."""
    try:
        from pyarrow import parquet
    except ImportError as error:
        raise refused("no pyarrow", at=path) from error
    try:
        found = parquet.read_table(io.BytesIO(data))
        order = _places(found.schema)
        # Not by pandas: it has no whole numbers beside an empty cell, not even in a
        # list. They would become floats, and those beyond 2^53 would merge.
        columns = [found.column(k).to_pylist() for k in order]
    except Exception as error:
        raise refused("no Parquet", at=path, why=error) from error
    names = [found.schema.names[k].strip() for k in order]
    return names, zip(*columns), pd.RangeIndex(1, found.num_rows + 1, name="row")


def _places(schema: Any) -> list[int]:
    """The columns in their order: those of a pandas index first, or not at all.

    An index that has no name is none of the table's own.
    """
    known = (schema.pandas_metadata or {}).get("index_columns", [])
    index = [schema.names.index(name) for name in known if name in schema.names]
    unnamed = all(schema.names[k].startswith("__index_level_") for k in index)
    rest = [k for k in range(len(schema.names)) if k not in index]
    return rest if unnamed else index + rest
