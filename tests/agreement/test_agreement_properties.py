"""What holds for every rating: invariances, orderings, bounds, undefined values."""

import contextlib
import re
from fractions import Fraction
from functools import partial
from itertools import combinations_with_replacement, product
from math import atanh, isnan, tanh

import hypothesis.strategies as st
import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from scipy.stats import norm

import agreement_oracles as oracles
import labelaudit as la
from agreement_helpers import quietly, ratings

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


def numbers(agreement):
    """Everything about an agreement that is a number."""
    a = agreement
    return [a.value, a.observed, a.expected, a.observed_disagreement,
            a.expected_disagreement, quietly(lambda: a.standard_error), a.n_items,
            a.n_ratings]  # fmt: skip


def same(one, other):
    assert numbers(one) == pytest.approx(numbers(other), abs=1e-10, nan_ok=True)


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


# Invariance -----------------------------------------------------------------------


@given(matrices(), st.permutations(LABELS))
def test_nominal_coefficients_do_not_see_the_labels(rows, order):
    names = dict(zip(order, ["one", ("two", 2), 3.5, None.__class__]))
    renamed = [[None if c is None else names[c] for c in row] for row in rows]
    frame = pd.DataFrame(renamed, dtype=object)
    r = from_rows(rows)
    other = quietly(la.Ratings.from_matrix, frame, labels=[*names.values()])
    for coefficient in coefficients(len(rows[0])):
        same(quietly(coefficient, r), quietly(coefficient, other))


# One coefficient against another --------------------------------------------------


@given(matrices(2, 2, missing=False))
def test_pi_is_at_most_s_and_at_most_kappa(rows):
    """Artstein 2007, slides 18 and 23."""
    r = from_rows(rows)
    pi, s, kappa = (quietly(f, r) for f in (la.scott_pi, la.bennett_s, la.cohen_kappa))
    assert pi.expected >= s.expected - 1e-12
    assert pi.expected >= kappa.expected - 1e-12
    if not isnan(pi.value):
        assert pi.value <= s.value + 1e-12
        assert pi.value <= kappa.value + 1e-12


@given(matrices(2, 5, missing=False))
def test_fleiss_kappa_is_at_most_iota_and_at_least_minus_one_over_the_others(rows):
    r = from_rows(rows)
    k, iota = quietly(la.fleiss_kappa, r), quietly(la.janson_olsson_iota, r)
    assert k.expected >= iota.expected - 1e-12
    if not isnan(k.value):
        assert k.value <= iota.value + 1e-12
        assert k.value >= -1 / (len(rows[0]) - 1) - 1e-12


@given(matrices(2, 5, missing=False))
def test_error_variance_over_total_variance(rows):
    """At most c / (c - 1) for c coders, 2 for two: slide 34, made general.

    (n c - 1) / (n (c - 1)) in a sample of n items; met where items' means are equal.
    """
    n, c = len(rows), len(rows[0])
    bound = (n * c - 1) / (n * (c - 1))
    alpha = quietly(la.krippendorff_alpha, from_rows(rows), "interval").value
    assert isnan(alpha) or 1 - alpha <= bound + 1e-12
    level = [[1] + [3] * (c - 1) if i % 2 else [3] * (c - 1) + [1] for i in range(n)]
    alpha = la.krippendorff_alpha(from_rows(level), "interval").value
    assert 1 - alpha == pytest.approx(bound)


# Copies ---------------------------------------------------------------------------


# Intervals ------------------------------------------------------------------------


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


def test_intervals_widen_with_confidence_and_the_default_is_95_percent():
    r = ratings(oracles.random_judgments(2, 40, 3, LABELS), LABELS)
    found = la.fleiss_kappa(r)
    narrow, default, wide = (quietly(found.interval, c) for c in (0.9, 0.95, 0.99))
    assert quietly(found.interval) == default
    assert quietly(found.interval, method="adjusted") == default
    assert wide[0] < default[0] < narrow[0] < found.value
    assert found.value < narrow[1] < default[1] < wide[1]


def test_bootstrap_is_seeded():
    r = ratings(oracles.random_judgments(2, 40, 3, LABELS), LABELS)
    found = la.krippendorff_alpha(r)
    drawn = partial(quietly, found.interval, method="bootstrap")
    one = drawn(seed=1)
    assert one == quietly(found.interval, 0.95, "bootstrap", 2000, 1)
    assert one != drawn(seed=2)
    assert one != drawn(seed=1, repetitions=500)
    assert one[0] < found.value < one[1]


def test_bootstrap_draws_items_with_replacement():
    """S of five items, two of full agreement: percentiles of a binomial law.

    Bin(5, .4) is 0 with probability .078, at most 3 with .913 and at most 4 with
    .990: the 5 % and 95 % points are 0 and 4, over four standard errors clear.
    """
    r = la.Ratings.from_matrix([[1, 1, 1], [2, 2, 2], [1, 2, 1], [1, 1, 2], [2, 1, 2]])
    found = la.bennett_s(r)
    ends = [quietly(found.interval, 0.9, "bootstrap", seed=s) for s in (1, 2, 3)]
    agreement = [Fraction(k, 5) + Fraction(5 - k, 15) for k in (0, 4)]
    for low, high in ends:
        assert low == pytest.approx(float(2 * agreement[0] - 1))
        assert high == pytest.approx(float(2 * agreement[1] - 1))


# Models of error (Artstein 2007, slides 44-48) ------------------------------------


# DiPietro and Hazari --------------------------------------------------------------


def tables(n_items, n_annotators, n_labels):
    """Every table of counts with so many judgments an item."""
    rows = [
        row
        for row in product(range(n_annotators + 1), repeat=n_labels)
        if sum(row) == n_annotators
    ]
    return combinations_with_replacement(rows, n_items)


@pytest.mark.parametrize(
    "size", [(1, 2, 2), (2, 2, 2), (3, 2, 2), (2, 3, 2), (2, 2, 3), (1, 4, 3)]
)
def test_dipietro_hazari_over_every_small_table(size):
    """Scalar form (Eqs. 4-13) equal to the matrix form (14); never below -1."""
    n_items, _, n_labels = size
    labels = [*range(n_labels)]
    least = []
    for counts in tables(*size):
        for suggested in product(labels, repeat=n_items):
            judgments = oracles.from_counts(counts, labels)
            by_item = dict(enumerate(suggested))
            scalar = oracles.dipietro_hazari(judgments, by_item, labels).value
            assert scalar == oracles.dipietro_hazari_matrix(counts, suggested)
            r = la.Ratings.from_counts(counts)
            found = quietly(la.dipietro_hazari_kappa, r, suggested)
            if scalar is None:
                assert isnan(found.value)
                continue
            assert -1 <= scalar <= 1
            assert found.value == pytest.approx(float(scalar), abs=1e-12)
            least.append(scalar)
    if size == (2, 2, 2):
        assert min(least) == -1


def test_the_three_requirements_of_section_1():
    """Good where all agree with the suggestion; poor; very poor.

    Three labels, each suggested and given as often: C_E - C_F = 2/9 - 1/3 = -1/9.
    Disagreeing with the suggestion and with each other comes out above 0.
    """
    suggested = [0, 1, 2] * 4
    good = [[s, s] for s in suggested]
    poor = [[(s + 1) % 3, (s + 2) % 3] for s in suggested]
    very_poor = [[(s + 1) % 3] * 2 for s in suggested]
    values = [
        la.dipietro_hazari_kappa(from_rows(rows, [0, 1, 2]), suggested)
        for rows in (good, poor, very_poor)
    ]
    for found in values:
        assert found.expected == pytest.approx(-1 / 9)
    assert [found.observed for found in values] == pytest.approx([1, 0, -1])
    assert [found.value for found in values] == pytest.approx([1, 0.1, -0.8])


# Undefined ------------------------------------------------------------------------

ONE_LABEL = [["x", "x"], ["x", "x"], ["x", "x"]]
NO_PAIR = [["x", None], [None, "y"], ["y", None]]
DEFINED_BY_CHANCE = {
    "pi": la.scott_pi,
    "kappa": la.cohen_kappa,
    "K": la.fleiss_kappa,
    "alpha": la.krippendorff_alpha,
    "iota": la.janson_olsson_iota,
    "linear": lambda r: la.weighted_kappa(r, "linear"),
    "quadratic": lambda r: la.weighted_kappa(r, "quadratic"),
    "ordinal": lambda r: la.krippendorff_alpha(r, "ordinal"),
    "table": lambda r: la.krippendorff_alpha(r, [[0, 2], [2, 0]]),
}
ALWAYS_SOME_CHANCE = {
    "S": la.bennett_s,
    "AC1": la.gwet_ac1,
}
SUGGESTED = {"DH": lambda r: la.dipietro_hazari_kappa(r, ["x"] * len(r.items))}


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


@pytest.mark.parametrize("name", [*DEFINED_BY_CHANCE, *SUGGESTED])
@pytest.mark.parametrize(
    "rows", [ONE_LABEL, [["x", "x"], ["y", None], ["x", "x"]], [["x", "x"]]], ids=str
)
def test_one_label_leaves_nothing_to_chance(name, rows):
    """The second: the other label is only on an item that takes no part."""
    call = {**DEFINED_BY_CHANCE, **SUGGESTED}[name]
    found = undefined(call, from_rows(rows, ["x", "y"]), r"\bx\b|label")
    n = sum(None not in row for row in rows)
    assert (found.n_items, found.n_ratings) == (n, 2 * n)
    assert (found.observed_disagreement, found.expected_disagreement) == (0, 0)


@pytest.mark.parametrize("name", [*DEFINED_BY_CHANCE, *ALWAYS_SOME_CHANCE, *SUGGESTED])
def test_no_item_with_two_judgments(name):
    call = {**DEFINED_BY_CHANCE, **ALWAYS_SOME_CHANCE, **SUGGESTED}[name]
    found = undefined(call, from_rows(NO_PAIR, ["x", "y"]), r"item")
    assert isnan(found.observed) and isnan(found.observed_disagreement)
    assert (found.n_items, found.n_ratings) == (0, 0)


@pytest.mark.parametrize("name", ALWAYS_SOME_CHANCE)
def test_one_label_of_one_is_undefined_and_of_two_is_agreement(name):
    call = ALWAYS_SOME_CHANCE[name]
    undefined(call, la.Ratings.from_matrix(ONE_LABEL), r"\bx\b|label")
    found = call(from_rows(ONE_LABEL, ["x", "y"]))
    assert found.value == 1
    assert found.observed == 1


@pytest.mark.parametrize("number", [0.1, 1 / 3, 1e9 + 0.1, 0.0])
@pytest.mark.parametrize("distance", ["interval", "ratio", "ordinal"])
def test_one_number_throughout_leaves_no_rounding(distance, number):
    rows = np.full((7, 3), number)
    for coefficient in (la.krippendorff_alpha, la.janson_olsson_iota):
        with pytest.warns(UserWarning, match="undefined"):
            found = coefficient(la.Ratings.from_matrix(rows), distance)
        assert isnan(found.value)


@pytest.mark.parametrize("coefficient", [*MANY_RATERS, *TWO_RATERS])
def test_no_interval_at_full_agreement(coefficient):
    """By the jackknife; by default it ends at 1."""
    found = coefficient(from_rows([["x", "x"], ["y", "y"]] * 5, ["x", "y"]))
    assert found.value == 1
    assert found.standard_error == 0
    with pytest.warns(UserWarning, match=re.compile("interval", re.I)):
        low, high = found.interval(method="jackknife")
    assert isnan(low) and isnan(high)
    low, high = found.interval()
    assert 0 < low < high == 1


# Differences ----------------------------------------------------------------------


@given(matrices(2, 3, missing=False, least_items=4))
def test_difference_from_itself_is_nothing(rows):
    a = quietly(la.fleiss_kappa, from_rows(rows))
    assume(not isnan(a.value) and not isnan(quietly(lambda: a.standard_error)))
    found = quietly(la.difference, a, a)
    assert (found.value, found.standard_error) == pytest.approx((0, 0), abs=1e-12)
    with pytest.warns(UserWarning, match="interval"):
        low, high = found.interval()
    assert isnan(low) and isnan(high)


def test_difference_from_the_undefined_is_undefined():
    r = from_rows(ONE_LABEL, ["x", "y"])
    s, k = la.bennett_s(r), quietly(la.fleiss_kappa, r)
    for a, b in ((s, k), (k, s)):
        with pytest.warns(UserWarning, match="difference"):
            found = la.difference(a, b)
        assert isnan(found.value) and isnan(found.standard_error)
        with pytest.warns(UserWarning, match="interval"):
            low, high = found.interval()
        assert isnan(low) and isnan(high)


# Results do not change ------------------------------------------------------------


def test_results_are_frozen():
    r = from_rows([["x", "y"], ["y", "y"], ["x", "x"]] * 3, ["x", "y"])
    agreement, other = la.fleiss_kappa(r), la.krippendorff_alpha(r)
    for result, name in [
        (r, "labels"),
        (r, "items"),
        (agreement, "value"),
        (agreement, "observed"),
        (agreement, "observed_disagreement"),
        (agreement, "standard_error"),
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
