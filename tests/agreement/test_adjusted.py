"""The interval with two labels: half items against published formulas; coverage.

Coverage is exact where all samples of a size are enumerated.
"""

from itertools import product
from math import isnan, sqrt

import numpy as np
import pytest
from scipy.stats import multinomial, norm

import labelaudit as la
from agreement_helpers import quietly
from labelaudit.agreement import adjusted

LABELS = [0, 1]


def of_table(yes_yes, yes_no, no_yes, no_no):
    """Two raters."""
    rows = [[1, 1]] * yes_yes + [[1, 0]] * yes_no + [[0, 1]] * no_yes
    return la.Ratings.from_matrix(np.array(rows + [[0, 0]] * no_no), LABELS)


def everitt(table):
    """Cohen's kappa of a table of shares, and n times its variance.

    Fleiss, Cohen and Everitt 1969, Eq. 13, as textbooks print it.
    """
    p = np.array(table) / np.sum(table)
    rows, columns = p.sum(axis=1), p.sum(axis=0)
    p_o, p_e = np.trace(p), rows @ columns
    kappa = (p_o - p_e) / (1 - p_e)
    a = sum(p[i, i] * (1 - (rows[i] + columns[i]) * (1 - kappa)) ** 2 for i in (0, 1))
    b = (1 - kappa) ** 2 * sum(
        p[i, k] * (columns[i] + rows[k]) ** 2 for i, k in ((0, 1), (1, 0))
    )
    c = (kappa - p_e * (1 - kappa)) ** 2
    return kappa, (a + b - c) / (1 - p_e) ** 2


@pytest.mark.parametrize("confidence", [0.8, 0.95])
@pytest.mark.parametrize(
    "table", [(20, 5, 3, 30), (6, 1, 0, 80), (12, 0, 1, 9), (40, 10, 30, 20)], ids=str
)
def test_kappa_by_the_published_variance(table, confidence):
    """Of the table with items added; n - 1 for n, as in the jackknife."""
    found = la.cohen_kappa(of_table(*table))
    ends = []
    for differ, sign in ((1, 1), (0, -1)):
        a, b, c, d = table
        more = [[a + 0.5, b + differ / 2], [c + differ / 2, d + 0.5]]
        kappa, variance = everitt(more)
        error = sqrt(variance / (np.sum(more) - 1))
        reach = norm.ppf((1 + confidence) / 2) * error / (2 * sqrt(1 - kappa))
        ends.append(1 - max(sqrt(1 - kappa) + sign * reach, 0) ** 2)
    expected = min(ends[0], found.value), max(ends[1], found.value)
    ends = quietly(found.interval, confidence, "adjusted")
    assert ends == pytest.approx(expected, rel=1e-9)


def every_statistic():
    rng = np.random.default_rng(4)
    truth = rng.random(60) < 0.4
    m = np.where(rng.random((60, 4)) < 0.85, truth[:, None], rng.random((60, 4)) < 0.5)
    m = m.astype(float)
    gaps = m.copy()
    gaps[rng.random(m.shape) < 0.2] = np.nan
    make = la.Ratings.from_matrix
    full, some, two = make(m, LABELS), make(gaps, LABELS), make(m[:, :2], LABELS)
    counts = la.Ratings.from_counts(some.counts, LABELS)
    for coefficient in (la.krippendorff_alpha, la.fleiss_kappa, la.gwet_ac1):
        yield from map(coefficient, (full, some, counts))
    yield from map(la.janson_olsson_iota, (full, some, two))
    three = make(gaps, [*LABELS, 2])
    yield from (la.bennett_s(some), la.bennett_s(three), la.cohen_kappa(two))
    yield from (la.scott_pi(two), la.weighted_kappa(two, "linear"))
    yield la.krippendorff_alpha(some, "interval")
    yield la.krippendorff_alpha(full, [[0, 3], [3, 0]])
    yield la.cross_kappa(two, make(gaps[:, 2:], LABELS))
    for r in (full, some, two):
        yield la.dipietro_hazari_kappa(r, truth.astype(int).tolist())


STATISTICS = list(every_statistic())


@pytest.mark.parametrize("a", STATISTICS, ids=lambda a: a.name)
def test_influences_are_derivatives(a):
    """By how much the value moves where a unit counts a little more."""
    s = a._statistic
    value, times, influence = s.influences()
    assert value == pytest.approx(a.value, rel=1e-12)
    step = 1e-5
    for unit in range(len(times)):
        more, less = times.copy(), times.copy()
        more[unit] += step
        less[unit] -= step
        slope = (s.resampled(more) - s.resampled(less)) / (2 * step)
        assert influence[unit] == pytest.approx(times.sum() * slope, abs=1e-5)
    # and so the jackknife's error, but for what is left at 60 items
    error = adjusted.spread(times, influence)
    assert error == pytest.approx(a.standard_error, rel=0.06)


@pytest.mark.parametrize("a", STATISTICS, ids=lambda a: a.name)
def test_the_value_lies_inside(a):
    low, high = quietly(a.interval, method="adjusted")
    assert -1 <= low < a.value < high <= 1
    wide = quietly(a.interval, 0.99, "adjusted")
    assert wide[0] < low and high < wide[1]


def test_half_items_by_hand():
    """Anonymous counts and one item more of each kind, weighted: pi of a table.

    20 items of two yes, 4 of one, 30 of none; for the lower end half an item more of
    each: pi = 1 - D_o / (2 p (1 - p)).
    """
    r = la.Ratings.from_counts([[0, 2]] * 20 + [[1, 1]] * 4 + [[2, 0]] * 30)
    changed = la.fleiss_kappa(r)._statistic.with_halves(0.5)
    p = (20.5 + 4.5 / 2) / 55.5
    expected = 1 - (4.5 / 55.5) / (2 * p * (1 - p))
    assert changed.influences()[0] == pytest.approx(expected, rel=1e-12)


def test_nobody_differs():
    """The value is 1: the interval ends there, and begins lower with fewer items."""
    lows = []
    for n in (10, 40, 200):
        low, high = la.krippendorff_alpha(of_table(n, 0, 0, n)).interval()
        assert high == 1
        lows.append(low)
    assert 0 < lows[0] < lows[1] < lows[2] < 1


def test_with_other_than_two_labels_it_is_refused():
    a = la.fleiss_kappa(la.Ratings.from_matrix([[1, 1], [2, 3], [3, 3], [1, 2]] * 40))
    with pytest.raises(ValueError, match=r"method must be None.*two labels"):
        a.interval(method="adjusted")
    assert a.interval() == a.interval(method="jackknife")
    with pytest.raises(ValueError, match="method"):
        la.cohen_kappa(of_table(9, 2, 2, 9)).interval(method="fieller")


def test_order_of_labels_items_and_raters_does_not_matter():
    table = (20, 5, 3, 30)
    ends = la.cohen_kappa(of_table(*table)).interval()
    for other in ((30, 5, 3, 20), (20, 3, 5, 30)):
        assert la.cohen_kappa(of_table(*other)).interval() == pytest.approx(ends)
    rows = np.random.default_rng(1).permutation(of_table(*table).counts)
    anonymous = la.krippendorff_alpha(la.Ratings.from_counts(rows, LABELS))
    again = la.krippendorff_alpha(of_table(*table))
    assert anonymous.interval() == pytest.approx(again.interval(), rel=1e-12)


# Coverage -------------------------------------------------------------------------

PROMISED = 0.92  # of nominal 95 %, where at least half of the studies have an interval


def mirrored(table):
    """The first in order of the tables that differ in names of labels and raters."""
    a, b, c, d = table
    return min((a, b, c, d), (d, c, b, a), (a, c, b, d), (d, b, c, a))


def tables(n):
    """Every table of n items."""
    of_three = product(range(n + 1), repeat=3)
    return [(*three, n - sum(three)) for three in of_three if sum(three) <= n]


def ends_of(table):
    return quietly(quietly(la.cohen_kappa, of_table(*table)).interval)


def test_a_table_and_its_mirror_images_have_one_interval():
    for table in tables(8):
        image = ends_of(mirrored(table))
        assert ends_of(table) == pytest.approx(image, rel=1e-12, nan_ok=True)


@pytest.fixture(scope="module")
def intervals():
    """Of kappa for every table of n items: n -> tables, ends.

    Of mirror images, one is computed.
    """
    found = {}
    for n in (15, 30):
        ends = {table: ends_of(table) for table in {*map(mirrored, tables(n))}}
        of = [ends[mirrored(table)] for table in tables(n)]
        found[n] = np.array(tables(n)), np.array(of)
    return found


def two_class(prevalence, first, second):
    """Shares of 11, 10, 01, 00 by raters of these (sensitivity, specificity)."""
    shares = np.zeros((2, 2))
    for p, one, other in (
        (prevalence, first[0], second[0]),
        (1 - prevalence, 1 - first[1], 1 - second[1]),
    ):
        shares += p * np.outer([one, 1 - one], [other, 1 - other])
    return shares


RATERS = [(0.7, 0.7), (0.9, 0.9), (0.95, 0.95), (0.99, 0.99), (0.998, 0.998),
          (0.6, 0.98), (0.95, 0.8)]  # fmt: skip


def test_coverage_of_every_table(intervals):
    """Exact coverage: the sum over all tables, for 175 populations and two sizes."""
    seen, least = 0, 1.0
    for n, (tables, ends) in intervals.items():
        for p, first in product((0.1, 0.2, 0.3, 0.4, 0.5), RATERS):
            for second in (first, (0.9, 0.9), (0.8, 0.95), (0.97, 0.6)):
                shares = two_class(p, first, second)
                kappa, _ = everitt(shares)
                weights = multinomial.pmf(tables, n, shares.ravel())
                given = ~np.isnan(ends[:, 0])
                inside = (ends[:, 0] <= kappa + 1e-12) & (kappa - 1e-12 <= ends[:, 1])
                if weights[given].sum() >= 0.5:
                    seen += 1
                    cover = weights[given & inside].sum() / weights[given].sum()
                    least = min(least, cover)
    assert seen > 100
    assert least >= PROMISED


def drawn(rng, n, prevalence, right, raters, differ=0.0):
    """Judgments of n items, right with this chance; some items are drawn anew."""
    truth = rng.random(n) < prevalence
    anew = rng.random(n) < differ
    other = np.where(anew, rng.random(n) < prevalence, truth)
    sides = []
    for of, width in zip((truth, other), raters):
        wrong = rng.random((n, width)) > right
        sides.append(la.Ratings.from_matrix((of[:, None] ^ wrong) * 1, LABELS))
    return sides


@pytest.mark.parametrize(
    ("n", "prevalence", "right", "differ"),
    [(100, 0.3, 0.97, 0.1), (60, 0.5, 0.9, 0.1), (150, 0.2, 0.95, 0.5)],
)
def test_coverage_of_the_normalised_kappa(n, prevalence, right, differ):
    """Where Fieller's set alone covers .79 to .92: 200 studies, to 3 standard errors.

    The truth: of two latent classes with kappa 1 - differ, raters fall out.
    """
    rng, inside, given = np.random.default_rng(6), 0, 0
    for _ in range(200):
        x, y = drawn(rng, n, prevalence, right, (2, 2), differ)
        found = quietly(la.normalized_cross_kappa, x, y)
        low, high = quietly(found.interval)
        given += not isnan(low)
        inside += low <= 1 - differ <= high
    assert given >= 190
    assert inside / given > 0.95 - 3 * sqrt(0.95 * 0.05 / given)


def test_an_ordinary_study_has_an_interval():
    """100 items, two raters, shares .3 to .7, true values .2 to .8: 95 % of them."""
    rng = np.random.default_rng(8)
    for prevalence, right in ((0.3, 0.75), (0.3, 0.94), (0.5, 0.73), (0.7, 0.9)):
        none = 0
        for _ in range(100):
            (r,) = drawn(rng, 100, prevalence, right, (2,))
            none += isnan(quietly(la.krippendorff_alpha(r).interval)[0])
        assert none <= 1
