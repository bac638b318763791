"""What all tests share: one profile for hypothesis, and pandas' options as they were.

The same examples every time, nothing on disk.
"""

import pandas as pd
import pytest
from hypothesis import settings

import sweeping
from reproduction import warm

settings.register_profile(
    "repeatable", derandomize=True, deadline=None, database=None, max_examples=60
)
settings.load_profile("repeatable")


def pytest_configure():
    warm.use()


def pytest_collection_modifyitems(items):
    """The longest files first, so that no worker waits for another at the end."""
    long = ("tests/test_sweep", "notebooks/")
    items.sort(key=lambda item: not item.nodeid.startswith(long))


@pytest.fixture(autouse=True)
def pandas_options():
    """A notebook's start sets how tables look; other tests want them as they are."""
    yield
    if pd.options.display.float_format is not None:
        pd.reset_option("^display")


@pytest.fixture
def place(tmp_path):
    """A folder with a notebook to sweep."""
    sweeping.notebook(tmp_path / "a.ipynb")
    return tmp_path
