"""The notebook of a sweep: its parameters, and what its results depend on."""

import json

import pytest

import sweeping
from labelaudit.sweeps import notebook

SPECS = "kernelspec"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "a.ipynb"


def test_parameters_and_their_defaults(path):
    source = "%matplotlib inline\na = 1  # one\nb: float | None = None\nc = d = 'x'\n"
    sweeping.notebook(path, source + "e = [1,\n 2]\nf = 10**3\n")
    plain = {"a": 1, "b": None, "c": "x", "d": "x", "e": [1, 2], "f": 1000}
    assert notebook.read(path).cell.defaults == plain


@pytest.mark.parametrize("spec", [None, {}, "absent"])
def test_a_notebook_that_names_no_kernel_has_the_usual_one(path, spec):
    def change(made):
        made["metadata"][SPECS] = spec
        if spec == "absent":
            del made["metadata"][SPECS]

    sweeping.edited(path, change)
    found = json.loads(notebook.read(path).text)["metadata"][SPECS]
    assert (found["name"], found["language"]) == ("python3", "python")


# What results depend on -------------------------------------------------------------

MODULES = """\
%matplotlib inline
from helper import one
import package.part, compiled
files = !ls
"""
CELLS = [MODULES, "%%bash\nls | wc\n"]  # whose lines are no Python


@pytest.fixture
def code(path):
    """The hash of a notebook among its modules, some of them changed."""
    files = {
        "helper.py": b"from second import one\n",
        "second.py": b"one = 1\n",
        "package/part.py": b"",
        "compiled/part.py": b"\x00\x01",
    }
    for folder in ("package", "compiled"):
        (path.parent / folder).mkdir()

    def read(change=lambda made: None, files=files, **parts):
        for name, text in files.items():
            (path.parent / name).write_bytes(text)
        sweeping.edited(path, change, **{"cells": CELLS, **parts})
        return notebook.read(path).code

    return read


def runs(made):
    made["cells"][0]["source"] = "# Another text"
    made["cells"][2] |= {
        "execution_count": 7,
        "outputs": [{"output_type": "stream", "name": "stdout", "text": "hello"}],
    }
    put_in = {"tags": ["injected-parameters"]}
    cell = {"cell_type": "code", "source": "x = 99", "metadata": put_in, "id": "i"}
    made["cells"].insert(2, cell | {"outputs": [], "execution_count": None})


PLAIN = sweeping.PARAMETERS
OTHER = {"name": "other", "display_name": "Other"}
SPACED = MODULES.replace("part,", "part,  ") + "\n# Comments and layout\n"


@pytest.mark.parametrize(
    ("counts", "change"),
    [
        (False, {}),
        (False, {"change": runs}),
        (False, {"cells": [SPACED, CELLS[1]]}),
        (False, {"files": {"another.py": b"one = 1\n"}}),  # which nothing imports
        (True, {"parameters": PLAIN.replace("3", "4")}),
        (True, {"parameters": PLAIN.replace("1.0", "float(2)")}),
        (True, {"cells": [*CELLS, "z = 1\n"]}),
        (True, {"change": lambda made: made["metadata"].update(kernelspec=OTHER)}),
        (True, {"files": {"helper.py": b"from second import one, two\n"}}),
        (True, {"files": {"second.py": b"one = 2\n"}}),
        (True, {"files": {"package/part.py": b"two = 2\n"}}),
        (True, {"files": {"package/more.py": b""}}),
        (True, {"files": {"compiled/part.py": b"\x00\x02"}}),
    ],
)
def test_what_results_depend_on(code, counts, change):
    before = code()
    assert (code(**change) != before) == counts


def test_the_library_counts_and_outputs_go(code, path, monkeypatch):
    code(runs)
    found = notebook.read(path)
    assert "hello" not in found.text and "x = 99" not in found.text
    monkeypatch.setattr(notebook, "library", lambda: "another")
    assert notebook.read(path).code != found.code
