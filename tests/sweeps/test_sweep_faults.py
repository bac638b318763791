"""Sweeps that are killed, interrupted or changed in the middle."""

import json
import os
import shutil
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

import labelaudit as la
import sweeping
from labelaudit.sweeps import notebook

pytestmark = sweeping.LEFT_LOOPS

EACH = [1, 2, 3]
GRID = f"[vary]\nx = {EACH}\n[fixed]\npause = 0.5\n"
ONE = ("--jobs", "1")


def test_a_killed_worker_and_a_killed_driver(place, call, scheduler):
    """Another worker runs the set again; the same command goes on after the driver."""
    driver = sweeping.start(place, GRID, *ONE)
    sweeping.until(lambda: workers(driver), "the sweep")
    assert call(place, GRID) == (
        2,
        "",
        f"labelaudit sweep: another sweep is writing to {place / 'out'}; wait for it,"
        " or choose another --out\n",
    )
    there = sweeping.until(
        lambda: sweeping.records(place) and workers(driver), "a run and a worker"
    )
    killed = there.pop()
    os.kill(killed, signal.SIGKILL)
    sweeping.until(lambda: len(sweeping.records(place)) == 2, "another worker's run")
    sweeping.until(lambda: workers(driver) - {killed}, "one more set")
    family = psutil.Process(driver.pid).children(recursive=True)
    driver.kill()
    sweeping.ended(driver)
    before, times = sweeping.records(place), sweeping.log(place)
    assert [*before.values()] == ["done"] * 2
    assert all(times[f"begin {x} 3"] <= 2 for x in before)
    # Nobody goes on in the background: workers and kernels end with the driver.
    _, alive = psutil.wait_procs(family, timeout=30)
    assert not alive
    assert sweeping.records(place) == before
    assert set(sweeping.table(place)["x"]) <= set(before)

    # The same again goes on; what was recorded before is not run again.
    status, _, told = call(place, GRID, "--scheduler", scheduler)
    assert status == 0, told
    assert told.startswith("3 parameter sets, 2 done before; 1 to run\n")
    again = sweeping.log(place)
    assert all(again[f"begin {x} 3"] == times[f"begin {x} 3"] for x in before)
    rows = sweeping.table(place)
    assert rows["x"].tolist() == EACH
    assert rows["status"].tolist() == ["done"] * len(EACH)
    assert rows["y"].tolist() == [6 / x for x in EACH]


def workers(driver):
    """The worker processes of a local cluster: the parents of kernels."""
    found = set()
    for child in psutil.Process(driver.pid).children(recursive=True):
        try:
            if "ipykernel_launcher" in " ".join(child.cmdline()):
                found.add(child.ppid())
        except psutil.Error:
            continue
    return found - {driver.pid}


def test_a_set_that_kills_its_worker_is_a_failed_row(place):
    """Dask gives up on it, and on a set that waits there; that one is run alone."""
    killer = "import os\nif x == 0:\n    os.kill(os.getppid(), 9)\n"
    sweeping.notebook(place / "a.ipynb", cells=[killer, sweeping.END])
    grid = "[vary]\nx = [0, 1]\n"
    # After the first death: each one takes another worker's start.
    soon = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0"}
    try:
        done = sweeping.run(place, grid, *ONE, **soon)
    except subprocess.TimeoutExpired:
        # On a busy machine Dask's new worker may not come; a second call goes on.
        done = sweeping.run(place, grid, *ONE, **soon)
    assert done.returncode == 1
    rows = sweeping.table(place)
    assert rows["status"].tolist() == ["failed", "done"]
    assert rows["error"][0] == "KilledWorker: every worker that ran this set died"
    assert rows["notebook"][0] == ""


def test_a_scheduler_in_another_process_and_its_loss(place, call):
    file = place / "scheduler.json"
    where = ["--no-dashboard", "--scheduler-file", str(file)]
    worker = ["--nworkers", "1", "--nthreads", "1", "--local-directory", str(place)]
    # The third set waits until the scheduler is lost.
    hangs = "import time\nif x == 3:\n    time.sleep(600)\n"
    fails = "if x == 2:\n    1 / 0\n"
    sweeping.notebook(place / "a.ipynb", cells=[hangs, fails, sweeping.END])
    started = []

    def start(module, *options):
        command = [sys.executable, "-m", f"distributed.cli.{module}", *options]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        here = sweeping.environment(place)
        started.append(subprocess.Popen(command, env=here, **quiet))

    try:
        start("dask_scheduler", "--port", "0", *where)
        sweeping.until(lambda: file.exists() and file.stat().st_size, "the scheduler")
        start("dask_worker", *worker, *where)
        address = json.loads(file.read_text(encoding="utf-8"))["address"]
        driver = sweeping.start(place, GRID, "--scheduler", address)
        sweeping.until(
            lambda: len(sweeping.records(place)) == 2 or driver.poll() is not None,
            "two runs",
        )
    finally:
        for process in started:
            process.kill()
            process.wait()
    _, error = sweeping.ended(driver)
    assert driver.returncode == 1
    assert "the same command again goes on from there" in error
    assert "Traceback" not in error
    rows = sweeping.table(place)
    assert rows["status"].tolist() == ["done", "failed"]
    assert all((place / "out" / name).is_file() for name in rows["notebook"])
    # The same command would run what is not done, and no more.
    done = {x for x, status in sweeping.records(place).items() if status == "done"}
    *sets, last = call(place, GRID, "--dry-run")[1].splitlines()
    left = [x for x in EACH if x not in done]
    assert last == f"{len(left)} to run, {len(done)} done"
    assert [line.partition(": ")[0] for line in sets] == [
        f"x = {x}, pause = 0.5" for x in left
    ]
    assert {*rows["x"]} <= {*sweeping.records(place)}


def test_an_interrupted_command_ends_although_a_thread_does_not():
    """As one of Dask's may not; what was written is whole."""
    code = (
        "import threading, time\n"
        "from labelaudit.commands import sweeping\n"
        "sweeping.PATIENCE = 0.5\n"
        "threading.Thread(target=time.sleep, args=(600,)).start()\n"
        "try:\n    sweeping._interrupt()\nexcept KeyboardInterrupt:\n    pass\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, timeout=120, check=False
    )
    assert done.returncode == 130
    assert done.stderr.strip() == b"stopping ..."


@pytest.mark.parametrize(("closed", "stream"), [("2>&-", "stderr"), ("<&-", "stdin")])
def test_kernels_have_the_streams_that_a_shell_has_closed(closed, stream):
    """Without these they die before they begin."""
    code = (
        "import subprocess, sys\n"
        "from labelaudit.commands import main\n"
        "main(['agree', 'nothing.csv'])\n"
        f"kernel = [sys.executable, '-c', 'import sys; print(sys.{stream})']\n"
        f"print(sys.{stream}, subprocess.run(kernel).returncode)"
    )
    shell = ["sh", "-c", f'exec "$@" {closed}', "sh", sys.executable, "-c", code]
    out = subprocess.run(shell, stdout=subprocess.PIPE, text=True, check=True).stdout
    assert [line[:4] for line in out.splitlines()] == ["<_io"] * 2


def test_two_sweeps_on_one_scheduler_keep_apart(place, scheduler):
    """The same notebook in two folders, with other data beside it, at one time."""
    meet = """\
import os, time
from pathlib import Path
import labelaudit as la
name = Path("beside.txt").read_text()
log = Path(os.environ["RUN_LOG"])
with log.open("a") as file:
    file.write(name + "\\n")
end = time.monotonic() + 60
while len(set(log.read_text().split())) < 2 and time.monotonic() < end:
    time.sleep(0.05)
la.record(read=name)
"""

    def read(name):
        folder = place / name
        folder.mkdir()
        (folder / "beside.txt").write_text(name, encoding="utf-8")
        path = sweeping.notebook(folder / "a.ipynb", cells=[meet])
        tables = {"vary": {"x": [1]}}
        return la.sweep(path, tables, folder / "out", scheduler=scheduler)["read"][0]

    with ThreadPoolExecutor() as other:
        one = other.submit(read, "one")
        sweeping.until(lambda: sweeping.log(place), "the first sweep")
        assert read("two") == "two"
        assert one.result() == "one"


def test_a_library_that_changes_in_the_middle_stops_the_sweep(
    place, call, scheduler, monkeypatch
):
    """The rest would be of another version: neither done nor failed."""
    library = place / "src" / "labelaudit"
    shutil.copytree(Path(la.__file__).parent, library)
    copied = str(library / "sweeps" / "notebook.py")
    grid = f"[vary]\nx = {[*range(1, 7)]}\n[fixed]\npause = 0.5\n"

    def change():
        sweeping.until(lambda: sweeping.records(place), "a run")
        with (library / "plans" / "levels.py").open("a", encoding="utf-8") as file:
            file.write("\nOTHER = 1\n")

    with monkeypatch.context() as there, ThreadPoolExecutor() as other:
        there.setattr(notebook, "__file__", copied)
        changed = other.submit(change)
        status, _, told = call(place, grid, "--scheduler", scheduler)
        changed.result()
    assert status == 1
    assert "is not the one that the sweep was started with" in told
    assert "Traceback" not in told
    done = sweeping.table(place)
    assert set(done["status"]) == {"done"}
    assert len(done) < 6

    # With the library as it was, which is the one here, the rest would be run.
    _, out, _ = call(place, grid, "--dry-run")
    assert out.endswith(f"\n{6 - len(done)} to run, {len(done)} done\n")
