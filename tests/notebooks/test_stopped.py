"""A notebook that runs with impossible parameters stops at once, with a sentence."""

import json
import os

import pytest

from reproduction.machinery import paths

NUMBERS = "klie2024_04_sample_numbers"


def test_papermill_stops_in_the_cell_after_the_parameters(tmp_path, monkeypatch):
    papermill = pytest.importorskip("papermill")
    monkeypatch.setenv(paths.FIGURES_VARIABLE, str(tmp_path))
    output = tmp_path / "out.ipynb"
    with pytest.raises(papermill.PapermillExecutionError) as refused:
        papermill.execute_notebook(
            str(paths.notebook(NUMBERS)),
            str(output),
            parameters={"lot_size": 16},
            kernel_name="python3",
            progress_bar=False,
            cwd=str(paths.NOTEBOOKS),
        )
    assert refused.value.ename == "ValueError"
    assert "lot_size must be large enough to tell p_a" in refused.value.evalue
    code = [
        c
        for c in json.loads(output.read_text(encoding="utf-8"))["cells"]
        if c["cell_type"] == "code"
        and not {"injected-parameters", "parameters"} & set(c["metadata"]["tags"])
    ]
    failed = [any(o["output_type"] == "error" for o in c["outputs"]) for c in code]
    assert failed.index(True) == 0 or "papermill-error" in str(code[0])
    assert not any(name.endswith(".svg") for name in os.listdir(tmp_path))
