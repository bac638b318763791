"""la.record in a real notebook, run by papermill."""

import json

import pytest

import labelaudit as la
from labelaudit.recording import MIME
from sweeping import nbformat

papermill = pytest.importorskip("papermill")


def run(tmp_path, code, **parameters):
    notebook = nbformat.v4.new_notebook(metadata={"language_info": {"name": "python"}})
    first = nbformat.v4.new_code_cell("lot_size = 3", metadata={"tags": ["parameters"]})
    notebook.cells = [first, nbformat.v4.new_code_cell(code)]
    source, result = tmp_path / "in.ipynb", tmp_path / "out.ipynb"
    nbformat.write(notebook, source)
    papermill.execute_notebook(
        str(source),
        str(result),
        parameters=parameters,
        kernel_name="python3",
        progress_bar=False,
    )
    outputs = json.loads(result.read_text(encoding="utf-8"))["cells"][-1]["outputs"]
    return [o["data"][MIME] for o in outputs if MIME in o.get("data", {})]


def test_values_are_stored_in_the_output(tmp_path):
    code = """
import math
import labelaudit as la
import numpy as np
la.record(n=np.int64(428), kept=True, rate=np.float64(2 / 3), text="a")
la.record(nothing=math.nan, much=-math.inf)
"""
    assert run(tmp_path, code, lot_size=4) == [
        {"n": 428, "kept": True, "rate": 2 / 3, "text": "a"},
        {"nothing": None, "much": "-inf"},
    ]


def test_a_parameters_name_is_refused(tmp_path):
    code = "import labelaudit as la\nla.record(lot_size=5)"
    with pytest.raises(papermill.PapermillExecutionError, match="lot_size"):
        run(tmp_path, code, lot_size=4)


@pytest.mark.parametrize("value", [None, [1], {"a": 1}, 1j])
def test_other_values_are_refused(value):
    with pytest.raises(ValueError, match="n must be a text, a boolean or a number"):
        la.record(n=value)
