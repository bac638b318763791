"""Where output and messages go when a stream is closed, full or not read."""

import os
import shlex
import subprocess
import sys

import pytest

LEVELS = "--p-a .02 --p-r .05 --alpha .05 --beta .1"
CALLS = {
    "--help": 0,
    f"plan {LEVELS} --lot-size 500 --kind sequential": 0,  # with a note
    f"plan {LEVELS} --lotsize 5": 2,
    "verdict -": 2,
}


def run(arguments, how=""):
    command = f"{shlex.quote(sys.executable)} -m labelaudit {arguments} {how}"
    return subprocess.run(
        ["bash", "-c", command],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )


@pytest.mark.parametrize(("arguments", "status"), CALLS.items())
def test_streams_that_are_closed(arguments, status):
    plain = run(arguments)
    assert plain.returncode == status
    quiet = run(arguments, "2>&-")
    assert (quiet.returncode, quiet.stdout) == (status, plain.stdout)
    assert run(arguments, "2>/dev/full").stdout == plain.stdout
    lost = run(arguments, ">&-")
    assert (lost.returncode, lost.stdout) == (2, "")
    assert lost.stderr == (
        "labelaudit cannot write the output: standard output is closed\n"
    )
    silent = run(arguments, "<&- >&- 2>&-")
    assert (silent.returncode, silent.stdout, silent.stderr) == (2, "", "")
    assert "Traceback" not in run(arguments, "<&-").stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
@pytest.mark.parametrize("arguments", CALLS)
def test_a_full_disk_and_a_reader_who_has_read_enough(arguments):
    full = run(arguments, "> /dev/full")
    assert full.returncode == 2
    assert "Traceback" not in full.stderr
    some = run(arguments, "| head -n 1")
    assert "Traceback" not in some.stderr and "cannot write" not in some.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        f"plan {LEVELS} --sheet {'a' * 300}.csv",
        f"plan {LEVELS} --items {'a' * 300}.csv",
        f"verdict {'a' * 300}",
        f"estimate --half-width .1 --sheet {'a' * 300}/s.csv",
        "verdict $'\\x1b[31m.csv'",
        f"plan {LEVELS} --items $'\\x1b]0;x\\x07.csv'",
    ],
)
def test_odd_names_end_in_a_sentence(arguments):
    done = run(arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("labelaudit ") and done.stderr.count("\n") == 1
    assert done.stderr.isprintable() or "\x1b" not in done.stderr


@pytest.mark.parametrize(
    "command", ["", "plan", "estimate", "verdict", "agree", "sweep"]
)
def test_help_fits_80_columns_and_has_no_abbreviations(command):
    shown = run(f"{command} --help")
    widest = max(map(len, shown.stdout.splitlines()))
    assert shown.returncode == 0 and widest <= 80
    wrong = run(f"{command} --hel")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    first, second = wrong.stderr.splitlines()
    name = " ".join(["labelaudit", command]).strip()
    assert first == f"{name}: --hel is no option of it; did you mean --help?"
    assert second == f"{name} --help shows what it takes"


def test_alone_it_shows_its_help():
    assert run("").returncode == 0
    assert run("").stdout == run("--help").stdout
