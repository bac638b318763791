"""Ratings from files as people have them.

A file becomes a table of texts (`tables`), paths into objects become columns
(`nested`), rows are chosen and cells with several judgments taken apart, and columns
get their roles: of judgments, one row each, or of items (`wide`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from ..agreement.ratings import Ratings
from . import guesses, steps, wide
from .asked import Asked, condition_of, of_the_second
from .cells import DOUBTFUL, declared, parts, votes
from .columns import twins
from .judged import Judged
from .said import note
from .tables import headerless, tables
from .text import of_ticks, parsed

ROLES = ("item", "rater", "label")
PAIR = ["item", "rater"]


@dataclass(frozen=True)
class Collection:
    """Ratings from files; what was suggested, is right, and a model says, if known."""

    ratings: Ratings
    suggested: pd.Series | None = None
    gold: Any = None  # as la.accuracy takes it
    model: pd.Series | None = None


def collection(path: str | Path | Sequence[str | Path], **options: Any) -> Collection:
    """The ratings in files, and what else they say of the items.

    Parameters
    ----------
    path : str or Path, or several
        CSV, JSON or Parquet, as tables.table reads them; several are one table.
    options
        As `asked.Asked` has them; an item of one column may be its name.

    Raises
    ------
    UnreadableError
        Where the file cannot be read, looks like something else than what it would be
        read as, lacks a column that was named, has an item or rater that is missing, a
        second judgment by a rater on an item with another label, a rater whose labels
        no other has, a label that is no number or not among `labels`, two suggestions
        for an item (or gold labels, or labels by a model, or clusters), or one column
        in two roles.
    ValueError
        From Ratings.

    Warns
    -----
    UserWarning
        Where rows are repeated, or the header is, rows are numbered as items, the last
        row looks like sums, first or last rows are unlike all others, a label may mean
        that there is none, a text of `missing` is not there, a column or rater may be
        no rater, or a column may say to what items belong.
    """
    if isinstance(options.get("item"), str):
        options["item"] = [options["item"]]
    asked = Asked(**options)
    paths = [path] if isinstance(path, (str, Path)) else [*path]
    table = Judged(", ".join(map(str, paths)), tables(paths, asked), asked)
    headerless(table)
    table.frame = of_ticks(table.frame, asked.columns())
    names = [n for n in asked.columns() if n != asked.gold or not Path(n).is_file()]
    table.expand(names, whole=asked.split is not None)
    chosen(table)
    ignored = [table.find(name) for name in asked.ignored]
    table.frame = table.frame.drop(columns=[name for name in ignored if name])
    if table.frame.columns.empty:
        raise table.refused("no two")
    if asked.ours:
        table.asked = of_the_second(asked, table.find)
    if asked.table:
        return Collection(**wide.of_two(table))
    named = roles(table)
    found = collected(table, named) if named else wide.collected(table)
    if (name := table.named("cluster")) is not None:
        found["ratings"].clusters.name = name  # as reports call it
    return Collection(**found)


# One row per judgment --------------------------------------------------------------


def roles(table: Judged) -> dict[str, Any] | None:
    """The columns of rater and label, and of an item that is called so.

    None where the table is one with one row per item.
    """
    asked = table.asked
    if asked.raters or asked.counts or asked.times:  # then a row is an item
        return None
    named = zip(ROLES, ((*asked.item[:1], None)[0], asked.rater, asked.label))
    found = {k: table.column(name) if name else table.find(k) for k, name in named}
    absent = [key for key, name in found.items() if name is None]
    if not absent or (asked.split is not None and absent == ["rater"]):
        return found
    item, rater, label = found.values()
    if rater is None:
        guesses.rater_files(table, item, label)
    plain = item if item and not any(map(parsed, table.frame[item])) else None
    others = [name for name in table.frame if name not in (plain, rater)]
    table.flat([label] if label is not None else others)
    known = asked.rater or asked.label or asked.rater_file or asked.split
    if known or (len(absent) < 2 and not twins(table.frame, label)):
        if not (known or asked.item):
            guesses.long_rows(table)
        whole = absent == ["rater"] and table.frame[item].duplicated().any()
        whole = whole and not table.frame[label].str.contains(";").any()
        raise table.refused("no column, long", name=absent[0], anonymous=whole)
    return None


def collected(table: Judged, found: dict[str, Any]) -> dict[str, Any]:
    """The ratings, and what is told of each item."""
    asked, label = table.asked, table.everywhere(found["label"])
    item = [table.column(name) for name in asked.item] or [found["item"]]
    rater = found["rater"]
    if asked.split is not None:
        table.flat([*item, label])
        rater = taken_apart(table, rater, label, asked.split)
        chosen(table, apart=True)
    who = [] if rater is None else [table.column(rater)]
    roles = {"--item": item, "--rater": who, "--label": [label]}
    more = table.apart(roles, "suggested", "model", "gold")
    for rater in who:
        steps.marked_alike(table, item, rater, label)
    table.flat([*item, *who])
    frame = pd.DataFrame({"item": (items := table.keys(item))})
    # Those whom nobody names are told apart, for now.
    once_each = frame.groupby("item", sort=False).cumcount()
    frame["rater"] = table.whole(rater).array if rater else once_each
    frame["label"] = table.labels([label])[label].array
    lost = int(table.frame[label].isna().sum())
    if lost and "." in label:
        note("nothing at", n=lost, name=label)
    if rater is not None:
        guesses.raters(table, frame, rater)
    guesses.withdrawn(table, label)
    guesses.clusters(table, items, {*item, *who, label})
    how: dict[str, Any] = {"labels": declared(table)}
    if (clusters := table.clusters(items)) is not None:
        frame["cluster"] = clusters.reindex(items).array
        how["cluster"] = "cluster"
        more.add(str(table.named("cluster")))
    if rater and frame[frame["label"].notna()].duplicated(PAIR).any():
        guesses.second_key(table, item, rater, {label, *more})
        frame = once(table, frame)
    if rater:
        _without_empty(frame)
    r = Ratings.from_long(frame, repeats=asked.repeats or False, **how)
    if rater is None:
        counts = pd.DataFrame(r.counts, r.items, r.labels)
        r = Ratings.from_counts(counts, how["labels"], r.clusters)
    return {"ratings": r} | table.told(items)


def _without_empty(frame: pd.DataFrame) -> None:
    """Have no rater who gave no label; items stay, as another's without a label.

    frame : item, rater, label, one row per judgment
    """
    judging = frame["rater"][frame["label"].notna()].unique()
    empty = ~frame["rater"].isin(judging)
    if empty.any() and len(judging) > 1:
        note("no judgment", names=frame["rater"][empty].unique())
        frame.loc[empty, "rater"] = judging[0]


# Rows: chosen, taken apart, and once --------------------------------------------------


def chosen(table: Judged, apart: bool = False) -> None:
    """Keep the rows for which all of --where hold.

    apart : only what is said of parts of cells, which are taken apart now, or all else
    """
    for condition in table.asked.where:
        name, sign, value = condition_of(condition)
        if _in_step(table, name) != apart:
            continue
        cells = table.frame[table.everywhere(table.column(name))]
        has = cells.fillna("").astype(str).to_numpy() == value
        if sign == "!=" and not has.any():
            note("where", where=condition, value=value)
        kept = has if sign == "=" else ~has
        if not kept.any():
            seen = [*cells.dropna().unique()[:5]]
            told = {"name": name, "value": value, "where": condition}
            raise table.refused("where", all=sign == "!=", seen=seen, **told)
        table.frame = table.frame[kept]


def _in_step(table: Judged, name: str) -> bool:
    """Whether a column may have a part for each part of the label, as its status."""
    asked = table.asked
    label = f"{asked.label or 'label'}.".casefold()
    return asked.split is not None and name.casefold().startswith(label)


def taken_apart(table: Judged, rater: str | None, label: str, mark: str) -> str | None:
    """Make it one row per judgment; the column that says by whom, if one does.

    mark : between judgments in a cell
    """
    rows, raters, labels = list[int](), list[str | None](), list[str | None]()
    by = [None] * len(table.frame) if rater is None else table.frame[rater]
    said = {} if rater else votes(table.frame[label].dropna().unique(), mark)
    for k, (text, told) in enumerate(zip(table.frame[label], by)):
        given: Any = said.get(text) or parts(text, mark)
        who = parts(told, mark)
        if isinstance(given, dict):
            if rater is not None:
                path = f"{label}.{next(iter(given), 'KEY')}"
                raise table.refused("whose", k, rater=rater, label=path)
            who, given = [*given], [*given.values()]
        elif rater is None:
            who = [None]
        elif isinstance(who, dict):
            raise table.refused("no list of raters", k, seen=told)
        short = len(given) < len(who) or given[-1:] == [None]
        if rater is not None and short and who[-1:] == [None]:  # a mark at a cell's end
            who.pop()
        if len(given) > len(who) > 1 and given[-1] is None:
            given.pop()
        if len(who) not in (1, len(given)):
            raise table.refused("unequal", k, raters=len(who), labels=len(given))
        rows += [k] * len(given)
        raters += who * len(given) if len(who) == 1 else who  # one has them all
        labels += given
    whose = rater or ("rater" if any(raters) else None)
    along = dict[str, list[Any]]()
    for name in (name for name in table.frame if _in_step(table, name)):
        each = [parts(text, mark) for text in table.frame[name]]
        lists = not any(isinstance(cells, dict) for cells in each)
        if lists and [k for k, cells in enumerate(each) for _ in cells] == rows:
            along[name] = [one for cells in each for one in cells]
    table.spread(rows, along | {label: labels} | ({whose: raters} if whose else {}))
    return whose


# Second judgments ------------------------------------------------------------------


def once(table: Judged, frame: pd.DataFrame) -> pd.DataFrame:
    """Without repeated judgments; refused where others contradict each other.

    frame : item, rater, label, one row per judgment, numbered from 0
    """
    how, given = table.asked.repeats, frame[frame["label"].notna()]
    pair = given.groupby(PAIR, sort=False).ngroup()
    later = given.duplicated()
    again = given.duplicated(keep="last") if how == "last" else later
    differ = int((given["label"].groupby(pair).nunique() > 1).sum())
    if differ and how is None:
        row = given.index[pair.duplicated() & ~later][0]
        first = given[pair == pair[row]].iloc[0]
        told: dict[str, Any] = {"first": first["label"], "differ": differ}
        told["before"] = table.at(int(first.name)).rpartition(", ")[2]
        told["pairs"] = pairs = int((pair.value_counts() > 1).sum())
        labelled = str(given["label"][row]).lower() not in DOUBTFUL  # which is noted
        told["one_set"] = labelled and differ == pairs and table.asked.sets is None
        raise table.refused("second", row, **told, **given.loc[row, [*PAIR, "label"]])
    if again.any():
        where = table.at(int(given.index[later][0])).rpartition(", ")[2]
        note("repeated", at=table.path, times=int(again.sum()), where=where)
    if differ:
        note("dropped" if how == "drop" else "settled", pairs=differ, how=how)
    return frame.drop(index=given.index[again])
