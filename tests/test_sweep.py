"""Sweeps as users run them: the command, real notebooks, a real Dask cluster."""

import json
import os
import pty
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pandas as pd
import psutil
import pytest

import sweeping
from labelaudit import commands
from labelaudit.sweeps import sweep

COMMAND = [sys.executable, "-m", "labelaudit", "sweep"]
WAIT = 240  # seconds; far more than any step needs


@pytest.fixture
def place(tmp_path):
    sweeping.notebook(tmp_path / "a.ipynb")
    return tmp_path


def environment(place):
    return os.environ | {"RUN_LOG": str(place / "log"), "PYTHONUNBUFFERED": "1"}


def command(place, text, *more):
    sweeping.grid(place / "g.toml", text)
    paths = [str(place / "a.ipynb"), "--grid", str(place / "g.toml")]
    return [*COMMAND, *paths, "--out", str(place / "out"), *more]


def run(place, text, *more):
    return subprocess.run(
        command(place, text, *(more or ("--jobs", "2"))),
        env=environment(place),
        capture_output=True,
        text=True,
        timeout=WAIT,
        check=False,
    )


def start(place, text, *more):
    return subprocess.Popen(
        command(place, text, *(more or ("--jobs", "2"))),
        env=environment(place),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def table(place):
    return pd.read_csv(place / "out" / "results.csv", keep_default_na=False)


def log(place):
    """How often each run began and ended, by its line."""
    path = place / "log"
    return Counter(path.read_text().splitlines()) if path.exists() else Counter()


def runs(place, **given):
    """The records of runs with these parameters among theirs."""
    paths = (place / "out" / "runs").glob("*.json")
    found = [json.loads(path.read_text()) for path in paths]
    return [one for one in found if given.items() <= one["parameters"].items()]


def records(place):
    return {one["parameters"]["x"]: one["status"] for one in runs(place)}


def until(condition, what):
    end = time.monotonic() + WAIT
    while time.monotonic() < end:
        if condition():
            return
        time.sleep(0.05)
    pytest.fail(f"waited {WAIT} s for {what}")


def test_a_grid_with_one_failing_set(place):
    text = "[vary]\nx = [1, 0, 2]\n[fixed]\nword = 'yes'\n[[also]]\nn = 5\n"
    done = run(place, text)
    assert done.returncode == 1, done.stderr
    assert done.stdout == f"3 done, 1 failed: {place / 'out' / 'results.csv'}\n"
    error = "ZeroDivisionError: division by zero"
    assert f"failed: word = 'yes', x = 0: {error}" in done.stderr
    lines = [line for line in done.stderr.splitlines() if "failed:" not in line]
    assert lines[0] == "4 parameter sets; 4 to run"
    assert lines[-1] == "3 done, 1 failed, 0 left"
    assert all(" left" in line for line in lines[1:]), done.stderr

    rows = table(place)
    assert rows.columns.tolist() == (
        ["x", "word", "n", "status", "error", "seconds", "notebook"]
        + ["sure", "told", "whole", "y"]
    )
    assert rows["x"].tolist() == [1, 0, 2, 1.0]
    assert rows["n"].tolist() == [3, 3, 3, 5]
    assert rows["status"].tolist() == ["done", "failed", "done", "done"]
    assert rows["error"].tolist() == ["", error, "", ""]
    assert rows["y"].astype(str).tolist() == ["6.0", "", "3.0", "6.0"]
    assert rows["told"].tolist() == ["yes", "", "yes", "yes"]
    assert rows["sure"].astype(str).tolist() == ["True", "", "True", "True"]
    assert (rows["seconds"] > 0).all()
    kept = [(place / "out" / name).read_text() for name in rows["notebook"]]
    assert "ZeroDivisionError" in kept[1]
    assert 'word = \\"yes\\"' in kept[0]

    # Again: what failed is run again, and nothing else.
    again = run(place, text)
    assert again.returncode == 1
    assert again.stderr.startswith("4 parameter sets, 3 done before; 1 to run\n")
    assert log(place) == {
        **{
            f"{what} {x} {n}": 1
            for what in ("begin", "end")
            for x, n in ((1, 3), (2, 3))
        },
        "begin 1.0 5": 1,
        "end 1.0 5": 1,
        "begin 0 3": 2,
    }

    # A larger grid runs what is new.
    wider = run(place, text.replace("[1, 0, 2]", "[1, 2, 3]"))
    assert wider.returncode == 0, wider.stderr
    assert wider.stderr.startswith("4 parameter sets, 3 done before; 1 to run\n")
    assert table(place)["x"].tolist() == [1, 2, 3, 1.0]
    nothing = run(place, text.replace("[1, 0, 2]", "[1, 2, 3]"))
    assert (nothing.returncode, nothing.stderr) == (
        0,
        "4 parameter sets, 4 done before; nothing to run\n",
    )

    # A call that is refused leaves the table alone, whatever has changed.
    before = table(place)
    sweeping.notebook(place / "a.ipynb", cells=["z = 2\n", *[sweeping.END]])
    refused = run(place, text, "--scheduler", "nonsense://x")
    assert refused.returncode == 2
    pd.testing.assert_frame_equal(table(place), before)

    # A changed notebook runs all again.
    sweeping.notebook(place / "a.ipynb", cells=["z = 1\n", *[sweeping.END]])
    changed = start(place, text.replace("[1, 0, 2]", "[1]"))
    assert changed.stderr.readline() == "2 parameter sets; 2 to run\n"
    changed.send_signal(signal.SIGINT)
    assert changed.stderr.readline() == "\n"
    assert changed.stderr.readline() == "stopping ...\n"
    changed.send_signal(signal.SIGINT)  # once more, while it closes
    _, rest = changed.communicate(timeout=WAIT)
    assert changed.returncode == 130, rest
    assert "Traceback" not in rest
    assert rest.endswith(
        "labelaudit sweep: interrupted; the same command again goes on from here\n"
    )


EIGHT = "[vary]\nx = [1, 2, 3, 4, 5, 6, 7, 8]\n[fixed]\npause = 1.0\n"


def finish(place, before):
    """Run to the end; what was recorded before is not run again."""
    ended = log(place)
    done = run(place, EIGHT)
    assert done.returncode == 0, done.stderr
    told = f", {len(before)} done before" * bool(before)
    assert done.stderr.startswith(f"8 parameter sets{told}; {8 - len(before)} to run\n")
    for x in before:
        assert log(place)[f"begin {x} 3"] == ended[f"begin {x} 3"]
    rows = table(place)
    assert rows["x"].tolist() == [1, 2, 3, 4, 5, 6, 7, 8]
    assert rows["status"].tolist() == ["done"] * 8
    assert rows["y"].tolist() == [6 / x for x in range(1, 9)]


def test_a_killed_driver(place):
    driver = start(place, EIGHT)
    until(lambda: len(records(place)) >= 2, "two finished runs")
    family = psutil.Process(driver.pid).children(recursive=True)
    driver.kill()
    driver.communicate(timeout=WAIT)
    before = records(place)
    assert 2 <= len(before) < 8
    # Nobody goes on in the background: workers and kernels end with the driver.
    _, alive = psutil.wait_procs(family, timeout=30)
    assert not alive
    assert records(place) == before
    assert set(table(place)["x"]) <= set(before)
    finish(place, before)


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
    driver = start(place, EIGHT)
    until(lambda: len(records(place)) >= 1 and workers(driver), "a run and a worker")
    os.kill(workers(driver).pop(), signal.SIGKILL)
    out, error = driver.communicate(timeout=WAIT)
    assert driver.returncode == 0, error
    assert out.startswith("8 done, 0 failed")
    assert table(place)["y"].tolist() == [6 / x for x in range(1, 9)]
    ended = log(place)
    assert all(ended[f"end {x} 3"] >= 1 for x in range(1, 9))
    assert sum(ended[f"begin {x} 3"] for x in range(1, 9)) <= 10


def test_a_set_that_kills_its_worker_is_a_failed_row(place):
    """Dask gives up on it after some attempts; the others finish."""
    killer = (
        "import os, signal\nif x == 0:\n    os.kill(os.getppid(), signal.SIGKILL)\n"
    )
    sweeping.notebook(place / "a.ipynb", cells=[killer, sweeping.END])
    done = run(place, "[vary]\nx = [0, 1, 2]\n")
    assert done.returncode == 1
    rows = table(place)
    assert rows["status"].tolist() == ["failed", "done", "done"]
    assert rows["error"][0] == "KilledWorker: every worker that ran this set died"
    assert rows["notebook"][0] == ""


def test_a_kernel_that_dies_is_a_failed_row(place):
    dying = "import os\nif x == 0:\n    os._exit(1)\n"
    leaving = "import sys\nif x == 1:\n    sys.exit(0)\n"
    clash = "import labelaudit\nif x == 2:\n    labelaudit.record(seconds=1)\n"
    sweeping.notebook(place / "a.ipynb", cells=[dying, leaving, clash])
    done = run(place, "[vary]\nx = [0, 1, 2, 3]\n")
    assert done.returncode == 1
    rows = table(place)
    assert rows["status"].tolist() == ["failed", "failed", "failed", "done"]
    assert rows["error"][0].startswith("DeadKernelError: ")
    assert all((place / "out" / name).is_file() for name in rows["notebook"])
    assert rows["error"][1].startswith("SystemExit: the notebook ended itself")
    assert (
        rows["error"][2]
        == "ValueError: recorded 'seconds', a column of every sweep's own"
    )


def test_a_scheduler_in_another_process(place):
    file = place / "scheduler.json"
    common = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    scheduler = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker"]
    scheduler += ["--port", "0", "--no-dashboard", "--scheduler-file", str(file)]
    worker += ["--scheduler-file", str(file), "--nworkers", "1", "--nthreads", "2"]
    worker += ["--no-dashboard", "--local-directory", str(place)]
    started = [subprocess.Popen(scheduler, env=environment(place), **common)]
    try:
        until(file.exists, "the scheduler")
        started.append(subprocess.Popen(worker, env=environment(place), **common))
        address = json.loads(file.read_text())["address"]
        text = "[vary]\nx = [1, 0, 2]\n"
        done = run(place, text, "--scheduler", address)
        assert done.returncode == 1, done.stderr
        assert table(place)["status"].tolist() == ["done", "failed", "done"]
        assert all((place / "out" / name).exists() for name in table(place)["notebook"])

        # The scheduler is lost in the middle.
        driver = start(place, EIGHT, "--scheduler", address)
        until(lambda: len(runs(place, pause=1.0)) >= 2, "two runs")
        for process in started:
            process.kill()
        _, error = driver.communicate(timeout=WAIT)
        assert driver.returncode == 1
        assert "the same command again goes on from there" in error
        assert "Traceback" not in error
    finally:
        for process in started:
            process.kill()
            process.wait()
    finish(place, {one["parameters"]["x"] for one in runs(place, pause=1.0)})


def test_a_live_line_on_a_terminal(place):
    main, terminal = pty.openpty()
    driver = subprocess.Popen(
        command(place, "[vary]\nx = [1, 0]\n", "--jobs", "2"),
        env=environment(place) | {"COLUMNS": "80"},
        stdout=subprocess.DEVNULL,
        stderr=terminal,
    )
    os.close(terminal)
    seen = b""
    while True:
        try:
            part = os.read(main, 4096)
        except OSError:
            break
        if not part:
            break
        seen += part
    os.close(main)
    assert driver.wait(timeout=WAIT) == 1
    assert b"\r\x1b[2K0 done, 0 failed, 2 left, time to go not known yet" in seen
    assert b"\r\x1b[2K1 done, 1 failed, 0 left" in seen
    assert seen.count(b"\n") == 2  # how many there are, and what failed


def test_two_sweeps_into_one_folder(place):
    first = start(place, EIGHT)
    until(lambda: (place / "out" / "results.csv").exists(), "the first sweep")
    second = run(place, EIGHT)
    assert second.returncode == 2
    assert second.stderr == (
        f"labelaudit sweep: another sweep is writing to {place / 'out'}; wait for it,"
        " or choose another --out\n"
    )
    first.terminate()
    _, error = first.communicate(timeout=WAIT)
    assert first.returncode == 130, error
    finish(place, records(place))


@pytest.mark.parametrize(
    ("text", "more", "message"),
    [
        (
            "[vary]\nz = [1]\n",
            (),
            "the notebook has no parameter 'z'; its parameters: x,",
        ),
        ("[vary]\nx = [1,, 2]\n", (), "is not TOML: "),
        ("", (), "is an empty grid"),
        ("[vary]\nx = ['1']\n", (), "x = '1' is not a number"),
        ("[vary]\nx = [1]\n", ("--jobs", "0"), "--jobs: must be a whole number of at"),
        ("[vary]\nx = [1]\n", ("--jobs", "many"), "got 'many'"),
        (
            "[vary]\nx = [1]\n",
            ("--scheduler", "tcp://127.0.0.1:9"),
            "no Dask scheduler answers at --scheduler tcp://127.0.0.1:9: ",
        ),
        (
            "[vary]\nx = [1]\n",
            ("--scheduler", "nonsense://x"),
            "no Dask scheduler answers at --scheduler nonsense://x: ",
        ),
        (
            "[vary]\nx = [1]\n",
            ("--jobs", "2", "--scheduler", "tcp://127.0.0.1:9"),
            "not allowed with argument --jobs",
        ),
        ("[vary]\nx = [1]\n", ("--out", "/proc/none"), "cannot write to /proc/none: "),
    ],
)
def test_a_wrong_call_ends_before_anything_runs(
    place, text, more, message, monkeypatch, capsys
):
    monkeypatch.setattr(commands.sweep.signal, "signal", lambda *handler: None)
    monkeypatch.setattr(sweep, "CONNECT", 0.5)
    call = command(place, text, *(more or ("--jobs", "2")))[len(COMMAND) - 1 :]
    try:
        status = commands.main(call)
    except SystemExit as left:
        status = left.code
    assert status == 2
    assert message in capsys.readouterr().err
    assert not log(place)


def test_what_a_wrong_call_prints(place):
    done = run(place, "[vary]\nz = [1]\n")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == (
        f"labelaudit sweep: {place / 'g.toml'}: the notebook has no parameter 'z'; its"
        " parameters: x, n, word, pause\n"
    )
    assert not (place / "out").exists()


def test_without_dask_a_sentence_says_what_is_missing(place, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "labelaudit.sweeps.sweep", None)
    call = command(place, "[vary]\nx = [1]\n")[len(COMMAND) - 1 :]
    assert commands.main(call) == 2
    assert "labelaudit's extra [sweep] installs it" in capsys.readouterr().err


def test_no_command_is_a_wrong_call(capsys):
    with pytest.raises(SystemExit) as left:
        commands.main([])
    assert left.value.code == 2
    assert "COMMAND" in capsys.readouterr().err


def test_a_full_disk(place):
    """A file system of 300 kB, where this machine lets us make one."""
    (place / "out").mkdir()
    sweeping.notebook(place / "a.ipynb", cells=["print('x' * 60_000)\n", sweeping.END])
    mount = f'mount -t tmpfs -o size=300k tmpfs {place / "out"} && exec "$@"'
    unshare = ["unshare", "--map-root-user", "--mount", "sh", "-c"]
    able = subprocess.run(
        [*unshare, mount, "sh", "true"], capture_output=True, check=False
    )
    if able.returncode:
        pytest.skip("no file system can be mounted here")
    text = "[vary]\nx = [1, 2, 3, 4, 5, 6, 7, 8]\n"
    show = f'"$@"; echo status $?; cat {place / "out" / "results.csv"}'
    done = subprocess.run(
        [*unshare, mount, "sh", "sh", "-c", show, "sh"]
        + command(place, text, "--jobs", "2"),
        env=environment(place),
        capture_output=True,
        text=True,
        timeout=WAIT,
        check=False,
    )
    assert "status 1\n" in done.stdout, done.stderr
    assert "No space left on device" in done.stderr
    assert "the same command again goes on from there" in done.stderr
    assert "Traceback" not in done.stderr
    assert 1 <= done.stdout.count(",done,") < 8


def test_two_sweeps_on_one_scheduler_keep_apart(place):
    """The same notebook in two folders, with other data beside it."""
    cells = ["import labelaudit as la\nla.record(read=open('beside.txt').read())\n"]
    file = place / "scheduler.json"
    common = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    scheduler = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
    scheduler += ["--port", "0", "--no-dashboard", "--scheduler-file", str(file)]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", "--no-dashboard"]
    worker += ["--scheduler-file", str(file), "--nthreads", "2", "--local-directory"]
    started = [subprocess.Popen(scheduler, env=environment(place), **common)]
    try:
        until(file.exists, "the scheduler")
        worker = [*worker, str(place)]
        started.append(subprocess.Popen(worker, env=environment(place), **common))
        address = json.loads(file.read_text())["address"]
        drivers = []
        for name in ("one", "two"):
            folder = place / name
            folder.mkdir()
            (folder / "beside.txt").write_text(name)
            sweeping.notebook(folder / "a.ipynb", cells=cells)
            drivers.append(
                start(folder, "[vary]\nx = [1, 2]\n", "--scheduler", address)
            )
        for name, driver in zip(("one", "two"), drivers):
            _, error = driver.communicate(timeout=WAIT)
            assert driver.returncode == 0, error
            assert table(place / name)["read"].tolist() == [name] * 2
    finally:
        for process in started:
            process.kill()
            process.wait()


def test_a_library_that_changes_in_the_middle_stops_the_sweep(place):
    """The rest would be of another version: neither done nor failed."""
    copy = place / "src"
    source = Path(sys.modules["labelaudit"].__file__).parents[1]
    subprocess.run(["cp", "-r", str(source), str(copy)], check=True)
    driver = subprocess.Popen(
        command(place, EIGHT, "--jobs", "1"),
        env=environment(place) | {"PYTHONPATH": str(copy)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    until(lambda: records(place), "a run")
    changed = copy / "labelaudit" / "levels.py"
    changed.write_text(changed.read_text() + "\nOTHER = 1\n")
    _, error = driver.communicate(timeout=WAIT)
    assert driver.returncode == 1
    assert "is not the one that the sweep was started with" in error
    assert set(table(place)["status"]) == {"done"}
    assert len(table(place)) < 8


def test_the_fingerprint_of_the_library_decides(place):
    """The same command with a changed library runs all again."""
    text = "[vary]\nx = [1]\n"
    assert run(place, text).returncode == 0
    copy = place / "src"
    source = Path(sys.modules["labelaudit"].__file__).parent
    subprocess.run(["cp", "-r", str(source.parent), str(copy)], check=True)
    changed = copy / "labelaudit" / "levels.py"
    changed.write_text(changed.read_text() + "\nOTHER = 1\n")
    done = subprocess.run(
        command(place, text, "--jobs", "1"),
        env=environment(place) | {"PYTHONPATH": str(copy)},
        capture_output=True,
        text=True,
        timeout=WAIT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("1 parameter set; 1 to run\n")
    assert log(place)["end 1 3"] == 2
