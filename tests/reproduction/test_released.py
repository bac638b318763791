"""`make released`: what it says, compares and saves, without a run of a notebook."""

import subprocess
import sys

import pandas as pd
import pytest

from reproduction.machinery import ledger, paths, run
from reproduction.wong2021 import irep, released

STEM = "wong2021_01_irr"


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """A folder for the file and one for figures, both temporary."""
    monkeypatch.setattr(paths, "RELEASED", tmp_path / "data")
    monkeypatch.setenv(paths.FIGURES_VARIABLE, str(tmp_path / "figures"))
    (tmp_path / "data").mkdir()
    return tmp_path


def test_a_missing_file_ends_in_one_sentence(folders, capsys):
    assert released.main() == 1
    said = capsys.readouterr()
    assert said.err.count("\n") == 1
    assert "is not there; `make data` fetches it" in said.err
    assert said.out == ""
    assert not (folders / "figures").exists()


def test_an_unverified_file_ends_in_one_sentence(folders, capsys, monkeypatch):
    path = folders / "data" / irep.NAME
    path.write_text('item_id",platform,rater\n1,Mexico,1\n', encoding="utf-8")
    monkeypatch.setattr(released, "run", None)  # nothing may run
    assert released.main() == 1
    said = capsys.readouterr()
    assert said.err.count("\n") == 1
    assert "is not the released file" in said.err
    assert not (folders / "figures").exists()
    assert path.is_file()


def test_as_a_command_without_the_file():
    if (paths.RELEASED / irep.NAME).exists():
        pytest.skip("the released file is here")
    done = subprocess.run(
        [sys.executable, "-m", "reproduction.wong2021.released"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("make released: ")
    assert done.stderr.count("\n") == 1


def test_a_released_run_is_compared_and_saved_apart(folders, monkeypatch, capsys):
    values = {"tier": "released", "seed": 2021}
    this = run.start(STEM, values)
    assert this.as_published
    assert this.released
    this.save_table(pd.DataFrame({"a": [1]}), "t")
    assert (folders / "figures" / "released" / "t.csv").is_file()
    this.found("wong.s41.awe_mexico", exact=0.5)  # not what is printed
    table = this.compare()
    assert table["verdict"].tolist() == ["mismatch"]
    monkeypatch.delenv(paths.FIGURES_VARIABLE)
    monkeypatch.setattr(paths, "ROOT", folders)
    assert paths.figures(released=True) == folders / "output" / "released"
    assert not run.start(STEM, values | {"seed": 1}).as_published
    assert "Other parameters than the paper has" in capsys.readouterr().out


def test_only_rows_that_need_something_may_be_open_on_the_stand_in():
    values = {"tier": "stand-in", "seed": 2021}
    this = run.start(STEM, values)
    this.found("wong.s41.awe_mexico", exact=0.1)  # not taken without the file
    assert this.compare()["verdict"].tolist() == ["open"]
    this.found("wong.abstract.million", exact=0.1)
    with pytest.raises(RuntimeError, match="judgments in the data") as unfit:
        this.compare()
    assert "awe" not in str(unfit.value)


def test_stems_are_the_documents_with_a_tier():
    assert set(released.stems()) >= {
        STEM,
        "wong2021_02_cross_replication",
        "wong2021_03_dataset",
    }
    assert all(stem.startswith("wong2021_") for stem in released.stems())


@pytest.mark.parametrize(
    ("change", "status", "word"),
    [
        ({}, 0, "exact"),
        ({"wong.s44.awe_kappa_x": {"exact": 0.0907}}, 1, "mismatch"),
        ({"wong.table5.cohen": {"hits": 6, "texts": 7}}, 1, "false"),
        (None, 1, ""),
    ],
    ids=["as printed", "one differs", "a claim fails", "nothing matched"],
)
def test_the_exit_status_tells_whether_the_file_is_the_papers(
    folders, monkeypatch, change, status, word
):
    """Numbers that need the file: as printed, one of them another, or none found."""
    known = ledger.recorded()
    needing = [e for e in ledger.published() if e.needs and e.kind == "number"]
    if change is not None:
        values = {e.key: {"exact": float(e.printed)} for e in needing} | change
        known = known | {k: (v, STEM) for k, v in values.items()}
    monkeypatch.setattr(released.ledger, "recorded", lambda *_: known)
    words, found = released.write_ledger(folders)
    assert found == status
    assert word in words and ("mismatch" in words) == (word == "mismatch")
