"""The default interval: its definition, by an imaginary step; coverage.

Coverage is exact where all samples of a size are enumerated.
"""

from functools import partial
from itertools import combinations, product
from math import isnan, sqrt

import numpy as np
import pytest
from scipy.stats import multinomial, norm, t as student

import agreement_oracles as oracles
import labelaudit as la
from agreement_helpers import counts, quietly, ratings, warned
from coefficients import LABELS, Coefficient

# The whole interval, from its definition ---------------------------------------------


def with_more(items, agreed, halves, size, split):
    """Items and those added, and how often each is taken.

    One item is added on which all agree and, where `split`, one that is split: spread
    over such items, `size` times each.
    """
    added = [agreed, halves] if split else [agreed]
    often = [size / len(kind) for kind in added for _ in kind]
    return sum(added, items), [1.0] * len(items) + often


def agreed_and_halves(judges, labels):
    """judges : {rater: judgments of an item in the mean}."""
    agreed = [{(r, label): m for r, m in judges.items()} for label in labels]
    halves = []
    for a, b in combinations(labels, 2):
        if len(judges) == 2:
            (r, m), (s, o) = judges.items()
            halves += [{(r, a): m, (s, b): o}, {(r, b): m, (s, a): o}]
        else:
            halves.append({(r, c): m / 2 for r, m in judges.items() for c in (a, b)})
    return agreed, halves


def influences(of, items, times):
    """n times the change of the value for a share of each item more."""
    n, found = sum(times), []
    for i in range(len(times)):
        stepped = [t + (1e-20j if k == i else 0) for k, t in enumerate(times)]
        found.append(n * of(items, stepped).imag / 1e-20)
    return found


def alike(clusters, of_items):
    """Intraclass correlation by the analysis of variance, and the sums of clusters."""
    groups = [[y for y, g in zip(of_items, clusters) if g == c] for c in {*clusters}]
    n, k, mean = len(clusters), len(groups), sum(of_items) / len(clusters)
    among = sum(len(g) * (np.mean(g) - mean) ** 2 for g in groups) / (k - 1)
    within = sum(len(g) * np.var(g) for g in groups) / max(n - k, 1)
    size = (n - sum(len(g) ** 2 for g in groups) / n) / (k - 1)
    r = (among - within) / (among + (size - 1) * within)
    return min(max(r, 0), 1), [sum(g) for g in groups]


def size_of_added(of, more, clusters):
    """Items of a cluster that is added."""
    found = influences(of, *more(1, True))[: len(clusters)]
    r, sums = alike(clusters, found)
    g = sum(s**2 for s in sums) ** 2 / sum(s**4 for s in sums)
    m = np.bincount(clusters)
    return 1 + ((m @ m) / m.sum() - 1) * (r * g + 0.8 * 4) / (g + 4)


def ends(of, more, value, z, clusters=()):
    """The two ends. of(times, items) is the value; clusters of the first items."""
    size = size_of_added(of, more, clusters) if clusters else 1
    found = []
    for split, sign in ((True, 1), (False, -1)):
        items, times = more(size, split)
        v, n, moves = of(items, times), sum(times), influences(of, items, times)
        moves, scale = [move / n for move in moves], n / (n - 1)
        if clusters:
            k = len(clusters)
            without = [of(items, [0 if i < k and clusters[i] == c else t
                                  for i, t in enumerate(times)])
                       for c in {*clusters}]  # fmt: skip
            moves = [float(v - w) for w in without] + [size * x for x in moves[k:]]
            times = [1] * len(without) + [t / size for t in times[k:]]
            n = sum(times)
            scale = (n - 1) / n
        mean = sum(t * move for t, move in zip(times, moves)) / n
        square = sum(t * (move - mean) ** 2 for t, move in zip(times, moves))
        root, error = sqrt(1 - v), sqrt(square * scale)
        found.append(1 - max(root + sign * z * error / (2 * root), 0) ** 2)
    return max(min(found[0], value), -1), max(found[1], value)


def suggested(items, times):
    observed, expected = oracles.with_suggestions(items, times)
    return (observed - expected) / (1 - expected)


OF = [Coefficient(name) for name in ("fleiss_kappa", "gwet_ac1", "cross_kappa")]
ANY = "bennett_s", "krippendorff_alpha", "janson_olsson_iota"
OF += [Coefficient(name, far) for name in ANY for far in ("nominal", "matrix")]
OF += [Coefficient("krippendorff_alpha", "interval"), Coefficient("cohen_kappa")]
OF += [Coefficient("weighted_kappa", "linear"), Coefficient("gwet_ac2", "quadratic")]
ITEMS = "fleiss_kappa", "janson_olsson_iota"
OF += [Coefficient(name, weigh="items") for name in ITEMS]
CASES = [(2, 3, 0.2, []), (3, 2, 0.0, []), (4, 4, 0.4, [])]
CASES += [(2, 3, 0.0, [4] * 6), (3, 3, 0.2, [1, 2, 3, 7, 9, 4, 1, 12])]
CASES += [(2, 4, 0.0, [2] + [1] * 11)]  # of whose clusters one has two items


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("of", OF, ids=str)
def test_the_interval_by_its_definition(of, case):
    """With labels that are declared only, with gaps, with added clusters."""
    q, raters, missing, sizes = case
    judgments = of.judgments(q + 3, sum(sizes) or 25, raters, q, missing)
    numbers = np.repeat(range(len(sizes)), sizes).tolist()
    clusters = {f"item {i}": g for i, g in enumerate(numbers)} or None
    a = quietly(of.call, *of.given(judgments, clusters=clusters))
    used = of.part(judgments)
    if of.name == "cross_kappa":
        used = [(i, r[0], c) for i, r, c in used]
    by_item = oracles.by_item(used)
    items, who = [*by_item.values()], [r for _, r, _ in used]
    judges = {"all": len(used)}
    if of.name == "cross_kappa":
        judges = {r: who.count(r) for r in "xy"}
    elif of.name in oracles.OWN:
        judges = dict.fromkeys(who, len(used) / len({*who}))
    judges = {r: n / len(items) for r, n in judges.items()}

    def value(items, times):
        d_o, d_e = oracles.disagreements(
            of.name, items, of.far(judgments), LABELS, of.weigh, times
        )
        return 1 - d_o / d_e

    assert a.value == pytest.approx(float(value(items, None)), rel=1e-12)
    known = [clusters[item] for item in by_item] if sizes else []
    m = np.bincount(known) if sizes else np.ones(1)
    number = sqrt(len({*known}) * m.sum() ** 2 / (m @ m))
    labels = sorted({label for _, _, label in used})
    more = partial(with_more, items, *agreed_and_halves(judges, labels))
    for confidence in (0.8, 0.95):
        p = (1 + confidence) / 2
        z = student.ppf(p, number - 1) if sizes else norm.ppf(p)
        wanted = ends(value, more, a.value, z, known)
        assert quietly(a.interval, confidence) == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize(
    ("q", "raters", "missing"), [(2, 2, 0), (3, 4, 0), (3, 4, 0.3)]
)
def test_the_interval_with_suggestions_by_its_definition(q, raters, missing):
    """With items of unequally many judgments too: added ones have their mean."""
    labels = [*range(q)]
    used = oracles.kept(oracles.random_judgments(q, 25, raters, labels, missing))
    table = counts(used, labels)
    told = np.random.default_rng(1).integers(q, size=len(table)).tolist()
    a = la.dipietro_hazari_kappa(la.Ratings.from_counts(table), told)
    items = [({c: n for c, n in enumerate(row) if n}, s)
             for row, s in zip(table.to_numpy().tolist(), told)]  # fmt: skip
    assert a.value == pytest.approx(float(suggested(items, None)), rel=1e-12)
    m = len(used) / len(items)
    agreed = [({c: m}, c) for c in labels]
    halves = [({a: m / 2, b: m / 2}, c) for a, b in combinations(labels, 2)
              for c in (a, b)]  # fmt: skip
    more = partial(with_more, items, agreed, halves)
    wanted = ends(suggested, more, a.value, norm.ppf(0.975))
    assert a.interval() == pytest.approx(wanted, rel=1e-9)


def of_table(*table):
    """Two raters, from how often they say 11, 10, 01 and 00."""
    judgments = oracles.from_table([table[:2], table[2:]], [1, 0])
    return ratings(judgments, [0, 1])


@pytest.mark.parametrize("items", [1, 20])
def test_a_value_below_minus_one_lies_inside(items):
    """S with squared steps goes down to -3 with five labels."""
    r = la.Ratings.from_matrix([[1, 5]] * items, [1, 2, 3, 4, 5])
    a = la.bennett_s(r, distance="quadratic")
    low, high = a.interval()
    assert a.value == pytest.approx(-3) and low <= a.value <= high


@pytest.mark.parametrize(("ones", "warns"), [(70, False), (80, True)])
def test_a_skewed_scale_is_told(ones, warns):
    """Where distances differ, not with nominal labels."""
    rows = [[1, 1]] * (ones - 10) + [[1, 2]] * 20 + [[5, 5]] * (90 - ones)
    r = la.Ratings.from_matrix(rows, [1, 2, 3, 4, 5])
    for distance, told in (("interval", warns), ("nominal", False)):
        said = warned(la.krippendorff_alpha(r, distance).interval)[1]
        assert [f"1 has {ones:g} % of the judgments" in one for one in said] == (
            [True] * told
        )


@pytest.mark.parametrize("rare", [[], ["c"], ["c", "d"]])
def test_labels_of_few_items_bring_one_warning(rare):
    """With four items, not with five; patterns count for the items they stand for."""
    rows = [["a", "a"], ["b", "b"], ["a", "b"], ["a", "c"], ["d", "d"]]
    times = [30, 20, 5, 5 - ("c" in rare), 5 - ("d" in rare)]
    patterns = la.Ratings.from_patterns(rows, times)
    r = patterns.expanded()
    for a in (la.fleiss_kappa(r), la.cohen_kappa(patterns), la.cross_kappa(r, r)):
        told = [f"{', '.join(rare)}: " in one for one in warned(a.interval)[1]]
        assert told == [True] * bool(rare)


# Coverage -------------------------------------------------------------------------

PROMISED = 0.92  # of nominal 95 %, where at least half of the studies have an interval


def intervals(n):
    """Every table of n items, and its interval of kappa; of mirror images one is made.

    They differ in names of labels and raters alone, which change nothing.
    """
    tables = [(*three, n - sum(three)) for three in product(range(n + 1), repeat=3)
              if sum(three) <= n]  # fmt: skip
    found = {}
    for a, b, c, d in tables:
        images = {(a, b, c, d), (d, c, b, a), (a, c, b, d), (d, b, c, a)}
        if not images & found.keys():
            kappa = quietly(la.cohen_kappa, of_table(*min(images)))
            found |= dict.fromkeys(images, quietly(kappa.interval))
    return np.array(tables), np.array([found[table] for table in tables])


def shares_of(prevalence, first, second):
    """Shares of 11, 10, 01, 00 by raters of these (sensitivity, specificity)."""
    (a, b), (c, d) = first, second
    found = prevalence * np.outer([a, 1 - a], [c, 1 - c])
    return found + (1 - prevalence) * np.outer([1 - b, b], [1 - d, d])


RATERS = [(0.7, 0.7), (0.9, 0.9), (0.95, 0.95), (0.99, 0.99), (0.998, 0.998),
          (0.6, 0.98), (0.95, 0.8)]  # fmt: skip


def test_coverage_of_every_table():
    """Exact coverage: the sum over all tables, for 175 populations and two sizes."""
    seen, least = 0, 1.0
    for n in (12, 24):
        tables, (low, high) = (found.T for found in intervals(n))
        given = ~np.isnan(low)
        for p, first in product((0.1, 0.2, 0.3, 0.4, 0.5), RATERS):
            for second in (first, (0.9, 0.9), (0.8, 0.95), (0.97, 0.6)):
                shares = shares_of(p, first, second)
                by_chance = shares.sum(axis=1) @ shares.sum(axis=0)
                kappa = (np.trace(shares) - by_chance) / (1 - by_chance)
                weights = multinomial.pmf(tables.T, n, shares.ravel())
                inside = (low <= kappa + 1e-12) & (kappa - 1e-12 <= high)
                if weights[given].sum() >= 0.5:
                    seen += 1
                    cover = weights[given & inside].sum() / weights[given].sum()
                    least = min(least, cover)
    assert seen > 100
    assert least >= PROMISED


@pytest.mark.parametrize("case", [(60, 0.5, 0.9, 0.1), (150, 0.2, 0.95, 0.5)])
def test_coverage_of_the_normalised_kappa(case):
    """Where Fieller's set alone covers .79 to .92: 150 studies, to 3 standard errors.

    The truth: of two latent classes with kappa 1 - differ, raters fall out.
    """
    n, prevalence, right, differ = case
    rng, studies = np.random.default_rng(6), 150
    inside = given = 0
    for _ in range(studies):
        truth, again = rng.random((2, n)) < prevalence
        other = np.where(rng.random(n) < differ, again, truth)
        wrong = rng.random((2, n, 2)) > right
        x, y = (la.Ratings.from_matrix((of[:, None] ^ slips) * 1, [0, 1])
                for of, slips in zip((truth, other), wrong))  # fmt: skip
        found = quietly(la.normalized_cross_kappa, x, y)
        low, high = quietly(found.interval)
        given += not isnan(low)
        inside += low <= 1 - differ <= high
    assert given >= 0.95 * studies
    assert inside / given > 0.95 - 3 * sqrt(0.95 * 0.05 / given)


@pytest.mark.parametrize("case", [(8, 10, 1), (20, 5, 3), (30, 4, 9)])
def test_coverage_with_clusters(case):
    """Each cluster has a rate of its own, beta(alike, alike): then kappa is known."""
    clusters, size, alike = case
    random, held, studies = np.random.default_rng(alike), 0, 200
    kappa = 1 / (2 * alike + 1)  # the correlation of two judgments, within a cluster
    of = np.repeat(range(clusters), size)
    for _ in range(studies):
        rate = random.beta(alike, alike, clusters).repeat(size)
        yes = random.binomial(3, rate)
        r = la.Ratings.from_counts(np.stack([yes, 3 - yes], axis=1), clusters=of)
        low, high = quietly(la.fleiss_kappa(r).interval)
        held += low <= kappa <= high
    assert held / studies > 0.92 - 2 * np.sqrt(0.92 * 0.08 / studies)
