"""Options that commands share, and how their values are written."""

from __future__ import annotations

import argparse
import csv
from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

# The name of its values, how one is read, what it is for.
Row = tuple[str, Callable[[str], Any], str]

LARGEST_LOT = 10_000_000  # as labelaudit._checks has it, which needs numpy


def add(group: Any, rows: dict[str, Row], **more: Any) -> None:
    """Options, a row each; one whose values have no name takes none."""
    for name, (shown, read, said) in rows.items():
        if shown:
            several = "+" if name == "--items" else None
            given = {"metavar": shown, "type": read, "nargs": several} | more
            group.add_argument(name, help=said, **given)
        else:
            group.add_argument(name, help=said, action="store_true")


def sampled(command: Any, batch: dict[str, Row], sheet: dict[str, Row]) -> None:
    """What is sampled from and where that is written, with a command's own options."""
    group = command.add_argument_group("the batch (default: a process without end)")
    add(group.add_mutually_exclusive_group(), LOT)
    add(group, ITEM | batch)
    add(command.add_argument_group("the sheet: which items to check"), SHEET | sheet)
    add(command, JSON)
    command.set_defaults(refuse=command.error)


def together(options: argparse.Namespace, needs: Mapping[str, tuple[str, ...]]) -> None:
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


def judge(text: str) -> tuple[str, str]:
    """COL=VALUE as two words.

    >>> judge("model=not ok")
    ('model', 'not ok')
    """
    column, sign, value = text.partition("=")
    if not sign or not column:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not COL=VALUE: a column, and what it says of a wrong item"
        )
    return column, value


def two_words(text: str) -> tuple[str, str]:
    """ "falsch,richtig" as two words in lower case."""
    cells = next(csv.reader([text], skipinitialspace=True), [])
    words = [word.strip().lower() for word in cells]
    if len(words) != 2 or not all(words) or words[0] == words[1]:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not two different words with a comma between them"
        )
    return words[0], words[1]


LOT: dict[str, Row] = {
    "--lot-size": ("N", whole(1, LARGEST_LOT), "annotations in it, numbered from 1"),
    "--items": ("FILE", Path, "a table with a row for each item, or .txt with a line"
                " for each; several files are several batches"),
}  # fmt: skip
ITEM: dict[str, Row] = {"--item": ("COL", str, "the column of items (default: item)")}
SHEET: dict[str, Row] = {
    "--sheet": ("OUT.csv", Path, "the file to write, for labelaudit verdict; of several"
                " batches OUT-NAME.csv each"),
    "--seed": ("S", whole(0), "of the draw (default: any); of several batches S, S + 1"
               " and so on"),
    "--force": ("", str, "write over files that are there"),
}  # fmt: skip
JSON: dict[str, Row] = {"--json": ("", str, "print JSON")}
