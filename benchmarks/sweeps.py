"""Time `labelaudit sweep` beside papermill in a loop: `python benchmarks/sweeps.py`.

The notebook computes for about two seconds. The loop is what one would write
without a sweep: one Python process, one notebook after the other. From it: what a
sweep adds to each set with one worker, and how much faster two workers are. One
run of each; a machine with less than two free cores shows less.
"""

import os
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import nbformat

WORK = 2.0  # seconds of computing in each notebook
SETS = (8, 32)
WORKERS = (1, 2)

CELL = """\
import time
import labelaudit as la
end = time.process_time() + work
while time.process_time() < end:
    sum(i * i for i in range(10_000))
la.record(twice=2 * x)
"""

LOOP = """\
import logging, sys
import papermill
logging.disable(logging.ERROR)
for x in range(int(sys.argv[2])):
    papermill.execute_notebook(
        sys.argv[1], sys.argv[3], {"x": x}, progress_bar=False
    )
"""


def timed(command: list[str]) -> float:
    begin = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    return time.perf_counter() - begin


def main() -> None:
    print(f"{platform.machine()}, {os.cpu_count()} cores\n")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        notebook = nbformat.v4.new_notebook()
        notebook.metadata.kernelspec = {
            "name": "python3",
            "language": "python",
            "display_name": "Python 3",
        }
        first = f"x = 0  # a number\nwork = {WORK}  # seconds\n"
        notebook.cells = [
            nbformat.v4.new_code_cell(first, metadata={"tags": ["parameters"]}),
            nbformat.v4.new_code_cell(CELL),
        ]
        path = folder / "work.ipynb"
        nbformat.write(notebook, path)
        print(f"{'sets':>4}  {'papermill in a loop':>20}", end="")
        print("".join(f"{f'sweep, {n} worker' + 's' * (n > 1):>18}" for n in WORKERS))
        for sets in SETS:
            (folder / "grid.toml").write_text(
                f"[vary]\nx = {list(range(sets))}\n", encoding="utf-8"
            )
            once = [str(path), str(sets), str(folder / "o.ipynb")]
            loop = timed([sys.executable, "-c", LOOP, *once])
            swept = []
            for workers in WORKERS:
                out = folder / f"out-{sets}-{workers}"
                command = [sys.executable, "-m", "labelaudit", "sweep", str(path)]
                command += ["--grid", str(folder / "grid.toml"), "--out", str(out)]
                swept.append(timed([*command, "--jobs", str(workers)]))
            print(f"{sets:4}  {loop:18.1f} s" + "".join(f"{t:16.1f} s" for t in swept))
            added = (swept[0] - loop) / sets
            print(f"      one worker adds {added:+.2f} s a set to the loop's", end=" ")
            print(f"{loop / sets:.2f} s;", end=" ")
            print(f"two are {swept[0] / swept[1]:.2f} times as fast")


if __name__ == "__main__":
    main()
