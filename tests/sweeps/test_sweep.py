"""Sweeps as users run them: the command, real notebooks, a real Dask cluster."""

import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

import labelaudit as la
import sweeping
from labelaudit import commands
from labelaudit.sweeps import place as surroundings
from labelaudit.sweeps import running


def test_a_grid_with_one_failing_set(place, monkeypatch, capsys):
    text = "[vary]\nx = [1, 0, 2]\n[fixed]\nword = 'yes'\n[[also]]\nn = 5\n"
    done = sweeping.run(place, text)
    assert done.returncode == 1, done.stderr
    assert done.stdout == f"3 done, 1 failed: {place / 'out' / 'results.csv'}\n"
    error = "ZeroDivisionError: division by zero"
    assert f"failed: word = 'yes', x = 0: {error}" in done.stderr
    # A kernel may say something of its own on its way out.
    lines = re.findall(r"^\d+ (?:parameter|done).*", done.stderr, re.M)
    assert lines[0] == "4 parameter sets; 4 to run"
    assert lines[-1] == "3 done, 1 failed, 0 left"
    assert len(lines) > 2 and all(" left" in line for line in lines[1:])

    rows = sweeping.table(place)
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
    kept = [
        (place / "out" / name).read_text(encoding="utf-8") for name in rows["notebook"]
    ]
    assert "ZeroDivisionError" in kept[1]
    assert 'word = \\"yes\\"' in kept[0]

    # Again: what failed is run again, and nothing else.
    again = sweeping.run(place, text)
    assert again.returncode == 1
    assert again.stderr.startswith("4 parameter sets, 3 done before; 1 to run\n")
    assert sweeping.log(place) == {
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
    wider = sweeping.run(place, text.replace("[1, 0, 2]", "[1, 2, 3]"))
    assert wider.returncode == 0, wider.stderr
    assert wider.stderr.startswith("4 parameter sets, 3 done before; 1 to run\n")
    assert sweeping.table(place)["x"].tolist() == [1, 2, 3, 1.0]
    with monkeypatch.context() as signals:
        signals.setattr(commands.sweeping.signal, "signal", lambda *handler: None)
        call = sweeping.arguments(place, text.replace("[1, 0, 2]", "[1, 2, 3]"))
        assert commands.main(call) == 0
    nothing = "4 parameter sets, 4 done before; nothing to run\n"
    assert capsys.readouterr().err == nothing

    # A call that is refused leaves the table alone, whatever has changed.
    before = sweeping.table(place)
    sweeping.notebook(place / "a.ipynb", cells=["z = 2\n", *[sweeping.END]])
    refused = sweeping.run(place, text, "--scheduler", "nonsense://x")
    assert refused.returncode == 2
    pd.testing.assert_frame_equal(sweeping.table(place), before)

    # A changed notebook runs all again.
    sweeping.notebook(place / "a.ipynb", cells=["z = 1\n", *[sweeping.END]])
    with sweeping.start(place, text.replace("[1, 0, 2]", "[1]")) as changed:
        assert changed.stderr.readline() == "2 parameter sets; 2 to run\n"
        changed.send_signal(signal.SIGINT)
        assert changed.stderr.readline() == "\n"
        assert changed.stderr.readline() == "stopping ...\n"
        changed.send_signal(signal.SIGINT)  # once more, while it closes
        rest = changed.stderr.read()  # communicate would miss what readline has read
    assert changed.returncode == 130, rest
    assert "Traceback" not in rest
    assert rest.endswith(
        "labelaudit sweep: interrupted; the same command again goes on from here\n"
    )


def test_a_kernel_that_dies_is_a_failed_row(place):
    dying = "import os\nif x == 0:\n    os._exit(1)\n"
    leaving = "import sys\nif x == 1:\n    sys.exit(0)\n"
    clash = "import labelaudit\nif x == 2:\n    labelaudit.record(seconds=1)\n"
    sweeping.notebook(place / "a.ipynb", cells=[dying, leaving, clash])
    done = sweeping.run(place, "[vary]\nx = [0, 1, 2, 3]\n")
    assert done.returncode == 1
    rows = sweeping.table(place)
    assert rows["status"].tolist() == ["failed", "failed", "failed", "done"]
    assert rows["error"][0].startswith("DeadKernelError: ")
    assert all((place / "out" / name).is_file() for name in rows["notebook"])
    assert rows["error"][1].startswith("SystemExit: the notebook ended itself")
    assert (
        rows["error"][2]
        == "ValueError: recorded 'seconds', a column of every sweep's own"
    )


def test_a_live_line_on_a_terminal(place):
    main, terminal = pty.openpty()
    driver = subprocess.Popen(
        sweeping.command(place, "[vary]\nx = [1, 0]\n", "--jobs", "2"),
        env=sweeping.environment(place) | {"COLUMNS": "80"},
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
    assert driver.wait(timeout=sweeping.WAIT) == 1
    assert b"\r\x1b[2K0 done, 0 failed, 2 left, time to go not known yet" in seen
    assert b"\r\x1b[2K1 done, 1 failed, 0 left" in seen
    assert seen.count(b"\n") == 2  # how many there are, and what failed


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--jobs", "0"), "--jobs: must be a whole number of at least 1, got '0'"),
        (("--jobs", "many"), "got 'many'"),
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
            "not allowed with argument --jobs",
        ),
        (("--out", "/proc/none"), "cannot write to /proc/none: "),
    ],
)
def test_a_wrong_call_ends_before_anything_runs(
    place, more, message, monkeypatch, capsys
):
    monkeypatch.setattr(commands.sweeping.signal, "signal", lambda *handler: None)
    monkeypatch.setattr(running, "CONNECT", 0.5)
    call = sweeping.arguments(place, "[vary]\nx = [1]\n", *more)
    try:
        status = commands.main(call)
    except SystemExit as left:
        status = left.code
    assert status == 2
    assert message in capsys.readouterr().err
    assert not sweeping.log(place)


def test_what_a_wrong_call_prints(place):
    done = sweeping.run(place, "[vary]\nz = [1]\n")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == (
        f"labelaudit sweep: {place / 'g.toml'}: the notebook has no parameter 'z'; its"
        " parameters: x, n, word, pause\n"
    )
    assert not (place / "out").exists()


def test_without_dask_a_sentence_says_what_is_missing(place, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "labelaudit.sweeps.running", None)
    call = sweeping.arguments(place, "[vary]\nx = [1]\n")
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
        + sweeping.command(place, text, "--jobs", "2"),
        env=sweeping.environment(place),
        capture_output=True,
        text=True,
        timeout=sweeping.WAIT,
        check=False,
    )
    assert "status 1\n" in done.stdout, done.stderr
    assert "No space left on device" in done.stderr
    assert "the same command again goes on from there" in done.stderr
    assert "Traceback" not in done.stderr
    assert 1 <= done.stdout.count(",done,") < 8


def test_the_fingerprint_of_the_library_decides(place):
    """The same command with a changed library would run all again."""
    text = "[vary]\nx = [1]\n"
    assert sweeping.run(place, text).returncode == 0
    here = sweeping.copied_library(place)
    sweeping.change_library(place)
    done = subprocess.run(
        sweeping.command(place, text, "--dry-run"),
        env=here,
        capture_output=True,
        text=True,
        timeout=sweeping.WAIT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("x = 1: the code is another since it ran\n")


# In Python, and what a set leaves -----------------------------------------------------


WRITES = """\
import time
import labelaudit as la
with open("told.txt", "w") as file:
    file.write(str(x))
time.sleep(pause)
la.record(y=6 / x)
"""


def test_a_sweep_in_python_gives_the_table_and_keeps_files(tmp_path):
    path = sweeping.notebook(tmp_path / "a.ipynb", cells=[WRITES])
    tables = {"vary": {"x": [1, 2, 0]}, "fixed": {"word": "yes"}}
    found = la.sweep(path, tables, tmp_path / "out")
    assert found["x"].tolist() == [1, 2, 0]
    assert found["status"].tolist() == ["done", "done", "failed"]
    assert found["y"].tolist()[:2] == [6, 3] and found["error"][2].startswith("ZeroDiv")
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
        ({"memory": "much"}, "memory must be a size such as 2GB, got 'much'"),
        ({"memory": -1}, "memory must be a size such as 2GB, got -1"),
        (
            {"memory": 2**63},
            "memory must be a size such as 2GB, got 9223372036854775808",
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
    tmp_path, monkeypatch, capsys
):
    def said(grid):
        call = sweeping.arguments(tmp_path, grid, "--dry-run")
        assert commands.main(call) == 0
        return capsys.readouterr().out

    sweeping.notebook(tmp_path / "a.ipynb", cells=[WRITES])
    grid = "[vary]\nx = [1, 0]\n"
    new = "x = 1: not run yet\nx = 0: not run yet\n2 to run, 0 done\n"
    assert said(grid) == new
    assert not (tmp_path / "out").exists()
    monkeypatch.setattr(surroundings, "MOST", ((100, 9), (0, 0), (0, 0)))
    (tmp_path / "large.bin").write_bytes(bytes(10**6))
    told = said(grid).removeprefix(new)
    assert told.startswith("too large to copy for each set: ")
    assert "large.bin (1 MB)" in told
    sweeping.run(tmp_path, grid)
    again = said("[vary]\nx = [1, 0, 3]\n")
    assert "x = 0: failed before: ZeroDivisionError" in again
    assert "x = 3: not run yet\n2 to run, 1 done\n" in again
    sweeping.notebook(tmp_path / "a.ipynb", cells=[WRITES + "z = 1\n"])
    assert said(grid).count("the code is another since it ran") == 2


def test_a_hung_set_and_a_runaway_fail_and_the_others_are_done(tmp_path):
    runaway = "\nheap = [bytearray(10**7) for _ in range(10**4 if x == 3 else 1)]\n"
    sweeping.notebook(tmp_path / "a.ipynb", cells=[WRITES + runaway])
    grid = "[zip]\nx = [1, 2, 3]\npause = [0.0, 60.0, 0.0]\n"
    limits = ("--jobs", "2", "--timeout", "15", "--memory", "1GB")
    ran = sweeping.run(tmp_path, grid, *limits)
    assert ran.returncode == 1
    table = sweeping.table(tmp_path)
    assert table["status"].tolist() == ["done", "failed", "failed"]
    assert table["error"][1] == "TimeoutError: it took more than 15 s"
    assert table["error"][2] == "MemoryError: it had more than 1,000,000,000 bytes"
