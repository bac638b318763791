"""Notebooks, grids and commands for the tests of sweeps."""

import json
import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import nbformat
import pandas as pd
import psutil
import pytest

PROGRAM = [sys.executable, "-m", "labelaudit"]
WAIT = 300  # seconds; a busy machine is slow
PIPES = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}

# A thread of a worker leaves the event loop of each set to be collected.
LEFT_LOOPS = pytest.mark.filterwarnings(
    "ignore:unclosed event loop:ResourceWarning",
    r"ignore:unclosed <socket.socket fd=\d+, family=1,:ResourceWarning",
)

PARAMETERS = """\
x = 1.0  # a number
n: int | None = 3  # a whole number
word = "no"  # a text
pause = 0.0  # seconds
"""

# Each run leaves a line in the file that the test names.
BODY = """\
import os, time
with open(os.environ["RUN_LOG"], "a") as log:
    log.write(f"begin {x} {n}\\n")
time.sleep(pause)
"""

END = """\
import os
import labelaudit as la
y = 6 / x
with open(os.environ["RUN_LOG"], "a") as log:
    log.write(f"end {x} {n}\\n")
la.record(y=y, told=word, whole=n, sure=True)
"""


def notebook(path, parameters=PARAMETERS, cells=(BODY, END), tag="parameters", more=1):
    """Write a notebook; return its path."""
    made = nbformat.v4.new_notebook()
    tags = {"metadata": {"tags": [tag]}}
    first = [nbformat.v4.new_code_cell(parameters, **tags) for _ in range(more)]
    made.cells = [nbformat.v4.new_markdown_cell("# A test"), *first]
    made.cells += [nbformat.v4.new_code_cell(source) for source in cells]
    nbformat.write(made, path)
    return path


def edited(path, change, **parts):
    """A notebook after a change of its JSON."""
    made = json.loads(notebook(path, **parts).read_text(encoding="utf-8"))
    change(made)
    path.write_text(json.dumps(made), encoding="utf-8")


def grid(path, text):
    Path(path).write_text(text, encoding="utf-8")
    return path


def environment(place):
    return os.environ | {"RUN_LOG": str(place / "log"), "PYTHONUNBUFFERED": "1"}


def arguments(place, text, *more):
    """Of a sweep of the notebook over this grid."""
    grid(place / "g.toml", text)
    paths = [str(place / "a.ipynb"), "--grid", str(place / "g.toml")]
    out = [] if "--out" in more else ["--out", str(place / "out")]
    return ["sweep", *paths, *out, *more]


def command(place, text, *more):
    return [*PROGRAM, *arguments(place, text, *more)]


def run(place, text, *more, **variables):
    how = {"env": environment(place) | variables, "timeout": WAIT, "check": False}
    return subprocess.run(command(place, text, *more), **PIPES, **how)


def start(place, text, *more):
    how = PIPES | {"env": environment(place)}
    return subprocess.Popen(command(place, text, *more), **how)


def ended(driver):
    """What a started command says, once it has ended, and all that it started."""
    family = [psutil.Process(driver.pid)]
    family += family[0].children(recursive=True)
    try:
        return driver.communicate(timeout=WAIT)
    except subprocess.TimeoutExpired:
        alive = [each for each in family if each.is_running()]
        told = "; ".join(map(str, alive))  # with names and states
        for each in alive:
            each.kill()
        driver.communicate()
        pytest.fail(f"after {WAIT} s these are there: {told}")


def table(place):
    return pd.read_csv(place / "out" / "results.csv", keep_default_na=False)


def log(place):
    """How often each run began and ended, by its line."""
    path = place / "log"
    return (
        Counter(path.read_text(encoding="utf-8").splitlines())
        if path.exists()
        else Counter()
    )


def records(place):
    """The status of each run, by its x."""
    paths = (place / "out" / "runs").glob("*.json")
    found = [json.loads(path.read_text(encoding="utf-8")) for path in paths]
    return {one["parameters"]["x"]: one["status"] for one in found}


def until(condition, what):
    end = time.monotonic() + WAIT
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.05)
    pytest.fail(f"waited {WAIT} s for {what}")
