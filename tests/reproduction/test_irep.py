"""The IRep data: fetching, and reading what was fetched."""

import errno
import os
import subprocess

import pandas as pd
import pytest

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


def test_blob_id_is_gits():
    """The example of Pro Git, section 10.2."""
    content = b"what is up, doc?"
    assert fetch.blob_id(content) == "bd9dbf5aae1a3862dd1526723246b20206e5fc37"


@pytest.mark.parametrize("contents", [(CONTENT,), (CONTENT, b"a later one")])
def test_fetch(serve, contents):
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


@pytest.mark.parametrize(
    ("change", "to", "match"),
    [
        ("REPOSITORY", "/nowhere", "'/nowhere' .*be put at data/released/IREP"),
        ("BLOB", "0" * 40, "git cannot fetch .*origin: .*; nothing was kept"),
        ("PATIENCE", 0, "it took more than 0 seconds; nothing was kept"),
        ("PATH", "", "git cannot be run .No such file or directory."),
    ],
)
def test_a_failed_download_leaves_nothing(serve, monkeypatch, change, to, match):
    folder = serve(CONTENT)
    if change == "PATH":
        monkeypatch.setenv(change, to)
    else:
        monkeypatch.setattr(fetch, change, to)
    refused(folder, match)
    assert not folder.exists()


@pytest.mark.parametrize(
    ("call", "number", "why"),
    [
        ("pathlib.Path.mkdir", errno.EACCES, "Permission denied"),
        ("os.replace", errno.ENOSPC, "No space left on device"),
    ],
)
def test_a_file_that_cannot_be_saved(serve, monkeypatch, call, number, why):
    def fails(*args, **kwargs):
        raise OSError(number, os.strerror(number))

    folder = serve(CONTENT)
    monkeypatch.setattr(call, fails)
    refused(folder, f"cannot be saved in .*: {why}; nothing was kept")


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


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (changed(4, 5, "2"), "line 4: awe must be 0 or 1"),
        (changed(2, 20, " 1"), "line 2: error.other must be 0 or 1"),
        (changed(5, 1, "Lima"), "line 5: platform must be Budapest or Mexico or"),
        (changed(3, 2, "3"), "line 3: rater must be 1 or 2"),
        (changed(6, 0, "-7"), "line 6: item must be a whole number"),
        (changed(3, 2, "1"), "line 3: a second row of this rater, item and platform"),
        (text().replace(",awe", ",joy"), "line 1: not the 35 columns of IRep: awe, j"),
        (text("item_id,item"), "line 1: not the 35 columns of IRep: one twice"),
    ],
)
def test_read_refuses(tmp_path, content, message):
    with pytest.raises(fetch.DataError) as caught:
        reading(tmp_path, content)
    assert str(caught.value).startswith(("small.csv, " + message, message))


def test_replication(tmp_path):
    frame = reading(tmp_path, text())
    r = irep.replication(frame, "love", "Budapest")
    assert r.items.tolist() == [1] and r.raters.tolist() == [1, 2]
    assert r.labels.tolist() == [0, 1]
    assert r.counts.tolist() == [[1, 1]]
    assert irep.replication(frame, "love", "International").counts.tolist() == [[0, 1]]
