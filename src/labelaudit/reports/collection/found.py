"""What a set of ratings shows about its reliability."""

from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from ... import _checks, _words
from ..._words import text
from ...agreement.agreement import Agreement
from ...agreement.ratings import Ratings
from ..saying import say
from .fitting import readable

ALPHA = "krippendorff_alpha"
FEW_LABELS = 12  # that a line names
EDGE = 1e-12  # what is so close to a limit is on it, whatever rounding did


@dataclass(frozen=True, eq=False, repr=False)
class Reliability:
    """What a set of ratings shows about its reliability; see `reliability`.

    Attributes
    ----------
    coefficients : DataFrame, index names of functions
        value; observed, expected: agreement, NaN where a distance can exceed 1;
        observed_disagreement, expected_disagreement: mean distances; standard_error,
        low, high, and why: why it is undefined or has no interval.
    labels : DataFrame, index labels
        ratings, share: judgments with this label, of all; agreement: mean over them
        of the share of the item's other judgments that are it too; twice: items on
        which two judgments drawn at random are both it, in expectation; value, low,
        high: alpha of "this label or not" for the nominal distance; for others alpha
        as per_label of Agreement gives it.
    raters : DataFrame, index raters
        ratings; shared: those of items that others judged too; agreement: share of
        the others' judgments of these that are the same; disagreement: mean distance
        to them; among_others: of the others from each other on the same items;
        excess: disagreement less that; without: alpha without the rater. Empty where
        raters are anonymous, or too many judgments stand in patterns.
    flags : DataFrame, index rater
        Raters to talk to: judgments; p_value: the smallest of the rater's tests,
        adjusted for all; reasons; flagged. Empty where raters are anonymous, or
        patterns stand for items.
    items : DataFrame, index items
        ratings, disagreement, without (alpha without the item); most disputed first.
    suggested : DataFrame or None
        dipietro_hazari_kappa, and followed: the share of judgments that are the
        suggested label. It is high where suggestions are right, too.
    other : DataFrame or None
        The numbers of coefficients, items, and why, of cross_kappa,
        normalized_cross_kappa, reliability_x and reliability_y.
    warnings : tuple of str
        What to be careful about, in sentences.
    omitted : tuple of str
        What was left out, and why, in sentences.
    ratings : Ratings
    distance : str
    confidence : float
    of : dict of Agreement
        The coefficients that fit, by the names of their functions.
    unfit : dict of str
        Why the others do not.
    suggestions : Series or None
        What raters were shown, by item.
    second : Ratings or None
        The second collection.

    Examples
    --------
    >>> import labelaudit as la
    >>> table = [["y", "y", "y"], ["n", "n", "y"], ["n", "n", "n"], ["y", "n", "y"]]
    >>> found = la.reliability(la.Ratings.from_matrix(table * 10))
    >>> found.raters.index.tolist(), found.items.shape[0], found.confidence
    ([0, 1, 2], 40, 0.95)
    """

    ratings: Ratings
    of: dict[str, Agreement]
    unfit: dict[str, str]
    confidence: float
    coefficients: pd.DataFrame
    labels: pd.DataFrame
    raters: pd.DataFrame
    flags: pd.DataFrame
    omitted: tuple[str, ...]
    suggested: pd.DataFrame | None = None
    other: pd.DataFrame | None = None
    warnings: tuple[str, ...] = ()
    suggestions: pd.Series | None = None
    second: Ratings | None = None

    @cached_property
    def items(self) -> pd.DataFrame:
        per_item = self.alpha.per_item()
        return per_item.sort_values("disagreement", ascending=False, kind="stable")

    @property
    def distance(self) -> str:
        return self.alpha.distance.name

    @property
    def alpha(self) -> Agreement:
        """Krippendorff's, which fits all ratings."""
        return self.of[ALPHA]

    @property
    def n_items(self) -> int:
        """Items with two judgments or more."""
        return self.alpha.n_items

    @property
    def n_raters(self) -> int | None:
        """None where they are not known."""
        return None if self.ratings.raters is None else len(self.ratings.raters)

    @property
    def drawn(self) -> str:
        """What the interval takes for a random sample."""
        clusters = self.alpha.clusters
        name = getattr(self.ratings.clusters, "name", None)
        less = clusters and f"{clusters.effective:.3g}" != str(len(clusters))
        return say("drawn", clusters=clusters, name=name, less=less)

    @property
    def dropped(self) -> int:
        """Items with fewer than two judgments."""
        return self.ratings.n_items - self.n_items

    @property
    def size(self) -> str:
        """How many items, raters, judgments and clusters take part."""
        return say("size", of=self)

    @property
    def head(self) -> str:
        """The size, the labels and what is dropped, in one line."""
        labels = [text(_words.whole(one)) for one in self.ratings.labels]
        if len(labels) > FEW_LABELS:
            labels[FEW_LABELS:] = [f"... ({len(labels):,})"]
        return say("head", of=self, labels=", ".join(labels))

    def disputed(self, most: int = 10) -> pd.DataFrame:
        """The most disputed items with their votes, and the suggestion if any.

        Returns
        -------
        DataFrame, index items
            disagreement, votes ("yes 3, no 2", most first), for how many items it
            stands where it is a pattern, suggested.

        Examples
        --------
        >>> import labelaudit as la
        >>> r = la.Ratings.from_matrix([["y", "y"], ["y", "n"], ["n", "n"], ["y", "y"]])
        >>> la.reliability(r).disputed(1)
           disagreement     votes
        1           1.0  n 1, y 1
        """
        most = _checks.count("most", most, 1, _checks.LARGEST_COUNT)
        r, table = self.ratings, self.items[["disagreement"]].iloc[:most]
        table = table.assign(votes="")
        if len(table):
            some = r.on(table.index)
            counts = pd.DataFrame(some.counts, some.items, some.labels)
            table["votes"] = counts.apply(_votes, axis=1)
        if r.times is not None:
            table["items"] = self.items["times"]
        if self.suggestions is not None:
            table["suggested"] = self.suggestions.reindex(table.index)
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
        alpha, drawn = self.coefficients.loc[ALPHA], self.drawn
        value = say("valued", row=alpha, level=100 * self.confidence)
        told = {"drawn": drawn[0].upper() + drawn[1:], "share": 1 - alpha["value"]}
        return say("paragraph", of=self, name=name, row=alpha, value=value, **told)

    def __repr__(self) -> str:
        table = readable(self.coefficients).drop(columns=["standard_error", "why"])
        shown = table.round(3).to_string()
        return "\n".join([repr(self.ratings), shown, *self.warnings])


def _votes(counts: pd.Series) -> str:
    most_first = counts[counts > 0].sort_values(ascending=False, kind="stable").items()
    return ", ".join(f"{text(_words.whole(label))} {n}" for label, n in most_first)
