"""labelaudit plan: its arguments. What it does is in `planned` and `audited`.

A wrong call, --help and --version are answered without numpy, pandas and scipy.
"""

from __future__ import annotations

import argparse
import warnings
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from .told import as_json, complain, note

KINDS = ("single", "double", "sequential", "optimal", "interval")
LEVELS = {
    "p_a": "an error rate that is good",
    "p_r": "an error rate that is bad",
    "alpha": "the producer's risk: a good batch is rejected",
    "beta": "the consumer's risk: a bad batch is accepted",
}


def add(commands: Any) -> None:
    """The command's arguments."""
    plan = commands.add_parser(
        "plan",
        help="a sampling plan for a batch of annotations, its sheet and its verdict",
        description="How many annotations to check, and when to accept or reject. All"
        " plans but the sequential keep both risks exactly; --kind interval is for an"
        " estimate, without a verdict. --sheet writes which items to check; --outcomes"
        " reads it back, filled in, and needs no other option.",
        epilog="Exit status: 0, whatever the verdict, or 2 where the call or a file is"
        " wrong.",
    )
    for name, meaning in LEVELS.items():
        plan.add_argument(_option(name), type=rate, metavar="RATE", help=meaning)
    plan.add_argument(
        "--lot-size",
        type=int,
        metavar="N",
        help="annotations in the batch (default: a process without end)",
    )
    plan.add_argument("--kind", choices=KINDS, help="default: single")
    plan.add_argument(
        "--half-width",
        type=rate,
        metavar="M",
        help="with --kind interval: of the interval for the error rate",
    )
    plan.add_argument(
        "--rate",
        type=rate,
        metavar="RATE",
        help="with --kind interval: the error rate that is expected (default: any)",
    )
    plan.add_argument(
        "--items",
        metavar="FILE",
        type=Path,
        nargs="+",
        help="the batch: CSV or Parquet with one row per item, or .txt with one item"
        " per line (default: items numbered from 1); several files are several batches",
    )
    plan.add_argument(
        "--item", metavar="COL", help="its column (default: item, or the only one)"
    )
    plan.add_argument(
        "--batch", metavar="COL", help="its column that says which batch an item is in"
    )
    plan.add_argument(
        "--sheet",
        metavar="OUT.csv",
        type=Path,
        help="write which items to inspect, in order, to a new file; of several"
        " batches to OUT-NAME.csv each",
    )
    plan.add_argument(
        "--inspectors",
        type=int,
        metavar="K",
        help="also deal the sheet out in K parts, OUT-1.csv and so on",
    )
    plan.add_argument(
        "--overlap",
        type=rate,
        metavar="SHARE",
        help="of the items that go to two inspectors (default: 0)",
    )
    plan.add_argument(
        "--seed",
        type=int,
        metavar="S",
        help="of the draw (default: any); several batches take S, S + 1, ...",
    )
    plan.add_argument(
        "--semicolons",
        action="store_true",
        help="between the sheet's cells, for spreadsheets with a decimal comma",
    )
    plan.add_argument(
        "--outcomes",
        metavar="FILLED.csv",
        type=Path,
        nargs="+",
        help="a sheet whose column wrong is filled in: 1, yes or x where an item is"
        " wrong, 0 or no where it is right; or the parts of several inspectors",
    )
    plan.add_argument(
        "--wrong-words",
        type=two_words,
        metavar="YES,NO",
        help="the words in that column for wrong and for right, in place of these",
    )
    plan.add_argument(
        "--by",
        metavar="COL",
        help="a column of the sheet: also an interval for each of its values",
    )
    plan.add_argument(
        "--confidence", type=rate, metavar="C", help="of the interval (default: 0.95)"
    )
    plan.add_argument("--json", action="store_true", help="print JSON")
    plan.set_defaults(run=run, usage=plan.error)


def run(options: argparse.Namespace) -> int:
    _together(options)
    from .audited import audited
    from .planned import planned

    remarks: list[str] = []

    def remark(message: Warning | str, *_: Any, **__: Any) -> None:
        remarks.append(str(message))
        if not options.json:
            note(remarks[-1])  # at once: what follows may take minutes

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.showwarning = remark
            found, text = (audited if options.outcomes else planned)(options)
    except ValueError as error:
        return complain(f"plan: {error}", 2)
    except FileExistsError as error:
        return complain(f"plan: {error}; give --sheet another name", 2)
    except OSError as error:
        return complain(f"plan: cannot write {options.sheet}: {error.strerror}", 2)
    print(as_json(found | {"notes": remarks}) if options.json else text)
    return 0


def rate(text: str) -> float:
    """0.02, or 2% as the same number."""
    share, sign, rest = text.strip().partition("%")
    if not sign:
        return float(text)
    if rest:
        raise ValueError
    try:
        return float(Decimal(share.strip()) / 100)
    except InvalidOperation:
        raise ValueError from None


def two_words(text: str) -> tuple[str, str]:
    """ "falsch,richtig" as two words in lower case."""
    words = [word.strip().lower() for word in text.split(",")]
    if len(words) != 2 or not all(words) or words[0] == words[1]:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not two different words with a comma between them"
        )
    return words[0], words[1]


def _option(name: str) -> str:
    return "--" + name.replace("_", "-")


def _together(options: argparse.Namespace) -> None:
    """Which options need, or exclude, which others; else the end."""

    def given(name: str) -> bool:
        return getattr(options, name) not in (None, False)

    interval = options.kind == "interval"
    apart = tuple(LEVELS) if interval else ("half_width", "rate")
    for name in filter(given, apart):
        goes = "does not go" if interval else "goes"
        if not (given("outcomes") and options.kind is None):
            options.usage(f"{_option(name)} {goes} with --kind interval")
    needed = ["half_width"] if interval else list(LEVELS)
    missing = [_option(name) for name in needed if not given(name)]
    if missing and not options.outcomes:
        options.usage(f"the following arguments are required: {', '.join(missing)}")
    if given("sheet") and given("outcomes"):
        options.usage("--sheet writes a sheet and --outcomes reads one: give one")
    several = (options.items is not None and len(options.items) > 1) or given("batch")
    if several and given("inspectors"):
        options.usage("--inspectors deals out one batch: give one file, no --batch")
    if several and (given("outcomes") or given("lot_size")):
        one = (
            "--outcomes reads the sheet of one batch"
            if given("outcomes")
            else ("--lot-size is of one batch")
        )
        options.usage(f"{one}: give one file in --items, no --batch")
    if given("overlap") and not (options.inspectors or 0) > 1:
        options.usage("--overlap goes with --inspectors of 2 or more")
    for name, others in (
        ("item", ("items",)),
        ("batch", ("items",)),
        ("seed", ("sheet", "outcomes")),
        ("semicolons", ("sheet",)),
        ("inspectors", ("sheet",)),
        ("by", ("outcomes",)),
        ("wrong_words", ("outcomes",)),
    ):
        if given(name) and not any(map(given, others)):
            options.usage(f"{_option(name)} goes with --{' or --'.join(others)}")
    if given("confidence") and not (given("outcomes") or interval):
        options.usage("--confidence goes with --outcomes or --kind interval")
