"""Ratings from a table with one row per judgment."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from ..agreement.ratings import Ratings
from ..agreement.reading import index_of
from . import guesses, settled, shapes
from .judged import Judged
from .text import UnreadableError

ROLES = ("item", "rater", "label")


def roles(table: Judged) -> dict[str, str] | None:
    """The columns of rater and label, and of an item that is called so.

    None where the table is one with one row per item.
    """
    asked = table.asked
    if asked.is_wide:
        return None
    named = {"item": None, "rater": asked.rater, "label": asked.label}
    found = {key: table.find(name or key) for key, name in named.items()}
    for name in [*asked.item, *filter(None, named.values())]:
        table.column(name)
    item = asked.item[0] if asked.item else found["item"]
    found["item"] = item and table.find(item)
    absent = [key for key in ROLES if found[key] is None]
    anonymous = asked.split is not None and absent == ["rater"]
    if not absent or anonymous:
        return {key: name for key, name in found.items() if name is not None}
    objects = table.find(asked.label or "label")
    others = [n for n in table.frame if n not in (found["item"], found["rater"])]
    table.flat([objects] if objects else others)
    if found["rater"] is None and asked.rater is None:
        guesses.rater_files(table, found["item"], found["label"])
    if len(absent) < 2 or asked.rater or asked.label or asked.rater_file or asked.split:
        raise UnreadableError(
            f"{table.path} has no column {absent[0]!r}: if each"
            f" row is a judgment, name it by --{absent[0]}; if each row is an item,"
            f" name the raters' columns by --raters; its columns: {table.named}"
        )
    return None


def collected(table: Judged, found: dict[str, str]) -> dict[str, Any]:
    """The ratings, and what is told of each item."""
    asked = table.asked
    item = [table.column(name) for name in asked.item] or [found["item"]]
    if asked.split is not None:
        table.flat([*item, found["label"]])
        taken = {"rater": None} | found
        table.frame, anonymous = shapes.taken_apart(
            table.path, table.frame, taken, asked.split
        )
        if anonymous:
            return _anonymous(table, item, found["label"])
    rater, label = table.column(found.get("rater", "rater")), found["label"]
    _apart(table, item, rater, label)
    table.flat([*item, rater])
    items, raters = table.keys(item), table.whole(rater)
    judged = table.labels([label])[label]
    frame = pd.DataFrame({"item": items, "rater": raters.array, "label": judged.array})
    how: dict[str, Any] = {"labels": table.meaning.declared}
    if cluster := table.given(asked.cluster):
        each = table.one_each(cluster, "--cluster", items)
        frame["cluster"] = each.reindex(items).array
        how["cluster"] = "cluster"
    r = Ratings.from_long(frame, repeats=True, **how)
    if r.repeats:
        settles = asked.repeats is not None
        guesses.second_key(table, item, rater, [label, *_more(table)], settles)
        once = settled.Repeats(table.path, frame, table.at, asked.repeats).once()
        r = Ratings.from_long(once, repeats=asked.repeats or False, **how)
    return {"ratings": r} | table.told(items)


def _more(table: Judged) -> list[str | None]:
    asked = table.asked
    names = (asked.suggested, asked.model, asked.cluster, asked.gold)
    return [table.find(name) for name in names if name]


def _apart(table: Judged, item: list[str], rater: str, label: str) -> None:
    asked = table.asked
    roles = [*(("--item", name) for name in item), ("--rater", rater)]
    roles.append(("--label", label))
    for option in ("suggested", "model"):
        name = table.given(getattr(asked, option))
        table.apart([*roles, (f"--{option}", name)])
    gold = asked.gold and table.find(asked.gold)
    table.apart([*roles[: len(item)], ("--label", label), ("--gold", gold or None)])


def _anonymous(table: Judged, item: list[str], label: str) -> dict[str, Any]:
    """One row per judgment, by whom is not known."""
    items = table.keys(item)
    judged = table.labels([label])[label]
    known = judged.notna().to_numpy()
    codes, names = pd.factorize(items)
    of, labels = pd.factorize(judged[known])
    counts = np.zeros((len(names), len(labels)), dtype=int)
    np.add.at(counts, (codes[known], of), 1)
    frame = pd.DataFrame(counts, index_of(names), index_of(labels))
    clusters = None
    if cluster := table.given(table.asked.cluster):
        clusters = table.one_each(cluster, "--cluster", items)
    r = Ratings.from_counts(frame, labels=table.meaning.declared, clusters=clusters)
    return {"ratings": r} | table.told(items)
