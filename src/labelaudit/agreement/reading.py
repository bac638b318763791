"""Tables of judgments as people have them: cells, labels and names, checked."""

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain
from numbers import Number
from typing import Any

import numpy as np
import pandas as pd

from .. import _checks
from .._checks import Array
from .._words import kind, shown, standing

SEQUENCES = (Sequence, np.ndarray, pd.Index, pd.api.extensions.ExtensionArray)
TRUTHS = (bool, np.bool_)
MOST_ITEMS = 2**53  # that doubles can count; of larger numbers they merge some
MOST_BITS = 1023  # of a whole number: longer ones are no doubles

Place = Callable[[int], str]  # where an entry stands, in words


# Tables -----------------------------------------------------------------------------


def table_of(
    name: str, table: Any, width: str
) -> tuple[Array, pd.Index, pd.Index, pd.DataFrame | None]:
    """A two-dimensional array, names of its rows and columns, and the frame it was."""
    accepted = f"a table of shape (n_items, {width})"
    if not isinstance(table, pd.DataFrame) and hasattr(table, "to_pandas"):
        table = table.to_pandas()
    frame = table if isinstance(table, pd.DataFrame) else None
    if frame is not None:
        for what, index in zip(("row", "column"), frame.axes):
            if index.has_duplicates:
                twice = index[index.duplicated()][0]
                raise _checks.refuse(name, f"{what} {shown(twice)} twice", accepted)
            if not isinstance(index, pd.MultiIndex) and index.hasnans:
                seen = f"no name for {what} {int(np.argmax(index.isna()))}"
                raise _checks.refuse(name, seen, f"a table that names every {what}")
        values, rows = _cells(frame), frame.index
        columns = frame.columns.to_flat_index()
    else:
        is_array = hasattr(table, "__array__")
        values = array_of(name, table) if is_array else _rows(name, table, accepted)
        if values.ndim != 2:
            raise _checks.refuse(name, f"an array of shape {values.shape}", accepted)
        rows, columns = map(pd.RangeIndex, values.shape)
    if 0 in values.shape:
        raise _checks.refuse(name, f"an empty one, {values.shape}", accepted)
    return values, rows, columns, frame


def _cells(frame: pd.DataFrame) -> Array:
    """The cells of a frame; as objects where one type for all would merge numbers.

    Beside NaN or unsigned numbers pandas makes doubles of whole numbers, and beyond
    2^53 two of them can become one.
    """
    kinds = {*frame.dtypes}
    if len(kinds) > 1 or not all(isinstance(one, np.dtype) for one in kinds):
        numbers = frame.select_dtypes([np.integer, np.floating])
        if ((numbers > MOST_ITEMS) | (numbers < -MOST_ITEMS)).any(axis=None):
            return frame.to_numpy(dtype=object)
    return frame.to_numpy()


def array_of(name: str, given: Any) -> Array:
    """An array from what knows how to be one."""
    if np.ma.isMaskedArray(given):
        accepted = "an array with None or NaN where nothing is given"
        raise _checks.refuse(name, "a masked array", accepted)
    return np.asarray(given)


def _rows(name: str, table: Any, accepted: str) -> Array:
    """An object array from a sequence of rows of one length."""
    try:
        entries = _checks.entries(name, table, accepted)
        rows = [list(_checks.entries(name, row, accepted)) for row in entries]
    except ValueError:
        raise _checks.refuse(name, table, accepted) from None
    first = len(rows[0]) if rows else 0
    for i, width in enumerate(map(len, rows)):
        if width != first:
            accepted = f"a table with rows of one length ({first} as in row 0)"
            raise _checks.refuse(name, f"{width} cells in row {i}", accepted)
    return objects(chain.from_iterable(rows)).reshape(len(rows), first)


# A one-dimensional object array, also of tuples.
objects = partial(np.fromiter, dtype=object)


def index_of(values: Iterable[Any]) -> pd.Index:
    """An index of any hashable values, tuples included, none of them changed."""
    index = pd.Index(objects(values), dtype=object, tupleize_cols=False)
    inferred = index.infer_objects()
    merged = inferred.dtype.kind == "f" and any(
        isinstance(v, (int, np.integer)) and abs(int(v)) > MOST_ITEMS for v in index
    )  # as doubles
    return index if merged else inferred


# Labels and names -------------------------------------------------------------------


def encoded(
    values: Any, declared: Any, place: Place, kinds: Collection[Any] = ()
) -> tuple[Array, pd.Index, bool]:
    """Positions of the labels (-1: missing), the labels, whether in declared order.

    kinds : types of the columns that hold them; an ordered Categorical declares labels,
        where it has all that the others hold.
    """
    ordered = [k for k in kinds if isinstance(k, pd.CategoricalDtype) and k.ordered]
    if declared is None and len(ordered) > 1:
        seen = "columns with different ordered categories"
        raise _checks.refuse("labels", seen, "declared")
    codes, found = factorized(values, "label")
    if declared is None and ordered and found.isin(ordered[0].categories).all():
        declared = ordered[0].categories
    if declared is None:
        labels, to = sorted_labels(found)
        return np.append(to, np.int32(-1))[codes], labels, False
    labels = declared_labels(declared)
    return positions("label", codes, found, labels, place), labels, True


def factorized(values: Any, name: str) -> tuple[Array, pd.Index]:
    """Codes in order of appearance (-1: missing) and the different labels.

    Refused are what cannot be hashed, whole numbers that are too long, and True beside
    1, or False beside 0, which are equal and would be one label.
    """
    try:
        codes, found = pd.factorize(values)
    except TypeError:
        for row, value in enumerate(values):
            accepted = f"hashable (text, a number, a tuple, a frozenset) in row {row}"
            try:
                hash(value)
            except TypeError:
                raise _checks.refuse(name, value, accepted) from None
        raise
    if isinstance(found, (pd.CategoricalIndex, pd.Categorical)):
        found = np.asarray(found)
    if found.dtype.kind != "O":
        return codes, pd.Index(found)
    for code, label in enumerate(found):
        if isinstance(label, int) and label.bit_length() > MOST_BITS:
            accepted = f"a text or a number, of at most {MOST_BITS} bits"
            raise _checks.refuse(name, label, accepted)
        if isinstance(label, (Number, np.bool_)) and label in (0, 1):
            rows = np.flatnonzero(codes == code)
            truth = [isinstance(values[row], TRUTHS) for row in rows.tolist()]
            if any(truth) and not all(truth):
                row = rows[truth.index(not truth[0])]
                accepted = f"of one kind: {label!r} stands for a number and for a truth"
                raise _checks.refuse(name, values[row], f"{accepted} value")
    return codes, index_of(found)


def sorted_labels(found: pd.Index) -> tuple[pd.Index, Array]:
    """The labels in order, and the new position of each."""
    if found.dtype != object:
        order = found.argsort()
        return found[order], np.argsort(order).astype(np.int32)
    first = {kind(label): label for label in reversed(found)}
    if len(first) > 1:
        (one, a), (other, b), *_ = sorted(first.items())
        raise ValueError(
            f"labels must be declared where their types are mixed, got {shown(a)}"
            f" ({one}) and {shown(b)} ({other}); or is a column of names among"
            " the labels?"
        )
    stands = [*map(standing, found)]
    try:
        order = np.array(sorted(range(len(found)), key=stands.__getitem__), int)
    except TypeError:
        accepted = "declared where they cannot be sorted"
        raise _checks.refuse("labels", list(found), accepted) from None
    return found[order], np.argsort(order).astype(np.int32)


def declared_labels(labels: Any) -> pd.Index:
    """Labels in the order in which they are given."""
    accepted = "a sequence of different labels, none of them missing"
    values = objects(_checks.entries("labels", labels, accepted))
    with suppress(TypeError, OverflowError):  # unhashable, or longer than a double
        index = index_of(values)
        if len({*values}) == len(values) > 0 and not pd.isna(values).any():
            return index
    raise _checks.refuse("labels", list(values), accepted)


def positions(
    name: str, codes: Array, found: pd.Index, labels: Iterable[Any], place: Place
) -> Array:
    """Where entries, codes of labels found, stand among the labels; -1: missing.

    A label that is not among them is refused with its place.
    """
    at = {(v, isinstance(v, TRUTHS)): i for i, v in enumerate(labels)}  # True is not 1
    to = [at.get((v, isinstance(v, TRUTHS)), -1) for v in found]
    if -1 in to:
        code = to.index(-1)
        accepted = f"one of the labels {[*labels][:20]}"
        where = place(int(np.argmax(codes == code)))
        raise ValueError(f"{_checks.refuse(name, found[code], accepted)} in {where}")
    return np.array([*to, -1], dtype=np.int32)[codes]


def identities(
    values: Any, name: str, what: str = "row", names: pd.Index | None = None
) -> tuple[Array, pd.Index]:
    """Codes and names of items, raters or clusters, in order of appearance.

    what, names : of the entries, each of which must be given
    """
    codes, found = factorized(values, name)
    if (codes < 0).any():
        at = int(np.argmax(codes < 0))
        seen = f"nothing for {what} {at if names is None else shown(names[at])}"
        raise _checks.refuse(name, seen, f"given for every {what}")
    return codes.astype(np.int32), found


def of_items(name: str, given: Any, items: pd.Index, what: str) -> Any:
    """One entry for each item: a Series joins on items, else in their order."""
    accepted = f"a Series that names items, or one {what} for each item in order"
    if not isinstance(given, pd.Series):
        accepted += f" ({len(items)} items)"
        return each(name, given, len(items), accepted, f"{what}s")
    index = given.index
    if index.has_duplicates:
        twice = index[index.duplicated()][0]
        raise _checks.refuse(name, twice, f"one {what} for each item, not two")
    if (index.get_indexer(items) < 0).all():
        accepted = f"a Series whose index names items, such as {shown(items[0])}"
        raise _checks.refuse(name, f"the index {[*index[:3]]}", accepted)
    return given.reindex(items).array


def each(name: str, given: Any, n: int, accepted: str, what: str) -> Any:
    """The entries of a sequence of n."""
    if isinstance(given, pd.DataFrame):
        seen = f"a DataFrame with the columns {list(given.columns)[:10]}"
        raise _checks.refuse(name, seen, f"one of its columns, or {accepted}")
    many = isinstance(given, SEQUENCES) and not isinstance(given, (str, bytes))
    if not many or getattr(given, "ndim", 1) != 1:
        raise _checks.refuse(name, given, accepted)
    if len(given) != n:
        raise _checks.refuse(name, f"{len(given)} {what}", accepted)
    return array_of(name, given) if hasattr(given, "dtype") else objects(given)
