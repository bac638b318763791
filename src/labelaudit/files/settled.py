"""Second judgments in a file: repeated ones are left out, others settled or refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd

from .._words import percent, shown, warn
from .text import UnreadableError

PAIR = ["item", "rater"]


@dataclass
class Repeats:
    """Judgments of which some are a rater's second ones of an item.

    frame : item, rater, label, one row per judgment, numbered from 0
    at : where a row is, for a message
    how : "first", "last" or "drop", or None to refuse those that contradict each other
    """

    path: str
    frame: pd.DataFrame
    at: Callable[[int], str]
    how: str | None

    def once(self) -> pd.DataFrame:
        """Without repeated judgments; refused where others contradict each other."""
        given = self.frame[self.frame["label"].notna()]
        keep = "last" if self.how == "last" else "first"
        again = given.duplicated(keep=keep)
        kept = given[~again]
        differ = kept.duplicated(PAIR)
        if differ.any() and self.how is None:
            raise self._refused(given, int(differ[differ].index[0]))
        if again.any():
            later = given.duplicated()
            where = self.at(int(later[later].index[0])).rpartition(", ")[2]
            warn(
                f"rows of {self.path} that repeat an earlier judgment, counted once:"
                f" {int(again.sum())}, the first in {where}"
            )
        if differ.any():
            self._tell_of_themselves(given)
            pairs = int(kept[kept.duplicated(PAIR, keep=False)].groupby(PAIR).ngroups)
            done = {"drop": "all of them are left out"}
            warn(
                "pairs of rater and item whose judgments contradict each other:"
                f" {pairs}; {done.get(str(self.how), f'the {self.how} one is taken')}"
            )
        return self.frame.drop(index=again[again].index)

    def _tell_of_themselves(self, given: pd.DataFrame) -> None:
        """How often raters agree with themselves."""
        twice = given[given.duplicated(PAIR, keep=False)]
        groups = twice.groupby(PAIR, sort=False)["label"]
        size = groups.size()
        same = twice.groupby([*PAIR, "label"], sort=False).size()
        equal = (same * (same - 1)).groupby(level=PAIR).sum()
        share = float((equal / (size * (size - 1))).mean())
        warn(
            f"raters judged again: {len(size):,} pairs of rater and item, with the same"
            f" label as before in {percent(share)}"
        )

    def _refused(self, given: pd.DataFrame, row: int) -> UnreadableError:
        item, rater, label = given.loc[row, [*PAIR, "label"]]
        own = given[(given["item"] == item) & (given["rater"] == rater)]
        first = own.iloc[0]
        lines = [self.at(int(i)) for i in (first.name, row)]
        pairs = given[given.duplicated(PAIR, keep=False)].groupby(PAIR)["label"]
        differ = int((pairs.nunique() > 1).sum())
        return UnreadableError(
            f"{lines[1]}: a second judgment by rater {shown(rater)} on item"
            f" {shown(item)}, {shown(label)}; the first is {shown(first['label'])} in"
            f" {lines[0].rpartition(', ')[2]}; pairs of rater and item"
            f" with several judgments: {pairs.ngroups:,}, with different labels:"
            f" {differ:,}; settle these by --repeats first, last or drop"
        )
