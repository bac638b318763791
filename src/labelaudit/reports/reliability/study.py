"""How reliable are these labels? Everything that a set of ratings shows, in one place.

Tables by label, rater, pair of raters and item, a check of suggested labels, a
comparison with a second collection, and what to be careful about, in words.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from ... import _checks, _words
from ..._words import ends, number
from ...agreement import coefficients
from ...agreement.agreement import MOST_LABELS, Agreement, quietly
from ...agreement.distances import numbers
from ...agreement.gold import accuracy
from ...agreement.ratings import Ratings, _objects
from . import by_label, by_rater, fitting, following, two_collections
from . import warnings as words

# What takes one pass per label, rater or pair goes through this many judgments.
BUDGET = 10_000_000
MOST_ROWS = 100_000  # of the table of raters by labels
MOST_PAIRS = 200

SCALES = ("interval", "ratio")  # whose labels are numbers to be added up


@dataclass(frozen=True, eq=False, repr=False)
class Reliability:
    """What a set of ratings shows about its reliability; see `reliability`.

    Attributes
    ----------
    coefficients : DataFrame, index names of functions
        value, observed and expected agreement, standard_error, low, high, and why:
        why it is undefined, has no interval, or does not fit (fits False).
    labels : DataFrame, index labels
        As by_label.agreement_on_labels; value, low, high: alpha of "this label or
        not" for the nominal distance; for others alpha as per_label of Agreement
        gives it; with suggestions also suggested (items) and followed (share of their
        judgments).
    raters : DataFrame, index raters
        As by_rater.agreement_with_others; away: half the sum of the differences from
        the others' use of labels on the same items, 0 to 1; shift (interval, ratio):
        as by_rater.shift; without: alpha without the rater; with suggestions also
        followed. Empty where raters are anonymous.
    label_use : DataFrame, index (rater, label)
        As by_rater.label_use; empty where it would be too large.
    pairs : DataFrame, index (rater, other)
        iota, so Cohen's kappa, of every two raters; empty where there are many.
    items : DataFrame, index items
        ratings, disagreement, without (alpha without the item); most disputed first.
    suggested : DataFrame or None
        As following.following.
    other, other_labels : DataFrame or None
        As two_collections.compared and two_collections.by_label.
    warnings : tuple of str
        What to be careful about, in sentences.
    omitted : tuple of str
        What was left out since it would take too long, in sentences.
    ratings : Ratings
    distance : str
    confidence : float
    """

    coefficients: pd.DataFrame
    labels: pd.DataFrame
    raters: pd.DataFrame
    label_use: pd.DataFrame
    pairs: pd.DataFrame
    items: pd.DataFrame
    suggested: pd.DataFrame | None
    other: pd.DataFrame | None
    other_labels: pd.DataFrame | None
    warnings: tuple[str, ...]
    omitted: tuple[str, ...]
    ratings: Ratings
    distance: str
    confidence: float
    _suggestions: pd.Series | None = None
    _other_items: int | None = None  # judged in the second collection

    def disputed(self, most: int = 10) -> pd.DataFrame:
        """The most disputed items with their votes, and the suggestion if any.

        Returns
        -------
        DataFrame, index items
            disagreement, votes ("yes 3, no 2", most first), suggested.

        Examples
        --------
        >>> import labelaudit as la
        >>> r = la.Ratings.from_matrix([["y", "y"], ["y", "n"], ["n", "n"], ["y", "y"]])
        >>> la.reliability(r).disputed(1)
           disagreement     votes
        1           1.0  n 1, y 1
        """
        most = _checks.count("most", most, 1, _checks.LARGEST_COUNT)
        head = self.items.iloc[:most]
        if len(head) == 0:
            return head[["disagreement"]].assign(votes="")
        some = self.ratings.on(head.index)
        counts = pd.DataFrame(some.counts, index=some.items, columns=some.labels)
        votes = [
            ", ".join(
                f"{_words.whole(label)} {n}"
                for label, n in row[row > 0]
                .sort_values(ascending=False, kind="stable")
                .items()
            )
            for _, row in counts.loc[head.index].iterrows()
        ]
        table = head[["disagreement"]].assign(votes=votes)
        if self._suggestions is not None:
            table["suggested"] = self._suggestions.reindex(head.index)
        return table

    def report(self, *, name: str = "The labels") -> str:
        """One paragraph to paste into a data set's documentation.

        Parameters
        ----------
        name : str
            What was labelled, such as "The test set, version 2".

        Examples
        --------
        >>> import labelaudit as la
        >>> table = [["y", "y", "y"], ["n", "n", "y"], ["n", "n", "n"]]
        >>> text = la.reliability(la.Ratings.from_matrix(table * 20)).report()
        >>> text[:45]
        'The labels: 60 items, 3 raters, 180 judgments'
        """
        _checks.text("name", name)
        r, alpha = self.ratings, self.coefficients.loc["krippendorff_alpha"]
        used = self.items["ratings"]
        who = "anonymous raters" if r.raters is None else f"{len(r.raters):,} raters"
        parts = [f"{name}: {len(used):,} items, {who}, {used.sum():,} judgments."]
        if len(used) < len(r.items):
            left = len(r.items) - len(used)
            parts.append(f"Left out: {left:,} with fewer than two judgments.")
        told = f"Krippendorff's alpha ({self.distance} distance) is"
        parts.append(f"{told} {_with_interval(alpha, self.confidence)}.")
        if np.isfinite(alpha["value"]):
            observed, expected = map(number, (alpha["observed"], alpha["expected"]))
            parts.append(f"Observed agreement is {observed}, by chance {expected}.")
        each = self.labels["value"].dropna()
        if len(each) > 2 and self.distance == "nominal":
            best, worst = each.idxmax(), each.idxmin()
            parts.append(
                f"Of the {len(each):,} labels, each against the rest, {best!s} is told"
                f" most reliably ({number(each[best])}) and {worst!s} least"
                f" ({number(each[worst])})."
            )
        parts.append(
            "The interval treats items as drawn from many (delete-one-item jackknife)."
        )
        return " ".join(parts)

    def __repr__(self) -> str:
        fitting = self.coefficients[self.coefficients["fits"]]
        table = fitting[["value", "observed", "expected", "low", "high"]].round(3)
        return "\n".join([repr(self.ratings), repr(table), *self.warnings])


def _with_interval(row: pd.Series, confidence: float) -> str:
    """A value with its interval, or why there is none."""
    if np.isnan(row["value"]):
        return f"undefined: {row['why']}"
    if np.isnan(row["low"]):
        return f"{number(row['value'])} (no interval: {row['why']})"
    return (
        f"{number(row['value'])} ({100 * confidence:g} % interval"
        f" {ends(row['low'], row['high'])})"
    )


def reliability(
    ratings: Ratings,
    distance: Any = "nominal",
    *,
    suggested: Any = None,
    other: Ratings | None = None,
    confidence: float = 0.95,
) -> Reliability:
    """All that a set of ratings shows about its reliability, with warnings in words.

    Parameters
    ----------
    ratings : Ratings
    distance : as for krippendorff_alpha
        Of labels, for alpha and iota, and for breakdowns; S, pi, kappas and AC1
        stay nominal.
    suggested : Series or sequence, one label for each item, optional
        What raters were shown; as for dipietro_hazari_kappa.
    other : Ratings, optional
        A second collection of labels for the same items, joined by their names.
    confidence : float in (0, 1)
        Of all intervals.

    Returns
    -------
    Reliability
        It gives no Python warning: what there is to say is in `warnings`.

    Raises
    ------
    ValueError
        For ratings with repeats, a distance that does not fit the labels,
        suggestions or a second collection that do not fit the ratings.

    Examples
    --------
    >>> import labelaudit as la
    >>> table = [["y", "y", "y"], ["n", "n", "y"], ["n", "n", "n"], ["y", "n", "y"]]
    >>> found = la.reliability(la.Ratings.from_matrix(table * 10))
    >>> found.coefficients["value"].round(3).to_dict()["krippendorff_alpha"]
    0.339
    >>> found.labels["agreement"].round(3).to_dict()
    {'n': 0.667, 'y': 0.667}
    >>> found.warnings[0].split(":")[0]
    'alpha is .34 (95 % interval .12 to .53), below .667'
    """
    r = coefficients.once(ratings, "ratings")
    confidence = _checks.confidence(confidence)
    if other is not None:
        coefficients.once(other, "other")
    with quietly():
        agreements, unfit = fitting.fitting(r, distance)
        alpha = agreements["krippendorff_alpha"]
        table = fitting.table(agreements, unfit, confidence)
        omitted: list[str] = []
        labels = _labels(r, alpha, confidence, omitted)
        raters, use, pairs = _raters(r, agreements, distance, omitted)
        items = alpha.per_item().sort_values(
            "disagreement", ascending=False, kind="stable"
        )
        led = shown = None
        if suggested is not None:
            led = following.following(r, suggested, confidence=confidence)
            shown = _suggestions(r, suggested, labels, raters)
        second = second_labels = None
        if other is not None:
            second = two_collections.compared(r, other, distance, confidence)
            second_labels = two_collections.by_label(
                r, other, confidence, _most(r, BUDGET)
            )
        found = Reliability(
            table, labels, raters, use, pairs, items, led, second, second_labels,
            (), tuple(omitted), r, alpha._distance.name, confidence, shown,
            None if other is None else int((other.per_item > 0).sum()),
        )  # fmt: skip
        said = words.warnings(found, agreements)
    return replace(found, warnings=tuple(said))


# Labels ---------------------------------------------------------------------------


def _most(r: Ratings, budget: int) -> int:
    """How many passes over all judgments are not too many; at least 5."""
    return min(MOST_LABELS, max(5, budget // r.n_ratings))


def _labels(
    r: Ratings, alpha: Agreement, confidence: float, omitted: list[str]
) -> pd.DataFrame:
    q = len(r.labels)
    table = by_label.agreement_on_labels(r)
    table[["value", "low", "high"]] = np.nan
    if alpha._distance.name != "nominal" and q > MOST_LABELS:
        omitted.append(f"alpha of single labels: there are {q}, at most {MOST_LABELS}")
        return table
    most = _most(r, BUDGET)
    if most < q:
        omitted.append(f"alpha of all but the {most} commonest of {q} labels")
    for position in np.argsort(-table["ratings"], kind="stable")[:most]:
        part = alpha._of_label(int(position))
        table.iloc[position, -3:] = [part.value, *part.interval(confidence)]
    return table


# Raters ---------------------------------------------------------------------------


def _raters(
    r: Ratings, agreements: dict[str, Agreement], distance: Any, omitted: list[str]
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    empty = pd.DataFrame()
    if r.raters is None:
        omitted.append("all by rater: they are anonymous")
        return empty, empty, empty
    alpha, n, q = agreements["krippendorff_alpha"], len(r.raters), len(r.labels)
    table = by_rater.agreement_with_others(r, alpha._distance)
    table.index.name = "rater"
    use = empty
    if n * q <= MOST_ROWS:
        use = by_rater.label_use(r)
        away = np.abs(use["difference"].to_numpy()).reshape(n, q).sum(axis=1) / 2
        table["away"] = away
    else:
        omitted.append(f"raters' use of labels: {n} raters and {q} labels")
    if alpha._distance.name in SCALES:
        values = numbers(r.labels, alpha._distance.name)
        table = table.join(by_rater.shift(r, values))
    if n <= _most(r, BUDGET):
        again = partial(coefficients.krippendorff_alpha, distance=distance)
        table["without"] = by_rater.without_each(r, again)
    else:
        omitted.append(f"alpha without each rater: {n} raters")
    pairs, number = empty, n * (n - 1) // 2
    if number <= MOST_PAIRS and (n - 1) * r.n_ratings <= BUDGET:
        pairs = agreements["janson_olsson_iota"].per_rater_pair()
    else:
        omitted.append(f"pairs of raters: there are {number}")
    return table, use, pairs


# Suggestions ----------------------------------------------------------------------


def _suggestions(
    r: Ratings, suggested: Any, labels: pd.DataFrame, raters: pd.DataFrame
) -> pd.Series:
    """The suggestion of each item; adds how often it is followed to the tables."""
    codes, names = r.item_labels("suggested", suggested)
    known = codes >= 0
    told = _objects([*names, None])[codes]  # None where the code is -1
    shown = pd.Series(told, index=r.items, dtype=object, name="suggested")
    labels["suggested"] = np.bincount(codes[known], minlength=len(names))[: len(labels)]
    labels["followed"] = np.nan
    j = r.judgments
    of = codes[j.item]
    if not (of >= 0).any():
        return shown
    if len(names) <= MOST_LABELS:
        found = accuracy(r, suggested).per_label()["accuracy"]
        labels["followed"] = found.to_numpy()[: len(labels)]
    if r.raters is not None:
        rows = of >= 0
        right = (j.label == of)[rows]
        followed = pd.Series(right).groupby(j.known_rater[rows]).mean()
        raters["followed"] = followed.reindex(range(len(raters))).to_numpy()
    return shown
