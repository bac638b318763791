"""One set on a worker: what it sees, what it leaves, how it is ended."""

import json
import os
import shutil
import socket
from dataclasses import replace
from pathlib import Path

import pytest

import sweeping
from known import rows
from labelaudit.sweeps import FILES, kernel, notebook, place
from labelaudit.sweeps.place import Place, choose, words
from labelaudit.sweeps.task import OtherLibrary, Source, execute, line

pytest.importorskip("papermill")

LOOK = """\
import os
from pathlib import Path
import labelaudit as la
beside = Path("beside.txt")
folder = Path(os.environ["LABELAUDIT_FILES"])
(folder / "kept.txt").write_text("kept")
la.record(read=beside.read_text() if beside.exists() else "", files=str(folder))
"""

# By a relative path: what Python, a shell and a library in C do.
HARM = """\
import os, shutil, subprocess
from pathlib import Path
import numpy as np
import labelaudit as la
texts = open("data/x.csv").read() + open("../shared.txt").read()
la.record(read=texts + open("linked.txt").read(), up=Path("../../far.txt").read_text())
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
LEFT = {
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


def run(at, *cells, given=None, **changes):
    """The outcome of a notebook in a folder, and of a source that is changed."""
    read = notebook.read(sweeping.notebook(at / "a.ipynb", cells=cells))
    text = changes.pop("text", str)(read.text)
    path = changes.pop("folder", at) / "a.ipynb"
    parts = {"notebook": replace(read, text=text, path=path), "out": at / "out"}
    parts["library"] = notebook.library()
    return execute(Source(**(parts | changes)), given or {})


def everything(root):
    """What is in a folder: texts, and where links lead."""
    return {
        path: path.readlink() if path.is_symlink() else path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_symlink() or path.is_file()
    }


def test_nothing_that_a_set_does_reaches_what_was_there(home, tmp_path):
    sweeping.notebook(home / "a.ipynb", cells=[HARM])
    before = everything(tmp_path)
    outcome = run(home, HARM)
    assert outcome.error == ""
    assert outcome.values == {"read": "oldoldold", "up": "old"}
    before[home / "a.ipynb"] = (home / "a.ipynb").read_bytes()  # its ids are others
    assert everything(tmp_path) == before
    del outcome.files["b"]
    assert outcome.files == LEFT


def test_a_run_starts_in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.setenv(FILES, "elsewhere")
    (tmp_path / "beside.txt").write_text("here", encoding="utf-8")
    outcome = run(tmp_path, LOOK, given={"x": 2.5})
    assert outcome.error == "" and outcome.seconds > 0
    assert outcome.values["read"] == "here"
    assert not Path(outcome.values["files"]).exists()  # and leaves nothing behind
    assert outcome.files == {"kept.txt": b"kept"}
    cells = json.loads(outcome.notebook)["cells"]
    assert "x = 2.5" in "".join(cells[2]["source"])
    assert "elsewhere" not in outcome.values["files"]
    before = os.getcwd()
    outcome = run(
        tmp_path, LOOK, folder=Path("/nowhere")
    )  # a worker without that folder
    assert (outcome.error, outcome.values["read"]) == ("", "")
    # For whoever is next in this process.
    assert (os.environ[FILES], os.getcwd()) == ("elsewhere", before)


def test_what_is_no_outcome_is_raised(tmp_path):
    with pytest.raises(OtherLibrary, match="not the one that the sweep was started"):
        run(tmp_path, library="other")
    with pytest.raises(Exception, match="none") as caught:  # Dask tries again
        run(
            tmp_path,
            text=lambda told: told.replace('"name": "python3"', '"name": "none"'),
        )
    assert type(caught.value).__name__ == "NoSuchKernel"


def test_a_kernel_that_is_too_large_from_the_start_is_an_outcome(tmp_path):
    assert run(tmp_path, memory=10**6).error.startswith("MemoryError: it had more than")


@pytest.mark.parametrize(("cells", "error", "values"), rows("set_errors"))
def test_errors_are_a_line_and_what_was_recorded_before_is_kept(
    tmp_path, cells, error, values
):
    outcome = run(tmp_path, *eval(cells), given={"x": 2.0})
    assert (outcome.error, outcome.values) == (error, eval(values))


def test_long_errors_are_cut():
    told = [line(KeyError("x" * n)) for n in (488, 489)]
    assert told == [f"KeyError: '{'x' * 488}'", f"KeyError: '{'x' * 486}..."]


@pytest.mark.parametrize(("folder", "by"), [("/tmp", "ipc"), ("/" + "x" * 99, "tcp")])
def test_a_kernel_talks_by_names_where_they_are_short_enough(folder, by):
    from jupyter_client.manager import KernelManager

    assert kernel.named(KernelManager, Path(folder))().transport == by


# What is copied ---------------------------------------------------------------------


def names(chosen, of=None):
    return {chosen.name(path) for path in (chosen.files if of is None else of)}


def test_what_is_named_is_copied_whatever_its_size(home, monkeypatch):
    monkeypatch.setattr(place, "MOST", ((12, 5), (3, 5), (0, 0)))
    named = ("big.bin", "../big.bin", "data/a.bin", "../b.bin", "../../../c.bin")
    for name in (*named, "part-1.bin", "../../d.bin"):
        (home / name).write_bytes(bytes(100))
    code = "read('big.bin', f'part-{1}.bin')\n!sort b.bin ../../../c.bin\nx = 1"
    given = {"files": ["data/a.bin"], "n": 3}
    chosen = choose(home, words(f"{code}\n{given!r}"))
    copied = names(chosen)
    assert {*named} <= copied
    assert not {"part-1.bin", "../../d.bin"} & copied
    # Of the others, what is near and small first, up to the limits.
    assert len([n for n in copied if not n.startswith("../") and ".bin" not in n]) == 4
    assert "part-1.bin" in names(chosen, chosen.left_out)
    assert "absolute path" in chosen.told() and "part-1.bin (0 MB)" in chosen.told()


def test_what_is_left_out_fails_aloud_and_is_listed(home, monkeypatch):
    monkeypatch.setattr(place, "MOST", ((50, 100), (50, 100), (0, 0)))
    (home / "part-1.bin").write_bytes(bytes(100))
    outcome = run(home, "import glob\nname = glob.glob('part*')[0]\nopen(name)\n")
    assert outcome.error.startswith("FileNotFoundError: ")


def test_a_file_that_cannot_be_read_is_left_out(home, monkeypatch):
    def copy(path, target):
        if path.name == "secret.txt":
            raise PermissionError(13, "Permission denied")
        return shutil.copyfile(path, target)

    for name in ("secret.txt", "open.txt"):
        (home / name).write_text("a", encoding="utf-8")
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
    assert not chosen.left_out and chosen.told() == ""  # where nobody's data lie
    assert ".git/0.txt" in names(choose(home, {".git"}))  # but for who names them
    here = Place(home.parents[2], chosen)
    assert (here.own / "empty").is_dir()
    assert here.written() == {}


def test_the_root_of_all_files_is_left_alone(home, monkeypatch):
    assert choose(home, set()).top() == home.parents[1]
    monkeypatch.setattr(place, "MOST", ((place.MB, 1),) * 3)  # the first file will do
    chosen = choose(home.parents[-2], set())
    assert [home.parents[-2] in path.parents for path in chosen.files] == [True]
