"""Tables of judgments as people have them: cells, labels, items and raters, checked."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from numbers import Number
from typing import Any

import numpy as np
import pandas as pd

from .. import _checks
from .._checks import Array
from .._words import kind, shown, standing, warn

SEQUENCES = (Sequence, np.ndarray, pd.Index, pd.api.extensions.ExtensionArray)
MOST_ITEMS = 2**53  # that doubles can count
LONGEST = 4096  # bits of a whole number: longer ones cannot be printed


def ones(n: int) -> Array:
    """n counts of 1, without the memory."""
    return np.broadcast_to(np.float64(1), n)


def place_of(name: str, value: Any, index: pd.Index) -> int:
    """The position of a value in an index."""
    at = -1
    with contextlib.suppress(TypeError):  # a value that cannot be a label
        at = index.get_indexer(
            pd.Index(objects([value]), dtype=object, tupleize_cols=False)
        )[0]
    if at < 0:
        raise _checks.refuse(name, value, f"one of {list(index)[:20]}")
    return int(at)


def several(name: str, values: Any) -> pd.Index:
    """An index of values whose order does not matter."""
    accepted = f"a sequence of {name}"
    try:
        if isinstance(values, (str, bytes, Mapping, pd.DataFrame)):
            raise TypeError
        return index_of(values)
    except TypeError:
        raise _checks.refuse(name, values, accepted) from None


def table_of(name: str, table: Any, width: str) -> tuple[Array, pd.Index, pd.Index]:
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
        table = unmasked(table)
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


def unmasked(table: Any) -> Any:
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
    flat = objects(list(chain.from_iterable(rows)))
    return flat.reshape(len(rows), len(rows[0]))


def index_of(values: Iterable[Any]) -> pd.Index:
    """An index of any hashable values, tuples included, none of them changed."""
    index = pd.Index(objects(values), dtype=object, tupleize_cols=False)
    try:
        inferred = index.infer_objects()
    except OverflowError:  # pandas before 3.1, of integers beyond all doubles
        return index
    if inferred.dtype.kind == "f" and any(
        isinstance(v, (int, np.integer)) and abs(int(v)) > 2**53 for v in index
    ):
        return index  # doubles would merge them
    return inferred


def objects(values: Iterable[Any]) -> Array:
    """A one-dimensional object array, also of tuples."""
    values = list(values)
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def flattened(matrix: Any, values: Array, declared: bool) -> Any:
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


def counted_times(times: Any, n: int, judgments: Array) -> Array:
    """For how many items each pattern stands, (n,) floats of whole numbers.

    judgments : (n,), how many each pattern has
    """
    accepted = f"a sequence of {n} whole numbers, one for each of the patterns"
    sequence = isinstance(times, (*SEQUENCES, pd.Series))
    if sequence and not isinstance(times, (str, bytes)):
        found = _checks.counts("times", times, 0, MOST_ITEMS)
    else:
        raise _checks.refuse("times", times, accepted)
    if found.shape != (n,):
        raise _checks.refuse("times", f"shape {found.shape}", accepted)
    total = sum(found.tolist())
    if total > MOST_ITEMS:
        raise _checks.refuse("times", f"{total:,} items", "at most 2^53 items in all")
    if not (found * judgments).any():
        accepted = "above 0 for at least one pattern with a judgment"
        raise _checks.refuse("times", "0 for all of them", accepted)
    often = found.astype(float)
    often.flags.writeable = False
    return often


def where_counts_fail(values: Array) -> str:
    """The first row that holds something else than whole numbers."""
    for i, row in enumerate(values):
        try:
            _checks.counts("counts", row)
        except ValueError:
            return f" in row {i}"
    return ""


def warn_of_wrong_tables(values: Array, codes: Array) -> None:
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


def encoded(
    values: Any, declared: Iterable[Any] | None, place: Any
) -> tuple[Array, pd.Index, bool]:
    """Positions of the labels (-1: missing), the labels, whether in declared order."""
    if declared is None and isinstance(values, pd.Categorical) and values.ordered:
        return values.codes.astype(np.int32), values.categories, True
    codes, found = factorized(values, "label")

    def first(code: int) -> str:
        return place(int(np.argmax(codes == code)))

    if declared is not None:
        labels = declared_labels(declared)
        to = positions(found, labels, first)
        known = True
    else:
        labels, to = sorted_labels(found)
        known = False
    if (codes < 0).any():
        return np.append(to, np.int32(-1))[codes], labels, known
    return to[codes], labels, known


def factorized(values: Any, name: str) -> tuple[Array, pd.Index]:
    """Codes in order of appearance (-1: missing) and the different labels."""
    try:
        codes, found = pd.factorize(values)
    except TypeError:
        row = next(i for i, v in enumerate(values) if not _hashable(v))
        accepted = f"hashable (text, a number, a tuple, a frozenset) in row {row}"
        raise _checks.refuse(name, values[row], accepted) from None
    if isinstance(found, (pd.CategoricalIndex, pd.Categorical)):
        found = np.asarray(found)
    if found.dtype.kind != "O":
        return codes, pd.Index(found)
    _refuse_mixed(values, codes, found, name)
    return codes, index_of(found)


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


def sorted_labels(found: pd.Index) -> tuple[pd.Index, Array]:
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
            values = [*map(standing, found)] if kinds == ["frozenset"] else found
            order = np.array(sorted(range(len(found)), key=values.__getitem__), int)
        except TypeError:
            raise _checks.refuse(
                "labels", list(found), "declared where they cannot be sorted"
            ) from None
    else:
        order = found.argsort()
    to = np.empty(len(found), dtype=np.int32)
    to[order] = np.arange(len(found), dtype=np.int32)
    return found[order], to


def declared_labels(labels: Iterable[Any]) -> pd.Index:
    accepted = "a sequence of different labels, none of them missing"
    values = objects(_checks.entries("labels", labels, accepted))
    try:
        set(values)
        index = index_of(values)
        wrong = len(index) == 0 or index.has_duplicates or pd.isna(values).any()
    except TypeError:
        wrong = True
    if wrong:
        raise _checks.refuse("labels", list(values), accepted)
    return index


def positions(
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


def identities(column: pd.Series, name: str) -> tuple[Array, pd.Index]:
    """Codes and names of items or raters, in order of appearance."""
    codes, found = factorized(column.array, name)
    if (codes < 0).any():
        row = int(np.argmax(codes < 0))
        raise _checks.refuse(name, f"nothing in row {row}", "named in every row")
    return codes.astype(np.int32), found


def one_for_each(
    name: str, given: Any, items: pd.Index, labels: pd.Index, declared: bool
) -> tuple[Array, list[Any]]:
    """One label for each item; see `Ratings.item_labels`."""
    _checks.text("name", name)
    accepted = "a Series that names items, or one label for each item in order"
    if isinstance(given, pd.Series):
        if given.index.has_duplicates:
            twice = given.index[given.index.duplicated()][0]
            raise _checks.refuse(name, twice, "one label for each item, not two")
        rows = given.index.get_indexer(items)
        if (rows < 0).all():
            raise ValueError(
                f"{name} must be a Series whose index names items, such as"
                f" {shown(items[0])}, got the index {list(given.index[:3])}"
            )
        values = given.reindex(items).array
    else:
        if isinstance(given, pd.DataFrame):
            seen = f"a DataFrame with the columns {list(given.columns)[:10]}"
            raise _checks.refuse(name, seen, "one of its columns")
        wrong = isinstance(given, (str, bytes)) or getattr(given, "ndim", 1) == 0
        if wrong or not isinstance(given, SEQUENCES):
            raise _checks.refuse(name, given, accepted)
        if len(given) != len(items):
            accepted += f" ({len(items)} items)"
            raise _checks.refuse(name, f"{len(given)} labels", accepted)
        values = unmasked(given) if hasattr(given, "dtype") else objects(given)
        if getattr(values, "ndim", 1) != 1:
            raise _checks.refuse(name, f"shape {values.shape}", accepted)
    codes, found = factorized(values, name)
    used, known = set(labels), [*labels]
    if not declared:
        known += [label for label in found if label not in used]

    def place(code: int) -> str:
        return f"item {shown(items[int(np.argmax(codes == code))])}"

    to = np.append(positions(found, known, place, name), np.int32(-1))
    if len(found) and used.isdisjoint(found):
        warn(
            f"no label of {name} ({shown(found[0])} ...) is a label of the ratings"
            f" ({shown(labels[0])} ...): check case and type"
        )
    return to[codes], known
