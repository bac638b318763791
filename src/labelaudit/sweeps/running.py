"""A sweep: every parameter set that is not done, spread by Dask."""

import contextlib
import logging
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any
from uuid import uuid4

from dask.distributed import Client, Future, KilledWorker, LocalCluster, as_completed
from dask.system import CPU_COUNT
from dask.utils import parse_bytes

from .. import _checks
from .._words import plural
from . import grid, notebook
from .grid import ParameterSet
from .notebook import refused
from .results import DONE, Results
from .task import OtherLibrary, Outcome, Source, execute, line

POLL = 0.05  # seconds
SELDOM = 10.0  # seconds between two lines of progress, and two tables
LONG = partial(_checks.number, low=1e-300)
LARGE = partial(_checks.count, low=10**6, high=2**63 - 1)
LIMITS: dict[str, tuple[Any, ...]] = {
    "timeout": (float, LONG, "seconds, above 0"),
    "memory": (parse_bytes, LARGE, "a size of at least 1MB, such as 2GB"),
}
CONNECT = 10.0  # seconds to wait for a scheduler

# Dask runs a set again so often where its kernel did not even start.
RETRIES = 2

# Loggers of Dask's that have levels of their own; what matters is a sentence here.
CHATTY = ("distributed", "distributed.client", "tornado.application", "asyncio")

DIED = "KilledWorker: every worker that ran this set died"


def opened(
    path: str | Path,
    tables: str | Path | dict[str, Any],
    out: str | Path,
    force: bool = False,
) -> Results:
    """A notebook's results of a grid, as they are in a folder.

    Parameters
    ----------
    force : bool
        Whether a results.csv that is no sweep's is replaced.

    Raises
    ------
    Refused
        Where the notebook or the grid is wrong.
    """
    source = notebook.read(path)
    return Results(out, grid.read(tables, source.cell), source, force)


def sweep(
    results: Results,
    *,
    jobs: int | None = None,
    scheduler: str | None = None,
    timeout: float | None = None,
    memory: int | None = None,
    stopped: Event | None = None,
) -> Results:
    """Run what is not done, as `labelaudit.sweep` does; the same with all records.

    Parameters
    ----------
    jobs, timeout, memory : optional
        Right ones, as `limits` gives them.
    stopped : Event, optional
        Ends the sweep between two runs once it is set, by KeyboardInterrupt.

    Raises
    ------
    Refused
        Before anything runs, where the call is wrong.
    OSError
        Where a result cannot be written. What was written before is intact.
    ConnectionError
        Where the scheduler is lost in the middle.
    OtherLibrary
        Where a worker has another version of this library.
    """
    if jobs is not None and scheduler is not None:
        raise refused("jobs_and_scheduler")
    with results:
        todo, done = results.left(), results.count(DONE)
        before = f", {done} done before" if done else ""
        many = plural(len(results.grid.sets), "parameter set")
        say(f"{many}{before}; {len(todo) or 'nothing'} to run")
        if not todo:
            results.write_table()
            return results
        where = results.source, results.folder.absolute(), notebook.library()
        source = Source(*where, timeout, memory)
        if told := source.surroundings(*(one.given for one in todo)).told():
            say(told)
        with _client(jobs, scheduler, len(todo)) as client:
            try:
                _run(client, source, todo, results, stopped or Event())
            finally:
                results.write_table()
    return results


def limits(**given: Any) -> dict[str, Any]:
    """timeout in seconds and memory in bytes, also from texts; None stays None.

    ValueError where they are none.
    """
    for name, value in given.items():
        read, check, accepted = LIMITS[name]
        text = isinstance(value, str) and any(map(str.isdigit, value))
        try:
            if value is not None:
                given[name] = check(name, read(value) if text else value)
        except (ValueError, OverflowError):
            raise _checks.refuse(name, value, accepted) from None
    return given


@contextlib.contextmanager
def _client(jobs: int | None, scheduler: str | None, todo: int) -> Iterator[Client]:
    """A client of the scheduler, or of a local cluster made for this sweep."""
    for name in CHATTY:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    with contextlib.ExitStack() as stack:
        if scheduler is None:
            cluster = LocalCluster(
                n_workers=min(jobs or CPU_COUNT, todo),
                threads_per_worker=1,
                memory_limit=None,
                dashboard_address="127.0.0.1:0",  # any free port: sweeps side by side
                silence_logs=logging.CRITICAL,
            )
            client = Client(stack.enter_context(cluster))
        else:
            try:
                client = Client(scheduler, timeout=CONNECT)
            except (OSError, ValueError, TypeError) as error:
                why = {"scheduler": scheduler, "why": error}
                raise refused("no_scheduler", **why) from error
        yield stack.enter_context(client)


def _run(
    client: Client,
    source: Source,
    todo: list[ParameterSet],
    results: Results,
    stopped: Event,
) -> None:
    """Run all sets; one that died with its worker once more, alone.

    Dask gives a task up after some deaths of the worker that held it, and with it
    those that were only waiting there.
    """
    tally = {"done": results.count(DONE), "failed": 0, "left": len(todo)}
    rounds, told = [todo], 0.0
    for sets in rounds:
        for one, outcome in _outcomes(client, source, sets):
            if one is None:  # nothing came for a moment
                if stopped.is_set():
                    raise KeyboardInterrupt
            elif outcome is None and sets is todo:
                rounds.append([one])
            else:
                outcome = outcome or Outcome(DIED, 0.0)
                results.add(one, outcome)
                tally["failed" if outcome.error else "done"] += 1
                tally["left"] -= 1
                if outcome.error:
                    path = results.notebook(one.name)
                    kept = f" ({path})" if outcome.notebook else ""
                    say(f"failed: {one.text}: {outcome.error}{kept}")
            if time.monotonic() - told >= SELDOM:
                told = time.monotonic()
                _progress(tally)
                results.write_table()
    _progress(tally)


def _progress(tally: dict[str, int]) -> None:
    say(", ".join(f"{number} {what}" for what, number in tally.items()))


def say(text: str) -> None:
    """A line on standard error, or nothing where nobody reads that."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        print(text, file=sys.stderr, flush=True)


def _outcomes(
    client: Client, source: Source, sets: list[ParameterSet]
) -> Iterator[tuple[ParameterSet | None, Outcome | None]]:
    """Each set with its outcome, as they come, and now and then no set.

    The outcome is None where a set died with its worker.
    """
    # Keys of its own: others may use the scheduler, with the same notebook.
    keys = {f"labelaudit-{uuid4().hex}-{one.name}": one for one in sets}
    # The source in each task, and small: what lies on one worker dies with it.
    every = [source] * len(sets), [one.given for one in sets]
    waiting = as_completed(client.map(execute, *every, key=list(keys), retries=RETRIES))
    while not waiting.is_empty():
        for future in waiting.next_batch(block=False):
            yield keys[future.key], _outcome(future)
            future.release()
        yield None, None
        if client.status != "running":
            raise ConnectionError("the connection to the scheduler was lost")
        time.sleep(POLL)


def _outcome(future: Future) -> Outcome | None:
    if future.status == "cancelled":
        raise ConnectionError("the scheduler has dropped the runs of this sweep")
    failure = future.exception()
    if failure is None:
        return future.result()
    if isinstance(failure, OtherLibrary):
        raise failure
    return None if isinstance(failure, KilledWorker) else Outcome(line(failure), 0.0)
