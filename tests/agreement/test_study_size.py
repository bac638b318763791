"""items_needed against closed forms and the delta method in fractions."""

from fractions import Fraction
from math import comb, sqrt

import numpy as np
import pytest

import labelaudit as la


def beta_binomial(kappa, prevalence, raters):
    """P(x of R judgments have the label): a rate per item, intraclass correlation k."""
    k, p = Fraction(str(kappa)), Fraction(str(prevalence))
    a, b = p * (1 - k) / k, (1 - p) * (1 - k) / k

    def rising(x, n):
        result = Fraction(1)
        for i in range(n):
            result *= x + i
        return result

    return [
        comb(raters, x) * rising(a, x) * rising(b, raters - x) / rising(a + b, raters)
        for x in range(raters + 1)
    ]


def two_class(kappa, prevalence, raters):
    """The same for a true label, found with probability sqrt(k), else a draw."""
    s, p = sqrt(kappa), float(prevalence)
    chances = []
    for x in range(raters + 1):
        chance = 0.0
        for share, rate in ((p, s + (1 - s) * p), (1 - p, (1 - s) * p)):
            chance += share * comb(raters, x) * rate**x * (1 - rate) ** (raters - x)
        chances.append(chance)
    return chances


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


def items_for(variance, half_width, confidence):
    z = {0.9: 1.6448536269514722, 0.95: 1.959963984540054}[confidence]
    return int(np.ceil(z**2 * float(variance) / half_width**2))


@pytest.mark.parametrize("confidence", [0.9, 0.95])
@pytest.mark.parametrize("prevalence", [0.1, 0.3, 0.5, 0.8])
@pytest.mark.parametrize("kappa", [0.2, 0.4, 0.6, 0.85])
def test_items_needed_for_two_raters(kappa, prevalence, confidence):
    """Donner and Eliasziw's closed form, which is that of any model."""
    k, p = Fraction(str(kappa)), Fraction(str(prevalence))
    variance = (1 - k) * ((1 - k) * (1 - 2 * k) + k * (2 - k) / (2 * p * (1 - p)))
    chances = beta_binomial(kappa, prevalence, 2)
    assert influence_variance(chances, kappa, prevalence) == variance
    for half_width in (0.05, 0.1, 0.2):
        n = items_for(variance, half_width, confidence)
        for model in (None, "beta-binomial", "two-class"):
            found = la.items_needed(
                kappa, prevalence, half_width, confidence=confidence, model=model
            )
            assert found == n


def test_items_needed_for_less_agreement_than_chance():
    k, p = Fraction(-1, 5), Fraction(1, 2)
    variance = (1 - k) * ((1 - k) * (1 - 2 * k) + k * (2 - k) / (2 * p * (1 - p)))
    assert la.items_needed(-0.2, 0.5, 0.1) == items_for(variance, 0.1, 0.95)


@pytest.mark.parametrize("model", ["beta-binomial", "two-class"])
@pytest.mark.parametrize("raters", [3, 5, 8])
@pytest.mark.parametrize("prevalence", [0.1, 0.5])
@pytest.mark.parametrize("kappa", [0.3, 0.7])
def test_items_needed_for_more_raters(kappa, prevalence, raters, model):
    """The influence's variance over the R + 1 patterns, the model's chances."""
    law = {"beta-binomial": beta_binomial, "two-class": two_class}
    chances = law[model](kappa, prevalence, raters)
    variance = influence_variance(chances, kappa, prevalence)
    found = la.items_needed(kappa, prevalence, 0.07, raters, model=model)
    assert found == items_for(variance, 0.07, 0.95)


def test_items_needed_near_no_agreement():
    """kappa = 1e-15 is as good as 0, where the label's number is binomial."""
    for model in ("beta-binomial", "two-class"):
        near, none = (la.items_needed(k, 0.3, 0.1, 3, model=model) for k in (1e-15, 0))
        assert near == none == 129
