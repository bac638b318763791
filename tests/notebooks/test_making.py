"""What is made: what a run rests on, where it failed, and no run without a change."""

import pytest

from reproduction.machinery import build, notebooks, paths
from sweeping import nbformat

pytest.importorskip("papermill")

CODE = """\
import inspect, os
import labelaudit as la
from reproduction.machinery import paths
inspect.getsource(paths.notebook)
(paths.figures() / "one.csv").write_text("a")
list(paths.PUBLISHED.glob("*.csv"))
open(paths.README).close()
"""
LATER = "la.single_plan(la.STRICT)\n"  # loads what no import statement shows


def write(folder, *cells):
    made = nbformat.v4.new_notebook()
    made.cells = [nbformat.v4.new_code_cell(source) for source in cells]
    nbformat.write(made, folder / "one.ipynb")


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder with notebooks and parameters of its own, that figures go to."""
    folder = tmp_path / "notebooks"
    folder.mkdir()
    (tmp_path / "own.toml").write_text("[one]\na = 1\n[two]\nb = 1\n", encoding="utf-8")
    monkeypatch.setattr(paths, "NOTEBOOKS", folder)
    monkeypatch.setattr(paths, "RECORDS", tmp_path / "made")
    monkeypatch.setattr(paths, "PARAMETERS", tmp_path / "own.toml")
    monkeypatch.setattr(paths, "notebook", lambda stem: folder / f"{stem}.ipynb")
    monkeypatch.setenv(paths.FIGURES_VARIABLE, str(tmp_path))
    return folder


def test_a_kernel_tells_what_its_notebook_rests_on(place, tmp_path):
    write(place, CODE, LATER)
    result = notebooks.execute("one", tmp_path)
    assert result.error == ""
    trace = result.trace
    assert "src/labelaudit/plans/single.py" in trace["modules"]
    assert not [name for name in trace["modules"] if "labelaudit/agreement/" in name]
    assert trace["quoted"] == ["src/reproduction/machinery/paths.py"]
    assert trace["read"] == ["README.md"]
    assert trace["listed"] == ["data/published"]
    assert str(tmp_path / "one.csv") in trace["written"]


@pytest.mark.parametrize(
    ("cells", "where"),
    [
        ((CODE, "x = 1\ny = [\n    x / 0,\n]\n"), "cell [2], line 3 `x / 0,`: ZeroDiv"),
        (("def f():\n    1 / 0\n", "f()\n"), "cell [2], line 1 `f()`: ZeroDivision"),
        (("x = 1\nx = = 2\n",), "cell [1], line 2 `x = = 2`: SyntaxError"),
    ],
)
def test_a_failed_notebook_is_named_with_its_cell_and_line(
    cells, where, place, tmp_path, capsys, monkeypatch
):
    write(place, *cells)
    monkeypatch.setattr("sys.argv", ["build"])
    assert build.main() == 1
    said = capsys.readouterr().out
    assert "[1/1] one: failed" in said
    assert f"one.ipynb\n    {where}" in said


def test_nothing_runs_where_nothing_changed(place, tmp_path, capsys, monkeypatch):
    write(place, CODE, LATER)
    monkeypatch.setattr("sys.argv", ["build"])
    assert build.main() == 0
    assert "[1/1] one: done" in capsys.readouterr().out
    assert build.main() == 0
    said = capsys.readouterr().out
    assert said.startswith("nothing changed") and "1 as they were" in said
    monkeypatch.setattr("sys.argv", ["build", "--all"])
    assert build.main() == 0
    assert "1 notebooks in" in capsys.readouterr().out
