"""labelaudit plan: its arguments. What it does is in `planned`, which takes a second.

A wrong call and --help are answered without numpy, pandas and scipy.
"""

from __future__ import annotations

import argparse
from typing import Any

from . import options as shared
from .options import rate, whole
from .told import answer

KINDS = ("single", "double", "sequential", "optimal")
LEVELS: dict[str, shared.Row] = {
    "--p-a": ("RATE", rate, "an error rate that is good"),
    "--p-r": ("RATE", rate, "an error rate that is bad"),
    "--alpha": ("RISK", rate, "the producer's risk: a good batch is rejected"),
    "--beta": ("RISK", rate, "the consumer's risk: a bad batch is accepted"),
}
BATCH: dict[str, shared.Row] = {
    "--batch": ("COL", str, "the column that names the batch of an item: a plan each"),
}
SHEET: dict[str, shared.Row] = {
    "--inspectors": ("K", whole(2, 1000), "also deal it out in K parts, OUT-1.csv ..."),
    "--overlap": ("SHARE", rate, "of the items for two inspectors (default: 0)"),
    "--semicolons": ("", str, "between cells, for spreadsheets with a decimal comma"),
}

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
    shared.add(group, LEVELS, required=True)
    kinds = f"of plan: {', '.join(KINDS)} (default: single)"
    plan.add_argument("--kind", choices=KINDS, metavar="KIND", help=kinds)
    shared.sampled(plan, BATCH, SHEET)
    plan.set_defaults(run=run, kind="single")


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
    for name, risk in (("--alpha", options.alpha), ("--beta", options.beta)):
        if risk == 0:
            options.refuse(
                f"{name} is 0, and no sample is without the risk that"
                f" {LEVELS[name][2].partition(': ')[2]}; give the risk that you can"
                f" bear, such as {name} 0.001"
            )
    from .planned import planned

    return answer("plan", options, planned)
