"""Options that commands share, and how their values are written."""

from __future__ import annotations

import argparse
import csv
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

LARGEST_LOT = 10_000_000  # as labelaudit._checks has it, which needs numpy


def batch(command: Any) -> Any:
    """What is sampled from: a size, or files with the items; the group."""
    group = command.add_argument_group("the batch (default: a process without end)")
    either = group.add_mutually_exclusive_group()
    either.add_argument(
        "--lot-size",
        type=whole(1, LARGEST_LOT),
        metavar="N",
        help="annotations in the batch, numbered from 1",
    )
    either.add_argument(
        "--items",
        metavar="FILE",
        type=Path,
        nargs="+",
        help="a table with a row for each item, or .txt with a line for each; several"
        " files are several batches",
    )
    group.add_argument(
        "--item", metavar="COL", help="the column of its items (default: item)"
    )
    return group


def sheet(command: Any) -> Any:
    """Where the sample is written to; the group, for more options."""
    group = command.add_argument_group("the sheet: which items to check, in order")
    group.add_argument(
        "--sheet",
        metavar="OUT.csv",
        type=Path,
        help="the file to write, for labelaudit verdict; of several batches"
        " OUT-NAME.csv each",
    )
    group.add_argument(
        "--seed",
        type=whole(0),
        metavar="S",
        help="of the draw (default: any); several batches take S, S + 1, ...",
    )
    group.add_argument(
        "--force", action="store_true", help="write over files that are there"
    )
    return group


def output(command: Any) -> None:
    command.add_argument("--json", action="store_true", help="print JSON")


def together(options: argparse.Namespace, needs: dict[str, tuple[str, ...]]) -> None:
    """The end where an option is given without one of those that it goes with."""

    def given(name: str) -> bool:
        value = getattr(options, name)
        return value is not None and value is not False  # 0 is given

    for name, others in needs.items():
        if given(name) and not any(map(given, others)):
            options.refuse(
                f"{option(name)} goes with {' or '.join(map(option, others))}"
            )


def option(name: str) -> str:
    """p_a as --p-a."""
    return "--" + name.replace("_", "-")


def rate(text: str) -> float:
    """0.02, or 2% as the same number.

    >>> rate(".02"), rate("2%"), rate("2 %")
    (0.02, 0.02, 0.02)
    """
    share, sign, rest = text.strip().partition("%")
    try:
        value = Decimal(share.strip()) / (100 if sign else 1)
    except InvalidOperation:
        value = Decimal("nan")
    if not rest and value.is_finite() and 0 <= value <= 1:
        return float(value)
    meant = "0.02 or 2%"
    if not sign and value.is_finite() and 1 < value <= 100:
        meant = f"{float(value / 100):g} or {float(value):g}%"
    raise argparse.ArgumentTypeError(
        f"{text!r} is no rate from 0 to 1; one is written {meant}"
    )


def whole(least: int, most: int | None = None) -> Callable[[str], int]:
    """A whole number of at least this, and at most that."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = least - 1
        if number < least or (most is not None and number > most):
            span = (
                f"of at least {least}" if most is None else f"from {least} to {most:,}"
            )
            raise argparse.ArgumentTypeError(f"{text!r} is no whole number {span}")
        return number

    return read


def two_words(text: str) -> tuple[str, str]:
    """ "falsch,richtig" as two words in lower case."""
    cells = next(csv.reader([text], skipinitialspace=True), [])
    words = [word.strip().lower() for word in cells]
    if len(words) != 2 or not all(words) or words[0] == words[1]:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not two different words with a comma between them"
        )
    return words[0], words[1]
