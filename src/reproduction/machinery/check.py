"""Run every test, the notebooks included, and compare what they write: `make test`.

With a wing only its tests; with --changed those of the wings that a change since main
can reach, and the notebooks that were not made since: `make check`. Nothing is written
into the tree: figures and tables go to a temporary folder and are compared with the
committed ones.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from . import notebooks, paths, surroundings

# One more than there are processors, since some tests wait for others' processes.
WORKERS = min((os.cpu_count() or 1) + 1, 8)
# Plugins by name, whatever else there is; the first so that nbval's imports are short.
PYTEST = [sys.executable, "-m", "pytest", "-q", "--disable-plugin-autoload"]
PYTEST += ["-p", "reproduction.machinery"]
PYTEST += ["-p", "xdist", "-p", "_hypothesis_pytestplugin"]
# In the order that tests/conftest.py gives.
FILES = ["-n", str(WORKERS), "--dist", "loadfile", "--no-loadscope-reorder"]
# Of one wing, and how many workers: none waits for a long file.
EVENLY = ["--dist", "load", "--maxschedchunk", "1", "-n"]
# With notebooks, whose cells need those before them; a busy machine takes over a minute
# to start a kernel.
NBVAL = [*FILES, "-p", "nbval.plugin", "--nbval", "--nbval-current-env"]
NBVAL += ["--nbval-cell-timeout=300", "--nbval-kernel-startup-timeout=300"]
NBVAL += [f"--nbval-sanitize-with={paths.TESTS / 'nbval.ini'}"]
EVERYTHING = ["tests", "src/labelaudit", "notebooks"]
# The library's wings: each imports no other than those before it.
UPWARDS = ["laws", "plans", "intervals", "agreement"]
UPWARDS += ["files", "reports", "sweeps", "commands"]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m reproduction.machinery.check")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--wing", choices=wings(), help="the tests of one wing")
    which.add_argument("--changed", action="store_true", help="what a change reaches")
    options = parser.parse_args()
    chosen = reached(changed()) if options.changed else EVERYTHING
    if options.wing:
        chosen = wing(options.wing) + ["notebooks"] * (options.wing == "notebooks")
    if not chosen:
        print("nothing changed since the last commit on main")
        return 0
    with_notebooks = any(path.startswith("notebooks") for path in chosen)
    evenly = [*EVENLY, str(WORKERS - (options.wing != "sweeps"))]  # which wait
    how = NBVAL if with_notebooks else evenly if options.wing else FILES
    with tempfile.TemporaryDirectory(prefix="labelaudit-") as folder:
        os.environ[paths.FIGURES_VARIABLE] = folder
        os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = str(Path(folder) / "hypothesis")
        # The notebooks in one call with the tests; then the comparison of the figures
        # that they wrote.
        status = pytest(*how, *chosen)
        return status or (with_notebooks and pytest("tests/after_notebooks.py"))


def changed() -> list[str]:
    """Files that are not as in the last commit on main, new ones among them."""
    names = ""
    for asked in ("diff --name-only main", "ls-files --others --exclude-standard"):
        git = ["git", *asked.split(), "-z"]
        names += subprocess.check_output(git, cwd=paths.ROOT, text=True)
    return [name for name in names.split("\0") if name]


def reached(changes: list[str]) -> list[str]:
    """What pytest is to run for these changes, as paths in the repository."""
    if not changes:
        return []
    found = {"repo"}
    for change in changes:
        match Path(change).parts:
            case ("src", "labelaudit", name, _, *_):
                found |= {*UPWARDS[UPWARDS.index(name) :], "reproduction"}
            case ("tests", name, _, *_) if name in wings():
                found.add(name)
            case ("src", "labelaudit", _) | ("tests", *_):
                return EVERYTHING[:2]
            case ("src" | "data" | "notebooks", *_):
                found |= {"reproduction", "notebooks"}
    stale = [stem for stem in notebooks.stems() if notebooks.changed(stem)]
    places = [place for name in sorted(found) for place in wing(name)]
    return places + [f"notebooks/{stem}.ipynb" for stem in stale]


def wings() -> list[str]:
    """The folders of tests."""
    folders = (path for path in paths.TESTS.iterdir() if [*path.glob("test_*.py")])
    return sorted(path.name for path in folders)


def wing(name: str) -> list[str]:
    """A wing's tests, and the examples in its part of the library."""
    places = (f"tests/{name}", f"src/labelaudit/{name}")
    return [place for place in places if (paths.ROOT / place).is_dir()]


def pytest(*arguments: str) -> int:
    how = {"cwd": paths.ROOT, "check": False}
    return subprocess.run([*PYTEST, *arguments], **how).returncode


if __name__ == "__main__":
    surroundings.prepare()
    sys.exit(main())
