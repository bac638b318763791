"""Rows of a table: chosen, taken apart where cells hold several judgments, and once.

Second judgments that repeat the first are left out, others settled or refused.
"""

from __future__ import annotations

import pandas as pd

from .asked import condition_of
from .cells import parts
from .judged import Judged
from .said import note, refused
from .text import UnreadableError

PAIR = ["item", "rater"]


def chosen(table: Judged) -> None:
    """Keep the rows for which all of --where hold."""
    for condition in table.asked.where:
        name, sign, value = condition_of(condition)
        cells = table.frame[table.column(name)]
        has = cells.fillna("").astype(str).to_numpy() == value
        if sign == "!=" and not has.any():
            note("where", where=condition, value=value)
        kept = has if sign == "=" else ~has
        if not kept.any():
            seen = ", ".join(repr(one) for one in cells.dropna().unique()[:5])
            rows = "no row has" if sign == "=" else "all rows have"
            found = {"value": value, "name": name, "where": condition, "seen": seen}
            raise refused("where", at=table.path, rows=rows, **found)
        table.frame = table.frame[kept]


def taken_apart(table: Judged, rater: str | None, label: str, separator: str) -> bool:
    """Make it one row per judgment; whether nobody says whose they are."""
    frame = table.frame
    rows: list[int] = []
    raters: list[str | None] = []
    labels: list[str | None] = []
    for k, text in enumerate(frame[label]):
        given = parts(text, separator) if text else []
        who = [None] * len(given)
        if isinstance(given, dict):
            if rater is not None:
                path = f"{label}.{next(iter(given), 'KEY')}"
                raise refused("whose", at=table.at(k), rater=rater, label=path)
            who, given = [*given], [*given.values()]
        elif rater is not None:
            told = frame[rater].iloc[k]
            who = parts(told, separator) if told else []
            if isinstance(who, dict):
                raise refused("no list of raters", at=table.at(k), seen=told)
            if len(who) not in (1, len(given)):
                sizes = {"raters": len(who), "labels": len(given)}
                raise refused("unequal", at=table.at(k), **sizes)
            who = who * len(given) if len(who) == 1 else who  # one has them all
        rows += [k] * len(given)
        raters += who
        labels += given
    named = rater is not None or any(raters)
    apart = frame.iloc[rows].copy()
    apart[label] = pd.Series(labels, index=apart.index, dtype=object)
    if named:
        apart[rater or "rater"] = pd.Series(raters, index=apart.index, dtype=object)
    table.frame = apart
    return not named


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
        note("repeated", at=table.path, times=int(again.sum()), where=where)
    if differ.any():
        pairs = int(kept[kept.duplicated(PAIR, keep=False)].groupby(PAIR).ngroups)
        note("dropped" if how == "drop" else "settled", pairs=pairs, how=how)
    return frame.drop(index=again[again].index)


def _refused(table: Judged, given: pd.DataFrame, row: int) -> UnreadableError:
    item, rater, label = given.loc[row, [*PAIR, "label"]]
    first = given[(given["item"] == item) & (given["rater"] == rater)].iloc[0]
    before = table.at(int(first.name)).rpartition(", ")[2]
    pairs = given[given.duplicated(PAIR, keep=False)].groupby(PAIR)["label"]
    differ = int((pairs.nunique() > 1).sum())
    told = {"item": item, "rater": rater, "label": label, "first": first["label"]}
    told |= {"before": before, "pairs": pairs.ngroups, "differ": differ}
    one_set = differ == pairs.ngroups and table.asked.sets is None
    name = "second, a set" if one_set else "second"
    return refused(name, at=table.at(row), **told)
