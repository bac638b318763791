"""The sweeps kept in sweeps/: what `make sweep` runs, and what they gave."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

import pandas as pd

from labelaudit.sweeps.grid import OWN_COLUMNS

from ..machinery import paths, style, surroundings


def stems() -> list[str]:
    """All kept sweeps, by name."""
    return sorted(file.stem for file in paths.SWEEPS.glob("*.toml"))


def results(stem: str, given: str = "") -> pd.DataFrame:
    """What a sweep gave: parameters and recorded values, one row per parameter set.

    Parameters
    ----------
    stem : str
        A kept sweep.
    given : str
        The results.csv of a sweep of the same notebook over another grid.

    Raises
    ------
    ValueError
        Where the file lacks a column of the kept results, or all its sets failed.
    """
    kept = pd.read_csv(paths.SWEPT / f"{stem}.csv")
    if not given:
        return kept
    table = pd.read_csv(given)
    missing = [name for name in kept.columns if name not in table]
    if missing:
        raise ValueError(f"{given} has no column {missing[0]!r}")
    if "status" in table:
        table = table[table["status"] == "done"]
    if table.empty:
        raise ValueError(f"{given} has no set that is done")
    return table[kept.columns].reset_index(drop=True)


def run(stem: str, arguments: list[str]) -> int:
    """Run one sweep and keep its results; the exit status of the sweep."""
    out = paths.sweep_output(stem)
    status = subprocess.run(
        [sys.executable, "-m", "labelaudit", "sweep"]
        + [str(paths.SWEEPS / f"{stem}.ipynb")]
        + ["--grid", str(paths.SWEEPS / f"{stem}.toml"), "--out", str(out)]
        + arguments,
        check=False,
    ).returncode
    if status == 0:
        keep(stem, out)
    return status


def keep(stem: str, out: Path) -> None:
    """Put the results where notebooks read them, without what each run has its own."""
    table = pd.read_csv(out / "results.csv")
    style.save_table(table.drop(columns=list(OWN_COLUMNS)), paths.SWEPT, stem)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m reproduction.sweeps.keeping")
    parser.add_argument("stems", nargs="*", metavar="SWEEP", help="default: all")
    parser.add_argument("--jobs")
    parser.add_argument("--scheduler")
    options = parser.parse_args()
    unknown = set(options.stems) - set(stems())
    if unknown:
        parser.error(f"no such sweep: {', '.join(sorted(unknown))}")
    where = []
    for name in ("jobs", "scheduler"):
        if getattr(options, name):
            where += [f"--{name}", getattr(options, name)]
    worst = 0
    for stem in options.stems or stems():
        print(f"{stem}:", flush=True)
        worst = max(worst, run(stem, where))
    if worst == 0:
        print("Results are in data/sweeps; `make` draws their notebooks anew.")
    return worst


if __name__ == "__main__":
    surroundings.prepare()
    sys.exit(main())
