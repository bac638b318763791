"""labelaudit verdict: its arguments. What it does is in `audited`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from . import options as shared
from .told import answer

OPTIONS: dict[str, shared.Row] = {
    "--by": ("COL", str, "a column of the sheet: also an interval for each value"),
    "--wrong-words": ("YES,NO", shared.two_words, "in the column wrong, for wrong and"
                      " for right"),
    "--confidence": ("C", shared.rate, "of the interval (default: the estimate's, else"
                     " 0.95)"),
}  # fmt: skip

EXAMPLES = """\
Exit status: 0, whatever the verdict, or 2 where the call or a file is wrong.

examples:
  labelaudit verdict sheet.csv
  labelaudit verdict sheet.csv --by annotator
  labelaudit verdict sheet-1.csv sheet-2.csv --wrong-words falsch,richtig"""


def add(commands: Any) -> None:
    """The command's arguments."""
    verdict = commands.add_parser(
        "verdict",
        help="what a filled sheet says: accept, reject, or the error rate",
        usage="labelaudit verdict SHEET ... [options]",
        description="What a sheet of labelaudit plan or estimate says, once its column"
        " wrong is filled in: 1, yes or x where an item is wrong, 0 or no where it is"
        " right. It may be asked at any time: as long as there is no verdict, it says"
        " what is left.",
        epilog=EXAMPLES,
    )
    parts = "a filled sheet, or the parts of several inspectors"
    verdict.add_argument("sheets", metavar="SHEET", type=Path, nargs="+", help=parts)
    shared.add(verdict, OPTIONS | shared.JSON)
    verdict.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from .audited import audited

    return answer("verdict", options, audited)
