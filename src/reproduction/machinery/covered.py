"""What of the library its tests run, without the notebooks: `make coverage`.

Lines and branches are counted, also those that subprocesses run.
Nothing is written into the tree.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from . import check, paths, surroundings

LEAST = 0.95  # of the branches


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="labelaudit-") as folder:
        os.environ |= {
            "COVERAGE_FILE": str(Path(folder) / "coverage"),
            "COVERAGE_RCFILE": str(paths.ROOT / "pyproject.toml"),
            paths.FIGURES_VARIABLE: str(Path(folder) / "figures"),
        }
        tests = ["-m", "pytest", *check.PYTEST, "tests", "src/labelaudit"]
        failed = coverage("run", *tests, "--ignore=tests/after_notebooks.py")
        coverage("combine", "--quiet")
        table = Path(folder, "coverage.json")
        few = coverage("report")
        coverage("json", "--quiet", "-o", str(table))
        total = json.loads(table.read_text(encoding="utf-8"))["totals"]
        share = total["covered_branches"] / total["num_branches"]
        print(f"branches alone: {share:.1%}")
        return failed or few or int(share < LEAST)


def coverage(*arguments: str) -> int:
    command = [sys.executable, "-m", "coverage", *arguments]
    return subprocess.run(command, cwd=paths.ROOT, check=False).returncode


if __name__ == "__main__":
    surroundings.prepare()
    sys.exit(main())
