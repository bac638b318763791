"""Files are there whole or not at all."""

import os

import pytest

from labelaudit import _whole


def test_a_file_is_written_and_replaced(tmp_path):
    path = tmp_path / "a.txt"
    _whole.write(path, b"one")
    _whole.write(path, b"two")
    assert path.read_bytes() == b"two"
    assert os.listdir(tmp_path) == ["a.txt"]


@pytest.mark.parametrize("links", [True, False])
def test_what_exists_is_left_alone_when_asked(tmp_path, links, monkeypatch):
    if not links:
        monkeypatch.setattr(os, "link", refuse)
    path = tmp_path / "a.txt"
    _whole.write(path, b"one", over=False)
    with pytest.raises(FileExistsError, match="is there already"):
        _whole.write(path, b"two", over=False)
    assert path.read_bytes() == b"one"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_what_appears_meanwhile_is_left_alone(tmp_path, monkeypatch):
    path, flush = tmp_path / "a.txt", os.fsync

    def slow(number):
        path.write_bytes(b"theirs")
        flush(number)

    monkeypatch.setattr(os, "fsync", slow)
    with pytest.raises(FileExistsError):
        _whole.write(path, b"ours", over=False)
    assert path.read_bytes() == b"theirs"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_a_failure_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(OSError, match="no"):
        _whole.write(tmp_path / "a.txt", b"one")
    assert os.listdir(tmp_path) == []


def refuse(*_):
    raise OSError("no")
