"""A notebook with impossible parameters stops at once, with a sentence."""

import json
import os
import re

import pytest

from reproduction.machinery import parameters, paths, run

BAD = [
    ("lot_size", 0, "lot_size must be a whole number from 10"),
    ("lot_size", 1000.5, "got 1000.5"),
    ("lot_size", "1000", "got '1000'"),
    ("lot_size", 16, "p_a = 0.01 from p_r = 0.03"),
    ("strict", [0.03, 0.01, 0.01, 0.05], "strict: p_r must be greater"),
    ("strict", [0.01, 0.03, 0.6, 0.5], "strict: beta must be less than 1 - alpha"),
    ("strict", [0.01, 0.03], "strict must be [p_a, p_r, alpha, beta]"),
    ("strict", [0.01, float("nan"), 0.01, 0.05], "got nan"),
    ("half_width_strict", 0, "half_width_strict must be a number strictly between"),
]


@pytest.mark.parametrize(("name", "value", "message"), BAD)
def test_bad_parameter_is_refused_by_name(name, value, message):
    values = parameters.as_published("klie2024_04_sample_numbers")
    with pytest.raises(ValueError, match=re.escape(message)):
        parameters.checked(values | {name: value})


@pytest.mark.parametrize(
    ("stem", "name", "value"),
    [
        ("klie2024_05_datasets", "repetitions", 0),
        ("klie2024_05_datasets", "seed", -1),
        ("klie2024_06_operating_characteristics", "lot_sizes", []),
        ("klie2024_06_operating_characteristics", "lot_sizes", [1000, 16]),
        ("klie2024_03_margin_of_error", "confidences", [0.9, 1]),
        ("klie2024_03_margin_of_error", "largest_sample", 2000),
        ("ledger", "documents", ["unknown"]),
        ("beyond_01_how_few", "grid", [[0.01, 0.03, 0.01]]),
        ("beyond_01_how_few", "levels", [0.03, 0.01, 0.01, 0.05]),
    ],
)
def test_other_parameters_are_checked_too(stem, name, value):
    values = parameters.as_published(stem)
    with pytest.raises(ValueError, match=r"must be"):
        parameters.checked(values | {name: value})


def test_papermill_stops_in_the_cell_after_the_parameters(tmp_path, monkeypatch):
    papermill = pytest.importorskip("papermill")
    monkeypatch.setenv(paths.FIGURES_VARIABLE, str(tmp_path))
    output = tmp_path / "out.ipynb"
    with pytest.raises(papermill.PapermillExecutionError) as refused:
        papermill.execute_notebook(
            str(paths.notebook("klie2024_04_sample_numbers")),
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


def test_other_parameters_save_elsewhere_and_compare_nothing(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.delenv(paths.FIGURES_VARIABLE, raising=False)
    monkeypatch.setattr(paths, "ROOT", tmp_path)
    values = parameters.as_published("klie2024_04_sample_numbers")
    assert run.start("klie2024_04_sample_numbers", values).as_published
    other = run.start("klie2024_04_sample_numbers", values | {"lot_size": 5000})
    assert not other.as_published
    assert other.compare() is None
    assert "nothing is compared" in capsys.readouterr().out
    assert paths.figures() == tmp_path / "output"


def test_a_notebook_about_no_paper_does_not_speak_of_one(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(paths, "ROOT", tmp_path)
    values = parameters.as_published("beyond_01_how_few")
    run.start("beyond_01_how_few", values | {"lot_size": 2000})
    assert "Other parameters than this notebook has" in capsys.readouterr().out
