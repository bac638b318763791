"""labelaudit estimate: its arguments. What it does is in `planned`."""

from __future__ import annotations

import argparse
from typing import Any

from . import options as shared
from .options import rate
from .told import answer

WIDTH: dict[str, shared.Row] = {
    "--half-width": ("M", rate, "of the interval, at most (needed)"),
}
WHERE: dict[str, shared.Row] = {
    "--rate": ("RATE", rate, "the error rate that is expected (default: any)"),
    "--confidence": ("C", rate, "of the interval (default: 0.95)"),
}

JUDGE: dict[str, shared.Row] = {
    "--judge": ("COL=VALUE", shared.judge, "a column of the items and what it says of"
                " those that a model, a rule or a crowd calls wrong: a sample of these"
                " and one of the rest, for a shorter interval if the judge is good"),
}  # fmt: skip

EXAMPLES = """\
A rate is written 0.02 or 2%. Exit status: 0, or 2 where the call or a file is wrong.

examples:
  labelaudit estimate --half-width 2% --rate 5% --lot-size 1000
  labelaudit estimate --half-width 2% --items batch.csv --sheet sheet.csv
  labelaudit estimate --half-width 2% --items batch.csv --judge model=bad \\
      --sheet sheet.csv
  labelaudit verdict sheet.csv"""


def add(commands: Any) -> None:
    """The command's arguments."""
    estimate = commands.add_parser(
        "estimate",
        help="how many annotations to check to know the error rate",
        usage="labelaudit estimate --half-width M [--rate RATE]\n"
        "                           [--lot-size N | --items FILE ...] [options]",
        description="How many annotations to check for an interval of a half width for"
        " the error rate, without a verdict. --sheet writes which items to check;"
        " labelaudit verdict reads it back, filled in.",
        epilog=EXAMPLES,
    )
    group = estimate.add_argument_group("what is promised")
    shared.add(group, WIDTH, required=True)
    shared.add(group, WHERE)
    shared.sampled(estimate, JUDGE, {})
    estimate.set_defaults(run=run, confidence=0.95)


def run(options: argparse.Namespace) -> int:
    goes = {"item": ("items",), "judge": ("items",), "seed": ("sheet",)}
    shared.together(options, goes)
    if options.half_width == 0:
        options.refuse(
            "--half-width is 0, and only checking every item leaves nothing open; give"
            " what is narrow enough, such as --half-width 0.01"
        )
    from .planned import estimated

    return answer("estimate", options, estimated)
