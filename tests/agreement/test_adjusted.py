"""The default interval: added items against published formulas; coverage.

Coverage is exact where all samples of a size are enumerated.
"""

import warnings
from functools import partial
from itertools import combinations, product
from math import isnan, sqrt
from statistics import NormalDist

import numpy as np
import pytest
from scipy.stats import multinomial

import labelaudit as la
from agreement_helpers import quietly

LABELS = [0, 1]


# The whole interval, from its definition ---------------------------------------------


def value_of(name, w, items, q, apart=None):
    """A coefficient of items, {(rater, label): judgments}, each taken w times.

    Pairs of labels by loops, apart[c][k] from one another; w may be complex.
    """
    apart = 1 - np.eye(q) if apart is None else apart
    far = size = 0.0
    by = {}
    for times, item in zip(w, items):
        m = sum(item.values())
        pairs = unlike = 0.0
        for ((r, c), n), ((s, k), o) in product(item.items(), repeat=2):
            if name != "kappa_x":
                unlike += n * o * apart[c][k]
            elif r != s:
                unlike, pairs = unlike + n * o * apart[c][k], pairs + n * o
        far += times * m * unlike / (pairs if name == "kappa_x" else m * (m - 1))
        size += times * m
        for key, n in item.items():
            by[key] = by.get(key, 0.0) + times * n
    cells = list(by.items())
    total = sum(by.values())
    share = [sum(n for (_, c), n in cells if c == label) / total for label in range(q)]
    among = [
        (n * o, apart[c][k], r != s)
        for ((r, c), n), ((s, k), o) in product(cells, cells)
    ]
    unlike = sum(n * far for n, far, _ in among)
    expected = {
        "S": lambda: apart.mean(),
        "K": lambda: unlike / total**2,
        "alpha": lambda: unlike / (total * (total - 1)),
        "AC1": lambda: (
            1 - (q**2 - apart.sum()) / (q * (q - 1)) * sum(p * (1 - p) for p in share)
        ),
    }.get(name) or (
        lambda: (
            sum(n * far for n, far, others in among if others)
            / sum(n for n, _, others in among if others)
        )
    )
    return 1 - far / size / expected()


def with_more(items, judges, split):
    """Items and what is added, with weights: judges, {rater: mean judgments}."""
    used = sorted({label for item in items for _, label in item})
    w = [1.0] * len(items)
    items = list(items)
    for label in used:
        items.append({(r, label): m for r, m in judges.items()})
        w.append(1 / len(used))
    pairs = list(combinations(used, 2))
    for a, b in pairs:
        if len(judges) == 2:
            (r, m), (s, o) = judges.items()
            items += [{(r, a): m, (s, b): o}, {(r, b): m, (s, a): o}]
            w += [split / len(pairs) / 2] * 2
        else:
            halves = {(r, c): m / 2 for r, m in judges.items() for c in (a, b)}
            items.append(halves)
            w.append(split / len(pairs))
    return w, items


def interval_of(of, items, judges, confidence, value):
    """The two ends, influences by an imaginary step."""
    z, found = NormalDist().inv_cdf((1 + confidence) / 2), []
    for split, sign in ((1, 1), (0, -1)):
        w, more = with_more(items, judges, split) if judges else items(split)
        n, v = sum(w), of(w, more)
        moves = []
        for i in range(len(w)):
            stepped = [t + (1e-20j if k == i else 0) for k, t in enumerate(w)]
            moves.append(n * of(stepped, more).imag / 1e-20)
        mean = sum(t * move for t, move in zip(w, moves)) / n
        square = sum(t * (move - mean) ** 2 for t, move in zip(w, moves))
        error = sqrt(square / n / (n - 1))
        root = sqrt(1 - v)
        found.append(1 - max(root + sign * z * error / (2 * root), 0) ** 2)
    return max(min(found[0], value), -1), max(found[1], value)


def table_of(seed, q, raters, missing, n=25):
    rng = np.random.default_rng(seed)
    truth = rng.integers(q, size=(n, 1))
    m = np.where(
        rng.random((n, raters)) < 0.7, truth, rng.integers(q, size=(n, raters))
    )
    return np.where(rng.random(m.shape) < missing, np.nan, m)


def as_items(m):
    return [
        {(r, int(c)): 1.0 for r, c in enumerate(row) if not isnan(c)}
        for row in m
        if (~np.isnan(row)).sum() > 1
    ]


BY_DEFINITION = {
    "S": la.bennett_s,
    "K": la.fleiss_kappa,
    "alpha": la.krippendorff_alpha,
    "AC1": la.gwet_ac1,
    "iota": la.janson_olsson_iota,
}


@pytest.mark.parametrize("shape", [(2, 3, 0.2), (3, 2, 0), (4, 3, 0.2), (5, 4, 0.4)])
@pytest.mark.parametrize("name", [*BY_DEFINITION, "S far", "alpha far", "iota far"])
def test_the_interval_by_its_definition(name, shape):
    """Two to five labels, one of them declared only, with gaps; loops over pairs."""
    q, raters, missing = shape
    m = table_of(q, q, raters, missing)
    name, _, far = name.partition(" ")
    places = np.arange(q + 1)
    apart = np.abs(np.subtract.outer(places, places)) / q if far else None
    options = {"distance": apart} if far else {}
    r = la.Ratings.from_matrix(m, [*range(q + 1)])
    a = BY_DEFINITION[name](r, **options)
    items, of = as_items(m), partial(value_of, name, q=q + 1, apart=apart)
    assert a.value == pytest.approx(of([1.0] * len(items), items), rel=1e-12)
    mean = a.n_ratings / a.n_items
    judges = {0: mean}
    if name == "iota":
        judges = dict.fromkeys(range(raters), mean / raters)
    for confidence in (0.8, 0.95):
        wanted = interval_of(of, items, judges, confidence, a.value)
        assert quietly(a.interval, confidence) == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize("q", [2, 3])
def test_the_interval_of_two_replications_by_its_definition(q):
    m = table_of(q, q, 5, 0.2)
    m[:2, 2:] = np.nan  # in one replication only
    x, y = (la.Ratings.from_matrix(part, [*range(q)]) for part in (m[:, :2], m[:, 2:]))
    a = la.cross_kappa(x, y)
    items = []
    for row in m:
        item = {}
        for side, labels in enumerate((row[:2], row[2:])):
            for c in labels[~np.isnan(labels)]:
                item[side, int(c)] = item.get((side, int(c)), 0.0) + 1
        if {side for side, _ in item} == {0, 1}:
            items.append(item)
    of = partial(value_of, "kappa_x", q=q)
    assert a.value == pytest.approx(of([1.0] * len(items), items), rel=1e-12)
    given = [sum(n for item in items for (s, _), n in item.items() if s == side)
             for side in (0, 1)]  # fmt: skip
    judges = {side: n / len(items) for side, n in enumerate(given)}
    wanted = interval_of(of, items, judges, 0.95, a.value)
    assert a.interval() == pytest.approx(wanted, rel=1e-9)


def suggested_value(w, items):
    """Of items, each judgments by label and a suggestion; Eq. 4-13."""
    gain, n, given, wanted, size = 0.0, sum(w), {}, {}, 0.0
    for times, (item, suggestion) in zip(w, items):
        m = sum(item.values())
        for c, k in item.items():
            right = 1 if c == suggestion else -1
            gain += times * right * k * max(k - 1, 0) / (m * (m - 1))
            given[c] = given.get(c, 0.0) + times * k
        size += times * m
        wanted[suggestion] = wanted.get(suggestion, 0.0) + times
    expected = sum((k / size) ** 2 * (2 * wanted.get(c, 0.0) / n - 1)
                   for c, k in given.items())  # fmt: skip
    return (gain / n - expected) / (1 - expected)


@pytest.mark.parametrize(("q", "raters"), [(2, 2), (3, 4)])
def test_the_interval_with_suggestions_by_its_definition(q, raters):
    m = table_of(q, q, raters, 0)
    suggested = np.random.default_rng(1).integers(q, size=len(m)).tolist()
    r = la.Ratings.from_matrix(m, [*range(q)])
    a = la.dipietro_hazari_kappa(r, suggested)
    items = [({c: (row == c).sum() for c in range(q) if c in row}, s)
             for row, s in zip(m, suggested)]  # fmt: skip

    def more(split):
        pairs = list(combinations(range(q), 2))
        agreed = [({c: raters}, c) for c in range(q)]
        halves = [({a: raters / 2, b: raters / 2}, c) for a, b in pairs for c in (a, b)]
        w = [1.0] * len(items) + [1 / q] * q + [split / len(halves)] * len(halves)
        return w, items + agreed + halves

    assert a.value == pytest.approx(suggested_value([1.0] * len(m), items), rel=1e-12)
    wanted = interval_of(suggested_value, more, None, 0.95, a.value)
    assert a.interval() == pytest.approx(wanted, rel=1e-9)


def of_table(yes_yes, yes_no, no_yes, no_no):
    """Two raters."""
    rows = [[1, 1]] * yes_yes + [[1, 0]] * yes_no + [[0, 1]] * no_yes
    return la.Ratings.from_matrix(np.array(rows + [[0, 0]] * no_no), LABELS)


def test_nobody_differs():
    """The value is 1: the interval ends there, and begins lower with fewer items."""
    lows = []
    for n in (10, 40, 200):
        low, high = la.krippendorff_alpha(of_table(n, 0, 0, n)).interval()
        assert high == 1
        lows.append(low)
    assert 0 < lows[0] < lows[1] < lows[2] < 1


@pytest.mark.parametrize("items", [1, 3, 20])
def test_a_value_below_minus_one_lies_inside(items):
    """S with squared steps goes down to -3 with five labels."""
    r = la.Ratings.from_matrix([[1, 5]] * items, [1, 2, 3, 4, 5])
    a = la.bennett_s(r, distance="quadratic")
    low, high = a.interval()
    assert a.value == pytest.approx(-3) and low <= a.value <= high


@pytest.mark.parametrize(("share", "warns"), [(0.7, False), (0.8, True)])
def test_a_skewed_scale_is_told(share, warns):
    """Where distances differ, not with nominal labels."""
    ones = round(100 * share)
    rows = [[1, 1]] * (ones - 10) + [[1, 2]] * 20 + [[5, 5]] * (90 - ones)
    r = la.Ratings.from_matrix(rows, [1, 2, 3, 4, 5])
    a = la.krippendorff_alpha(r, "interval")
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        a.interval()
        la.krippendorff_alpha(r).interval()
    told = [f"1 has {100 * share:g} % of the judgments" in str(one.message)
            for one in said]  # fmt: skip
    assert told == [True] * warns


@pytest.mark.parametrize("rare", [[], ["c"], ["c", "d"]])
def test_labels_of_few_items_bring_one_warning(rare):
    """With four items, not with five; patterns count for the items they stand for."""
    rows = [["a", "a"], ["b", "b"], ["a", "b"], ["a", "c"], ["d", "d"]]
    times = [30, 20, 5, 5 - ("c" in rare), 5 - ("d" in rare)]
    patterns = la.Ratings.from_patterns(rows, times)
    r = patterns.expanded()
    for a in (la.fleiss_kappa(r), la.cohen_kappa(patterns), la.cross_kappa(r, r)):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            a.interval()
        told = [f"{', '.join(rare)}: " in str(one.message) for one in said]
        assert told == [True] * bool(rare)


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
    for table in tables(5):
        image = ends_of(mirrored(table))
        assert ends_of(table) == pytest.approx(image, rel=1e-12, nan_ok=True)


@pytest.fixture(scope="module")
def intervals():
    """Of kappa for every table of n items: n -> tables, ends.

    Of mirror images, one is computed.
    """
    found = {}
    for n in (12, 24):
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
                by_chance = shares.sum(axis=1) @ shares.sum(axis=0)
                kappa = (np.trace(shares) - by_chance) / (1 - by_chance)
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
    [(60, 0.5, 0.9, 0.1), (150, 0.2, 0.95, 0.5)],
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
