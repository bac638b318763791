"""The IRep data: fetching, and reading what was fetched."""

import errno
import os
import subprocess
from functools import partial
from pathlib import Path

import pandas as pd
import pytest

import refusals
from reproduction.wong2021 import fetch, irep

CONTENT = b"what the file holds, " * 20_000


# Fetching ---------------------------------------------------------------------


@pytest.fixture
def serve(monkeypatch, tmp_path):
    """A repository that has, or had, files of these contents; where to fetch to."""
    origin = tmp_path / "origin"

    def git(*arguments):
        who = ("-c", "user.name=a", "-c", "user.email=a@b.c")
        run = ["git", "-C", str(origin), *who, *arguments]
        subprocess.run(run, capture_output=True, check=True)

    def has(*contents):
        origin.mkdir()
        git("init")
        for content in contents:
            (origin / fetch.NAME).write_bytes(content)
            git("add", ".")
            git("commit", "-m", "a file")
        monkeypatch.setattr(fetch, "BLOB", fetch.blob_id(CONTENT))
        monkeypatch.setattr(fetch, "REPOSITORY", str(origin))
        return tmp_path / "data" / "released"

    return has


def refused(folder, match, left=()):
    """The fetch is refused in one sentence and leaves what was there."""
    with pytest.raises(fetch.DataError, match=match) as caught:
        fetch.fetch(folder)
    assert "\n" not in str(caught.value)
    there = sorted(os.listdir(folder)) if folder.exists() else []
    assert there == sorted(left)


@pytest.mark.parametrize("contents", [(CONTENT,), (CONTENT, b"a later one")])
def test_fetch(serve, contents):
    """By the name that git gives the contents, else git does not find them."""
    folder = serve(*contents)
    path = fetch.fetch(folder)
    assert path == folder / fetch.NAME
    assert path.read_bytes() == CONTENT
    assert os.listdir(folder) == [fetch.NAME]


@pytest.mark.parametrize(
    ("put", "match"),
    [
        (lambda p: p.write_bytes(b"mine"), "4 bytes with git .*; it was left as it is"),
        (lambda p: p.mkdir(), "cannot be read: Is a directory"),
        # `make data` cannot be told to run `make data`.
        (lambda p: p.symlink_to("gone"), "a link to a file that is not there; remove"),
    ],
    ids=["file", "folder", "link"],
)
def test_what_lies_in_the_files_place_is_left_as_it_was(serve, put, match):
    folder = serve(CONTENT)
    folder.mkdir(parents=True)
    path = folder / fetch.NAME
    put(path)
    before = path.lstat()
    refused(folder, match, [fetch.NAME])
    assert path.lstat() == before


def fails(number):
    def call(*args, **kwargs):
        raise OSError(number, os.strerror(number))

    return call


KEPT = "nothing was kept"
SAVED = "cannot be saved in .*: "


@pytest.mark.parametrize(
    ("change", "to", "match"),
    [
        (
            fetch,
            {"REPOSITORY": "/nowhere"},
            "'/nowhere' .*put at data/released/IREP",
        ),
        (fetch, {"BLOB": "0" * 40}, f"git cannot fetch .*origin: .*; {KEPT}"),
        (fetch, {"PATIENCE": 0}, f"it took more than 0 seconds; {KEPT}"),
        (os.environ, {"PATH": ""}, "git cannot be run .No such file or directory."),
        (Path, {"mkdir": fails(errno.EACCES)}, f"{SAVED}Permission denied; {KEPT}"),
        (os, {"replace": fails(errno.ENOSPC)}, f"{SAVED}No space left .*; {KEPT}"),
    ],
)
def test_a_failed_download_leaves_nothing(serve, monkeypatch, change, to, match):
    folder = serve(CONTENT)
    for name, value in to.items():
        of_dict = change is os.environ
        (monkeypatch.setitem if of_dict else monkeypatch.setattr)(change, name, value)
    refused(folder, match)
    assert folder.exists() == (change is os)


# Reading ----------------------------------------------------------------------

ROWS = [
    (1, "Budapest", 1, ["awe"]),
    (1, "Budapest", 2, ["awe", "love"]),
    (1, "Mexico", 1, []),
    (1, "Mexico", 2, ["unsure"]),
    (7, "KualaLumpur", 1, ["amusement"]),
    (7, "International", 1, list(irep.LABELS)),
]


def text(item='item_id"', rows=ROWS):
    lines = [[item, "platform", "rater", *irep.LABELS]]
    for number, platform, rater, chosen in rows:
        votes = [str(int(label in chosen)) for label in irep.LABELS]
        lines.append([str(number), platform, str(rater), *votes])
    return "".join(",".join(line) + "\n" for line in lines)


def reading(tmp_path, content):
    path = tmp_path / "small.csv"
    path.write_text(content, encoding="utf-8", newline="")
    return irep.read(path)


@pytest.mark.parametrize("item", ['item_id"', '"item_id"""', "item_id", "item"])
def test_read(tmp_path, item):
    frame = reading(tmp_path, text(item))
    assert list(frame.columns) == ["item", "platform", "rater", *irep.LABELS]
    assert frame["item"].tolist() == [1, 1, 1, 1, 7, 7]
    assert frame["platform"].tolist() == [row[1] for row in ROWS]
    assert frame["rater"].tolist() == [1, 2, 1, 2, 1, 1]
    for k, row in enumerate(ROWS):
        votes = frame.loc[k, list(irep.LABELS)]
        assert votes[votes == 1].index.tolist() == sorted(row[3])


def test_read_as_other_programs_write_it(tmp_path):
    frame = reading(tmp_path, text())
    quoted = text().replace("Mexico", '"Mexico"').replace(",0", ',"0"')
    for same in (text().replace("\n", "\r\n"), "\ufeff" + text(), quoted, text()[:-1]):
        pd.testing.assert_frame_equal(reading(tmp_path, same), frame)


def changed(line, column, to):
    """The small file with one cell changed; line as in the file."""
    lines = [row.split(",") for row in text().splitlines()]
    lines[line - 1][column] = to
    return "".join(",".join(row) + "\n" for row in lines)


@refusals.table("reproduction")
def test_read_refuses(tmp_path, row):
    names = {"read": partial(reading, tmp_path), "text": text, "changed": changed}
    refusals.check(row, names, fetch.DataError)


def test_replication(tmp_path):
    frame = reading(tmp_path, text())
    r = irep.replication(frame, "love", "Budapest")
    assert r.items.tolist() == [1] and r.raters.tolist() == [1, 2]
    assert r.labels.tolist() == [0, 1]
    assert r.counts.tolist() == [[1, 1]]
    assert irep.replication(frame, "love", "International").counts.tolist() == [[0, 1]]
