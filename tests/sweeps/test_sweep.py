"""Sweeps as users run them: the command, real notebooks, a real Dask cluster."""

import json
import re
import signal
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pandas as pd
import pytest

import labelaudit as la
import sweeping
from labelaudit.sweeps import place as surroundings, running

# A thread of a worker leaves the event loop of each set to be collected.
pytestmark = pytest.mark.filterwarnings(
    "ignore:unclosed event loop:ResourceWarning",
    r"ignore:unclosed <socket.socket fd=\d+, family=1,:ResourceWarning",
)


def test_a_grid_with_one_failing_set(place, call, scheduler):
    text = "[vary]\nx = [1, 0]\n[fixed]\nword = 'yes'\n[[also]]\nn = 5\n"
    here = ("--scheduler", scheduler)
    status, out, told = call(place, text, *here)
    assert status == 1, told
    assert out == f"2 done, 1 failed: {place / 'out' / 'results.csv'}\n"
    error = "ZeroDivisionError: division by zero"
    assert f"failed: word = 'yes', x = 0: {error}" in told
    # A kernel may say something of its own on its way out.
    lines = re.findall(r"^\d+ (?:parameter|done).*", told, re.M)
    assert lines[0] == "3 parameter sets; 3 to run"
    assert lines[-1] == "2 done, 1 failed, 0 left"
    assert len(lines) > 2 and all(" left" in line for line in lines[1:])

    rows = sweeping.table(place)
    assert rows.columns.tolist() == (
        ["x", "word", "n", "status", "error", "seconds", "notebook"]
        + ["library_version", "notebook_hash", "sure", "told", "whole", "y"]
    )
    assert {*rows["library_version"]} == {la.__version__}
    whole = sha256((place / "a.ipynb").read_bytes()).hexdigest()
    assert {*rows["notebook_hash"]} == {whole}
    assert rows["x"].tolist() == [1, 0, 1.0]
    assert rows["n"].tolist() == [3, 3, 5]
    assert rows["status"].tolist() == ["done", "failed", "done"]
    assert rows["error"].tolist() == ["", error, ""]
    assert rows["y"].astype(str).tolist() == ["6.0", "", "6.0"]
    assert rows["told"].tolist() == ["yes", "", "yes"]
    assert rows["sure"].astype(str).tolist() == ["True", "", "True"]
    assert (rows["seconds"] > 0).all()
    kept = [
        (place / "out" / name).read_text(encoding="utf-8") for name in rows["notebook"]
    ]
    assert "ZeroDivisionError" in kept[1]
    assert 'word = \\"yes\\"' in kept[0]

    # Again, with a larger grid: what failed and what is new is run, and nothing else.
    wider = text.replace("[1, 0]", "[1, 0, 2]")
    status, out, told = call(place, wider, *here)
    assert (status, out[:18]) == (1, "3 done, 1 failed: ")
    assert told.startswith("4 parameter sets, 2 done before; 2 to run\n")
    assert sweeping.table(place)["x"].tolist() == [1, 0, 2, 1.0]
    assert sweeping.log(place) == {
        **{
            f"{what} {x} {n}": 1
            for what in ("begin", "end")
            for x, n in ((1, 3), (1.0, 5), (2, 3))
        },
        "begin 0 3": 2,
    }

    status, out, _ = call(place, wider, *here, "--json")
    told = json.loads(out)
    assert (status, told["done"], told["failed"]) == (1, 3, 1)
    assert [one["y"] for one in told["rows"]] == [6, None, 3, 6]

    # What the grid has no longer is in the table no longer; all is done.
    status, _, told = call(place, text.replace("[1, 0]", "[2, 1]"), *here)
    assert (status, told) == (0, "3 parameter sets, 3 done before; nothing to run\n")
    assert sweeping.table(place)["x"].tolist() == [2, 1, 1.0]

    # A call that is refused leaves the table alone, whatever has changed.
    before = sweeping.table(place)
    sweeping.notebook(place / "a.ipynb", cells=["z = 2\n", sweeping.END])
    assert call(place, text, "--scheduler", "nonsense://x")[0] == 2
    pd.testing.assert_frame_equal(sweeping.table(place), before)

    # A changed notebook runs all again.
    _, _, told = call(place, "[vary]\nx = [2]\n[fixed]\nword = 'yes'\n", *here)
    assert told.startswith("1 parameter set; 1 to run\n")
    assert sweeping.table(place)["status"].tolist() == ["done"]
    assert sweeping.log(place)["end 2 3"] == 2


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
        "labelaudit sweep: interrupted; the same command again goes on from here\n"
    )


def test_each_way_to_fail_is_a_row_and_the_others_are_done(place, call, scheduler):
    """A kernel that dies, leaves or records amiss, a hung set and a runaway."""
    ways = """\
import os, sys, time
import labelaudit
if x == 0:
    os._exit(1)
if x == 1:
    sys.exit(0)
if x == 2:
    labelaudit.record(seconds=1)
if x == 3:
    time.sleep(60)
heap = [bytearray(10**7) for _ in range(10**4 if x == 4 else 1)]
"""
    sweeping.notebook(place / "a.ipynb", cells=[ways])
    limits = ("--timeout", "20", "--memory", "1GB", "--scheduler", scheduler)
    status, _, _ = call(place, "[vary]\nx = [3, 0, 1, 2, 4, 5]\n", *limits)
    assert status == 1
    rows = sweeping.table(place).set_index("x")
    assert rows["status"].tolist() == ["failed"] * 5 + ["done"]
    assert rows["error"][0].startswith("DeadKernelError: ")
    assert rows["error"][1].startswith("SystemExit: the notebook ended itself")
    assert (
        rows["error"][2]
        == "ValueError: recorded 'seconds', a column of every sweep's own"
    )
    assert rows["error"][3] == "TimeoutError: it took more than 20 s"
    assert rows["error"][4] == "MemoryError: it had more than 1,000,000,000 bytes"
    assert all((place / "out" / name).is_file() for name in rows["notebook"])


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (
            ("--jobs", "0"),
            "sweep: --jobs must be a whole number from 1 to 100,000, got 0",
        ),
        (("--jobs", "many"), "got 'many'"),
        (("--timeout", "soon"), "--timeout must be seconds, above 0, got 'soon'"),
        (
            ("--memory", "much"),
            "--memory must be a size of at least 1MB, such as 2GB, got 'much'",
        ),
        (
            ("--scheduler", "tcp://127.0.0.1:9"),
            "no Dask scheduler answers at --scheduler tcp://127.0.0.1:9: ",
        ),
        (
            ("--scheduler", "nonsense://x"),
            "no Dask scheduler answers at --scheduler nonsense://x: ",
        ),
        (
            ("--jobs", "2", "--scheduler", "tcp://127.0.0.1:9"),
            "jobs and scheduler cannot both be given",
        ),
        (("--out", "/proc/none"), "cannot write to /proc/none: "),
    ],
)
def test_a_wrong_call_ends_before_anything_runs(
    place, more, message, monkeypatch, call
):
    monkeypatch.setattr(running, "CONNECT", 0.5)
    status, _, told = call(place, "[vary]\nx = [1]\n", *more)
    assert status == 2
    assert message in told
    assert not sweeping.log(place)


def test_what_a_wrong_call_prints(place, call):
    assert call(place, "[vary]\nz = [1]\n") == (
        2,
        "",
        f"labelaudit sweep: {place / 'g.toml'}: the notebook has no parameter 'z'; its"
        " parameters: x, n, word, pause\n",
    )
    assert not (place / "out").exists()


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


def test_a_full_disk(place, scheduler):
    """A file system of 120 kB, where this machine lets us make one."""
    (place / "out").mkdir()
    sweeping.notebook(place / "a.ipynb", cells=["print('x' * 60_000)\n", sweeping.END])
    mount = f'mount -t tmpfs -o size=120k tmpfs {place / "out"} && exec "$@"'
    unshare = ["unshare", "--map-root-user", "--mount", "sh", "-c"]
    able = subprocess.run(
        [*unshare, mount, "sh", "true"], capture_output=True, check=False
    )
    if able.returncode:
        pytest.skip("no file system can be mounted here")
    text = "[vary]\nx = [1, 2]\n"
    show = f'"$@"; echo status $?; cat {place / "out" / "results.csv"}'
    done = subprocess.run(
        [*unshare, mount, "sh", "sh", "-c", show, "sh"]
        + sweeping.command(place, text, "--scheduler", scheduler),
        env=sweeping.environment(place),
        capture_output=True,
        text=True,
        timeout=sweeping.WAIT,
        check=False,
    )
    assert "status 2\n" in done.stdout, done.stderr
    assert "No space left on device" in done.stderr
    assert "the same command again goes on from there" in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout.count(",done,") == 1


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
    pd.testing.assert_frame_equal(
        pd.read_csv(tmp_path / "out" / "results.csv", keep_default_na=False)["x"]
        .to_frame()
        .astype("Int64"),
        found[["x"]],
    )
    for row in found.itertuples():
        name = Path(row.notebook).stem
        told = tmp_path / "out" / "files" / name / "told.txt"
        assert told.read_text(encoding="utf-8") == str(row.x)
    assert not (tmp_path / "told.txt").exists()


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"grid": {"vary": {"z": [1]}}}, "the notebook has no parameter 'z'"),
        ({"jobs": 0}, "jobs must be a whole number"),
        ({"jobs": 1, "scheduler": "tcp://x"}, "jobs and scheduler cannot both"),
        ({"timeout": 0}, "timeout must be seconds, above 0, got 0"),
        ({"timeout": "soon"}, "timeout must be seconds, above 0, got 'soon'"),
        (
            {"memory": "much"},
            "memory must be a size of at least 1MB, such as 2GB, got 'much'",
        ),
        ({"memory": 2}, "must be a size of at least 1MB, such as 2GB, got 2"),
        ({"memory": -1}, "memory must be a size of at least 1MB, such as 2GB, got -1"),
        (
            {"memory": 2**63},
            "memory must be a size of at least 1MB, such as 2GB, got 922337",
        ),
    ],
)
def test_a_wrong_call_in_python_is_a_value_error(tmp_path, given, why):
    path = sweeping.notebook(tmp_path / "a.ipynb")
    grid = given.pop("grid", {"vary": {"x": [1]}})
    with pytest.raises(ValueError, match=why):
        la.sweep(path, grid, tmp_path / "out", **given)
    assert not (tmp_path / "out").exists()


def test_a_dry_run_tells_what_would_run_and_writes_nothing(
    tmp_path, monkeypatch, call, scheduler
):
    def said(grid):
        status, out, _ = call(tmp_path, grid, "--dry-run")
        assert status == 0
        return out

    path = sweeping.notebook(tmp_path / "a.ipynb", cells=[WRITES])
    grid = "[vary]\nx = [1, 0]\n"
    new = "x = 1: not run yet\nx = 0: not run yet\n2 to run, 0 done\n"
    assert said(grid) == new
    assert not (tmp_path / "out").exists()
    monkeypatch.setattr(surroundings, "MOST", ((100, 9), (0, 0), (0, 0)))
    (tmp_path / "large.bin").write_bytes(bytes(10**6))
    told = said(grid).removeprefix(new)
    assert told.startswith("too large to copy for each set: ")
    assert "large.bin (1 MB)" in told
    la.sweep(path, tmp_path / "g.toml", tmp_path / "out", scheduler=scheduler)
    again = said("[vary]\nx = [1, 0, 3]\n")
    assert "x = 0: failed before: ZeroDivisionError" in again
    assert "x = 3: not run yet\n2 to run, 1 done\n" in again
    sweeping.notebook(tmp_path / "a.ipynb", cells=[WRITES + "z = 1\n"])
    assert said(grid).count("the code is another since it ran") == 2
    _, out, _ = call(tmp_path, grid, "--dry-run", "--json")
    told = json.loads(out)
    assert told["done"] == 0
    assert [one["parameters"] for one in told["to_run"]] == [{"x": 1}, {"x": 0}]
