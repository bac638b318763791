"""A folder below two that nobody else has: a set sees copies of what is above."""

import pytest


@pytest.fixture
def tmp_path(tmp_path):
    folder = tmp_path / "home" / "work"
    folder.mkdir(parents=True)
    return folder
