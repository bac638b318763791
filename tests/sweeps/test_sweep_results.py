"""The folder of a sweep and its progress: what survives, what is refused."""

import json
from dataclasses import replace
from types import SimpleNamespace

import pandas as pd
import pytest

import labelaudit as la
from labelaudit import _whole
from labelaudit.sweeps import grid, results
from labelaudit.sweeps.parameters import Cell
from labelaudit.sweeps.task import Outcome

CELL = Cell("x=1; n=3; word='no'; list=[1]; flag=False; none=None")
GRID = {"vary": {"x": [1, 2], "list": [[1, 2], []]}}
GOOD = Outcome("", 1.23456, {"y": 0.1, "whole": 3, "sure": True, "told": "a,b\n"}, "{}")
BAD = Outcome("ValueError: no", 0.5, {}, "{}")


@pytest.fixture
def opened(tmp_path):
    """Opens the results of a grid in out."""

    def of(tables=GRID, code="c1", name="n.ipynb", folder="out", force=False):
        source = SimpleNamespace(code=code, hash="5ea1", path=tmp_path / name)
        sets = grid.read(tables, CELL)
        return results.Results(tmp_path / folder, sets, source, force)

    return of


@pytest.fixture
def done(opened):
    """All sets of the grid have run."""
    with opened() as out:
        for one in out.sets:
            out.add(one, GOOD)
        out.write_table()
    return out


def text(out):
    return out.table_file.read_text(encoding="utf-8")


def table(out):
    return pd.read_csv(out.table_file, keep_default_na=False)


def test_a_row_a_set_in_the_order_of_the_grid(opened):
    with opened() as out:
        out.add(out.sets[2], GOOD)
        out.add(out.sets[1], BAD)
        out.write_table()
        one, two, three, four = out.sets
    rows = [
        "x,list,status,error,seconds,notebook,library_version,notebook_hash,y,whole"
        ",sure,told",
        f"1,[],failed,ValueError: no,0.5,notebooks/{two.name}.ipynb,{la.__version__}"
        ",5ea1,,,,",
        f'2,"[1, 2]",done,,1.235,notebooks/{three.name}.ipynb,{la.__version__}'
        ',5ea1,0.1,3,True,"a,b\n"',
    ]
    assert text(out) == "\n".join(rows) + "\n"
    assert out.notebook(two.name).read_text(encoding="utf-8") == "{}"
    record = (out.folder / "runs" / f"{three.name}.json").read_text(encoding="utf-8")
    plain = {"parameters": {"x": 2, "list": [1, 2]}, "values": GOOD.values}
    assert plain.items() <= json.loads(record).items()
    with opened() as out:  # what failed is run again
        assert out.left() == [one, two, four]
        assert (out.count("done"), out.count("failed")) == (1, 1)
        assert table(out)["status"].tolist() == ["failed", "done"]


def test_files_of_a_set_come_back_in_the_folders_in_which_they_were(opened):
    """Those of a run before it are gone."""
    with opened() as out:
        one = out.sets[0]
        for files in ({"old": b""}, {"a/b": b"1", "a/c": b"2", "d": b"3"}):
            out.add(one, replace(GOOD, files=files))
    kept = out.folder / "files" / one.name
    found = {path for path in kept.rglob("*") if path.is_file()}
    there = {path.relative_to(kept).as_posix(): path.read_bytes() for path in found}
    assert there == files


@pytest.mark.parametrize("wrong", [7, None, ""])
def test_a_grid_that_is_neither_a_file_nor_tables_is_refused(wrong):
    with pytest.raises(ValueError, match="grid must be a path or a dict of tables"):
        la.sweep("n.ipynb", wrong, "out")


def test_values_of_several_kinds_share_a_column(opened):
    mixed = {"none": [1, "a", True, 2.5], "n": [1, 2.5]}
    with opened({"vary": mixed}) as out:
        for i, one in enumerate(out.sets):
            value = [2, "b", False, None][i % 4]
            out.add(one, Outcome("", 1.0, {"v": value}, None))
        out.write_table()
    read = table(out)
    assert read["none"].tolist() == ["1", "1", "a", "a", "True", "True", "2.5", "2.5"]
    assert read["n"].tolist() == [1, 2.5] * 4
    assert read["v"].tolist() == ["2", "b", "False", ""] * 2
    assert read["notebook"].tolist() == [""] * 8


@pytest.mark.parametrize("whole", [2**63, 2**70])
def test_huge_whole_numbers_are_kept(opened, whole):
    with opened({"vary": {"n": [whole]}}) as out:
        out.add(out.sets[0], Outcome("", 1.0, {"v": whole + 1}, None))
        out.write_table()
    assert f"{whole}," in text(out) and str(whole + 1) in text(out)


def test_infinities_are_numbers_and_a_spreadsheet_calculates_nothing(opened):
    with opened({"vary": {"word": ["=1+1", "-3"]}}) as out:
        for one, v, t in zip(out.sets, ("inf", 2.5), ("inf", "@home")):
            out.add(one, Outcome("", 1.0, {"v": v, "@t": t, "n": -1.5}, None))
        out.write_table()
        made = out.table()
    assert made["v"].tolist() == [float("inf"), 2.5]
    assert made["@t"].tolist() == ["inf", "@home"]
    assert made["word"].tolist() == ["=1+1", "-3"]
    read = pd.read_csv(out.table_file, dtype=str)
    assert read["word"].tolist() == ["'=1+1", "-3"]
    assert (
        read["'@t"].tolist() == ["inf", "'@home"] and read["n"].tolist() == ["-1.5"] * 2
    )


def test_other_code_invalidates_all_and_the_first_code_nothing(opened, done):
    with opened(code="c2"):
        pass
    assert len(table(done)) == 4  # a call that is refused after that changes nothing
    with opened(code="c2") as out:
        assert out.left() == out.sets
        assert out.why(out.sets[0]) == "the code is another since it ran"
        out.write_table()
        assert len(table(out)) == 0
        out.add(out.sets[0], BAD)
    with opened() as out:
        assert out.left() == out.sets[:1]


def test_another_grid_invalidates_exactly_the_rows_that_it_changes(opened, done):
    with opened({"vary": {"x": [2, 3], "list": [[1, 2], []]}}) as out:
        assert [one.given["x"] for one in out.left()] == [3, 3]
        out.write_table()
        assert table(out)["x"].tolist() == [2, 2]
    with opened() as out:
        assert out.left() == []
        out.write_table()
        assert len(table(out)) == 4


def test_what_is_broken_or_half_written_is_run_again(opened, done):
    names = [one.name for one in done.sets]
    runs, out = done.folder / "runs", done.folder
    (runs / f"{names[0]}.json").write_text('{"code": "c1", "parame', encoding="utf-8")
    (runs / f"{names[1]}.json").write_text('{"code": "c1"}', encoding="utf-8")
    (runs / f"{names[2]}.json").unlink()
    left = [out / f"results.csv{_whole.PARTIAL}", runs / f"a.json{_whole.PARTIAL}"]
    for path in (*left, out / "mine.partial"):
        path.write_text("half", encoding="utf-8")
    with opened() as again:
        assert [one.name for one in again.left()] == names[:3]
    assert not [*out.rglob(f"*{_whole.PARTIAL}")]
    assert (out / "mine.partial").read_text(encoding="utf-8") == "half"


def test_a_run_that_breaks_off_leaves_none_of_other_code(
    opened, done, full_disk, monkeypatch
):
    with opened(code="c2") as out:
        full_disk(0)
        with pytest.raises(OSError, match="No space left"):
            out.add(out.sets[0], GOOD)
    monkeypatch.undo()
    with opened() as out:
        assert out.left() == out.sets[:1]


# Folders of others ------------------------------------------------------------------


def test_results_of_another_notebook_are_replaced_by_force_alone(opened, done):
    with pytest.raises(
        ValueError, match=r"another notebook, n\.ipynb; choose .* --out"
    ):
        opened(name="other.ipynb").__enter__()
    with opened(name="other.ipynb", force=True):
        pass


def test_a_table_of_another_origin_is_replaced_by_force_alone(opened, tmp_path):
    for folder in ("own", "linked"):
        (tmp_path / folder).mkdir()
    own = tmp_path / "own" / "results.csv"
    own.write_text("a month of work", encoding="utf-8")
    (tmp_path / "linked" / "results.csv").symlink_to(own)
    for folder, force in (("linked", False), ("linked", True), ("own", False)):
        with pytest.raises(
            ValueError, match=r"results\.csv is there and was not .*--for"
        ):
            opened(folder=folder, force=force).__enter__()
    assert own.read_text(encoding="utf-8") == "a month of work"
    with opened(folder="own", force=True) as out:
        out.write_table()
    assert "status" in text(out)


@pytest.mark.parametrize("there", ["out", "/proc/labelaudit"])  # not even for root
def test_a_folder_that_cannot_be_written_is_refused(opened, tmp_path, there):
    (tmp_path / "out").write_text("a file", encoding="utf-8")
    with pytest.raises(ValueError, match=f"cannot write to {tmp_path / there}: "):
        opened(folder=there).__enter__()


@pytest.mark.parametrize("at", range(1, 4))
def test_a_full_disk_leaves_what_was_there(opened, full_disk, monkeypatch, at):
    """The at-th of the writes of a run fails: notebook, record, table."""
    with opened() as out:
        out.add(out.sets[0], GOOD)
        out.write_table()
        before = {p: p.read_bytes() for p in out.folder.rglob("*") if p.is_file()}
        full_disk(at - 1)

        def add():
            out.add(out.sets[1], GOOD)
            out.write_table()

        with pytest.raises(OSError, match="No space left"):
            add()
    assert not [*out.folder.rglob(f"*{_whole.PARTIAL}")]
    del before[out.table_file]
    assert all(path.read_bytes() == content for path, content in before.items())
    assert "done" in text(out)
    monkeypatch.undo()
    with opened() as out:  # done if its record was written
        assert len(out.left()) == (3 if at < 3 else 2)
