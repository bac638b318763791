"""The folder of a sweep and its progress: what survives, what is refused."""

import errno
import io
import json
import os
import subprocess
import sys
from types import SimpleNamespace

import pandas as pd
import pytest

import labelaudit as la
import sweeping
from labelaudit import _whole
from labelaudit.sweeps import grid, progress, results
from labelaudit.sweeps.notebook import Refused
from labelaudit.sweeps.parameters import Cell
from labelaudit.sweeps.task import Outcome

CELL = Cell("x=1; n=3; word='no'; list=[1]; flag=False; none=None")
GRID = "[vary]\nx = [1, 2]\nlist = [[1, 2], []]\n"
GOOD = Outcome("", 1.23456, {"y": 0.1, "whole": 3, "sure": True, "told": "a,b\n"}, "{}")
BAD = Outcome("ValueError: no", 0.5, {}, "{}")


def sets(tmp_path, text=GRID):
    return grid.read(sweeping.grid(tmp_path / "g.toml", text), CELL)


def opened(tmp_path, text=GRID, code="c1", name="n.ipynb"):
    source = SimpleNamespace(code=code, hash="5ea1", path=tmp_path / name)
    return results.Results(tmp_path / "out", sets(tmp_path, text), source)


def table(tmp_path):
    return pd.read_csv(tmp_path / "out" / "results.csv", keep_default_na=False)


def test_a_row_a_set_in_the_order_of_the_grid(tmp_path):
    with opened(tmp_path) as out:
        out.add(out.grid.sets[2], GOOD)
        out.add(out.grid.sets[1], BAD)
        out.write_table()
    text = (tmp_path / "out" / "results.csv").read_text(encoding="utf-8")
    two, three = (f"notebooks/{out.grid.sets[i].name}.ipynb" for i in (1, 2))
    assert text == (
        "x,list,status,error,seconds,notebook,library_version,notebook_hash"
        ",y,whole,sure,told\n"
        f"1,[],failed,ValueError: no,0.5,{two},{la.__version__},5ea1,,,,\n"
        f'2,"[1, 2]",done,,1.235,{three},{la.__version__},5ea1,0.1,3,True,"a,b\n"\n'
    )
    assert (tmp_path / "out" / two).read_text(encoding="utf-8") == "{}"


def test_values_of_several_kinds_share_a_column(tmp_path):
    with opened(tmp_path, "[vary]\nnone = [1, 'a', true, 2.5]\nn=[1, 2.5]\n") as out:
        for i, one in enumerate(out.grid.sets):
            value = [2, "b", False, None][i % 4]
            out.add(one, Outcome("", 1.0, {"v": value}, None))
        out.write_table()
    read = table(tmp_path)
    assert read["none"].tolist() == ["1", "1", "a", "a", "True", "True", "2.5", "2.5"]
    assert read["n"].tolist() == [1, 2.5] * 4
    assert read["v"].tolist() == ["2", "b", "False", ""] * 2
    assert read["notebook"].tolist() == [""] * 8


@pytest.mark.parametrize("whole", [2**63, 2**70])
def test_huge_whole_numbers_are_kept(tmp_path, whole):
    with opened(tmp_path, f"[vary]\nn = [{whole}]\n") as out:
        out.add(out.grid.sets[0], Outcome("", 1.0, {"v": whole + 1}, None))
        out.write_table()
    text = (tmp_path / "out" / "results.csv").read_text(encoding="utf-8")
    assert f"{whole}," in text
    assert str(whole + 1) in text


def test_what_is_done_is_not_left(tmp_path):
    with opened(tmp_path) as out:
        out.add(out.grid.sets[0], GOOD)
        out.add(out.grid.sets[3], BAD)
        out.write_table()
    with opened(tmp_path) as out:
        assert out.left() == out.grid.sets[1:]  # what failed is run again
        assert (out.count("done"), out.count("failed")) == (1, 1)
        assert table(tmp_path)["status"].tolist() == ["done", "failed"]


def test_other_code_invalidates_all_and_the_first_code_nothing(tmp_path):
    with opened(tmp_path) as out:
        for one in out.grid.sets:
            out.add(one, GOOD)
    with opened(tmp_path, code="c2") as out:
        assert out.left() == out.grid.sets
        out.write_table()
        assert len(table(tmp_path)) == 0
        out.add(out.grid.sets[0], BAD)
    with opened(tmp_path) as out:
        assert out.left() == out.grid.sets[:1]


def test_another_grid_invalidates_exactly_the_rows_that_it_changes(tmp_path):
    with opened(tmp_path) as out:
        for one in out.grid.sets:
            out.add(one, GOOD)
    other = "[vary]\nx = [2, 3]\nlist = [[1, 2], []]\n"
    with opened(tmp_path, other) as out:
        assert [one.given["x"] for one in out.left()] == [3, 3]
        out.write_table()
        assert table(tmp_path)["x"].tolist() == [2, 2]
    with opened(tmp_path) as out:
        assert out.left() == []
        out.write_table()
        assert len(table(tmp_path)) == 4


def test_results_of_another_notebook_are_not_replaced(tmp_path):
    with opened(tmp_path) as out:
        out.write_table()
    with pytest.raises(Refused, match=r"another notebook, n\.ipynb; choose .* --out"):
        opened(tmp_path, name="other.ipynb").__enter__()
    forced = opened(tmp_path, name="other.ipynb")
    forced.force = True
    with forced:
        pass


def test_a_broken_record_is_run_again(tmp_path):
    with opened(tmp_path) as out:
        for one in out.grid.sets[:3]:
            out.add(one, GOOD)
        names = [one.name for one in out.grid.sets]
    runs = tmp_path / "out" / "runs"
    (runs / f"{names[0]}.json").write_text('{"code": "c1", "parame', encoding="utf-8")
    (runs / f"{names[1]}.json").write_text('{"code": "c1"}', encoding="utf-8")
    with opened(tmp_path) as out:
        assert [one.name for one in out.left()] == [names[0], names[1], names[3]]


def test_what_a_killed_sweep_left_half_written_goes(tmp_path):
    with opened(tmp_path) as out:
        out.add(out.grid.sets[0], GOOD)
    left = [
        tmp_path / "out" / f"results.csv{_whole.PARTIAL}",
        tmp_path / "out" / "runs" / f"a.json{_whole.PARTIAL}",
    ]
    mine = tmp_path / "out" / "mine.partial"
    mine.write_text("not the sweep's", encoding="utf-8")
    for path in left:
        path.write_text("half", encoding="utf-8")
    with opened(tmp_path) as out:
        assert len(out.left()) == 3
    assert not any(path.exists() for path in left)
    assert mine.read_text(encoding="utf-8") == "not the sweep's"


def test_the_second_sweep_into_a_folder_is_refused(tmp_path):
    with opened(tmp_path):
        code = (
            "import sys; from labelaudit.sweeps.results import Results;"
            "from labelaudit.sweeps.grid import Grid;"
            "Results(sys.argv[1], Grid([], [], 0), None).__enter__()"
        )
        other = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path / "out")],
            capture_output=True,
            text=True,
            check=False,
        )
        assert "Refused: another sweep is writing to" in other.stderr
    with opened(tmp_path):  # and not any more
        pass


@pytest.mark.parametrize("there", ["file", "proc"])
def test_a_folder_that_cannot_be_written_is_refused(tmp_path, there):
    folder = tmp_path / "out"
    folder.write_text("a file", encoding="utf-8")
    if there == "proc":
        folder = "/proc/labelaudit"  # where not even root can make one
    out = results.Results(folder, sets(tmp_path), None)
    with pytest.raises(Refused, match=f"cannot write to {folder}: "):
        out.__enter__()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission_is_refused(tmp_path):
    with opened(tmp_path) as out:
        out.add(out.grid.sets[0], GOOD)
    before = (tmp_path / "out" / "results.csv").read_bytes()
    (tmp_path / "out").chmod(0o500)
    try:
        with pytest.raises(Refused, match=r"cannot write to .*: Permission denied"):
            opened(tmp_path).__enter__()
        assert (tmp_path / "out" / "results.csv").read_bytes() == before
    finally:
        (tmp_path / "out").chmod(0o700)


@pytest.mark.parametrize("at", range(1, 4))
def test_a_full_disk_leaves_what_was_there(tmp_path, monkeypatch, at):
    """The at-th of the writes of a run fails: notebook, record, table."""
    with opened(tmp_path) as out:
        out.add(out.grid.sets[0], GOOD)
        out.write_table()
        before = {
            path: path.read_bytes()
            for path in (tmp_path / "out").rglob("*")
            if path.is_file()
        }
        calls = []

        def full(descriptor):
            calls.append(descriptor)
            if len(calls) == at:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        monkeypatch.setattr(os, "fsync", full)
        out._next = 0.0
        with pytest.raises(OSError, match="No space left"):
            out.add(out.grid.sets[1], GOOD)
    after = [path for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert not [path for path in after if path.name.endswith(_whole.PARTIAL)]
    for path, content in before.items():
        if not path.name.startswith("results"):
            assert path.read_bytes() == content
    assert "done" in (tmp_path / "out" / "results.csv").read_text(encoding="utf-8")
    monkeypatch.undo()
    with opened(tmp_path) as out:  # done if its record was written
        assert len(out.left()) == (3 if at < 3 else 2)


def test_the_table_catches_up_without_another_run(tmp_path, monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(results.time, "monotonic", lambda: clock[0])
    with opened(tmp_path) as out:
        out._next = 5.0
        out.add(out.grid.sets[0], GOOD)
        assert not (tmp_path / "out" / "results.csv").exists()
        clock[0] = 6.0
        out.catch_up()
        assert len(table(tmp_path)) == 1
        (tmp_path / "out" / "results.csv").unlink()
        clock[0] = 1e6
        out.catch_up()  # it lacks no run
        assert not (tmp_path / "out" / "results.csv").exists()


def test_opening_a_folder_leaves_its_table(tmp_path):
    """A call that is refused after that has changed nothing."""
    with opened(tmp_path) as out:
        out.add(out.grid.sets[0], GOOD)
        out.write_table()
    with opened(tmp_path, code="c2"):
        pass
    assert len(table(tmp_path)) == 1


def test_infinities_are_numbers_and_texts_stay_texts(tmp_path):
    with opened(tmp_path, "[vary]\nx = [1, 2]\n") as out:
        out.add(out.grid.sets[0], Outcome("", 1.0, {"v": "inf", "t": "inf"}, None))
        out.add(out.grid.sets[1], Outcome("", 1.0, {"v": 2.5, "t": "a"}, None))
        made = out.table()
    assert made["v"].tolist() == [float("inf"), 2.5]
    assert made["t"].tolist() == ["inf", "a"]


def test_a_spreadsheet_calculates_nothing_of_the_table(tmp_path):
    with opened(tmp_path, "[vary]\nword = ['=1+1', '-3']\n") as out:
        for one in out.grid.sets:
            out.add(one, Outcome("", 1.0, {"v": "@home", "n": -1.5}, None))
        out.write_table()
        assert out.table()["word"].tolist() == ["=1+1", "-3"]
    made = pd.read_csv(tmp_path / "out" / "results.csv", dtype=str)
    assert made["word"].tolist() == ["'=1+1", "-3"]
    assert made["v"].tolist() == ["'@home"] * 2
    assert made["n"].tolist() == ["-1.5"] * 2


@pytest.mark.parametrize("force", [False, True])
def test_a_table_of_another_origin_is_replaced_by_force_alone(tmp_path, force):
    def begun(place):
        out = results.Results(
            place, sets(tmp_path), SimpleNamespace(code="c", path=place / "n"), force
        )
        with out:
            out.write_table()

    own, linked = tmp_path / "own", tmp_path / "linked"
    for folder in (own, linked):
        folder.mkdir()
    (own / "results.csv").write_text("a month of work", encoding="utf-8")
    (linked / "results.csv").symlink_to(own / "results.csv")
    with pytest.raises(Refused, match="was not written by a sweep"):
        begun(linked)
    if force:
        begun(own)
    else:
        with pytest.raises(
            Refused, match=r"results\.csv is there and was not .*--force"
        ):
            begun(own)
    kept = (own / "results.csv").read_text(encoding="utf-8")
    assert (kept == "a month of work") != force


def test_records_are_plain_json(tmp_path):
    with opened(tmp_path) as out:
        out.add(out.grid.sets[0], GOOD)
    (file,) = (tmp_path / "out" / "runs").iterdir()
    record = json.loads(file.read_text(encoding="utf-8"))
    assert record["parameters"] == {"x": 1, "list": [1, 2]}
    assert record["values"] == GOOD.values
    assert record["status"] == "done"


def test_the_table_of_many_sets_is_not_written_for_each(tmp_path, monkeypatch):
    clock = iter(range(10_000))
    monkeypatch.setattr(results.time, "monotonic", lambda: next(clock))
    written = []
    text = f"[vary]\nx = {list(range(100))}\n"
    with opened(tmp_path, text) as out:
        monkeypatch.setattr(out, "write_table", lambda: written.append(next(clock)))
        for one in out.grid.sets:
            out.add(one, GOOD)
    assert 2 <= len(written) <= 10  # each writing takes a tick, each check another


# Progress -------------------------------------------------------------------------


class Clock:
    def __init__(self, monkeypatch):
        self.now = 100.0
        monkeypatch.setattr(progress.time, "monotonic", lambda: self.now)


def test_a_line_for_each_that_takes_a_while(monkeypatch):
    clock, stream = Clock(monkeypatch), io.StringIO()
    told = progress.Progress(stream, 5, 4)
    told.start()
    for failed in (False, True, False, False):
        clock.now += 60
        told.finished(failed, "x = 1: ValueError: no")
    assert stream.getvalue() == (
        "5 done, 0 failed, 4 left, time to go not known yet\n"
        "6 done, 0 failed, 3 left, about 3 min to go\n"
        "failed: x = 1: ValueError: no\n"
        "6 done, 1 failed, 2 left, about 2 min to go\n"
        "7 done, 1 failed, 1 left, about 60 s to go\n"
        "8 done, 1 failed, 0 left\n"
    )


def test_quick_runs_share_a_line(monkeypatch):
    clock, stream = Clock(monkeypatch), io.StringIO()
    told = progress.Progress(stream, 0, 100)
    told.start()
    for _ in range(100):
        clock.now += 1
        told.finished(False)
    lines = stream.getvalue().splitlines()
    assert len(lines) == 11
    assert lines[1] == "10 done, 0 failed, 90 left, about 2 min to go"
    assert lines[-1] == "100 done, 0 failed, 0 left"


def test_time_left_counts_down_while_one_long_set_runs(monkeypatch):
    clock = Clock(monkeypatch)
    told = progress.Progress(io.StringIO(), 0, 3)
    told.start()
    for _ in range(2):
        clock.now += 40
        told.finished(failed=False)
    seen = []
    for _ in range(6):
        seen.append(told.time_to_go())
        clock.now += 10
    downwards = [f"about {s} s to go" for s in (40, 30, 20, 10, 0)]
    assert seen == [*downwards, "what is left takes longer than the others"]
