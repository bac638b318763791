"""The ways in: what tables of judgments say, in the order of their rows and cells."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from .. import _checks
from .._checks import Array
from .._words import shown, warn
from . import clusters as clustering, reading
from .rated import Judgments, Rated

Labels = Iterable[Any] | None


def long(
    frame: Any, item: Any, rater: Any, label: Any, labels: Labels, cluster: Any
) -> Rated:
    """A table with one row per judgment; see `Ratings.from_long`."""
    if not isinstance(frame, pd.DataFrame):
        raise _checks.refuse("frame", frame, "a DataFrame, one row per judgment")
    together = isinstance(item, list) and len(item) > 0
    parts = [_column(frame, "item", name) for name in (item if together else [item])]
    who, said = _column(frame, "rater", rater), _column(frame, "label", label)
    of = None if cluster is None else _column(frame, "cluster", cluster)
    named = parts[0].array
    if together:
        for part in parts:
            reading.identities(part.array, "item")  # none is missing
        named = reading.objects(zip(*parts, strict=True))
    at, items = reading.identities(named, "item")
    by, raters = reading.identities(who.array, "rater")
    codes, index, declared = reading.encoded(
        said.array, labels, lambda row: f"row {row}", {said.dtype}
    )
    clusters = None if of is None else clustering.of_rows(of.array, at, items)
    j = Judgments(at, codes, np.broadcast_to(1.0, len(at)), by)
    return Rated(items, raters, index, j, declared, clusters=clusters)


def _column(frame: pd.DataFrame, name: str, column: Any) -> pd.Series:
    with suppress(TypeError):  # a value that cannot be a name
        if column in frame.columns and frame[column].ndim == 1:
            return frame[column]
    accepted = f"one of the columns {list(frame.columns)} with a name of its own"
    raise _checks.refuse(name, column, accepted)


def settled(r: Rated, repeats: bool | str) -> Rated:
    """Second judgments of an item by a rater: left out, kept, or refused."""
    raters = r._known_raters("frame")
    rows = np.flatnonzero(r.judgments.label >= 0)
    j = r.judgments[rows]
    pair = pd.Series(j.item.astype(np.int64) * len(raters) + j.rater)
    keep = {"last": "last", "drop": False}.get(str(repeats), "first")
    again = pair.duplicated(keep=keep).to_numpy()
    if not again.any():
        return r
    if isinstance(repeats, str):
        return replace(r, judgments=j[~again])
    if repeats:
        return replace(r, repeats=True)
    twice = pair.duplicated(keep=False)
    differ = pd.Series(j.label)[twice].groupby(pair[twice]).nunique() > 1
    what = "pair of rater and item" if len(differ) == 1 else "pairs of rater and item"
    how = f"in {differ.sum():,} of them different labels"
    at = int(np.argmax(again))
    rater, item = shown(raters[j.rater[at]]), shown(r.items[j.item[at]])
    raise ValueError(
        f"frame must have one judgment by a rater on an item, got {len(differ):,}"
        f" {what} with several judgments, {how if differ.any() else 'alike in each'}; a"
        f" second one by rater {rater} on item {item} is in row {rows[at]}"
        " (repeats='first', 'last' or 'drop' settles them; True keeps them for"
        " dawid_skene)"
    )


def matrix(name: str, table: Any, labels: Labels, clusters: Any = None) -> Rated:
    """Labels of items by raters; see `Ratings.from_matrix`."""
    values, items, raters, frame = reading.table_of(name, table, "n_raters")

    def place(cell: int) -> str:
        i, a = divmod(cell, len(raters))
        return f"row {i} (item {shown(items[i])}, rater {shown(raters[a])})"

    kinds = () if frame is None else {*frame.dtypes}
    codes, index, declared = reading.encoded(values.reshape(-1), labels, place, kinds)
    _warn_of_wrong_tables(values, codes.reshape(values.shape))
    row, column = (np.arange(n, dtype=np.int32) for n in values.shape)
    item, rater = np.repeat(row, len(column)), np.tile(column, len(row))
    j = Judgments(item, codes, np.broadcast_to(1.0, len(codes)), rater)
    of = None if clusters is None else clustering.of_items(clusters, items)
    return Rated(items, raters, index, j, declared, clusters=of)


def counts(name: str, table: Any, labels: Labels, clusters: Any = None) -> Rated:
    """Judgments of items by label; see `Ratings.from_counts`."""
    values, items, columns, frame = reading.table_of(name, table, "n_labels")
    numbers = _checks.counts(name, values, 0, _checks.LARGEST_COUNT)
    total, width = numbers.sum(dtype=float), len(columns)
    if total > _checks.LARGEST_COUNT:
        accepted = f"at most {_checks.LARGEST_COUNT:,} judgments in total"
        raise _checks.refuse(name, f"about {total:.4g}", accepted)
    position, index, declared = np.arange(width, dtype=np.int32), columns, False
    if frame is not None:
        where, kinds = "column {}".format, {columns.dtype}
        position, index, declared = reading.encoded(columns, labels, where, kinds)
    elif labels is not None:
        index, declared = reading.declared_labels(labels), True
        if len(index) != width:
            accepted = f"one label for each of the {width} columns of {name}"
            raise _checks.refuse("labels", [*index], accepted)
    cells = np.flatnonzero(numbers != 0)  # faster than of numbers
    item, column = np.divmod(cells, width)
    count = numbers.reshape(-1)[cells].astype(float)
    j = Judgments(item.astype(np.int32), position[column], count, None)
    of = None if clusters is None else clustering.of_items(clusters, items)
    return Rated(items, None, index, j, declared, clusters=of)


def often(times: Any, n: int) -> Array:
    """For how many items each of n patterns stands, (n,) floats of whole numbers."""
    accepted = f"a sequence of {n} whole numbers, one for each of the patterns"
    values = times.array if isinstance(times, pd.Series) else times
    values = reading.each("times", values, n, accepted, "of them")
    found = _checks.counts("times", values, 0, reading.MOST_ITEMS)
    total = sum(found.tolist())
    if total > reading.MOST_ITEMS:
        raise _checks.refuse("times", f"{total:,} items", "at most 2^53 items in all")
    times = found.astype(float)
    times.flags.writeable = False
    return times


def _warn_of_wrong_tables(values: Array, codes: Array) -> None:
    """The mistakes that most people make with tables of ratings."""
    n_items, n_raters = values.shape
    if n_raters >= max(8, 3 * n_items):
        warn(
            f"the matrix has {n_items} rows and {n_raters} columns: rows are items"
            " and columns are raters; transpose it if yours are the other way round"
        )
    if values.dtype == object and n_items >= 10 and n_raters >= 2:
        once = np.append(np.bincount(codes[codes >= 0]) == 1, False)
        for a in np.flatnonzero(once[codes].all(axis=0)):
            warn(
                f"column {a} of the matrix has another label in every row, none of them"
                " in other columns; if it names the items, make it the index"
                " (set_index)"
            )
    enough = n_raters >= 2 and (n_items >= 10 or (n_items >= 4 and n_raters >= 3))
    if enough and (codes >= 0).all() and _like_counts(values):
        warn(
            f"every row of the matrix adds up to {sum(values[0]):g}, as in a table of"
            " counts per item and label; if it is one, use Ratings.from_counts"
        )


def _like_counts(values: Array) -> bool:
    """Whether rows are different whole numbers with one sum, some of them 0."""
    numbers = values
    if {*map(type, values[0])} == {int}:  # as objects
        numbers = reading.index_of(values.flat).to_numpy().reshape(values.shape)
    if numbers.dtype.kind not in "iuf" or numbers.min() != 0:
        return False
    for rows in (numbers[:100], numbers):  # the first ones tell of most tables
        sums, whole = rows.sum(axis=1), (rows == np.floor(rows)).all()
        if not (whole and 1 < sums[0] <= _checks.LARGEST_COUNT) or np.ptp(sums):
            return False
    return bool((numbers != numbers[0]).any())
