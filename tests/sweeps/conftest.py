"""A folder below two that nobody else has: a set sees copies of what is above."""

import contextvars
import gc
import logging

import pytest

import sweeping
import typed
from labelaudit.commands import sweeping as swept


@pytest.fixture
def tmp_path(tmp_path):
    folder = tmp_path / "home" / "work"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder with a notebook to sweep, whose runs leave lines in its log."""
    monkeypatch.setenv("RUN_LOG", str(tmp_path / "log"))
    sweeping.notebook(tmp_path / "a.ipynb")
    return tmp_path


# Of a module: tests of others set the clock, by which a cluster lives.
@pytest.fixture(scope="module")
def scheduler():
    """The address of a scheduler in this process, whose worker runs two sets at a time.

    For tests of what a sweep does wherever it runs: no process of Dask's starts.
    """
    distributed = pytest.importorskip("distributed")
    # Its threads would take over the event loop that a test before has left to Jupyter.
    own = contextvars.Context()
    with own.run(
        distributed.LocalCluster,
        n_workers=1,
        threads_per_worker=2,
        processes=False,
        protocol="tcp://",
        memory_limit=None,
        dashboard_address="127.0.0.1:0",  # any free port, for workers of pytest's
        silence_logs=logging.CRITICAL,
    ) as cluster:
        yield cluster.scheduler_address
    gc.collect()  # what its threads leave, before tests that look for such things


@pytest.fixture
def call(monkeypatch, capsys):
    """The command in this process: its exit status, what it prints and complains."""
    monkeypatch.setattr(swept.signal, "signal", lambda *handler: None)

    def called(place, text, *more):
        return typed.call(capsys, *sweeping.arguments(place, text, *more))

    return called
