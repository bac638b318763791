"""Raters to talk to: planted ones are found, honest ones are left alone."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import false_discovery_control

import labelaudit as la
from labelaudit.reports.collection.breakdowns import shared
from labelaudit.reports.collection.raters import flags, least_able, one_label
from labelaudit.reports.collection.raters.flags import hochberg, yekutieli


def study(
    seed,
    n_raters=12,
    n_items=600,
    per_item=6,
    prevalence=(0.4, 0.35, 0.25),
    skill=(0.7, 0.95),
    planted="",
):
    """Honest raters who know a label or are drawn to another; some items are hard.

    Rater 0 is as planted.
    """
    random = np.random.default_rng(seed)
    q = len(prevalence)
    truth = random.choice(q, n_items, p=prevalence)
    right = random.uniform(*skill, (n_raters, 1)) * random.uniform(
        0.9, 1, (n_raters, q)
    )
    who = random.permuted(np.tile(np.arange(n_raters), (n_items, 1)), axis=1)
    who = who[:, :per_item].ravel()
    item = np.repeat(np.arange(n_items), per_item)
    hard = random.random(n_items) < 0.25
    chance = right[who, truth[item]] ** np.where(hard, 2, 1)[item]
    wrong = random.random(len(who)) > chance
    other = (truth[item] + random.integers(1, q, len(who))) % q
    label = np.where(wrong, other, truth[item])
    mine = who == 0
    if planted == "constant":
        label[mine] = 0
    if planted == "random":
        label[mine] = random.choice(q, mine.sum(), p=prevalence)
    if planted == "reversed":
        label[mine] = (truth[item] + random.integers(1, q, len(who)))[mine] % q
    table = {"item": item, "rater": who, "label": label}
    return la.Ratings.from_long(pd.DataFrame(table))


WORDS = {
    "constant": "gives 0 only",
    "random": "as if at random",
    "reversed": "opposite of others",
}


@pytest.mark.parametrize("planted", WORDS)
def test_planted_raters_are_found_and_no_others(planted):
    for seed in range(5):
        table = flags(study(seed, planted=planted))
        assert {*table.index[table["flagged"]]} == {0}
        assert WORDS[planted] in table.loc[0, "reasons"]
        assert (table.loc[table["flagged"], "p_value"] <= 0.05).all()


@pytest.mark.parametrize("planted", ["constant", "random"])
def test_a_declared_label_that_nobody_gives_changes_nothing(planted):
    r = study(1, planted=planted)
    wide = pd.DataFrame({"item": r.items[r.judgments.item]})
    wide["rater"] = r.raters[r.judgments.known_rater]
    wide["label"] = r.labels[r.judgments.label]
    more = la.Ratings.from_long(wide, labels=[*r.labels, 9])
    pd.testing.assert_frame_equal(flags(more), flags(r))


HONEST = [
    {},
    {"n_raters": 4, "n_items": 150, "per_item": 4, "prevalence": (0.97, 0.03)},
    {"n_raters": 3, "n_items": 60, "per_item": 3, "prevalence": (0.5, 0.5)},
    {"n_raters": 60, "n_items": 500, "per_item": 5, "skill": (0.6, 0.95)},
    {"n_raters": 10, "n_items": 300, "per_item": 10, "prevalence": (0.125,) * 8},
    {"n_raters": 80, "n_items": 130, "per_item": 3, "prevalence": (0.9, 0.1)},
]


@pytest.mark.parametrize("setting", HONEST, ids=range(len(HONEST)))
def test_honest_raters_are_left_alone(setting):
    """Of 40 studies at most 5 with a flag: 95 % level, with room for luck."""
    named = [flags(study(seed, **setting))["flagged"].any() for seed in range(40)]
    assert sum(named) <= 5


def test_the_same_label_everywhere_names_nobody():
    rows = [["no"] * 5] * 200 + [["yes"] * 5] * 2
    assert not flags(la.Ratings.from_matrix(rows))["flagged"].any()


def test_agreement_with_the_majority_names_nobody():
    random = np.random.default_rng(4)
    truth = random.integers(2, size=(400, 1))
    labels = np.where(random.random((400, 6)) < 0.1, 1 - truth, truth)
    labels[:, 1] = np.where(random.random(400) < 0.02, 1 - truth[:, 0], truth[:, 0])
    labels[:, 0] = truth[:, 0]
    assert not flags(la.Ratings.from_matrix(labels))["flagged"].any()


def test_all_raters_are_there_with_most_judgments_first():
    table = flags(study(3, n_raters=30, n_items=50, per_item=3))
    assert [*table.columns] == ["judgments", "p_value", "reasons", "flagged"]
    assert table.index.name == "rater" and len(table) == 30
    assert (np.diff(table["judgments"]) <= 0).all()
    assert table["judgments"].sum() == 150
    assert table["p_value"].between(0, 1).all()
    assert table["flagged"].dtype == bool


@pytest.mark.parametrize(
    "rows",
    [
        [["a", "b"]] * 50,  # two raters: which of them?
        [["a", "b", "b"]] * 3,  # too few to speak of anybody
        [["a", None, None], [None, "b", "b"]],
        [[1, 2, 3]],
    ],
)
def test_where_nothing_can_be_said_nobody_is_named(rows):
    table = flags(la.Ratings.from_matrix(rows))
    assert not table["flagged"].any()
    assert (table["reasons"] == "").all()
    assert len(table) == len(rows[0])


def test_anonymous_raters_are_not_told_apart():
    r = la.Ratings.from_counts([[3, 1], [0, 4]])
    table = la.reliability(r).flags
    assert len(table) == 0
    assert [*table.columns] == ["judgments", "p_value", "reasons", "flagged"]


def test_the_report_names_them():
    found = la.reliability(study(1, planted="constant"))
    assert found.flags.loc[0, "flagged"]
    text = next(one for one in found.warnings if one.startswith("talk to 1 rater"))
    assert "rater 0" in text and "gives 0 only" in text


def test_what_is_compared_is_that_of_every_pair():
    """Agreement with others, among others, and by chance, judgment by judgment."""
    r = study(2, n_raters=5, n_items=12, per_item=4)
    c = least_able.compared(r, shared(r))
    j = r.judgments
    said = {}
    for item, rater, label in zip(j.item, j.rater, j.label):
        said.setdefault(item, {})[rater] = label
    for k in range(len(c.rater)):
        a, item, label = c.rater[k], j.item[k], j.label[k]
        others = [x for b, x in said[item].items() if b != a]
        assert c.same[k] == pytest.approx(np.mean([x == label for x in others]))
        pairs = [
            x == y for i, x in enumerate(others) for m, y in enumerate(others) if i != m
        ]
        assert c.others[k] == pytest.approx(np.mean(pairs))
        elsewhere = [
            np.mean([x == label for b, x in labels.items() if b != a])
            for other, labels in said.items()
            if other != item and a in labels
        ]
        assert c.chance[k] == pytest.approx(np.mean(elsewhere))


def test_adjusted_p_values_are_scipys():
    random = np.random.default_rng(6)
    p = random.random(50) ** 3
    expected = false_discovery_control(p, method="bh")
    np.testing.assert_allclose(hochberg(p), expected)
    expected = false_discovery_control(p, method="by")
    found = yekutieli(p, len(p))
    np.testing.assert_allclose(found, expected, rtol=2e-4)  # sum of 1 / k by its limit


@pytest.mark.filterwarnings("error")
def test_a_rater_who_agrees_in_very_many_items_is_no_overflow():
    rows = [["y", "y", "y"], ["n", "n", "n"], ["y", "y", "n"], ["n", "y", "y"]]
    r = la.Ratings.from_patterns(rows, [90_000, 80_000, 12_000, 13_000])
    found = la.reliability(r)
    assert (found.flags["p_value"] == 1).all() and found.n_items == 195_000


def test_a_fair_bet_does_not_grow_on_average():
    """Gains of mean 0 or more: the stake's mean is at most 1, over all outcomes."""
    for gains, weights in (([-1, 1], [0.5, 0.5]), ([-0.5, 1], [0.6, 0.4])):
        assert np.dot(gains, weights) >= 0
        mean = 0.0
        for outcome in np.ndindex(2, 2, 2, 2):
            values = np.array([gains[k] for k in outcome])
            grown = least_able._grown(np.zeros(4, dtype=int), values, 1)[0]
            mean += np.prod([weights[k] for k in outcome]) * np.exp(grown)
        assert mean <= 1 + 1e-12


# Other notes ------------------------------------------------------------------------


def test_many_judgments_without_a_difference_ask_whether_they_were_copied():
    rows = [[k % 3] * 4 for k in range(60)]
    said = la.reliability(la.Ratings.from_matrix(rows)).warnings
    assert any("no two of 240 judgments on one item differ" in one for one in said)
    rows[0] = [0, 0, 0, 1]
    said = la.reliability(la.Ratings.from_matrix(rows)).warnings
    assert not any("no two of" in one for one in said)


def test_it_is_said_where_it_matters_what_weighs_the_same():
    many, few = [["a"] * 7 + ["b"]] * 20, [["a", "b"] + [None] * 6] * 60
    r = la.Ratings.from_matrix([*many, *few, *[["b"] * 8] * 20])
    kappas = [la.fleiss_kappa(r, weigh=way).value for way in ("judgments", "items")]
    assert abs(kappas[0] - kappas[1]) > 0.01
    (text,) = [one for one in la.reliability(r).warnings if "it matters: Fl" in one]
    assert all(f"{value:.3f}" in text for value in kappas)


def test_patterns_are_reported_as_their_items():
    rows = [["a", "a", "b"], ["b", "b", None], ["a", "b", "b"], ["a", "a", "a"]]
    times = [5, 20, 3, 30]
    each = [row for row, n in zip(rows, times) for _ in range(n)]
    shown = ["a", "b", "b", "a"]
    of_items = [label for label, n in zip(shown, times) for _ in range(n)]
    one = la.reliability(la.Ratings.from_patterns(rows, times), suggested=shown)
    other = la.reliability(la.Ratings.from_matrix(each), suggested=of_items)
    for name in ("coefficients", "labels", "raters", "items", "suggested", "flags"):
        pd.testing.assert_frame_equal(getattr(one, name), getattr(other, name))
    assert one.warnings == other.warnings
    many = la.Ratings.from_patterns(rows, [10**8] * 4)
    found = la.reliability(many)
    assert len(found.flags) == 0 and "all by rater" in found.omitted[0]


def test_who_never_errs_among_rare_labels_is_not_named():
    """Others give other labels by mistake; one label only is then no fault."""
    named = 0
    for seed in range(40):
        random = np.random.default_rng(seed)
        truth = random.choice(4, 750, p=[0.991, 0.003, 0.003, 0.003])
        who = np.argsort(random.random((750, 50)), axis=1)[:, :10]
        knows = random.random(who.shape) < random.uniform(0.5, 1, 50)[who]
        label = np.where(knows, truth[:, None], random.integers(4, size=who.shape))
        label[who == 0] = truth[(who == 0).any(axis=1)]
        item = np.repeat(np.arange(750), 10)
        table = {"item": item, "rater": who.ravel(), "label": label.ravel()}
        named += flags(la.Ratings.from_long(pd.DataFrame(table)))["flagged"].any()
    assert named <= 2


def test_another_label_is_as_probable_as_bayes_rule_has_it():
    """The truth by its prior, each other vote right with the skill or else guessed."""
    r = study(4, n_raters=6, n_items=30, per_item=5)
    s, skill = shared(r), 0.7
    c = least_able.compared(r, s)
    found = one_label._other_label(r, s, c, skill)
    q, j = len(r.labels), r.judgments
    shares = np.bincount(j.label, minlength=q) / len(j.label)
    prior = np.maximum(shares - (1 - skill) / q, 1e-6)
    chance = skill * np.eye(q) + (1 - skill) / q
    for k in range(len(j.item)):
        others = (j.item == j.item[k]) & (np.arange(len(j.item)) != k)
        each = prior * np.prod(chance[:, j.label[others]], axis=1)
        expected = 1 - each[j.label[k]] / each.sum()
        assert found[k] == pytest.approx(expected, rel=1e-9, abs=1e-12)
