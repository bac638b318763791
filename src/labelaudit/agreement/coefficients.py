"""Agreement coefficients, from S to iota; `table` has what makes each of them."""

from typing import Any

from .agreement import Agreement
from .ratings import Ratings
from .table import compute


def bennett_s(
    r: Ratings, *, distance: Any = "nominal", weigh: str = "judgments"
) -> Agreement:
    """S: chance gives every label alike, used or not.

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
        For ratings with repeats, a distance or a word for weigh that is none of these.

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
    return compute("bennett_s", r, distance, weigh)


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
    return compute("scott_pi", r)


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
    return compute("cohen_kappa", r)


def fleiss_kappa(r: Ratings, *, weigh: str = "judgments") -> Agreement:
    """Fleiss' kappa, Artstein's K: chance draws from the label shares of all raters.

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
    return compute("fleiss_kappa", r, weigh=weigh)


def weighted_kappa(r: Ratings, distance: Any) -> Agreement:
    """Weighted kappa: Cohen's chance, with some disagreements worse than others.

    Parameters
    ----------
    r : Ratings
        By exactly two raters.
    distance : "linear", "quadratic", callable or square matrix
        Positions in r.labels apart, as a share of the largest distance, or its
        square; or disagreements, symmetric and 0 for a label with itself: a function
        of two labels, or a matrix (DataFrame named by the labels, or array in their
        order).

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
    return compute("weighted_kappa", r, distance)


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
    return compute("krippendorff_alpha", r, distance)


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
        For anonymous raters, a distance that does not fit the labels, repeats, another
        word for weigh.

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
    return compute("janson_olsson_iota", r, distance, weigh)
