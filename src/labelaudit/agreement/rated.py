"""Judgments of items by raters: what is in them, and parts of them."""

from collections.abc import Hashable, Iterable, Set as AnySet
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
import pandas as pd

from .. import _checks
from .._checks import Array
from .._words import plural, shown, text, warn
from . import reading

DENSE = 2**29  # cells of the largest table of counts that is built


@dataclass(frozen=True, eq=False)
class Judgments:
    """Judgments; all arrays of one length.

    item, label, rater are positions in the indexes of the Ratings (rater is None
    where raters are anonymous); count is how many judgments an entry stands for. Those
    of Ratings are in ascending order of item, within an item as they were given.
    """

    item: Array
    label: Array
    count: Array
    rater: Any  # Array, or None

    def __post_init__(self) -> None:
        for array in (self.item, self.label, self.count, self.rater):
            if array is not None:
                array.flags.writeable = False

    def __getitem__(self, rows: Any) -> Self:
        """Some of them."""
        rater = None if self.rater is None else self.rater[rows]
        return type(self)(self.item[rows], self.label[rows], self.count[rows], rater)

    def per(self, places: Array, size: int) -> Array:
        """Judgments at each place, of the place of each entry; whole numbers."""
        weights = self.count if self.rater is None else None  # a rater's count once
        return np.bincount(places, weights, size).astype(np.int64)


@dataclass(frozen=True, eq=False, repr=False)
class Rated:
    """What `Ratings` are, however they were built."""

    items: pd.Index
    raters: pd.Index | None
    labels: pd.Index
    judgments: Judgments
    declared: bool
    repeats: bool = False
    times: Array | None = None
    clusters: pd.Index | None = None

    @property
    def counts(self) -> Array:
        """Judgments per item, or pattern, and label: int (len(items), n_labels)."""
        n, q, j = len(self.items), len(self.labels), self.judgments
        if n * q > DENSE:
            raise MemoryError(
                f"a table of {n} items x {q} labels is too large to build; no"
                " coefficient needs it"
            )
        return j.per(j.item.astype(np.int64) * q + j.label, n * q).reshape(n, q)

    @property
    def n_items(self) -> int:
        """Number of items, also those that nobody judged."""
        return len(self.items) if self.times is None else int(self.times.sum())

    @property
    def n_ratings(self) -> int:
        """Number of judgments."""
        return int(self.standing @ self.per_item)

    def _dropped(self, lost: int, why: str) -> str:
        """What of these items takes no part; empty where everything does."""
        return f"{lost:,} of {self.n_items:,} items dropped: {why}" if lost else ""

    @cached_property
    def standing(self) -> Array:
        """How many items each of `items` is, (len(items),) of 1 but for patterns."""
        one_each = np.broadcast_to(1.0, len(self.items))  # without the memory
        return one_each if self.times is None else self.times

    @cached_property
    def per_item(self) -> Array:
        """Number of judgments on each item, or item of a pattern, (len(items),)."""
        number = self.judgments.per(self.judgments.item, len(self.items)).astype(float)
        number.flags.writeable = False
        return number

    def __repr__(self) -> str:
        labels = ", ".join(map(text, self.labels[:8]))
        if len(self.labels) > 8:
            labels += f" and {len(self.labels) - 8} more"
        who, empty = "anonymous raters", ""
        if self.raters is not None:
            who = plural(len(self.raters), "rater")
            cells = self.n_items * len(self.raters) - self.n_ratings
            if cells and not self.repeats:
                empty = f" ({plural(cells, 'cell')} empty)"
        items = plural(self.n_items, "item")
        if self.times is not None:
            items += f" in {plural(len(self.items), 'pattern')}"
        judgments = plural(self.n_ratings, "judgment")
        return f"Ratings: {items}, {who}, {judgments}{empty}, labels {labels}"

    def item_labels(self, name: str, given: Any) -> tuple[Array, list[Any]]:
        """One label for each item, as positions (-1: none) in the labels also given.

        A Series joins on items; any other sequence is in the order of the items.
        Unless labels were declared, those that no rater used follow after the last.

        Examples
        --------
        >>> import labelaudit as la
        >>> r = la.Ratings.from_matrix([["yes", "yes"], ["no", "no"]])
        >>> at, labels = r.item_labels("gold", ["no", "maybe"])
        >>> at.tolist(), labels
        ([0, 2], ['no', 'yes', 'maybe'])
        """
        _checks.text("name", name)
        if self.times is not None and isinstance(given, pd.Series):
            accepted = "one label for each pattern in order, a list or an array"
            raise _checks.refuse(name, "a Series, which joins on items", accepted)
        values = reading.of_items(name, given, self.items, "label")
        codes, found = reading.factorized(values, name)
        used, known = set(self.labels), [*self.labels]
        if not self.declared:
            known += [label for label in found if label not in used]
        at = reading.positions(
            name, codes, found, known, lambda row: f"item {shown(self.items[row])}"
        )
        if len(found) and used.isdisjoint(found):
            warn(
                f"no label of {name} ({shown(found[0])} ...) is a label of the ratings"
                f" ({shown(self.labels[0])} ...): check case and type"
            )
        return at, known

    # Parts of them ------------------------------------------------------------

    def collapsed(self, label: Hashable) -> Self:
        """The same judgments with two labels: `label` (True) and all others.

        >>> import labelaudit as la
        >>> la.Ratings.from_matrix([["a", "b"], ["c", "c"]]).collapsed("c")
        Ratings: 2 items, 2 raters, 4 judgments, labels False, True
        """
        at = _place("label", label, self.labels)
        j = replace(self.judgments, label=(self.judgments.label == at).astype(np.int32))
        labels = pd.Index([False, True])
        return replace(self, labels=labels, judgments=j, declared=True)

    def between(self, first: Hashable, second: Hashable) -> Self:
        """The judgments of two raters, of the items that one of them judged.

        >>> import labelaudit as la
        >>> la.Ratings.from_matrix([[1, 1, 2], [2, 1, 1]]).between(0, 2)
        Ratings: 2 items, 2 raters, 4 judgments, labels 1, 2
        """
        raters = self._known_raters("between")
        a, b = _place("first", first, raters), _place("second", second, raters)
        if a == b:
            raise _checks.refuse("second", second, "another rater than the first")
        by = self.judgments.rater
        rows = np.flatnonzero((by == a) | (by == b))
        part = self._part(rows, np.unique(self.judgments.item[rows]))
        j = replace(part.judgments, rater=(by[rows] == b).astype(np.int32))
        return replace(part, judgments=j, raters=raters[[a, b]])

    def on(self, items: Iterable[Any]) -> Self:
        """The judgments of some of the items.

        >>> import labelaudit as la
        >>> la.Ratings.from_matrix([[1, 1], [2, 1], [2, 2]]).on([0, 2])
        Ratings: 2 items, 2 raters, 4 judgments, labels 1, 2
        """
        accepted = "different items of these ratings, at least one"
        if not isinstance(items, (AnySet, pd.Index)):
            items = _checks.entries("items", items, accepted)
        wanted: Any = items if isinstance(items, pd.Index) else reading.index_of(items)
        at = np.array([-1])
        with suppress(TypeError):  # what cannot be a name
            at = np.sort(self.items.get_indexer(wanted))
        if (at < 0).any() or wanted.has_duplicates or len(at) == 0:
            raise _checks.refuse("items", list(wanted[:20]), accepted)
        return self._part(np.flatnonzero(np.isin(self.judgments.item, at)), at)

    def expanded(self) -> Self:
        """Items one by one, where patterns stand for them.

        >>> import labelaudit as la
        >>> la.Ratings.from_patterns([["a", "a"], ["a", "b"]], [3, 1]).expanded()
        Ratings: 4 items, 2 raters, 8 judgments, labels a, b
        """
        if self.times is None:
            return self
        j = self.judgments
        of = np.repeat(np.arange(len(self.items)), self.standing.astype(int))
        begin, end = (np.searchsorted(j.item, of, side) for side in ("left", "right"))
        item = np.repeat(np.arange(len(of)), end - begin)
        rows = np.arange(len(item)) + (end - np.cumsum(end - begin))[item]
        j = replace(j[rows], item=item)
        return replace(self, items=pd.RangeIndex(len(of)), judgments=j, times=None)

    def _part(self, rows: Array, items: Array) -> Self:
        """Some judgments, all of these items, positions in order."""
        j = self.judgments[rows]
        j = replace(j, item=np.searchsorted(items, j.item).astype(np.int32))
        times = None if self.times is None else self.times[items]
        clusters = None if self.clusters is None else self.clusters[items]
        kept = {"items": self.items[items], "times": times, "clusters": clusters}
        return replace(self, judgments=j, **kept)

    def _known_raters(self, name: str, instead: str = "") -> pd.Index:
        """The raters; ValueError where they are anonymous, with what needs them."""
        if self.raters is None:
            raise ValueError(
                f"{name} needs to know who judged what, got anonymous ratings"
                f" (from_counts); build them by from_matrix or from_long{instead}"
            )
        return self.raters


def _place(name: str, value: Any, known: pd.Index) -> int:
    """The position of a label or rater."""
    wanted = pd.Index(reading.objects([value]), dtype=object, tupleize_cols=False)
    with suppress(TypeError):  # a value that cannot be a label
        at = int(known.get_indexer(wanted)[0])
        if at >= 0:
            return at
    raise _checks.refuse(name, value, f"one of {list(known)[:20]}")
