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
from replications import LABELS, by_pairs, crossed, many, replicated, two


def lopsided(*shape, **options):
    """Some items are X's alone and some are Y's."""
    judgments = replicated(*shape, **options)
    missing = {"x": ("item 1", "item 4"), "y": ("item 0", "item 3", "item 6")}
    return [j for j in judgments if j[0] not in missing[j[1][0]]]


def exactly(judgments, distances=(oracles.nominal,) * 3, names=None):
    """(k, g), and {item: (k, g) without it}; None where undefined."""
    compute = partial(oracles.normalized_parts, distances=distances, names=names)
    items = oracles.normalized_items(judgments)
    return compute(judgments), oracles.leave_one_out(compute, judgments, items)


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


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_by_brute_force(shape):
    """With the default reliability; the jackknife is over all who take part."""
    judgments = lopsided(*shape, noise=0.2)
    exact = exactly(judgments)
    for order in (1, -1):
        sides = two(judgments, LABELS[: shape[3]])[::order]
        check(partial(la.normalized_cross_kappa, *sides), exact)


def test_enough_of_the_shapes_are_defined():
    judged = [lopsided(*shape, noise=0.2) for shape in SHAPES]
    assert sum(None not in exactly(j)[1].values() for j in judged) >= 6
    names = [
        oracles.default_reliability(oracles.kept(oracles.side(j, name)))
        for j in judged
        for name in "xy"
    ]
    assert 6 <= names.count("krippendorff_alpha") <= len(names) - 6


@pytest.mark.parametrize("name", ["ordinal", "interval", "ratio"])
@pytest.mark.parametrize("seed", range(3))
def test_distances(seed, name):
    """Ordinal: ranks of both in kappa_x, of its own in each reliability."""
    judgments = replicated(seed, 12, (2, 3), 4, 0.15 * (seed % 2), noise=0.25)
    far = [by_pairs(name, judgments)] * 3
    if name == "ordinal":
        far[1:] = [oracles.ordinal(oracles.side(judgments, s), LABELS) for s in "xy"]
    call = partial(la.normalized_cross_kappa, *two(judgments, LABELS), name)
    check(call, exactly(judgments, far))


@pytest.mark.parametrize("kind", ["array", "frame", "callable", "order"])
@pytest.mark.parametrize("seed", [3, 4])
def test_labels_of_one_side_only(seed, kind):
    """X lacks the first label, Y the last: the distance serves each reliability."""
    judgments = [
        (i, r, LABELS[1] if c == LABELS[0 if r[0] == "x" else -1] else c)
        for i, r, c in replicated(seed, 12, (2, 3), 4, noise=0.2)
    ]
    table = [[abs(a - b) ** 0.5 for b in LABELS] for a in LABELS]
    far = [oracles.matrix(LABELS, table)] * 3
    sides = two(judgments)
    assert [*sides[0].labels] != [*sides[1].labels]
    given = {
        "array": table,
        "frame": pd.DataFrame(table, LABELS, LABELS),
        "callable": lambda a, b: abs(a - b) ** 0.5,
        "order": "ordinal",
    }[kind]
    if kind == "order":  # that one side declares
        far = [by_pairs("ordinal", judgments)]
        far += [oracles.ordinal(oracles.side(judgments, s), LABELS) for s in "xy"]
        sides[seed % 2] = ratings(oracles.side(judgments, "xy"[seed % 2]), LABELS)
    seen = []

    def irr(r):
        seen.append([*r.labels])
        return la.janson_olsson_iota(r, given)

    exact = exactly(judgments, far)
    assert check(partial(la.normalized_cross_kappa, *sides, given), exact) is not None
    check(partial(la.normalized_cross_kappa, *sides, given, irr=irr), exact)
    assert seen[:2] == [LABELS] * 2


@pytest.mark.parametrize("irr", ["krippendorff_alpha", "fleiss_kappa", "bennett_s"])
def test_another_reliability(irr):
    """Of each replication's own items."""
    judgments = lopsided(14, 14, (2, 3), 2, 0.1, noise=0.2)
    sides = two(judgments, LABELS[:2])
    call = partial(la.normalized_cross_kappa, *sides, irr=getattr(la, irr))
    assert check(call, exactly(judgments, names=(irr, irr))) is not None


@pytest.mark.parametrize("which", ["x", "y"])
def test_a_reliability_of_other_items_is_refused(which):
    x, y = map(la.Ratings.from_matrix, many(3, 60))
    other = pd.DataFrame(many(4, 100)[0], [f"other {i}" for i in range(100)])
    foreign = la.cohen_kappa(la.Ratings.from_matrix(other))
    own = la.cohen_kappa(x)
    answers = iter([foreign] if which == "x" else [own, foreign])
    words = f"^irr must be .*'other 0'.*those of {which}$"
    with pytest.raises(ValueError, match=words):
        la.normalized_cross_kappa(x, y, irr=lambda r: next(answers))


def test_a_cluster_leaves_both_replications_at_once():
    judgments = lopsided(9, 24, (2, 2), 2, noise=0.2)
    frame = pd.DataFrame(judgments, columns=["item", "rater", "label"])
    frame["of"] = frame["item"].str.slice(5).astype(int) % 7 % 5
    of_x = frame["rater"].str.startswith("x")
    sides = [la.Ratings.from_long(frame[rows], cluster="of") for rows in (of_x, ~of_x)]
    left = []
    for one in range(5):
        rest = frame[frame["of"] != one].iloc[:, :3].to_numpy().tolist()
        k, g = oracles.normalized_parts(rest)
        left.append(k / g)
    found = quietly(la.normalized_cross_kappa, *sides)
    check_error(found, oracles.jackknife(left))
    assert found.n_clusters == 5


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


def as_judgments(x, y):
    return [
        (f"item {i}", f"{name} {k}", int(label))
        for name, side in (("x", x), ("y", y))
        for i, row in enumerate(side)
        for k, label in enumerate(row)
    ]


@pytest.mark.parametrize("confidence", [0.8, 0.95])
@pytest.mark.parametrize(
    ("seed", "items", "noise", "labels", "bounded"),
    [
        (0, 200, 0.3, 2, True),
        (1, 150, 0.5, 2, True),
        (3, 100, 0.5, 3, True),
        (2, 60, 0.7, 2, False),  # two pieces
        (4, 60, 0.7, 2, False),  # the whole line
    ],
)
def test_fieller(seed, items, noise, labels, bounded, confidence):
    x, y = many(seed, items, (2, 2), labels, noise)
    whole, left = exactly(as_judgments(x, y), names=("krippendorff_alpha",) * 2)
    sides = map(la.Ratings.from_matrix, (x, y))
    found = quietly(la.normalized_cross_kappa, *sides, irr=la.krippendorff_alpha)
    assert found.value == pytest.approx(whole[0] / whole[1], rel=1e-11)
    expected = fieller(whole, left, confidence)
    ends, told = warned(found.interval, confidence, "fieller")
    if confidence == 0.95:
        assert (expected != (-inf, inf)) == bounded
        reason = "unbounded, since the reliability that it is divided by is too unce"
        assert (reason in repr(found)) == (not bounded)
    if expected == (-inf, inf):
        assert ends == expected and len(told) == 1
        assert re.search("too uncertain|unbounded", told[0])
    else:
        assert ends == pytest.approx(expected, rel=1e-6, abs=1e-7) and not told


def test_fieller_over_items_of_one_replication():
    """Items that only one replication has move its reliability and not kappa_x."""
    x, y = many(20, 160, noise=0.35)
    judgments = [
        j
        for j in as_judgments(x, y)
        if (int(j[0][5:]) < 120 if j[1][0] == "x" else int(j[0][5:]) >= 40)
    ]
    whole, left = exactly(judgments)
    found = check(partial(la.normalized_cross_kappa, *two(judgments)), (whole, left))
    assert found.n_items == 160 and found.n_ratings == 480
    expected = fieller(whole, left, 0.95)
    assert found.interval(method="fieller") == pytest.approx(expected, rel=1e-6)
    reach = norm.ppf(0.95) * found.standard_error
    ends = found.value - reach, found.value + reach
    assert found.interval(0.9, "jackknife") == pytest.approx(ends, rel=1e-9)
    told = "160 items, 480 judgments; for cross-kappa, 80 of 160 items dropped"
    assert told in repr(found)


def test_the_bootstrap_agrees():
    found = la.normalized_cross_kappa(*map(la.Ratings.from_matrix, many(5, 200)))
    low, high = found.interval(method="bootstrap", seed=3)
    ends = found.interval()
    assert low < found.value < high
    assert (high - low) / (ends[1] - ends[0]) == pytest.approx(1, abs=0.15)


def test_beyond_one_there_is_an_interval():
    """Y is X: kappa_x exceeds the reliability, for raters agree with themselves."""
    r = la.Ratings.from_matrix(many(2, 200)[0])
    found = la.normalized_cross_kappa(r, r)
    k, irr = la.cross_kappa(r, r).value, la.cohen_kappa(r).value
    assert found.value == pytest.approx(k / irr, rel=1e-11) and k > irr
    low, high = found.interval()
    assert low < found.value < high and found.value > 1


# Undefined --------------------------------------------------------------------------


def test_a_reliability_that_is_not_above_zero():
    """Both below 0 would have a square root together: undefined all the same."""
    opposed = [[0, 1], [1, 0]] * 20 + [[0, 0], [1, 1]] * 5
    alike = [[0, 0], [1, 1]] * 20 + [[0, 1], [1, 0]] * 5
    below, above = la.Ratings.from_matrix(opposed), la.Ratings.from_matrix(alike)
    zero = la.Ratings.from_matrix([[0, 0], [0, 1], [1, 0], [1, 1]] * 12)
    single = la.Ratings.from_matrix([row[:1] for row in alike])
    for x, y, told in [
        (below, above, "reliability of x .* is -0.6"),
        (above, below, "reliability of y .* is -0.6"),
        (below, below, "reliability of x .* is -0.6"),
        (zero, la.Ratings.from_matrix(alike[:48]), "reliability of x"),
        (above, single, "the reliability of y .* no item has two judgments"),
    ]:
        with pytest.warns(UserWarning, match=f"undefined: .*{told}"):
            found = la.normalized_cross_kappa(x, y)
        assert isnan(found.value) and found.undefined
        with pytest.warns(UserWarning, match="no interval"):
            assert all(map(isnan, found.interval()))


def test_an_undefined_value_says_that_alone():
    """Rare labels do not matter to a value that is not there."""
    x, y = crossed({"11": 4, "10": 6, "01": 6, "00": 84})  # J = 4
    found, told = warned(la.normalized_cross_kappa, x, y)
    assert isnan(found.value) and len(told) == 1
    assert "reliability of x" in told[0]


def test_no_standard_error_is_said():
    """Two alike items and more of them: nothing changes without any."""
    x = la.Ratings.from_matrix([[0, 0], [1, 1]] * 20)
    found = la.normalized_cross_kappa(x, x)
    assert found.value == 1 and found.standard_error == 0
    with pytest.warns(UserWarning, match="no interval: the standard error is 0"):
        assert all(map(isnan, found.interval(method="fieller")))
