"""A sweep: every parameter set that is not done, spread by Dask."""

import contextlib
import logging
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from typing import Any

from dask.distributed import Client, Future, KilledWorker, LocalCluster, as_completed
from dask.system import CPU_COUNT
from dask.utils import parse_bytes

from .. import _checks
from .._words import plural
from . import grid, notebook
from .grid import Given, ParameterSet
from .notebook import refused
from .results import DONE, Results
from .task import OtherLibrary, Outcome, Source, execute, line

POLL = 0.05  # seconds
SELDOM = 10.0  # seconds between two lines of progress, and two tables
SIZE = "a size of at least 1MB, such as 2GB"
CONNECT = 10.0  # seconds to wait for a scheduler

# Dask runs a set again so often where its kernel did not even start.
RETRIES = 2

# Loggers of Dask's that have levels of their own; what matters is a sentence here.
CHATTY = ("distributed", "distributed.client", "tornado.application", "asyncio")

Bounds = tuple[float | None, float | None]  # seconds and bytes of a set

DIED = "KilledWorker: every worker that ran this set died"


def opened(
    path: str | Path, tables: Given, out: str | Path, force: bool = False
) -> Results:
    """A notebook's results of a grid, as they are in a folder.

    Parameters
    ----------
    force : bool
        Whether a results.csv that is no sweep's is replaced.

    Raises
    ------
    ValueError
        Where the notebook or the grid is wrong.
    """
    source = notebook.read(path)
    return Results(Path(out), grid.read(tables, source.cell), source, force)


def sweep(
    results: Results,
    bounds: Bounds = (None, None),
    jobs: int | None = None,
    scheduler: str | None = None,
    stopped: Event | None = None,
) -> None:
    """Run what is not done, as `labelaudit.sweep` does.

    Parameters
    ----------
    bounds : (float or None, float or None)
        From limits.
    stopped : Event, optional
        Ends the sweep between two runs once it is set, by KeyboardInterrupt.

    Raises
    ------
    ValueError
        Before anything runs, where the call is wrong.
    OSError
        Where a result cannot be written. What was written before is intact.
    ConnectionError
        Where the scheduler is lost in the middle, or a worker has another version of
        this library.
    """
    with results:
        todo, done = results.left(), results.count(DONE)
        before = f", {done} done before" if done else ""
        many = plural(len(results.sets), "parameter set")
        tell(f"{many}{before}; {len(todo) or 'nothing'} to run")
        if not todo:
            results.write_table()
            return
        where = results.source, results.folder.absolute(), notebook.library()
        source = Source(*where, *bounds)
        if told := source.surroundings(*(one.given for one in todo)).told():
            tell(told)
        with _client(jobs, scheduler, len(todo)) as client:
            try:
                _run(client, source, results, stopped or Event())
            finally:
                results.write_table()


def limits(timeout: Any, memory: Any) -> Bounds:
    """Seconds and bytes; ValueError where they are none."""
    return (
        _limit("timeout", timeout, float, 1e-300, "seconds, above 0"),
        _limit("memory", memory, parse_bytes, 10**6, SIZE),
    )


def _limit(
    name: str, value: Any, read: Callable[[str], float], least: float, accepted: str
) -> float | None:
    """A number of at least this, also from a text; None stays None."""
    try:
        if isinstance(value, str) and any(map(str.isdigit, value)):
            return _checks.number(name, read(value), least)
        return None if value is None else _checks.number(name, value, least)
    except (ValueError, OverflowError):
        raise _checks.refuse(name, value, accepted) from None


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
                raise refused("no_scheduler", scheduler=scheduler, why=error) from error
        yield stack.enter_context(client)


def _run(client: Client, source: Source, results: Results, stopped: Event) -> None:
    """Run what is not done; a set that died with its worker once more, alone.

    Dask gives a task up after some deaths of the worker that held it, and with it
    those that were only waiting there.
    """
    todo, told = results.left(), 0.0
    tally = {"done": results.count(DONE), "failed": 0, "left": len(todo)}
    rounds = [todo]
    for sets in rounds:
        # The source in each task: what lies on one worker dies with it. And not pure:
        # others may use the scheduler, with the same notebook.
        every = [source] * len(sets), [one.given for one in sets]
        futures = client.map(execute, *every, pure=False, retries=RETRIES)
        of, waiting = dict(zip(futures, sets)), as_completed(futures)
        while not waiting.is_empty():
            for future in waiting.next_batch(block=False):
                outcome = _outcome(future)
                if outcome is None and sets is todo:
                    rounds.append([of[future]])
                else:
                    _keep(results, of[future], outcome or Outcome(DIED, 0.0), tally)
                future.release()
            if time.monotonic() - told >= SELDOM:
                told = time.monotonic()
                _progress(tally)
                results.write_table()
            if client.status != "running":
                raise ConnectionError("the connection to the scheduler was lost")
            if stopped.wait(POLL):
                raise KeyboardInterrupt
    _progress(tally)


def _outcome(future: Future) -> Outcome | None:
    """How a set went; None where it died with its worker."""
    if future.status == "cancelled":
        raise ConnectionError("the scheduler has dropped the runs of this sweep")
    failure = future.exception()
    if failure is None:
        return future.result()
    if isinstance(failure, OtherLibrary):
        raise failure
    return None if isinstance(failure, KilledWorker) else Outcome(line(failure), 0.0)


def _keep(
    results: Results, one: ParameterSet, outcome: Outcome, tally: dict[str, int]
) -> None:
    results.add(one, outcome)
    tally["failed" if outcome.error else "done"] += 1
    tally["left"] -= 1
    if outcome.error:
        kept = f" ({results.notebook(one.name)})" if outcome.notebook else ""
        tell(f"failed: {one.text}: {outcome.error}{kept}")


def _progress(tally: dict[str, int]) -> None:
    tell(", ".join(f"{number} {what}" for what, number in tally.items()))


def tell(text: str) -> None:
    """A line on standard error, or nothing where nobody reads that."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        print(text, file=sys.stderr, flush=True)
