"""The options of each command, as its file of TOML lists them, and their values.

A file has what argparse takes: help, usage, description and epilog; what does the
command's work, in a module that may take a second to import; then groups of
options by their titles. An option is what it takes and its help, its help alone where
it takes nothing, a table of argparse's own words, or one that is like another
command's. `rules` says what else a call must not be: an option that is given, or is one
of some values, needs one of others, or never goes with them, or is wrong in itself.
"""

import argparse
import csv
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from ..files.told import read

LARGEST_LOT = 10_000_000  # as labelaudit._checks has it, which needs numpy


def add(commands: Any, name: str) -> None:
    """A command with its options."""
    told = told_of(name)
    about = {key: told[key].strip() for key in ("help", "usage", "description")}
    command = commands.add_parser(name, epilog=told["epilog"].strip(), **about)
    for title, options in told["options"].items():
        group = command if title == "options" else command.add_argument_group(title)
        for option, of in options.items():
            group.add_argument(option, **_given(option, of))
    command.set_defaults(command=name, work=told["work"], rules=told.get("rules", []))


def told_of(name: str) -> dict[str, Any]:
    """What a command's file says."""
    return read(__package__, f"{name}.toml")


def _given(option: str, of: Any) -> dict[str, Any]:
    """What argparse is to know of an option."""
    if isinstance(of, str):
        return {"action": "store_true", "help": of}
    given = dict(zip(("metavar", "help"), of)) if isinstance(of, list) else of
    if "like" in given:
        groups = told_of(given["like"])["options"].values()
        return _given(option, next(g[option] for g in groups if option in g))
    takes = given.get("metavar", "")
    read = READ.get(option, READ.get(takes, str))
    return {"default": [] if takes.endswith(",...") else None, "type": read, **given}


def together(options: argparse.Namespace) -> None:
    """ValueError where an option needs another, excludes it, or has no such value."""

    def given(name: str) -> bool:
        value = getattr(options, name)
        return value is not None and value is not False and value != []  # 0 is given

    for rule in options.rules:
        name, value = rule["of"], getattr(options, rule["of"])
        other = rule.get("needs", rule.get("never", ""))
        held = value in rule["is"] if "is" in rule else given(name)
        if held and any(map(given, other.split())) == ("never" in rule):
            called = "--" + name.replace("_", "-")
            said = rule.get("said", f"{called} goes with --{other}")
            raise ValueError(said.format(called=called, value=value))


# Values ---------------------------------------------------------------------------


def no(text: str, said: str) -> argparse.ArgumentTypeError:
    """What is wrong with a value."""
    return argparse.ArgumentTypeError(f"{text!r} {said}")


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
    raise no(text, f"is no rate from 0 to 1; one is written {meant}")


def whole(least: int, most: int | None = None) -> Callable[[str], int]:
    """A whole number of at least this, and at most that."""
    span = f"of at least {least}" if most is None else f"from {least} to {most:,}"

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = least - 1
        if number < least or (most is not None and number > most):
            raise no(text, f"is no whole number {span}")
        return number

    return read


def listed(text: str) -> list[str]:
    """Texts with commas between them; quotes keep a comma within one."""
    try:
        found = next(csv.reader([text], skipinitialspace=True), [])
    except csv.Error:
        raise no(text, "has a line's end outside of quotes") from None
    if names := [*filter(None, map(str.strip, found))]:
        return names
    raise no(text, "is a list of nothing")


def judge(text: str) -> tuple[str, str]:
    """COL=VALUE as two words.

    >>> judge("model=not ok")
    ('model', 'not ok')
    """
    column, sign, value = text.partition("=")
    if not sign or not column.strip():
        raise no(text, "is not COL=VALUE: a column, and what it says of a wrong item")
    return column.strip(), value.strip()


def two_words(text: str) -> tuple[str, str]:
    """ "falsch,richtig" as two words in lower case."""
    words = [word.lower() for word in listed(text)]
    if len(words) != 2 or words[0] == words[1]:
        raise no(text, "is not two different words with a comma between them")
    return words[0], words[1]


def named(text: str, what: str = "column") -> str:
    """A name; an empty one is a variable of the shell without a value."""
    if not text.strip():
        raise no(text, f"is no name of a {what}")
    return text


def path(text: str) -> Path:
    """A file's or a folder's path."""
    return Path(named(text, "file"))


# How a value is read, by the option or by what its help says that it takes.
READ: dict[str, Callable[[str], Any]] = {
    "--lot-size": whole(1, LARGEST_LOT),
    "--inspectors": whole(2, 1000),
    "--jobs": whole(1, 100_000),
    "--seed": whole(0),
    **dict.fromkeys(("RATE", "RISK", "SHARE", "M", "C"), rate),
    **dict.fromkeys(("FILE", "OUT.csv", "SHEET", "RATINGS"), path),
    **dict.fromkeys(("COL", "FILE|COL"), named),
    **dict.fromkeys(("NOTEBOOK", "GRID.toml", "DIR"), path),
    **dict.fromkeys(("COL,...", "A,B,...", "TEXT,..."), listed),
    "YES,NO": two_words,
    "--judge": judge,
}
