"""A sweep: every parameter set that is not done, spread by Dask."""

from __future__ import annotations

import contextlib
import logging
import math
import signal
import sys
import threading
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TextIO
from uuid import uuid4
from zlib import compress

from dask.distributed import Client, Future, KilledWorker, LocalCluster, as_completed
from dask.system import CPU_COUNT
from dask.utils import parse_bytes

from .. import _checks
from . import grid, notebook
from .grid import ParameterSet
from .notebook import Refused
from .progress import Progress
from .results import DONE, Results, why
from .task import OtherLibrary, Outcome, Source, execute, line

POLL = 0.05  # seconds
CONNECT = 10.0  # seconds to wait for a scheduler

# Dask runs a set again so often where its kernel did not even start.
RETRIES = 2

# Loggers of Dask's that have levels of their own; what matters is a sentence here.
CHATTY = ("distributed", "distributed.client", "tornado.application", "asyncio")

DIED = "KilledWorker: every worker that ran this set died"
LONELY = 5.0  # seconds between two looks whether there are workers


def sweep(
    path: str | Path,
    tables: str | Path | dict[str, Any],
    out: str | Path,
    *,
    jobs: int | None = None,
    scheduler: str | None = None,
    timeout: float | None = None,
    memory: int | None = None,
    stream: TextIO | None = None,
) -> Results:
    """Run a notebook with every parameter set of a grid that is not done yet.

    Parameters
    ----------
    path : str or Path
        The notebook.
    tables : str, Path or dict
        The grid; see `grid`.
    out : str or Path
        The folder of the results; see `results`.
    jobs : int, optional
        Workers of the local cluster; default: as many as this process may use
        processors.
    scheduler : str, optional
        The address of a running Dask scheduler, used in place of a local cluster.
    timeout : float, optional
        Seconds that a set may take; after it the set has failed.
    memory : int, optional
        Bytes that a set's kernel and its children may have resident.
    stream : file, optional
        Where progress is told; default: standard error.

    Returns
    -------
    Results
        The folder, with all records.

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
    source = notebook.read(path)
    sets = grid.read(tables, source.defaults)
    with Results(out, sets, source.code) as results:
        todo = results.left()
        progress = Progress(stream or sys.stderr, results.count(DONE), len(todo))
        progress.say(_announced(sets, results, len(todo)))
        if not todo:
            results.write_table()
        else:
            same_for_all = _same_for_all(source, results.folder, timeout, memory)
            if told := _left_out(same_for_all, todo):
                progress.say(told)
            with _client(jobs, scheduler, len(todo)) as client:
                if find_spec("bokeh") is not None and client.dashboard_link:
                    progress.say(f"dashboard: {client.dashboard_link}")
                results.write_table()
                try:
                    _run(client, same_for_all, todo, results, progress)
                finally:
                    progress.end()
                    results.write_table()
        return results


def limits(timeout: Any, memory: Any) -> tuple[float | None, int | None]:
    """Seconds and bytes of --timeout and --memory; ValueError where they are none."""
    seconds = size = None
    if timeout is not None:
        try:
            text = isinstance(timeout, str)
            seconds = float(timeout) if text else _checks.number("timeout", timeout)
        except ValueError:
            seconds = 0.0
        if not 0 < seconds < math.inf:
            raise _checks.refuse("timeout", timeout, "seconds, above 0")
    if memory is not None:
        try:
            text = isinstance(memory, str) and any(map(str.isdigit, memory))
            size = parse_bytes(memory) if text else _checks.count("memory", memory)
        except ValueError:
            size = 0
        if not 1 <= size < 2**63:
            raise _checks.refuse("memory", memory, "a size such as 2GB")
    return seconds, size


def listed(
    path: str | Path, tables: str | Path | dict[str, Any], out: str | Path
) -> tuple[list[tuple[ParameterSet, str]], str]:
    """Every set of a grid, and why it would be run; empty where it is done.

    After them what would be left out of the sets' surroundings, as a sentence.
    """
    source = notebook.read(path)
    sets = grid.read(tables, source.defaults).sets
    reasons = [(one, why(out, one, source.code)) for one in sets]
    todo = [one for one, reason in reasons if reason]
    return reasons, _left_out(_same_for_all(source, out), todo)


def _same_for_all(
    source: notebook.Notebook,
    out: str | Path,
    timeout: float | None = None,
    memory: int | None = None,
) -> Source:
    return Source(
        compress(source.text.encode()),
        str(source.path.parent),
        str(Path(out).absolute()),
        notebook.library(),
        tuple(source.defaults),
        timeout,
        memory,
    )


def _left_out(source: Source, todo: list[ParameterSet]) -> str:
    seen = source.surroundings([one.given for one in todo]) if todo else None
    return seen.told() if seen is not None else ""


def _announced(sets: grid.Grid, results: Results, todo: int) -> str:
    total, done = len(sets.sets), results.count(DONE)
    text = f"{total} parameter set{'s' * (total != 1)}"
    if sets.repeated:
        text += f" ({sets.repeated} listed twice)"
    if done:
        text += f", {done} done before"
    return f"{text}; {todo} to run" if todo else f"{text}; nothing to run"


@contextlib.contextmanager
def _client(jobs: int | None, scheduler: str | None, todo: int) -> Iterator[Client]:
    """A client of the scheduler, or of a local cluster made for this sweep."""
    for name in CHATTY:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    if scheduler is None:
        with contextlib.ExitStack() as stack:
            with _uninterrupted():
                cluster = stack.enter_context(
                    LocalCluster(
                        n_workers=min(jobs or CPU_COUNT, todo),
                        threads_per_worker=1,
                        memory_limit=None,
                        # Any free port, for sweeps side by side.
                        dashboard_address="127.0.0.1:0",
                        silence_logs=logging.CRITICAL,
                    )
                )
                client = stack.enter_context(Client(cluster))
            yield client
        return
    try:
        client = Client(scheduler, timeout=CONNECT)
    except (OSError, ValueError, TypeError) as error:
        raise Refused(
            f"no Dask scheduler answers at --scheduler {scheduler}: {error}"
        ) from error
    with client:
        yield client


@contextlib.contextmanager
def _uninterrupted() -> Iterator[None]:
    """Signals wait until the end: a cluster that is half started cannot be closed."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    caught: list[int] = []
    before = {
        each: signal.signal(each, lambda number, _: caught.append(number))
        for each in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
    if caught:
        signal.raise_signal(caught[0])


def _run(
    client: Client,
    source: Source,
    todo: list[ParameterSet],
    results: Results,
    progress: Progress,
) -> None:
    """Run all sets; one that died with its worker once more, alone.

    Dask gives a task up after some deaths of the worker that held it, and with it
    those that were only waiting there.
    """
    # Keys of its own: others may use the scheduler, with the same notebook.
    own = f"labelaudit-{uuid4().hex}"
    progress.start()
    died = []
    outcomes = _outcomes(client, source, todo, own, results, progress)
    for one, outcome in outcomes:
        if outcome is None:
            died.append(one)
        else:
            _keep(one, outcome, results, progress)
    for each in died:
        alone = f"{own}-alone"
        again = _outcomes(client, source, [each], alone, results, progress)
        for one, outcome in again:
            _keep(one, outcome or Outcome(DIED, 0.0), results, progress)


def _keep(
    one: ParameterSet, outcome: Outcome, results: Results, progress: Progress
) -> None:
    results.add(one, outcome)
    given = one.text
    kept = f" ({results.notebook(one.name)})" if outcome.notebook else ""
    progress.finished(bool(outcome.error), f"{given}: {outcome.error}{kept}")


def _outcomes(
    client: Client,
    source: Source,
    todo: list[ParameterSet],
    own: str,
    results: Results,
    progress: Progress,
) -> Iterator[tuple[ParameterSet, Outcome | None]]:
    """Each set with its outcome, as they come; None where it died with its worker."""
    sets = {f"{own}-{one.name}": one for one in todo}
    waiting = as_completed(
        client.map(
            execute,
            # In each task, and small: what lies on one worker dies with it.
            [source] * len(todo),
            [one.given for one in todo],
            key=list(sets),
            retries=RETRIES,
        )
    )
    asked, lonely = time.monotonic(), False
    while not waiting.is_empty():
        batch = list(waiting.next_batch(block=False))
        for future in batch:
            yield sets[future.key], _outcome(future)
            future.release()
        if batch:
            continue
        if client.status != "running":
            raise ConnectionError("the connection to the scheduler was lost")
        if time.monotonic() - asked > LONELY:
            asked, before = time.monotonic(), lonely
            lonely = not client.scheduler_info()["workers"]
            if lonely and not before:
                progress.say("the scheduler has no workers; waiting for them")
        results.catch_up()
        progress.tell()
        time.sleep(POLL)


def _outcome(future: Future) -> Outcome | None:
    if future.status == "cancelled":
        raise ConnectionError("the scheduler has dropped the runs of this sweep")
    failure = future.exception()
    if isinstance(failure, KilledWorker):
        return None
    if isinstance(failure, OtherLibrary):
        raise failure
    if failure is not None:
        return Outcome(line(failure), 0.0)
    return future.result()
