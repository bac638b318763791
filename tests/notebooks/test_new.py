"""A new notebook, and an exhibit made anew: what `make new` and `make exhibit` say."""

import json
import shutil
import sys
import tomllib

import pytest

from reproduction.machinery import build, exhibit, front, ledger, new, paths

STEM = "klie2024_77_two_words"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The files that a new notebook enters, in a folder of their own."""
    (tmp_path / "notebooks").mkdir()
    shutil.copy(paths.TESTS / "notebooks/other_parameters.toml", tmp_path / "notebooks")
    shutil.copy(paths.PARAMETERS, tmp_path)
    monkeypatch.setattr(paths, "NOTEBOOKS", tmp_path / "notebooks")
    monkeypatch.setattr(paths, "TESTS", tmp_path)
    monkeypatch.setattr(paths, "PARAMETERS", tmp_path / paths.PARAMETERS.name)
    monkeypatch.setattr(build, "main", lambda _: 0)
    return tmp_path


def test_a_new_notebook_is_written_with_its_rows(folder, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["new", STEM])
    assert new.main() == 0
    text = (folder / "notebooks" / f"{STEM}.ipynb").read_text(encoding="utf-8")
    cells = json.loads(text)["cells"]
    assert cells[1]["metadata"]["tags"] == ["parameters"]
    assert f'run.start("{STEM}", globals())' in "".join(cells[2]["source"])
    for file in (paths.PARAMETERS, folder / "notebooks" / "other_parameters.toml"):
        assert STEM in tomllib.loads(file.read_text(encoding="utf-8"))
    listed = front.listed((paths.ROOT / "notebooks/README.md").read_text("utf-8"))
    assert f"2024**\n\n- [Two words]({STEM}.ipynb) (what this page shows)" in listed


@pytest.mark.parametrize("name", ["", "klie2024_topic", "nobody_01_topic"])
def test_a_name_that_cannot_be_is_refused(name, folder, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["new", name])
    assert new.main() == 2
    said = capsys.readouterr().out
    assert "klie2024_11_topic" in said or "belongs to no part" in said


def test_every_exhibit_has_a_page_and_an_unknown_one_is_refused(monkeypatch, capsys):
    index = exhibit.index(ledger.table())
    known = {"klie2024_table3", "artstein2007_slide35", "lim2022_section1.2"}
    assert known <= {*index["exhibit"]}
    assert (index["pages"] != "").all()
    monkeypatch.setattr(sys, "argv", ["exhibit", "klie2024_fig33"])
    assert exhibit.main() == 2
    assert "klie2024_fig3," in capsys.readouterr().out
    page = ["--all", "klie2024_01_workflow"]  # draws it; it prints no number
    monkeypatch.setattr(build, "main", lambda asked: asked != page)
    monkeypatch.setattr(sys, "argv", ["exhibit", "klie2024_fig1"])
    assert exhibit.main() == 0
