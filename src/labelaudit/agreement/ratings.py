"""Ratings: who gave which label to which item.

One form for all coefficients: judgments in the order of their items, labels and
raters as positions in an index, and a count where judgments are anonymous.

A missing cell is no judgment; what coefficients do with items that have too few is
stated in `coefficients`.
"""

from __future__ import annotations

import contextlib
import decimal
import sys
import warnings
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from numbers import Number
from typing import Any

import numpy as np
import pandas as pd

from .. import _checks
from ..laws.law import Array

SEQUENCES = (Sequence, np.ndarray, pd.Index, pd.api.extensions.ExtensionArray)
LONGEST = 4096  # bits of a whole number: longer ones cannot be printed
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

    @property
    def known_rater(self) -> Array:
        """rater, where it is certain that raters are not anonymous."""
        assert self.rater is not None
        return self.rater


@dataclass(frozen=True, eq=False, repr=False)
class Ratings:
    """Judgments of items by raters; missing ones are allowed.

    Built by `from_long`, `from_matrix` or `from_counts`.

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

    # Three ways in ------------------------------------------------------------

    @classmethod
    def from_long(
        cls,
        frame: pd.DataFrame,
        item: Hashable = "item",
        rater: Hashable = "rater",
        label: Hashable = "label",
        labels: Iterable[Any] | None = None,
        repeats: bool = False,
    ) -> Ratings:
        """Ratings from a table with one row per judgment.

        Parameters
        ----------
        frame : DataFrame
            A missing label is no judgment; its item still counts as an item.
        item, rater, label : names of columns
        labels : iterable, optional
            The labels that there are, in their order.
        repeats : bool
            Keep further judgments by the same rater on the same item. Only
            `dawid_skene` accepts such ratings.

        Raises
        ------
        ValueError
            For a missing column, an item or rater that is missing in a row, a
            second judgment by the same rater on the same item, a label outside
            `labels`, labels of mixed types that are not declared, no judgment at
            all. The message names the row, counted from 0.

        Examples
        --------
        >>> import labelaudit as la
        >>> import pandas as pd
        >>> table = {"item": [1, 1, 2], "rater": list("xyx"), "label": list("aab")}
        >>> la.Ratings.from_long(pd.DataFrame(table))
        Ratings: 2 items, 2 raters, 3 judgments (1 cell empty), labels a, b
        """
        _checks.switch("repeats", repeats)
        if not isinstance(frame, pd.DataFrame):
            raise _checks.refuse("frame", frame, "a DataFrame, one row per judgment")
        columns = {}
        for name, column in (("item", item), ("rater", rater), ("label", label)):
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
        if len(frame) == 0:
            raise _checks.refuse("frame", "no rows", "a table with a judgment")
        items, item_index = _identities(columns["item"], "item")
        raters, rater_index = _identities(columns["rater"], "rater")
        codes, label_index, declared = _encode(
            columns["label"].array, labels, lambda row: f"row {row}"
        )
        given = np.flatnonzero(codes >= 0)
        order = given
        if not (np.diff(items) >= 0).all():
            order = given[np.argsort(items[given], kind="stable")]
        j = Judgments(items[order], codes[order], _one(len(order)), raters[order])
        again = _second_judgment(j, len(rater_index))
        if again is not None and not repeats:
            row = int(order[again])
            raise ValueError(
                f"frame must have one judgment by a rater on an item, got a second one"
                f" by rater {shown(rater_index[raters[row]])} on item"
                f" {shown(item_index[items[row]])} in row {row} (repeats=True keeps it)"
            )
        repeated = again is not None
        return cls._checked(
            "frame", item_index, rater_index, label_index, j, declared, repeated
        )

    @classmethod
    def from_matrix(cls, matrix: Any, labels: Iterable[Any] | None = None) -> Ratings:
        """Ratings from a matrix of labels, one row per item, one column per rater.

        Parameters
        ----------
        matrix : DataFrame, array or sequence of rows, (n_items, n_raters)
            Missing judgments are NaN, None or pandas' NA. A DataFrame's index
            gives the items and its columns the raters; otherwise they are
            numbered from 0.
        labels : iterable, optional
            The labels that there are, in their order.

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
        values, item_index, rater_index = _table("matrix", matrix, "n_raters")
        n_items, n_raters = values.shape

        def place(cell: int) -> str:
            i, a = divmod(cell, n_raters)
            return (
                f"row {i} (item {shown(item_index[i])}, rater {shown(rater_index[a])})"
            )

        cells = _flat(matrix, values, labels is not None)
        codes, label_index, declared = _encode(cells, labels, place)
        _warn_of_wrong_tables(values, codes.reshape(n_items, n_raters))
        items = np.repeat(np.arange(n_items, dtype=np.int32), n_raters)
        raters = np.tile(np.arange(n_raters, dtype=np.int32), n_items)
        if (codes < 0).any():
            given = np.flatnonzero(codes >= 0)
            items, raters, codes = items[given], raters[given], codes[given]
        j = Judgments(items, codes, _one(len(codes)), raters)
        return cls._checked("matrix", item_index, rater_index, label_index, j, declared)

    @classmethod
    def from_counts(cls, counts: Any, labels: Iterable[Any] | None = None) -> Ratings:
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
        values, item_index, columns = _table("counts", counts, "n_labels")
        n_columns = len(columns)
        try:
            numbers = _checks.counts("counts", values, 0, _checks.LARGEST_COUNT)
        except ValueError as error:
            raise ValueError(f"{error}{_where_counts_fail(values)}") from None
        if numbers.sum(dtype=float) > _checks.LARGEST_COUNT:
            accepted = f"at most {_checks.LARGEST_COUNT:,} judgments in total"
            raise _checks.refuse(
                "counts", f"about {numbers.sum(dtype=float):.4g}", accepted
            )
        label_index, declared = columns, labels is not None
        position = np.arange(n_columns, dtype=np.int32)
        if labels is not None:
            label_index = _declared(labels)
            if isinstance(counts, pd.DataFrame):
                position = _positions(columns, label_index, lambda c: f"column {c}")
            elif len(label_index) != n_columns:
                accepted = f"one label for each of the {n_columns} columns of counts"
                raise _checks.refuse("labels", list(label_index), accepted)
        elif isinstance(columns, pd.CategoricalIndex) and columns.ordered:
            label_index, declared = columns.categories, True
            position = columns.codes.astype(np.int32)
        elif isinstance(counts, pd.DataFrame):
            label_index, position = _sorted(pd.Index(list(columns)))
        flat = numbers.reshape(-1)
        cells = np.flatnonzero(flat)
        items, where = np.divmod(cells, n_columns)
        count = flat[cells].astype(float)
        j = Judgments(items.astype(np.int32), position[where], count, None)
        return cls._checked("counts", item_index, None, label_index, j, declared)

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

    @cached_property
    def n_ratings(self) -> int:
        """Number of judgments."""
        if self.raters is not None:
            return len(self.judgments.item)
        return int(self.judgments.count.sum())

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
        if self.raters is None or self.n_ratings != len(self.items) * len(self.raters):
            return False
        rows = self.judgments.known_rater.reshape(len(self.items), -1)
        return bool((rows == rows[0]).all())

    def __repr__(self) -> str:
        labels = ", ".join(str(label) for label in self.labels[:8])
        if len(self.labels) > 8:
            labels += f" and {len(self.labels) - 8} more"
        who, empty = "anonymous raters", ""
        if self.raters is not None:
            who = _plural(len(self.raters), "rater")
            cells = len(self.items) * len(self.raters) - self.n_ratings
            if cells and not self.repeats:
                empty = f" ({_plural(cells, 'cell')} empty)"
        items = _plural(len(self.items), "item")
        judgments = _plural(self.n_ratings, "judgment")
        return f"Ratings: {items}, {who}, {judgments}{empty}, labels {labels}"

    # Parts of them ------------------------------------------------------------

    def collapsed(self, label: Hashable) -> Ratings:
        """The same judgments with two labels: `label` (True) and all others.

        >>> import labelaudit as la
        >>> la.Ratings.from_matrix([["a", "b"], ["c", "c"]]).collapsed("c")
        Ratings: 2 items, 2 raters, 4 judgments, labels False, True
        """
        at = _where("label", label, self.labels)
        is_it = (self.judgments.label == at).astype(np.int32)
        j = replace(self.judgments, label=is_it)
        labels = pd.Index([False, True])
        return Ratings(self.items, self.raters, labels, j, True, self.repeats)

    def between(self, first: Hashable, second: Hashable) -> Ratings:
        """The judgments of two raters, of the items that one of them judged.

        >>> import labelaudit as la
        >>> la.Ratings.from_matrix([[1, 1, 2], [2, 1, 1]]).between(0, 2)
        Ratings: 2 items, 2 raters, 4 judgments, labels 1, 2
        """
        if self.raters is None:
            raise ValueError(NEEDS_RATERS.format(name="between"))
        pair = [
            _where("first", first, self.raters),
            _where("second", second, self.raters),
        ]
        if pair[0] == pair[1]:
            raise _checks.refuse("second", second, "another rater than the first")
        start, order = self._by_rater
        rows = np.sort(np.concatenate([order[start[a] : start[a + 1]] for a in pair]))
        j = self.judgments
        second_one = (j.known_rater[rows] == pair[1]).astype(np.int32)
        judged, item = np.unique(j.item[rows], return_inverse=True)
        j = Judgments(item, j.label[rows], j.count[rows], second_one)
        items, raters = self.items[judged], self.raters[pair]
        return Ratings(items, raters, self.labels, j, self.declared, self.repeats)

    def on(self, items: Iterable[Any]) -> Ratings:
        """The judgments of some of the items.

        >>> import labelaudit as la
        >>> la.Ratings.from_matrix([[1, 1], [2, 1], [2, 2]]).on([0, 2])
        Ratings: 2 items, 2 raters, 4 judgments, labels 1, 2
        """
        wanted = items
        if not isinstance(wanted, pd.Index):
            wanted = _several("items", items)
        at = self.items.get_indexer(wanted)
        if (at < 0).any() or wanted.has_duplicates or len(wanted) == 0:
            accepted = "different items of these ratings, at least one"
            raise _checks.refuse("items", list(wanted[:20]), accepted)
        at.sort()
        place = np.full(len(self.items), -1, dtype=np.int32)
        place[at] = np.arange(len(at))
        j = self.judgments
        rows = np.flatnonzero(place[j.item] >= 0)
        rater = None if j.rater is None else j.rater[rows]
        part = Judgments(place[j.item[rows]], j.label[rows], j.count[rows], rater)
        return replace(self, items=self.items[at], judgments=part)

    def by(self, raters: Iterable[Any]) -> Ratings:
        """The judgments of some of the raters, on all items.

        >>> import labelaudit as la
        >>> la.Ratings.from_matrix([[1, 1, 2], [2, 1, 2]]).by([0, 2])
        Ratings: 2 items, 2 raters, 4 judgments, labels 1, 2
        """
        if self.raters is None:
            raise ValueError(NEEDS_RATERS.format(name="by"))
        wanted = _several("raters", raters)
        at = self.raters.get_indexer(wanted)
        if (at < 0).any() or wanted.has_duplicates or len(wanted) == 0:
            accepted = "different raters of these ratings, at least one"
            raise _checks.refuse("raters", list(wanted[:20]), accepted)
        at.sort()
        place = np.full(len(self.raters), -1, dtype=np.int32)
        place[at] = np.arange(len(at))
        j = self.judgments
        rows = np.flatnonzero(place[j.known_rater] >= 0)
        if len(rows) == 0:
            raise _checks.refuse("raters", list(wanted[:20]), "raters with a judgment")
        rater = place[j.known_rater[rows]]
        part = Judgments(j.item[rows], j.label[rows], j.count[rows], rater)
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
        """
        _checks.text("name", name)
        accepted = "a Series that names items, or one label for each item in order"
        if isinstance(given, pd.Series):
            if given.index.has_duplicates:
                twice = given.index[given.index.duplicated()][0]
                raise _checks.refuse(name, twice, "one label for each item, not two")
            rows = given.index.get_indexer(self.items)
            if (rows < 0).all():
                raise ValueError(
                    f"{name} must be a Series whose index names items, such as"
                    f" {shown(self.items[0])}, got the index {list(given.index[:3])}"
                )
            values = given.reindex(self.items).array
        else:
            if isinstance(given, pd.DataFrame):
                seen = f"a DataFrame with the columns {list(given.columns)[:10]}"
                raise _checks.refuse(name, seen, "one of its columns")
            wrong = isinstance(given, (str, bytes)) or getattr(given, "ndim", 1) == 0
            if wrong or not isinstance(given, SEQUENCES):
                raise _checks.refuse(name, given, accepted)
            if len(given) != len(self.items):
                accepted += f" ({len(self.items)} items)"
                raise _checks.refuse(name, f"{len(given)} labels", accepted)
            values = _array(given) if hasattr(given, "dtype") else _objects(given)
            if getattr(values, "ndim", 1) != 1:
                raise _checks.refuse(name, f"shape {values.shape}", accepted)
        codes, found = _factorize(values, name)
        if not self.declared:
            known = set(self.labels)
            extra = [label for label in found if label not in known]
            labels = [*self.labels, *extra]
        else:
            labels = list(self.labels)

        def place(code: int) -> str:
            return f"item {shown(self.items[int(np.argmax(codes == code))])}"

        to = np.append(_positions(found, labels, place, name), np.int32(-1))
        if len(found) and not set(found) & set(self.labels):
            warn(
                f"no label of {name} ({shown(found[0])} ...) is a label of the ratings"
                f" ({shown(self.labels[0])} ...): check case and type"
            )
        return to[codes], labels


NEEDS_RATERS = (
    "{name} needs to know who judged what, got anonymous ratings (from_counts);"
    " build them by from_matrix or from_long"
)


def _one(n: int) -> Array:
    """n counts of 1, without the memory."""
    return np.broadcast_to(np.float64(1), n)


def _where(name: str, value: Any, index: pd.Index) -> int:
    """The position of a value in an index."""
    at = -1
    with contextlib.suppress(TypeError):  # a value that cannot be a label
        at = index.get_indexer(
            pd.Index(_objects([value]), dtype=object, tupleize_cols=False)
        )[0]
    if at < 0:
        raise _checks.refuse(name, value, f"one of {list(index)[:20]}")
    return int(at)


def _several(name: str, values: Any) -> pd.Index:
    """An index of values whose order does not matter."""
    accepted = f"a sequence of {name}"
    try:
        if isinstance(values, (str, bytes, Mapping, pd.DataFrame)):
            raise TypeError
        return _index(values)
    except TypeError:
        raise _checks.refuse(name, values, accepted) from None


def _plural(number: int, what: str) -> str:
    return f"{number} {what}" + "s" * (number != 1)


# Tables -------------------------------------------------------------------------


def _table(name: str, table: Any, width: str) -> tuple[Array, pd.Index, pd.Index]:
    """A two-dimensional array, and names of its rows and columns."""
    accepted = f"a table of shape (n_items, {width})"
    if not isinstance(table, pd.DataFrame) and hasattr(table, "to_pandas"):
        table = table.to_pandas()
    if isinstance(table, pd.DataFrame):
        for what, index in (("row", table.index), ("column", table.columns)):
            if index.has_duplicates:
                twice = index[index.duplicated()][0]
                raise _checks.refuse(name, f"{what} {shown(twice)} twice", accepted)
            if not isinstance(index, pd.MultiIndex) and index.hasnans:
                at = int(np.argmax(index.isna()))
                accepted = f"a table that names every {what}"
                raise _checks.refuse(name, f"no name for {what} {at}", accepted)
        values, index, columns = _cells(table), table.index, table.columns
    else:
        table = _array(table)
        values = (
            table if isinstance(table, np.ndarray) else _rows(name, table, accepted)
        )
        if values.ndim != 2:
            raise _checks.refuse(name, f"an array of shape {values.shape}", accepted)
        index, columns = map(pd.RangeIndex, values.shape)
    if values.shape[0] == 0 or values.shape[1] == 0:
        raise _checks.refuse(name, f"an empty one, {values.shape}", accepted)
    return values, index, columns


def _cells(frame: pd.DataFrame) -> Array:
    """The cells of a frame; as objects where one type for all would merge numbers.

    Beside NaN or unsigned numbers pandas makes doubles of whole numbers, and beyond
    2^53 two of them can become one.
    """
    kinds = set(frame.dtypes)
    numeric = all(getattr(kind, "kind", "O") in "iuf" for kind in kinds)
    if numeric and (len(kinds) > 1 or not all(isinstance(k, np.dtype) for k in kinds)):
        for _, column in frame.items():
            if (column.gt(2**53) | column.lt(-(2**53))).any():
                return frame.astype(object).to_numpy()
    return frame.to_numpy()


def _array(table: Any) -> Any:
    """An array from what knows how to be one; missing where it is masked."""
    if isinstance(table, np.ma.MaskedArray):
        values = table.data.astype(object)
        values[np.ma.getmaskarray(table)] = None
        return values
    return np.asarray(table) if hasattr(table, "__array__") else table


def _rows(name: str, table: Any, accepted: str) -> Array:
    """An object array from a sequence of rows of one length."""
    try:
        entries = _checks.entries(name, table, accepted)
        rows = [list(_checks.entries(name, row, accepted)) for row in entries]
    except ValueError:
        raise _checks.refuse(name, table, accepted) from None
    if not rows:
        raise _checks.refuse(name, table, accepted)
    for i, row in enumerate(rows):
        if len(row) != len(rows[0]):
            accepted = f"a table with rows of one length ({len(rows[0])} as in row 0)"
            raise _checks.refuse(name, f"{len(row)} cells in row {i}", accepted)
    flat = _objects(list(chain.from_iterable(rows)))
    return flat.reshape(len(rows), len(rows[0]))


def _index(values: Iterable[Any]) -> pd.Index:
    """An index of any hashable values, tuples included, none of them changed."""
    index = pd.Index(_objects(values), dtype=object, tupleize_cols=False)
    try:
        inferred = index.infer_objects()
    except OverflowError:  # pandas before 3.1, of integers beyond all doubles
        return index
    if inferred.dtype.kind == "f" and any(
        isinstance(v, (int, np.integer)) and abs(int(v)) > 2**53 for v in index
    ):
        return index  # doubles would merge them
    return inferred


def _objects(values: Iterable[Any]) -> Array:
    """A one-dimensional object array, also of tuples."""
    values = list(values)
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def _flat(matrix: Any, values: Array, declared: bool) -> Any:
    """The cells row by row, as ordered Categorical where all columns are one."""
    if isinstance(matrix, pd.DataFrame):
        kinds = set(matrix.dtypes)
        ordered = [k for k in kinds if isinstance(k, pd.CategoricalDtype) and k.ordered]
        if len(ordered) == 1 and len(kinds) == 1:
            return pd.Categorical(values.reshape(-1), dtype=ordered[0])
        if len(ordered) > 1 and not declared:
            raise _checks.refuse(
                "labels", "columns with different ordered categories", "declared"
            )
    return values.reshape(-1)


def _where_counts_fail(values: Array) -> str:
    """The first row that holds something else than whole numbers."""
    for i, row in enumerate(values):
        try:
            _checks.counts("counts", row)
        except ValueError:
            return f" in row {i}"
    return ""


def _warn_of_wrong_tables(values: Array, codes: Array) -> None:
    """The two mistakes that most people make with tables of ratings."""
    n_items, n_raters = values.shape
    if n_raters >= 8 and n_raters >= 3 * n_items:
        warn(
            f"the matrix has {n_items} rows and {n_raters} columns: rows are items"
            " and columns are raters; transpose it if yours are the other way round"
        )
    if values.dtype == object and n_items >= 10 and n_raters >= 2:
        _warn_of_names(codes)
    numeric = values.dtype.kind in "iuf" or (
        values.dtype == object and all(type(v) is int for v in values[0])
    )
    small = n_items < 10 and (n_items < 4 or n_raters < 3)
    if small or n_raters < 2 or not numeric or (codes < 0).any():
        return
    try:
        numbers = values.astype(float)
    except (TypeError, ValueError, OverflowError):
        return
    if not (np.abs(numbers) < _checks.LARGEST_COUNT).all():
        return
    sums = numbers.sum(axis=1)
    alike = (numbers == numbers[0]).all()
    constant = (sums == sums[0]).all() and sums[0] >= 2 and not alike
    whole = (numbers >= 0).all() and (numbers % 1 == 0).all()
    if constant and whole and (numbers == 0).any():
        warn(
            f"every row of the matrix adds up to {sums[0]:g}, as in a table of"
            " counts per item and label; if it is one, use Ratings.from_counts"
        )


def _warn_of_names(codes: Array) -> None:
    """A column of names, each once and none of them elsewhere, is no rater."""
    times = np.bincount(codes[codes >= 0])
    for a in range(codes.shape[1]):
        column = codes[:, a]
        if (column >= 0).all() and (times[column] == 1).all():
            warn(
                f"column {a} of the matrix has another label in every row, none of them"
                " in other columns; if it names the items, make it the index"
                " (set_index)"
            )


# Labels -------------------------------------------------------------------------


def _encode(
    values: Any, declared: Iterable[Any] | None, place: Any
) -> tuple[Array, pd.Index, bool]:
    """Positions of the labels (-1: missing), the labels, whether in declared order."""
    if declared is None and isinstance(values, pd.Categorical) and values.ordered:
        return values.codes.astype(np.int32), values.categories, True
    codes, found = _factorize(values, "label")

    def first(code: int) -> str:
        return place(int(np.argmax(codes == code)))

    if declared is not None:
        labels = _declared(declared)
        to = _positions(found, labels, first)
        known = True
    else:
        labels, to = _sorted(found)
        known = False
    if (codes < 0).any():
        return np.append(to, np.int32(-1))[codes], labels, known
    return to[codes], labels, known


def _factorize(values: Any, name: str) -> tuple[Array, pd.Index]:
    """Codes in order of appearance (-1: missing) and the different labels."""
    try:
        codes, found = pd.factorize(values)
    except TypeError:
        row = next(i for i, v in enumerate(values) if not _hashable(v))
        accepted = f"hashable (text, a number, a tuple) in row {row}"
        raise _checks.refuse(name, values[row], accepted) from None
    if isinstance(found, (pd.CategoricalIndex, pd.Categorical)):
        found = np.asarray(found)
    if found.dtype.kind != "O":
        return codes, pd.Index(found)
    _refuse_mixed(values, codes, found, name)
    return codes, _index(found)


def _hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _refuse_mixed(values: Any, codes: Array, found: Any, name: str) -> None:
    """A ValueError where True and 1, or False and 0, which are equal, are one label."""
    for code, label in enumerate(found):
        if isinstance(label, int) and label.bit_length() > LONGEST:
            accepted = f"a text or a number, of at most {LONGEST} bits"
            raise _checks.refuse(name, label, accepted)
        if isinstance(label, (bool, np.bool_, Number)) and label in (0, 1):
            rows = np.flatnonzero(codes == code)
            same = [isinstance(values[row], (bool, np.bool_)) for row in rows.tolist()]
            if any(same) and not all(same):
                accepted = f"of one kind: {label!r} stands for a number and for a truth"
                row = rows[same.index(not same[0])]
                raise _checks.refuse(name, values[row], f"{accepted} value")


def kind(label: Any) -> str:
    """The type of a label or item in a message."""
    if isinstance(label, (bool, np.bool_)):
        return "bool"
    if isinstance(label, (Number, np.number, decimal.Decimal)):
        return "number"
    return "text" if isinstance(label, str) else type(label).__name__


def _sorted(found: pd.Index) -> tuple[pd.Index, Array]:
    """The labels in order, and the new position of each."""
    if found.dtype == object:
        kinds = sorted({kind(label) for label in found})
        if len(kinds) > 1:
            some = [next(v for v in found if kind(v) == one) for one in kinds[:2]]
            raise ValueError(
                f"labels must be declared where their types are mixed, got"
                f" {shown(some[0])} ({kinds[0]}) and {shown(some[1])} ({kinds[1]});"
                " or is a column of names among the labels?"
            )
        try:
            order = np.array(sorted(range(len(found)), key=found.__getitem__), int)
        except TypeError:
            raise _checks.refuse(
                "labels", list(found), "declared where they cannot be sorted"
            ) from None
    else:
        order = found.argsort()
    to = np.empty(len(found), dtype=np.int32)
    to[order] = np.arange(len(found), dtype=np.int32)
    return found[order], to


def _declared(labels: Iterable[Any]) -> pd.Index:
    accepted = "a sequence of different labels, none of them missing"
    values = _objects(_checks.entries("labels", labels, accepted))
    try:
        set(values)
        index = _index(values)
        wrong = len(index) == 0 or index.has_duplicates or pd.isna(values).any()
    except TypeError:
        wrong = True
    if wrong:
        raise _checks.refuse("labels", list(values), accepted)
    return index


def _positions(
    found: Iterable[Any], labels: Iterable[Any], place: Any, name: str = "label"
) -> Array:
    """Where each label stands among the labels; refused where it does not."""
    at = {label: i for i, label in enumerate(labels)}
    truths = {label for label in at if isinstance(label, (bool, np.bool_))}
    to = np.empty(len(list(found)), dtype=np.int32)
    for i, label in enumerate(found):
        truth = isinstance(label, (bool, np.bool_))
        if label not in at or (label in (0, 1) and truth != (label in truths)):
            accepted = f"one of the labels {list(at)[:20]}"
            raise ValueError(f"{_checks.refuse(name, label, accepted)} in {place(i)}")
        to[i] = at[label]
    return to


def in_common(x: Ratings, y: Ratings) -> tuple[pd.Index, bool, Array, Array]:
    """Labels of both, whether declared, and where each one's labels are among them."""
    if x.labels.equals(y.labels):
        here = np.arange(len(x.labels))
        return x.labels, x.declared or y.declared, here, here
    if x.declared and y.declared:
        raise ValueError(
            "x and y must declare the same labels in the same order, got"
            f" {list(x.labels)[:20]} and {list(y.labels)[:20]}"
        )
    if x.declared or y.declared:
        labels = x.labels if x.declared else y.labels
    else:
        found = x.labels.append(y.labels[x.labels.get_indexer(y.labels) < 0])
        labels, _ = _sorted(found)
    places = []
    for name, r in (("x", x), ("y", y)):
        at = labels.get_indexer(r.labels)
        if (at < 0).any():
            label = r.labels[int(np.argmax(at < 0))]
            accepted = f"one of the labels {list(labels)[:20]} that the other declares"
            raise _checks.refuse(f"a label of {name}", label, accepted)
        places.append(at)
    return labels, x.declared or y.declared, places[0], places[1]


# Items and raters -----------------------------------------------------------------


def _identities(column: pd.Series, name: str) -> tuple[Array, pd.Index]:
    """Codes and names of items or raters, in order of appearance."""
    codes, found = _factorize(column.array, name)
    if (codes < 0).any():
        row = int(np.argmax(codes < 0))
        raise _checks.refuse(name, f"nothing in row {row}", "named in every row")
    return codes.astype(np.int32), found


def _second_judgment(j: Judgments, n_raters: int) -> int | None:
    """Position of the first second judgment by a rater on an item."""
    assert j.rater is not None
    cell = j.item.astype(np.int64) * n_raters + j.rater
    in_order = np.sort(cell)
    if not (np.diff(in_order) == 0).any():
        return None
    return int(np.argmax(pd.Series(cell).duplicated()))


def shown(label: Any) -> str:
    """A label, item or rater in a message: 1, not np.int64(1)."""
    return repr(label.item() if isinstance(label, np.generic) else label)


def side_by_side(x: Any, y: Any) -> str:
    """A label or item of x beside one of y, in a message: 1 is not '1'."""
    return f"x has {shown(x)} ({kind(x)}), y has {shown(y)} ({kind(y)})"


# Warnings -------------------------------------------------------------------------


def warn(message: str) -> None:
    """A warning that points at the line that called the library."""
    level, frame = 2, sys._getframe(1)
    while frame and frame.f_globals.get("__name__", "").startswith("labelaudit."):
        level, frame = level + 1, frame.f_back  # type: ignore[assignment]
    warnings.warn(message, UserWarning, stacklevel=level)
