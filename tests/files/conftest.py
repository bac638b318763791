"""Files as tests write them, read by the library or by labelaudit agree."""

import json

import pytest

import typed
from labelaudit.files.ratings import collection
from labelaudit.files.text import UnreadableError


@pytest.fixture
def save(tmp_path):
    def saved(content, name="ratings.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return saved


@pytest.fixture
def read(save):
    """What the library reads in a file with this content."""

    def found(content, name="ratings.csv", **how):
        return collection(save(content, name), **how)

    return found


@pytest.fixture
def refusal(read):
    """What the library says of a file that it does not read."""

    def told(content, **how):
        with pytest.raises(UnreadableError) as refused:
            read(content, **how)
        return str(refused.value)

    return told


@pytest.fixture
def agree(save, capsys):
    """Status of a call with this file, and what it prints as JSON, or says instead."""

    def run(content, *more, name="file.csv"):
        path = save(content, name)
        status, out, err = typed.call(capsys, "agree", path, *more, "--json")
        return status, json.loads(out) if out else err

    return run
