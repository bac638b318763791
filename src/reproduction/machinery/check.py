"""Run every test, the notebooks included, and compare what they write: `make test`.

With a wing, or with --changed, only its tests, or those that a change can reach:
`make check`. Nothing is written into the tree: figures and tables go to a temporary
folder and are compared with the committed ones.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from . import paths, surroundings

# One more than there are processors, since some tests wait for others' processes.
WORKERS = min((os.cpu_count() or 1) + 1, 8)
PYTEST = ["-q", "-n", str(WORKERS), "--dist", "loadfile"]
PYTEST += ["--no-loadscope-reorder"]  # in the order that tests/conftest.py gives
EVENLY = ["--dist", "worksteal"]  # of one wing: no worker waits for a long file
NBVAL = [
    "--nbval",
    "--nbval-current-env",
    "--nbval-cell-timeout=300",
    "--nbval-kernel-startup-timeout=300",  # a busy machine takes more than a minute
    f"--nbval-sanitize-with={paths.TESTS / 'nbval.ini'}",
    "-p",
    "no:randomly",
]
EVERYTHING = ["tests", "src/labelaudit", "notebooks"]
PLAIN = ["-p", "no:nbval"]  # which takes two seconds to start
AFTER = ["-q", *PLAIN, "tests/after_notebooks.py"]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m reproduction.machinery.check")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--wing", choices=wings(), help="the tests of one wing")
    which.add_argument(
        "--changed", action="store_true", help="what a change since main can reach"
    )
    options = parser.parse_args()
    chosen = EVERYTHING
    if options.wing:
        chosen = wing(options.wing)
    elif options.changed:
        from . import reach

        chosen = reach.reached(reach.changed())
        if not chosen:
            print("nothing changed since the last commit on main")
            return 0
        print(f"a change since the last commit on main can reach {len(chosen)} places")
    with_notebooks = [path for path in chosen if path.startswith("notebooks")]
    folder = tempfile.mkdtemp(prefix="labelaudit-")
    os.environ |= {
        paths.FIGURES_VARIABLE: folder,
        "HYPOTHESIS_STORAGE_DIRECTORY": str(Path(folder) / "hypothesis"),
    }
    try:
        # The notebooks in one call with the tests; then the comparison of the figures
        # that they wrote.
        how = NBVAL if with_notebooks else PLAIN
        how = [*how, *EVENLY] if options.wing else how
        status = pytest(*PYTEST, *how, *chosen)
        return status or (pytest(*AFTER) if with_notebooks else 0)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        copies = Path(f"{sys.pycache_prefix}{tempfile.gettempdir()}")  # tests made them
        for left in copies.glob("pytest-of-*"):
            shutil.rmtree(left, ignore_errors=True)


def wings() -> list[str]:
    """The folders of tests, and the notebooks."""
    found = (path.name for path in paths.TESTS.iterdir() if [*path.glob("test_*.py")])
    return sorted([*found, paths.NOTEBOOKS.name])


def wing(name: str) -> list[str]:
    """A wing's tests, and the examples in its part of the library."""
    if name == paths.NOTEBOOKS.name:
        return [name]
    places = [f"tests/{name}", f"src/labelaudit/{name}"]
    return [place for place in places if (paths.ROOT / place).is_dir()]


def pytest(*arguments: str) -> int:
    command = [sys.executable, "-m", "pytest", *arguments]
    return subprocess.run(command, cwd=paths.ROOT, check=False).returncode


if __name__ == "__main__":
    surroundings.prepare()
    sys.exit(main())
