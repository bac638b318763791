"""`make released` runs the notebooks on a small file in the released format."""

import json
import os

import pandas as pd
import pytest

import labelaudit as la
from reproduction.machinery import ledger, paths
from reproduction.wong2021 import irep, released, stand_in

STEM = "wong2021_01_irr"


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """A folder for the file and one for figures, both temporary."""
    monkeypatch.setattr(paths, "RELEASED", tmp_path / "data")
    monkeypatch.setenv(paths.FIGURES_VARIABLE, str(tmp_path / "figures"))
    (tmp_path / "data").mkdir()
    return tmp_path


def fake(folder):
    """The stand-in as a file in the released format, with its stray quote."""
    frame = stand_in.stand_in(7).rename(columns={"item": 'item_id"'})
    path = folder / "data" / irep.NAME
    other = frame.head(2).assign(platform="International")
    lines = pd.concat([frame, other]).to_csv(index=False, quoting=3)
    path.write_text(lines, encoding="utf-8")
    return path


def test_the_whole_way_on_a_fake(folders, monkeypatch, capsys):
    path = fake(folders)
    blob = irep.blob_id(path)
    monkeypatch.setattr(irep, "BLOB", blob)
    # The kernel is a process of its own: it is told by a sitecustomize.
    (folders / "sitecustomize.py").write_text(
        "from pathlib import Path\n"
        "from reproduction.machinery import paths\n"
        "from reproduction.wong2021 import irep\n"
        f"irep.BLOB = {blob!r}\n"
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
    assert {"wong2021_fig2.png", "wong2021_table1.csv"} <= set(os.listdir(target))
    table1 = pd.read_csv(target / "wong2021_table1.csv")
    assert set(table1["tier"]) == {"released"}
    assert not {"target", "assumed"} & set(table1)
    text = (target / "notebooks" / f"{STEM}.ipynb").read_text(encoding="utf-8")
    assert "shown here: released file, 127,078 rows" in text  # no International
    assert json.loads(text)["nbformat"] == 4
    assert paths.notebook(STEM).read_bytes() == committed

    table = pd.read_csv(target / "ledger.csv")
    assert set(table["document"]) == {released.DOCUMENT}
    assert len(table) == sum(e.document == "wong2021" for e in ledger.published())
    here = table[table["notebook"] == STEM]
    needing = here[here["cause"].str.startswith("needs", na=False)]
    assert needing["cause"].str.contains("image").all()
    assert set(here[here["verdict"] == "mismatch"]["cause"]) == {released.OTHER}
    love = here[here["quantity"] == "IRR of love in Mexico City"].iloc[0]
    expected = irep.replication(stand_in.stand_in(7), "love", "Mexico")
    assert love["exact"] == pytest.approx(la.cohen_kappa(expected).value, rel=1e-8)
    others = table[table["notebook"] == "wong2021_02_cross_replication"]
    assert others["cause"].str.startswith("needs the released", na=False).any()
