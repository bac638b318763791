"""What a sweep is asked to run: grids and notebooks, good ones and bad ones."""

import json
from collections import Counter

import numpy as np
import pytest
from scipy import stats

import sweeping
from labelaudit.sweeps import grid, notebook
from labelaudit.sweeps.notebook import Refused
from labelaudit.sweeps.parameters import Cell, Code
from sweeping import nbformat


@pytest.fixture
def made(tmp_path):
    return notebook.read(sweeping.notebook(tmp_path / "a.ipynb"))


def read(tmp_path, text, cell):
    return grid.read(sweeping.grid(tmp_path / "g.toml", text), cell)


def given(found):
    return [one.given for one in found.sets]


def test_the_product_of_what_varies_in_order_with_what_is_fixed(tmp_path, made):
    text = "[fixed]\nword = 'yes'\n[vary]\nx = [1, 2.5]\nn = [7, 8]\n"
    found = read(tmp_path, text, made.cell)
    assert given(found) == [
        {"word": "yes", "x": x, "n": n} for x in (1, 2.5) for n in (7, 8)
    ]
    assert found.names == ["x", "n", "word"]


def test_extra_sets_come_last_and_may_replace_what_is_fixed(tmp_path, made):
    text = (
        "[vary]\nx=[1]\n[fixed]\nword='yes'\n[[also]]\nx=9\nword='own'\n[[also]]\nn=1"
    )
    found = read(tmp_path, text, made.cell)
    assert given(found) == [
        {"word": "yes", "x": 1},
        {"word": "own", "x": 9},
        {"word": "yes", "n": 1},
    ]
    wholes = [one.whole["x"] for one in found.sets]
    assert wholes == [1, 9, 1.0]


def test_only_extra_sets(tmp_path, made):
    assert given(read(tmp_path, "[[also]]\nx = 2\n", made.cell)) == [{"x": 2}]


def test_only_fixed_values_are_one_set(tmp_path, made):
    assert given(read(tmp_path, "[fixed]\nx = 2\n", made.cell)) == [{"x": 2}]


def test_a_set_that_is_listed_twice_is_one(tmp_path, made):
    text = "[vary]\nx = [1.0, 2.0, 1.0]\n[[also]]\nx = 2.0\n[[also]]\nn = 3\n"
    found = read(tmp_path, text, made.cell)
    assert given(found) == [{"x": 1.0}, {"x": 2.0}]  # n = 3 is the notebook's own
    assert found.repeated == 3


def test_a_set_has_a_name_of_its_own_values_wherever_they_are_said(tmp_path, made):
    one, two = (
        read(tmp_path, text, made.cell).sets[0].name
        for text in ("[vary]\nx=[2.0]\n", "[fixed]\nx=2.0\nn=3\nword='no'\n")
    )
    assert one == two
    other = read(tmp_path, "[vary]\nx=[2]\n", made.cell).sets[0].name
    assert other != one  # 2 is not 2.0


def test_lists_and_tables_are_values_too(tmp_path):
    path = sweeping.notebook(tmp_path / "a.ipynb", "a = [1, 2]\nb = {}\nc = None\n")
    text = "[vary]\na = [[1], [0.5, 'x']]\n[fixed]\nb = {k = 1}\nc = true\n"
    found = read(tmp_path, text, notebook.read(path).cell)
    assert given(found) == [
        {"b": {"k": 1}, "c": True, "a": a} for a in ([1], [0.5, "x"])
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "an empty grid: it has no [vary] with a list"),
        ("[vary]\n", "an empty grid: it has no [vary] with a list"),
        ("[vary]\nx = []\n", "'x' in [vary] must be a list of values, at least one"),
        (
            "[vary]\nx = 1\n",
            "'x' in [vary] must be a list of values, at least one, got 1",
        ),
        ("[vary]\nx = [1\n", "is not TOML: "),
        ("[vary]\nx = [0.5, abc]\n", "is not TOML: "),
        (
            "[vary]\nz = [1]\n",
            "the notebook has no parameter 'z'; its parameters: x",
        ),
        ("[fixed]\nz = 1\n", "the notebook has no parameter 'z'"),
        ("[[also]]\nz = 1\n", "the notebook has no parameter 'z'"),
        (
            "[varied]\nx = [1]\n",
            "'varied' is none of [vary], [zip], [sample]",
        ),
        (
            "x = [1]\n",
            "[fixed] and [[also]]; write it under [fixed]",
        ),
        ("vary = 3\n", "[vary] must be a table, got 3"),
        ("also = 3\n", "[[also]] must be tables, got 3"),
        ("[also]\nx = 3\n", "[[also]] must be tables, got {'x': 3}"),
        ("[vary]\nx=[1]\n[fixed]\nx=2\n", "'x' is both in [vary] and in [fixed]"),
        ("[vary]\nx = ['1']\n", "x = '1' is not a number, as it is in the notebook"),
        ("[vary]\nx = [true]\n", "x = True is not a number"),
        ("[vary]\nword = [1]\n", "word = 1 is not a text"),
        ("[vary]\nx = [[1]]\n", "x = [1] is not a number"),
        ("[vary]\nn = [2020-01-01]\n", "n = 2020-01-01 must be a number, a text, true"),
        (
            "[vary]\nn = [[2020-01-01]]\n",
            "n = 2020-01-01 must be a number, a text, true",
        ),
        (
            f"[vary]\nx = {list(range(1001))}\nn = {list(range(1001))}\n",
            "more than 1,000,000 parameter sets",
        ),
        ("[vary]\nstatus = [1]\n", "a parameter cannot be called 'status'"),
    ],
)
def test_a_bad_grid_is_refused_in_one_sentence(tmp_path, made, text, message):
    with pytest.raises(Refused) as caught:
        read(tmp_path, text, Cell(sweeping.PARAMETERS + "status = 1"))
    assert message in str(caught.value)
    assert str(tmp_path / "g.toml") in str(caught.value)
    assert "\n" not in str(caught.value)


def test_no_grid_file(tmp_path):
    with pytest.raises(Refused, match=r"cannot read the grid .*: No such file"):
        grid.read(tmp_path / "none.toml", Cell(""))


def test_a_grid_that_is_not_text(tmp_path):
    (tmp_path / "g.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(Refused, match="is not TOML"):
        grid.read(tmp_path / "g.toml", Cell(""))


# Notebooks ------------------------------------------------------------------------


def test_parameters_and_their_defaults(tmp_path):
    source = (
        "a = 1  # one\nb: float | None = None\nc = d = 'x'\ne = [1,\n 2]\nf = 10**3\n"
    )
    path = sweeping.notebook(tmp_path / "a.ipynb", source)
    assert notebook.read(path).cell.defaults == {
        "a": 1,
        "b": None,
        "c": "x",
        "d": "x",
        "e": [1, 2],
        "f": 1000,
    }


def edited(**cell):
    """A notebook whose second cell has a wrong part."""
    made = nbformat.v4.new_notebook()
    made.cells = [nbformat.v4.new_code_cell("x = 1", metadata={"tags": ["parameters"]})]
    plain = json.loads(nbformat.writes(made))
    if "tags" in cell:
        plain["cells"][0]["metadata"]["tags"] = cell["tags"]
    else:
        del plain["cells"][0]["source"]
    return json.dumps(plain)


@pytest.mark.parametrize("spec", [None, {}, "absent"])
def test_a_notebook_that_names_no_kernel_has_the_usual_one(tmp_path, spec):
    path = sweeping.notebook(tmp_path / "a.ipynb")
    made = json.loads(path.read_text(encoding="utf-8"))
    if spec == "absent":
        made["metadata"].pop("kernelspec", None)
    else:
        made["metadata"]["kernelspec"] = spec
    path.write_text(json.dumps(made), encoding="utf-8")
    found = json.loads(notebook.read(path).text)
    assert found["metadata"]["kernelspec"]["name"] == "python3"
    assert found["metadata"]["kernelspec"]["language"] == "python"


@pytest.mark.parametrize(
    "default",
    [
        "{1, 2}",
        "[{1}]",
        "b'a'",
        "1j",
        "...",
        "{(1, 2): 3}",
        "{1: 2, 'a': 3}",
        "{[1]: 2}",
    ],
)
def test_defaults_that_a_grid_cannot_give(tmp_path, default):
    path = sweeping.notebook(tmp_path / "a.ipynb", f"odd = {default}\ny = 1\n")
    made = notebook.read(path)
    assert isinstance(made.cell.defaults["odd"], Code)
    found = read(tmp_path, "[vary]\ny = [1, 2]\n", made.cell)
    assert len({one.name for one in found.sets}) == 2


def test_magics_in_the_parameters_cell(tmp_path):
    path = sweeping.notebook(tmp_path / "a.ipynb", "%matplotlib inline\nx = 1\n")
    assert notebook.read(path).cell.defaults == {"x": 1}


@pytest.mark.parametrize(
    ("write", "message"),
    [
        (lambda p: None, "cannot read the notebook .*: No such file"),
        (lambda p: p.mkdir(), "cannot read the notebook .*: Is a directory"),
        (
            lambda p: p.write_text("hello", encoding="utf-8"),
            "is not a Jupyter notebook",
        ),
        (lambda p: p.write_text("{}", encoding="utf-8"), "is not a Jupyter notebook"),
        (lambda p: p.write_bytes(b"\xff\xfe"), "is not a Jupyter notebook"),
        (
            lambda p: p.write_text(edited(tags=3), encoding="utf-8"),
            "is not a Jupyter notebook",
        ),
        (
            lambda p: p.write_text(edited(source=None), encoding="utf-8"),
            "is not a Jupyter notebook",
        ),
        (
            lambda p: sweeping.notebook(p, tag="other"),
            "has no cell tagged 'parameters'",
        ),
        (
            lambda p: sweeping.notebook(p, cells=["y = 1"], tag="parameters", more=2),
            "has 2 cells tagged 'parameters'",
        ),
        (lambda p: sweeping.notebook(p, "x = = 1"), "is not Python that can be parsed"),
    ],
)
def test_a_bad_notebook_is_refused_in_one_sentence(tmp_path, write, message):
    path = tmp_path / "a.ipynb"
    write(path)
    with pytest.raises(Refused, match=message) as caught:
        notebook.read(path)
    assert "\n" not in str(caught.value)


def code(tmp_path, **parts):
    return notebook.read(sweeping.notebook(tmp_path / "a.ipynb", **parts)).code


def test_what_results_depend_on(tmp_path):
    before = code(tmp_path)
    assert code(tmp_path) == before
    # A default counts in the sets that use it, and not in what all depend on.
    assert code(tmp_path, parameters=sweeping.PARAMETERS.replace("3", "4")) == before
    more = sweeping.PARAMETERS + "import math\n"
    assert code(tmp_path, parameters=more) != before
    computed = sweeping.PARAMETERS.replace("1.0", "float(2)")
    assert code(tmp_path, parameters=computed) != before
    # Once a default is computed, perhaps from another one, they all count.
    other = computed.replace("3  #", "4  #")
    assert code(tmp_path, parameters=other) != code(tmp_path, parameters=computed)
    assert code(tmp_path, cells=[sweeping.BODY, "z = 1\n"]) != before


def test_outputs_texts_and_earlier_runs_do_not_count(tmp_path):
    path = sweeping.notebook(tmp_path / "a.ipynb")
    before = notebook.read(path).code
    made = json.loads(path.read_text(encoding="utf-8"))
    made["cells"][0]["source"] = "# Another text"
    made["cells"][2] |= {
        "execution_count": 7,
        "outputs": [{"output_type": "stream", "name": "stdout", "text": "hello"}],
    }
    injected = nbformat.v4.new_code_cell(
        "x = 99", metadata={"tags": ["injected-parameters"]}
    )
    made["cells"].insert(2, injected)
    path.write_text(json.dumps(made), encoding="utf-8")
    found = notebook.read(path)
    assert found.code == before
    assert "hello" not in found.text
    assert "x = 99" not in found.text


def test_a_module_beside_the_notebook_counts(tmp_path):
    cells = ["%matplotlib inline\nfrom helper import one\nimport package.part\n"]
    cells.append("%%bash\nls | wc\n")  # whose lines are no Python
    path = sweeping.notebook(tmp_path / "a.ipynb", cells=cells)
    helper, package = tmp_path / "helper.py", tmp_path / "package"
    helper.write_text("one = 1\n", encoding="utf-8")
    package.mkdir()
    (package / "part.py").write_text("", encoding="utf-8")
    before = notebook.read(path).code
    helper.write_text("one = 2\n", encoding="utf-8")
    after = notebook.read(path).code
    assert after != before
    (package / "part.py").write_text("two = 2\n", encoding="utf-8")
    inner = notebook.read(path).code
    assert inner not in (before, after)
    (package / "part.py").rename(package / "other.py")
    assert notebook.read(path).code not in (before, after, inner)


def test_what_a_module_imports_counts_too(tmp_path):
    cells = ["import first\nfiles = !ls\n"]
    path = sweeping.notebook(tmp_path / "a.ipynb", cells=cells)
    (tmp_path / "first.py").write_text("from second import one\n", encoding="utf-8")
    second = tmp_path / "second.py"
    second.write_text("one = 1\n", encoding="utf-8")
    before = notebook.read(path).code
    second.write_text("one = 2\n", encoding="utf-8")
    assert notebook.read(path).code != before


def test_a_compiled_module_beside_the_notebook_counts(tmp_path):
    path = sweeping.notebook(tmp_path / "a.ipynb", cells=["import compiled\n"])
    (tmp_path / "compiled").mkdir()
    module = tmp_path / "compiled" / "part.py"
    module.write_bytes(b"\x00\x01")
    before = notebook.read(path).code
    module.write_bytes(b"\x00\x02")
    assert notebook.read(path).code != before


def test_another_kernel_counts(tmp_path):
    path = sweeping.notebook(tmp_path / "a.ipynb")
    before = notebook.read(path).code
    made = json.loads(path.read_text(encoding="utf-8"))
    made["metadata"]["kernelspec"] = {"name": "other", "display_name": "Other"}
    path.write_text(json.dumps(made), encoding="utf-8")
    assert notebook.read(path).code != before


def test_the_library_counts_wherever_it_lies(tmp_path, monkeypatch):
    path = sweeping.notebook(tmp_path / "a.ipynb")
    before = notebook.read(path).code
    monkeypatch.setattr(notebook, "library", lambda: "another")
    assert notebook.read(path).code != before


# In step, and at random -----------------------------------------------------------


def test_lists_in_step_are_crossed_with_what_varies(tmp_path, made):
    text = "[vary]\nword = ['a', 'b']\n[zip]\nx = [1, 2]\nn = [10, 20]\n"
    found = read(tmp_path, text, made.cell)
    assert given(found) == [
        {"word": word, "x": x, "n": n} for word in "ab" for x, n in ((1, 10), (2, 20))
    ]
    alone = read(tmp_path, "[zip]\nx = [1, 2]\nn = [10, 20]\n", made.cell)
    assert given(alone) == [{"x": 1, "n": 10}, {"x": 2, "n": 20}]


SAMPLED = """[vary]
word = ['a', 'b']
[sample]
n = 2000
seed = 7
[sample.parameters]
x = { low = 0.001, high = 10.0, log = true }
n = { low = 1, high = 6 }
"""


def test_draws_are_uniform_or_so_on_the_log_scale_and_crossed(tmp_path, made):
    found = given(read(tmp_path, SAMPLED, made.cell))
    draws = [one for one in found if one["word"] == "a"]
    again = [one | {"word": "a"} for one in found if one["word"] == "b"]
    assert len(draws) == 2000 and again == draws
    counts = np.bincount([one["n"] for one in draws], minlength=7)
    assert counts[0] == 0 and stats.chisquare(counts[1:]).pvalue > 1e-4
    logs = [(np.log10(one["x"]) + 3) / 4 for one in draws]
    assert stats.kstest(logs, "uniform").pvalue > 1e-4
    assert given(read(tmp_path, SAMPLED, made.cell)) == found
    other = given(read(tmp_path, SAMPLED.replace("= 7", "= 8"), made.cell))
    assert other != found


def test_whole_numbers_on_the_log_scale_and_choices(tmp_path, made):
    text = """[sample]
n = 3000
[sample.parameters]
n = { low = 1, high = 1000, log = true }
x = { low = 0.0, high = 1.0 }
word = ['a', 'b', 'c']
"""
    found = given(read(tmp_path, text, made.cell))
    whole = np.array([one["n"] for one in found])
    assert whole.min() == 1 and whole.max() <= 1000
    for k in (1, 9, 99):  # P(at most k) is log(k + 1) / log(1001)
        expected = np.log(k + 1) / np.log(1001)
        assert stats.binomtest(int((whole <= k).sum()), 3000, expected).pvalue > 1e-4
    words = Counter(one["word"] for one in found)
    assert stats.chisquare(list(words.values())).pvalue > 1e-4 and len(words) == 3


def test_one_end_that_is_no_whole_number_makes_draws_of_numbers(tmp_path, made):
    text = "[sample]\nn = 50\n[sample.parameters]\nx = { low = 1, high = 2.5 }\n"
    drawn = [one["x"] for one in given(read(tmp_path, text, made.cell))]
    assert all(1 <= x <= 2.5 and x != round(x) for x in drawn)


def test_a_draw_does_not_hang_on_other_parameters(tmp_path, made):
    text = "[sample]\nn = 5\n[sample.parameters]\nx = { low = 0.0, high = 1.0 }\n"
    one = given(read(tmp_path, text, made.cell))
    two = given(read(tmp_path, text + "n = [1, 2]\n", made.cell))
    assert [s["x"] for s in one] == [s["x"] for s in two]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[zip]\nx = [1, 2]\nn = [1]\n", "must have one length, got x 2, n 1"),
        (
            "[zip]\nx = 1\n",
            "'x' in [zip] must be a list of values, at least one, got 1",
        ),
        ("[vary]\nx = [1]\n[zip]\nx = [1]\n", "'x' is both in [vary] and in [zip]"),
        ("[sample]\nn = 3\n", "[sample] needs a table [sample.parameters], got None"),
        ("[sample]\nn = 0\n", "n in [sample] must be a whole number of at least 1"),
        ("[sample]\nm = 3\n", "'m' in [sample] is none of n, seed and"),
        (
            "[sample]\nn = 3\n[sample.parameters]\nx = { low = 2, high = 1 }\n",
            "'x' in [sample.parameters] needs numbers low < high",
        ),
        (
            "[sample]\nn=3\n[sample.parameters]\nx={ low = 0, high = 1, log = true}\n",
            "ends above 0 where it is true",
        ),
        ("[sample]\nn = 3\n[sample.parameters]\nx = []\n", "a list that is not empty"),
        (
            "[sample]\nn = 3\n[sample.parameters]\nz = [1]\n",
            "the notebook has no parameter 'z'",
        ),
    ],
)
def test_bad_steps_and_samples_are_refused(tmp_path, made, text, why):
    with pytest.raises(Refused) as refused:
        read(tmp_path, text, made.cell)
    assert why in str(refused.value)


def test_a_grid_may_be_the_tables_themselves(made):
    found = grid.read({"vary": {"x": [1, 2]}, "fixed": {"word": "yes"}}, made.cell)
    assert given(found) == [{"word": "yes", "x": 1}, {"word": "yes", "x": 2}]
    with pytest.raises(Refused, match=r"^grid: 'vari' is none of"):
        grid.read({"vari": {}}, made.cell)


def test_comments_and_layout_are_no_part_of_the_code(tmp_path):
    def code(cell, module):
        (tmp_path / "own.py").write_text(module, encoding="utf-8")
        path = sweeping.notebook(tmp_path / "a.ipynb", cells=[cell])
        return notebook.read(path).code

    plain = code("import own\ny = 1 + 2\n", "ONE = 1\n")
    spaced = code(
        "import own  # mine\n\ny = (1 +\n     2)\n", "# one\n\nONE = 1  # 1\n"
    )
    assert spaced == plain
    assert code("import own\ny = 1 + 3\n", "ONE = 1\n") != plain
    assert code("import own\ny = 1 + 2\n", "ONE = 2\n") != plain
