"""labelaudit agree: its arguments. What it does is in `agreed`, which takes a second.

A wrong call and --help are answered without numpy, pandas and scipy.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path
from typing import Any

from .options import rate

DISTANCES = ("nominal", "ordinal", "interval", "ratio", "jaccard", "masi")

EXAMPLES = """\
A list of columns, labels or words is one argument with commas, in quotes as in CSV \
where a name holds one. A column may be a path into objects, as annotators.label.

Exit status: 0; 2 where the call or a file is wrong; else 4 where every coefficient is \
undefined; else 3 where a --require does not hold.

examples:
  labelaudit agree ratings.csv --gold gold.csv --report report.html
  labelaudit agree grades.csv --raters ann,ben,cem --distance ordinal
  labelaudit agree ann.csv ben.csv --rater-file --item id --label label
  labelaudit agree export.json --item id --rater annotations.user \\
      --label annotations.label"""

# Groups of options: each an option, what it takes, and its help.
COLUMNS = [
    ("--item", "COL,...", "the columns that name an item, together"),
    ("--rater", "COL", "who judged (default: rater)"),
    ("--rater-file", None, "each file is one rater's, named by its stem"),
    ("--label", "COL", "the judgment (default: label)"),
    (
        "--raters",
        "COL,...",
        "one row per item: the columns that are raters (default: all others)",
    ),
    (
        "--counts",
        "COL,...",
        "one row per item: columns are labels, cells count judgments",
    ),
    ("--table", None, "a square table of two raters: rows and columns are labels"),
    ("--times", "COL", "one row per item: for how many items a row stands"),
    ("--cluster", "COL", "what items belong to, such as a document"),
    ("--suggested", "COL", "the label that raters were shown: do they follow it?"),
    ("--model", "COL", "a model's label: may it stand in for the raters?"),
    (
        "--gold",
        "FILE|COL",
        "the right labels: a column, or a file with the columns item and label",
    ),
]
ROWS = [
    ("--no-header", None, "the files have none; --columns names the columns"),
    ("--columns", "A,B,...", "with --no-header, a name for each column"),
    (
        "--where",
        "COL=VALUE",
        "rows with this value, or without it by COL!=VALUE; may be given again",
    ),
    (
        "--split",
        "SEP",
        "cells hold several judgments with SEP between them, or JSON lists",
    ),
    ("--sets", "SEP", "each label is a set of labels with SEP between them"),
    (
        "--repeats",
        None,
        "of a rater's contradicting judgments of an item, which counts",
    ),
    ("--missing", "TEXT,...", "cells that are no judgment, as an empty one never is"),
    ("--labels", "A,B,...", "all labels in their order, lowest first"),
]
COMPARED = [
    (
        "--distance",
        "D",
        "of labels, for alpha and iota: nominal (default); ordinal, of numbers or"
        " --labels; interval or ratio, of numbers; jaccard or masi, of --sets",
    ),
    ("--second", "FILE", "a second collection of labels for the same items"),
    (
        "--epsilon",
        "SHARE",
        "with --model: how much more often a rater may be nearer to the other raters"
        " (default: 0.2)",
    ),
    (
        "--model-test",
        None,
        "with --model: the published t-test (default), or an exact one, for up to 1,000"
        " items of a rater, which never errs more often than it says",
    ),
    (
        "--require",
        "NAME=X",
        "fail with status 3 unless the coefficient's lower limit is at least X",
    ),
]
WRITTEN = [
    (
        "--consensus",
        "FILE",
        "each item's most likely label, by Dawid and Skene, as CSV",
    ),
    ("--raters-out", "FILE", "all raters, and why to talk to them, as CSV"),
    ("--report", "FILE", "everything, with figures, as one page of HTML"),
    ("--force", None, "write over files that are there"),
    ("--json", None, "print JSON"),
]


def add(commands: Any) -> None:
    """The command's arguments."""
    agree = commands.add_parser(
        "agree",
        help="how reliable the labels in a file are",
        usage="labelaudit agree RATINGS ... [options]",
        description="All agreement coefficients that fit a file of ratings, with 95 %"
        " intervals, and what to be careful about. The file has one row per judgment"
        " where the columns item, rater and label are there, or are named; else one row"
        " per item, named in the first column, and one column per rater.",
        epilog=EXAMPLES,
    )
    agree.add_argument(
        "ratings",
        metavar="RATINGS",
        nargs="+",
        type=Path,
        help="CSV, JSON, JSON Lines (also .gz) or Parquet; - is standard input; several"
        " are one table",
    )
    how: dict[str, dict[str, Any]] = {
        "--repeats": {"choices": ("first", "last", "drop")},
        "--distance": {"choices": DISTANCES, "default": "nominal"},
        "--model-test": {"choices": ("t", "exact")},
        "--epsilon": {"type": rate},
        "--where": {"action": "append", "default": []},
        "--require": {"action": "append", "default": []},
    }
    for title, options in (
        ("which columns are what", COLUMNS),
        ("which rows and cells count", ROWS),
        ("what is compared", COMPARED),
        ("what is written", WRITTEN),
    ):
        group = agree.add_argument_group(title)
        for option, metavar, said in options:
            more = dict(how.get(option, {}))
            if metavar is None and not more:
                more["action"] = "store_true"
            elif metavar is not None:
                more["metavar"] = metavar
            if metavar is not None and metavar.endswith(",..."):
                more |= {"type": _listed, "default": []}
            elif metavar == "FILE":
                more["type"] = Path
            group.add_argument(option, help=said, **more)
    agree.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from . import agreed

    return agreed.run(options)


def _listed(text: str) -> list[str]:
    """Texts with commas between them; quotes keep a comma within one."""
    found = next(csv.reader([text], skipinitialspace=True), [])
    return [one.strip() for one in found if one.strip()]
