"""Sweeps that are killed, interrupted or changed in the middle."""

import json
import os
import signal
import subprocess
import sys
from contextlib import contextmanager

import psutil

import sweeping

EACH = [1, 2, 3, 4]
FOUR = f"[vary]\nx = {EACH}\n[fixed]\npause = 1.0\n"


def test_a_killed_driver(place):
    driver = sweeping.start(place, FOUR)
    sweeping.until(lambda: len(sweeping.records(place)) >= 2, "two finished runs")
    family = psutil.Process(driver.pid).children(recursive=True)
    driver.kill()
    sweeping.ended(driver)
    before = sweeping.records(place)
    assert 2 <= len(before) < len(EACH)
    # Nobody goes on in the background: workers and kernels end with the driver.
    _, alive = psutil.wait_procs(family, timeout=30)
    assert not alive
    assert sweeping.records(place) == before
    assert set(sweeping.table(place)["x"]) <= set(before)

    # The same again goes on; what was recorded before is not run again.
    done = sweeping.run(place, FOUR)
    assert done.returncode == 0, done.stderr
    left = len(EACH) - len(before)
    told = f"4 parameter sets, {len(before)} done before; {left} to run\n"
    assert done.stderr.startswith(told)
    assert all(sweeping.log(place)[f"begin {x} 3"] == 1 for x in before)
    rows = sweeping.table(place)
    assert rows["x"].tolist() == EACH
    assert rows["status"].tolist() == ["done"] * len(EACH)
    assert rows["y"].tolist() == [6 / x for x in EACH]


def goes_on(place):
    """The same command would run what is not recorded, and no more."""
    done = {one["parameters"]["x"] for one in sweeping.runs(place, pause=1.0)}
    told = sweeping.run(place, FOUR, "--dry-run").stdout.splitlines()
    left = [x for x in EACH if x not in done]
    assert told[-1] == f"{len(left)} to run, {len(done)} done"
    assert [line.partition(": ")[0] for line in told[:-1]] == [
        f"pause = 1.0, x = {x}" for x in left
    ]
    assert {*sweeping.table(place)["x"]} <= done


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


def test_a_killed_worker(place):
    driver = sweeping.start(place, FOUR)
    sweeping.until(
        lambda: len(sweeping.records(place)) >= 1 and workers(driver),
        "a run and a worker",
    )
    os.kill(workers(driver).pop(), signal.SIGKILL)
    out, error = sweeping.ended(driver)
    assert driver.returncode == 0, error
    assert out.startswith("4 done, 0 failed")
    assert sweeping.table(place)["y"].tolist() == [6 / x for x in EACH]
    ended = sweeping.log(place)
    assert all(ended[f"end {x} 3"] >= 1 for x in EACH)
    assert sum(ended[f"begin {x} 3"] for x in EACH) <= len(EACH) + 2


def test_a_set_that_kills_its_worker_is_a_failed_row(place):
    """Dask gives up on it after some attempts; the others finish."""
    killer = (
        "import os, signal\nif x == 0:\n    os.kill(os.getppid(), signal.SIGKILL)\n"
    )
    sweeping.notebook(place / "a.ipynb", cells=[killer, sweeping.END])
    grid = "[vary]\nx = [0, 1, 2]\n"
    try:
        done = sweeping.run(place, grid)
    except subprocess.TimeoutExpired:
        # On a busy machine Dask's new worker may not come; a second call goes on.
        done = sweeping.run(place, grid)
    assert done.returncode == 1
    rows = sweeping.table(place)
    assert rows["status"].tolist() == ["failed", "done", "done"]
    assert rows["error"][0] == "KilledWorker: every worker that ran this set died"
    assert rows["notebook"][0] == ""


@contextmanager
def scheduler(place):
    """A scheduler and its worker, elsewhere: the address, and the processes."""
    file = place / "scheduler.json"
    where = ["--no-dashboard", "--scheduler-file", str(file)]
    worker = [*where, "--nworkers", "1", "--nthreads", "2"]
    started = []

    def start(module, *options):
        command = [sys.executable, "-m", f"distributed.cli.{module}", *options]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        here = sweeping.environment(place)
        started.append(subprocess.Popen(command, env=here, **quiet))

    try:
        start("dask_scheduler", "--port", "0", *where)
        sweeping.until(file.exists, "the scheduler")
        start("dask_worker", *worker, "--local-directory", str(place))
        yield json.loads(file.read_text(encoding="utf-8"))["address"], started
    finally:
        for process in started:
            process.kill()
            process.wait()


def test_a_scheduler_in_another_process(place):
    with scheduler(place) as (address, started):
        text = "[vary]\nx = [1, 0, 2]\n"
        done = sweeping.run(place, text, "--scheduler", address)
        assert done.returncode == 1, done.stderr
        assert sweeping.table(place)["status"].tolist() == ["done", "failed", "done"]
        assert all(
            (place / "out" / name).exists()
            for name in sweeping.table(place)["notebook"]
        )

        # The scheduler is lost in the middle.
        driver = sweeping.start(place, FOUR, "--scheduler", address)
        sweeping.until(lambda: len(sweeping.runs(place, pause=1.0)) >= 2, "two runs")
        for process in started:
            process.kill()
        _, error = sweeping.ended(driver)
        assert driver.returncode == 1
        assert "the same command again goes on from there" in error
        assert "Traceback" not in error
    goes_on(place)


def test_two_sweeps_into_one_folder(place):
    first = sweeping.start(place, FOUR)
    sweeping.until(lambda: (place / "out" / "results.csv").exists(), "the first sweep")
    second = sweeping.run(place, FOUR)
    assert second.returncode == 2
    assert second.stderr == (
        f"labelaudit sweep: another sweep is writing to {place / 'out'}; wait for it,"
        " or choose another --out\n"
    )
    first.terminate()
    _, error = sweeping.ended(first)
    assert first.returncode == 130, error
    goes_on(place)


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


def test_two_sweeps_on_one_scheduler_keep_apart(place):
    """The same notebook in two folders, with other data beside it."""
    cells = ["import labelaudit as la\nla.record(read=open('beside.txt').read())\n"]
    with scheduler(place) as (address, _):
        drivers = []
        for name in ("one", "two"):
            folder = place / name
            folder.mkdir()
            (folder / "beside.txt").write_text(name, encoding="utf-8")
            sweeping.notebook(folder / "a.ipynb", cells=cells)
            drivers.append(
                sweeping.start(folder, "[vary]\nx = [1, 2]\n", "--scheduler", address)
            )
        for name, driver in zip(("one", "two"), drivers):
            _, error = sweeping.ended(driver)
            assert driver.returncode == 0, error
            assert sweeping.table(place / name)["read"].tolist() == [name] * 2


def test_a_library_that_changes_in_the_middle_stops_the_sweep(place):
    """The rest would be of another version: neither done nor failed."""
    driver = subprocess.Popen(
        sweeping.command(place, FOUR, "--jobs", "1"),
        env=sweeping.copied_library(place),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    sweeping.until(lambda: sweeping.records(place), "a run")
    sweeping.change_library(place)
    _, error = sweeping.ended(driver)
    assert driver.returncode == 1
    assert "is not the one that the sweep was started with" in error
    assert set(sweeping.table(place)["status"]) == {"done"}
    assert len(sweeping.table(place)) < len(EACH)
