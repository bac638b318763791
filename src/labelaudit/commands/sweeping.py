"""labelaudit sweep: a notebook with many parameter sets."""

import argparse
import json
import os
import signal
import threading
from typing import Any

from .told import Ended, say

STOPS = signal.SIGINT, signal.SIGTERM
STOPPED = threading.Event()
AGAIN = "the same command again goes on from there"
PATIENCE = 60.0  # seconds for a cluster to close, and for Python to end


def swept(options: argparse.Namespace) -> tuple[Any, ...]:
    """Run what is not done, or list it: for JSON, as text, and what failed."""
    try:
        from ..sweeps.running import limits, opened, sweep
    except ModuleNotFoundError as error:
        raise ValueError(
            f"needs {error.name}; labelaudit's extra [sweep] installs it"
        ) from error
    bounds = limits(options.timeout, options.memory)  # of a dry run, too
    results = opened(options.notebook, options.grid, options.out, options.force)
    if options.dry_run:
        return _listed(results)
    for each in STOPS:
        signal.signal(each, _interrupt)
    try:
        sweep(results, bounds, options.jobs, options.scheduler, STOPPED)
    except KeyboardInterrupt:
        raise Ended(f"interrupted; {AGAIN}", 130) from None
    except OSError as error:
        said = f"{error}; what is in {options.out} is whole, and {AGAIN}"
        raise Ended(said, 1 if isinstance(error, ConnectionError) else 2) from error
    return _told(results)


def _told(results: Any) -> tuple[Any, ...]:
    """How many sets are done and where their rows are, and the rows."""
    found = {status: results.count(status) for status in ("done", "failed")}
    text = f"{found['done']} done, {found['failed']} failed: {results.table_file}"
    rows = json.loads(results.table().to_json(orient="records"))
    found |= {"results": str(results.table_file), "rows": rows}
    return found, text, *([(1, "")] if found["failed"] else [])


def _listed(results: Any) -> tuple[Any, ...]:
    """What would be run, a line each, and how many are done."""
    todo = results.left()
    done = len(results.sets) - len(todo)
    to_run = [{"parameters": one.given, "why": results.why(one)} for one in todo]
    lines = [f"{k.text or 'as the notebook has it'}: {results.why(k)}" for k in todo]
    lines.append(f"{len(todo)} to run, {done} done")
    return {"done": done, "to_run": to_run}, "\n".join(lines)


def _interrupt(*_: object) -> None:
    """The first one stops the sweep, once its cluster stands, which can then be closed;
    others would only break that off.

    Where Dask does not end, this process does: a worker that starts while it is closed
    can hang. What was written is whole at any time, and workers end with this process.
    """
    for each in STOPS:
        signal.signal(each, signal.SIG_IGN)
    say("\nstopping ...")
    end = threading.Timer(PATIENCE, os._exit, [130])
    end.daemon = True
    end.start()
    STOPPED.set()
