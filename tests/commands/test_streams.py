"""Where output and messages go when a stream is closed, full, not read or narrow."""

import json
import os
import shlex
import subprocess
import sys

import pytest

import labelaudit as la
from labelaudit.commands import main

LEVELS = "--p-a .02 --p-r .05 --alpha .05 --beta .1"
CALLS = {
    "--help": 0,
    f"plan {LEVELS} --lot-size 500 --kind sequential": 0,  # with a note
    f"plan {LEVELS} --lotsize 5": 2,
    "verdict -": 2,
}
FULL = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")


def run(arguments, how="", **more):
    command = f"{shlex.quote(sys.executable)} -m labelaudit {arguments} {how}"
    more = {"stdin": subprocess.DEVNULL} | more
    return subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, **more
    )


@FULL
@pytest.mark.parametrize(("arguments", "status"), CALLS.items())
def test_streams_that_are_closed_or_full(arguments, status):
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
    full = run(arguments, "> /dev/full")
    *notes, last = full.stderr.splitlines()
    assert full.returncode == 2 and "Traceback" not in full.stderr
    if status == 0:
        assert last == "labelaudit cannot write the output: No space left on device"
        assert all(line.startswith("note: ") for line in notes)


def test_a_reader_who_has_read_enough_is_no_error(folder):
    some = run("agree r.csv --json", "| head -n 1; exit ${PIPESTATUS[0]}")
    assert (some.returncode, some.stdout) == (0, "{\n")
    assert "Error" not in some.stderr and "cannot write" not in some.stderr
    reader, writer = os.pipe()
    os.close(reader)
    ask = [sys.executable, "-m", "labelaudit", "agree", "r.csv"]
    done = subprocess.run(ask, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert done.returncode == 0
    assert all(line.startswith(b"note: ") for line in done.stderr.splitlines())


def test_too_little_memory_is_a_sentence(monkeypatch, capsys):
    monkeypatch.setattr("labelaudit.commands.answer", lambda _: [0] * 2**60)
    assert main(["agree", "ratings.csv"]) == 2
    assert "more memory than there is" in capsys.readouterr().err


def test_labels_that_the_terminal_cannot_show(folder):
    text = "item,a,b\n1,\u2713,\u2713\n2,\U0001f600,no\n3,no,no\n"
    env = os.environ | {"PYTHONIOENCODING": "cp1252"}
    (folder / "u.csv").write_text(text, encoding="utf-8")
    plain, as_json = (run(f"agree u.csv {more}", env=env) for more in ("", "--json"))
    assert plain.returncode == as_json.returncode == 0
    assert r"\u2713" in plain.stdout and r"\u2713" in as_json.stdout
    assert "Traceback" not in plain.stderr + as_json.stderr
    assert json.loads(as_json.stdout)["labels"] == ["no", "\u2713", "\U0001f600"]


def test_standard_input_and_what_is_not_imported(folder):
    with (folder / "r.csv").open(encoding="utf-8") as ratings:
        done = run("agree -", stdin=ratings)
    assert done.returncode == 0 and "standard input: 3 items, 3 raters" in done.stdout
    code = (
        "import sys; from labelaudit.commands import main; main(['agree', 'r.csv']);"
        "sys.exit('matplotlib' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


@pytest.mark.parametrize(
    "arguments",
    [
        f"plan {LEVELS} --sheet {'a' * 300}.csv",
        f"plan {LEVELS} --items {'a' * 300}.csv",
        f"verdict {'a' * 300}",
        f"estimate --half-width .1 --sheet {'a' * 300}/s.csv",
        "verdict \x1b[31m.csv",
        f"plan {LEVELS} --items '\x1b]0;x\x07.csv'",
    ],
)
def test_odd_names_end_in_a_sentence(call, arguments):
    status, out, err = call(arguments)
    assert (status, out) == (2, "")
    assert err.startswith("labelaudit ") and err.count("\n") == 1 and "\x1b" not in err


@pytest.mark.parametrize(
    "command", ["", "plan", "estimate", "verdict", "agree", "sweep"]
)
def test_help_fits_80_columns_and_has_no_abbreviations(call, command):
    status, out, _ = call(f"{command} --help")
    assert status == 0 and max(map(len, out.splitlines())) <= 80
    assert "examples:" in out or not command
    status, out, err = call(f"{command} --hel")
    name = f"labelaudit {command}".strip()
    assert (status, out) == (2, "")
    assert err.splitlines() == [
        f"{name}: --hel is no option of it; did you mean --help?",
        f"{name} --help shows what it takes",
    ]


def test_alone_it_shows_its_help_and_its_version(call):
    status, out, _ = call("")
    assert status == 0 and out == call("--help")[1]
    for line in ("--version", "--version plan"):
        assert call(line) == (0, f"{la.__version__}\n", "")
