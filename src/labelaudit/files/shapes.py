"""Rows that are chosen, and cells that hold several judgments, taken apart."""

from __future__ import annotations

from typing import Any

import pandas as pd

from .._words import warn
from .asked import condition_of
from .judged import Judged
from .text import UnreadableError, cell, parsed


def chosen(table: Judged) -> None:
    """Keep the rows for which all of --where hold."""
    for condition in table.asked.where:
        name, sign, value = condition_of(condition)
        cells = table.frame[table.column(name)]
        has = cells.fillna("").astype(str).to_numpy() == value
        if sign == "!=" and not has.any():
            warn(f"--where {condition} leaves out no row: none has {value!r} there")
        kept = has if sign == "=" else ~has
        if not kept.any():
            seen = ", ".join(repr(one) for one in cells.dropna().unique()[:5])
            rows = "no row has" if sign == "=" else "all rows have"
            raise UnreadableError(
                f"{table.path}: {rows} {value!r} in the column {name!r}, so that"
                f" --where {condition} leaves none; it has {seen}"
            )
        table.frame = table.frame[kept]


def taken_apart(table: Judged, rater: str | None, label: str, separator: str) -> bool:
    """Make it one row per judgment; whether nobody says whose they are."""
    frame, named = table.frame, rater is not None
    rows: list[int] = []
    raters: list[str | None] = []
    labels: list[str | None] = []
    for k, text in enumerate(frame[label]):
        given = _parts(text, separator)
        if isinstance(given, dict):
            named = True
            who, given = [*given], [*given.values()]
        elif rater is None:
            who = [None] * len(given)
        else:
            who = _whose(table, k, frame[rater].iloc[k], len(given), separator)
        rows += [k] * len(given)
        raters += who
        labels += given
    apart = frame.iloc[rows].copy()
    apart[label] = pd.Series(labels, index=apart.index, dtype=object)
    if named:
        apart[rater or "rater"] = pd.Series(raters, index=apart.index, dtype=object)
    table.frame = apart
    return not named


def _whose(table: Judged, row: int, text: Any, size: int, separator: str) -> list[Any]:
    """The rater of each of several labels; one has them all."""
    who = _parts(text, separator)
    if isinstance(who, dict):
        raise UnreadableError(
            f"{table.at(row)}: a list of raters is wanted, got {text!r}"
        )
    if len(who) not in (1, size):
        raise UnreadableError(f"{table.at(row)}: {len(who)} raters and {size} labels")
    return who * size if len(who) == 1 else who


def _parts(text: Any, separator: str) -> Any:
    """The parts of a cell: a list of texts, or an object of raters and labels."""
    if text is None or text != text:
        return []
    found = parsed(text)
    if isinstance(found, dict):
        return {key: cell(value) for key, value in found.items()}
    if isinstance(found, list):
        return [cell(value) for value in found]
    return [part.strip() or None for part in text.split(separator)]
