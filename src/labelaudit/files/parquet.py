"""Tables from Parquet."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from .text import UnreadableError, cell, plain


def from_parquet(path: str | Path, data: bytes) -> pd.DataFrame:
    """All cells as texts; lists and objects as JSON, dates as 2024-01-31."""
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
    cells[~missing] = [*map(cell, texts)]
    return pd.Series(cells, dtype=object)
