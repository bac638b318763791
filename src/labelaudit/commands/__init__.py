"""The command line: labelaudit COMMAND ... ."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from .. import __version__
from . import agree, plan, sweep
from .told import complain


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status.

    Parameters
    ----------
    arguments : sequence of str, optional
        Those of the process by default.

    Returns
    -------
    int
        0 where all went well, 1 where something failed, 2 where the call is wrong.
    """
    parser = argparse.ArgumentParser(
        prog="labelaudit",
        description="How good are these annotations, and how few must a person check"
        " to know?",
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for command in (plan, agree, sweep):
        command.add(commands)
    options = parser.parse_args(arguments)
    try:
        status = options.run(options)
        sys.stdout.flush()
        return status
    except BrokenPipeError:  # who reads, such as head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return complain("interrupted", 130)
