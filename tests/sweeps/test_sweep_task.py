"""What a worker does with one parameter set."""

import json
import os
from pathlib import Path
from zlib import compress

import psutil
import pytest

import sweeping
from labelaudit.sweeps import FILES, kernel, notebook
from labelaudit.sweeps.task import OtherLibrary, Source, execute, line

pytest.importorskip("papermill")


@pytest.fixture
def given(tmp_path, monkeypatch):
    """A notebook that tells where it is, and the environment as it was."""
    monkeypatch.setenv(FILES, "elsewhere")
    there = """\
import os
from pathlib import Path
from zlib import compress
import labelaudit as la
beside = Path("beside.txt")
folder = Path(os.environ["LABELAUDIT_FILES"])
(folder / "kept.txt").write_text("kept")
la.record(read=beside.read_text() if beside.exists() else "", files=str(folder))
"""
    return sweeping.notebook(tmp_path / "a.ipynb", cells=[there])


def source(path, **changes):
    parts = {
        "packed": compress(notebook.read(path).text.encode()),
        "folder": str(path.parent),
        "out": str(path.parent / "out"),
        "library": notebook.library(),
        "parameters": ("x", "n"),
    }
    return Source(**(parts | changes))


def test_a_run_starts_in_the_notebooks_folder(given):
    (given.parent / "beside.txt").write_text("here", encoding="utf-8")
    outcome = execute(source(given), {"x": 2.5})
    assert outcome.error == ""
    assert outcome.seconds > 0
    assert outcome.values["read"] == "here"
    assert not Path(outcome.values["files"]).exists()  # and leaves nothing behind
    assert outcome.files == {"kept.txt": b"kept"}
    cells = json.loads(outcome.notebook)["cells"]
    assert "x = 2.5" in "".join(cells[2]["source"])
    assert "elsewhere" not in outcome.values["files"]
    assert os.environ[FILES] == "elsewhere"  # for whoever is next in this process


def test_a_worker_without_that_folder_runs_it_elsewhere(given):
    before = os.getcwd()
    outcome = execute(source(given, folder="/nowhere"), {})
    assert outcome.error == ""
    assert outcome.values["read"] == ""
    assert os.getcwd() == before


def test_a_worker_with_another_library_says_so(given):
    with pytest.raises(OtherLibrary, match="not the one that the sweep was started"):
        execute(source(given, library="other"), {})


def test_a_kernel_that_does_not_start_is_for_dask_to_try_again(given):
    text = source(given).text.replace('"name": "python3"', '"name": "none"')
    packed = compress(text.encode())
    with pytest.raises(Exception, match="none") as caught:
        execute(source(given, packed=packed), {})
    assert type(caught.value).__name__ == "NoSuchKernel"


def test_what_a_run_recorded_before_it_failed_is_kept(tmp_path):
    cells = ["import labelaudit as la\nla.record(early=1, seconds=2, n=3)\n", "1 / 0\n"]
    path = sweeping.notebook(tmp_path / "a.ipynb", cells=cells)
    outcome = execute(source(path), {})
    assert outcome.error == "ZeroDivisionError: division by zero"
    assert outcome.values == {"early": 1}


def test_a_value_with_the_name_of_a_parameter_is_an_error(tmp_path):
    cells = ["import labelaudit as la\nla.record(n=5, other=6)\n"]
    path = sweeping.notebook(tmp_path / "a.ipynb", cells=cells)
    outcome = execute(source(path), {"x": 2.0})  # n is left at its default
    assert outcome.error == "ValueError: recorded 'n', the name of a parameter"
    assert outcome.values == {"other": 6}


def test_errors_are_one_line_of_reasonable_length():
    assert line(ValueError("a\n  b\x1b[31m")) == "ValueError: a b [31m"
    for length, ends in ((488, "xxx"), (489, "..."), (1000, "...")):  # 500, 501, more
        long = line(ValueError("x" * length))
        assert (len(long), long[-3:]) == (500, ends)


@pytest.mark.parametrize(("folder", "by"), [("/tmp", "ipc"), ("/" + "x" * 99, "tcp")])
def test_a_kernel_talks_by_names_where_they_are_short_enough(folder, by):
    from jupyter_client.manager import KernelManager

    assert kernel.named(KernelManager, Path(folder))().transport == by
    assert kernel.named(KernelManager, None)().transport == "tcp"


HANG = "import subprocess, sys, time\nimport labelaudit as la\nla.record(begun=True)\n"


def test_a_set_that_hangs_is_ended_with_what_it_started(tmp_path):
    child = (
        "subprocess.Popen([sys.executable, '-c',"
        f" 'import time; time.sleep(60)  # {tmp_path}'])\n"
    )
    cells = [HANG + child, "time.sleep(60)\n"]
    path = sweeping.notebook(tmp_path / "a.ipynb", cells=cells)
    outcome = execute(source(path, timeout=6.0), {})
    assert outcome.error == "TimeoutError: it took more than 6 s"
    assert 6 < outcome.seconds < 40
    assert outcome.values == {"begun": True}
    alive = [p.info["cmdline"] for p in psutil.process_iter(["cmdline"])]
    assert not [line for line in alive if line and str(tmp_path) in line[-1]]


def test_a_set_that_takes_too_much_memory_is_ended(tmp_path):
    cells = [HANG, "hoard = []\nwhile True:\n    hoard.append(bytearray(10**7))\n"
             "    time.sleep(0.02)\n"]  # fmt: skip
    path = sweeping.notebook(tmp_path / "a.ipynb", cells=cells)
    outcome = execute(source(path, memory=600_000_000), {})
    assert outcome.error == "MemoryError: it had more than 600,000,000 bytes"
    assert outcome.values == {"begun": True}
