"""reliability(): its tables against brute force and other programs, and its words."""

import itertools
import re
import warnings
from collections import Counter, defaultdict
from dataclasses import replace
from types import SimpleNamespace

import krippendorff
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st
from sklearn.metrics import cohen_kappa_score

import labelaudit as la
from agreement_helpers import quietly
from labelaudit import _words
from labelaudit.agreement.parts import AGREEMENT, DISAGREEMENT, NUMBERS
from labelaudit.agreement.ratio import _no_divisor
from labelaudit.agreement.table import TABLE
from labelaudit.reports.collection import figures, page, rater_words, study
from labelaudit.reports.collection.fitting import DISTANT, readable
from labelaudit.reports.collection.following import following
from labelaudit.reports.collection.found import Reliability
from reproduction.machinery import paths
from reproduction.own_data import example_ratings


def made(n=60, raters=5, seed=0, missing=0.25, slips=0.3, labels="abc"):
    """A matrix of labels: a true one each, slips, and gaps."""
    random = np.random.default_rng(seed)
    q = len(labels)
    true = random.choice(q, n, p=np.arange(q, 0, -1) / (q * (q + 1) / 2))
    given = np.where(
        random.random((n, raters)) < slips,
        random.integers(0, q, (n, raters)),
        true[:, None],
    )
    matrix = np.array(list(labels), dtype=object)[given]
    matrix[random.random((n, raters)) < missing] = None
    return matrix


def judged(row):
    return [(a, label) for a, label in enumerate(row) if label is not None]


MATRIX = made()
R = la.Ratings.from_matrix(MATRIX)
FOUND = la.reliability(R)


def alpha_of(matrix, order="abc"):
    """By the krippendorff package: raters are rows."""
    codes = {label: k for k, label in enumerate(order)}
    data = [[np.nan if v is None else codes[v] for v in row] for row in matrix]
    return krippendorff.alpha(np.array(data).T, level_of_measurement="nominal")


# Tables -----------------------------------------------------------------------------


def test_coefficients_are_the_functions_with_their_intervals():
    fits = FOUND.coefficients[FOUND.coefficients["fits"]]
    for name, row in fits.iterrows():
        one = getattr(la, name)(R)
        for part in NUMBERS:
            assert row[part] == getattr(one, part), (name, part)
        assert (row["low"], row["high"]) == quietly(one.interval)
    rest = FOUND.coefficients[~FOUND.coefficients["fits"]]
    assert set(fits.index) | set(rest.index) == set(TABLE)
    assert rest["why"]["cohen_kappa"] == "for two raters; these are 5"
    assert rest["value"].isna().all()


# Four raters on a scale, the last of whom guesses half of the time.
def scaled(distance):
    random = np.random.default_rng(5)
    true = random.integers(1, 8, (90, 1))
    matrix = true + random.integers(0, 2, (90, 4))
    matrix[:45, 3] = random.integers(1, 8, 45)
    other = la.Ratings.from_matrix(true + random.integers(0, 2, (90, 2)))
    return la.reliability(la.Ratings.from_matrix(matrix), distance, other=other)


@pytest.mark.parametrize("distance", ["interval", "ordinal"])
def test_a_distance_without_a_largest_value_has_words_of_its_own(distance):
    """alpha and iota have disagreement alone; what is nominal has both."""
    found = scaled(distance)
    alpha = la.krippendorff_alpha(found.ratings, distance)
    o, e = alpha.observed_disagreement, alpha.expected_disagreement
    table = found.coefficients[found.coefficients["fits"]]
    own = table.index.isin(DISTANT)
    for agreement, disagreement in zip(AGREEMENT, DISAGREEMENT, strict=True):
        assert table[agreement].isna().tolist() == own.tolist()
        nominal = table[~own]
        assert nominal[agreement].tolist() == (1 - nominal[disagreement]).tolist()
    assert table.loc["krippendorff_alpha", [*DISAGREEMENT]].tolist() == [o, e]
    for part in (found.coefficients, found.pairs, found.other):
        assert {*NUMBERS} <= {*part} and {*DISAGREEMENT} <= {*readable(part)}
        assert not {*AGREEMENT} & {*readable(part)}
    assert found.pairs[[*AGREEMENT]].isna().all(axis=None)
    said = f"Observed disagreement is {o / e:.3f} of what chance would give. "
    assert said in found.report()
    columns = repr(found).split("\n")[1].split()
    assert columns == ["value", *DISAGREEMENT, "low", "high"]
    html = page.page(found, "a file")
    assert html.count("observed disagreement</th>") == 2  # a collection, and pairs
    assert "observed</th>" not in html


def test_a_table_of_agreement_shows_agreement():
    html = page.page(FOUND, "a file")
    assert f"<p>{FOUND.head}</p>" in html and "<th>observed</th>" in html
    assert "disagreement</th>" not in html.replace("<th>disagreement</th>", "")
    assert repr(FOUND).split("\n")[1].split() == ["value", *AGREEMENT, "low", "high"]
    undefined = FOUND.coefficients.iloc[:1].assign(**dict.fromkeys(NUMBERS, np.nan))
    assert {*AGREEMENT} <= {*readable(undefined)}
    assert not {*DISAGREEMENT} & {*readable(undefined)}


@pytest.mark.parametrize("distance", ["interval", "ordinal", "ratio"])
def test_figures_and_warnings_take_what_chance_would_give_for_unit(distance):
    """Rater 3 is named, and drawn, by shares of the expected disagreement."""
    found = scaled(distance)
    alpha = la.krippendorff_alpha(found.ratings, distance)
    row = found.raters.loc[3]
    unit = alpha.expected_disagreement
    assert row["excess"] >= 0.05 * unit
    own, others = row["disagreement"] / unit, row["among_others"] / unit
    said = next(text for text in found.warnings if "disagrees with" in text)
    assert said.startswith(
        f"rater 3 disagrees with the others in {_words.percent(own)} of what chance"
        " would give; on the same items these disagree with each other in"
        f" {_words.percent(others)};"
    )
    drawn = figures.raters(found)
    assert drawn._suptitle.get_text() == (
        f"rater 3 differs most: in {_words.percent(own)},"
        f" the others in {_words.percent(others)}"
    )
    bars = figures.items(found).axes[0].patches
    top = found.items["disagreement"].max() / unit
    assert bars[-1].get_x() <= top <= bars[-1].get_x() + bars[-1].get_width() + 1e-9


@pytest.mark.parametrize("factor", [0.999, 1.001])
def test_a_rater_is_named_from_a_twentieth_of_what_chance_would_give(factor):
    """An excess on either side of the rule, by scaling what chance gives."""
    found = scaled("interval")
    alpha = la.krippendorff_alpha(found.ratings, "interval")
    expected = factor * found.raters.loc[3, "excess"] / 0.05
    vars(alpha)["expected_disagreement"] = expected
    of = {"krippendorff_alpha": alpha}
    assert bool(rater_words.rater(replace(found, of=of))) == (factor < 1)


def test_confidence_is_that_of_all_intervals():
    narrow = la.reliability(R, confidence=0.5)
    for table in ("coefficients", "labels"):
        one, other = getattr(narrow, table), getattr(FOUND, table)
        kept = other["low"].notna()
        lengths = (one["high"] - one["low"])[kept], (other["high"] - other["low"])[kept]
        assert (lengths[0] < 0.5 * lengths[1]).all()


def test_two_raters_have_coefficients_of_their_own():
    two = la.reliability(R.between(0, 1), "nominal").coefficients
    assert two["fits"]["cohen_kappa"] and two["fits"]["scott_pi"]
    assert not two["fits"]["weighted_kappa"]
    numbers = la.Ratings.from_matrix(made(labels=[1, 2, 3])).between(0, 1)
    table = la.reliability(numbers, "ordinal").coefficients
    expected = la.weighted_kappa(numbers, "quadratic").value
    assert table["value"]["weighted_kappa"] == expected


def test_specific_agreement_and_twice_by_counting_pairs():
    for label in "abc":
        same = pairs = twice = 0.0
        for row in MATRIX:
            given = [label for _, label in judged(row)]
            if len(given) < 2:
                continue
            for one, other in itertools.permutations(given, 2):
                pairs += (one == label) / (len(given) - 1)
                same += (one == other == label) / (len(given) - 1)
                both = len(given) * (len(given) - 1)
                twice += (one == other == label) / both
        assert FOUND.labels["agreement"][label] == pytest.approx(same / pairs)
        assert FOUND.labels["twice"][label] == pytest.approx(twice)
    everything = [label for row in MATRIX for _, label in judged(row)]
    assert FOUND.labels["ratings"].to_dict() == Counter(everything)
    assert FOUND.labels["share"].sum() == pytest.approx(1)


def test_specific_agreement_of_two_raters_is_dices():
    r = R.between(0, 1)
    rows = [row[:2] for row in MATRIX if None not in row[:2]]
    for label in "abc":
        both = sum(a == b == label for a, b in rows)
        either = sum((a == label) + (b == label) for a, b in rows)
        found = la.reliability(r).labels["agreement"][label]
        assert found == pytest.approx(2 * both / either)


def test_alpha_of_a_label_is_that_of_the_krippendorff_package():
    for label in "abc":
        binary = [
            [None if v is None else "ab"[v == label] for v in row] for row in MATRIX
        ]
        assert FOUND.labels["value"][label] == pytest.approx(alpha_of(binary))
        low, high = quietly(la.krippendorff_alpha(R.collapsed(label)).interval)
        assert (FOUND.labels["low"][label], FOUND.labels["high"][label]) == (low, high)


def test_alpha_without_a_rater_is_that_of_the_krippendorff_package():
    for rater in range(5):
        left = np.delete(MATRIX, rater, axis=1)
        assert FOUND.raters["without"][rater] == pytest.approx(alpha_of(left))


DISTANCES = {
    "nominal": lambda a, b: float(a != b),
    "interval": lambda a, b: (a - b) ** 2,
}


@pytest.mark.parametrize("distance", DISTANCES)
def test_a_raters_disagreement_by_counting(distance):
    matrix = made(seed=3, labels=[1, 2, 5])
    table = la.reliability(la.Ratings.from_matrix(matrix), distance).raters
    d = DISTANCES[distance]
    for rater in range(5):
        own, same, others, excess, ratings = [], [], [], [], 0
        for row in matrix:
            mine = row[rater]
            rest = [label for a, label in judged(row) if a != rater]
            ratings += mine is not None
            if mine is None or not rest:
                continue
            own.append(np.mean([d(mine, label) for label in rest]))
            same.append(np.mean([mine == label for label in rest]))
            if len(rest) > 1:
                pairs = itertools.combinations(rest, 2)
                others.append(np.mean([d(a, b) for a, b in pairs]))
                excess.append(own[-1] - others[-1])
        row = table.loc[rater]
        assert (row["ratings"], row["shared"]) == (ratings, len(own))
        assert row["agreement"] == pytest.approx(np.mean(same))
        assert row["disagreement"] == pytest.approx(np.mean(own))
        assert row["among_others"] == pytest.approx(np.mean(others))
        assert row["excess"] == pytest.approx(np.mean(excess))
        error = np.std(excess, ddof=1) / np.sqrt(len(excess))
        assert row["standard_error"] == pytest.approx(error)


def test_use_of_labels_by_counting():
    for rater, label in itertools.product(range(5), "abc"):
        own, others = [], []
        for row in MATRIX:
            rest = [given for a, given in judged(row) if a != rater]
            if row[rater] is not None and rest:
                own.append(row[rater] == label)
                others.append(np.mean([given == label for given in rest]))
        row = FOUND.label_use.loc[(rater, label)]
        away = np.array(own, float) - others
        assert row["share"] == pytest.approx(np.mean(own))
        assert row["others"] == pytest.approx(np.mean(others))
        assert row["difference"] == pytest.approx(away.mean(), abs=1e-12)
        error = away.std(ddof=1) / np.sqrt(len(away))
        assert row["standard_error"] == pytest.approx(error)
    away = FOUND.label_use["difference"].abs().groupby("rater").sum() / 2
    np.testing.assert_allclose(FOUND.raters["away"], away)


def test_pairs_are_cohens_kappa_of_scikit_learn():
    assert len(FOUND.pairs) == 10
    for (one, other), row in FOUND.pairs.iterrows():
        both = [r for r in MATRIX[:, [one, other]] if None not in r]
        expected = cohen_kappa_score(*np.array(both).T)
        assert row["items"] == len(both)
        assert row["value"] == pytest.approx(expected)


def test_items_are_ordered_by_dispute_with_their_votes():
    items = FOUND.items
    assert (items["disagreement"].diff().dropna() <= 0).all()
    table = FOUND.disputed(5)
    assert list(table.index) == list(items.index[:5])
    for item, row in table.iterrows():
        count = Counter(label for _, label in judged(MATRIX[item]))
        votes = dict(one.split() for one in row["votes"].split(", "))
        assert {label: int(n) for label, n in votes.items()} == count
        assert list(votes.values()) == sorted(votes.values(), reverse=True)


def test_anonymous_raters_leave_what_needs_names_empty():
    found = la.reliability(la.Ratings.from_counts(R.counts, labels=list("abc")))
    assert len(found.raters) == len(found.label_use) == len(found.pairs) == 0
    assert "all by rater: they are anonymous" in found.omitted
    assert found.coefficients["why"]["janson_olsson_iota"].startswith("needs to know")
    kept = ["ratings", "agreement", "twice", "value"]
    pd.testing.assert_frame_equal(
        found.labels[kept], FOUND.labels[kept], check_names=False
    )


def test_what_would_take_too_long_is_left_out_and_said(monkeypatch):
    monkeypatch.setattr(study, "BUDGET", 10)
    monkeypatch.setattr(study, "MOST_PAIRS", 3)
    monkeypatch.setattr(study, "MOST_ROWS", 10)
    many = la.Ratings.from_matrix(made(raters=6, labels="abcdefg"))
    found = la.reliability(many)
    assert len(found.pairs) == len(found.label_use) == 0
    assert "without" not in found.raters
    assert found.labels["value"].notna().sum() == 5
    assert found.omitted == (
        "alpha of all but the 5 commonest of 7 labels",
        "raters' use of labels: 6 raters and 7 labels",
        "alpha without each rater: 6 raters",
        "pairs of raters: there are 15",
    )
    page.page(found, "a file")


# Clusters -----------------------------------------------------------------------------

GROUPS = [k // 4 % 13 for k in range(60)]
CLUSTERED = la.Ratings.from_matrix(MATRIX, clusters=GROUPS)


def test_with_clusters_errors_and_intervals_are_those_of_clusters():
    told = [["a", "b", "c"][k % 3] for k in range(60)]
    found = la.reliability(CLUSTERED, other=CLUSTERED, suggested=told)
    for name, row in found.coefficients[found.coefficients["fits"]].iterrows():
        one = getattr(la, name)(CLUSTERED)
        without = [
            getattr(la, name)(R.on([k for k in range(60) if GROUPS[k] != g])).value
            for g in range(13)
        ]
        error = np.sqrt(12 * np.var(without))
        assert row["standard_error"] == pytest.approx(error), name
        assert (row["low"], row["high"]) == quietly(one.interval)
    for label in "abc":
        part = quietly(la.krippendorff_alpha(CLUSTERED.collapsed(label)).interval)
        assert tuple(found.labels.loc[label, ["low", "high"]]) == part
    pair = la.janson_olsson_iota(CLUSTERED.between(0, 1))
    assert found.pairs["standard_error"][0, 1] == pair.standard_error
    row = found.other.loc["cross_kappa"]
    cross = la.cross_kappa(CLUSTERED, CLUSTERED)
    assert row["standard_error"] == cross.standard_error
    right = quietly(la.accuracy(CLUSTERED, told).interval)
    assert tuple(found.suggested.loc["followed", ["low", "high"]]) == right
    assert len(found.clusters) == 13 and "13 clusters" in found.report()
    assert found.head.startswith("59 items, 5 raters, 222 judgments, 13 clusters;")
    assert any("worth 12: an interval may be too short" in t for t in found.warnings)
    assert FOUND.clusters is None and "cluster" not in FOUND.report()


def test_a_raters_errors_are_those_of_sums_over_clusters():
    numbers = made(seed=3, labels=[1, 2, 5])
    for clusters in (None, GROUPS):
        r = la.Ratings.from_matrix(numbers, clusters=clusters)
        found = la.reliability(r, "interval")
        for rater in range(5):
            sums = defaultdict(lambda: defaultdict(list))
            for k, row in enumerate(numbers):
                rest = [label for a, label in judged(row) if a != rater]
                if row[rater] is None or not rest:
                    continue
                group = k if clusters is None else clusters[k]
                sums["shift"][group].append(row[rater] - np.mean(rest))
                for label in (1, 2, 5):
                    share = np.mean([one == label for one in rest])
                    sums[label][group].append((row[rater] == label) - share)
                if len(rest) > 1:
                    pairs = itertools.combinations(rest, 2)
                    others = np.mean([(a - b) ** 2 for a, b in pairs])
                    own = np.mean([(row[rater] - label) ** 2 for label in rest])
                    sums["excess"][group].append(own - others)

            def error(blocks):
                every = [value for block in blocks.values() for value in block]
                away = [np.sum(np.array(b) - np.mean(every)) for b in blocks.values()]
                g = len(away)
                return np.sqrt(np.square(away).sum() * g / (g - 1)) / len(every)

            row = found.raters.loc[rater]
            assert row["shift_error"] == pytest.approx(error(sums["shift"]))
            assert row["standard_error"] == pytest.approx(error(sums["excess"]))
            for label in (1, 2, 5):
                use = found.label_use.loc[(rater, label), "standard_error"]
                assert use == pytest.approx(error(sums[label]))


# Suggestions --------------------------------------------------------------------------


def others_say(row, rater):
    """The label that most others gave, or None."""
    count = Counter(label for a, label in judged(row) if a != rater).most_common(2)
    if not count or (len(count) > 1 and count[0][1] == count[1][1]):
        return None
    return count[0][0]


def told(matrix, seed=1, right=0.6):
    random = np.random.default_rng(seed)
    first = [next((v for v in row if v is not None), "a") for row in matrix]
    noise = random.choice(list("abcd"), len(matrix))
    return [
        a if random.random() < right else b for a, b in zip(first, noise, strict=True)
    ]


def test_following_by_counting():
    matrix = made(n=200, raters=6, seed=5)
    suggested = told(matrix)
    suggested[3] = None
    table = following(la.Ratings.from_matrix(matrix), suggested)
    seen = []
    for row, s in zip(matrix, suggested, strict=True):
        for rater, label in judged(row):
            rest = [given for a, given in judged(row) if a != rater]
            if s is not None and rest:
                share = np.mean([label == other for other in rest])
                seen.append((others_say(row, rater), s, label, share))
    for name, chosen in (
        ("others agree", [x for x in seen if x[0] is not None and x[0] == x[1]]),
        ("others differ", [x for x in seen if x[0] is not None and x[0] != x[1]]),
    ):
        row = table.loc[f"followed, {name}"]
        assert row["judgments"] == len(chosen)
        assert row["value"] == pytest.approx(np.mean([x[2] == x[1] for x in chosen]))
        assert row["low"] < row["value"] < row["high"]
        mean = np.mean([x[3] for x in chosen])
        assert table.loc[f"agreement, {name}", "value"] == pytest.approx(mean)
    weight = with_it = without = 0.0
    for c, s in itertools.permutations("abcd", 2):
        there = [x[2] == s for x in seen if x[:2] == (c, s)]
        elsewhere = [x[2] == s for x in seen if x[0] == c and x[1] != s]
        if there and elsewhere:
            weight += len(there)
            with_it += sum(there)
            without += len(there) * np.mean(elsewhere)
    assert table.loc["given anyway", "value"] == pytest.approx(without / weight)
    pull = (with_it - without) / weight
    assert table.loc["pull", "value"] == pytest.approx(pull)
    assert table.loc["pull", "judgments"] == weight
    kappa = la.dipietro_hazari_kappa(la.Ratings.from_matrix(matrix), suggested)
    assert table.loc["dipietro_hazari_kappa", "value"] == kappa.value
    right = la.accuracy(la.Ratings.from_matrix(matrix), suggested)
    assert table.loc["followed", "value"] == right.value


def test_the_pulls_error_is_that_of_its_derivative():
    # What each item does to the pull, the mix of labels held fixed, by moving its
    # weight a little; the error adds up their squares.
    matrix = made(n=60, raters=5, seed=6)
    suggested = told(matrix, right=0.4)
    seen = [
        (i, others_say(row, rater), s, label)
        for i, (row, s) in enumerate(zip(matrix, suggested, strict=True))
        for rater, label in judged(row)
        if others_say(row, rater) is not None
    ]

    def sums(weight):
        there, hit, elsewhere, anyway = (Counter() for _ in range(4))
        for i, c, s, label in seen:
            there[c, s] += weight[i]
            hit[c, s] += weight[i] * (label == s)
            for other in set("abcd") - {s}:
                elsewhere[c, other] += weight[i]
                anyway[c, other] += weight[i] * (label == other)
        return there, hit, elsewhere, anyway

    there, _, elsewhere, _ = sums(np.ones(60))
    used = [k for k in there if k[0] != k[1] and there[k] and elsewhere[k]]

    def pull(weight):
        n, hit, n0, anyway = sums(weight)
        parts = [there[k] * (hit[k] / n[k] - anyway[k] / n0[k]) for k in used]
        return sum(parts) / sum(there[k] for k in used)

    moved, step = [], 1e-6
    for i in {one[0] for one in seen}:
        up, down = np.ones(60), np.ones(60)
        up[i], down[i] = 1 + step, 1 - step
        moved.append((pull(up) - pull(down)) / (2 * step))
    n = len(moved)
    row = following(la.Ratings.from_matrix(matrix), suggested).loc["pull"]
    assert row["value"] == pytest.approx(pull(np.ones(60)))
    error = np.sqrt(np.square(moved).sum() * n / (n - 1))
    assert (row["high"] - row["low"]) / 2 / 1.959964 == pytest.approx(error, rel=1e-5)


def test_the_pulls_error_is_that_of_a_bootstrap():
    # 200 resamples know a standard deviation to 5 %; the weights, held fixed in the
    # formula and drawn in the bootstrap, matter less than that.
    matrix = made(n=300, raters=6, seed=5)
    suggested = np.array(told(matrix), dtype=object)
    row = following(la.Ratings.from_matrix(matrix), list(suggested)).loc["pull"]
    error = (row["high"] - row["low"]) / 2 / 1.959964
    random = np.random.default_rng(8)
    values = []
    for _ in range(200):
        at = random.integers(0, 300, 300)
        again = following(la.Ratings.from_matrix(matrix[at]), list(suggested[at]))
        values.append(again.loc["pull", "value"])
    assert error == pytest.approx(np.std(values, ddof=1), rel=0.17)


def test_followed_by_label_and_rater():
    suggested = told(MATRIX)
    found = la.reliability(R, suggested=suggested)
    of_label, of_rater = defaultdict(list), defaultdict(list)
    for row, s in zip(MATRIX, suggested, strict=True):
        for rater, label in judged(row):
            of_label[s].append(label == s)
            of_rater[rater].append(label == s)
    for label in "abc":
        expected = np.mean(of_label[label])
        assert found.labels["followed"][label] == pytest.approx(expected)
        assert found.labels["suggested"][label] == suggested.count(label)
    for rater in range(5):
        expected = np.mean(of_rater[rater])
        assert found.raters["followed"][rater] == pytest.approx(expected)
    top = found.disputed(3)
    assert list(top["suggested"]) == [suggested[item] for item in top.index]


def test_suggestions_for_no_judged_item_say_nothing():
    found = la.reliability(R, suggested=[None] * 60)
    assert found.suggested is None
    assert not any("suggest" in text for text in found.warnings)


# Two collections ----------------------------------------------------------------------


def test_two_collections_are_the_functions():
    x = la.Ratings.from_matrix(made(n=150, seed=1))
    y = la.Ratings.from_matrix(made(n=150, seed=1, slips=0.2)).on(range(20, 150))
    found = la.reliability(x, other=y)
    kappa, normal = la.cross_kappa(x, y), la.normalized_cross_kappa(x, y)
    values = found.other["value"]
    assert values["cross_kappa"] == kappa.value
    assert values["normalized_cross_kappa"] == normal.value
    both = values["reliability_x"] * values["reliability_y"]
    assert normal.value == pytest.approx(kappa.value / np.sqrt(both))
    assert values["reliability_x"] == la.krippendorff_alpha(x).value
    row = found.other.loc["normalized_cross_kappa"]
    assert (row["low"], row["high"]) == normal.interval()
    assert found.other["items"]["cross_kappa"] == 130
    for label in "abc":
        normal = la.normalized_cross_kappa(x.collapsed(label), y.collapsed(label))
        row = found.other_labels.loc[label]
        assert row["normalized"] == normal.value
        ends = row["normalized_low"], row["normalized_high"]
        assert ends == normal.interval()


def test_each_label_of_two_collections_by_scikit_learn():
    # One judgment each: then cross-kappa is Cohen's kappa.
    matrix = made(n=150, raters=2, missing=0, seed=4)
    x, y = (la.Ratings.from_matrix(matrix[:, [k]]) for k in (0, 1))
    table = la.reliability(x, other=y).other_labels
    for label in "abc":
        expected = cohen_kappa_score(matrix[:, 0] == label, matrix[:, 1] == label)
        assert table["cross_kappa"][label] == pytest.approx(expected)
        sides = x.collapsed(label), y.collapsed(label)
        ends = la.cross_kappa(*sides).interval()
        assert tuple(table.loc[label, ["low", "high"]]) == ends
        shares = [np.mean(matrix[:, k] == label) for k in (0, 1)]
        assert list(table.loc[label, ["share_x", "share_y"]]) == pytest.approx(shares)


# Words --------------------------------------------------------------------------------


def words(matrix, *more, **how):
    r = la.Ratings.from_matrix(matrix)
    return " | ".join(la.reliability(r, *more, **how).warnings)


def pairs(**counts):
    """Items of two raters: aa=3 is three on which both say a."""
    return [list(pair) for pair, number in counts.items() for _ in range(number)]


GOOD = pairs(aa=60, bb=60, ab=2, ba=1, cc=30, ca=1, cb=1)
BIASED = [["a", "a", "a", "b"]] * 30 + [["b", "b", "b", "b"]] * 30 + [["a"] * 4] * 30
STRANGE = [[one] * 3 + [x] for one in "ab" for x in "aab"] * 20
UNLIKE = pairs(aa=60, bb=60, cc=8, ac=10, cb=10)


DANGERS = [
    (pairs(aa=9), "all coefficients are undefined: every judgment is 'a'"),
    ([["a", None], [None, "b"]], "no item was judged by both raters"),
    (pairs(aa=10, bb=10, ab=5), r"only 25 items with two judgments or more"),
    (pairs(aa=50, bb=50, ab=20), "two raters: where they differ nothing here says"),
    ([["a"]] * 5, "one rater only: agreement needs a second one"),
    ([*GOOD, ["a", None]], "1 of 156 items dropped: not judged by both raters; no"),
    (pairs(aa=50, bb=50, ab=50), r"alpha is 0\.34 \(.*\), below 0\.667: Krippendorff"),
    (pairs(aa=80, bb=80, ab=20, ba=5), r"alpha is 0\.73 \(.*\), below 0\.8: Kripp"),
    (pairs(aa=50, bb=50, ab=9), r"alpha is 0\.84 \(.*\), but it may be as low as 0\.7"),
    (
        pairs(aa=20, bb=20, ab=9),
        r"interval 0\.36 to 0\.82.*; the interval is wider than 0\.2, one step",
    ),
    (pairs(aa=20, bb=20, ab=9), r"from fair to almost perfect; about \d+ items would"),
    (pairs(aa=95, bb=3, ab=3, ba=3), r"'a' has 94 % of the judgments .* in 8\d %"),
    (
        pairs(aa=95, bb=3, ab=3, ba=3),
        r"of 94 % is then a Fleiss' kappa of 0\.4\d, but",
    ),
    (pairs(aa=95, bb=3, ab=3, ba=3), r"AC1 is 0\.9\d and S 0\.88"),
    (
        pairs(aa=95, bb=3, ab=3, ba=3),
        r"labels are too rare .*, both are 'b' on 3\.0 items",
    ),
    (UNLIKE, r"'[ab]' against the rest 0\.8\d .*, 'c' against the rest 0\.3\d"),
    (BIASED, r"rater 3 gives 'b' in 67 % of judgments, others .* items in 33 %"),
    (
        STRANGE,
        r"rater 3 .*as if at random: same label as others in 50 %.* in 100 %",
    ),
    (STRANGE, r"without rater 3 alpha is 1\.00 instead of 0\.5"),
    (pairs(aa=30, Aa=30, AA=30), "'A' and 'a' are different labels here"),
    ([["1", "1.0"], ["01", "2"]] * 20, "'01' and '1' and '1.0' are different"),
    ([["s\u00ed", "si\u0301"]] * 20, r"'si\\u0301' and 's\\xed' are different"),
]


@pytest.mark.parametrize(("matrix", "says"), DANGERS)
def test_a_danger_is_said(matrix, says):
    found = words(matrix)
    assert re.search(says, found), found


def leaning(n_raters):
    """Of 30 raters so many give b on a third of the items on which others give a."""
    rows = [["a"] * 30, ["a"] * 30, ["b"] * n_raters + ["a"] * (30 - n_raters)]
    return [*rows, ["b"] * 30] * 25


def test_raters_beyond_those_that_are_told_are_counted():
    texts = [words(leaning(n)) for n in (_words.TOLD, _words.TOLD + 1)]
    assert ["and 1 more rater" in text for text in texts] == [False, True]


def test_a_rater_is_named_for_a_quarter_more_disagreement():
    """Five raters of 4,000 items; luck explains neither difference."""
    random = np.random.default_rng(4)
    truth = random.integers(3, size=(4000, 1))
    for errors, named in ((0.36, False), (0.5, True)):
        wrong = random.random((4000, 5)) < [*[0.3] * 4, errors]
        labels = np.where(wrong, random.integers(3, size=(4000, 5)), truth)
        assert ("rater 4 disagrees with the others" in words(labels)) == named


def test_suggestions_of_the_first_label_alone_are_suggestions():
    r = la.Ratings.from_matrix([[1, 1, 1], [1, 1, 2], [2, 2, 2], [2, 1, 2]] * 10)
    found = quietly(following, r, [1] * 40)
    assert found["value"]["followed"] == pytest.approx(6 / 12)


def test_items_with_two_judgments_are_judged_twice():
    r = la.Ratings.from_matrix([[1, 1, None], [1, 2, 2], [None, 2, None]])
    found = la.reliability(r)
    assert (found.n_items, found.n_ratings, found.dropped) == (2, 5, 1)


SILENT = [
    "undefined", "only .* items", "one rater", "dropped", "below", "as low as",
    "wider", "no interval", "has 9", "too rare", "one value hides",
    "gives", "disagrees", "different labels", "suggest", "collections",
]  # fmt: skip


@pytest.mark.parametrize("word", SILENT)
def test_no_danger_is_no_warning(word):
    assert not re.search(word, words(GOOD))
    assert words(GOOD).startswith("two raters")
    three = [[a, b, a] for a, b in pairs(aa=200, bb=190, ab=4, ba=4)]
    assert words(three) == ""


def test_thresholds_are_met_from_both_sides():
    near = pairs(aa=87, bb=63, ab=13, ba=12)  # alpha .7108 is not below .667
    assert "below 0.8" in words(near) and "below 0.667" not in words(near)
    most = pairs(aa=158, bb=38, ab=2, ba=2)  # 80 % and 79.75 % a
    assert "'a' has 80 % of the judgments" in words(most)
    assert "of the judgments" not in words([*most, ["b", "b"]])
    enough = pairs(aa=60, bb=5, ab=6), pairs(aa=60, bb=4, ab=6)
    assert ["too rare" in words(one) for one in enough] == [False, True]
    items = pairs(aa=15, bb=9, ab=5), pairs(aa=15, bb=9, ab=6)  # 29 and 30
    assert ["items with two judg" in words(one) for one in items] == [True, False]


def test_a_rater_by_chance_off_is_not_accused():
    # 60 items, as good as the others: 5 % of all sets may say so, over all raters.
    accused = 0
    for seed in range(40):
        text = words(made(n=60, raters=5, seed=seed, missing=0.1))
        accused += "disagrees with the others" in text or "gives" in text
    assert accused <= 6  # P(X > 6) < .01 for 40 sets at 2 x 5 %


def test_numbers_have_the_distance_of_their_sentence():
    random = np.random.default_rng(1)
    true = random.integers(1, 8, 80)
    off = np.column_stack([true] * 3 + [random.integers(1, 8, 80)]).astype(object)
    text = words(off.tolist(), "interval")
    alpha = la.krippendorff_alpha(la.Ratings.from_matrix(off.tolist()), "interval")
    own = np.mean([(x - t) ** 2 for x, t in zip(off[:, 3], true, strict=True)])
    share = f"{100 * own / alpha.expected_disagreement:.0f}"
    assert f"rater 3 disagrees with the others in {share} % of what chance" in text
    assert "the same items these disagree with each other in 0 %;" in text


@pytest.mark.parametrize(("more", "said"), [(0, False), (3, True)])
def test_a_rater_who_is_above_the_others_on_a_scale(more, said):
    random = np.random.default_rng(3)
    true = random.integers(1, 20, 80)
    matrix = true[:, None] + random.integers(-1, 2, (80, 4))
    matrix[:, 2] += more
    found = la.reliability(la.Ratings.from_matrix(matrix), "interval")
    says = re.search(r"rater 2 is [23]\.\d\d above", " | ".join(found.warnings))
    assert bool(says) == said
    for rater in range(4):
        away = matrix[:, rater] - np.delete(matrix, rater, axis=1).mean(axis=1)
        row = found.raters.loc[rater]
        assert row["shift"] == pytest.approx(away.mean(), abs=1e-12)
        assert row["shift_error"] == pytest.approx(away.std(ddof=1) / np.sqrt(80))


def test_suggestions_that_pull_and_that_do_not():
    random = np.random.default_rng(2)
    true = random.integers(0, 2, 400)
    wrong = random.random(400) < 0.3
    suggested = np.where(wrong, 1 - true, true)
    seen = np.where(random.random((400, 5)) < 0.1, 1 - true[:, None], true[:, None])
    led = np.where(random.random((400, 5)) < 0.3, suggested[:, None], seen)
    with_it = la.reliability(la.Ratings.from_matrix(led), suggested=list(suggested))
    assert any(
        text.startswith("judgments lean to the sugg") for text in with_it.warnings
    )
    free = la.reliability(la.Ratings.from_matrix(seen), suggested=list(suggested))
    assert not any("suggest" in text for text in free.warnings)
    row = free.suggested.loc["pull"]
    assert row["low"] < 0 < row["high"]


def test_what_two_collections_make_one_say():
    x = la.Ratings.from_matrix(made(n=200, seed=1, slips=0.2))
    shifted = made(n=200, seed=1, slips=0.2)
    shifted[:80] = np.where(shifted[:80] == "a", "b", shifted[:80])
    y = la.Ratings.from_matrix(shifted)
    text = " | ".join(la.reliability(x, other=y).warnings)
    assert "the collections differ by more than their raters do: cross-kappa" in text
    assert re.search(r"use labels differently .*: 'a' \d+ % and \d+ %, 'b'", text)
    same = la.reliability(
        x, other=la.Ratings.from_matrix(made(n=200, seed=1, slips=0.2))
    )
    assert not any("the collections differ" in one for one in same.warnings)
    apart = la.Ratings.from_matrix(pd.DataFrame(made(n=9), index=list("stuvwxyz!")))
    lost = la.reliability(x, other=apart)
    assert any("cannot be compared: no item" in one for one in lost.warnings)
    random = np.random.default_rng(0).integers(0, 2, (60, 2))
    sides = la.Ratings.from_matrix(random), la.Ratings.from_matrix(random[::-1])
    loose = la.reliability(sides[0], other=sides[1])
    assert any("cannot be normalised" in one for one in loose.warnings)


# What is too little to say ------------------------------------------------------------


def crowd(items, raters, per_item, seed, slips=0.15):
    """Equally good raters, each with as many items, who differ by slips alone."""
    random = np.random.default_rng(seed)
    order = np.concatenate([random.permutation(raters) for _ in range(items)])
    rows = order.reshape(-1, per_item)
    true = random.integers(0, 2, len(rows))
    said = np.where(random.random(rows.shape) < slips, 1 - true[:, None], true[:, None])
    table = {
        "item": np.repeat(np.arange(len(rows)), per_item),
        "rater": rows.ravel(),
        "label": said.ravel(),
    }
    frame = pd.DataFrame(table).drop_duplicates(["item", "rater"])
    return la.Ratings.from_long(frame)


ACCUSED = "disagrees with|differently|differ from"


@pytest.mark.parametrize("items", [3, 4, 19])
@pytest.mark.parametrize("distance", ["nominal", "interval"])
def test_nothing_is_said_of_raters_with_few_items(items, distance):
    for seed in range(5):
        found = la.reliability(crowd(items, 120, 3, seed), distance)
        assert not re.search(ACCUSED, " | ".join(found.warnings))


def test_twenty_shared_items_are_enough_to_be_spoken_of():
    # The last rater says "b" throughout, three others the truth.
    for each, said in ((9, False), (10, True)):
        text = words([["a", "a", "a", "b"], ["b"] * 4] * each)
        assert bool(re.search("rater 3 disagrees with", text)) == said
        assert bool(re.search("rater 3 gives 'b'", text)) == said
    # Many items, but of only two of them more than one other rater spoke.
    rows = [["a", None, None, "b"], ["b", None, None, "b"]] * 20
    assert "disagrees with" not in words([*rows, *[["a", "a", "a", "b"]] * 2])


def test_prevalence_is_that_of_the_items_that_coefficients_see():
    both = pairs(xx=16, yy=16, xy=4, yx=4)
    text = words([*both, *[["x", None]] * 500])
    assert "540 items dropped" in text
    assert "of the judgments" not in text
    needed = r"about \d+ items would give"
    assert re.search(needed, text)[0] == re.search(needed, words(both))[0]
    scale = [[i % 9, i % 9, i % 9 + 3] for i in range(60)]
    spread = r"standard deviation, [\d.]+"
    alone = words([*scale, *[[8, None, None]] * 300], "interval")
    assert re.search(spread, alone)[0] == re.search(spread, words(scale, "interval"))[0]
    # The table is of all judgments.
    found = la.reliability(la.Ratings.from_matrix([*both, *[["x", None]] * 500]))
    assert found.labels["ratings"].to_dict() == {"x": 540, "y": 40}


@pytest.mark.parametrize(("items", "known"), [(9, False), (10, True)])
def test_a_pull_from_few_judgments_has_no_interval(items, known):
    # Five judgments each of items on which most others are against the suggestion.
    against = [["a"] * 5] * 2 + [["a"] * 4 + ["b"]] * (items - 2)
    matrix = [*against, *[["a"] * 5] * 40]
    suggested = ["b"] * items + ["a"] * 40
    row = following(la.Ratings.from_matrix(matrix), suggested).loc["pull"]
    assert row["judgments"] == 5 * items
    assert row["value"] == pytest.approx((items - 2) / (5 * items))
    assert np.isnan(row[["low", "high"]].astype(float)).all() != known


def test_a_pulls_interval_stays_within_its_range():
    # Of aab only the last has others who agree: 60 follow, 12 do not.
    matrix = [["a", "a", "b"]] * 60 + [["a"] * 3] * 44
    suggested = ["b"] * 64 + ["a"] * 40
    table = following(la.Ratings.from_matrix(matrix), suggested, confidence=0.9999)
    row = table.loc["pull"]
    assert row["value"] == pytest.approx(60 / 72)
    assert 0 < row["low"] < row["value"] < row["high"] == 1


def knowing(raters, n=400, seed=3):
    """Nobody is led, but suggestions are right more often than not."""
    random = np.random.default_rng(seed)
    true = random.integers(0, 2, n)
    suggested = np.where(random.random(n) < 0.8, true, 1 - true)
    slip = random.random((n, raters)) < 0.2
    matrix = np.where(slip, 1 - true[:, None], true[:, None])
    return la.Ratings.from_matrix(matrix), list(suggested)


def test_a_pull_may_be_suggestions_that_know_more():
    r, suggested = knowing(3)
    said = [x for x in la.reliability(r, suggested=suggested).warnings if "sugg" in x]
    assert len(said) == 1
    assert "or it is right where most of them are wrong" in said[0]
    assert "only items labelled without it can tell" in said[0]


def test_two_raters_are_not_most_others():
    r, suggested = knowing(2)
    found = la.reliability(r, suggested=suggested)
    assert found.suggested.loc["pull", "low"] > 0.05
    assert not any("sugg" in text for text in found.warnings)


@pytest.mark.parametrize(
    ("matrix", "suggested", "says"),
    [
        (
            [["a"] * 3, ["b"] * 3] * 100,
            ["a", "b"] * 100,
            "100 % of judgments are the suggested label, and in 0 judgments most",
        ),
        (
            [["a"] * 3, ["b"] * 3] * 500,
            ["a", "b"] * 480 + ["b", "a"] * 20,
            "96 % of judgments are the suggested label, and in 120 judgments most",
        ),
        (
            [["a", "a", "b"], ["b"] * 3] * 20,
            ["b", "b"] + ["a", "b"] * 19,
            "in 1 judgment most other raters gave another",
        ),
    ],
)
def test_what_cannot_tell_following_from_agreement_is_said(matrix, suggested, says):
    text = words(matrix, suggested=suggested)
    assert "cannot be told apart in these data" in text
    assert says in text
    assert "lean to" not in text


def test_sentences_name_what_is_there():
    low = words(pairs(ab=6, ba=6, aa=4, bb=4))
    assert "wider than 0.2, one step" in low and "from poor to poor" not in low
    assert "1 judgment most" in words([["a", "b"]], suggested=["b"])
    table = la.reliability(
        la.Ratings.from_matrix([[1.0, 2.0], [1.0, 1.0], [2.0, 2.0]] * 3, labels=[1, 2])
    )
    assert table.disputed(1)["votes"].iloc[0] == "1 1, 2 1"
    assert "every judgment is 1, so" in words([[1.0, 1.0]] * 3)
    names = 1.0, np.float64(2.0), 2.5, "1.0", True
    assert [_words.label_name(one) for one in names] == [
        "1", "2", "2.5", "'1.0'", "True",
    ]  # fmt: skip
    assert (_words.plural(1, "item"), _words.plural(0, "item")) == (
        "1 item",
        "0 items",
    )


def test_a_reliability_of_nothing_is_written_as_0():
    part = SimpleNamespace(undefined="", value=-4.44e-16, name="iota")
    assert "of y (iota) is 0, not above 0" in _no_divisor("y", part)
    part.value = -0.25
    assert "of y (iota) is -0.25, not above 0" in _no_divisor("y", part)


def test_two_collections_say_which_items_they_share():
    x = la.Ratings.from_matrix(made(n=50, missing=0))
    y = x.on(range(20, 50))
    said = la.reliability(x, other=y).warnings
    assert any("share 30 items; 20 more only the first has, 0 only" in t for t in said)
    some = la.reliability(y, other=x).warnings
    assert any(
        "30 items; 0 more only the first has, 20 only the second" in t for t in some
    )
    assert not any(
        "collections share" in t for t in la.reliability(x, other=x).warnings
    )


def test_the_use_of_labels_in_two_collections_is_not_luck():
    # The same raters' kind twice: label use apart by luck is not said.
    said = 0
    for seed in range(40):
        random = np.random.default_rng(seed)
        true = random.integers(0, 2, 25)
        sides = [
            np.where(random.random((25, 2)) < 0.2, 1 - true[:, None], true[:, None])
            for _ in range(2)
        ]
        x, y = map(la.Ratings.from_matrix, sides)
        text = " | ".join(la.reliability(x, other=y).warnings)
        said += "use labels differently (our rule: 10 points" in text
    assert said <= 6  # P(X > 6) < .01 for 40 sets at 5 %
    for n, there in ((18, False), (40, True)):
        one = la.Ratings.from_matrix([["a"], ["b"]] * (n // 2))
        most = la.Ratings.from_matrix([["a"], ["a"]] * (n // 2))
        text = " | ".join(la.reliability(one, other=most).warnings)
        assert ("the collections use labels differently" in text) == there


@pytest.mark.parametrize("size", [1, 5])
def test_the_error_of_shares_is_that_of_leaving_out_each_item(size):
    # By the definition: each item's own part of the difference of two ratios.
    groups = None if size == 1 else [k // size for k in range(80)]
    x = la.Ratings.from_matrix(made(n=80, seed=1), clusters=groups)
    y = la.Ratings.from_matrix(made(n=80, seed=2, raters=3), clusters=groups)
    table = la.reliability(x, other=y).other_labels
    kept = (x.per_item > 0) & (y.per_item > 0)
    for k, label in enumerate("abc"):
        part = np.zeros(int(kept.sum()))
        for r, sign in ((x, 1), (y, -1)):
            counts = r.counts[kept]
            share = counts[:, k].sum() / counts.sum()
            part += sign * (counts[:, k] - share * counts.sum(axis=1)) / counts.sum()
        part = np.bincount(np.arange(80)[kept] // size, part)
        n = len(np.unique(np.arange(80)[kept] // size))
        error = np.sqrt((part**2).sum() * n / (n - 1))
        assert table["share_error"][label] == pytest.approx(error)
    # One judgment each: McNemar's, of paired differences.
    matrix = made(n=80, raters=2, missing=0, labels="ab")
    one, two = (la.Ratings.from_matrix(matrix[:, [k]]) for k in (0, 1))
    away = (matrix[:, 0] == "a").astype(float) - (matrix[:, 1] == "a")
    error = away.std(ddof=1) / np.sqrt(80)
    found = la.reliability(one, other=two).other_labels["share_error"]
    assert list(found) == pytest.approx([error, error])


def test_how_numbers_are_written():
    cases = {0.5: "0.50", -0.1: "-0.10", 10.5: "10.50", -0.001: "0.00", 1.0: "1.00"}
    assert {value: _words.number(value) for value in cases} == cases
    assert [_words.below(v, 0.8) for v in (0.79, 0.798, 0.79999)] == [
        "0.79",
        "0.798",
        "0.79999",
    ]
    shares = {0.5: "50 %", 0.043: "4.3 %", 0.0: "0 %", 0.0996: "10 %", 0.1: "10 %"}
    assert {share: _words.percent(share) for share in shares} == shares
    assert _words.several("abcde") == "a, b, c and 2 more"
    assert _words.several("abcd") == "a, b, c, d"
    assert (_words.who("ann"), _words.who(3)) == ("ann", "rater 3")


# Odd but valid ------------------------------------------------------------------------


@st.composite
def odd(draw):
    """A small matrix with gaps, at least one judgment, and perhaps one label."""
    n, raters = draw(st.integers(1, 8)), draw(st.integers(1, 5))
    labels = draw(st.sampled_from([["x"], ["x", "y"], [1, 2, 3], [True, False], [0.5]]))
    cell = st.sampled_from([None, *labels])
    rows = draw(
        st.lists(
            st.lists(cell, min_size=raters, max_size=raters), min_size=n, max_size=n
        )
    )
    rows[0][0] = labels[0]
    return rows, labels


@given(odd(), odd(), st.booleans(), st.data())
def test_nothing_odd_breaks_it(first, second, counted, data):
    rows, labels = first
    numeric = isinstance(labels[0], (int, float)) and not isinstance(labels[0], bool)
    names = ["nominal", "ordinal", "interval", "ratio"] if numeric else ["nominal"]
    distance = data.draw(st.sampled_from(names))
    told = [data.draw(st.sampled_from([None, *labels])) for _ in rows]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a matrix that looks transposed
        r = la.Ratings.from_matrix(rows)
        other = None
        if second[1] == labels:
            other = la.Ratings.from_matrix(second[0])
        if counted:
            r = la.Ratings.from_counts(pd.DataFrame(r.counts, columns=list(r.labels)))
    found = la.reliability(r, distance, suggested=told, other=other)
    assert isinstance(found, Reliability)
    assert all(isinstance(text, str) and "nan" not in text for text in found.warnings)
    assert len(found.disputed(3)) <= 3
    repr(found)


ODD = {
    "one judgment": [["a"]],
    "one rater": [["a"], ["b"]],
    "one item": [["a", "b", "a"]],
    "one label": [["a", "a"], ["a", "a"]],
    "all missing but two": [["a", None], [None, "b"], [None, None]],
    "perfect": pairs(aa=5, bb=5),
    "opposed": pairs(ab=5, ba=5),
    "another script": [["\u5973", "\u7537"], ["\u7537", "\u7537"]] * 5,
    "dollars": [["$a$", "$b"], ["$a$", "$a$"]] * 5,
}


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("more", [False, True])
def test_a_report_of_what_is_odd(name, more):
    r = la.Ratings.from_matrix(ODD[name])
    suggested = [next(v for v in [*row, "a"] if v is not None) for row in ODD[name]]
    how = {"suggested": suggested, "other": r} if more else {}
    html = page.page(la.reliability(r, **how), name)
    assert html.count("<figure>") >= 2
    assert "nan" not in re.sub(r"base64,\S+", "", html).lower().replace("finance", "")


# The example --------------------------------------------------------------------------


def test_the_example_is_what_its_generator_writes():
    for name, content in example_ratings.files().items():
        assert (paths.MADE / name).read_bytes() == content


def test_what_was_put_into_the_example_is_found():
    first, second, true = example_ratings.collections()
    given = first[first["label"] != ""]
    r = la.Ratings.from_long(given)
    suggested = first.drop_duplicates("item").set_index("item")["suggested"]
    other = la.Ratings.from_long(second)
    found = la.reliability(r, suggested=suggested, other=other)
    excess = found.raters["excess"]
    worst = {example_ratings.CARELESS, example_ratings.STRICT}
    assert set(excess.nlargest(2).index) == worst
    assert found.raters["away"].idxmax() == example_ratings.STRICT
    pull = found.suggested.loc["pull"]
    assert pull["low"] < example_ratings.LED < pull["high"]
    right = la.accuracy(other, true).value, la.accuracy(r, true).value
    assert right[0] > right[1]
    assert found.labels["share"].idxmin() == "threat"


@pytest.mark.parametrize("name", ["coefficients", "labels", "raters", "items"])
def test_figures_have_titles_that_fit(name):
    figure = getattr(figures, name)(FOUND)
    figure.canvas.draw()
    titles = [figure._suptitle, *(axis.title for axis in figure.axes)]
    titles += [axis._left_title for axis in figure.axes]
    edge = figure.get_window_extent().x1
    for one in titles:
        if one is not None and one.get_text():
            assert one.get_window_extent().x1 <= edge


# What it needs of the rest ------------------------------------------------------------


def test_the_judgments_of_some_raters():
    some = R.by([3, 1])
    assert list(some.raters) == [1, 3]
    assert list(some.items) == list(R.items)
    kept = la.Ratings.from_matrix(pd.DataFrame(MATRIX)[[1, 3]])
    assert la.cohen_kappa(some).value == la.cohen_kappa(kept).value
    with pytest.raises(ValueError, match=r"raters must be different raters of these"):
        R.by([1, 9])
    with pytest.raises(ValueError, match=r"raters must be different raters of these"):
        R.by([1, 1])
    idle = la.Ratings.from_matrix([["a", "b", None]])
    with pytest.raises(ValueError, match=r"raters must be raters with a judgment"):
        idle.by([2])
    with pytest.raises(ValueError, match=r"by needs to know who judged what"):
        la.Ratings.from_counts([[1, 2]]).by([0])


def test_raters_of_whom_no_two_share_an_item_have_no_pairs():
    alone = np.full((4, 4), None)
    np.fill_diagonal(alone, "a")
    found = la.reliability(la.Ratings.from_matrix(alone))
    assert len(found.pairs) == 0
    assert found.pairs.index.names == ["rater", "other"]


def test_the_paragraph_says_what_was_measured():
    """Alpha by another implementation."""
    table = [list("aab"), list("bbb"), list("ccc"), list("aaa"), list("abc")] * 12
    table += [["a", None, None]] * 2
    r = la.Ratings.from_matrix(table)
    text = la.reliability(r).report(name="Set")
    assert text.startswith("Set: 60 items, 3 raters, 180 judgments. Left out: 2 with")
    codes = {"a": 0, "b": 1, "c": 2, None: np.nan}
    data = np.array([[codes[x] for x in row] for row in table]).T
    alpha = krippendorff.alpha(reliability_data=data, level_of_measurement="nominal")
    assert f"(nominal distance) is {alpha:.2f}" in text
    assert "alpha is highest for" in text
    one = la.Ratings.from_matrix([["a", "a"], ["a", "a"]], labels=["a", "b"])
    assert "is undefined: " in la.reliability(one).report()


def test_very_many_items_by_pattern_have_the_tables_that_need_no_items(monkeypatch):
    """Above the limit coefficients, labels and the report are those of the items."""
    random = np.random.default_rng(3)
    rows = [
        [["a", "b", None][k] for k in random.integers(3, size=3)] for _ in range(20)
    ]
    times = random.integers(1, 40, 20)
    shown = [["a", "b"][k] for k in random.integers(2, size=20)]
    r = la.Ratings.from_patterns(rows, times)
    each = la.reliability(r, suggested=shown)
    monkeypatch.setattr(study, "MOST_JUDGMENTS", 0)
    whole = la.reliability(r, suggested=shown)
    for name in ("coefficients", "labels"):
        one, other = getattr(each, name), getattr(whole, name)
        pd.testing.assert_frame_equal(one, other, check_dtype=False)
    assert whole.report() == each.report()
    of_all = ["dipietro_hazari_kappa", "followed"]
    pd.testing.assert_frame_equal(whole.suggested, each.suggested.loc[of_all])
    assert len(whole.raters) == len(whole.flags) == 0
    assert "all by rater: above 0 judgments" in whole.omitted
    assert set(whole.warnings) <= set(each.warnings)


def test_sets_of_labels_are_written_in_order():
    """{money, sport}, whatever order the members have in memory."""
    names = [frozenset(), frozenset({"money"}), frozenset({"sport", "money"})]
    table = [[names[i % 3], names[0 if i % 4 == 0 else i % 3]] for i in range(60)]
    found = la.reliability(la.Ratings.from_matrix(table))
    html = page.page(found, "a file")
    for text in (html, found.report(), "".join(found.warnings), str(found.disputed())):
        assert "frozenset" not in text
    assert "; labels {}, {money}, {money, sport}</p>" in html
    assert "{money, sport} 1, {} 1" in html or "{} 1, {money, sport} 1" in html
    assert "alpha is highest for {" in found.report()
    assert "lowest for {} (" in found.report()
