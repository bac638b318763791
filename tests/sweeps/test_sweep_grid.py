"""Which sets a grid makes, which are drawn, and what is refused: one table."""

from collections import Counter

import numpy as np
import pytest
from scipy import stats

import refusals
import sweeping
from known import rows
from labelaudit.sweeps import grid, notebook
from labelaudit.sweeps.parameters import Cell, Code

CELL = Cell(sweeping.PARAMETERS + "status = 1")


def given(tables, cell=CELL):
    return [one.given for one in grid.read(tables, cell)]


@pytest.mark.parametrize(("text", "sets"), rows("grids"))
def test_sets_of_a_grid(tmp_path, text, sets):
    """Each once; what is also there comes last and may replace what is fixed."""
    found = grid.read(sweeping.grid(tmp_path / "g.toml", text), CELL)
    assert [one.given for one in found] == eval(sets)
    assert all(one.whole == CELL.defaults | one.given for one in found)


def test_names_are_in_the_order_of_the_tables():
    tables = {"fixed": {"word": "yes"}, "also": [{"n": 1}], "vary": {"x": [1]}}
    assert [[*one] for one in given(tables)] == [["x", "word"], ["word", "n"]]


def test_a_set_has_a_name_of_its_own_values_wherever_they_are_said():
    one, two, other = (
        grid.read(tables, CELL)[0].name
        for tables in (
            {"vary": {"x": [2.0]}},
            {"fixed": {"x": 2.0, "n": 3, "word": "no"}},
            {"vary": {"x": [2]}},  # 2 is not 2.0
        )
    )
    assert one == two != other


def test_lists_and_tables_are_values_too():
    cell = Cell("a = [1, 2]\nb = {}\nc = None\n")
    tables = {"vary": {"a": [[1], [0.5, "x"]]}, "fixed": {"b": {"k": 1}, "c": True}}
    assert given(tables, cell) == [
        {"b": {"k": 1}, "c": True, "a": a} for a in ([1], [0.5, "x"])
    ]


ODD = ["{1, 2}", "[{1}]", "b'a'", "1j", "...", "{(1, 2): 3}", "{1: 2, 'a': 3}"]


@pytest.mark.parametrize("default", [*ODD, "{[1]: 2}"])
def test_defaults_that_a_grid_cannot_give(default):
    cell = Cell(f"odd = {default}\ny = 1\n")
    assert isinstance(cell.defaults["odd"], Code)
    names = {one.name for one in grid.read({"vary": {"y": [1, 2]}}, cell)}
    assert len(names) == 2


# At random --------------------------------------------------------------------------


def sample(n, parameters, **more):
    return {"sample": {"n": n, "parameters": parameters, **more}}


def test_draws_are_uniform_or_so_on_the_log_scale_and_crossed():
    parameters = {"x": {"low": 0.001, "high": 10.0, "log": True}}
    parameters["n"] = {"low": 1, "high": 6}
    tables = sample(2000, parameters, seed=7) | {"vary": {"word": ["a", "b"]}}
    found = given(tables)
    draws = [one for one in found if one["word"] == "a"]
    again = [one | {"word": "a"} for one in found if one["word"] == "b"]
    assert len(draws) == 2000 and again == draws
    counts = np.bincount([one["n"] for one in draws], minlength=7)
    assert counts[0] == 0 and stats.chisquare(counts[1:]).pvalue > 1e-4
    logs = [(np.log10(one["x"]) + 3) / 4 for one in draws]
    assert stats.kstest(logs, "uniform").pvalue > 1e-4
    assert given(tables) == found
    assert given(tables | sample(2000, parameters, seed=8)) != found


def test_whole_numbers_on_the_log_scale_choices_and_other_numbers():
    parameters = {
        "x": {"low": 1, "high": 2.5},
        "n": {"low": 1, "high": 1000, "log": True},
        "word": ["a", "b", "c"],
    }
    found = given(sample(3000, parameters))
    whole = np.array([one["n"] for one in found])
    assert whole.min() == 1 and whole.max() <= 1000
    for k in (1, 9, 99):  # P(at most k) is log(k + 1) / log(1001)
        expected = np.log(k + 1) / np.log(1001)
        assert stats.binomtest(int((whole <= k).sum()), 3000, expected).pvalue > 1e-4
    words = Counter(one["word"] for one in found)
    assert stats.chisquare(list(words.values())).pvalue > 1e-4 and len(words) == 3
    assert all(1 <= one["x"] <= 2.5 and one["x"] != round(one["x"]) for one in found)
    # A draw does not hang on the parameters after it, and the seed is 0.
    alone = given(sample(3000, {"x": parameters["x"]}, seed=0))
    assert [one["x"] for one in alone] == [one["x"] for one in found]


# What is refused --------------------------------------------------------------------

X = {"low": 1, "high": 2}
MANY = [*range(1001)]


@refusals.table("sweeps")
def test_a_bad_grid_or_notebook_is_refused_in_one_sentence(tmp_path, row):
    def read(tables):
        """Of a file, where it is its content; None: there is none."""
        path = tmp_path / "g.toml"
        if isinstance(tables, dict):
            return grid.read(tables, CELL)
        if tables is not None:
            path.write_bytes(tables if isinstance(tables, bytes) else tables.encode())
        return grid.read(path, CELL)

    def changed(change=lambda of: None, **parts):
        """The path of a notebook of such bytes, or after a change of its JSON."""
        path = tmp_path / "a.ipynb"
        if isinstance(change, bytes):
            path.write_bytes(change)
        else:
            sweeping.edited(path, change, **parts)
        return path

    names = {"read": read, "sample": sample, "X": X, "MANY": MANY}
    names |= {"notebook": notebook.read, "there": tmp_path, "changed": changed}
    refusals.check(row, names)


def test_a_text_is_no_default_that_is_code():
    cell = Cell("x = str(3)\ny = 1")
    assert len(grid.read({"also": [{"x": "str(3)"}, {"y": 1}]}, cell)) == 2
