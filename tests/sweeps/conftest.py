"""A folder below two that nobody else has: a set sees copies of what is above."""

import pytest

import sweeping


@pytest.fixture
def tmp_path(tmp_path):
    folder = tmp_path / "home" / "work"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def place(tmp_path):
    """A folder with a notebook to sweep."""
    sweeping.notebook(tmp_path / "a.ipynb")
    return tmp_path
