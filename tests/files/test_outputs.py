"""What an output never takes the place of, with --force or without."""

import gzip
import os
import stat

import pytest

import known
import labelaudit as la
from labelaudit import _whole
from labelaudit.files import outputs, sheets

RATINGS = "item,ann,ben\n" + "".join(f"{k},{k % 2},{k % 3 % 2}\n" for k in range(12))
OPTIONS = "--report", "--consensus", "--raters-out"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.csv").write_text(RATINGS, encoding="utf-8")
    (tmp_path / "gold.csv").write_text("item,label\n0,0\n", encoding="utf-8")
    return tmp_path


def sheet(path, wrong=None, code="utf-8", separator=",", first=""):
    """A sheet of some items, of which the second may be filled in."""
    plan = la.single_plan(la.RELAXED, 200)
    frame = la.inspection_sheet(plan, seed=1)
    told = sheets.about(plan, kind="single", seed=1)
    text = sheets.texts(frame, told, None, separator)[0]
    rows = text.splitlines(keepends=True)
    cells = rows[2].split(separator)
    cells[frame.columns.get_loc("wrong")] = wrong or ""
    rows[2] = separator.join(cells)
    path.write_bytes((first + "".join(rows)).encode(code))


def link(path):
    (path.parent / "real.txt").write_text("mine", encoding="utf-8")
    path.symlink_to("real.txt")


def device(path):
    try:
        os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(1, 3))
    except PermissionError:
        pytest.skip("only root makes devices")


def hard(path):
    path.hardlink_to(path.parent / "in.csv")


def packed(path):
    sheet(path, "1", first="\n\n")
    path.write_bytes(gzip.compress(path.read_bytes()))


def renamed(path):
    sheet(path, "1")
    path.write_bytes(path.read_bytes().replace(b",wrong,", b",Fehler,"))


def damaged(path):
    sheet(path, "1")
    path.write_bytes(path.read_bytes() + b"6,too,\xff,many\n")


def filled(*how):
    return lambda path: sheet(path, *how)


@pytest.mark.parametrize(
    ("make", "named"),
    [
        (link, "a link"),
        (lambda path: path.symlink_to("nothing"), "a link"),
        (device, "a device"),
        (os.mkfifo, "a pipe"),
        (os.mkdir, "a folder"),
        (hard, "what this call reads"),
        (filled("1"), "filled in"),
        (filled("no", "utf-16", ";"), "filled in"),
        (filled("x", "utf-8-sig", "\t", "sep=\t\n"), "filled in"),
        (packed, "filled in"),
        (renamed, "filled in"),
        (damaged, "filled in"),
    ],
)
@pytest.mark.parametrize("option", OPTIONS)
def test_force_never_replaces(make, named, option, folder, call):
    out = folder / "out"
    make(out)
    before = out.lstat(), out.read_bytes() if out.is_file() else b""
    status, said, err = call(f"agree in.csv {option} out --force")
    assert (status, said, err.count("\n")) == (2, "", 1)
    assert f"{option} out" in err and named in err
    after = out.lstat()
    assert (after.st_mode, after.st_ino) == (before[0].st_mode, before[0].st_ino)
    assert (out.read_bytes() if out.is_file() else b"") == before[1]
    with pytest.raises(ValueError, match=str(named)):
        outputs.check({option: out}, [folder / "in.csv"], force=True)


@pytest.mark.parametrize(("typed", "named"), known.rows("refused/outputs"))
def test_inputs_and_outputs_are_different_files(typed, named, folder, call):
    (folder / "a").mkdir()
    before = {path: path.read_bytes() for path in folder.glob("*.csv")}
    status, _, err = call(f"agree {typed}")
    assert status == 2 and named in err
    assert {p: p.read_bytes() for p in folder.iterdir() if p.is_file()} == before


def test_standard_input_is_an_input(folder, monkeypatch, call):
    with open("in.csv", encoding="utf-8") as stream:
        monkeypatch.setattr("sys.stdin", stream)
        status, _, err = call("agree - --consensus in.csv --force")
    assert status == 2 and "what this call reads" in err


def test_force_replaces_results_and_empty_sheets(folder, call):
    outputs.check({"--report": folder / "new"})
    for make in (lambda path: path.write_bytes(b"item,right,wrong\n1,.5,.5\n"), sheet):
        make(folder / "new")
        with pytest.raises(ValueError, match=r"--report .*new is there already"):
            outputs.check({"--report": folder / "new", "--consensus": None})
        outputs.check({"--report": folder / "new"}, ["none", "-", None], force=True)
    typed = "agree in.csv --consensus out.csv --raters-out r.csv --report r.html"
    for _ in range(2):
        assert call(f"{typed} --force")[0] == 0


def test_what_is_no_file_is_not_replaced_by_any_writer(tmp_path):
    link(tmp_path / "a")
    with pytest.raises(FileExistsError, match="no regular file"):
        _whole.write(tmp_path / "a", b"")
    assert (tmp_path / "real.txt").read_text(encoding="utf-8") == "mine"
