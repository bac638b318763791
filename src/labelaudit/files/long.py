"""Ratings from a table with one row per judgment."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from ..agreement.ratings import Ratings
from ..agreement.reading import index_of
from . import guesses, rows
from .cells import declared
from .judged import Judged
from .said import note, refused

ROLES = ("item", "rater", "label")


def roles(table: Judged) -> dict[str, str] | None:
    """The columns of rater and label, and of an item that is called so.

    None where the table is one with one row per item.
    """
    asked = table.asked
    if asked.is_wide:
        return None
    given = (*asked.item[:1], None)[0], asked.rater, asked.label
    named = {key: table.column(name) for key, name in zip(ROLES, given) if name}
    there = {key: table.find(key) for key in ROLES if key not in named}
    found = named | {key: name for key, name in there.items() if name is not None}
    absent = [key for key in ROLES if key not in found]
    if not absent or (asked.split is not None and absent == ["rater"]):
        return found
    item, rater, label = map(found.get, ROLES)
    if rater is None:
        guesses.rater_files(table, item, label)
    others = [name for name in table.frame if name not in (item, rater)]
    table.flat([label] if label is not None else others)
    known = asked.rater or asked.label or asked.rater_file or asked.split
    if len(absent) < 2 or known:
        raise refused("no column, long", at=table.path, name=absent[0], has=table.frame)
    return None


def collected(table: Judged, found: dict[str, str]) -> dict[str, Any]:
    """The ratings, and what is told of each item."""
    asked, label = table.asked, found["label"]
    item = [table.column(name) for name in asked.item] or [found["item"]]
    if asked.split is not None:
        table.flat([*item, label])
        if rows.taken_apart(table, found.get("rater"), label, asked.split):
            return _anonymous(table, item, label)
    rater = table.column(found.get("rater", "rater"))
    named = [*(("--item", name) for name in item), ("--rater", rater)]
    more = table.apart([*named, ("--label", label)], "suggested", "model", "gold")
    guesses.in_step(table, rater, label)
    table.flat([*item, rater])
    items, raters = table.keys(item), table.whole(rater)
    judged = table.labels([label])[label]
    lost = int(table.frame[label].isna().sum())
    if lost and "." in label:
        note("nothing at", n=lost, name=label)
    guesses.withdrawn(table, label)
    guesses.clusters(table, items, {*item, rater, label})
    frame = pd.DataFrame({"item": items, "rater": raters.array, "label": judged.array})
    how: dict[str, Any] = {"labels": declared(table.path, asked)}
    if (clusters := table.clusters(items)) is not None:
        frame["cluster"] = clusters.reindex(items).array
        how["cluster"] = "cluster"
        more.add(str(table.named("cluster")))
    if frame[frame["label"].notna()].duplicated(["item", "rater"]).any():
        guesses.second_key(table, item, rater, {label, *more})
        frame = rows.once(table, frame)
    r = Ratings.from_long(frame, repeats=asked.repeats or False, **how)
    return {"ratings": r} | table.told(items)


def _anonymous(table: Judged, item: list[str], label: str) -> dict[str, Any]:
    """One row per judgment, by whom is not known."""
    items, judged = table.keys(item), table.labels([label])[label]
    codes, names = pd.factorize(items)
    of, labels = pd.factorize(judged)
    guesses.clusters(table, items, {*item, label})
    counts = np.zeros((len(names), len(labels) + 1), dtype=int)
    np.add.at(counts, (codes, of), 1)  # the last column has those without a label
    frame = pd.DataFrame(counts[:, :-1], index_of(names), index_of(labels))
    how = {
        "labels": declared(table.path, table.asked),
        "clusters": table.clusters(items),
    }
    return {"ratings": Ratings.from_counts(frame, **how)} | table.told(items)
