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
# Plugins by name: those that pytest finds itself are compiled anew in each process,
# since nothing that was compiled is kept.
PLUGINS = ["--disable-plugin-autoload", "-p", "xdist", "-p", "_hypothesis_pytestplugin"]
PYTEST = [*PLUGINS, "-q", "-n", str(WORKERS), "--dist", "loadfile"]
PYTEST += ["--no-loadscope-reorder"]  # in the order that tests/conftest.py gives
# Of one wing: no worker waits for a long file, and each has a processor. Not with
# notebooks, whose cells need those before them.
EVENLY = ["--dist", "worksteal", "-n", str(min(os.cpu_count() or 1, 8))]
NBVAL = [
    "-p",
    "nbval.plugin",
    "--nbval",
    "--nbval-current-env",
    "--nbval-cell-timeout=300",
    "--nbval-kernel-startup-timeout=300",  # a busy machine takes more than a minute
    f"--nbval-sanitize-with={paths.TESTS / 'nbval.ini'}",
]
EVERYTHING = ["tests", "src/labelaudit", "notebooks"]
AFTER = [*PLUGINS, "-q", "tests/after_notebooks.py"]


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
        "PYTHONDONTWRITEBYTECODE": "1",
        "HYPOTHESIS_STORAGE_DIRECTORY": str(Path(folder) / "hypothesis"),
    }
    try:
        # The notebooks in one call with the tests; then the comparison of the figures
        # that they wrote.
        how = NBVAL if with_notebooks else EVENLY if options.wing else []
        status = pytest(*PYTEST, *how, *chosen)
        return status or (pytest(*AFTER) if with_notebooks else 0)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def wings() -> list[str]:
    """The folders of tests; that of the notebooks has the notebooks themselves too."""
    folders = (path for path in paths.TESTS.iterdir() if [*path.glob("test_*.py")])
    return sorted(path.name for path in folders)


def wing(name: str) -> list[str]:
    """A wing's tests, and the examples in its part of the library, or the notebooks."""
    places = [f"tests/{name}", f"src/labelaudit/{name}"]
    places += [name] if name == paths.NOTEBOOKS.name else []
    return [place for place in places if (paths.ROOT / place).is_dir()]


def pytest(*arguments: str) -> int:
    command = [sys.executable, "-m", "pytest", *arguments]
    return subprocess.run(command, cwd=paths.ROOT, check=False).returncode


if __name__ == "__main__":
    surroundings.prepare()
    sys.exit(main())
