"""la.record in a real notebook, run by papermill."""

import json

import pytest

import labelaudit as la
import sweeping
from labelaudit.recording import recorded

papermill = pytest.importorskip("papermill")


def run(tmp_path, code):
    """What is recorded, one of the parameters being set by papermill."""
    source = sweeping.notebook(tmp_path / "in.ipynb", cells=[code])
    result = tmp_path / "out.ipynb"
    how = {"kernel_name": "python3", "language": "python", "progress_bar": False}
    papermill.execute_notebook(str(source), str(result), {"n": 4}, **how)
    return recorded(json.loads(result.read_text(encoding="utf-8")))


def test_values_are_stored_in_the_output(tmp_path):
    code = """
import math
import labelaudit as la
import numpy as np
la.record(n0=np.int64(428), kept=True, rate=np.float64(2 / 3), text="a")
la.record(nothing=math.nan, much=-math.inf)
"""
    stored = {"n0": 428, "kept": True, "rate": 2 / 3, "text": "a"}
    assert run(tmp_path, code) == stored | {"nothing": None, "much": "-inf"}


def test_a_parameters_name_is_refused(tmp_path):
    with pytest.raises(papermill.PapermillExecutionError, match="must be the name of"):
        run(tmp_path, "import labelaudit as la\nla.record(n=5)")


@pytest.mark.parametrize("value", [None, [1], {"a": 1}, 1j])
def test_other_values_are_refused(value):
    with pytest.raises(ValueError, match="n must be a text, a boolean or a number"):
        la.record(n=value)
