"""Accuracy of judgments against a gold label."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import betainccinv, betaincinv, stdtrit

from .. import _checks
from .._checks import Array
from .._words import quietly, sized, valued, warn
from .clusters import Clusters
from .ratings import Judgments, Ratings
from .reading import index_of, objects
from .table import once
from .uncertainty import jackknife


@dataclass(frozen=True, eq=False, repr=False)
class Accuracy:
    """The share of judgments that are the gold label.

    Attributes
    ----------
    value : float
    standard_error : float
        Delete-one-item jackknife, or delete-one-cluster; NaN with one.
    n_items, n_ratings : int
    n_clusters : int, or None
        Clusters of these items, where the ratings have clusters.
    dropped : str
        What does not take part, and why; empty where everything does.

    Examples
    --------
    >>> import labelaudit as la
    >>> r = la.Ratings.from_matrix([["a", "a"], ["a", "b"], ["b", "b"]])
    >>> found = la.accuracy(r, ["a", "a", "b"])
    >>> round(float(found), 3), found.n_items, found.n_ratings
    (0.833, 3, 6)
    """

    value: float
    standard_error: float
    n_items: int
    n_ratings: int
    clusters: Clusters | None
    dropped: str
    _ratings: Ratings
    _labels: pd.Index
    _judgments: Judgments  # that take part, with the times of patterns
    _gold: Array  # of each

    @property
    def n_clusters(self) -> int | None:
        """Clusters that take part; None without clusters."""
        return None if self.clusters is None else len(self.clusters)

    def __float__(self) -> float:
        return self.value

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Clopper and Pearson's interval, for items as units.

        Parameters
        ----------
        confidence : float in (0, 1)

        Returns
        -------
        (low, high)
            In [0, 1]; (NaN, NaN), with a warning, where clusters are worth fewer than
            3, and a warning below 20.

        Notes
        -----
        With one judgment per item it is exact. With more, judgments of an item
        go together, and the sample counts for what the jackknife says it is worth
        (Korn and Graubard 1998): n / (design effect) judgments, never more than n;
        where all or none are right, as many as there are items. With clusters these
        are the units, and the sample counts for less by the squared ratio of Student's
        quantiles with n - 1 and G - 1 degrees of freedom.

        References
        ----------
        Clopper and Pearson 1934; Korn and Graubard 1998.

        Examples
        --------
        >>> import labelaudit as la
        >>> r = la.Ratings.from_matrix([["a"], ["b"], ["b"], ["a"]])
        >>> low, high = la.accuracy(r, ["a", "b", "b", "b"]).interval()
        >>> round(low, 3), round(high, 3)
        (0.194, 0.994)
        """
        confidence = _checks.confidence(confidence)
        value, n, clusters = self.value, self.n_ratings, self.clusters
        if clusters is not None and (caution := clusters.too_few or clusters.few):
            warn(f"accuracy: {caution}")
        if n == 0 or (clusters is not None and clusters.too_few):
            return np.nan, np.nan
        tail = float((1 - _checks.fraction(confidence)) / 2)
        units = self.n_items if clusters is None else len(clusters)
        worth = float(units)
        if n > units > 1 and 0 < value < 1:
            alone, spread = value * (1 - value), self.standard_error**2 * (n - 1)
            worth = alone * n / spread if spread > alone else float(n)
        if clusters is not None:
            worth *= float(stdtrit(n - 1, tail) / stdtrit(units - 1, tail)) ** 2
        x = round(value * n) if worth == n else value * worth
        low = betaincinv(x, worth - x + 1, tail) if value > 0 else 0.0
        high = betainccinv(x + 1, worth - x, tail) if value < 1 else 1.0
        return float(low), float(high)

    def confusions(self) -> pd.DataFrame:
        """How often each gold label was given which label.

        Returns
        -------
        DataFrame, index gold labels, columns given labels
            Judgments, as whole numbers.

        Examples
        --------
        >>> import labelaudit as la
        >>> r = la.Ratings.from_matrix([["a", "a"], ["a", "b"], ["b", "b"]])
        >>> la.accuracy(r, ["a", "a", "b"]).confusions().loc["a"].to_dict()
        {'a': 3, 'b': 1}
        """
        j, q = self._judgments, len(self._labels)
        cell = self._gold.astype(np.int64) * q + j.label
        table = np.bincount(cell, j.count, q * q).reshape(q, q).astype(np.int64)
        return pd.DataFrame(
            table, self._labels.rename("gold"), self._labels.rename("given")
        )

    def per_label(self, confidence: float = 0.95) -> pd.DataFrame:
        """Each gold label: how often judgments find it.

        Returns
        -------
        DataFrame, index labels
            items (with this gold label), ratings (of them), accuracy, low, high,
            and precision: the share of judgments with this label that are right.

        Examples
        --------
        >>> import labelaudit as la
        >>> r = la.Ratings.from_matrix([["a", "a"], ["a", "b"], ["b", "b"]])
        >>> found = la.accuracy(r, ["a", "a", "b"]).per_label()
        >>> found["accuracy"].to_dict(), found["precision"].round(3).to_dict()
        ({'a': 0.75, 'b': 1.0}, {'a': 1.0, 'b': 0.667})
        """
        j, q = self._judgments, len(self._labels)
        found = self._table(self._gold, self._labels, confidence)
        said = np.bincount(j.label, j.count, q)
        right = np.bincount(j.label, j.count * (j.label == self._gold), q)
        found["precision"] = right / np.where(said > 0, said, np.nan)
        return found

    def per_rater(self, confidence: float = 0.95) -> pd.DataFrame:
        """Each rater: items, ratings, accuracy, low, high.

        Examples
        --------
        >>> import labelaudit as la
        >>> r = la.Ratings.from_matrix([["a", "a"], ["a", "b"], ["b", "b"]])
        >>> la.accuracy(r, ["a", "a", "b"]).per_rater()["accuracy"].round(3).to_dict()
        {0: 1.0, 1: 0.667}
        """
        raters = self._ratings._known_raters("per_rater")
        return self._table(self._judgments.rater, raters, confidence)

    def _table(self, of: Array, names: pd.Index, confidence: float) -> pd.DataFrame:
        """A row for each name; of : which one each judgment belongs to"""
        j, gold, rows = self._judgments, self._gold, []
        with quietly():
            for at in (of == code for code in range(len(names))):
                part = _accuracy(self._ratings, self._labels, j[at], gold[at])
                ends = part.interval(confidence)
                rows.append((part.n_items, part.n_ratings, part.value, *ends))
        columns = ["items", "ratings", "accuracy", "low", "high"]
        return pd.DataFrame(rows, names, columns)

    def __repr__(self) -> str:
        with quietly():
            low, high = self.interval()
        kind = " (exact)" if self.n_items == self.n_ratings else " (clustered by item)"
        kind = kind if self.clusters is None else " (by cluster)"
        kind = "" if np.isnan(low) else kind
        return f"{valued('Accuracy', self.value, low, high)}{kind}\n{sized(self)}"


def accuracy(r: Ratings, gold: Any) -> Accuracy:
    """The share of judgments that are the gold label.

    Parameters
    ----------
    r : Ratings
        Items with one judgment take part as well.
    gold : Series, dict, DataFrame or sequence of labels
        A Series or dict joins on items, and so does a DataFrame with the columns item
        and label; any other sequence is in the order of r.items, one label for each.
        An item without a gold label, or without a judgment, is dropped.

    Returns
    -------
    Accuracy
        value, standard_error, interval(), per_label(), per_rater(), confusions().

    Raises
    ------
    ValueError
        For a wrong number of labels, no item in common, two gold labels for an item, a
        label outside the declared ones, no item that takes part.

    Examples
    --------
    >>> import labelaudit as la
    >>> r = la.Ratings.from_matrix([["a", "a"], ["a", "b"], ["b", "b"], ["b", None]])
    >>> a = la.accuracy(r, ["a", "a", "b", "a"])
    >>> round(a.value, 3)
    0.714
    >>> a.per_label()[["items", "ratings", "accuracy"]]
       items  ratings  accuracy
    a      3        5       0.6
    b      1        2       1.0
    """
    codes, labels = once(r).item_labels("gold", by_item(gold))
    j = r.judgments
    rows = np.flatnonzero(codes[j.item] >= 0)
    if len(rows) == 0:
        raise _checks.refuse("gold", "none", "given for at least one judged item")
    j = j[rows]
    j, gold = replace(j, count=j.count * r.standing[j.item]), codes[j.item]
    return _accuracy(r, index_of(labels), j, gold)


def _accuracy(r: Ratings, labels: pd.Index, j: Judgments, gold: Array) -> Accuracy:
    """Of some judgments; the times of patterns are in their counts."""
    known, at = np.unique(j.item, return_inverse=True)
    often, clusters, error = r.standing[known], None, np.nan
    n_items = int(often.sum())
    if r.clusters is not None:
        clusters = Clusters(r.clusters[known])
        at, often = clusters.of[at], np.ones(len(clusters))
    m, hits = np.bincount(at, j.count), np.bincount(at, j.count * (j.label == gold))
    n = m.sum()
    value = float(hits.sum() / n) if n > 0 else np.nan
    if often.sum() >= 2:  # what changes without one item of each
        changes = (value * m - hits) / often / (n - m / often)
        error = jackknife(changes, value, often)
    dropped = r._dropped(r.n_items - n_items, "no gold label or judgment")
    all_of = clusters, dropped, r, labels, j, gold
    return Accuracy(value, error, n_items, int(n), *all_of)


def by_item(gold: Any) -> Any:
    """A dict, or a frame of items and labels, as a Series."""
    if isinstance(gold, Mapping) and not isinstance(gold, pd.Series):
        return pd.Series(objects(gold.values()), index=index_of(gold), dtype=object)
    if not isinstance(gold, pd.DataFrame):
        return gold
    for name in ("item", "label"):
        if name not in gold.columns or gold[name].ndim != 1:
            accepted = "a DataFrame with one column item and one column label"
            given = f"the columns {[*gold.columns][:10]}"
            raise _checks.refuse("gold", given, accepted)
    known = gold[gold["label"].notna()]
    return pd.Series(known["label"].array, index=pd.Index(known["item"]))
