"""Impossible parameters of a notebook are refused at once, with a sentence."""

import json
import tomllib
from pathlib import Path

import pytest

import refusals
from labelaudit import recording
from labelaudit.sweeps import FILES
from reproduction.machinery import notebooks, parameters, paths, run

NUMBERS = "klie2024_04_sample_numbers"


@refusals.table("notebooks")
def test_a_bad_parameter_is_refused_by_name(row):
    def checked(stem, **given):
        parameters.checked(parameters.as_published(stem) | given)

    refusals.check(row, {"checked": checked})


def test_other_parameters_save_elsewhere_record_and_compare_nothing(
    tmp_path, monkeypatch, capsys
):
    """A sweep over a paper's notebook returns its values."""
    kept = {}
    monkeypatch.delenv(paths.FIGURES_VARIABLE, raising=False)
    monkeypatch.setattr(paths, "ROOT", tmp_path)
    monkeypatch.setattr(run.la, "record", lambda **values: kept.update(values))
    values = parameters.as_published(NUMBERS)
    assert run.start(NUMBERS, values).as_published
    other = run.start(NUMBERS, values | {"lot_size": 5000})
    first, second = list(other.published)[:2]
    other.found(first, exact=0.25)
    other.found(second)
    assert not other.as_published and other.compare() is None
    assert kept == {f"{first}.exact": 0.25, f"{second}.looked": True}
    assert "nothing is compared" in capsys.readouterr().out
    assert paths.figures() == tmp_path / "output"
    for name in (paths.FIGURES_VARIABLE, FILES):  # the second of a sweep, above all
        monkeypatch.setenv(name, str(tmp_path / name))
        assert paths.figures() == tmp_path / name


OTHERS = tomllib.loads(
    Path(__file__).with_name("other_parameters.toml").read_text(encoding="utf-8")
)
# Quick ones; all of them ran so when the file was written.
SAMPLE = [
    ("klie2024_02_quality_levels", 1),
    ("artstein2007_05_weights", 1),
    ("dipietro_hazari_01_derivation", 0),
    ("beyond_05_standard_tables", 1),
]


def test_every_notebook_has_other_parameters_that_are_allowed():
    stems = {s for s in notebooks.stems() if not s.startswith(("sweep", "ledger"))}
    assert set(OTHERS) == stems
    for stem, sets in OTHERS.items():
        for given in sets["sets"]:
            parameters.checked(parameters.as_published(stem) | given)


@pytest.mark.parametrize(("stem", "which"), SAMPLE)
def test_a_notebook_records_values_at_other_parameters(
    stem, which, tmp_path, monkeypatch
):
    monkeypatch.setenv(paths.FIGURES_VARIABLE, str(tmp_path))
    assert not notebooks.execute(stem, tmp_path, OTHERS[stem]["sets"][which]).error
    made = json.loads((tmp_path / f"{stem}.ipynb").read_text(encoding="utf-8"))
    assert recording.recorded(made)


def test_each_check_is_of_a_parameter_that_some_notebook_has():
    used = {
        name for stem in notebooks.stems() for name in parameters.as_published(stem)
    }
    assert set(parameters.ALLOWED) == used
