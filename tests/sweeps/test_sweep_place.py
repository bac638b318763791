"""A set works among copies: what was there before a sweep is there after it."""

import os
import shutil
import socket

import pytest

import sweeping
from labelaudit.sweeps import place
from labelaudit.sweeps.place import Place, choose, words
from labelaudit.sweeps.task import execute
from sweeps.test_sweep_task import source

pytest.importorskip("papermill")

# By a relative path: what Python, a shell and a library in C do.
HARM = """\
import os, shutil, subprocess
from pathlib import Path
import numpy as np
import labelaudit as la
la.record(
    read=open("data/x.csv").read() + open("../shared.txt").read() + str(linked),
    up=Path("../../far.txt").read_text(),
)
open("results.txt", "w").write("new")
open("log.txt", "a").write(" more")
np.array([1.0]).tofile("raw.bin")
with open("data/x.csv", "r+") as file:
    file.truncate(0)
os.rename("../shared.txt", "../renamed.txt")
os.remove("gone.txt")
shutil.rmtree("../whole")
Path("linked.txt").write_text("through a link")
Path("hard.txt").write_text("through a hard link")
Path("behind/inside.txt").write_text("through a linked folder")
Path("../out").mkdir()
Path("../out/y.txt").write_text("y")
subprocess.run("echo by a shell >> sh.txt; rm -rf ../../far.txt; mv a.ipynb b",
               shell=True, check=True)
os.chmod("kept.txt", 0o600)
"""


@pytest.fixture
def home(tmp_path):
    """A folder of a user's own, with notebooks two folders below it."""
    books = tmp_path / "home" / "work" / "books"
    for folder in (books / "data", books.parent / "whole", tmp_path / "other"):
        folder.mkdir(parents=True)
    for path in ("results.txt", "log.txt", "raw.bin", "gone.txt", "sh.txt", "kept.txt",
                 "data/x.csv", "../shared.txt", "../whole/z.txt", "../../far.txt",
                 "../../../other/inside.txt", "../../../other/a.txt"):  # fmt: skip
        (books / path).write_text("old", encoding="utf-8")
    (books / "linked.txt").symlink_to(tmp_path / "other" / "a.txt")
    (books / "behind").symlink_to(tmp_path / "other")
    (books / "hard.txt").hardlink_to(tmp_path / "other" / "a.txt")
    (books / "round").symlink_to(books.parent)  # leads back
    (books / "nowhere").symlink_to(tmp_path / "nothing")
    return books


def everything(root):
    """What is in a folder: texts, and where links lead."""
    found = {}
    for path in sorted(root.rglob("*")):
        kind = "link" if path.is_symlink() else "file" if path.is_file() else ""
        found[str(path)] = (
            (kind, path.readlink() if kind == "link" else path.read_bytes())
            if kind
            else None
        )
    return found


def test_nothing_that_a_set_does_reaches_what_was_there(home, tmp_path):
    harm = HARM.replace("linked)", "open('linked.txt').read())")
    path = sweeping.notebook(home / "a.ipynb", cells=[harm])
    before = everything(tmp_path)
    outcome = execute(source(path), {})
    assert outcome.error == ""
    assert outcome.values == {"read": "oldoldold", "up": "old"}
    assert everything(tmp_path) == before
    texts = {name: data for name, data in outcome.files.items() if name != "b"}
    assert texts == {
        "results.txt": b"new",
        "log.txt": b"old more",
        "raw.bin": bytes(6) + b"\xf0\x3f",
        "data/x.csv": b"",
        "linked.txt": b"through a link",
        "hard.txt": b"through a hard link",
        "behind/inside.txt": b"through a linked folder",
        "sh.txt": b"oldby a shell\n",
        "_above/renamed.txt": b"old",
        "_above/out/y.txt": b"y",
    }


def names(chosen, of=None):
    return {chosen.name(path) for path in (chosen.files if of is None else of)}


def test_what_is_named_is_copied_whatever_its_size(home, monkeypatch):
    monkeypatch.setattr(place, "MOST", ((12, 5), (3, 5), (0, 0)))
    named = ("big.bin", "../big.bin", "data/a.bin", "../b.bin", "../../../c.bin")
    for name in (*named, "part-1.bin", "../../d.bin"):
        (home / name).write_bytes(bytes(100))
    code = "read('big.bin', f'part-{1}.bin')\n!sort b.bin ../../../c.bin\nx = 1"
    chosen = choose(home, words(code, [{"files": ["data/a.bin"], "n": 3}]))
    copied = names(chosen)
    assert {*named} <= copied
    assert not {"part-1.bin", "../../d.bin"} & copied
    # Of the others, what is near and small first, up to the limits.
    assert len([n for n in copied if not n.startswith("../") and ".bin" not in n]) == 4
    left = names(chosen, chosen.left_out)
    assert {"part-1.bin"} <= left
    told = chosen.told()
    assert "absolute path" in told
    assert "part-1.bin (0 MB)" in told


def test_what_is_left_out_fails_aloud_and_is_listed(home, tmp_path, monkeypatch):
    monkeypatch.setattr(place, "MOST", ((50, 100), (50, 100), (0, 0)))
    (home / "part-1.bin").write_bytes(bytes(100))
    cells = ["import glob\nname = glob.glob('part*')[0]\nopen(name)\n"]
    path = sweeping.notebook(home / "a.ipynb", cells=cells)
    outcome = execute(source(path), {})
    assert outcome.error.startswith("FileNotFoundError: ")
    assert "(too large to copy for each set: part-1.bin)" in outcome.error


def test_a_file_that_cannot_be_read_is_left_out(home, tmp_path, monkeypatch):
    def copy(path, target):
        if path.name == "secret.txt":
            raise PermissionError(13, "Permission denied")
        return shutil.copyfile(path, target)

    (home / "secret.txt").write_text("a", encoding="utf-8")
    (home / "open.txt").write_text("a", encoding="utf-8")
    monkeypatch.setattr(place.shutil, "copy2", copy)
    chosen = choose(home, set())
    here = Place(home.parents[2], chosen)
    assert (here.own / "open.txt").exists() and not (here.own / "secret.txt").exists()
    assert "secret.txt" in names(chosen, chosen.left_out)


def test_results_environments_and_what_is_no_file_are_not_copied(home, monkeypatch):
    for folder in ("out", "env", ".git", "__pycache__", "empty"):
        (home / folder).mkdir()
        if folder != "empty":
            (home / folder / "0.txt").write_text("a", encoding="utf-8")
    (home / "env" / "pyvenv.cfg").touch()
    with socket.socket(socket.AF_UNIX) as listening:
        monkeypatch.chdir(home)
        listening.bind("socket")
        os.mkfifo(home / "pipe")
        chosen = choose(home, {"3", "nothing", "a\0b", "x" * 5000}, [home / "out"])
    copied = names(chosen)
    assert {"linked.txt", "behind/a.txt"} <= copied
    assert not {"out/0.txt", "__pycache__/0.txt", "socket", "pipe"} & copied
    assert not [name for name in copied if name.startswith("round")]
    assert names(chosen, chosen.left_out) == {".git", "env"}
    assert chosen.told() == ""  # where nobody's data lie
    assert ".git/0.txt" in names(choose(home, {".git"}))  # but for who names them
    here = Place(home.parents[2], chosen)
    assert (here.own / "empty").is_dir()
    assert here.written() == {}


def test_the_root_of_all_files_is_left_alone(tmp_path):
    assert choose(tmp_path, set()).top() == tmp_path.parents[1]
    chosen = choose(tmp_path.parents[-2], set())
    assert all(tmp_path.parents[-2] in path.parents for path in chosen.files)
