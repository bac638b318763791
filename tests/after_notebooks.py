"""The figures and tables that the notebooks wrote are the committed ones, byte by byte.

Run by `python -m reproduction.machinery.check` after the notebooks (the name keeps it
out of an ordinary collection).
"""

import os
from itertools import zip_longest
from pathlib import Path

import pytest

from reproduction.machinery import paths

COMMITTED = sorted(f.name for f in paths.FIGURES.iterdir() if f.is_file())
SHOWN = 200  # characters of a line


@pytest.fixture(scope="module")
def written() -> Path:
    return Path(os.environ[paths.FIGURES_VARIABLE])


def test_the_notebooks_write_exactly_the_committed_files(written):
    names = sorted(file.name for file in written.iterdir() if file.is_file())
    assert names == COMMITTED


def difference(old: bytes, new: bytes) -> str:
    """The first lines that differ, both of them; empty where all bytes are the same."""
    for k, (one, other) in enumerate(zip_longest(old.split(b"\n"), new.split(b"\n"))):
        if one != other:
            here, there = (repr(line)[: SHOWN + 3] for line in (other, one))
            return f"line {k + 1} is {here}, not {there}"
    return ""


@pytest.mark.parametrize("name", COMMITTED)
def test_file_is_reproduced(name, written):
    old, new = ((folder / name).read_bytes() for folder in (paths.FIGURES, written))
    assert difference(old, new) == ""


def test_a_difference_is_told_with_both_values():
    assert difference(b"a,b\n1,2\n", b"a,b\n1,2\n") == ""
    assert difference(b"a,b\n1,2\n", b"a,b\n1,3\n") == "line 2 is b'1,3', not b'1,2'"
    assert difference(b"a\n", b"a") == "line 2 is None, not b''"
    assert difference(b"\x89PNG1", b"\x89PNG2").startswith("line 1 is b'\\x89PNG2'")
