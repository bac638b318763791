"""The figures and tables that the notebooks wrote are the committed ones.

Run by `python -m reproduction.machinery.check` after the notebooks (the name keeps it
out of an ordinary collection). On the processors that the README names they are the
same bytes; on any, they are the same as comparing.py has it. The last line of the run
says how many were compared in which way.
"""

import os
from pathlib import Path

import pytest

import comparing
from reproduction.machinery import paths

COMMITTED = sorted(f.name for f in paths.FIGURES.iterdir() if f.is_file())


@pytest.fixture(scope="module")
def written() -> Path:
    return Path(os.environ[paths.FIGURES_VARIABLE])


def test_the_notebooks_write_exactly_the_committed_files(written):
    names = sorted(file.name for file in written.iterdir() if file.is_file())
    assert names == COMMITTED


@pytest.mark.parametrize("name", COMMITTED)
def test_file_is_reproduced(name, written, record_property):
    old, new = ((folder / name).read_bytes() for folder in (paths.FIGURES, written))
    kind = Path(name).suffix
    assert comparing.difference(kind, old, new) == ""
    record_property(comparing.COMPARED, comparing.how(kind, old, new))
