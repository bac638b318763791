"""Every coefficient, distance and way in against brute force in fractions.

The whole, without each item, by label, by pair of raters, with clusters and with
standard errors: each time all is computed anew from what is left.
"""

import random
from fractions import Fraction
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest

import agreement_oracles as oracles
import labelaudit as la
from agreement_helpers import check, check_error, close, floats, parts, quietly, ratings

LABELS = [1, 2, 4, 7]  # unevenly spaced
TABLE = [[0, 0.25, 1, 0.5], [0.25, 0, 0.5, 1], [1, 0.5, 0, 0.75], [0.5, 1, 0.75, 0]]
SPAN = len(LABELS) - 1
DISTANCES = {
    "nominal": lambda judgments: oracles.nominal,
    "ordinal": lambda judgments: oracles.ordinal(judgments, LABELS),
    "interval": lambda judgments: oracles.interval,
    "ratio": lambda judgments: oracles.ratio,
    "linear": lambda judgments: partial(divided, oracles.linear(LABELS), SPAN),
    "quadratic": lambda judgments: partial(divided, oracles.quadratic(LABELS), SPAN**2),
    "matrix": lambda judgments: oracles.matrix(LABELS, TABLE),
    "far": lambda judgments: lambda a, b: 3 * abs(a - b),
}
GIVEN = {"matrix": np.array(TABLE), "far": lambda a, b: 3.0 * abs(a - b)}
NO_AGREEMENT = {"ordinal", "interval", "far"}  # values above 1


def divided(distance, most, a, b):
    return Fraction(distance(a, b), most)


class Coefficient(NamedTuple):
    name: str
    distance: str = "nominal"
    weigh: str = "judgments"

    def __str__(self):
        return " ".join(self)

    def call(self, r):
        options = {} if self.weigh == "judgments" else {"weigh": self.weigh}
        if self.distance != "nominal":
            options["distance"] = GIVEN.get(self.distance, self.distance)
        elif self.name in ("gwet_ac2", "weighted_kappa"):
            options["distance"] = "nominal"
        return getattr(la, self.name)(r, **options)

    def exact(self, judgments, by_pairs):
        return oracles.agreement(self.name, judgments, by_pairs, LABELS, self.weigh)

    @property
    def agrees(self):
        return self.distance not in NO_AGREEMENT

    @property
    def anonymous(self):
        return self.name not in (*OF_TWO, "janson_olsson_iota")


OF_TWO = "scott_pi", "cohen_kappa", "weighted_kappa"
BY_PLACE = "nominal", "linear", "quadratic", "matrix"
BY_VALUE = "ordinal", "interval", "ratio", "far"
COEFFICIENTS = [
    *map(Coefficient, ("scott_pi", "cohen_kappa", "gwet_ac1")),
    *(Coefficient("weighted_kappa", distance) for distance in BY_PLACE[1:]),
    *(Coefficient("krippendorff_alpha", d) for d in ("nominal", "matrix", *BY_VALUE)),
    *(Coefficient("janson_olsson_iota", d) for d in BY_VALUE),
    *(
        Coefficient(name, distance, weigh)
        for name in ("bennett_s", "gwet_ac2", "janson_olsson_iota", "fleiss_kappa")
        for distance in (
            BY_PLACE if name in ("bennett_s", "gwet_ac2") else BY_PLACE[:1]
        )
        for weigh in ("judgments", "items")
    ),
    Coefficient("janson_olsson_iota", "matrix", "items"),
]
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


def drawn(of, shape):
    """Judgments: by two raters, or with one more rater of one item alone."""
    seed, n_items, n_raters, n_labels, missing = shape
    n_raters = 2 if of.name in OF_TWO else n_raters
    labels = LABELS[:n_labels]
    found = oracles.random_judgments(seed, n_items, n_raters, labels, missing)
    if seed == 2 and n_raters > 2:
        found.append(("item 3", "rater 9", LABELS[1]))
    return found


def wide(judgments):
    """Items by raters, None where a judgment is missing."""
    frame = pd.DataFrame(judgments, columns=["item", "rater", "label"], dtype=object)
    table = frame.pivot(index="item", columns="rater", values="label")
    return table.astype(object).where(table.notna(), None)


def counts(judgments):
    """Judgments per item and label."""
    items = oracles.by_item(judgments)
    table = [[sum(c == label for _, c in item) for label in LABELS]
             for item in items.values()]  # fmt: skip
    return pd.DataFrame(table, [*items], LABELS)


def doors(judgments, anonymous):
    """The same judgments in every way in."""
    yield ratings(judgments, LABELS)
    table = wide(judgments)
    yield quietly(la.Ratings.from_matrix, table, LABELS)
    rows = table.to_numpy().tolist()
    kinds = [list(kind) for kind in dict.fromkeys(map(tuple, rows))]
    times = [*map(rows.count, kinds), 0]  # of one that no item has
    kinds.append([LABELS[-1]] * len(rows[0]))
    yield quietly(la.Ratings.from_patterns, kinds, times, LABELS)
    if anonymous:
        table = counts(judgments)
        yield la.Ratings.from_counts(table)
        each = table.value_counts().reset_index(name="times")
        yield la.Ratings.from_patterns(
            each[LABELS], each["times"], LABELS, raters=False
        )


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@every_coefficient
def test_value_errors_and_leave_one_out(of, shape):
    judgments = drawn(of, shape)
    by_pairs = DISTANCES[of.distance](judgments)
    exact = of.exact(judgments, by_pairs)
    left = oracles.leave_one_out(lambda rest: of.exact(rest, by_pairs).value, judgments)
    items = len(oracles.by_item(judgments))
    for r in doors(judgments, of.anonymous):
        check(partial(of.call, r), exact, left, of.agrees, items)


def test_enough_of_the_shapes_are_defined():
    """The cases above mean something: most have a value and a standard error."""
    for of in COEFFICIENTS:
        errors = []
        for shape in SHAPES:
            judgments = drawn(of, shape)
            exact = partial(of.exact, by_pairs=DISTANCES[of.distance](judgments))
            left = oracles.leave_one_out(lambda rest: exact(rest).value, judgments)  # noqa: B023
            errors.append(oracles.jackknife(left.values()))
        assert sum(bool(error) for error in errors) >= 4


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_dipietro_hazari(shape):
    """Eqs. 4-13 with items weighing alike in R and S, judgments alike in C."""
    judgments = drawn(Coefficient("fleiss_kappa"), shape)
    rng = random.Random(shape[0])
    items = sorted(oracles.by_item(judgments))
    shown = {item: rng.choice(LABELS[: shape[3]]) for item in items}
    exact = partial(oracles.dipietro_hazari, suggested=shown, labels=LABELS)
    left = oracles.leave_one_out(lambda rest: exact(rest).value, judgments, shown=shown)
    r = ratings(judgments, LABELS)
    for given in (
        pd.Series(dict(reversed(shown.items()))),
        [shown[item] for item in r.items],
    ):
        call = partial(la.dipietro_hazari_kappa, r, given)
        check(call, exact(judgments), left, True, len(items))
    anonymous = la.Ratings.from_counts(counts(judgments))
    call = partial(la.dipietro_hazari_kappa, anonymous, pd.Series(shown))
    check(call, exact(judgments), left)


@every_coefficient
def test_per_item_and_in_words(of):
    """Judgments, mean pair distance, and the value without the item."""
    judgments = drawn(of, SHAPES[2])
    by_pairs = DISTANCES[of.distance](judgments)
    found = quietly(of.call, ratings(judgments, LABELS))
    table = quietly(found.per_item)
    left = oracles.leave_one_out(lambda rest: of.exact(rest, by_pairs).value, judgments)
    assert {*table.index} == {*left}
    assert table["without"][[*left]].tolist() == close(floats(left.values()))
    for item, given in oracles.by_item(oracles.kept(judgments)).items():
        alone = [(item, rater, label) for rater, label in given]
        assert table.ratings[item] == len(given)
        far = float(oracles.observed_disagreement(alone, by_pairs))
        assert table.disagreement[item] == close(far)
    exact = oracles.parts(of.exact(judgments, by_pairs), of.agrees)
    what, (o, e) = "agreement", exact[:2]
    if not of.agrees:
        what, (o, e) = "disagreement", exact[2:]
    words = f"observed {what} {o:.3g}, expected by chance {e:.3g}"
    assert words in quietly(repr, found) and words in quietly(found._repr_html_)


@pytest.mark.parametrize("most", [1, np.nextafter(1, 2)])
def test_agreement_is_for_distances_of_at_most_1(most):
    """One larger value is enough; as callable too."""
    table = [[0, 0.5, most], [0.5, 0, 0.25], [most, 0.25, 0]]
    r = la.Ratings.from_matrix([[0, 0], [0, 1], [1, 1], [2, 2], [2, 0], [1, 1]])
    for distance in (table, lambda a, b: table[a][b]):
        found = la.krippendorff_alpha(r, distance)
        observed = [found.observed, *quietly(found.per_label)["observed"]]
        assert np.isnan(observed).tolist() == [most > 1] * 4


@every_coefficient
def test_per_label(of):
    """S and Gwet's: of the label and the rest. Others: with its own distances alone."""
    if of.name in ("bennett_s", "gwet_ac1", "gwet_ac2") and of.distance != "nominal":
        return
    two_labels = of.name in ("bennett_s", "gwet_ac1", "gwet_ac2")
    for shape in SHAPES[1:4]:
        judgments = drawn(of, shape)
        by_pairs = DISTANCES[of.distance](judgments)
        table = quietly(quietly(of.call, ratings(judgments, LABELS)).per_label)
        assert [*table.index] == LABELS
        used = oracles.counted(oracles.kept(judgments))
        for label in LABELS:
            assert table.ratings[label] == used[label]
            assert table.share[label] == close(used[label] / used.total())

            def own(a, b, label=label, far=by_pairs):
                return far(a, b) if label in (a, b) else 0

            two = [(i, rater, given == label) for i, rater, given in judgments]
            given = two if two_labels else judgments
            labels = [False, True] if two_labels else LABELS
            far = oracles.nominal if two_labels else own

            def exact(rest, far=far, labels=labels):
                return oracles.agreement(of.name, rest, far, labels, of.weigh)

            whole = exact(given)
            assert table.value[label] == close(*floats([whole.value]))
            if whole.value is not None:
                row = table.loc[label]
                assert parts(row) == close(oracles.parts(whole, of.agrees))
                left = oracles.leave_one_out(lambda rest: exact(rest).value, given)
                error = oracles.jackknife(left.values())
                assert error is None or row["standard_error"] == close(error)


@every_coefficient
def test_per_rater_pair_is_the_coefficient_of_two_columns(of):
    for shape in SHAPES[1:4]:
        judgments = drawn(of, shape)
        table = quietly(quietly(of.call, ratings(judgments, LABELS)).per_rater_pair)
        for pair in oracles.rater_pairs(judgments):
            two = [j for j in judgments if j[1] in pair]
            by_pairs = DISTANCES[of.distance](two)
            exact = of.exact(two, by_pairs)
            if exact.n_items == 0:
                continue
            row = table.loc[pair if pair in table.index else pair[::-1]]
            assert row["items"] == exact.n_items
            assert row["value"] == close(*floats([exact.value]))
            assert parts(row) == close(oracles.parts(exact, of.agrees))
            left = oracles.leave_one_out(
                lambda rest: of.exact(rest, by_pairs).value,  # noqa: B023
                two,
            )
            error = oracles.jackknife(left.values())
            assert error is None or row["standard_error"] == close(error)


@every_coefficient
def test_clusters_are_left_out_whole(of):
    judgments = drawn(of, (8, 24, 3, 4, 0.25))
    by_pairs = DISTANCES[of.distance](judgments)
    cluster = {item: "abcde"[int(item[5:]) ** 2 % 5] for item, _, _ in judgments}
    left = [
        of.exact([j for j in judgments if cluster[j[0]] != name], by_pairs).value
        for name in sorted({*cluster.values()})
    ]
    table = wide(judgments)
    clusters = pd.Series(cluster)
    whole = of.exact(judgments, by_pairs)
    for r in (
        la.Ratings.from_matrix(table, LABELS, clusters=clusters),
        la.Ratings.from_long(
            pd.DataFrame(
                [(*j, cluster[j[0]]) for j in judgments],
                columns=["item", "rater", "label", "document"],
            ),
            labels=LABELS,
            cluster="document",
        ),
    ):
        found = of.call(r)
        assert found.value == close(float(whole.value))
        assert found.n_clusters == len(left)
        check_error(found, oracles.jackknife(left))
    own = of.call(la.Ratings.from_matrix(table, LABELS, clusters=[*table.index]))
    plain = of.call(la.Ratings.from_matrix(table, LABELS))
    assert own.standard_error == close(plain.standard_error)
    assert plain.n_clusters is None


@pytest.mark.parametrize("shift", [1, 5, 9])
@every_coefficient
def test_differences(of, shift):
    """From another coefficient of other raters of the same items, joined by name."""
    other = COEFFICIENTS[(COEFFICIENTS.index(of) + shift) % len(COEFFICIENTS)]
    pairs = []
    for k, one in enumerate((of, other)):
        judgments = oracles.random_judgments(20 + k, 14, 2 + k, LABELS)
        if one.name in OF_TWO:
            judgments = [j for j in judgments if j[1] != "rater 2"]
        by_pairs = DISTANCES[one.distance](judgments)
        exact = partial(one.exact, by_pairs=by_pairs)
        left = oracles.leave_one_out(lambda rest: exact(rest).value, judgments)  # noqa: B023
        pairs.append((one.call(ratings(judgments, LABELS)), exact(judgments), left))
    (a, exact_a, left_a), (b, exact_b, left_b) = pairs
    found = la.difference(a, b)
    assert found.value == close(float(exact_a.value - exact_b.value))
    check_error(found, oracles.jackknife(left_a[i] - left_b[i] for i in left_a))
    back = la.difference(b, a)
    assert back.value == -found.value
    assert back.standard_error == close(found.standard_error)
