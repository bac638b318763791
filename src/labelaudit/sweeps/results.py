"""The folder of a sweep: what is done stays done, whatever happens.

    results.csv         one row per parameter set of the grid that has run
    notebooks/NAME.ipynb   the executed notebooks, also those that failed
    files/NAME/         what a set wrote into its folder, such as figures
    runs/NAME.json      one record a run; the table is made from these

NAME is the hash of a set's parameters, and a record holds the hash of the code that
it was run with, so that a later sweep knows which runs still hold. A run's old record
goes before all else of it, and its new one comes last: a run is either whole here or
is run again.
"""

import json
import os
import shutil
import stat
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any, Self

import pandas as pd
from filelock import FileLock, Timeout

from .. import _whole
from ..files.sums import as_csv
from .grid import OWN_COLUMNS, ParameterSet
from .notebook import Notebook, refused
from .task import Outcome

DONE, FAILED = "done", "failed"
FOLDERS = NOTEBOOKS, FILES, RUNS = "notebooks", "files", "runs"

# What is kept of a run besides its notebook.
RECORD = {"code", "parameters", "values", *OWN_COLUMNS}


class Results:
    """The runs of a grid in a folder, as they are there now.

    As a context manager it holds the folder's lock, so that nobody else writes there.

    Raises
    ------
    ValueError
        Where the folder cannot be made or written to, another sweep has it, or the
        results of another notebook are there, or a results.csv that is no sweep's.
    """

    def __init__(
        self, folder: Path, sets: list[ParameterSet], source: Notebook, force: bool
    ) -> None:
        self.folder, self.table_file = folder, folder / "results.csv"
        self.sets, self.source, self.force = sets, source, force
        # Also those of other code.
        self._records: dict[str, dict[str, Any]] = {}
        for one in self.sets:
            with suppress(OSError, ValueError):  # never run, or half a record
                record = json.loads(self._run(one.name).read_text(encoding="utf-8"))
                if isinstance(record, dict) and record.keys() == RECORD:
                    self._records[one.name] = record

    def __enter__(self) -> Self:
        self._lock = FileLock(self.folder / ".lock", timeout=0)
        told, mine = self.folder / ".notebook", self.source.path.name
        if os.path.lexists(self.table_file):
            ours = self.force or (self.folder / RUNS).exists()
            if not ours or not stat.S_ISREG(self.table_file.lstat().st_mode):
                raise refused("other_results", file=self.table_file)
        try:
            for name in FOLDERS:
                (self.folder / name).mkdir(parents=True, exist_ok=True)
            before = told.read_text(encoding="utf-8") if told.exists() else mine
            if before != mine and not self.force:
                raise refused("other_notebook", folder=self.folder, name=before)
            self._lock.acquire()
            for name in (".", NOTEBOOKS, RUNS):
                for left in (self.folder / name).glob(f"*{_whole.PARTIAL}"):
                    left.unlink()
            _whole.write(told, mine.encode())
        except Timeout as error:
            raise refused("another_sweep", folder=self.folder) from error
        except OSError as error:
            self._lock.release()
            why = error.strerror or error
            raise refused("no_folder", folder=self.folder, why=why) from error
        return self

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def notebook(self, name: str) -> Path:
        return self.folder / NOTEBOOKS / f"{name}.ipynb"

    def _run(self, name: str) -> Path:
        return self.folder / RUNS / f"{name}.json"

    def why(self, one: ParameterSet) -> str:
        """Why a set is to be run; empty where it is done."""
        record = self._records.get(one.name)
        if record is None:
            return "not run yet"
        if record["code"] != self.source.code:
            return "the code is another since it ran"
        return "" if record["status"] == DONE else f"failed before: {record['error']}"

    def _ran(self) -> list[tuple[ParameterSet, dict[str, Any]]]:
        """The sets that have run with this code, and their records."""
        found = ((one, self._records.get(one.name)) for one in self.sets)
        return [(one, r) for one, r in found if r and r["code"] == self.source.code]

    def left(self) -> list[ParameterSet]:
        """The sets that are not done, those that failed among them."""
        return [one for one in self.sets if self.why(one)]

    def count(self, status: str) -> int:
        return sum(record["status"] == status for _, record in self._ran())

    def add(self, one: ParameterSet, outcome: Outcome) -> None:
        """Keep a run: its files and notebook, then its record."""
        path = self.notebook(one.name)
        for old in (self._run(one.name), path):
            old.unlink(missing_ok=True)
        files = self.folder / FILES / one.name
        if files.exists():
            shutil.rmtree(files)
        for name, data in outcome.files.items():
            place = files / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
        if outcome.notebook is not None:
            _whole.write(path, outcome.notebook.encode())
        record = {
            "code": self.source.code,
            "parameters": one.given,
            "status": FAILED if outcome.error else DONE,
            "error": outcome.error,
            "seconds": round(outcome.seconds, 3),
            "values": outcome.values,
            "notebook": f"{NOTEBOOKS}/{path.name}" if outcome.notebook else "",
            "library_version": version("labelaudit"),
            "notebook_hash": self.source.hash,
        }
        text = json.dumps(record, indent=1, ensure_ascii=False)
        _whole.write(self._run(one.name), f"{text}\n".encode())
        self._records[one.name] = record

    def write_table(self) -> None:
        """Write results.csv, with nothing in it that a spreadsheet would calculate."""
        _whole.write(self.table_file, as_csv(self.table()).encode())

    def table(self) -> pd.DataFrame:
        """One row per set that has run, in the order of the grid."""
        ran = self._ran()
        recorded = dict.fromkeys(name for _, r in ran for name in r["values"])
        given = dict.fromkeys(name for one in self.sets for name in one.given)
        columns = {k: [_plain(one.whole[k]) for one, _ in ran] for k in given}
        columns |= {k: [record[k] for _, record in ran] for k in OWN_COLUMNS}
        columns |= {k: [record["values"].get(k) for _, record in ran] for k in recorded}
        return pd.DataFrame({name: _column(v) for name, v in columns.items()})


def _plain(value: Any) -> Any:
    lists = isinstance(value, (list, dict))
    return json.dumps(value, ensure_ascii=False) if lists else value


def _column(values: list[Any]) -> pd.Series:
    """Booleans, whole numbers, numbers or texts: the narrowest that holds them all."""
    # As la.record stores them, infinities are texts.
    if all(v in ("inf", "-inf") for v in values if isinstance(v, str)):
        values = [float(v) if isinstance(v, str) else v for v in values]
    kinds = {type(value) for value in values if value is not None}
    small = all(abs(v) < 2**63 for v in values if isinstance(v, int))
    if kinds == {bool}:
        return pd.Series(values, dtype="boolean")
    if kinds <= {int, float} and small:
        return pd.Series(values, dtype="Int64" if kinds == {int} else "float64")
    texts = [v if v is None or isinstance(v, str) else repr(v) for v in values]
    return pd.Series(texts, dtype=object)
