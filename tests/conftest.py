"""What all tests share: one profile for hypothesis, pandas' options as they were, and
kernels of notebooks that no other process can take a port from.

The same examples every time, nothing on disk.
"""

import errno
import os
import shutil
import tempfile
from functools import partial
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import settings

import typed
from reproduction.machinery import notebooks

settings.register_profile(
    "repeatable", derandomize=True, deadline=None, database=None, max_examples=60
)
settings.load_profile("repeatable")


def pytest_configure(config):
    if config.getoption("nbval", default=False):
        from nbval import kernel as nbval

        from labelaudit.sweeps import kernel

        folder = Path(tempfile.mkdtemp(prefix="labelaudit-"))
        config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
        nbval.KernelManager = kernel.named(nbval.KernelManager, folder)


def pytest_collection_modifyitems(items):
    """The longest files first, so that no worker waits for another at the end."""
    longest = tuple(f"notebooks/{name}" for name in notebooks.LONG)
    long = ("tests/sweeps/", "tests/plans/test_optimal", "tests/notebooks/")
    long += ("notebooks/",)
    items.sort(
        key=lambda item: (
            not item.nodeid.startswith(longest),
            not item.nodeid.startswith(long),
        )
    )


@pytest.fixture(autouse=True)
def pandas_options():
    """A notebook's start sets how tables look; other tests want them as they are."""
    yield
    if pd.options.display.float_format is not None:
        pd.reset_option("^display")


@pytest.fixture
def full_disk(monkeypatch):
    """From now on so many more writes go well."""

    def after(writes):
        left = [None] * writes

        def flush(_):
            if not left:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            left.pop()

        monkeypatch.setattr(os, "fsync", flush)

    return after


@pytest.fixture
def call(capsys):
    return partial(typed.call, capsys)


@pytest.fixture
def told(capsys):
    return partial(typed.told, capsys)
