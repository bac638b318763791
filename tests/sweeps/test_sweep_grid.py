"""Which sets a grid makes, which are drawn, and what is refused: one table."""

from collections import Counter

import numpy as np
import pytest
from scipy import stats

import sweeping
from labelaudit.sweeps import grid
from labelaudit.sweeps.notebook import Refused
from labelaudit.sweeps.parameters import Cell, Code

CELL = Cell(sweeping.PARAMETERS + "status = 1")


def given(tables, cell=CELL):
    return [one.given for one in grid.read(tables, cell).sets]


SETS = [
    (
        "vary = {x = [1, 2.5], n = [7, 8]}\nfixed = {word = 'yes'}",
        [{"word": "yes", "x": x, "n": n} for x in (1, 2.5) for n in (7, 8)],
    ),
    (  # extra sets come last and may replace what is fixed
        "vary = {x = [1]}\nfixed = {word = 'a'}\nalso = [{x = 9, word = 'b'}, {n = 1}]",
        [{"word": "a", "x": 1}, {"word": "b", "x": 9}, {"word": "a", "n": 1}],
    ),
    ("[[also]]\nx = 2", [{"x": 2}]),
    ("[fixed]\nx = 2", [{"x": 2}]),
    (  # each once; n = 3 is the notebook's own
        "vary = {x = [1.0, 2.0, 1.0]}\nalso = [{x = 2.0}, {n = 3}]",
        [{"x": 1.0}, {"x": 2.0}],
    ),
    (
        "vary = {word = ['a', 'b']}\nzip = {x = [1, 2], n = [10, 20]}",
        [{"word": w, "x": x, "n": n} for w in "ab" for x, n in ((1, 10), (2, 20))],
    ),
    ("zip = {x = [1, 2], n = [3, 4]}", [{"x": 1, "n": 3}, {"x": 2, "n": 4}]),
]


@pytest.mark.parametrize(("text", "sets"), SETS)
def test_sets_of_a_grid(tmp_path, text, sets):
    found = grid.read(sweeping.grid(tmp_path / "g.toml", text), CELL)
    assert [one.given for one in found.sets] == sets
    assert all(one.whole == CELL.defaults | one.given for one in found.sets)
    assert {*found.names} == {name for one in sets for name in one} | (
        {"n"} if "2.0" in text else set()
    )


def test_columns_are_in_the_order_of_the_tables():
    tables = {"fixed": {"word": "yes"}, "also": [{"n": 1}], "vary": {"x": [1]}}
    assert grid.read(tables, CELL).names == ["x", "word", "n"]


def test_a_set_has_a_name_of_its_own_values_wherever_they_are_said():
    one, two, other = (
        grid.read(tables, CELL).sets[0].name
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
    names = {one.name for one in grid.read({"vary": {"y": [1, 2]}}, cell).sets}
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
LIST = "must be a list of values, at least one, got"
MANY = [*range(1001)]
WRONG = [
    ("", "g.toml: this is an empty grid: it has no [vary] with a list"),
    ("[vary]\nx = [1\n", "g.toml is not TOML: "),
    ("[vary]\nx = [0.5, abc]\n", "g.toml is not TOML: "),
    (b"\xff\xfe\x00", "g.toml is not TOML: "),
    (None, "g.toml: No such file"),
    ("[vary]\nn = [2020-01-01]\n", "n = 2020-01-01 must be a number, a text, true"),
    ("[vary]\nn = [[2020-01-01]]\n", "n = 2020-01-01 must be a number, a text, true"),
    ({"vary": {}}, "grid: this is an empty grid: it has no [vary] with a list"),
    ({"vari": {}}, "grid: 'vari' is none of [vary], [zip], [sample], [fixed] and"),
    ({"x": [1]}, "[fixed] and [[also]]; write it under [fixed]"),
    ({"vary": {"x": []}}, f"'x' in [vary] {LIST} []"),
    ({"vary": {"x": 1}}, f"'x' in [vary] {LIST} 1"),
    ({"zip": {"x": 1}}, f"'x' in [zip] {LIST} 1"),
    ({"zip": {"x": [1, 2], "n": [1]}}, "must have one length, got x 2, n 1"),
    ({"vary": {"z": [1]}}, "the notebook has no parameter 'z'; its parameters: x"),
    ({"fixed": {"z": 1}}, "the notebook has no parameter 'z'"),
    ({"also": [{"z": 1}]}, "the notebook has no parameter 'z'"),
    (sample(3, {"z": [1]}), "the notebook has no parameter 'z'"),
    ({"vary": 3}, "[vary] must be a table, got 3"),
    ({"also": 3}, "[[also]] must be tables, got 3"),
    ({"also": {"x": 3}}, "[[also]] must be tables, got {'x': 3}"),
    ({"vary": {"x": [1]}, "fixed": {"x": 2}}, "'x' is both in [vary] and in [fixed]"),
    ({"vary": {"x": [1]}, "zip": {"x": [1]}}, "'x' is both in [vary] and in [zip]"),
    ({"vary": {"x": ["1"]}}, "x = '1' is not a number, as it is in the notebook"),
    ({"vary": {"x": [True]}}, "x = True is not a number"),
    ({"vary": {"word": [1]}}, "word = 1 is not a text"),
    ({"vary": {"x": [[1]]}}, "x = [1] is not a number"),
    ({"vary": {"x": MANY, "n": MANY}}, "more than 1,000,000 parameter sets"),
    ({"vary": {"status": [1]}}, "a parameter cannot be called 'status'"),
    ({"sample": {"n": 3}}, "[sample] needs a table [sample.parameters], got None"),
    (sample(0, {"x": X}), "n in [sample] must be a whole number of at least 1"),
    (sample(True, {"x": X}), "n in [sample] must be a whole number of at least 1"),
    (sample(3, {"x": X}, seed=-1), "seed in [sample] must be a whole number of at l"),
    (sample(3, {"x": X}, m=3), "'m' in [sample] is none of n, seed and"),
    (sample(3, {"x": {"low": 2, "high": 1}}), "'x' in [sample.parameters] needs num"),
    (sample(3, {"x": {"low": "1", "high": 2}}), "needs numbers low < high, got"),
    (sample(3, {"x": {"low": 0}}), "must be a list that is not empty, or { low,"),
    (sample(3, {"x": []}), "must be a list that is not empty, or { low, high }"),
    (sample(3, {"x": {"low": 0, "high": 1, "log": True}}), "ends above 0 where it is"),
    (sample(3, {"x": X | {"log": 1}}), "needs log = true or false"),
    (sample(3, {"x": X | {"high": 10**19}}), "of a size up to 1,000,000,000,000,00"),
]


@pytest.mark.parametrize(("tables", "words"), WRONG)
def test_a_bad_grid_is_refused_in_one_sentence(tmp_path, tables, words):
    path = tmp_path / "g.toml"
    if not isinstance(tables, dict):
        if tables is not None:
            path.write_bytes(tables if isinstance(tables, bytes) else tables.encode())
        tables = path
    with pytest.raises(Refused) as refused:
        grid.read(tables, CELL)
    said = str(refused.value)
    assert words in said and "\n" not in said
    assert ("grid: " if isinstance(tables, dict) else str(path)) in said
