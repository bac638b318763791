"""Second judgments in a file: repeated ones are left out, others settled or refused."""

from __future__ import annotations

import pandas as pd

from .._words import percent, shown, warn
from .judged import Judged
from .text import UnreadableError

PAIR = ["item", "rater"]


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
    return UnreadableError(
        f"{table.at(row)}: a second judgment by rater {shown(rater)} on item"
        f" {shown(item)}, {shown(label)}; the first is {shown(first['label'])} in"
        f" {before}; pairs of rater and item with several judgments: {pairs.ngroups:,},"
        f" with different labels: {differ:,}; settle these by --repeats first, last or"
        " drop"
    )
