"""Every coefficient, distance and way in against brute force in fractions.

The whole, without each item, by label, by pair of raters, with clusters and with
standard errors: each time all is computed anew from what is left.
"""

from functools import partial

import numpy as np
import pandas as pd
import pytest

import agreement_oracles as oracles
import labelaudit as la
from agreement_helpers import (
    check,
    check_error,
    close,
    floats,
    parts,
    quietly,
    ratings,
    wide,
)
from coefficients import ALL, COEFFICIENTS, CROSS, LABELS, OTHERS, WITH_REST

SHAPES = [  # seed, items, raters, labels in use, share missing
    (1, 5, 2, 2, 0.0),
    (2, 8, 3, 4, 0.0),
    (13, 10, 4, 3, 0.3),
    (14, 10, 2, 4, 0.3),
    (15, 9, 3, 4, 0.5),
    (6, 40, 3, 2, 0.1),  # most items are alike
    (7, 3, 3, 1, 0.2),  # undefined, but for declared labels
]
every_coefficient = pytest.mark.parametrize("of", COEFFICIENTS, ids=str)


@pytest.mark.parametrize("of", ALL, ids=str)
def test_value_errors_and_leave_one_out(of):
    """In every way in; most shapes have a value and a standard error."""
    defined = 0
    for shape in SHAPES:
        judgments = of.judgments(*shape)
        exact, left = of.exact(judgments)(judgments), of.left(judgments)
        defined += bool(oracles.jackknife(left.values()))
        items = len({item for item, _, _ in judgments})
        for given in of.doors(judgments):
            check(partial(of.call, *given), exact, left, of.agrees, items)
    assert defined >= 4


@every_coefficient
def test_per_item_and_in_words(of):
    """Judgments, mean pair distance, and the value without the item."""
    judgments = of.judgments(*SHAPES[2])
    compute, left = of.exact(judgments), of.left(judgments)
    found = quietly(of.call, ratings(judgments, LABELS))
    table = quietly(found.per_item)
    assert {*table.index} == {*left}
    assert table["without"][[*left]].tolist() == close(floats(left.values()))
    for item in left:
        alone = compute([j for j in judgments if j[0] == item])
        assert table.ratings[item] == alone.n_ratings
        assert table.disagreement[item] == close(float(1 - alone.observed))
    exact = oracles.parts(compute(judgments), of.agrees)
    what, (o, e) = "agreement", exact[:2]
    if not of.agrees:
        what, (o, e) = "disagreement", exact[2:]
    words = f"observed {what} {o:.3g}, expected by chance {e:.3g}"
    assert words in quietly(repr, found) and words in quietly(found._repr_html_)


def check_row(row, exact, left, agrees):
    """A row of a table of parts."""
    assert row["value"] == close(*floats([exact.value]))
    if exact.value is not None:
        assert parts(row) == close(oracles.parts(exact, agrees))
    error = oracles.jackknife(left.values())
    assert error is None or row["standard_error"] == close(error)


@every_coefficient
def test_per_label(of):
    """S and Gwet's: of the label and the rest. Others: with its own distances alone."""
    rest = of.name in WITH_REST
    if rest and of.distance != "nominal":
        return
    for shape in SHAPES[1:4]:
        judgments = of.judgments(*shape)
        far = of.far(judgments)
        table = quietly(quietly(of.call, ratings(judgments, LABELS)).per_label)
        assert [*table.index] == LABELS
        used = oracles.counted(oracles.kept(judgments))
        for label, row in table.iterrows():
            assert row["ratings"] == used[label]
            assert row["share"] == close(used[label] / used.total())

            def own(a, b, label=label, far=far):
                return far(a, b) if label in (a, b) else 0

            labels, by = ([0, 1], far) if rest else (LABELS, own)
            exact = partial(oracles.agreement, of.name, distance=by, labels=labels,
                            weigh=of.weigh)  # fmt: skip
            told = [(i, r, int(c == label) if rest else c) for i, r, c in judgments]
            left = oracles.leave_one_out(lambda some: exact(some).value, told)  # noqa: B023
            check_row(row, exact(told), left, of.agrees)


@every_coefficient
def test_per_rater_pair_is_the_coefficient_of_two_columns(of):
    for shape in SHAPES[1:4]:
        judgments = of.judgments(*shape)
        table = quietly(quietly(of.call, ratings(judgments, LABELS)).per_rater_pair)
        for pair, row in table.iterrows():
            two = [j for j in judgments if j[1] in pair]
            exact = of.exact(two)(two)
            assert row["items"] == exact.n_items
            if exact.n_items:
                check_row(row, exact, of.left(two), of.agrees)
        raters = len({rater for _, rater, _ in judgments})
        assert len(table) == raters * (raters - 1) / 2


@pytest.mark.parametrize("of", [*COEFFICIENTS, *OTHERS], ids=str)
def test_clusters_are_left_out_whole(of):
    """In both replications at once, where one knows them or both."""
    judgments = of.judgments(8, 24, 3, 4, 0.0 if of.name == CROSS else 0.25)
    cluster = {item: "abcde"[int(item[5:]) ** 2 % 5] for item, _, _ in judgments}
    compute = of.exact(judgments)
    left = [
        compute([j for j in judgments if cluster[j[0]] != name]).value
        for name in sorted({cluster[item] for item, _, _ in of.part(judgments)})
    ]
    own = {item: item for item in cluster}
    plain, alone, among = (
        of.given(judgments, clusters=known) for known in (None, own, cluster)
    )
    ways = [among]
    if of.name == CROSS:
        ways += [[among[0], plain[1]], [plain[0], among[1]]]
    else:
        series = pd.Series(cluster)
        r = la.Ratings.from_matrix(wide(judgments), LABELS, clusters=series)
        ways.append([r, *among[1:]])
    for way in ways:
        found = quietly(of.call, *way)
        assert found.value == close(float(compute(judgments).value))
        assert found.n_clusters == len(left)
        check_error(found, oracles.jackknife(left))
    found, same = (quietly(of.call, *way) for way in (alone, plain))
    assert found.standard_error == close(same.standard_error)
    assert same.n_clusters is None


@pytest.mark.parametrize("of", [*COEFFICIENTS, *OTHERS[1:]], ids=str)
def test_differences(of):
    """From other coefficients of other raters of the same items, joined by name."""
    every = [*COEFFICIENTS, *OTHERS[1:]]
    for shift in (1, 9):
        other = every[(every.index(of) + shift) % len(every)]
        sides = []
        for seed, one in ((20, of), (21, other)):
            judgments = one.judgments(seed, 14, 2 + (seed == 21), 4)
            whole = one.exact(judgments)(judgments).value
            sides.append((one.call(*one.given(judgments)), whole, one.left(judgments)))
        (a, exact_a, left_a), (b, exact_b, left_b) = sides
        found, back = la.difference(a, b), la.difference(b, a)
        assert found.value == -back.value == close(float(exact_a - exact_b))
        error = oracles.jackknife(left_a[i] - left_b[i] for i in left_a)
        check_error(found, error)
        check_error(back, error)


@pytest.mark.parametrize("most", [1, np.nextafter(1, 2)])
def test_agreement_is_for_distances_of_at_most_1(most):
    """One larger value is enough; as callable too."""
    table = [[0, 0.5, most], [0.5, 0, 0.25], [most, 0.25, 0]]
    r = la.Ratings.from_matrix([[0, 0], [0, 1], [1, 1], [2, 2], [2, 0], [1, 1]])
    for distance in (table, lambda a, b: table[a][b]):
        found = la.krippendorff_alpha(r, distance)
        observed = [found.observed, *quietly(found.per_label)["observed"]]
        assert np.isnan(observed).tolist() == [most > 1] * 4
