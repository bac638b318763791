"""labelaudit agree: its arguments. What it does is in `agreed`, which takes a second.

A wrong call and --help are answered without numpy, pandas and scipy.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path
from typing import Any

from .plan import rate

DISTANCES = ("nominal", "ordinal", "interval", "ratio", "jaccard", "masi")


def add(commands: Any) -> None:
    """The command's arguments."""
    agree = commands.add_parser(
        "agree",
        help="how reliable the labels in a file are",
        description="All agreement coefficients that fit a file of ratings, with 95 %"
        " intervals, and what to be careful about. The file has one row per judgment"
        " where the three columns are there, else one row per item, named in the first"
        " column, and one column per rater. An empty cell is no judgment.",
        epilog="Exit status: 0; 2 where the call or a file is wrong; else 4 where every"
        " coefficient is undefined; else 3 where a --require does not hold.",
    )
    agree.add_argument(
        "ratings",
        metavar="RATINGS",
        nargs="+",
        type=Path,
        help="CSV, JSON, JSON Lines (also .gz) or Parquet; - is standard input; several"
        " are one table",
    )
    for name in ("item", "rater", "label"):
        agree.add_argument(
            f"--{name}", metavar="COL", help=f"its column (default: {name})"
        )
    agree.add_argument(
        "--no-header",
        action="store_true",
        help="the files have none; --columns names the columns",
    )
    agree.add_argument(
        "--columns",
        metavar="A,B,C",
        type=_listed,
        default=[],
        help="with --no-header, as many names as there are columns",
    )
    agree.add_argument(
        "--where",
        metavar="COL=VALUE",
        action="append",
        default=[],
        help="take only rows with this value; given again, rows with all of them",
    )
    agree.add_argument(
        "--split",
        metavar="SEP",
        help="cells hold several judgments with SEP between them, or JSON lists",
    )
    agree.add_argument(
        "--sets",
        metavar="SEP",
        help="each label is a set of labels with SEP between them, or a JSON list",
    )
    agree.add_argument(
        "--repeats",
        choices=("first", "last", "drop"),
        help="where a rater's judgments of an item contradict each other, take the"
        " first, the last or none",
    )
    agree.add_argument(
        "--raters",
        metavar="COL",
        nargs="+",
        default=[],
        help="of a wide table, the columns that are raters (default: all others);"
        " name the first column too where none names the items",
    )
    agree.add_argument(
        "--count",
        metavar="COL",
        help="of a wide table, for how many items a row stands",
    )
    agree.add_argument(
        "--distance",
        choices=DISTANCES,
        default="nominal",
        help="of labels, for alpha and iota; ordinal needs numbers or --labels, lowest"
        " first; jaccard and masi sets; interval and ratio numbers",
    )
    agree.add_argument(
        "--labels",
        metavar="A,B,C",
        type=_listed,
        default=[],
        help="all labels in their order, lowest first",
    )
    agree.add_argument(
        "--missing",
        metavar="TEXT,...",
        type=_listed,
        default=[],
        help="cells that are no judgment, such as NA; an empty one never is",
    )
    agree.add_argument(
        "--suggested",
        metavar="COL",
        help="the column with the label that raters were shown: do they follow it?",
    )
    agree.add_argument(
        "--gold",
        metavar="FILE|COL",
        help="the right labels: a column, or a file with the columns item and label",
    )
    agree.add_argument(
        "--model",
        metavar="COL",
        help="the column with a model's labels: may it stand in for the raters?",
    )
    agree.add_argument(
        "--epsilon",
        type=rate,
        metavar="SHARE",
        help="with --model: how much more often a rater may be nearer to the other"
        " raters (default: 0.2)",
    )
    agree.add_argument(
        "--model-test",
        choices=("t", "exact"),
        help="with --model: the published t-test, or an exact one, for up to 1,000"
        " items of a rater, which never errs more often than it says (default: t)",
    )
    agree.add_argument(
        "--consensus",
        metavar="FILE",
        type=Path,
        help="write each item's most likely label by Dawid and Skene's model to CSV",
    )
    agree.add_argument(
        "--raters-out",
        metavar="FILE",
        type=Path,
        help="write the table of raters to talk to, with all raters, to CSV",
    )
    agree.add_argument(
        "--require",
        metavar="NAME>=X",
        action="append",
        default=[],
        help="fail with status 3 unless the coefficient's lower limit is at least X",
    )
    agree.add_argument(
        "--second",
        metavar="FILE",
        type=Path,
        help="a second collection of labels for the same items, to compare with",
    )
    agree.add_argument(
        "--report",
        metavar="OUT.html",
        type=Path,
        help="write everything, with figures, to one page that needs no network",
    )
    agree.add_argument(
        "--force", action="store_true", help="write over files that are there"
    )
    agree.add_argument("--json", action="store_true", help="print JSON")
    agree.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from . import agreed

    return agreed.run(options)


def _listed(text: str) -> list[str]:
    """Texts with commas between them; quotes keep a comma within one."""
    found = next(csv.reader([text], skipinitialspace=True), [])
    return [one.strip() for one in found if one.strip()]
