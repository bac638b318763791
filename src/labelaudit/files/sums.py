"""What spreadsheets do to cells: formulas that must not run, and sums over the rest.

A cell that a spreadsheet would run gets an apostrophe, which is taken off again where
such a file is read. What a spreadsheet may write otherwise without harm, such as 7 for
007, does not change a sum.
"""

import re
from collections.abc import Iterable
from hashlib import sha256
from typing import Any

NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?")
COMMA = re.compile(r"^([+-]?\d+),(\d+)$")
DATE = re.compile(r"(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})")
TIME = re.compile(r"(\d{1,2}):(\d{2})(:00)?")
RUNS = ("=", "@", "\t", "\r")  # so begins what a spreadsheet would run
SIGNED = re.compile(r"[+-](?!(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?$)")  # no number's

# How spreadsheets write what was read as true and false, by the tongue they speak.
TRUE = {"true", "wahr", "vrai", "verdadero", "verdadeiro", "vero", "waar"}
FALSE = {"false", "falsch", "faux", "falso", "onwaar"}


def no_formula(cell: str) -> str:
    """With an apostrophe before what a spreadsheet would run.

    >>> [no_formula(cell) for cell in ("=1+1", "@ann", "-x", "-3", "+4", "'=1", "it's")]
    ["'=1+1", "'@ann", "'-x", '-3', '+4', "''=1", "it's"]
    """
    return f"'{cell}" if _runs(cell.lstrip("'")) else cell


def formula(cell: str) -> str:
    """What no_formula was given.

    >>> [formula(cell) for cell in ("'=1+1", "''=1", "'tis", "-3")]
    ['=1+1', "'=1", "'tis", '-3']
    """
    return cell[1:] if cell[:1] == "'" and _runs(cell.lstrip("'")) else cell


def as_csv(table: Any, **how: Any) -> str:
    """A DataFrame as CSV, in which a spreadsheet runs no cell and no column's name."""
    safe = table.map(lambda v: no_formula(v) if isinstance(v, str) else v)
    safe.columns = [no_formula(str(name)) for name in table.columns]
    written: str = safe.to_csv(index=False, lineterminator="\n", **how)
    return written


def _runs(cell: str) -> bool:
    return cell.startswith(RUNS) or SIGNED.match(cell) is not None


def canonical(cell: object) -> str:
    """The same for 007, 7, 7.0 and 7,0, for true and WAHR, for 2026-05-13, 13.05.26 and
    05/13/2026, whatever the spaces and an apostrophe before."""
    text = plain(cell)
    if text.lower() in TRUE | FALSE:
        return str(text.lower() in TRUE)
    day, _, time = text.partition(" ")
    if (date := DATE.fullmatch(day)) and (not time or TIME.fullmatch(time)):
        # Nobody knows the order of day, month and year; of years two digits count.
        parts = sorted(int(date[k]) % 100 for k in (1, 3, 4))
        time = TIME.sub(lambda at: f"{int(at[1])}:{at[2]}", time)  # 9:05 and 09:05:00
        return f"{'-'.join(map(str, parts))} {time}"
    text = COMMA.sub(r"\1.\2", text)
    return repr(float(text)) if NUMBER.fullmatch(text) else text


def plain(cell: object) -> str:
    """Without an apostrophe before, and with single spaces."""
    return " ".join(str("" if cell is None else cell).split()).removeprefix("'")


def digest(lines: Iterable[str], length: int) -> str:
    """The first characters of a sum over lines."""
    return sha256("\n".join(lines).encode()).hexdigest()[:length]
