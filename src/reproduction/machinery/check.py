"""Run every test, the notebooks included, and compare what they write: `make test`.

Nothing is written into the tree: figures and tables go to a temporary folder
and are compared with the committed ones.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from . import paths, surroundings, warm

# One more than there are processors, since some tests wait for others' processes.
WORKERS = min((os.cpu_count() or 1) + 1, 8)
PYTEST = ["-q", "-n", str(WORKERS), "--dist", "loadfile"]
PYTEST += ["--no-loadscope-reorder"]  # in the order that tests/conftest.py gives
NBVAL = [
    "--nbval",
    "--nbval-current-env",
    "--nbval-cell-timeout=300",
    "--nbval-kernel-startup-timeout=300",  # a busy machine takes more than a minute
    f"--nbval-sanitize-with={paths.ROOT / 'tests' / 'nbval.ini'}",
    "-p",
    "no:randomly",
]


def main() -> int:
    folder = tempfile.mkdtemp(prefix="labelaudit-")
    os.environ |= {
        paths.FIGURES_VARIABLE: folder,
        "PYTHONDONTWRITEBYTECODE": "1",
        "HYPOTHESIS_STORAGE_DIRECTORY": str(Path(folder) / "hypothesis"),
    }
    try:
        # The notebooks first, in one call with the library's own tests; then the
        # comparison of the figures that they wrote.
        with warm.kernels():
            status = pytest(*PYTEST, *NBVAL, "tests", "src/labelaudit", "notebooks")
        return status or pytest("-q", "-p", "no:nbval", "tests/after_notebooks.py")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def pytest(*arguments: str) -> int:
    command = [sys.executable, "-m", "pytest", *arguments]
    return subprocess.run(command, cwd=paths.ROOT, check=False).returncode


if __name__ == "__main__":
    surroundings.prepare()
    sys.exit(main())
