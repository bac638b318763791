"""Ratings: who gave which label to which item.

One form for all coefficients: judgments in the order of their items, labels and
raters as positions in an index, and a count where judgments are anonymous.

A missing cell is no judgment; what coefficients do with items that have too few is
stated in `coefficients`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from .. import _checks
from .._checks import Array
from .._words import plural, quietly, shown, text
from . import again, clusters as clustering
from .reading import (
    counted_times,
    declared_labels,
    encoded,
    flattened,
    identities,
    objects,
    one_for_each,
    ones,
    place_of,
    positions,
    several,
    sorted_labels,
    table_of,
    warn_of_wrong_tables,
    where_counts_fail,
)

DENSE = 2**29  # cells of the largest table of counts that is built


@dataclass(frozen=True, eq=False)
class Judgments:
    """Judgments in ascending order of item; all arrays of one length.

    item, label, rater are positions in the indexes of the Ratings (rater is None
    where raters are anonymous); count is how many judgments an entry stands for.
    """

    item: Array
    label: Array
    count: Array
    rater: Array | None

    def __post_init__(self) -> None:
        for array in (self.item, self.label, self.count, self.rater):
            if array is not None:
                array.flags.writeable = False

    def __getitem__(self, rows: Any) -> Judgments:
        """Some of them."""
        rater = None if self.rater is None else self.rater[rows]
        return Judgments(self.item[rows], self.label[rows], self.count[rows], rater)

    @property
    def known_rater(self) -> Array:
        """rater, where it is certain that raters are not anonymous."""
        assert self.rater is not None
        return self.rater


@dataclass(frozen=True, eq=False, repr=False)
class Ratings:
    """Judgments of items by raters; missing ones are allowed.

    Built by `from_long`, `from_matrix`, `from_counts` or `from_patterns`.

    Attributes
    ----------
    items : Index of n_items
        Also those that nobody judged.
    raters : Index of n_raters, or None
        None where raters are anonymous (`from_counts`).
    labels : Index of n_labels
        As declared, else in the order of an ordered Categorical, else sorted.
    judgments : Judgments
        Every judgment, in the order of the items.
    declared : bool
        Whether the labels, and so their order, were declared.
    repeats : bool
        Whether a rater judged some item more than once.
    times : (n_items,) or None
        From `from_patterns`: for how many items each of `items` stands.
    clusters : Index of n_items, or None
        What each item belongs to: a document, a conversation.

    Notes
    -----
    NaN, None and pandas' NA are no judgment.

    Examples
    --------
    >>> import labelaudit as la
    >>> r = la.Ratings.from_matrix([["a", "a"], ["a", "b"], ["b", None]])
    >>> r
    Ratings: 3 items, 2 raters, 5 judgments (1 cell empty), labels a, b
    >>> r.counts
    array([[2, 0],
           [1, 1],
           [0, 1]])
    """

    items: pd.Index
    raters: pd.Index | None
    labels: pd.Index
    judgments: Judgments
    declared: bool
    repeats: bool = False
    times: Array | None = None
    clusters: pd.Index | None = None

    # Four ways in -------------------------------------------------------------

    @classmethod
    def from_long(
        cls,
        frame: pd.DataFrame,
        item: Hashable | list[Hashable] = "item",
        rater: Hashable = "rater",
        label: Hashable = "label",
        labels: Iterable[Any] | None = None,
        repeats: bool | str = False,
        cluster: Hashable = None,
    ) -> Ratings:
        """Ratings from a table with one row per judgment.

        Parameters
        ----------
        frame : DataFrame
            A missing label is no judgment; its item still counts as an item.
        item, rater, label : names of columns
            A list of columns names an item together: items are tuples.
        labels : iterable, optional
            The labels that there are, in their order.
        repeats : False, True, "first", "last" or "drop"
            What to do where a rater judged an item more than once: refuse it; keep
            all, which `dawid_skene` alone accepts; take the first or the last label
            in the order of rows; or leave out all judgments of such a pair.
        cluster : name of a column, optional
            What the items belong to, such as a document: the same in all rows of an
            item. Standard errors and intervals then leave out, and draw, clusters.

        Raises
        ------
        ValueError
            For a missing column, an item or rater that is missing in a row, a
            second judgment by the same rater on the same item that `repeats` does not
            settle, a label outside `labels`, labels of mixed types that are not
            declared, no judgment at all. The message names the row, counted from 0.

        Examples
        --------
        >>> import labelaudit as la
        >>> import pandas as pd
        >>> table = {"item": [1, 1, 2], "rater": list("xyx"), "label": list("aab")}
        >>> la.Ratings.from_long(pd.DataFrame(table))
        Ratings: 2 items, 2 raters, 3 judgments (1 cell empty), labels a, b
        """
        settle = repeats if isinstance(repeats, str) else None
        if settle not in (None, *again.SETTLED) or (
            settle is None and not isinstance(repeats, (bool, np.bool_))
        ):
            accepted = "False, True, 'first', 'last' or 'drop'"
            raise _checks.refuse("repeats", repeats, accepted)
        if not isinstance(frame, pd.DataFrame):
            raise _checks.refuse("frame", frame, "a DataFrame, one row per judgment")
        columns = {}
        together: list[Any] = item if isinstance(item, list) else []
        named: list[tuple[str, Any]] = [("item", name) for name in together or [item]]
        named += [("rater", rater), ("label", label)]
        named += [] if cluster is None else [("cluster", cluster)]
        for name, column in named:
            try:
                known = column in frame.columns
            except TypeError:  # a value that cannot be a name
                known = False
            if not known:
                accepted = f"one of the columns {list(frame.columns)}"
                raise _checks.refuse(name, column, accepted)
            columns[name] = frame[column]
            if columns[name].ndim != 1:
                raise _checks.refuse(name, column, "the name of one column, not of two")
            if name == "item" and together:
                identities(columns[name], "item")  # none is missing
        if together:
            rows = zip(*(frame[column] for column in together), strict=True)
            columns["item"] = pd.Series(objects(rows))
        if len(frame) == 0:
            raise _checks.refuse("frame", "no rows", "a table with a judgment")
        items, item_index = identities(columns["item"], "item")
        raters, rater_index = identities(columns["rater"], "rater")
        codes, label_index, declared = encoded(
            columns["label"].array, labels, lambda row: f"row {row}"
        )
        given = np.flatnonzero(codes >= 0)
        order = given
        if not (np.diff(items) >= 0).all():
            order = given[np.argsort(items[given], kind="stable")]
        j = Judgments(items[order], codes[order], ones(len(order)), raters[order])
        pair, size = again.pairs(j.item, j.known_rater, len(rater_index))
        repeated = bool((size > 1).any())
        if repeated and settle:  # rows are in their order within a pair
            j, repeated = j[again.kept(pair, size, settle)], False
        elif repeated and not repeats:
            row = int(order[again.second(pair)])
            raise ValueError(
                "frame must have one judgment by a rater on an item, got"
                f" {again.counted(pair, size, j.label)}; a second one by rater"
                f" {shown(rater_index[raters[row]])} on item"
                f" {shown(item_index[items[row]])} is in row {row} (repeats='first',"
                " 'last' or 'drop' settles them; True keeps them for dawid_skene)"
            )
        found = cls._checked(
            "frame", item_index, rater_index, label_index, j, declared, repeated
        )
        if cluster is None:
            return found
        column = columns["cluster"]
        entries = clustering.of_rows("cluster", column, items, item_index)
        return replace(found, clusters=entries)

    @classmethod
    def from_matrix(
        cls, matrix: Any, labels: Iterable[Any] | None = None, clusters: Any = None
    ) -> Ratings:
        """Ratings from a matrix of labels, one row per item, one column per rater.

        Parameters
        ----------
        matrix : DataFrame, array or sequence of rows, (n_items, n_raters)
            Missing judgments are NaN, None or pandas' NA. A DataFrame's index
            gives the items and its columns the raters; otherwise they are
            numbered from 0.
        labels : iterable, optional
            The labels that there are, in their order.
        clusters : Series or sequence, one entry for each item, optional
            What the items belong to, such as documents. A Series joins on items.

        Raises
        ------
        ValueError
            For another shape, repeated items or raters, a label outside `labels`,
            labels of mixed types that are not declared, no judgment at all.

        Warns
        -----
        UserWarning
            Where the matrix looks transposed, or like a table of counts.

        Examples
        --------
        >>> import labelaudit as la
        >>> la.Ratings.from_matrix([[1, 1], [2, None]], labels=[1, 2, 3])
        Ratings: 2 items, 2 raters, 3 judgments (1 cell empty), labels 1, 2, 3
        """
        found = cls._of_matrix("matrix", matrix, labels)
        return replace(found, clusters=clustering.of_items(clusters, found.items))

    @classmethod
    def _of_matrix(
        cls, name: str, matrix: Any, labels: Iterable[Any] | None
    ) -> Ratings:
        values, item_index, rater_index = table_of(name, matrix, "n_raters")
        n_items, n_raters = values.shape

        def place(cell: int) -> str:
            i, a = divmod(cell, n_raters)
            return (
                f"row {i} (item {shown(item_index[i])}, rater {shown(rater_index[a])})"
            )

        cells = flattened(matrix, values, labels is not None)
        codes, label_index, declared = encoded(cells, labels, place)
        warn_of_wrong_tables(values, codes.reshape(n_items, n_raters))
        items = np.repeat(np.arange(n_items, dtype=np.int32), n_raters)
        raters = np.tile(np.arange(n_raters, dtype=np.int32), n_items)
        if (codes < 0).any():
            given = np.flatnonzero(codes >= 0)
            items, raters, codes = items[given], raters[given], codes[given]
        j = Judgments(items, codes, ones(len(codes)), raters)
        return cls._checked(name, item_index, rater_index, label_index, j, declared)

    @classmethod
    def from_counts(
        cls, counts: Any, labels: Iterable[Any] | None = None, clusters: Any = None
    ) -> Ratings:
        """Ratings from the number of judgments per item and label.

        Parameters
        ----------
        counts : DataFrame, array or sequence of rows, (n_items, n_labels)
            Whole numbers of at least 0. A DataFrame's index gives the items and
            its columns the labels; otherwise they are numbered from 0. Raters are
            anonymous.
        labels : iterable, optional
            Names of the columns in their order; for a DataFrame the labels that
            there are, which its columns must be among.
        clusters : Series or sequence, one entry for each item, optional
            What the items belong to, such as documents. A Series joins on items.

        Raises
        ------
        ValueError
            For another shape, a count that is negative, fractional or missing,
            no judgment at all, labels that do not fit.

        Examples
        --------
        >>> import labelaudit as la
        >>> la.Ratings.from_counts([[3, 0], [1, 2]], labels=["yes", "no"])
        Ratings: 2 items, anonymous raters, 6 judgments, labels yes, no
        """
        found = cls._of_counts("counts", counts, labels)
        return replace(found, clusters=clustering.of_items(clusters, found.items))

    @classmethod
    def _of_counts(
        cls, name: str, counts: Any, labels: Iterable[Any] | None
    ) -> Ratings:
        values, item_index, columns = table_of(name, counts, "n_labels")
        n_columns = len(columns)
        try:
            numbers = _checks.counts(name, values, 0, _checks.LARGEST_COUNT)
        except ValueError as error:
            raise ValueError(f"{error}{where_counts_fail(values)}") from None
        if numbers.sum(dtype=float) > _checks.LARGEST_COUNT:
            accepted = f"at most {_checks.LARGEST_COUNT:,} judgments in total"
            about = f"about {numbers.sum(dtype=float):.4g}"
            raise _checks.refuse(name, about, accepted)
        label_index, declared = columns, labels is not None
        position = np.arange(n_columns, dtype=np.int32)
        if labels is not None:
            label_index = declared_labels(labels)
            if isinstance(counts, pd.DataFrame):
                position = positions(columns, label_index, lambda c: f"column {c}")
            elif len(label_index) != n_columns:
                accepted = f"one label for each of the {n_columns} columns of {name}"
                raise _checks.refuse("labels", list(label_index), accepted)
        elif isinstance(columns, pd.CategoricalIndex) and columns.ordered:
            label_index, declared = columns.categories, True
            position = columns.codes.astype(np.int32)
        elif isinstance(counts, pd.DataFrame):
            label_index, position = sorted_labels(pd.Index(list(columns)))
        flat = numbers.reshape(-1)
        cells = np.flatnonzero(flat)
        items, where = np.divmod(cells, n_columns)
        count = flat[cells].astype(float)
        j = Judgments(items.astype(np.int32), position[where], count, None)
        return cls._checked(name, item_index, None, label_index, j, declared)

    @classmethod
    def from_patterns(
        cls,
        patterns: Any,
        times: Any,
        labels: Iterable[Any] | None = None,
        raters: bool = True,
    ) -> Ratings:
        """Ratings from the different ways in which items were judged, and how often.

        A coefficient needs no more than that, and any database can count it: group by
        the raters' columns, and count the rows.

        Parameters
        ----------
        patterns : DataFrame, array or sequence of rows
            As for `from_matrix`, (n_patterns, n_raters); without `raters` as for
            `from_counts`, (n_patterns, n_labels). The same pattern may be there twice.
            Names of rows are ignored.
        times : sequence of n_patterns
            How many items were judged so: whole numbers of at least 0, in all at most
            2^53. A Series has the index of `patterns` where these are a DataFrame.
        labels : iterable, optional
            The labels that there are, in their order.
        raters : bool
            Whether patterns have one column per rater, rather than per label.

        Returns
        -------
        Ratings
            `items` numbers the patterns; values, standard errors and intervals are
            those of the items that they stand for, and `n_items`, `n_ratings` count
            these. What is told of each item, such as `Agreement.without`, has one row
            per pattern.

        Raises
        ------
        ValueError
            As for `from_matrix` and `from_counts`; for times that are fractional,
            negative or too many, of another number than patterns, or 0 wherever there
            is a judgment.

        Examples
        --------
        >>> import labelaudit as la
        >>> judged = [["yes", "yes"], ["yes", "no"], ["no", "no"]]
        >>> r = la.Ratings.from_patterns(judged, [60_000_000, 10_000_000, 30_000_000])
        >>> r.n_items, round(la.cohen_kappa(r).value, 4)
        (100000000, 0.7826)
        """
        _checks.switch("raters", raters)
        read = cls._of_matrix if raters else cls._of_counts
        whole = isinstance(patterns, pd.DataFrame)
        table = patterns.reset_index(drop=True) if whole else patterns
        with quietly():  # two patterns need not look like two items
            r = read("patterns", table, labels)
        known = whole and isinstance(times, pd.Series)
        if known and not times.index.equals(patterns.index):
            accepted = "a Series with the index of patterns"
            raise _checks.refuse("times", f"the index {[*times.index[:3]]}", accepted)
        often = counted_times(times, len(r.items), r.per_item)
        return r._standing_for(often)

    def _standing_for(self, times: Array) -> Ratings:
        """These items as patterns; without what patterns say that no item has."""
        j = self.judgments[np.flatnonzero(times[self.judgments.item] > 0)]
        labels = self.labels
        if self.raters is not None and not self.declared:
            used = np.unique(j.label)
            labels = labels[used]
            j = replace(j, label=np.searchsorted(used, j.label).astype(np.int32))
        items = pd.RangeIndex(len(times))
        return replace(self, items=items, labels=labels, judgments=j, times=times)

    @classmethod
    def _checked(
        cls,
        name: str,
        items: pd.Index,
        raters: pd.Index | None,
        labels: pd.Index,
        judgments: Judgments,
        declared: bool,
        repeats: bool = False,
    ) -> Ratings:
        if len(judgments.item) == 0:
            accepted = "a table with at least one judgment, a label that is given"
            raise _checks.refuse(name, "none", accepted)
        return cls(items, raters, labels, judgments, declared, repeats)

    # What is in them ----------------------------------------------------------

    @property
    def counts(self) -> Array:
        """Judgments per item and label: int array (n_items, n_labels)."""
        shape = len(self.items), len(self.labels)
        if shape[0] * shape[1] > DENSE:
            raise MemoryError(
                f"a table of {shape[0]} items x {shape[1]} labels is too large to"
                " build; no coefficient needs it"
            )
        j = self.judgments
        cell = j.item.astype(np.int64) * shape[1] + j.label
        size = shape[0] * shape[1]
        if self.raters is not None:
            return np.bincount(cell, minlength=size).reshape(shape)
        return np.bincount(cell, j.count, size).astype(np.int64).reshape(shape)

    @property
    def n_items(self) -> int:
        """Number of items, also those that nobody judged."""
        return len(self.items) if self.times is None else int(self.times.sum())

    @cached_property
    def n_ratings(self) -> int:
        """Number of judgments."""
        if self.times is not None:
            return int(self.times @ self.per_item)
        if self.raters is not None:
            return len(self.judgments.item)
        return int(self.judgments.count.sum())

    @cached_property
    def standing(self) -> Array:
        """How many items each of `items` is, (n_items,) of 1 but for patterns."""
        return ones(len(self.items)) if self.times is None else self.times

    @cached_property
    def per_item(self) -> Array:
        """Number of judgments on each item, (n_items,)."""
        j = self.judgments
        weights = None if self.raters is not None else j.count
        number = np.bincount(j.item, weights, len(self.items)).astype(float)
        number.flags.writeable = False
        return number

    @cached_property
    def complete(self) -> bool:
        """Whether every item has judgments by all raters, in the same order."""
        given = len(self.judgments.item)
        if self.raters is None or given != len(self.items) * len(self.raters):
            return False
        rows = self.judgments.known_rater.reshape(len(self.items), -1)
        return bool((rows == rows[0]).all())

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

    # Parts of them ------------------------------------------------------------

    def collapsed(self, label: Hashable) -> Ratings:
        """The same judgments with two labels: `label` (True) and all others.

        >>> import labelaudit as la
        >>> la.Ratings.from_matrix([["a", "b"], ["c", "c"]]).collapsed("c")
        Ratings: 2 items, 2 raters, 4 judgments, labels False, True
        """
        at = place_of("label", label, self.labels)
        is_it = (self.judgments.label == at).astype(np.int32)
        j = replace(self.judgments, label=is_it)
        labels = pd.Index([False, True])
        return replace(self, labels=labels, judgments=j, declared=True)

    def between(self, first: Hashable, second: Hashable) -> Ratings:
        """The judgments of two raters, of the items that one of them judged.

        >>> import labelaudit as la
        >>> la.Ratings.from_matrix([[1, 1, 2], [2, 1, 1]]).between(0, 2)
        Ratings: 2 items, 2 raters, 4 judgments, labels 1, 2
        """
        if self.raters is None:
            raise ValueError(NEEDS_RATERS.format(name="between"))
        pair = [
            place_of("first", first, self.raters),
            place_of("second", second, self.raters),
        ]
        if pair[0] == pair[1]:
            raise _checks.refuse("second", second, "another rater than the first")
        start, order = self._by_rater
        rows = np.sort(np.concatenate([order[start[a] : start[a + 1]] for a in pair]))
        j = self.judgments[rows]
        judged, item = np.unique(j.item, return_inverse=True)
        second_one = (j.known_rater == pair[1]).astype(np.int32)
        j = replace(j, item=item, rater=second_one)
        items, raters = self.items[judged], self.raters[pair]
        part = replace(self, items=items, raters=raters, judgments=j)
        return part._of_these(judged)

    def on(self, items: Iterable[Any]) -> Ratings:
        """The judgments of some of the items.

        >>> import labelaudit as la
        >>> la.Ratings.from_matrix([[1, 1], [2, 1], [2, 2]]).on([0, 2])
        Ratings: 2 items, 2 raters, 4 judgments, labels 1, 2
        """
        at, place = _chosen("items", items, self.items)
        of = place[self.judgments.item]
        rows = np.flatnonzero(of >= 0)
        part = replace(self.judgments[rows], item=of[rows])
        return replace(self, items=self.items[at], judgments=part)._of_these(at)

    def _of_these(self, at: Array) -> Ratings:
        """With the times and the clusters of these items only."""
        times = None if self.times is None else self.times[at]
        clusters = None if self.clusters is None else self.clusters[at]
        return replace(self, times=times, clusters=clusters)

    def expanded(self) -> Ratings:
        """Items one by one, where patterns stand for them.

        >>> import labelaudit as la
        >>> la.Ratings.from_patterns([["a", "a"], ["a", "b"]], [3, 1]).expanded()
        Ratings: 4 items, 2 raters, 8 judgments, labels a, b
        """
        if self.times is None:
            return self
        j, of = (
            self.judgments,
            np.repeat(np.arange(len(self.items)), self.pattern_sizes),
        )
        size = np.bincount(j.item, minlength=len(self.items))
        begin, number = (np.cumsum(size) - size)[of], size[of]
        first = np.cumsum(number) - number
        rows = np.arange(number.sum()) + np.repeat(begin - first, number)
        part = replace(j[rows], item=np.repeat(np.arange(len(of)), number))
        items = pd.RangeIndex(len(of))
        return replace(self, items=items, judgments=part, times=None)

    @property
    def pattern_sizes(self) -> Array:
        """How many items each of `items` is, as whole numbers."""
        return self.standing.astype(np.int64)

    def by(self, raters: Iterable[Any]) -> Ratings:
        """The judgments of some of the raters, on all items.

        >>> import labelaudit as la
        >>> la.Ratings.from_matrix([[1, 1, 2], [2, 1, 2]]).by([0, 2])
        Ratings: 2 items, 2 raters, 4 judgments, labels 1, 2
        """
        if self.raters is None:
            raise ValueError(NEEDS_RATERS.format(name="by"))
        at, place = _chosen("raters", raters, self.raters)
        of = place[self.judgments.known_rater]
        rows = np.flatnonzero(of >= 0)
        if len(rows) == 0:
            seen = list(self.raters[at][:20])
            raise _checks.refuse("raters", seen, "raters with a judgment")
        part = replace(self.judgments[rows], rater=of[rows])
        return replace(self, raters=self.raters[at], judgments=part)

    @cached_property
    def _by_rater(self) -> tuple[Array, Array]:
        """Judgments in the order of raters, and where each rater's begin."""
        assert self.raters is not None
        rater = self.judgments.known_rater
        order = np.argsort(rater, kind="stable")
        start = np.searchsorted(rater, np.arange(len(self.raters) + 1), sorter=order)
        return start, order

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
        if self.times is not None and isinstance(given, pd.Series):
            accepted = "one label for each pattern in order, a list or an array"
            raise _checks.refuse(name, "a Series, which joins on items", accepted)
        return one_for_each(name, given, self.items, self.labels, self.declared)


NEEDS_RATERS = (
    "{name} needs to know who judged what, got anonymous ratings (from_counts);"
    " build them by from_matrix or from_long"
)


NO_JOIN = (
    "{name} must have items that can be told apart, got ratings from_patterns, whose"
    " items are counted and not named"
)


def _chosen(name: str, given: Any, known: pd.Index) -> tuple[Array, Array]:
    """Some items or raters: where they are, in order, and where each goes, -1: lost."""
    wanted = given if isinstance(given, pd.Index) else several(name, given)
    at = np.sort(known.get_indexer(wanted))
    if (at < 0).any() or wanted.has_duplicates or len(wanted) == 0:
        accepted = f"different {name} of these ratings, at least one"
        raise _checks.refuse(name, list(wanted[:20]), accepted)
    place = np.full(len(known), -1, dtype=np.int32)
    place[at] = np.arange(len(at))
    return at, place
