"""labelaudit sweep: a notebook with many parameter sets."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .told import complain

STOPS = signal.SIGINT, signal.SIGTERM
INTERRUPTED = "interrupted; the same command again goes on from here"
PATIENCE = 60.0  # seconds for a cluster to close, and for Python to end


def add(commands: Any) -> None:
    """The command's arguments."""
    sweep = commands.add_parser(
        "sweep",
        help="run a notebook with many parameter sets",
        description="Run a notebook with every parameter set of a grid. Run again, it"
        " runs only what is not done.",
        epilog="Exit status: 0 all sets are done, 1 a set failed or a result could not"
        " be written, 2 the call is wrong, 130 interrupted.",
    )
    sweep.add_argument("notebook", metavar="NOTEBOOK", type=Path)
    sweep.add_argument(
        "--grid",
        required=True,
        type=Path,
        metavar="GRID.toml",
        help="[vary]: lists whose product is run; [zip]: lists that vary together;"
        " [sample]: random search; [fixed]: values for all sets; [[also]]: single"
        " extra sets",
    )
    sweep.add_argument(
        "--out",
        required=True,
        type=Path,
        metavar="DIR",
        help="the folder of results.csv, notebooks/ and files/",
    )
    where = sweep.add_mutually_exclusive_group()
    where.add_argument(
        "--jobs",
        type=_positive,
        metavar="N",
        help="notebooks at a time on this machine (default: its processors)",
    )
    where.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="a running Dask scheduler, such as tcp://10.0.0.1:8786",
    )
    sweep.add_argument(
        "--timeout", metavar="S", help="seconds a set may take; then it has failed"
    )
    sweep.add_argument(
        "--memory",
        metavar="SIZE",
        help="such as 2GB, of a set's kernel and its children; with more it fails",
    )
    sweep.add_argument(
        "--dry-run",
        action="store_true",
        help="list what would be run, and why; nothing is run or written",
    )
    sweep.set_defaults(run=run)


def _positive(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(
            f"must be a whole number of at least 1, got {text!r}"
        )
    return number


def run(options: argparse.Namespace) -> int:
    try:
        from ..sweeps.notebook import Refused
        from ..sweeps.results import DONE, FAILED
        from ..sweeps.running import limits, listed, sweep
        from ..sweeps.task import OtherLibrary
    except ModuleNotFoundError as error:
        return complain(
            f"sweep: needs {error.name}; labelaudit's extra [sweep] installs it", 2
        )
    what = options.notebook, options.grid, options.out
    try:
        timeout, memory = limits(options.timeout, options.memory)
        if options.dry_run:
            return _listed(*listed(*what))
    except ValueError as refused:
        return complain(f"sweep: {refused}", 2)
    for each in STOPS:
        signal.signal(each, _interrupt)
    try:
        results = sweep(
            *what,
            jobs=options.jobs,
            scheduler=options.scheduler,
            timeout=timeout,
            memory=memory,
        )
    except Refused as refused:
        return complain(f"sweep: {refused}", 2)
    except KeyboardInterrupt:
        return complain(f"sweep: {INTERRUPTED}", 130)
    except (OSError, OtherLibrary) as error:
        return complain(
            f"sweep: {error}; what is in {options.out} is whole, and the same command"
            " again goes on from there",
            1,
        )
    done, failed = map(results.count, (DONE, FAILED))
    print(f"{done} done, {failed} failed: {options.out / 'results.csv'}")
    return 1 if failed else 0


def _listed(sets: Sequence[tuple[Any, str]], left_out: str) -> int:
    """What would be run, a line each, and how many are done; what sets would lack."""
    todo = [(one, why) for one, why in sets if why]
    for one, why in todo:
        print(f"{one.text or 'as the notebook has it'}: {why}")
    print(f"{len(todo)} to run, {len(sets) - len(todo)} done")
    if left_out:
        print(left_out)
    return 0


def _interrupt(*_: object) -> None:
    """The first one stops the sweep; others while it closes would only break it off."""
    for each in STOPS:
        signal.signal(each, signal.SIG_IGN)
    print("\nstopping ...", file=sys.stderr, flush=True)
    threading.Thread(target=_leave, daemon=True).start()
    raise KeyboardInterrupt


def _leave() -> None:
    """End where Dask does not: a worker that starts while it is closed can hang.

    What was written is whole at any time, and workers end with this process.
    """
    time.sleep(PATIENCE)
    os._exit(130)
