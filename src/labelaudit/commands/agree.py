"""labelaudit agree: agreement coefficients of a file of ratings."""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd

from .. import coefficients
from ..agreement import Agreement
from ..ratings import Ratings
from . import files
from .told import as_json, complain, note

DISTANCES = ("nominal", "ordinal", "interval", "ratio")

# Coefficients of any number of raters, and of two; whether a distance goes with them.
ANY: dict[str, bool] = {
    "bennett_s": False,
    "fleiss_kappa": False,
    "krippendorff_alpha": True,
    "janson_olsson_iota": True,
    "gwet_ac1": False,
}
TWO: dict[str, bool] = {"scott_pi": False, "cohen_kappa": False}

SHOWN = ("value", "observed", "expected", "standard_error", "low", "high")


def add(commands: Any) -> None:
    """The command's arguments."""
    agree = commands.add_parser(
        "agree",
        help="agreement coefficients of a file of ratings",
        description="All agreement coefficients that fit a file of ratings, with 95 %"
        " intervals. The file is long (a row a judgment) where the three columns"
        " are there, else wide: a row an item, named in the first column, and a column"
        " a rater. An empty cell is no judgment.",
        epilog="Exit status: 0, or 2 where the call or the file is wrong.",
    )
    agree.add_argument("ratings", metavar="RATINGS.csv", type=Path, help="or .parquet")
    for name in files.DEFAULTS:
        agree.add_argument(
            f"--{name}", metavar="COL", help=f"its column (default: {name})"
        )
    agree.add_argument(
        "--distance",
        choices=DISTANCES,
        default="nominal",
        help="of labels, for alpha and iota; all but nominal need numbers",
    )
    agree.add_argument("--json", action="store_true", help="print JSON")
    agree.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            ratings = files.ratings(
                options.ratings,
                options.item,
                options.rater,
                options.label,
                numbers=options.distance != "nominal",
            )
            found = described(ratings, options.distance)
    except ValueError as error:
        return complain(f"agree: {error}", 2)
    found["notes"] = list(dict.fromkeys(str(warning.message) for warning in caught))
    if options.json:
        print(as_json(found))
        return 0
    print(table(found))
    for text in found["notes"]:
        note(text)
    return 0


def described(ratings: Ratings, distance: str) -> dict[str, Any]:
    """All fitting coefficients, for JSON."""
    assert ratings.raters is not None
    fitting = ANY | (TWO if len(ratings.raters) == 2 else {})
    values = {}
    for name, takes in fitting.items():
        coefficient: Callable[..., Agreement] = getattr(coefficients, name)
        values[name] = coefficient(ratings, distance) if takes else coefficient(ratings)
    used = values["krippendorff_alpha"]
    return {
        "n_items": used.n_items,
        "n_raters": len(ratings.raters),
        "n_ratings": used.n_ratings,
        "labels": [_label(label) for label in ratings.labels],
        "dropped": len(ratings.items) - used.n_items,
        "distance": distance,
        "coefficients": {name: numbers(one) for name, one in values.items()},
    }


def numbers(one: Agreement) -> dict[str, float]:
    low, high = one.interval()
    plain = one.value, one.observed, one.expected, one.standard_error, low, high
    return dict(zip(SHOWN, plain))


def _label(label: Any) -> Any:
    """Whole numbers without the point that reading them as numbers gave them."""
    if isinstance(label, float) and label.is_integer():
        return int(label)
    return label


def table(found: dict[str, Any]) -> str:
    """The same for people."""
    size = f"{found['n_items']} items, {found['n_raters']} raters"
    size += (
        f", {found['n_ratings']} ratings; labels {', '.join(map(str, found['labels']))}"
    )
    if found["dropped"]:
        size += f"; dropped for fewer than two ratings: {found['dropped']}"
    rows = pd.DataFrame(found["coefficients"]).T[list(SHOWN)]
    text = rows.to_string(float_format="{:.3f}".format, na_rep="undefined")
    return (
        f"{size}\n\n{text}\n\nlow, high: 95 % interval; distance: {found['distance']}"
    )
