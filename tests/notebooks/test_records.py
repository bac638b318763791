"""A notebook is made again where something that it rests on changed, and only there."""

import os
import time

import pytest

from known import rows
from reproduction.machinery import build, notebooks, paths
from sweeping import nbformat

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


@pytest.fixture
def made(place, tmp_path, monkeypatch):
    """A record of one notebook, and the files that it names."""
    monkeypatch.setattr(paths, "ROOT", tmp_path)
    monkeypatch.setattr(paths, "LOCK", tmp_path / "lock")
    write(place, LATER)
    texts = {
        "lock": "numpy==2",
        "src/a.py": '"""Old."""\n\n\ndef f():\n    """Old."""\n    return 1\n',
        "data/x.csv": "1",
        "one.csv": "2",
        "one.svg": "3",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    trace = {"listed": ["data"]}
    trace["read"] = ["src/a.py", "data/x.csv", "own.toml", "notebooks/one.ipynb"]
    trace["written"] = [str(tmp_path / name) for name in ("one.csv", "one.svg")]
    trace["written"].append(str(tmp_path / "other" / "temporary"))
    notebooks.keep("one", trace, time.time() + 60)
    assert notebooks.changed("one") == ""
    return tmp_path, trace


@pytest.mark.parametrize(("name", "text", "told"), rows("changes"))
def test_what_makes_a_notebook_run_again(name, text, told, made):
    folder, _ = made
    if text == "gone":
        (folder / name).unlink()
    else:
        (folder / name).write_text(text, encoding="utf-8")
    notebooks._digest.cache_clear()
    assert notebooks.changed("one") == told


def test_what_changed_while_a_notebook_was_made_is_not_kept(made):
    folder, trace = made
    begin = time.time()
    os.utime(folder / "src" / "a.py", (begin + 5, begin + 5))
    notebooks.keep("one", trace, begin)
    assert notebooks.changed("one") == "not made here before"


# Runs ---------------------------------------------------------------------------

CODE = """\
import os
import labelaudit as la
from reproduction.machinery import paths
(paths.figures() / "one.csv").write_text("a")
list(paths.PUBLISHED.glob("*.csv"))
open(paths.README).close()
"""


def test_a_kernel_tells_what_its_notebook_rests_on(place, tmp_path):
    write(place, CODE, LATER)
    result = notebooks.execute("one", tmp_path)
    assert result.error == ""
    trace = result.trace
    assert "src/labelaudit/plans/single.py" in trace["read"]
    assert not [name for name in trace["read"] if "labelaudit/agreement/" in name]
    assert [n for n in trace["read"] if not n.startswith("src/")] == ["README.md"]
    assert trace["listed"] == ["data/published"]
    assert str(tmp_path / "one.csv") in trace["written"]


@pytest.mark.parametrize(
    ("cells", "cell", "line", "told"),
    [
        ((CODE, "y = [\n    1 / 0,\n]\n"), 2, 2, "ZeroDivisionError: division by zero"),
        (("def f():\n    1 / 0\n", "f()\n"), 2, 1, "ZeroDivisionError: division by"),
        (("x = 1\nx = = 2\n",), 1, 2, "SyntaxError: invalid syntax"),
    ],
)
def test_a_failed_notebook_is_named_with_its_cell_and_line(
    cells, cell, line, told, place, tmp_path, capsys, monkeypatch
):
    write(place, *cells)
    monkeypatch.setattr("sys.argv", ["build"])
    assert build.main() == 1
    said = capsys.readouterr().out
    assert "[1/1] one: failed" in said
    assert f'at "In [{cell}]"' in said
    assert f"Cell In[{cell}], line {line}\n" in said
    assert told in said


def test_nothing_runs_where_nothing_changed(place, tmp_path, capsys, monkeypatch):
    write(place, CODE, LATER)
    page = place / "README.md"
    page.touch()
    monkeypatch.setattr(build.front, "listed", lambda _: "the pages")
    assert build.main([]) == 0
    assert "[1/1] one: done" in capsys.readouterr().out
    assert (build.main([]), page.read_text()) == (0, "the pages")
    said = capsys.readouterr().out
    assert said.startswith("nothing changed") and "1 as they were" in said
    assert build.main(["--all"]) == 0
    assert "1 notebooks made in" in capsys.readouterr().out
