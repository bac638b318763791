"""The command line: labelaudit COMMAND ... .

`plan`, `agree` and `sweeping` are what one types, answered without numpy where the call
is wrong; `planned`, `audited` and `agreed` are what is then done, `agreed_told` is what
`agree` tells, and `required` is what a pipeline asks for; `told` is how commands speak.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence
from importlib.metadata import version

from . import agree, plan, sweeping
from .told import complain

NEGATIVE = ("--labels", "--missing")  # whose values may begin with a minus


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
    parser.add_argument("--version", action="version", version=version("labelaudit"))
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for command in (plan, agree, sweeping):
        command.add(commands)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # what it cannot encode, as \\u2713
            stream.reconfigure(errors="backslashreplace")
    try:
        try:
            given = sys.argv[1:] if arguments is None else arguments
            options = parser.parse_args(_joined(given))
            status: int = options.run(options)
        finally:  # at exit it would be too late to say that it failed
            print(end="", flush=True)
    except KeyboardInterrupt:
        return complain("interrupted", 130)
    except BrokenPipeError:  # whoever reads, `head` say, has read enough
        _nowhere()
        return 0
    except OSError as error:
        if error.filename is not None:  # not the output
            raise
        _nowhere()
        return complain(f"cannot write the output: {error.strerror or error}", 1)
    return status


def _joined(arguments: Sequence[str]) -> list[str]:
    """--labels -1,0,1 as --labels=-1,0,1, which argparse takes for no option."""
    joined: list[str] = []
    for one in map(str, arguments):
        if joined and joined[-1] in NEGATIVE and re.match(r"-\.?\d", one):
            joined[-1] += f"={one}"
        else:
            joined.append(one)
    return joined


def _nowhere() -> None:
    """Let what is left of the output go nowhere, so that exit does not fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
