"""labelaudit plan: its arguments. What it does is in `planned`, which takes a second.

A wrong call and --help are answered without numpy, pandas and scipy.
"""

from __future__ import annotations

import argparse
from typing import Any

from . import options as shared
from .options import rate
from .told import answer

KINDS = ("single", "double", "sequential", "optimal")
LEVELS = {
    "p_a": "an error rate that is good",
    "p_r": "an error rate that is bad",
    "alpha": "the producer's risk: a good batch is rejected",
    "beta": "the consumer's risk: a bad batch is accepted",
}
MOST_INSPECTORS = 1000

EXAMPLES = """\
A rate or a risk is written 0.02 or 2%. Exit status: 0, or 2 where the call or a \
file is wrong.

examples:
  labelaudit plan --p-a 2% --p-r 5% --alpha 5% --beta 10% --lot-size 1000
  labelaudit plan --p-a 2% --p-r 5% --alpha 5% --beta 10% --kind optimal \\
      --items batch.csv --item id --sheet sheet.csv --seed 7
  labelaudit verdict sheet.csv"""


def add(commands: Any) -> None:
    """The command's arguments."""
    plan = commands.add_parser(
        "plan",
        help="how many annotations to check, and when to accept or reject",
        usage="labelaudit plan --p-a RATE --p-r RATE --alpha RISK --beta RISK\n"
        "                       [--lot-size N | --items FILE ...] [options]",
        description="How many annotations to check, and when to accept or reject. All"
        " plans but the sequential keep both risks exactly. --sheet writes which items"
        " to check; labelaudit verdict reads it back, filled in.",
        epilog=EXAMPLES,
    )
    group = plan.add_argument_group("what is promised (all four are needed)")
    for name, meaning in LEVELS.items():
        group.add_argument(
            shared.option(name),
            type=rate,
            required=True,
            metavar="RATE" if name[0] == "p" else "RISK",
            help=meaning,
        )
    plan.add_argument(
        "--kind",
        choices=KINDS,
        default="single",
        help=f"of plan: {', '.join(KINDS)} (default: single)",
        metavar="KIND",
    )
    shared.batch(plan).add_argument(
        "--batch",
        metavar="COL",
        help="the column that says which batch an item is in: each has a plan",
    )
    sheet = shared.sheet(plan)
    sheet.add_argument(
        "--inspectors",
        type=shared.whole(2, MOST_INSPECTORS),
        metavar="K",
        help="also deal the sheet out in K parts, OUT-1.csv and so on",
    )
    sheet.add_argument(
        "--overlap",
        type=rate,
        metavar="SHARE",
        help="of the items that go to two inspectors (default: 0)",
    )
    sheet.add_argument(
        "--semicolons",
        action="store_true",
        help="between the cells, for spreadsheets with a decimal comma",
    )
    shared.output(plan)
    plan.set_defaults(run=run, refuse=plan.error)


def run(options: argparse.Namespace) -> int:
    shared.together(
        options,
        {
            "item": ("items",),
            "batch": ("items",),
            "seed": ("sheet",),
            "semicolons": ("sheet",),
            "inspectors": ("sheet",),
            "overlap": ("inspectors",),
        },
    )
    if options.inspectors and (
        options.batch is not None or len(options.items or ()) > 1
    ):
        options.refuse("--inspectors deals out one batch: give one file, no --batch")
    for name in ("alpha", "beta"):
        if getattr(options, name) == 0:
            options.refuse(
                f"{shared.option(name)} is 0, and no sample is without the risk that"
                f" {LEVELS[name].partition(': ')[2]}; give the risk that you can bear,"
                f" such as {shared.option(name)} 0.001"
            )
    from .planned import planned

    return answer("plan", options, planned)
