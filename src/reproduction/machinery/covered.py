"""Which branches of the library its tests take, without the notebooks: `make coverage`.

What subprocesses and kernels run is counted; nothing is written into the tree.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from . import check, paths, surroundings


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="labelaudit-") as folder:
        os.environ |= {
            "COVERAGE_FILE": str(Path(folder) / "coverage"),
            "COVERAGE_RCFILE": str(paths.ROOT / "pyproject.toml"),
            paths.FIGURES_VARIABLE: str(Path(folder) / "figures"),
        }
        tests = ["-m", "pytest", *check.PYTEST, "tests", "src/labelaudit"]
        return (
            coverage("run", *tests, "--ignore=tests/after_notebooks.py")
            or coverage("combine", "--quiet")
            or coverage("report")
        )


def coverage(*arguments: str) -> int:
    command = [sys.executable, "-m", "coverage", *arguments]
    return subprocess.run(command, cwd=paths.ROOT, check=False).returncode


if __name__ == "__main__":
    surroundings.prepare()
    sys.exit(main())
