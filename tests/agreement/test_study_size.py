"""items_needed against closed forms and the delta method in fractions."""

from fractions import Fraction

import numpy as np
import pytest

import agreement_oracles as oracles
import labelaudit as la


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
    chances = oracles.beta_binomial(kappa, prevalence, 2)
    assert oracles.influence_variance(chances, kappa, prevalence) == variance
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
    law = {"beta-binomial": oracles.beta_binomial, "two-class": oracles.two_class}
    chances = law[model](kappa, prevalence, raters)
    variance = oracles.influence_variance(chances, kappa, prevalence)
    found = la.items_needed(kappa, prevalence, 0.07, raters, model=model)
    assert found == items_for(variance, 0.07, 0.95)
