"""labelaudit plan: its arguments. What it does is in `planned`, which takes a second.

A wrong call, --help and --version are answered without numpy, pandas and scipy.
"""

from __future__ import annotations

import argparse
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

KINDS = ("single", "double", "sequential", "optimal")
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
        " plans but the sequential keep both risks exactly. --sheet writes which items"
        " to check; --outcomes reads it back, filled in, and needs no other option.",
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
        "--items",
        metavar="FILE",
        type=Path,
        help="the batch: CSV or Parquet with one row per item, or .txt with one item"
        " per line (default: items numbered from 1)",
    )
    plan.add_argument(
        "--item", metavar="COL", help="its column (default: item, or the only one)"
    )
    plan.add_argument(
        "--sheet",
        metavar="OUT.csv",
        type=Path,
        help="write which items to inspect, in order, to a new file",
    )
    plan.add_argument(
        "--seed", type=int, metavar="S", help="of the draw (default: any)"
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
        help="a sheet whose column wrong is filled in: 1, yes or x where an item is"
        " wrong, 0 or no where it is right",
    )
    plan.add_argument(
        "--confidence", type=rate, metavar="C", help="of the interval (default: 0.95)"
    )
    plan.add_argument("--json", action="store_true", help="print JSON")
    plan.set_defaults(run=run, usage=plan.error)


def run(options: argparse.Namespace) -> int:
    _together(options)
    from . import planned

    return planned.run(options)


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


def _option(name: str) -> str:
    return "--" + name.replace("_", "-")


def _together(options: argparse.Namespace) -> None:
    """Which options need, or exclude, which others; else the end."""

    def given(name: str) -> bool:
        return getattr(options, name) not in (None, False)

    missing = [_option(name) for name in LEVELS if not given(name)]
    if missing and not options.outcomes:
        options.usage(f"the following arguments are required: {', '.join(missing)}")
    if given("sheet") and given("outcomes"):
        options.usage("--sheet writes a sheet and --outcomes reads one: give one")
    for name, others in (
        ("item", ("items",)),
        ("seed", ("sheet", "outcomes")),
        ("semicolons", ("sheet",)),
        ("confidence", ("outcomes",)),
    ):
        if given(name) and not any(map(given, others)):
            options.usage(f"--{name} goes with --{' or --'.join(others)}")
