"""Agreement coefficients: each is a distance and a rule for chance.

Missing data, one rule for all: items with fewer than two judgments are dropped
(see `Agreement.dropped`); D_o is the mean over items of the mean pair distance,
weighted by the item's number of judgments; D_e is over the judgments of the kept
items, each with the same weight (iota: over those by different raters). With
complete data these are the published formulas. `weigh="items"` lets items weigh
alike in both: D_o is their mean, and a label's share the mean of its shares of the
items' judgments (iota: of each rater's, all pairs of raters alike). Two exceptions
follow their own documents: `dipietro_hazari_kappa` weighs items alike in D_o, and
`cross_kappa` needs one judgment in each replication.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from .. import _checks
from .._words import warn
from . import distances
from .agreement import Agreement, agreement
from .chance import (
    Chance,
    any_two,
    any_two_different,
    different_raters,
    gwet,
    uniform,
)
from .disagreement import Disagreement
from .ratings import NEEDS_RATERS, NO_JOIN, Ratings
from .units import units

# As sentences call them.
NAMES = {
    "bennett_s": "Bennett's S",
    "fleiss_kappa": "Fleiss' kappa",
    "krippendorff_alpha": "Krippendorff's alpha",
    "janson_olsson_iota": "Janson and Olsson's iota",
    "gwet_ac1": "Gwet's AC1",
    "gwet_ac2": "Gwet's AC2",
    "scott_pi": "Scott's pi",
    "cohen_kappa": "Cohen's kappa",
    "weighted_kappa": "Weighted kappa",
}


def bennett_s(
    r: Ratings, *, distance: Any = "nominal", weigh: str = "judgments"
) -> Agreement:
    """S: chance gives every label of r.labels alike.

    Parameters
    ----------
    r : Ratings
        Any number of raters; with more than two, over pairs of judgments.
    distance : "nominal", "linear", "quadratic", or square matrix
        Positions in r.labels apart, as for weighted_kappa; or a matrix of
        disagreements in [0, 1].
    weigh : "judgments" or "items"
        What weighs the same where items have different numbers of judgments.

    Returns
    -------
    Agreement
        D_e is the mean distance over all ordered pairs of the q labels in r.labels,
        sum d / q^2; for the nominal distance 1 - 1 / q.

    Raises
    ------
    ValueError
        For ratings with repeats, or a distance that is none of these.

    References
    ----------
    Bennett, Alpert and Goldstein 1954; Artstein 2007, slides 15-16; with distances
    Brennan and Prediger 1981 (Gwet 2014, chapter 3).

    Examples
    --------
    >>> import labelaudit as la
    >>> r = la.Ratings.from_matrix([["A", "A"], ["B", "B"], ["A", "B"], ["B", "B"]])
    >>> la.bennett_s(r).value
    0.5
    >>> r = la.Ratings.from_matrix([[1, 1], [2, 3], [3, 3], [1, 3]])
    >>> round(la.bennett_s(r, distance="linear").value, 4)
    0.1562
    """
    q = len(once(r).labels)
    chance = uniform(1 - 1 / q)
    if not isinstance(distance, str) or distance != "nominal":
        _, total = distances.at_most_one(distance, r.labels, r.declared)
        chance = uniform(total / q**2)
        _tell_of_order("bennett_s", distance, r)
    again = partial(_s_of_part, distance, weigh)
    names = distances.SHARES
    return _result(NAMES["bennett_s"], r, distance, chance, again, names, weigh)


def _s_of_part(
    whole: Any, weigh: str, part: Ratings, distance: Any = None
) -> Agreement:
    """S of some of the judgments; of two labels where they were collapsed."""
    return bennett_s(
        part, distance=whole if distance is None else distance, weigh=weigh
    )


def scott_pi(r: Ratings) -> Agreement:
    """pi: chance draws from the label shares of both raters together.

    Parameters
    ----------
    r : Ratings
        By exactly two raters.

    Returns
    -------
    Agreement
        D_e = 1 - sum_c (N_c / N)^2.

    Raises
    ------
    ValueError
        For another number of raters (see fleiss_kappa), anonymous raters,
        repeats.

    References
    ----------
    Scott 1955; Artstein 2007, slide 17.

    Examples
    --------
    >>> import labelaudit as la
    >>> r = la.Ratings.from_matrix([["A", "A"], ["B", "B"], ["A", "B"], ["A", "A"]])
    >>> round(la.scott_pi(r).value, 4)
    0.4667
    """
    _two(once(r), "scott_pi", "fleiss_kappa")
    return _result(NAMES["scott_pi"], r, "nominal", any_two, scott_pi)


def cohen_kappa(r: Ratings) -> Agreement:
    """kappa: chance draws from each rater's own label shares.

    Parameters
    ----------
    r : Ratings
        By exactly two raters.

    Returns
    -------
    Agreement
        D_e = 1 - sum_c p_1c p_2c.

    Raises
    ------
    ValueError
        For another number of raters (see janson_olsson_iota), anonymous raters,
        repeats.

    References
    ----------
    Cohen 1960; Artstein 2007, slide 22.

    Examples
    --------
    >>> import labelaudit as la
    >>> r = la.Ratings.from_matrix([["A", "A"], ["B", "B"], ["A", "B"], ["A", "A"]])
    >>> la.cohen_kappa(r).value
    0.5
    """
    _two(once(r), "cohen_kappa", "janson_olsson_iota")
    return _result(NAMES["cohen_kappa"], r, "nominal", different_raters, cohen_kappa)


def fleiss_kappa(r: Ratings, *, weigh: str = "judgments") -> Agreement:
    """Fleiss' kappa, Artstein's K: pi for any number of raters.

    Parameters
    ----------
    r : Ratings
    weigh : "judgments" or "items"
        What weighs the same where items have different numbers of judgments.

    Returns
    -------
    Agreement
        D_e = 1 - sum_c (N_c / N)^2.

    Raises
    ------
    ValueError
        For ratings with repeats, another word for weigh.

    References
    ----------
    Fleiss 1971; Artstein 2007, slide 27.

    Examples
    --------
    >>> import labelaudit as la
    >>> r = la.Ratings.from_counts([[3, 0], [0, 3], [2, 1], [3, 0]])
    >>> round(la.fleiss_kappa(r).value, 4)
    0.625
    """
    again = partial(fleiss_kappa, weigh=weigh)
    name = NAMES["fleiss_kappa"]
    return _result(name, once(r), "nominal", any_two, again, weigh=weigh)


def weighted_kappa(r: Ratings, distance: Any) -> Agreement:
    """Weighted kappa: Cohen's, with some disagreements worse than others.

    Parameters
    ----------
    r : Ratings
        By exactly two raters.
    distance : "linear", "quadratic", or square matrix
        Positions in r.labels apart, as a share of the largest distance, or its
        square; or a symmetric matrix of disagreements (DataFrame named by the
        labels, or array in their order), 0 on the diagonal.

    Returns
    -------
    Agreement

    Raises
    ------
    ValueError
        For another number of raters (see janson_olsson_iota), anonymous raters,
        repeats, a distance that is none.

    References
    ----------
    Cohen 1968; Artstein 2007, slides 29-32.

    Examples
    --------
    >>> import labelaudit as la
    >>> r = la.Ratings.from_matrix([[1, 1], [2, 3], [3, 3], [1, 2], [3, 1]])
    >>> round(la.weighted_kappa(r, "linear").value, 4)
    0.1667
    """
    _two(once(r), "weighted_kappa", "janson_olsson_iota")
    _tell_of_order("weighted_kappa", distance, r)
    return _result(
        NAMES["weighted_kappa"],
        r,
        distance,
        different_raters,
        partial(weighted_kappa, distance=distance),
        distances.WEIGHTED,
    )


def krippendorff_alpha(r: Ratings, distance: Any = "nominal") -> Agreement:
    """Krippendorff's alpha: chance draws two different judgments of all.

    Parameters
    ----------
    r : Ratings
        Any number of raters, missing judgments.
    distance : name, callable or matrix
        "nominal", "ordinal", "interval", "ratio", "jaccard" or "masi". "ordinal" needs
        numbers or declared labels, and compares mid-ranks among all kept judgments;
        "interval" is the squared difference of numbers; "ratio" that of their
        difference over their sum, for numbers of at least 0; "jaccard" and "masi"
        compare sets, each label a frozenset. A callable of two labels, or a matrix
        over r.labels, must be symmetric, non-negative and 0 for equal labels.

    Returns
    -------
    Agreement
        D_e = sum_ck N_c N_k d_ck / (N (N - 1)). Where a distance can exceed 1, D_o and
        D_e are in its own unit, squared ranks or numbers, and there is no observed or
        expected agreement. The ranks of "ordinal" are held fixed in the standard
        error.

    Raises
    ------
    ValueError
        For a distance that does not fit the labels, or ratings with repeats.

    References
    ----------
    Krippendorff 2004; Artstein 2007, slides 33-39; for sets Passonneau 2006.

    Examples
    --------
    >>> import labelaudit as la
    >>> r = la.Ratings.from_matrix([[1, 1, None], [2, 3, 3], [4, 4, 4], [1, None, 2]])
    >>> round(la.krippendorff_alpha(r).value, 4)
    0.5135
    >>> round(la.krippendorff_alpha(r, "interval").value, 4)
    0.8759
    """
    return _result(
        NAMES["krippendorff_alpha"],
        once(r),
        distance,
        any_two_different,
        partial(krippendorff_alpha, distance=distance),
        distances.NAMED,
    )


def janson_olsson_iota(
    r: Ratings, distance: Any = "nominal", *, weigh: str = "judgments"
) -> Agreement:
    """iota: Cohen's kappa for many raters, each with label shares of their own.

    Parameters
    ----------
    r : Ratings
        Any number of raters who can be told apart.
    distance : as for krippendorff_alpha
    weigh : "judgments" or "items"
        What weighs the same where judgments are missing; with "items" all pairs of
        raters weigh alike in D_e, each rater with the shares of the own labels.

    Returns
    -------
    Agreement
        D_e is the mean distance of two judgments by different raters. With two
        raters it is Cohen's (weighted) kappa.

    Raises
    ------
    ValueError
        For anonymous raters, a distance that does not fit the labels, repeats.

    References
    ----------
    Janson and Olsson 2001; for nominal labels Conger 1980.

    Examples
    --------
    >>> import labelaudit as la
    >>> r = la.Ratings.from_matrix([[1, 1, 1], [2, 2, 1], [3, 3, 3], [1, 2, 1]])
    >>> round(la.janson_olsson_iota(r).value, 4)
    0.5
    """
    if once(r).raters is None:
        raise ValueError(NEEDS_RATERS.format(name="janson_olsson_iota"))
    return _result(
        NAMES["janson_olsson_iota"],
        r,
        distance,
        different_raters,
        partial(_iota_of_part, distance, weigh),
        distances.NAMED,
        weigh,
    )


def _iota_of_part(
    whole: Any, weigh: str, part: Ratings, distance: Any = None
) -> Agreement:
    given = whole if distance is None else distance
    return janson_olsson_iota(part, given, weigh=weigh)


def gwet_ac1(r: Ratings, *, weigh: str = "judgments") -> Agreement:
    """AC1: chance is highest where labels are used alike, 0 where one is alone.

    Parameters
    ----------
    r : Ratings
    weigh : "judgments" or "items"
        What weighs the same where items have different numbers of judgments.

    Returns
    -------
    Agreement
        1 - D_e = sum_c p_c (1 - p_c) / (q - 1) with q = len(r.labels).

    Raises
    ------
    ValueError
        For ratings with repeats, another word for weigh.

    References
    ----------
    Gwet 2008.

    Examples
    --------
    >>> import labelaudit as la
    >>> r = la.Ratings.from_matrix([[1, 1], [1, 1], [1, 2], [2, 2]])
    >>> round(la.gwet_ac1(r).value, 4)
    0.5294
    """
    return _gwet("gwet_ac1", r, "nominal", weigh)


def gwet_ac2(r: Ratings, distance: Any, *, weigh: str = "judgments") -> Agreement:
    """AC2: AC1 with some disagreements worse than others.

    Parameters
    ----------
    r : Ratings
    distance : "nominal", "linear", "quadratic", or square matrix
        Positions in r.labels apart, as for weighted_kappa; or a matrix of
        disagreements in [0, 1].
    weigh : "judgments" or "items"
        What weighs the same where items have different numbers of judgments.

    Returns
    -------
    Agreement
        1 - D_e = (q^2 - sum d) / (q (q - 1)) sum_c p_c (1 - p_c) with q = len(r.labels)
        and the sum of the distances over all ordered pairs of labels.

    Raises
    ------
    ValueError
        For ratings with repeats, a distance that is none of these, another word for
        weigh.

    References
    ----------
    Gwet 2014, chapter 4.

    Examples
    --------
    >>> import labelaudit as la
    >>> r = la.Ratings.from_matrix([[1, 1], [2, 3], [3, 3], [1, 2], [3, 1]])
    >>> round(la.gwet_ac2(r, "linear").value, 4)
    0.1429
    """
    return _gwet("gwet_ac2", r, distance, weigh)


def _gwet(name: str, r: Ratings, distance: Any, weigh: str) -> Agreement:
    q = len(once(r).labels)
    _, total = distances.at_most_one(distance, r.labels, r.declared)
    _tell_of_order(name, distance, r)
    again = partial(_gwet_of_part, name, distance, weigh)
    chance, names = gwet(q, q**2 - total), distances.SHARES
    return _result(NAMES[name], r, distance, chance, again, names, weigh)


def _gwet_of_part(
    name: str, whole: Any, weigh: str, part: Ratings, distance: Any = None
) -> Agreement:
    return _gwet(name, part, whole if distance is None else distance, weigh)


def once(r: Any, name: str = "r") -> Ratings:
    """Ratings with at most one judgment by a rater on an item."""
    if not isinstance(r, Ratings):
        raise _checks.refuse(name, r, "Ratings (see Ratings.from_matrix)")
    if r.repeats:
        raise ValueError(
            f"{name} must have one judgment by a rater on an item, got ratings with"
            " repeats (dawid_skene alone accepts them)"
        )
    return r


def joinable(r: Any, name: str) -> Ratings:
    """The same, of items that can be joined with others by their names."""
    if once(r, name).times is not None:
        raise ValueError(NO_JOIN.format(name=name))
    return r


def _tell_of_order(name: str, distance: Any, r: Ratings) -> None:
    """A distance by position means the order that the labels happen to have."""
    by_position = isinstance(distance, str) and distance in distances.WEIGHTED
    if by_position and not r.declared and r.labels.dtype.kind not in "iufb":
        warn(
            f"{name} takes the labels in the order {list(r.labels)[:20]}; if it"
            " is not theirs, declare them: labels=[...] where the ratings are built"
        )


def _two(r: Ratings, name: str, instead: str) -> None:
    """Refuse anything but two known raters."""
    if r.raters is None:
        message = NEEDS_RATERS.format(name=name)
        raise ValueError(f"{message}, or use fleiss_kappa, which needs none")
    if len(r.raters) != 2:
        raise ValueError(
            f"r must have exactly two raters for {name}, got {len(r.raters)}"
            f" ({', '.join(map(str, r.raters[:5]))}); use {instead} for any number, or"
            " take two by r.between"
        )


def _result(
    name: str,
    r: Ratings,
    distance: Any,
    chance: Chance,
    again: Any,
    names: tuple[str, ...] = ("nominal",),
    weigh: str = "judgments",
) -> Agreement:
    _checks.one_of("weigh", weigh, ("judgments", "items"))
    judged = units(r)
    lost, why = int(r.standing[judged.of < 0].sum()), "fewer than two judgments"
    nothing = "no item has two judgments"
    if r.raters is not None and len(r.raters) == 2:
        why = "not judged by both raters"
        nothing = "no item was judged by both raters"
    statistic = Disagreement(
        r.items,
        r.labels,
        judged,
        partial(distances.resolve, distance, r.labels, r.declared, names=names),
        chance,
        by_rater=chance is different_raters,
        by_item=weigh == "items",
        dropped=f"{lost:,} of {r.n_items:,} items dropped: {why}" if lost else "",
        nothing=nothing,
        patterns=r.times,
        clusters=r.clusters,
    )
    return agreement(name, statistic, r, again, statistic.distance)
