"""Files are there whole or not at all."""

import os

import pytest

from labelaudit import _whole


def refuse(*_):
    raise OSError("no")


@pytest.mark.parametrize("links", [True, False])
def test_a_file_is_replaced_or_left_alone(tmp_path, links, monkeypatch):
    if not links:
        monkeypatch.setattr(os, "link", refuse)
    path = tmp_path / "a.txt"
    for content in (b"one", b"two"):
        _whole.write(path, content)
        assert path.read_bytes() == content
    with pytest.raises(FileExistsError, match="is there already"):
        _whole.write_all({path: b"three"})
    assert path.read_bytes() == b"two"
    _whole.write_all({tmp_path / "b.txt": b"one"})
    assert sorted(os.listdir(tmp_path)) == ["a.txt", "b.txt"]


def test_what_appears_meanwhile_is_left_alone(tmp_path, monkeypatch):
    path, flush = tmp_path / "a.txt", os.fsync

    def slow(number):
        path.write_bytes(b"theirs")
        flush(number)

    monkeypatch.setattr(os, "fsync", slow)
    with pytest.raises(FileExistsError):
        _whole.write_all({path: b"ours"})
    assert path.read_bytes() == b"theirs"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_a_failure_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(OSError, match="no"):
        _whole.write(tmp_path / "a.txt", b"one")
    assert os.listdir(tmp_path) == []
