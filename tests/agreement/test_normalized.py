"""normalized_cross_kappa: Eq. 13 by brute force, and Fieller's interval."""

import re
from functools import partial
from math import inf, isnan

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import brentq
from scipy.stats import norm

import agreement_oracles as oracles
import labelaudit as la
from agreement_helpers import check_error, parts, quietly, ratings, warned
from replications import LABELS, crossed, many, replicated, two

matrix = la.Ratings.from_matrix


def lopsided(*shape, **options):
    """Some items are X's alone and some are Y's."""
    judgments = replicated(*shape, **options)
    missing = {"x": ("item 1", "item 4"), "y": ("item 0", "item 3", "item 6")}
    return [j for j in judgments if j[0] not in missing[j[1][0]]]


def that_count(judgments):
    """The judgments of items in kappa_x, or in a reliability."""
    own = (oracles.kept(oracles.side(judgments, name)) for name in "xy")
    return [*oracles.crossing(judgments), *(j for side in own for j in side)]


def exactly(judgments, distances=(oracles.nominal,) * 3, names=None):
    """(k, g), and {item: (k, g) without it}; None where undefined."""
    compute = partial(oracles.normalized_parts, distances=distances, names=names)
    return compute(judgments), oracles.leave_one_out(compute, judgments, that_count)


def check(call, exact):
    """Value and standard error; the Agreement, None where undefined."""
    whole, left = exact
    found, told = warned(call)
    assert all(map(isnan, parts(found)))
    assert any("undefined" in message for message in told) == (whole is None)
    if whole is None:
        assert isnan(found.value) and found.undefined
        return None
    assert found.value == pytest.approx(whole[0] / whole[1], rel=1e-10)
    assert found.n_items == len(left)
    values = [each and each[0] / each[1] for each in left.values()]
    check_error(found, oracles.jackknife(values))
    return found


SHAPES = [
    (200 + k, 10 + k % 6, (2 + k % 2, 2 + k // 2 % 2), 2 + k % 2, 0.2 * (k % 3 > 0))
    for k in range(12)
]


def test_by_brute_force():
    """With the default reliability; the jackknife is over all who take part."""
    defined, names = 0, []
    for shape in SHAPES:
        judgments = lopsided(*shape, noise=0.2)
        exact = exactly(judgments)
        sides = two(judgments, LABELS[: shape[3]])
        check(partial(la.normalized_cross_kappa, *sides), exact)
        check(partial(la.normalized_cross_kappa, *sides[::-1]), exact)
        defined += None not in exact[1].values()
        own = (oracles.kept(oracles.side(judgments, name)) for name in "xy")
        names += map(oracles.default_reliability, own)
    assert defined >= 6
    assert 6 <= names.count("krippendorff_alpha") <= len(names) - 6


def distances(name, judgments):
    """Ranks of both in kappa_x, of its own in each reliability."""
    if name != "ordinal":
        return [getattr(oracles, name)] * 3
    of = oracles.crossing(judgments), *(oracles.side(judgments, s) for s in "xy")
    return [oracles.ordinal(own, LABELS) for own in of]


TABLE = [[abs(a - b) ** 0.5 for b in LABELS] for a in LABELS]
KINDS = {
    "array": TABLE,
    "frame": pd.DataFrame(TABLE, LABELS, LABELS),
    "callable": lambda a, b: abs(a - b) ** 0.5,
    "order": "ordinal",
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", [3, 4])
def test_labels_of_one_side_only(seed, kind):
    """X lacks the first label, Y the last: the distance serves each reliability."""
    judgments = [
        (i, r, LABELS[1] if c == LABELS[0 if r[0] == "x" else -1] else c)
        for i, r, c in replicated(seed, 12, (2, 3), 4, noise=0.2)
    ]
    far, sides = [oracles.matrix(LABELS, TABLE)] * 3, two(judgments)
    assert [*sides[0].labels] != [*sides[1].labels]
    if kind == "order":  # that one side declares
        far = distances("ordinal", judgments)
        sides[seed % 2] = ratings(oracles.side(judgments, "xy"[seed % 2]), LABELS)
    seen = []

    def irr(r):
        seen.append([*r.labels])
        return la.janson_olsson_iota(r, KINDS[kind])

    call = partial(la.normalized_cross_kappa, *sides, KINDS[kind])
    exact = exactly(judgments, far)
    assert check(call, exact) is not None
    check(partial(call, irr=irr), exact)
    assert seen[:2] == [LABELS] * 2


def test_a_reliability_of_other_items_is_refused():
    x, y = map(matrix, many(3, 60))
    other = pd.DataFrame(many(4, 100)[0], [f"other {i}" for i in range(100)])
    foreign, own = la.cohen_kappa(matrix(other)), la.cohen_kappa(x)
    for which, answers in (("x", iter([foreign])), ("y", iter([own, foreign]))):
        words = f"^irr must be .*'other 0'.*those of {which}"
        with pytest.raises(ValueError, match=words):
            la.normalized_cross_kappa(x, y, irr=lambda r: next(answers))  # noqa: B023


def test_a_cluster_leaves_both_replications_at_once():
    judgments = lopsided(9, 24, (2, 2), 2, noise=0.2)
    of = {item: int(item[5:]) % 7 % 5 for item, _, _ in judgments}
    pairs = [oracles.normalized_parts([j for j in judgments if of[j[0]] != one])
             for one in range(5)]  # fmt: skip
    sides = two(judgments, None, partial(ratings, clusters=of))
    found = quietly(la.normalized_cross_kappa, *sides)
    check_error(found, oracles.jackknife(k / g for k, g in pairs))
    assert found.n_clusters == 5
    assert quietly(found.interval) == quietly(found.interval, method="fieller")


# Fieller ----------------------------------------------------------------------------


def fieller(whole, left, confidence):
    """The t with (k - t g)^2 <= z^2 Var(k - t g): by root finding, out from k / g.

    (-inf, inf) where the set is not one bounded interval.
    """
    k, g = whole
    apart = np.array([*left.values()]) - np.mean([*left.values()], axis=0)
    V = (len(left) - 1) / len(left) * apart.T @ apart  # noqa: N806
    z = norm.ppf((1 + confidence) / 2)

    def over(t):
        return (k - t * g) ** 2 - z**2 * (V[0, 0] - 2 * t * V[0, 1] + t**2 * V[1, 1])

    if g**2 <= z**2 * V[1, 1]:  # far out the set holds every t
        return -inf, inf
    ends = []
    for side in (-1, 1):
        step = 1e-3
        while over(k / g + side * step) <= 0:
            step *= 2
        ends.append(brentq(over, k / g, k / g + side * step, xtol=1e-13))
    return tuple(ends)


@pytest.mark.parametrize(
    ("seed", "items", "noise", "labels", "bounded"),
    [
        (0, 200, 0.3, 2, True),  # of a value above 1
        (2, 100, 0.5, 3, True),
        (3, 60, 0.7, 2, False),  # two pieces
        (4, 60, 0.7, 2, False),  # the whole line
    ],
)
def test_fieller(seed, items, noise, labels, bounded):
    """Items that only one replication has move its reliability and not kappa_x."""
    judgments = replicated(seed, items, (2, 2), labels, noise=noise)
    if seed == 0:
        alone = {"x": range(150), "y": range(50, 200)}
        judgments = [j for j in judgments if int(j[0][5:]) in alone[j[1][0]]]
    whole, left = exactly(judgments, names=("krippendorff_alpha",) * 2)
    call = partial(la.normalized_cross_kappa, irr=la.krippendorff_alpha)
    found = check(partial(call, *two(judgments)), (whole, left))
    assert (fieller(whole, left, 0.95) != (-inf, inf)) == bounded
    for confidence in (0.8, 0.95):
        expected = fieller(whole, left, confidence)
        ends, told = warned(found.interval, confidence, "fieller")
        if expected == (-inf, inf):
            assert ends == expected and len(told) == 1
            assert re.search("too uncertain|unbounded", told[0])
        else:
            assert ends == pytest.approx(expected, rel=1e-6, abs=1e-7) and not told
        reach = norm.ppf((1 + confidence) / 2) * found.standard_error
        ends = found.value - reach, found.value + reach
        ours = quietly(found.interval, confidence, "jackknife")
        assert ours == pytest.approx(ends, rel=1e-9)
    reason = "unbounded, since the reliability that it is divided by is too unce"
    assert (reason in repr(found)) == (not bounded)
    if seed == 0:
        assert found.value > 1
        told = "200 items, 600 judgments; for cross-kappa, 100 of 200 items dropped"
        assert told in repr(found)


def moments(items, times):
    """(kappa_x, the root of both kappas within), and n / (n - 1) sum of t times the
    squares of their slopes, by complex steps; items are labels (x, x, y, y)."""

    def both(times):
        def apart(r, s):
            d_o = sum(t * (i[r] != i[s]) for i, t in zip(items, times)) / sum(times)
            shares = [[sum(t for i, t in zip(items, times) if i[k] == c) / sum(times)
                       for c in (0, 1)] for k in (r, s)]  # fmt: skip
            return d_o, 1 - sum(p * q for p, q in zip(*shares))

        crossed = np.sum([apart(r, s) for r in (0, 1) for s in (2, 3)], axis=0)
        within = [1 - d_o / d_e for d_o, d_e in (apart(0, 1), apart(2, 3))]
        return np.array([1 - crossed[0] / crossed[1], np.sqrt(np.prod(within))])

    n, step = sum(times), 1e-20j * np.eye(len(times))
    moves = np.array([both([*(times + one)]).imag / 1e-20 for one in step]).T
    moves -= (moves @ times)[:, None] / n
    return both(times).real, (moves * times) @ moves.T * n / (n - 1)


def test_the_default_interval_by_its_definition():
    """Items are added on which the replications agree, or do not."""
    sides = many(7, 40, (2, 2), 2, 0.3)
    found = quietly(la.normalized_cross_kappa, *map(matrix, sides))
    items = [*map(tuple, np.hstack(sides).astype(int).tolist())]
    added = [(0, 0, 0, 0), (1, 1, 1, 1), (0, 0, 1, 1), (1, 1, 0, 0)]
    ends = []
    for end, differ in ((0, 1.0), (1, -1.0)):
        times = np.append(np.ones(40), [0.5, 0.5, differ / 2, differ / 2])
        (k, g), V = moments(items + added, times)  # noqa: N806
        square = np.array([g * g, -2 * k * g, k * k])
        square -= norm.ppf(0.95) ** 2 * np.array([V[1, 1], -2 * V[0, 1], V[0, 0]])
        ends.append(sorted(np.roots(square).real)[end])  # taken away may leave none
    assert found.value == pytest.approx(np.divide(*moments(items, np.ones(40))[0]))
    assert quietly(found.interval, 0.9) == pytest.approx(ends, rel=1e-6)


def test_items_that_one_replication_alone_has_are_in_no_row():
    x = la.Ratings.from_matrix([["a", "a"], ["b", "b"], ["a", "b"], ["b", "b"]] * 5)
    table = quietly(la.normalized_cross_kappa, x, x.on(range(15))).per_item()
    assert [*table.index] == [*range(15)] and table["without"].notna().all()


def test_the_bootstrap_agrees():
    found = la.normalized_cross_kappa(*map(matrix, many(5, 200)))
    low, high = found.interval(method="bootstrap", repetitions=1000, seed=3)
    ends = found.interval()
    assert low < found.value < high
    assert (high - low) / (ends[1] - ends[0]) == pytest.approx(1, abs=0.15)


# Undefined --------------------------------------------------------------------------


def test_a_reliability_that_is_not_above_zero():
    """Both below 0 would have a root together: undefined, and that alone is said."""
    alike = [[0, 0], [1, 1]] * 20 + [[0, 1], [1, 0]] * 5
    below, above = matrix([[a, 1 - b] for a, b in alike]), matrix(alike)
    zero = matrix([[0, 0], [0, 1], [1, 0], [1, 1]] * 12)
    single = matrix([row[:1] for row in alike])
    rare = crossed({"11": 4, "10": 6, "01": 6, "00": 84})  # J = 4
    for x, y, told in [
        (below, above, "reliability of x .* is -0.6"),
        (above, below, "reliability of y .* is -0.6"),
        (below, below, "reliability of x .* is -0.6"),
        (zero, matrix(alike[:48]), "reliability of x .* is 0, not above 0"),
        (above, single, "the reliability of y .* no item has two judgments"),
        (*rare, "reliability of x"),
    ]:
        found, (message,) = warned(la.normalized_cross_kappa, x, y)
        assert re.search(f"undefined: .*{told}", message)
        assert isnan(found.value) and found.undefined
        with pytest.warns(UserWarning, match="no interval"):
            assert all(map(isnan, found.interval()))
    # Two alike items and more of them: nothing changes without any.
    x = matrix([[0, 0], [1, 1]] * 20)
    found = la.normalized_cross_kappa(x, x)
    assert found.value == 1 and found.standard_error == 0
    with pytest.warns(UserWarning, match="no interval: the standard error is 0"):
        assert all(map(isnan, found.interval(method="fieller")))
