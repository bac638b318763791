"""Rows of a table: chosen, taken apart where cells hold several judgments, and once.

Second judgments that repeat the first are left out, others settled or refused.
"""

from __future__ import annotations

from typing import Any

import pandas as pd

from .._words import percent, shown, warn
from . import guesses
from .asked import condition_of
from .judged import Judged
from .text import UnreadableError, cell, parsed, typed

PAIR = ["item", "rater"]


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
            if rater is not None:
                path = typed("--label", [f"{label}.{next(iter(given), 'KEY')}"])
                guesses.refuse(table.at(k), "whose", rater=shown(rater), way=path)
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


# Second judgments ------------------------------------------------------------------


def once(table: Judged, frame: pd.DataFrame) -> pd.DataFrame:
    """Without repeated judgments; refused where others contradict each other.

    frame : item, rater, label, one row per judgment, numbered from 0
    """
    how = table.asked.repeats  # None refuses those that contradict each other
    given = frame[frame["label"].notna()]
    again = given.duplicated(keep="last" if how == "last" else "first")
    kept = given[~again]
    differ = kept.duplicated(PAIR)
    if differ.any() and how is None:
        raise _refused(table, given, int(differ[differ].index[0]))
    if again.any():
        later = given.duplicated()
        where = table.at(int(later[later].index[0])).rpartition(", ")[2]
        warn(
            f"rows of {table.path} that repeat an earlier judgment, counted once:"
            f" {int(again.sum())}, the first in {where}"
        )
    if differ.any():
        _tell_of_themselves(given)
        pairs = int(kept[kept.duplicated(PAIR, keep=False)].groupby(PAIR).ngroups)
        done = (
            "all of them are left out" if how == "drop" else f"the {how} one is taken"
        )
        warn(
            "pairs of rater and item whose judgments contradict each other:"
            f" {pairs}; {done}"
        )
    return frame.drop(index=again[again].index)


def _tell_of_themselves(given: pd.DataFrame) -> None:
    """How often raters agree with themselves."""
    twice = given[given.duplicated(PAIR, keep=False)]
    size = twice.groupby(PAIR).size()
    same = twice.groupby([*PAIR, "label"]).size()
    equal = (same * (same - 1)).groupby(level=PAIR).sum()
    share = float((equal / (size * (size - 1))).mean())
    warn(
        f"raters judged again: {len(size):,} pairs of rater and item, with the same"
        f" label as before in {percent(share)}"
    )


def _refused(table: Judged, given: pd.DataFrame, row: int) -> UnreadableError:
    item, rater, label = given.loc[row, [*PAIR, "label"]]
    first = given[(given["item"] == item) & (given["rater"] == rater)].iloc[0]
    before = table.at(int(first.name)).rpartition(", ")[2]
    pairs = given[given.duplicated(PAIR, keep=False)].groupby(PAIR)["label"]
    differ = int((pairs.nunique() > 1).sum())
    sets = ""
    if differ == pairs.ngroups:
        sets = (
            "; if they are one judgment together, a set of labels, write it in one row"
        )
        sets += f" as {first['label']};{label}, and say --sets ';'"
    return UnreadableError(
        f"{table.at(row)}: a second judgment by rater {shown(rater)} on item"
        f" {shown(item)}, {shown(label)}; the first is {shown(first['label'])} in"
        f" {before}; pairs of rater and item with several judgments: {pairs.ngroups:,},"
        f" with different labels: {differ:,}; settle these by --repeats first, last or"
        f" drop{sets}"
    )
