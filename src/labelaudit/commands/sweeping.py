"""labelaudit sweep: a notebook with many parameter sets."""

import argparse
import json
import os
import signal
import sys
import threading
import time
from typing import Any

from .told import Ended

STOPS = signal.SIGINT, signal.SIGTERM
STOPPED = threading.Event()
AGAIN = "the same command again goes on from there"
INTERRUPTED = "interrupted; the same command again goes on from here"
PATIENCE = 60.0  # seconds for a cluster to close, and for Python to end


def swept(options: argparse.Namespace) -> tuple[Any, ...]:
    """Run what is not done, or list it: for JSON, as text, and what failed."""
    try:
        from ..sweeps.running import limits, listed, sweep
        from ..sweeps.task import OtherLibrary
    except ModuleNotFoundError as error:
        raise ValueError(
            f"needs {error.name}; labelaudit's extra [sweep] installs it"
        ) from error
    what = options.notebook, options.grid, options.out
    try:
        how = limits(options.timeout, options.memory)
    except ValueError as refused:
        raise ValueError(f"--{refused}") from None
    if options.dry_run:
        return _listed(listed(*what))
    for each in STOPS:
        signal.signal(each, _interrupt)
    _open_streams()
    how |= {"jobs": options.jobs, "scheduler": options.scheduler}
    try:
        results = sweep(*what, force=options.force, stopped=STOPPED, **how)
    except KeyboardInterrupt:
        raise Ended(INTERRUPTED, 130) from None
    except (OSError, OtherLibrary) as error:
        lost = isinstance(error, (ConnectionError, OtherLibrary))
        said = f"{error}; what is in {options.out} is whole, and {AGAIN}"
        raise Ended(said, 1 if lost else 2) from error
    return _told(results)


def _told(results: Any) -> tuple[Any, ...]:
    """How many sets are done and where their rows are, and the rows."""
    done, failed = map(results.count, ("done", "failed"))
    file = results.table_file
    rows = json.loads(results.table().to_json(orient="records"))
    found = {"done": done, "failed": failed, "results": str(file), "rows": rows}
    text = f"{done} done, {failed} failed: {file}"
    return found, text, *([(1, "")] if failed else [])


def _listed(sets: list[tuple[Any, str]]) -> tuple[Any, ...]:
    """What would be run, a line each, and how many are done."""
    todo = [(one, why) for one, why in sets if why]
    done = len(sets) - len(todo)
    to_run = [{"parameters": one.given, "why": why} for one, why in todo]
    lines = [f"{one.text or 'as the notebook has it'}: {why}" for one, why in todo]
    lines.append(f"{len(todo)} to run, {done} done")
    return {"done": done, "to_run": to_run}, "\n".join(lines)


def _open_streams() -> None:
    """Kernels need the streams that a shell may have closed (2>&-)."""
    for number, stream in enumerate((sys.stdin, sys.stdout, sys.stderr)):
        if stream is None:
            os.dup2(os.open(os.devnull, os.O_RDWR), number)
            os.set_inheritable(number, True)  # where it was that already


def _interrupt(*_: object) -> None:
    """The first one stops the sweep, once its cluster stands, which can then be closed;
    others would only break that off."""
    for each in STOPS:
        signal.signal(each, signal.SIG_IGN)
    if sys.stderr is not None:
        print("\nstopping ...", file=sys.stderr, flush=True)
    threading.Thread(target=_leave, daemon=True).start()
    STOPPED.set()


def _leave() -> None:
    """End where Dask does not: a worker that starts while it is closed can hang.

    What was written is whole at any time, and workers end with this process.
    """
    time.sleep(PATIENCE)
    os._exit(130)
