"""Ratings: who gave which label to which item.

One form for all coefficients: judgments in the order of their items, labels and
raters as positions in an index, and a count where judgments are anonymous.

A missing cell is no judgment; what coefficients do with items that have too few is
stated in `table`.
"""

from collections.abc import Hashable, Iterable
from dataclasses import replace
from typing import Any, Self

import numpy as np
import pandas as pd

from .. import _checks
from .._words import quietly
from . import doors
from .rated import Judgments as Judgments, Rated

NO_JOIN = (
    "{name} must have items that can be told apart, got ratings from_patterns, whose"
    " items are counted and not named"
)


class Ratings(Rated):
    """Judgments of items by raters; missing ones are allowed.

    Built by `from_long`, `from_matrix`, `from_counts` or `from_patterns`.

    Attributes
    ----------
    items : Index
        Also those that nobody judged; one for each pattern after `from_patterns`.
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
    times : (len(items),) or None
        From `from_patterns`: for how many items each of `items` stands.
    clusters : Index of len(items), or None
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
    ) -> Self:
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
        wrong = isinstance(repeats, str) and repeats not in ("first", "last", "drop")
        if wrong or not isinstance(repeats, (str, bool, np.bool_)):
            accepted = "False, True, 'first', 'last' or 'drop'"
            raise _checks.refuse("repeats", repeats, accepted)
        read = doors.long(frame, item, rater, label, labels, cluster)
        return cls._built("frame", doors.settled(read, repeats))

    @classmethod
    def from_matrix(
        cls, matrix: Any, labels: Iterable[Any] | None = None, clusters: Any = None
    ) -> Self:
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
        return cls._built("matrix", doors.matrix("matrix", matrix, labels, clusters))

    @classmethod
    def from_counts(
        cls, counts: Any, labels: Iterable[Any] | None = None, clusters: Any = None
    ) -> Self:
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
        return cls._built("counts", doors.counts("counts", counts, labels, clusters))

    @classmethod
    def from_patterns(
        cls,
        patterns: Any,
        times: Any,
        labels: Iterable[Any] | None = None,
        raters: bool = True,
    ) -> Self:
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
            2^53; a pattern of 0 is as one that nobody judged. A Series has the index of
            `patterns` where these are a DataFrame.
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
        read = doors.matrix if _checks.switch("raters", raters) else doors.counts
        table = patterns
        if isinstance(patterns, pd.DataFrame):
            table = patterns.reset_index(drop=True)
            given = isinstance(times, pd.Series)
            if given and not times.index.equals(patterns.index):
                accepted = "a Series with the index of patterns"
                seen = f"the index {[*times.index[:3]]}"
                raise _checks.refuse("times", seen, accepted)
        with quietly():  # two patterns need not look like two items
            r = cls._built("patterns", read("patterns", table, labels))
        often = doors.often(times, len(r.items))
        j = r.judgments[np.flatnonzero(often[r.judgments.item] > 0)]
        if len(j.item) == 0:
            accepted = "above 0 for at least one pattern with a judgment"
            raise _checks.refuse("times", "0 for all of them", accepted)
        if r.raters is not None and not r.declared:  # labels that no item has go
            used, label = np.unique(j.label, return_inverse=True)
            j = replace(j, label=label.astype(np.int32))
            r = replace(r, labels=r.labels[used])
        return replace(r, items=pd.RangeIndex(len(often)), judgments=j, times=often)

    @classmethod
    def _built(cls, name: str, read: Rated) -> Self:
        """Of what was read, the judgments with a label, in the order of the items."""
        j = read.judgments
        if (j.label < 0).any():
            j = j[np.flatnonzero(j.label >= 0)]
        if len(j.item) == 0:
            accepted = "a table with at least one judgment, a label that is given"
            raise _checks.refuse(name, "none", accepted)
        if (j.item[1:] < j.item[:-1]).any():
            j = j[np.argsort(j.item, kind="stable")]
        return cls(**vars(read) | {"judgments": j})
