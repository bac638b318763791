"""What holds for every rating: invariances, orderings, bounds, undefined values."""

import contextlib
from fractions import Fraction
from math import atanh, isnan, tanh

import hypothesis.strategies as st
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from scipy.stats import norm

import labelaudit as la
from agreement_helpers import quietly, same, warned

TWO_RATERS = (la.scott_pi, la.cohen_kappa)
MANY_RATERS = (
    la.bennett_s,
    la.fleiss_kappa,
    la.krippendorff_alpha,
    la.janson_olsson_iota,
    la.gwet_ac1,
)
LABELS = [1, 2, 3, 4]


def from_rows(rows, labels=LABELS):
    """A matrix that hypothesis may have made to look like something else."""
    return quietly(la.Ratings.from_matrix, rows, labels=labels)


def coefficients(n_raters):
    return MANY_RATERS + (TWO_RATERS if n_raters == 2 else ())


def matrices(least_raters=2, most_raters=4, missing=True, least_items=2):
    cell = st.sampled_from([*LABELS, None] if missing else LABELS)
    return st.integers(least_raters, most_raters).flatmap(
        lambda width: st.lists(
            st.lists(cell, min_size=width, max_size=width),
            min_size=least_items,
            max_size=9,
        )
    ).filter(lambda rows: any(c is not None for row in rows for c in row))  # fmt: skip


@settings(max_examples=30)
@given(matrices(), st.permutations(LABELS))
def test_nominal_coefficients_do_not_see_the_labels(rows, order):
    names = dict(zip(order, ["one", ("two", 2), 3.5, None.__class__]))
    renamed = [[None if c is None else names[c] for c in row] for row in rows]
    frame = pd.DataFrame(renamed, dtype=object)
    sides = from_rows(rows), from_rows(frame, [*names.values()])
    for coefficient in coefficients(len(rows[0])):
        one, other = (quietly(coefficient, r) for r in sides)
        same(one, other)


# Intervals ------------------------------------------------------------------------


@settings(max_examples=30)
@given(matrices(least_items=4), st.sampled_from([0.5, 0.8, 0.95, 0.99]))
def test_jackknife_interval_is_normal_on_the_atanh_scale(rows, confidence):
    for coefficient in coefficients(len(rows[0])):
        found = quietly(coefficient, from_rows(rows))
        value, error = found.value, quietly(lambda a: a.standard_error, found)
        low, high = quietly(found.interval, confidence, "jackknife")
        if isnan(value) or abs(value) >= 1 or isnan(error) or error < 1e-12:
            assert isnan(low) and isnan(high)
            continue
        assert -1 <= low < value < high <= 1
        reach = norm.ppf(0.5 + confidence / 2) * error / (1 - value**2)
        assert low == pytest.approx(tanh(atanh(value) - reach), abs=1e-9)
        assert high == pytest.approx(tanh(atanh(value) + reach), abs=1e-9)


def test_bootstrap_draws_items_with_replacement():
    """S of five items, two of full agreement: percentiles of a binomial law.

    Bin(5, .4) is 0 with probability .078, at most 3 with .913 and at most 4 with
    .990: the 5 % and 95 % points are 0 and 4, over four standard errors clear.
    """
    r = la.Ratings.from_matrix([[1, 1, 1], [2, 2, 2], [1, 2, 1], [1, 1, 2], [2, 1, 2]])
    found = la.bennett_s(r)
    agreement = [Fraction(k, 5) + Fraction(5 - k, 15) for k in (0, 4)]
    wanted = [float(2 * share - 1) for share in agreement]
    for seed in (1, 2):
        ends = quietly(found.interval, 0.9, "bootstrap", seed=seed)
        assert ends == pytest.approx(wanted)


@pytest.mark.parametrize("seed", range(6))
def test_a_bootstrap_whose_samples_are_alike_tells_their_value(seed):
    """Also where the first sample is of one label alone, as for two of these seeds."""
    found = la.fleiss_kappa(la.Ratings.from_counts([[2, 0]] * 3 + [[0, 2]]))
    _, told = warned(found.interval, 0.9, "bootstrap", 200, seed)
    assert "Fleiss' kappa: every bootstrap sample gives 1" in told


# DiPietro and Hazari --------------------------------------------------------------


# Undefined ------------------------------------------------------------------------

ONE_LABEL = [["x", "x"], ["x", "x"], ["x", "x"]]
NO_PAIR = [["x", None], [None, "y"], ["y", None]]
ALWAYS_SOME_CHANCE = la.bennett_s, la.gwet_ac1
BY_CHANCE = {
    **{call.__name__: call for call in (*TWO_RATERS, *MANY_RATERS[1:4])},
    "linear": lambda r: la.weighted_kappa(r, "linear"),
    "ordinal": lambda r: la.krippendorff_alpha(r, "ordinal"),
    "table": lambda r: la.krippendorff_alpha(r, [[0, 2], [2, 0]]),
    "suggested": lambda r: la.dipietro_hazari_kappa(r, ["x"] * len(r.items)),
}


def undefined(call, r, cause):
    """The call warns, naming the cause, and everything about its result is NaN."""
    with pytest.warns(UserWarning, match=cause) as caught:
        found = call(r)
    assert len(caught) == 1
    assert "undefined" in str(caught[0].message)
    assert isnan(found.value) and isnan(float(found))
    assert isnan(quietly(lambda: found.standard_error))
    assert "undefined" in repr(found)
    with pytest.warns(UserWarning, match=r"."):
        low, high = found.interval()
    assert isnan(low) and isnan(high)
    return found


@pytest.mark.parametrize("name", BY_CHANCE)
def test_one_label_leaves_nothing_to_chance(name):
    """The second: the other label is only on an item that takes no part."""
    for rows in (ONE_LABEL, [["x", "x"], ["y", None], ["x", "x"]], [["x", "x"]]):
        found = undefined(BY_CHANCE[name], from_rows(rows, ["x", "y"]), r"\bx\b|label")
        n = sum(None not in row for row in rows)
        assert (found.n_items, found.n_ratings) == (n, 2 * n)
        assert (found.observed_disagreement, found.expected_disagreement) == (0, 0)


def test_no_item_with_two_judgments():
    for call in (*BY_CHANCE.values(), *ALWAYS_SOME_CHANCE):
        found = undefined(call, from_rows(NO_PAIR, ["x", "y"]), r"item")
        assert isnan(found.observed) and isnan(found.observed_disagreement)
        assert (found.n_items, found.n_ratings) == (0, 0)


@pytest.mark.parametrize("call", ALWAYS_SOME_CHANCE)
def test_one_label_of_one_is_undefined_and_of_two_is_agreement(call):
    undefined(call, la.Ratings.from_matrix(ONE_LABEL), r"\bx\b|label")
    found = call(from_rows(ONE_LABEL, ["x", "y"]))
    assert found.value == found.observed == 1


@pytest.mark.parametrize("number", [0.1, 1 / 3, 1e9 + 0.1, 0.0])
@pytest.mark.parametrize("distance", ["interval", "ratio", "ordinal"])
def test_one_number_throughout_leaves_no_rounding(distance, number):
    r = la.Ratings.from_matrix(np.full((7, 3), number))
    for coefficient in (la.krippendorff_alpha, la.janson_olsson_iota):
        with pytest.warns(UserWarning, match="undefined"):
            assert isnan(coefficient(r, distance).value)


@pytest.mark.parametrize("coefficient", [*MANY_RATERS, *TWO_RATERS])
def test_no_interval_at_full_agreement(coefficient):
    """By the jackknife; by default it ends at 1."""
    found = coefficient(from_rows([["x", "x"], ["y", "y"]] * 5, ["x", "y"]))
    assert found.value == 1
    assert found.standard_error == 0
    with pytest.warns(UserWarning, match="interval"):
        low, high = found.interval(method="jackknife")
    assert isnan(low) and isnan(high)
    low, high = found.interval()
    assert 0 < low < high == 1


# Differences; results do not change -----------------------------------------------


def test_differences_that_say_nothing():
    """From itself it is nothing, from the undefined undefined; neither has limits."""
    s, k = (quietly(f, from_rows(ONE_LABEL, ["x", "y"]))
            for f in (la.bennett_s, la.fleiss_kappa))  # fmt: skip
    a = la.fleiss_kappa(from_rows([[1, 2], [2, 2], [3, 3], [1, 1]] * 3))
    for one, other, value in ((s, k, np.nan), (k, s, np.nan), (a, a, 0)):
        found, told = warned(la.difference, one, other)
        wanted = pytest.approx((value, value), abs=1e-12, nan_ok=True)
        assert (found.value, quietly(getattr, found, "standard_error")) == wanted
        assert any("minus" in message for message in told) == isnan(value)
        with pytest.warns(UserWarning, match="interval"):
            assert all(map(isnan, found.interval()))


def test_results_are_frozen():
    r = from_rows([["x", "y"], ["y", "y"], ["x", "x"]] * 3, ["x", "y"])
    agreement, other = la.fleiss_kappa(r), la.krippendorff_alpha(r)
    for result, name in [
        (r, "labels"),
        (agreement, "value"),
        (la.difference(agreement, other), "value"),
        (la.dawid_skene(r), "prevalence"),
        (la.accuracy(r, ["x", "y", "x"] * 3), "value"),
    ]:
        with pytest.raises(AttributeError):
            setattr(result, name, 3)
    for table in (agreement.without, r.per_item):
        with pytest.raises(ValueError, match="read-only"):
            table[:] = 0
    before = agreement.value
    with contextlib.suppress(ValueError):
        r.counts[:] = 0
    assert la.fleiss_kappa(r).value == before
