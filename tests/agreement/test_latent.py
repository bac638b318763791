"""Latent classes: Dawid and Skene's anaesthetists, and the dentists' X-rays."""

import numpy as np
import pandas as pd
import pytest

import labelaudit as la
from known import known

PAPER = known("dawid_skene_1979")
CARIES = known("caries")


def anaesthetists(patients=PAPER["patients"], labels=None):
    frame = pd.DataFrame(
        [
            (patient, observer, label)
            for patient, row in patients.items()
            for observer, label in zip(PAPER["observers"], row)
        ],
        columns=["patient", "observer", "class"],
    )
    return la.Ratings.from_long(
        frame, "patient", "observer", "class", labels=labels, repeats=True
    )


def dentists():
    rows = [
        row[:5] for row in CARIES["rows"] for _ in range(row[5])
    ]  # one X-ray after another
    return la.Ratings.from_matrix(rows, labels=[1, 2])


def in_order(r, found, items, raters):
    """(posterior, confusion) with the items and raters in a wanted order."""
    at_item = [[*r.items].index(item) for item in items]
    at_rater = [[*r.raters].index(rater) for rater in raters]
    return np.asarray(found.posterior)[at_item], np.asarray(found.confusion)[at_rater]


def counted(r_rows, n_labels):
    """Items x raters x labels: how often a rater gave a label; labels 0, 1, ..."""
    counts = np.zeros((len(r_rows), len(r_rows[0]), n_labels))
    for i, row in enumerate(r_rows):
        for r, label in enumerate(row):
            if label is not None:
                counts[i, r, label] += 1
    return counts


def expectation(counts, prevalence, confusion):
    """Posterior and log-likelihood, Eq. 2.5: p_k prod over raters and labels."""
    chances = np.empty((len(counts), len(prevalence)))
    for k, share in enumerate(prevalence):
        chances[:, k] = share * np.prod(confusion[:, k, :] ** counts, axis=(1, 2))
    total = chances.sum(axis=1)
    return chances / total[:, None], np.log(total).sum()


def maximisation(counts, posterior):
    """Prevalence and confusion, Eqs. 2.3 and 2.4."""
    confusion = np.einsum("ik,irl->rkl", posterior, counts)
    given = confusion.sum(axis=2, keepdims=True)
    confusion = np.divide(
        confusion, given, out=np.zeros_like(confusion), where=given > 0
    )
    return posterior.mean(axis=0), confusion


def log_likelihoods(counts, iterations):
    """The log-likelihood after each iteration of EM from the items' label shares."""
    posterior = counts.sum(axis=1)
    posterior /= posterior.sum(axis=1, keepdims=True)
    found = []
    for _ in range(iterations):
        posterior, value = expectation(counts, *maximisation(counts, posterior))
        found.append(value)
    return found


# Published and reference solutions ------------------------------------------------


def test_anaesthetists():
    """The published EM, to the reference's eight decimals; marginals as printed."""
    r = anaesthetists()
    found = la.dawid_skene(r)
    em = PAPER["em"]
    assert found.log_likelihood == pytest.approx(em["log_likelihood"], abs=1e-7)
    assert found.prevalence == pytest.approx(np.array(em["class_marginals"]), abs=1e-6)
    posterior, confusion = in_order(r, found, PAPER["patients"], "12345")
    assert posterior == pytest.approx(np.array(em["posteriors"]), abs=1e-6)
    assert confusion == pytest.approx(np.array(em["error_rates"]), abs=1e-6)
    assert found.converged
    assert 5 <= found.iterations <= 200
    assert np.shape(found.prevalence) == (4,)
    assert np.shape(found.confusion) == (5, 4, 4)
    assert np.shape(found.posterior) == (45, 4)


def test_dentists():
    """Two classes of X-rays: sound is the larger one, and every dentist tells them."""
    found = la.dawid_skene(dentists())
    reference = CARIES["two_class"]
    assert found.log_likelihood == pytest.approx(reference["log_likelihood"], abs=1e-5)
    assert found.prevalence == pytest.approx(
        np.array(reference["class_weights"]), abs=1e-5
    )
    carious = found.confusion[:, :, 1].T
    assert carious == pytest.approx(
        np.array(reference["P_carious_given_class"]), abs=1e-5
    )


# What any solution has ------------------------------------------------------------


def simulated(seed=3, n_items=300, missing=0.2):
    """(rows of labels 0, 1, 2 or None, true labels, the four raters' confusion)."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(3, n_items, p=[0.5, 0.3, 0.2])
    good, biased = np.full((3, 3), 0.05), np.eye(3) * 0.7
    good[np.diag_indices(3)] = 0.9
    biased[:, 0] += 0.3
    confusion = np.array([good, good, biased, np.eye(3) * 0.4 + 0.2])
    rows = [
        [
            None if rng.random() < missing else int(rng.choice(3, p=own[label]))
            for own in confusion
        ]
        for label in truth
    ]
    return rows, truth, confusion


def test_solution_is_a_fixed_point_of_both_steps():
    rows, _, _ = simulated()
    counts = counted(rows, 3)
    found = la.dawid_skene(la.Ratings.from_matrix(rows, labels=[0, 1, 2]))
    posterior, value = expectation(counts, found.prevalence, found.confusion)
    prevalence, confusion = maximisation(counts, found.posterior)
    assert found.posterior == pytest.approx(posterior, abs=1e-5)
    assert found.log_likelihood == pytest.approx(value, abs=1e-6)
    assert found.prevalence == pytest.approx(prevalence, abs=1e-5)
    assert found.confusion == pytest.approx(confusion, abs=1e-5)
    assert np.sum(found.prevalence) == pytest.approx(1)
    assert np.sum(found.posterior, axis=1) == pytest.approx(np.ones(len(rows)))
    assert np.sum(found.confusion, axis=2) == pytest.approx(np.ones((4, 3)))


def test_iterations_are_those_of_em():
    """Stopped early, the likelihood is that of as many steps, and rises."""
    counts = counted(
        [[label - 1 for label in row] for row in PAPER["patients"].values()], 4
    )
    counts = np.concatenate(
        [counts[:, :3].sum(axis=1, keepdims=True), counts[:, 3:]], 1
    )
    known_values = log_likelihoods(counts, 40)
    assert known_values[-1] == pytest.approx(PAPER["em"]["log_likelihood"], abs=1e-8)
    values = []
    for most in (2, 4, 8, 16):
        with pytest.warns(UserWarning, match="converge"):
            found = la.dawid_skene(anaesthetists(), max_iterations=most)
        assert not found.converged
        assert found.iterations == most
        values.append(found.log_likelihood)
        # an iteration may end with either step
        nearby = known_values[most - 2 : most + 1]
        assert min(abs(found.log_likelihood - v) for v in nearby) < 1e-8
    assert values == sorted(values)
    assert values[-1] <= PAPER["em"]["log_likelihood"] + 1e-8


def test_the_order_of_the_labels_is_the_order_of_the_classes():
    one = la.dawid_skene(anaesthetists(labels=[1, 2, 3, 4]))
    r = anaesthetists(labels=[4, 3, 2, 1])
    other = la.dawid_skene(r)
    assert other.prevalence[::-1] == pytest.approx(one.prevalence, abs=1e-7)
    assert other.posterior[:, ::-1] == pytest.approx(one.posterior, abs=1e-7)
    assert other.confusion[:, ::-1, ::-1] == pytest.approx(one.confusion, abs=1e-7)
    assert other.log_likelihood == pytest.approx(one.log_likelihood, abs=1e-8)


def test_a_declared_label_that_nobody_uses_is_a_class_of_nothing():
    rows = [["a", "a"], ["b", "b"], ["a", "a"], ["a", "b"], ["b", "b"]]
    found = la.dawid_skene(la.Ratings.from_matrix(rows, labels=["a", "z", "b"]))
    assert found.prevalence[1] == pytest.approx(0, abs=1e-9)
    assert np.asarray(found.posterior)[:, 1] == pytest.approx(np.zeros(5), abs=1e-9)
    without = la.dawid_skene(la.Ratings.from_matrix(rows))
    assert found.log_likelihood == pytest.approx(without.log_likelihood, abs=1e-6)


def test_many_raters_do_not_underflow():
    """500 judgments an item: a product of chances is below the smallest double."""
    rng = np.random.default_rng(2)
    truth = np.arange(8) % 2
    rows = np.where(rng.random((8, 500)) < 0.6, truth[:, None], 1 - truth[:, None])
    frame = pd.DataFrame(
        [
            (i, r % 5, label)
            for i, row in enumerate(rows)
            for r, label in enumerate(row)
        ],
        columns=["item", "rater", "label"],
    )
    found = la.dawid_skene(la.Ratings.from_long(frame, repeats=True))
    assert np.isfinite(found.log_likelihood)
    assert found.log_likelihood < -745
    assert np.array_equal(np.argmax(found.posterior, axis=1), truth)


# Refused --------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_leaps_end_where_single_steps_end_and_sooner(seed):
    """Five raters with two labels who are right in 60 to 80 %: EM is slow."""
    random = np.random.default_rng(seed)
    truth = random.random(150) < 0.4
    right = random.random((150, 5)) < random.uniform(0.6, 0.8, 5)
    rows = np.where(right, truth[:, None], ~truth[:, None]).astype(int)
    values = np.array(log_likelihoods(counted(rows.tolist(), 2), 500))
    found = la.dawid_skene(la.Ratings.from_matrix(rows))
    assert found.converged
    assert found.log_likelihood == pytest.approx(values[-1], abs=1e-9)
    assert found.iterations < np.argmax(values >= values[-1] - 1e-11)


# Known classes --------------------------------------------------------------------


def clamped_em(counts, known, iterations=1000):
    """EM from label shares; known classes are put back after each step."""
    fixed = known >= 0
    given = np.maximum(counts.sum(axis=(1, 2)), 1)
    posterior = counts.sum(axis=1) / given[:, None]
    for _ in range(iterations):
        posterior[fixed] = np.eye(counts.shape[2])[known[fixed]]
        prevalence, confusion = maximisation(counts, posterior)
        chances = np.stack(
            [
                share * np.prod(confusion[:, k, :] ** counts, axis=(1, 2))
                for k, share in enumerate(prevalence)
            ],
            axis=1,
        )
        own = chances[np.arange(len(known)), known]
        value = np.log(np.where(fixed, own, chances.sum(axis=1))).sum()
        posterior = chances / chances.sum(axis=1, keepdims=True)
    posterior[fixed] = np.eye(counts.shape[2])[known[fixed]]
    return prevalence, confusion, posterior, value


@pytest.mark.parametrize("n_raters", [2, 4])  # with two, items alike are one unit
def test_gold_is_em_with_classes_that_stay(n_raters):
    rows, truth, _ = simulated(seed=8, n_items=120)
    rows = [
        row[:n_raters] if any(v is not None for v in row[:n_raters]) else [0] * n_raters
        for row in rows
    ] + [[None] * n_raters] * 2
    known = np.full(len(rows), -1)
    known[:25], known[25:30], known[-1] = truth[:25], 2 - truth[25:30], 1
    counts = counted(rows, 3)
    judged = np.arange(len(rows)) != len(rows) - 2  # that one says nothing at all
    expected = clamped_em(counts[judged], known[judged])
    r = la.Ratings.from_matrix(rows, labels=[0, 1, 2])
    found = la.dawid_skene(r, gold={i: k for i, k in enumerate(known) if k >= 0})
    assert found.converged
    assert found.prevalence == pytest.approx(expected[0], abs=1e-6)
    assert found.confusion == pytest.approx(expected[1], abs=1e-6)
    assert found.posterior[judged] == pytest.approx(expected[2], abs=1e-6)
    assert found.posterior[-2] == pytest.approx(found.prevalence)
    assert found.log_likelihood == pytest.approx(expected[3], abs=1e-6)
