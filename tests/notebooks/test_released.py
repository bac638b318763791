"""`make released`: the notebooks on the released IRep file, or on one in its format."""

import os

import pandas as pd
import pytest

import labelaudit as la
from reproduction.machinery import ledger, paths, run
from reproduction.wong2021 import fetch, irep, released, stand_in

STEM = "wong2021_01_irr"


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """A folder for the file and one for figures, both temporary."""
    monkeypatch.setattr(paths, "RELEASED", tmp_path / "data")
    monkeypatch.setenv(paths.FIGURES_VARIABLE, str(tmp_path / "figures"))
    (tmp_path / "data").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "is not there; `make data` fetches it"),
        ('item_id",platform,rater\n1,Mexico,1\n', "is not the released file"),
    ],
)
def test_without_the_right_file_it_ends_in_one_sentence(
    text, said, folders, capsys, monkeypatch
):
    if text:
        (folders / "data" / fetch.NAME).write_text(text, encoding="utf-8")
    monkeypatch.setattr(released, "run", None)  # nothing may run
    assert released.main() == 1
    told = capsys.readouterr()
    assert told.err.startswith("make released: ") and told.err.count("\n") == 1
    assert said in told.err and told.out == ""
    assert not (folders / "figures").exists()


def test_only_rows_that_need_something_may_be_open_on_the_stand_in():
    values = {"tier": "stand-in", "seed": 2021}
    this = run.start(STEM, values)
    this.found("wong.s41.awe_mexico", exact=0.1)  # not taken without the file
    assert this.compare()["verdict"].tolist() == ["open"]
    this.found("wong.abstract.million", exact=0.1)
    with pytest.raises(RuntimeError, match="judgments in the data") as unfit:
        this.compare()
    assert "awe" not in str(unfit.value)


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


def fake(folder):
    """The stand-in as a file in the released format, with its stray quote."""
    frame = stand_in.stand_in(7).rename(columns={"item": 'item_id"'})
    path = folder / "data" / fetch.NAME
    other = frame.head(2).assign(platform="International")
    lines = pd.concat([frame, other]).to_csv(index=False, quoting=3)
    path.write_text(lines, encoding="utf-8")
    return path


def test_the_whole_way_on_a_fake(folders, monkeypatch, capsys):
    path = fake(folders)
    blob = fetch.blob_id(path.read_bytes())
    monkeypatch.setattr(fetch, "BLOB", blob)
    # The kernel is a process of its own: it is told by a sitecustomize.
    (folders / "sitecustomize.py").write_text(
        "from pathlib import Path\n"
        "from reproduction.machinery import paths\n"
        "from reproduction.wong2021 import fetch\n"
        f"fetch.BLOB = {blob!r}\n"
        f"paths.RELEASED = Path({str(path.parent)!r})\n",
        encoding="utf-8",
    )
    source = str(paths.ROOT / "src")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(folders), source]))
    assert STEM in released.stems()
    stale = folders / "figures" / "released" / "stale.csv"
    stale.parent.mkdir(parents=True)
    stale.write_text("", encoding="utf-8")
    committed = paths.notebook(STEM).read_bytes()
    code = released.main([STEM])
    said = capsys.readouterr()
    assert code == 1  # the fake has other numbers
    assert said.err.count("\n") == 1 and "not the file's" in said.err
    assert not stale.exists()

    target = folders / "figures" / "released"
    assert {"wong2021_fig2.svg", "wong2021_table1.csv"} <= set(os.listdir(target))
    table1 = pd.read_csv(target / "wong2021_table1.csv")
    assert set(table1["tier"]) == {"released"} and "target" not in table1
    text = (target / "notebooks" / f"{STEM}.ipynb").read_text(encoding="utf-8")
    assert "shown here: released file, 127,078 rows" in text  # no International
    assert paths.notebook(STEM).read_bytes() == committed

    table = pd.read_csv(target / "ledger.csv")
    assert set(table["document"]) == {released.DOCUMENT}
    assert len(table) == sum(e.document == "wong2021" for e in ledger.published())
    here = table[table["notebook"] == STEM]
    assert set(here[here["verdict"] == "mismatch"]["cause"]) == {released.OTHER}
    love = here[here["quantity"] == "IRR of love in Mexico City"].iloc[0]
    expected = irep.replication(stand_in.stand_in(7), "love", "Mexico")
    assert love["exact"] == pytest.approx(la.cohen_kappa(expected).value, rel=1e-8)
