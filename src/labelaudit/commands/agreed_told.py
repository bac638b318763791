"""What labelaudit agree tells in the terminal: its table, and what to be careful of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from textwrap import fill
from warnings import WarningMessage

import pandas as pd

from ..reports.collection.findings import WORDS, Finding
from ..reports.collection.fitting import decimal
from ..reports.collection.found import Reliability
from ..reports.saying import merged, say

WIDTH = 80  # of a paragraph
IN_A_SHELL = (  # what the library says of Python, and what of files
    (r"(column \d+|every row) of the matrix .*", ""),  # files are checked as files
    ("the matrix has", "the table has"),
    (r" \(min_\w+\)", ""),
    ("dawid_skene did not .*", "the labels of --consensus are not quite settled"),
)


def notes(caught: Iterable[WarningMessage], found: Reliability) -> list[str]:
    """What to be careful about, in the files and in what they show, a kind once."""
    ours = (str(one.message) for one in caught if one.category is UserWarning)
    said = []
    for one in [*ours, *found.warnings]:
        for pattern, words in IN_A_SHELL:
            one = re.sub(pattern, words, one)
        said.append(one)
    return merged(filter(None, said))


def table(found: Reliability, parts: Sequence[Finding], name: str) -> str:
    """The findings that have a short name, and a paragraph to paste."""
    first, *others = parts
    quoted = [] if found.alpha.undefined else [say("quote")]
    told = [found.head, _text(first.shown, "undefined"), first.told, *quoted]
    for part in others:
        if short := WORDS[part.key].get("short"):
            told += [f"{short}:", _text(part.shown)]
            told += [fill(part.told, WIDTH)] if part.told else []
    return "\n\n".join([*told, fill(found.report(name=name), WIDTH)])


def _text(rows: pd.DataFrame, missing: str = "-") -> str:
    return rows.to_string(float_format=decimal, na_rep=missing)
