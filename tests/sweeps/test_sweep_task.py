"""What a worker does with one parameter set."""

import json
import os
from pathlib import Path
from zlib import compress

import pytest

import sweeping
from labelaudit.sweeps import FILES, notebook
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
folder.mkdir()
la.record(read=beside.read_text() if beside.exists() else "", files=str(folder))
"""
    return sweeping.notebook(tmp_path / "a.ipynb", cells=[there])


def source(path, **changes):
    parts = {
        "packed": compress(notebook.read(path).text.encode()),
        "folder": str(path.parent),
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
    long = line(ValueError("x" * 1000))
    assert len(long) == 500
    assert long.endswith("...")
