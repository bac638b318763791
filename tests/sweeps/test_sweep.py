"""Sweeps as users run them: the command, real notebooks, a real Dask cluster."""

import json
import re
import signal
import sys
from hashlib import sha256
from pathlib import Path

import psutil
import pytest

import labelaudit as la
import sweeping
from known import rows
from labelaudit.sweeps import running

pytestmark = sweeping.LEFT_LOOPS


def test_a_grid_with_one_failing_set(place, call, scheduler):
    text = "[vary]\nx = [1, 0]\n[fixed]\nword = 'yes'\n[[also]]\nn = 5\n"
    here = ("--scheduler", scheduler)
    status, out, told = call(place, text, *here)
    assert status == 1, told
    assert out == f"2 done, 1 failed: {place / 'out' / 'results.csv'}\n"
    error = "ZeroDivisionError: division by zero"
    assert f"failed: x = 0, word = 'yes': {error}" in told
    # A kernel may say something of its own on its way out.
    lines = re.findall(r"^\d+ (?:parameter|done).*", told, re.M)
    assert lines[0] == "3 parameter sets; 3 to run"
    assert lines[-1] == "2 done, 1 failed, 0 left"
    assert len(lines) > 2 and all(" left" in line for line in lines[1:])

    rows = sweeping.table(place)
    whole = sha256((place / "a.ipynb").read_bytes()).hexdigest()
    assert (rows.pop("seconds") > 0).all()
    notebooks = rows.pop("notebook")
    assert {name: [*map(str, rows[name])] for name in rows} == {
        "x": ["1.0", "0.0", "1.0"],
        "word": ["yes", "yes", "yes"],
        "n": ["3", "3", "5"],
        "status": ["done", "failed", "done"],
        "error": ["", error, ""],
        "library_version": [la.__version__] * 3,
        "notebook_hash": [whole] * 3,
        "sure": ["True", "", "True"],
        "told": ["yes", "", "yes"],
        "whole": ["3", "", "5"],
        "y": ["6.0", "", "6.0"],
    }
    kept = [(place / "out" / n).read_text(encoding="utf-8") for n in notebooks]
    assert "ZeroDivisionError" in kept[1]
    assert 'word = \\"yes\\"' in kept[0]

    # Again, with a larger grid: what failed and what is new is run, and nothing else.
    wider = text.replace("[1, 0]", "[1, 0, 2]")
    status, out, told = call(place, wider, *here)
    assert (status, out[:18]) == (1, "3 done, 1 failed: ")
    assert told.startswith("4 parameter sets, 2 done before; 2 to run\n")
    assert sweeping.table(place)["x"].tolist() == [1, 0, 2, 1.0]
    ran = [
        f"{what} {set}" for what in ("begin", "end") for set in ("1 3", "1.0 5", "2 3")
    ]
    assert sweeping.log(place) == dict.fromkeys(ran, 1) | {"begin 0 3": 2}

    status, out, _ = call(place, wider, *here, "--json")
    told = json.loads(out)
    assert (status, told["done"], told["failed"]) == (1, 3, 1)
    assert [one["y"] for one in told["rows"]] == [6, None, 3, 6]

    # What the grid has no longer is in the table no longer; all is done.
    status, _, told = call(place, text.replace("[1, 0]", "[2, 1]"), *here)
    assert (status, told) == (0, "3 parameter sets, 3 done before; nothing to run\n")
    assert sweeping.table(place)["x"].tolist() == [2, 1, 1.0]


def test_a_sweep_that_is_interrupted_while_it_starts_ends_with_a_sentence(place):
    with sweeping.start(place, "[vary]\nx = [1]\n") as driver:
        assert driver.stderr.readline() == "1 parameter set; 1 to run\n"
        driver.terminate()
        assert driver.stderr.readline() == "\n"
        assert driver.stderr.readline() == "stopping ...\n"
        driver.send_signal(signal.SIGINT)  # once more, while it closes
        rest = driver.stderr.read()  # communicate would miss what readline has read
    assert driver.returncode == 130, rest
    assert "Traceback" not in rest
    assert rest.endswith(
        "labelaudit sweep: interrupted; the same command again goes on from there\n"
    )


def test_each_way_to_fail_is_a_row_and_the_others_are_done(place, call, scheduler):
    """A kernel that dies, leaves or records amiss, and a runaway."""
    ways = """\
import os, sys
import labelaudit
if x == 0:
    os._exit(1)
if x == 1:
    sys.exit(0)
if x == 2:
    labelaudit.record(seconds=1)
heap = [bytearray(10**7) for _ in range(10**4 if x == 3 else 1)]
"""
    sweeping.notebook(place / "a.ipynb", cells=[ways])
    limits = ("--memory", "1GB", "--scheduler", scheduler)
    assert call(place, "[vary]\nx = [3, 0, 1, 2, 4]\n", *limits)[0] == 1
    rows = sweeping.table(place).set_index("x")
    assert rows["status"].tolist() == ["failed"] * 4 + ["done"]
    assert rows["error"][0].startswith("DeadKernelError: ")
    assert rows["error"][1].startswith("SystemExit: the notebook ended itself")
    assert rows["error"][2].startswith("ValueError: recorded 'seconds', the name of")
    assert rows["error"][3] == "MemoryError: it had more than 1,000,000,000 bytes"
    assert all((place / "out" / name).is_file() for name in rows["notebook"])


def test_a_set_that_hangs_is_ended_with_what_it_started(place, call, scheduler):
    sleep = f"import time; time.sleep(60)  # {place}"
    hangs = f"""\
import subprocess, sys, time
import labelaudit
labelaudit.record(begun=True)
subprocess.Popen([sys.executable, "-c", {sleep!r}])
time.sleep(60)
"""
    sweeping.notebook(place / "a.ipynb", cells=[hangs])
    limits = ("--timeout", "5", "--scheduler", scheduler)
    assert call(place, "[vary]\nx = [1]\n", *limits)[0] == 1
    (row,) = sweeping.table(place).to_dict("records")
    assert (row["status"], row["begun"]) == ("failed", True)
    assert row["error"] == "TimeoutError: it took more than 5 s"
    assert 5 < row["seconds"] < 40
    alive = [p.info["cmdline"] for p in psutil.process_iter(["cmdline"])]
    assert not [line for line in alive if line and str(place) in line[-1]]


@pytest.mark.parametrize(("given", "words"), rows("sweep_calls"))
def test_a_wrong_call_ends_before_anything_runs(place, given, words, monkeypatch, call):
    monkeypatch.setattr(running, "CONNECT", 0.5)
    given = eval(given)
    x = given.pop("x", "[1]")
    more = [part for k, v in given.items() for part in (f"--{k}", str(v))]
    status, out, told = call(place, f"[vary]\nx = {x}\n", *more)
    assert (status, out) == (2, "") and words in told
    assert "labelaudit sweep: " in told and "Traceback" not in told
    python = {"out": place / "out", "notebook": place / "a.ipynb"} | given
    with pytest.raises(ValueError, match=re.escape(words)):
        la.sweep(grid=place / "g.toml", **python)
    assert not sweeping.log(place)


@pytest.mark.parametrize(
    ("jobs", "sets", "workers"), [(None, 9, 4), (None, 1, 1), (2, 9, 2), (7, 5, 5)]
)
def test_workers_are_the_jobs_or_processors_and_not_more_than_sets(
    place, monkeypatch, jobs, sets, workers
):
    asked = []

    def cluster(n_workers, **_):
        asked.append(n_workers)
        raise RuntimeError("no processes here")

    monkeypatch.setattr(running, "LocalCluster", cluster)
    monkeypatch.setattr(running, "CPU_COUNT", 4)
    grid = {"vary": {"x": [*range(sets)]}}
    with pytest.raises(RuntimeError, match="no processes"):
        la.sweep(place / "a.ipynb", grid, place / "out", jobs=jobs)
    assert asked == [workers]


def test_without_dask_a_sentence_says_what_is_missing(place, monkeypatch, call):
    monkeypatch.setitem(sys.modules, "labelaudit.sweeps.running", None)
    status, _, told = call(place, "[vary]\nx = [1]\n")
    assert status == 2
    assert "labelaudit's extra [sweep] installs it" in told


def test_a_full_disk(place, call, scheduler, full_disk):
    """What was done before stays done."""
    full_disk(4)  # two writes of the folder, then a notebook and its record
    status, out, told = call(place, "[vary]\nx = [1, 2]\n", "--scheduler", scheduler)
    assert (status, out) == (2, "") and "Traceback" not in told
    assert "No space left on device" in told
    assert "the same command again goes on from there" in told
    assert [*sweeping.records(place).values()] == ["done"]


# In Python, and what a set leaves -----------------------------------------------------


WRITES = """\
import labelaudit as la
with open("told.txt", "w") as file:
    file.write(str(x))
la.record(y=6 / x)
"""


def test_a_sweep_in_python_gives_the_table_and_keeps_files(tmp_path, scheduler):
    path = sweeping.notebook(tmp_path / "a.ipynb", cells=[WRITES])
    tables = {"vary": {"x": [2, 0]}, "fixed": {"word": "yes"}}
    found = la.sweep(path, tables, tmp_path / "out", scheduler=scheduler)
    assert found["x"].tolist() == [2, 0]
    assert found["status"].tolist() == ["done", "failed"]
    assert found["y"][0] == 3 and found["error"][1].startswith("ZeroDiv")
    assert sweeping.table(tmp_path)["x"].tolist() == [2, 0]
    for row in found.itertuples():
        name = Path(row.notebook).stem
        told = tmp_path / "out" / "files" / name / "told.txt"
        assert told.read_text(encoding="utf-8") == str(row.x)
    assert not (tmp_path / "told.txt").exists()


def test_a_dry_run_tells_what_would_run_and_writes_nothing(tmp_path, call, scheduler):
    def said(grid):
        status, out, _ = call(tmp_path, grid, "--dry-run")
        assert status == 0
        return out

    path = sweeping.notebook(tmp_path / "a.ipynb", cells=[WRITES])
    grid = "[vary]\nx = [1, 0]\n"
    assert said(grid) == "x = 1: not run yet\nx = 0: not run yet\n2 to run, 0 done\n"
    assert not (tmp_path / "out").exists()
    la.sweep(path, tmp_path / "g.toml", tmp_path / "out", scheduler=scheduler)
    again = said("[vary]\nx = [1, 0, 3]\n")
    assert "x = 0: failed before: ZeroDivisionError" in again
    assert "x = 3: not run yet\n2 to run, 1 done\n" in again
    sweeping.notebook(tmp_path / "a.ipynb", cells=[WRITES + "z = 1\n"])
    assert said(grid).count("the code is another since it ran") == 2
    assert call(tmp_path, grid, "--dry-run", "--timeout", "inf")[0] == 2
    _, out, _ = call(tmp_path, grid, "--dry-run", "--json")
    told = json.loads(out)
    assert told["done"] == 0
    assert [one["parameters"] for one in told["to_run"]] == [{"x": 1}, {"x": 0}]
