"""The folder of a sweep: what is done stays done, whatever happens.

    results.csv         one row per parameter set of the grid, as soon as it has run
    results.parquet     the same, where pyarrow is installed
    notebooks/NAME.ipynb   the executed notebooks, also those that failed
    files/NAME/         what a set wrote into its folder, such as figures
    runs/NAME.json      one record a run; the table is made from these

NAME is the hash of a set's parameters, and a record holds the hash of the code that
it was run with, so that a later sweep knows which runs still hold. Every file is
written beside its place and then renamed, the record last: a run is either whole
here or is run again.
"""

from __future__ import annotations

import json
import shutil
import time
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pandas as pd
from filelock import FileLock, Timeout

from .. import _whole
from .grid import OWN_COLUMNS, Grid, ParameterSet
from .notebook import Code, Refused
from .task import Outcome

DONE, FAILED = "done", "failed"

# The table is written anew when this many times its last writing time has passed.
SELDOM = 20


@dataclass(frozen=True)
class Record:
    """What is kept of a run besides its notebook."""

    code: str
    parameters: dict[str, Any]
    status: str
    error: str
    seconds: float
    values: dict[str, Any]
    notebook: str


class Results:
    """The runs of a grid in a folder that nobody else writes to.

    Use as a context manager: it holds the folder's lock.

    Raises
    ------
    Refused
        Where the folder cannot be made or written to, or another sweep has it.
    """

    def __init__(self, folder: str | Path, grid: Grid, code: str) -> None:
        self.folder = Path(folder)
        self.grid, self.code = grid, code
        self.records: dict[str, Record] = {}
        self._lock = FileLock(self.folder / ".lock", timeout=0)
        self._next, self._behind = 0.0, False

    def __enter__(self) -> Results:
        try:
            for folder in (self._notebooks, self._runs, self._files):
                folder.mkdir(parents=True, exist_ok=True)
            self._lock.acquire()
        except Timeout as error:
            raise Refused(
                f"another sweep is writing to {self.folder}; wait for it, or choose"
                " another --out"
            ) from error
        except OSError as error:
            raise _unwritable(self.folder, error) from error
        try:
            for part in (self.folder, self._notebooks, self._runs):
                for left in part.glob(f"*{_whole.PARTIAL}"):
                    left.unlink()
            for left in self._files.glob(f"*{_whole.PARTIAL}"):
                shutil.rmtree(left)
            self._read()
        except OSError as error:
            self._lock.release()
            raise _unwritable(self.folder, error) from error
        except BaseException:
            self._lock.release()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    @property
    def _notebooks(self) -> Path:
        return self.folder / "notebooks"

    @property
    def _runs(self) -> Path:
        return self.folder / "runs"

    @property
    def _files(self) -> Path:
        return self.folder / "files"

    @property
    def table_file(self) -> Path:
        return self.folder / "results.csv"

    def notebook(self, name: str) -> Path:
        return self._notebooks / f"{name}.ipynb"

    def _read(self) -> None:
        for one in self.grid.sets:
            record = _record(self.folder, one)
            if record and record.code == self.code:
                self.records[one.name] = record

    def left(self) -> list[ParameterSet]:
        """The sets that are not done, those that failed among them."""
        return [
            one
            for one in self.grid.sets
            if one.name not in self.records or self.records[one.name].status != DONE
        ]

    def count(self, status: str) -> int:
        return sum(record.status == status for record in self.records.values())

    def add(self, one: ParameterSet, outcome: Outcome) -> None:
        """Keep a run: its files and notebook, then its record, then the table."""
        self._keep_files(one.name, outcome.files)
        kept = self.notebook(one.name)
        if outcome.notebook is None:
            kept.unlink(missing_ok=True)
        else:
            _write(kept, outcome.notebook)
        record = Record(
            self.code,
            one.given,
            FAILED if outcome.error else DONE,
            outcome.error,
            round(outcome.seconds, 3),
            outcome.values,
            "" if outcome.notebook is None else f"{kept.parent.name}/{kept.name}",
        )
        text = json.dumps(asdict(record), indent=1, ensure_ascii=False)
        _write(self._runs / f"{one.name}.json", text + "\n")
        self.records[one.name] = record
        self._behind = True
        self.catch_up()

    def _keep_files(self, name: str, files: dict[str, bytes]) -> None:
        whole = self._files / name
        partial = self._files / f"{name}{_whole.PARTIAL}"
        for old in (partial, whole):
            if old.exists():
                shutil.rmtree(old)
        if not files:
            return
        for path, data in files.items():
            place = partial / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
        partial.rename(whole)

    def catch_up(self) -> None:
        """Write the table if it lacks a run, but not all the time."""
        begin = time.monotonic()
        if self._behind and begin >= self._next:
            self.write_table()
            now = time.monotonic()
            self._next = now + SELDOM * (now - begin)

    def write_table(self) -> None:
        """Write results.csv, and results.parquet where pyarrow is installed."""
        table = self.table()
        self._behind = False
        _write(self.table_file, table.to_csv(index=False, lineterminator="\n"))
        if find_spec("pyarrow") is not None:
            _write(self.folder / "results.parquet", table.to_parquet(index=False))

    def table(self) -> pd.DataFrame:
        """One row per set that has run, in the order of the grid."""
        ran = [one for one in self.grid.sets if one.name in self.records]
        records = [self.records[one.name] for one in ran]
        columns: dict[str, list[Any]] = {
            name: [_plain(one.whole[name]) for one in ran] for name in self.grid.names
        }
        for name in OWN_COLUMNS:
            columns[name] = [getattr(record, name) for record in records]
        recorded = dict.fromkeys(name for r in records for name in r.values)
        for name in recorded:
            columns[name] = [record.values.get(name) for record in records]
        return pd.DataFrame({name: _column(v) for name, v in columns.items()})


def _record(folder: Path, one: ParameterSet) -> Record | None:
    """What is kept of a set, by whatever code it ran; None: it is to be run."""
    try:
        text = (folder / "runs" / f"{one.name}.json").read_text(encoding="utf-8")
        return Record(**json.loads(text))
    except (OSError, ValueError, TypeError):
        return None  # never run, or not a record


def why(folder: str | Path, one: ParameterSet, code: str) -> str:
    """Why a set would be run; empty where it is done. Writes nothing."""
    record = _record(Path(folder), one)
    if record is None:
        return "not run yet"
    if record.code != code:
        return "the code is another since it ran"
    return "" if record.status == DONE else f"failed before: {record.error}"


def _plain(value: Any) -> Any:
    if isinstance(value, Code):
        return value.source
    if isinstance(value, (list, dict)):
        return json.dumps(value, ensure_ascii=False)
    return value


def _column(values: list[Any]) -> pd.Series:
    """Booleans, whole numbers, numbers or texts: the narrowest that holds them all."""
    infinite = {"inf", "-inf"}  # as la.record stores them
    if all(v in infinite for v in values if isinstance(v, str)):
        values = [float(v) if isinstance(v, str) else v for v in values]
    kinds = {type(value) for value in values if value is not None}
    if kinds <= {bool} and kinds:
        return pd.Series(values, dtype="boolean")
    small = all(abs(v) < 2**63 for v in values if isinstance(v, int))
    if kinds <= {int} and kinds and small:
        return pd.Series(values, dtype="Int64")
    if kinds <= {int, float} and small:
        return pd.Series(values, dtype="float64")
    return pd.Series(
        [None if v is None else v if isinstance(v, str) else repr(v) for v in values],
        dtype=object,
    )


def _write(path: Path, data: str | bytes) -> None:
    _whole.write(path, data.encode() if isinstance(data, str) else data)


def _unwritable(folder: Path, error: OSError) -> Refused:
    return Refused(f"cannot write to {folder}: {error.strerror or error}")
