"""How commands speak: results to standard output, all else to standard error."""

import argparse
import json
import os
import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from math import isfinite
from pkgutil import resolve_name
from typing import Any

from .options import together, told_of

# What would move a terminal's cursor, colour it or turn the direction of writing.
UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


class Ended(Exception):  # noqa: N818 (it may be no error)
    """The end of a command with a status of its own, and the sentence for it."""

    def __init__(self, said: str, status: int) -> None:
        super().__init__(said)
        self.status = status


def answer(options: argparse.Namespace) -> int:
    """Do a command's work and print what was found, as text or JSON, with its notes.

    Work gives what it found, for JSON; the same as text; and, where all is not well,
    statuses with sentences, of which the last one counts.

    Returns
    -------
    int
        The exit status: 2 where the call or a file is wrong.
    """
    notes: list[str] = []
    try:
        together(options)
        work = resolve_name(f"{__package__}.{options.work}")
        with noted(options) as notes:
            found, text, *failures = work(options)
    except (ValueError, Ended) as error:
        for sentence in notes:
            say(f"note: {sentence}")
        said = as_typed(str(error), options)
        return complain(f"{options.command}: {said}", getattr(error, "status", 2))
    for sentence in found.setdefault("notes", notes):
        say(f"note: {sentence}")
    print(as_json(found) if options.json else visible(text))
    for _, said in filter(lambda failure: failure[1], failures):
        complain(f"{options.command}: {said}", 0)
    return failures[-1][0] if failures else 0


@contextmanager
def noted(options: argparse.Namespace) -> Iterator[list[str]]:
    """What is warned of inside, afterwards, with options as typed."""
    notes: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")  # what others' code says to programmers
        warnings.simplefilter("always", UserWarning)
        try:
            yield notes
        finally:
            told = (as_typed(str(one.message), options) for one in caught)
            notes += filter(None, told)


def as_typed(text: str, options: argparse.Namespace) -> str:
    """Names of arguments as those of options: p_r as --p-r, where it is no other word.

    >>> as_typed("p_r must be above p_a = 0.1", argparse.Namespace(p_a=0.1, p_r=0.1))
    '--p-r must be above --p-a = 0.1'
    """
    for name in (k for k, v in vars(options).items() if "_" in k and v is not None):
        option = f"--{name.replace('_', '-')}"
        text = re.sub(rf"(?<![^\s(]){name}(?= (must|=|is|from|,))", option, text)
    for pattern, words in told_of("words")["words"]:
        text = re.sub(pattern, words, text)
    return text


def complain(text: str, status: int) -> int:
    """Say what is wrong in one sentence; return the exit status."""
    say(f"labelaudit {text}")
    return status


def say(text: str) -> None:
    """To standard error; nowhere where that cannot be written to."""
    try:
        print(visible(text), file=sys.stderr, flush=True)
    except OSError:
        nowhere(sys.stderr)


def nowhere(stream: Any) -> None:
    """Let what is left of an output go nowhere, so that exit does not fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def visible(text: str) -> str:
    r"""What a terminal would obey is shown, as \x1b."""
    return UNSEEN.sub(lambda found: repr(found[0])[1:-1], text)


def as_json(values: Any) -> str:
    """JSON for people and programs: what is undefined or infinite is null."""
    # What the output cannot encode, JSON has its own way to write.
    code = getattr(sys.stdout, "encoding", None) or "utf-8"
    plain = not code.lower().startswith("utf")
    return json.dumps(_plain(values), indent=2, ensure_ascii=plain, allow_nan=False)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(part) for part in value]
    if isinstance(value, frozenset):  # a set of labels
        return sorted(value)
    value = value.item() if hasattr(value, "item") else value
    return None if isinstance(value, float) and not isfinite(value) else value
