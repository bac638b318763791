"""items_needed: the width is kept in 80 % of studies, and in fewer with fewer items."""

from fractions import Fraction
from math import comb, sqrt

import numpy as np
import pytest
from scipy.special import ndtri

import labelaudit as la
from agreement_helpers import quietly


def two_class(kappa, prevalence, raters):
    """P(x of R have the label): a true one, found with chance sqrt(k), else a draw."""
    s, p = sqrt(kappa), float(prevalence)
    rates = (p, s + (1 - s) * p), (1 - p, (1 - s) * p)
    return [
        sum(comb(raters, x) * share * rate**x * (1 - rate) ** (raters - x)
            for share, rate in rates)
        for x in range(raters + 1)
    ]  # fmt: skip


def influence_variance(chances, kappa, prevalence):
    """n times the variance of Fleiss' kappa, by the delta method over the patterns.

    `chances` are those of 0 .. R judgments with the label. The influence is that of
    1 - D_o / D_e with D_e = 2 p (1 - p), p the share of all judgments.
    """
    k, p = Fraction(str(kappa)), Fraction(str(prevalence))
    raters = len(chances) - 1
    d_e = 2 * p * (1 - p)
    d_o = (1 - k) * d_e
    variance = mean = share = 0
    for x, chance in enumerate(chances):
        distance = Fraction(2 * x * (raters - x), raters * (raters - 1))
        influence = -(distance - d_o) / d_e
        influence += d_o / d_e**2 * (2 - 4 * p) * (Fraction(x, raters) - p)
        variance += chance * influence**2
        mean += chance * influence
        share += chance * Fraction(x, raters)
    assert abs(mean) < 1e-12 and abs(share - p) < 1e-12
    return variance


@pytest.mark.parametrize(
    ("kappa", "prevalence", "half_width", "raters"),
    [
        (0.9, 0.05, 0.15, 2),
        (-0.2, 0.5, 0.15, 2),
        (0.8, 0.1, 0.1, 5),
        (0.4, 0.2, 0.1, 3),
    ],
)
def test_the_width_is_kept_in_80_percent_of_studies(
    kappa, prevalence, half_width, raters
):
    """Drawn studies, with the library's interval."""
    n = la.items_needed(kappa, prevalence, half_width, raters)
    # Two raters: any model; a kappa below 0 needs the patterns themselves.
    both = prevalence**2 + kappa * prevalence * (1 - prevalence)
    chances = [1 - 2 * prevalence + both, 2 * (prevalence - both), both]
    if raters > 2:
        chances = [float(c) for c in two_class(kappa, prevalence, raters)]
    rows = [[1] * k + [0] * (raters - k) for k in range(raters + 1)]
    random, kept, studies = np.random.default_rng(1), {}, 300
    for items in (n, round(0.85 * n)):
        within = []
        for times in random.multinomial(items, chances, studies):
            r = la.Ratings.from_patterns(rows, times, labels=[0, 1])
            low, high = quietly(la.fleiss_kappa(r).interval)
            within.append(high - low <= 2 * half_width)
        kept[items] = np.mean(within)
    assert kept.pop(n) > 0.8 - 2 * np.sqrt(0.8 * 0.2 / studies)
    assert max(kept.values()) < 0.8


@pytest.mark.parametrize("raters", [2, 3, 8])
@pytest.mark.parametrize(("kappa", "prevalence"), [(0.3, 0.1), (0.7, 0.5), (0.6, 0.8)])
def test_with_many_items_the_variance_alone_counts(kappa, prevalence, raters):
    """z^2 sigma^2 / width^2; for two raters sigma^2 is Donner and Eliasziw's."""
    chances = two_class(kappa, prevalence, raters)
    variance = float(influence_variance(chances, kappa, prevalence))
    if raters == 2:
        k, p = kappa, prevalence
        known = (1 - k) * ((1 - k) * (1 - 2 * k) + k * (2 - k) / (2 * p * (1 - p)))
        assert variance == pytest.approx(known)
    width = 1e-5
    for confidence in (0.9, 0.99):
        n = la.items_needed(kappa, prevalence, width, raters, confidence=confidence)
        z = ndtri((1 + confidence) / 2)
        assert 1 < n / (z**2 * variance / width**2) < 1.001


def test_extreme_studies():
    """One in which one label is all there is has no interval, so the rarer label has
    to be met in most; a kappa of 1e-15 is as good as 0."""
    n = la.items_needed(0.999, 1e-6, 0.9)
    assert (1 - 1e-6) ** n < 0.2
    near, none = (la.items_needed(k, 0.3, 0.1, 3) for k in (1e-15, 0))
    assert near == none > 129  # by the variance alone
