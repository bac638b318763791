"""Raters to talk to: planted ones are found, honest ones are left alone."""

from collections import defaultdict

import numpy as np
import pandas as pd
import pytest
from scipy.stats import false_discovery_control

import labelaudit as la
from labelaudit.reports.collection.flags import flags


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
    "reversed": "less than half as well as they do: same label as others in",
}


@pytest.mark.parametrize("planted", WORDS)
def test_planted_raters_are_found_and_no_others(planted):
    """A declared label that nobody gives changes nothing."""
    for seed in range(5):
        r = study(seed, planted=planted)
        table = la.reliability(r).flags
        assert {*table.index[table["flagged"]]} == {0}
        assert WORDS[planted] in table.loc[0, "reasons"]
        assert table.loc[0, "p_value"] <= 0.05
        if planted == "constant":
            words = f"gives 0 only, {table.loc[0, 'judgments']} times, where others"
            assert table.loc[0, "reasons"].startswith(words)
            assert "random" not in table.loc[0, "reasons"]
    wide = pd.DataFrame({"item": r.items[r.judgments.item]})
    wide["rater"] = r.raters[r.judgments.rater]
    wide["label"] = r.labels[r.judgments.label]
    more = la.Ratings.from_long(wide, labels=[*r.labels, 9])
    pd.testing.assert_frame_equal(flags(more), table)


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


def never_wrong():
    """Six raters, of whom one has the majority's label always, one nearly."""
    random = np.random.default_rng(4)
    truth = random.integers(2, size=(400, 1))
    labels = np.where(random.random((400, 6)) < 0.1, 1 - truth, truth)
    labels[:, 1] = np.where(random.random(400) < 0.02, 1 - truth[:, 0], truth[:, 0])
    labels[:, 0] = truth[:, 0]
    return labels


@pytest.mark.parametrize(
    "rows",
    [
        [["a", "b"]] * 50,  # two raters: which of them?
        [["a", "b", "b"]] * 3,  # too few to speak of anybody
        [["a", None, None], [None, "b", "b"]],
        [[1, 2, 3]],
        [["no"] * 5] * 200 + [["yes"] * 5] * 2,
        never_wrong(),
        [["a", "b", "c"], ["b", "c", "a"], ["c", "a", "b"]] * 60,  # worse than chance
    ],
)
def test_where_nothing_can_be_said_nobody_is_named(rows):
    table = flags(la.Ratings.from_matrix(rows))
    assert not table["flagged"].any()
    assert (table["reasons"] == "").all()
    assert len(table) == len(rows[0])


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


def test_all_raters_are_there_with_most_judgments_first():
    table = flags(study(3, n_raters=30, n_items=50, per_item=3))
    assert [*table.columns] == ["judgments", "p_value", "reasons", "flagged"]
    assert table.index.name == "rater" and len(table) == 30
    assert (np.diff(table["judgments"]) <= 0).all()
    assert table["judgments"].sum() == 150
    assert table["p_value"].between(0, 1).all()
    assert table["flagged"].dtype == bool


# P-values by their definition -----------------------------------------------------


def rows_of(said):
    """For each rater, of each judgment: the label, the others' labels on the item, and
    the others' shares of labels on all of the rater's items."""
    rows = defaultdict(list)
    for votes in said.values():
        for a, label in votes.items():
            rows[a].append((label, [x for b, x in votes.items() if b != a]))
    return rows


def p_of_a_bet(rows, q):
    """1 over the mean of what five stakes grow to, where a gain is negative."""
    shares = [[others.count(c) / len(others) for c in range(q)] for _, others in rows]
    total, n, stakes = np.sum(shares, axis=0), len(rows), np.ones(5)
    by_chance = np.square(total / n).sum()
    for (label, others), own in zip(rows, shares, strict=True):
        chance = (total - own)[label] / (n - 1)
        alike = [x == y for k, x in enumerate(others) for y in others[k + 1 :]]
        gain = own[label] - chance - 0.5 * (np.mean(alike) - by_chance)
        stakes *= 1 - np.array([0.1, 0.2, 0.4, 0.6, 0.9]) * gain / (1 + by_chance / 2)
    return min(1.0, 1 / stakes.mean())


def p_of_one_label(rows, every, q):
    """By Bayes' rule: the truth by its prior, each vote right with the skill or else
    guessed; a rater with half of the skill gives another label so often."""
    alike, luck, labels = [], [], [label for one in every.values() for label, _ in one]
    for one in every.values():
        others = [x for _, votes in one for x in votes]
        shares = [others.count(c) / len(others) for c in range(q)]
        for _, votes in one:
            pairs = [x == y for k, x in enumerate(votes) for y in votes[k + 1 :]]
            alike.append(np.mean(pairs))
            luck.append(np.square(shares).sum())
    skill = np.sqrt((np.mean(alike) - np.mean(luck)) / (1 - np.mean(luck)))
    prior = np.bincount(labels, minlength=q) / len(labels) - (1 - skill) / q
    chance = skill * np.eye(q) + (1 - skill) / q
    p = float(q)  # labels in use: any of them might have been the one
    for label, votes in rows:
        each = np.maximum(prior, 1e-6) * np.prod(chance[:, votes], axis=1)
        p *= 1 - 0.5 * skill * (1 - each[label] / each.sum())
    return min(1.0, p)


@pytest.mark.parametrize("planted", ["", "constant", "random", "reversed"])
def test_p_values_are_those_of_the_definition(planted):
    """Bets by Benjamini and Hochberg, tails by Benjamini and Yekutieli, half each."""
    r = study(2, n_raters=6, n_items=40, per_item=4, planted=planted)
    j, q, said = r.judgments, len(r.labels), defaultdict(dict)
    for item, rater, label in zip(j.item, j.rater, j.label):
        said[item][r.raters[rater]] = int(label)
    every = rows_of(said)
    bets = {a: p_of_a_bet(rows, q) for a, rows in every.items()}
    tails = {
        a: p_of_one_label(rows, every, q) if len({x for x, _ in rows}) == 1 else 1.0
        for a, rows in every.items()
    }
    both = false_discovery_control([*tails.values()], method="by") * 2
    expected = dict(zip(tails, np.minimum(both, 1)))
    for a, p in zip(bets, false_discovery_control([*bets.values()]) * 2):
        if expected[a] > 0.05:  # who is named for one label is not said to guess, too
            expected[a] = min(expected[a], p)
    found = flags(r)["p_value"]
    assert [found[a] for a in expected] == pytest.approx([*expected.values()], rel=1e-3)


@pytest.mark.filterwarnings("error")
def test_a_rater_who_agrees_in_very_many_items_is_no_overflow():
    rows = [["y", "y", "y"], ["n", "n", "n"], ["y", "y", "n"], ["n", "y", "y"]]
    r = la.Ratings.from_patterns(rows, [90_000, 80_000, 12_000, 13_000])
    found = la.reliability(r)
    assert (found.flags["p_value"] == 1).all() and found.n_items == 195_000


def test_a_rater_without_a_label_is_no_error():
    rows = [["a", "b", None], ["a", "a", None], ["b", "b", None]] * 5
    assert len(flags(la.Ratings.from_matrix(rows))) == 3
