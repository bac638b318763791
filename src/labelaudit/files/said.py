"""What is said of files: sentences of said.toml, and options as they are typed."""

import csv
import io
import shlex
from collections.abc import Iterable
from string import Formatter
from typing import Any

from .._words import shown, warn
from .text import UnreadableError, few
from .told import filled, read

SENTENCES = read(__package__, "said.toml")
MOST = 400  # characters of an option in a sentence

Key = str | list[str] | None  # what names the items: a column, or several together


class _Words(Formatter):
    """Fields as sentences write them; see said.toml."""

    def format_field(self, value: Any, spec: str) -> Any:
        if spec == "q":  # a tuple is one item, a set one label
            told = map(shown, value if isinstance(value, list) else [value])
            return ", ".join(t if len(t) <= MOST else f"{t[:MOST]} ..." for t in told)
        if spec == "names":
            return few(value)
        own = spec.startswith(("--", "..."))
        return typed(spec, value) if own else super().format_field(value, spec)


def say(kind: str, name: str, /, **found: Any) -> str:
    return filled(SENTENCES[kind][name], found, _Words())


def refused(name: str, /, **found: Any) -> UnreadableError:
    """The error to raise; `at` is the file, and where in it."""
    return UnreadableError(say("refused", name, **found))


def note(name: str, /, **found: Any) -> None:
    warn(say("noted", name, **found))


# Options ------------------------------------------------------------------------------


def typed(option: str, value: str | Iterable[str]) -> str:
    """An option with a text, or with a list, as they are typed.

    A list is written as in CSV, and left out where it is too long to be typed.
    """
    if isinstance(value, str):
        told = value
    else:
        line = io.StringIO()
        csv.writer(line, lineterminator="\n").writerow([*value])
        told = line.getvalue().removesuffix("\n")
    quoted = shlex.quote(told) if told.isprintable() else f"${told!r}"  # a line's end
    said = f"{option}{'=' if told[:1] == '-' else ' '}{quoted}"
    return said if len(said) <= MOST else f"{option} with their names"


def way(item: Key = None, **options: str | Iterable[str] | None) -> str:
    """Several options as they are typed together, but for those that are None.

    A column of items that is called item needs none.
    """
    items = [item] if isinstance(item, str) else item
    told = {"item": None if items in ([], ["item"]) else items} | options
    return " ".join(typed(f"--{n}", v) for n, v in told.items() if v is not None)
