"""Latent classes: Dawid and Skene's anaesthetists, the dentists' X-rays, plain EM."""

import numpy as np
import pandas as pd
import pytest

import labelaudit as la
import studies
from known import known

PAPER = known("dawid_skene_1979")
CARIES = known("caries")


def anaesthetists(labels=None):
    judged = [
        (patient, observer, label)
        for patient, row in PAPER["patients"].items()
        for observer, label in zip(PAPER["observers"], row)
    ]
    frame = pd.DataFrame(judged, columns=["item", "rater", "label"])
    return la.Ratings.from_long(frame, labels=labels, repeats=True)


def counted(r):
    """Items x raters x labels: how often a rater gave a label."""
    counts = np.zeros((len(r.items), len(r.raters), len(r.labels)))
    j = r.judgments
    np.add.at(counts, (j.item, j.rater, j.label), 1)
    return counts


def em(counts, iterations, known=None):
    """Prevalence, confusion, posterior, and the log-likelihood after each iteration.

    From the items' label shares, by Eqs. 2.3 to 2.5; known classes (-1: none) are put
    back after each step.
    """
    n, _, q = counts.shape
    known = np.full(n, -1) if known is None else known
    fixed, values = known >= 0, []
    posterior = counts.sum(axis=1) / np.maximum(counts.sum(axis=(1, 2)), 1)[:, None]
    for _ in range(iterations):
        posterior[fixed] = np.eye(q)[known[fixed]]
        prevalence = posterior.mean(axis=0)
        confusion = np.einsum("ik,irl->rkl", posterior, counts)
        confusion /= np.maximum(confusion.sum(axis=2, keepdims=True), 1e-300)
        terms = confusion[None] ** counts[:, :, None, :]
        chances = prevalence * terms.prod(axis=(1, 3))
        own = chances[np.arange(n), known]
        values.append(np.log(np.where(fixed, own, chances.sum(axis=1))).sum())
        posterior = chances / chances.sum(axis=1, keepdims=True)
    posterior[fixed] = np.eye(q)[known[fixed]]
    return prevalence, confusion, posterior, values


# Published and reference solutions ------------------------------------------------


def test_anaesthetists():
    """The published EM, to the reference's eight decimals; marginals as printed."""
    r = anaesthetists()
    found, wanted = la.dawid_skene(r), PAPER["em"]
    assert found.log_likelihood == pytest.approx(wanted["log_likelihood"], abs=1e-7)
    for ours, name in (("prevalence", "class_marginals"), ("posterior", "posteriors")):
        assert getattr(found, ours) == pytest.approx(np.array(wanted[name]), abs=1e-6)
    assert [*r.items] == [*PAPER["patients"]]
    raters = [[*r.raters].index(name) for name in "12345"]
    rates = np.array(wanted["error_rates"])
    assert found.confusion[raters] == pytest.approx(rates, abs=1e-6)
    assert found.converged and 5 <= found.iterations <= 200
    other = la.dawid_skene(anaesthetists([4, 3, 2, 1]))
    assert other.prevalence[::-1] == pytest.approx(found.prevalence, abs=1e-7)
    assert other.posterior[:, ::-1] == pytest.approx(found.posterior, abs=1e-7)
    assert other.confusion[:, ::-1, ::-1] == pytest.approx(found.confusion, abs=1e-7)


def test_dentists():
    """Two classes of X-rays: sound is the larger one, and every dentist tells them."""
    rows, times = zip(*((row[:5], row[5]) for row in CARIES["rows"]))
    found = la.dawid_skene(la.Ratings.from_patterns(rows, times, labels=[1, 2]))
    wanted = CARIES["two_class"]
    assert found.log_likelihood == pytest.approx(wanted["log_likelihood"], abs=1e-5)
    weights, carious = (
        np.array(wanted[name]) for name in ("class_weights", "P_carious_given_class")
    )
    assert found.prevalence == pytest.approx(weights, abs=1e-5)
    assert pytest.approx(carious, abs=1e-5) == found.confusion[:, :, 1].T


# Against plain EM -----------------------------------------------------------------


@pytest.mark.parametrize("n_raters", [2, 4])  # with two, items alike are one unit
@pytest.mark.parametrize("with_gold", [False, True])
def test_the_solution_is_that_of_em(n_raters, with_gold):
    """Where classes are known, of some items nobody judged too, they stay."""
    rows = studies.made(120, n_raters, 8, missing=0.2, labels=[0, 1, 2])
    rows[-2:] = None
    known = np.full(len(rows), -1)
    if with_gold:
        first = pd.DataFrame(rows[:30]).bfill(axis=1)[0].fillna(2).astype(int)
        known[:25], known[25:30], known[-1] = first[:25], 2 - first[25:], 1
    r = la.Ratings.from_matrix(rows, labels=[0, 1, 2])
    gold = {i: k for i, k in enumerate(known.tolist()) if k >= 0}
    found = la.dawid_skene(r, gold=gold)
    judged = (counted(r).sum(axis=(1, 2)) > 0) | (known >= 0)
    expected = em(counted(r)[judged], 1000, known[judged])
    assert found.converged
    assert found.prevalence == pytest.approx(expected[0], abs=1e-5)
    assert found.confusion == pytest.approx(expected[1], abs=1e-5)
    assert found.posterior[judged] == pytest.approx(expected[2], abs=1e-5)
    assert found.posterior[-2] == pytest.approx(found.prevalence)
    assert [*found.most_likely[judged]] == [*expected[2].argmax(axis=1)]
    assert found.log_likelihood == pytest.approx(expected[3][-1], abs=1e-6)


@pytest.mark.parametrize("how", ["without", "with"])
def test_crowd_kit(how):
    """Its EM, 5,000 steps, without gold and with it (`make peers` writes it anew)."""
    peer = known("crowdkit")
    gold = {int(item): label for item, label in peer["gold"].items()}
    r = la.Ratings.from_matrix(peer["rows"], labels=[0, 1, 2])
    found = la.dawid_skene(r, gold=gold if how == "with" else None)
    for part, wanted in peer[how].items():
        assert getattr(found, part) == pytest.approx(np.array(wanted), abs=1e-7)


def test_gold_of_no_item_is_no_gold():
    r = la.Ratings.from_matrix([["a", "a"], ["b", "b"], ["a", "b"]] * 5)
    alone = la.dawid_skene(r).posterior
    with pytest.warns(UserWarning, match="gold: 1 item not among the ratings"):
        found = la.dawid_skene(r, gold={99: "a"})
    assert (found.posterior == alone).all()
    patterns = la.Ratings.from_patterns([["a", "a"], ["b", "b"]], [5, 5])
    for gold in ({0: "a"}, {99: "a"}):
        with pytest.raises(ValueError, match="gold must be one label for each pattern"):
            la.dawid_skene(patterns, gold=gold)


def test_iterations_are_those_of_em():
    """Stopped early, the likelihood is that of as many steps, and rises."""
    known_values = em(counted(anaesthetists()), 40)[3]
    assert known_values[-1] == pytest.approx(PAPER["em"]["log_likelihood"], abs=1e-8)
    values = []
    for most in (2, 4, 8, 16):
        with pytest.warns(UserWarning, match="converge"):
            found = la.dawid_skene(anaesthetists(), max_iterations=most)
        assert not found.converged and found.iterations == most
        values.append(found.log_likelihood)
        # an iteration may end with either step
        nearby = known_values[most - 2 : most + 1]
        assert min(abs(found.log_likelihood - v) for v in nearby) < 1e-8
    assert values == sorted(values)
    assert values[-1] <= PAPER["em"]["log_likelihood"] + 1e-8


@pytest.mark.parametrize("seed", range(3))
def test_leaps_end_where_single_steps_end_and_sooner(seed):
    """Five raters with two labels who are right in 60 to 80 %: EM is slow."""
    random = np.random.default_rng(seed)
    truth = random.random(150) < 0.4
    right = random.random((150, 5)) < random.uniform(0.6, 0.8, 5)
    r = la.Ratings.from_matrix((right == truth[:, None]).astype(int))
    found, values = la.dawid_skene(r), np.array(em(counted(r), 500)[3])
    assert found.converged
    assert found.log_likelihood == pytest.approx(values[-1], abs=1e-9)
    assert found.iterations < np.argmax(values >= values[-1] - 1e-11)


# Edges ----------------------------------------------------------------------------


def test_a_declared_label_that_nobody_uses_is_a_class_of_nothing():
    rows = [["a", "a"], ["b", "b"], ["a", "a"], ["a", "b"], ["b", "b"]]
    found = la.dawid_skene(la.Ratings.from_matrix(rows, labels=["a", "z", "b"]))
    assert found.prevalence[1] == pytest.approx(0, abs=1e-9)
    assert found.posterior[:, 1] == pytest.approx(np.zeros(5), abs=1e-9)
    without = la.dawid_skene(la.Ratings.from_matrix(rows))
    assert found.log_likelihood == pytest.approx(without.log_likelihood, abs=1e-6)


def test_many_raters_do_not_underflow():
    """500 judgments an item: a product of chances is below the smallest double."""
    rng = np.random.default_rng(2)
    truth = np.arange(8) % 2
    rows = np.where(rng.random((8, 500)) < 0.6, truth[:, None], 1 - truth[:, None])
    item, rater = np.indices(rows.shape).reshape(2, -1)
    frame = {"item": item, "rater": rater % 5, "label": rows.ravel()}
    found = la.dawid_skene(la.Ratings.from_long(pd.DataFrame(frame), repeats=True))
    assert -np.inf < found.log_likelihood < -745
    assert np.array_equal(np.argmax(found.posterior, axis=1), truth)
