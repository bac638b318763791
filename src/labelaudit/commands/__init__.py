"""The command line: labelaudit COMMAND ... .

A file of TOML beside these modules lists the options of each command, from which
`options` makes a `parser`; both answer without numpy where the call is wrong.
`planned` does the work of plan and estimate, `audited` that of verdict, `agreed` that
of agree and `sweeping` that of sweep. `told` is how commands speak.
"""

import os
import sys
from collections.abc import Sequence

from .options import add, told_of
from .parser import Parser
from .told import answer, complain, nowhere

COMMANDS = "plan", "estimate", "verdict", "agree", "sweep"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status.

    Parameters
    ----------
    arguments : sequence of str, optional
        Those of the process by default.

    Returns
    -------
    int
        0 where all went well, 1 where a set of a sweep failed, 2 where the call or a
        file is wrong or the output cannot be written; `agree` has others.
    """
    for name, mode in (("stdin", "r"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed: nothing comes, what is said is lost
            nothing = open(os.devnull, mode, encoding="utf-8")  # noqa: SIM115
            os.set_inheritable(nothing.fileno(), True)  # a sweep's kernels need it
            setattr(sys, name, nothing)
    if sys.stdout is None:
        return complain("cannot write the output: standard output is closed", 2)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # what it cannot encode, as \\u2713
            stream.reconfigure(errors="backslashreplace")
    try:
        try:
            given = [*map(str, sys.argv[1:] if arguments is None else arguments)]
            if given[:1] == ["--version"]:
                from importlib.metadata import version  # which takes a while

                print(version("labelaudit"))
                return 0
            parser = _parser()
            options = parser.parse_args(given)
            if hasattr(options, "work"):
                return answer(options)
            parser.print_help()
            return 0
        finally:  # at exit it would be too late to say that it failed
            sys.stdout.flush()
    except KeyboardInterrupt:
        return complain("interrupted", 130)
    except MemoryError:
        return complain("needs more memory than there is: give it fewer rows", 2)
    except BrokenPipeError:  # whoever reads, `head` say, has read enough
        nowhere(sys.stdout)
        return 0
    except OSError as error:
        if error.filename is not None:  # not the output
            raise
        nowhere(sys.stdout)
        return complain(f"cannot write the output: {error.strerror or error}", 2)


def _parser() -> Parser:
    parser = Parser(prog="labelaudit", **told_of("labelaudit"))
    told = "show the version and exit"
    parser.add_argument("--version", action="store_true", help=told)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    for name in COMMANDS:
        add(commands, name)
    return parser
