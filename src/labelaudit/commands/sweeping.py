"""labelaudit sweep: a notebook with many parameter sets."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

from .told import as_json, complain

STOPS = signal.SIGINT, signal.SIGTERM
INTERRUPTED = "interrupted; the same command again goes on from here"
PATIENCE = 60.0  # seconds for a cluster to close, and for Python to end

EPILOG = """\
tables of GRID.toml:
  [vary]    lists, whose product is run    [zip]    lists that vary together
  [sample]  random search                  [fixed]  values for all sets
  [[also]]  single extra sets

exit status:
  0 all sets are done, 1 a set failed or the scheduler was lost, 2 the call is
  wrong or a result cannot be written, 130 interrupted

examples:
  labelaudit sweep sizes.ipynb --grid sizes.toml --out sizes --dry-run
  labelaudit sweep sizes.ipynb --grid sizes.toml --out sizes --jobs 4
  labelaudit sweep sizes.ipynb --grid sizes.toml --out sizes \\
      --scheduler tcp://10.0.0.1:8786 --timeout 600 --memory 2GB
"""


def add(commands: Any) -> None:
    """The command's arguments."""
    sweep = commands.add_parser(
        "sweep",
        help="run a notebook with many parameter sets",
        description="Run a notebook with every parameter set of a grid; again, only\n"
        "what is not done.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    option = sweep.add_argument_group("what to run").add_argument
    says = "with a cell tagged `parameters`, a value for each name"
    option("notebook", metavar="NOTEBOOK", type=Path, help=says)
    says = "the parameter sets, see below"
    option("--grid", metavar="GRID.toml", type=Path, required=True, help=says)
    option(
        "--dry-run", action="store_true", help="only list what would be run, and why"
    )
    option = sweep.add_argument_group("results").add_argument
    says = "the folder of results.csv, notebooks/ and files/"
    option("--out", metavar="DIR", type=Path, required=True, help=says)
    says = "replace a results.csv of another origin"
    option("--force", action="store_true", help=says)
    option("--json", action="store_true", help="print JSON")
    option = sweep.add_argument_group("where, and how long").add_argument
    says = "sets at a time on this machine (default: its processors)"
    option("--jobs", metavar="N", type=_number, help=says)
    option("--scheduler", metavar="ADDRESS", help="a running Dask scheduler's")
    option("--timeout", metavar="S", help="seconds a set may take, else it fails")
    says = "such as 2GB, that a set's kernel and its children may have"
    option("--memory", metavar="SIZE", help=says)
    sweep.set_defaults(run=run)


def _number(text: str) -> int | str:
    return int(text) if text.isdecimal() else text  # `limits` says what is wrong


def run(options: argparse.Namespace) -> int:
    try:
        from ..sweeps.running import limits, listed, sweep
        from ..sweeps.task import OtherLibrary
    except ModuleNotFoundError as error:
        return complain(
            f"sweep: needs {error.name}; labelaudit's extra [sweep] installs it", 2
        )
    what = options.notebook, options.grid, options.out
    how = {name: getattr(options, name) for name in ("jobs", "scheduler", "force")}
    try:
        how |= limits(options.jobs, options.timeout, options.memory)
    except ValueError as refused:
        return complain(f"sweep: --{refused}", 2)
    try:
        if options.dry_run:
            return _listed(*listed(*what), options.json)
        for each in STOPS:
            signal.signal(each, _interrupt)
        _open_streams()
        results = sweep(*what, **how)
    except ValueError as refused:
        return complain(f"sweep: {refused}", 2)
    except KeyboardInterrupt:
        return complain(f"sweep: {INTERRUPTED}", 130)
    except (OSError, OtherLibrary) as error:
        lost = isinstance(error, (ConnectionError, OtherLibrary))
        return complain(
            f"sweep: {error}; what is in {options.out} is whole, and the same command"
            " again goes on from there",
            1 if lost else 2,
        )
    return _told(results, options.json)


def _told(results: Any, as_data: bool) -> int:
    """How many sets are done and where their rows are, or the rows."""
    failed = results.count("failed")
    done = len(results.records) - failed
    if as_data:
        rows = json.loads(results.table().to_json(orient="records"))
        told = {"done": done, "failed": failed, "results": str(results.table_file)}
        print(as_json(told | {"rows": rows}))
    else:
        print(f"{done} done, {failed} failed: {results.table_file}")
    return 1 if failed else 0


def _listed(sets: list[tuple[Any, str]], left_out: str, as_data: bool) -> int:
    """What would be run, a line each, and how many are done; what sets would lack."""
    todo = [(one, why) for one, why in sets if why]
    done = len(sets) - len(todo)
    if as_data:
        to_run = [{"parameters": one.given, "why": why} for one, why in todo]
        print(as_json({"done": done, "to_run": to_run, "left_out": left_out}))
        return 0
    for one, why in todo:
        print(f"{one.text or 'as the notebook has it'}: {why}")
    print(f"{len(todo)} to run, {done} done")
    if left_out:
        print(left_out)
    return 0


def _open_streams() -> None:
    """Kernels need the streams that a shell may have closed (2>&-)."""
    for number, stream in enumerate((sys.stdin, sys.stdout, sys.stderr)):
        if stream is None:
            os.dup2(os.open(os.devnull, os.O_RDWR), number)
            os.set_inheritable(number, True)  # where it was that already


def _interrupt(*_: object) -> None:
    """The first one stops the sweep; others while it closes would only break it off."""
    for each in STOPS:
        signal.signal(each, signal.SIG_IGN)
    if sys.stderr is not None:
        print("\nstopping ...", file=sys.stderr, flush=True)
    threading.Thread(target=_leave, daemon=True).start()
    raise KeyboardInterrupt


def _leave() -> None:
    """End where Dask does not: a worker that starts while it is closed can hang.

    What was written is whole at any time, and workers end with this process.
    """
    time.sleep(PATIENCE)
    os._exit(130)
