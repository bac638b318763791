"""Impossible parameters of a notebook are refused at once, with a sentence."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from labelaudit import recording
from labelaudit.sweeps import FILES
from reproduction.machinery import notebooks, parameters, paths, run

NUMBERS = "klie2024_04_sample_numbers"
RATED = "audit_02_how_reliable"
TABLE = "teach_02_two_by_two"
BAD = [
    (NUMBERS, "lot_size", 0, "lot_size must be a whole number from 10"),
    (NUMBERS, "lot_size", 16, "p_a = 0.01 from p_r = 0.03"),
    (NUMBERS, "strict", [0.03, 0.01, 0.01, 0.05], "strict: p_r must be greater"),
    (NUMBERS, "strict", [0.01, 0.03], "strict must be [p_a, p_r, alpha, beta]"),
    ("klie2024_05_datasets", "repetitions", 0, "must be"),
    ("klie2024_06_operating_characteristics", "lot_sizes", [], "must be"),
    ("klie2024_03_margin_of_error", "confidences", [0.9, 1], "must be"),
    ("klie2024_03_margin_of_error", "largest_sample", 2000, "must be"),
    ("ledger", "documents", ["unknown"], "must be"),
    ("beyond_01_how_few", "grid", [[0.01, 0.03, 0.01]], "must be"),
    ("beyond_05_standard_tables", "level", "IV", "level must be 'I' or"),
    ("audit_01_plan_and_run", "items_file", 3, "items_file must be the path of a file"),
    ("beyond_05_standard_tables", "aql", 0.7, "aql must be 0.65 or 1, the near"),
    ("teach_01_plan_designer", "kind", "best", "kind must be"),
    (TABLE, "cells", [1, 2, 3], "four counts"),
    (TABLE, "cells", [1, 2, 3, -1], "cells[3] must be"),
    (TABLE, "cells", [0, 0, 0, 0], "an item in it"),
    (RATED, "ratings", 3, "must be the name of a file or column, or empty"),
    (RATED, "missing", "NA", "must be a list of labels or columns, perhaps empty"),
    (RATED, "distance", "far", "must be 'nominal' or 'ordinal' or 'interval' or 'ra"),
    (RATED, "confidence", 95, "must be a number strictly between 0 and 1"),
]


@pytest.mark.parametrize(("stem", "name", "value", "message"), BAD)
def test_a_bad_parameter_is_refused_by_name(stem, name, value, message):
    values = parameters.as_published(stem)
    with pytest.raises(ValueError, match=re.escape(message)) as refused:
        parameters.checked(values | {name: value})
    assert name in str(refused.value) or "lot_size" in str(refused.value)


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
    assert set(parameters.CHECKS) == used
