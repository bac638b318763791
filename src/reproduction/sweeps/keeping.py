"""The sweeps kept in sweeps/: what `make sweep` runs, and what they gave."""

import argparse
import sys
from pathlib import Path

import pandas as pd

from labelaudit import commands

from ..machinery import paths, style, surroundings

SWEEPS = paths.ROOT / "sweeps"  # notebooks that a sweep runs, and their grids
SWEPT = paths.DATA / "sweeps"  # what those sweeps gave
RUN = paths.ROOT / "output" / "sweeps"  # where `make sweep` runs; git ignores it


def stems() -> list[str]:
    """All kept sweeps, by name."""
    return sorted(file.stem for file in SWEEPS.glob("*.toml"))


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
    kept = pd.read_csv(SWEPT / f"{stem}.csv")
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


def run(stem: str, *arguments: str) -> int:
    """Run one sweep and keep its results; the exit status of the sweep."""
    notebook, out = SWEEPS / f"{stem}.ipynb", RUN / stem
    asked = [str(notebook), "--grid", str(notebook.with_suffix(".toml"))]
    status = commands.main(["sweep", *asked, "--out", str(out), *arguments])
    if status == 0:
        keep(stem, out)
    return status


def keep(stem: str, out: Path) -> None:
    """Put the results where notebooks read them, without what each run has its own."""
    # Here, since notebooks read results, too, and it takes a second.
    from labelaudit.sweeps.grid import OWN_COLUMNS

    table = pd.read_csv(out / "results.csv")
    style.save_table(table.drop(columns=list(OWN_COLUMNS)), SWEPT, stem)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m reproduction.sweeps.keeping")
    parser.add_argument("stems", nargs="*", metavar="SWEEP", help="default: all")
    for name in ("--jobs", "--scheduler"):  # for labelaudit sweep
        parser.add_argument(name, type=f"{name}={{}}".format)
    options = parser.parse_args()
    others = [how for how in (options.jobs, options.scheduler) if how]
    unknown = set(options.stems) - set(stems())
    if unknown:
        parser.error(f"no such sweep: {', '.join(sorted(unknown))}")
    worst = 0
    for stem in options.stems or stems():
        print(f"{stem}:", flush=True)
        worst = max(worst, run(stem, *others))
    if worst == 0:
        print("Results are in data/sweeps; `make` draws their notebooks anew.")
    return worst


if __name__ == "__main__":
    surroundings.prepare()
    sys.exit(main())
