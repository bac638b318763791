"""Ratings from files as people have them."""

from __future__ import annotations

import csv
import warnings
from pathlib import Path

import pandas as pd

from ..ratings import Ratings

SEPARATORS = ",;\t|"
DEFAULTS = {"item": "item", "rater": "rater", "label": "label"}
PARQUET = (".parquet", ".pq")


class UnreadableError(ValueError):
    """A file that cannot be read; its text names the file, and the line if any."""


def ratings(
    path: str | Path,
    item: str | None = None,
    rater: str | None = None,
    label: str | None = None,
    *,
    numbers: bool = False,
) -> Ratings:
    """The ratings in a CSV or Parquet file.

    Parameters
    ----------
    path : str or Path
        CSV in UTF-8, with or without a byte-order mark, separated by comma,
        semicolon, tab or bar; its first line names the columns. Or Parquet.
    item, rater, label : str, optional
        Names of the columns of a long table, one row a judgment; by default these
        words. Where the three are not all there, and none was named, the table is
        wide: one row an item, which the first column names, one column a rater.
    numbers : bool
        Labels are numbers; else they are texts, also those that look like numbers.

    Raises
    ------
    UnreadableError
        Where the file cannot be read, lacks a column that was named, or has a label
        that is no number.
    ValueError
        From Ratings, where the judgments contradict each other.
    """
    path = Path(path)
    frame = table(path)
    named = {"item": item, "rater": rater, "label": label}
    columns = {key: name or DEFAULTS[key] for key, name in named.items()}
    absent = [name for name in columns.values() if name not in frame.columns]
    if any(named.values()) and absent:
        raise UnreadableError(
            f"{path} has no column {absent[0]!r}; its columns:"
            f" {', '.join(map(str, frame.columns))}"
        )
    if not absent:
        for key in ("item", "rater"):
            _whole(path, frame, columns[key])
        labels = frame[columns["label"]]
        long = pd.DataFrame(
            {
                "item": frame[columns["item"]],
                "rater": frame[columns["rater"]],
                "label": _numbers(path, labels) if numbers else labels,
            }
        )
        return Ratings.from_long(long)
    if frame.shape[1] < 3:
        raise UnreadableError(
            f"{path} has the columns {', '.join(map(str, frame.columns))}: neither"
            f" {', '.join(DEFAULTS)} (a row a judgment) nor an item and two raters or"
            " more (a row an item)"
        )
    first = frame.columns[0]
    _whole(path, frame, first)
    twice = frame[first].duplicated()
    if twice.any():
        at = int(twice.argmax())
        raise UnreadableError(
            f"{_line(path, at)}: item {frame[first].iloc[at]!r} is there twice; a"
            f" table with a row a judgment needs the columns {', '.join(DEFAULTS)}"
        )
    wide = frame.set_index(first)
    if numbers:
        wide = wide.apply(lambda column: _numbers(path, column))
    return Ratings.from_matrix(wide)


def table(path: Path) -> pd.DataFrame:
    """All cells as texts; an empty cell is missing."""
    try:
        if path.suffix.lower() in PARQUET:
            return _texts(pd.read_parquet(path))
        with path.open(encoding="utf-8-sig", newline="") as file:
            header = file.readline()
        separator = max(SEPARATORS, key=header.count)
        _different(path, next(csv.reader([header], delimiter=separator), []))
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)
            frame = pd.read_csv(
                path,
                sep=separator,
                dtype=str,
                encoding="utf-8-sig",
                keep_default_na=False,
                na_values=[""],
                index_col=False,
                skipinitialspace=True,
            )
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        raise UnreadableError(f"{path}, line {line} or later: not UTF-8") from error
    except pd.errors.EmptyDataError as error:
        raise UnreadableError(f"{path} is empty") from error
    except (pd.errors.ParserError, pd.errors.ParserWarning) as error:
        raise UnreadableError(_uneven(path, separator, error)) from error
    except ImportError as error:
        raise UnreadableError(f"{path}: Parquet files need pyarrow") from error
    except OSError as error:
        raise UnreadableError(
            f"cannot read {path}: {error.strerror or error}"
        ) from error
    except Exception as error:
        if path.suffix.lower() in PARQUET:
            raise UnreadableError(f"{path} is not a Parquet file: {error}") from error
        raise
    if frame.empty:
        raise UnreadableError(f"{path} has no row below its header")
    return frame


def _different(path: Path, names: list[str]) -> None:
    twice = next((name for i, name in enumerate(names) if name in names[:i]), None)
    if twice is not None:
        raise UnreadableError(f"{path}: two columns are called {twice!r}")


def _line(path: Path, row: int) -> str:
    """Where a row is, counted from 0 below the header: cells may hold line ends."""
    if path.suffix.lower() in PARQUET:
        return f"{path}, row {row + 1}"
    with path.open(encoding="utf-8-sig", newline="") as file:
        separator = max(SEPARATORS, key=file.readline().count)
        lines = csv.reader(file, delimiter=separator)
        begin = 2
        for _ in range(row):
            next(lines)
            begin = lines.line_num + 2
        return f"{path}, line {begin}"


def _uneven(path: Path, separator: str, error: Exception) -> str:
    """Where a line has more cells than the header, or else what pandas says."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        lines = csv.reader(file, delimiter=separator)
        width = len(next(lines))
        for cells in lines:
            if len(cells) > width:
                return (
                    f"{path}, line {lines.line_num}: {len(cells)} cells where the"
                    f" header has {width}"
                )
    return f"{path} is not a table: {' '.join(str(error).split())}"


def _texts(frame: pd.DataFrame) -> pd.DataFrame:
    """Cells of a typed table as texts; what is missing stays so."""
    frame = frame.reset_index() if frame.index.name else frame
    return frame.apply(lambda column: column.astype(object).map(_text)).rename(
        columns=str
    )


def _text(value: object) -> object:
    if value is None or value is pd.NA or value != value:
        return None
    return str(value) if str(value) else None


def _whole(path: Path, frame: pd.DataFrame, column: str) -> None:
    missing = frame[column].isna()
    if missing.any():
        raise UnreadableError(
            f"{_line(path, int(missing.argmax()))}: {column} is missing"
        )


def _numbers(path: Path, labels: pd.Series) -> pd.Series:
    """Whole numbers where all are, else numbers."""
    found = pd.to_numeric(labels, errors="coerce")
    bad = found.isna() & labels.notna()
    if bad.any():
        at = int(bad.argmax())
        raise UnreadableError(
            f"{_line(path, at)}: {labels.iloc[at]!r} is not a number, which this"
            " distance needs"
        )
    return found.astype(float)
