"""One collection of labels, several models beside it, and what each number says.

Made up: comments that are fine, rude or a threat, five people who label them, and
models that fail in different ways. Every model labels three times.
"""

import warnings
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

import labelaudit as la
from labelaudit._checks import Array

LABELS = ("fine", "rude", "threat")
RUNS = 3  # of each model
KEPT = 0.9  # how often a run repeats what the model says at first
FOLLOWED = 0.6  # how often a person takes the label that the model shows

# What one says, given the true label (rows).
PERSON = ((0.96, 0.04, 0.00), (0.10, 0.88, 0.02), (0.02, 0.18, 0.80))
EXPERT = ((0.99, 0.01, 0.00), (0.03, 0.96, 0.01), (0.00, 0.06, 0.94))
NO_THREAT = ((0.96, 0.04, 0.00), (0.10, 0.90, 0.00), (0.02, 0.98, 0.00))
POOR = ((0.78, 0.20, 0.02), (0.40, 0.55, 0.05), (0.20, 0.40, 0.40))
MAJORITY = ((1.0, 0.0, 0.0),) * 3
MODELS = {
    "as good as people": PERSON,
    "better than people": EXPERT,
    "never says threat": NO_THREAT,
    "always says fine": MAJORITY,
    "copy of one person": None,
    "poor": POOR,
    "poor, but people saw it": POOR,
}


def draw(random: np.random.Generator, rows: ArrayLike) -> Array:
    """One position for each row of shares."""
    edges = np.cumsum(np.asarray(rows), axis=1)[:, :-1]
    return (random.random((len(edges), 1)) >= edges).sum(1)


@dataclass(frozen=True)
class Study:
    """People's labels, the model's first run and all its runs, by item."""

    people: pd.DataFrame
    model: pd.Series
    runs: pd.DataFrame
    gold: pd.Series


def studies(items: int, raters: int, shares: ArrayLike, seed: int) -> dict[str, Study]:
    """A study for each model, on the same items and by the same people."""
    random = np.random.default_rng(seed)
    names, index = np.array(LABELS), pd.RangeIndex(1, items + 1, name="item")
    true = draw(random, np.tile(np.asarray(shares), (items, 1)))
    said = [draw(random, np.array(PERSON)[true]) for _ in range(raters)]
    people = pd.DataFrame(names[np.array(said).T], index)
    people.columns = [f"person {k}" for k in range(1, raters + 1)]
    gold = pd.Series(names[true], index)
    found = {}
    for model, confusion in MODELS.items():
        same = [*MODELS].index(model.split(",")[0])  # shown to people or not
        own = np.random.default_rng([seed, 1 + same])
        if confusion is None:
            runs = pd.concat([people["person 1"]] * RUNS, axis=1)
        else:
            first = draw(own, np.array(confusion)[true])
            again = [draw(own, np.array(confusion)[true]) for _ in range(RUNS)]
            kept = own.random((RUNS, items)) < KEPT
            kept[0] = True
            runs = pd.DataFrame(names[np.where(kept, first, again).T], index)
        runs.columns = [f"run {k}" for k in range(1, RUNS + 1)]
        shown = people
        if "saw" in model:
            led = own.random(people.shape) < FOLLOWED
            shown = people.mask(led, runs["run 1"], axis=0)
        found[model] = Study(shown, runs["run 1"], runs, gold)
    return found


def measured(study: Study, epsilon: float, test: str) -> dict[str, float]:
    """Every number that the library has on a model beside people.

    Values and the ends of 95 % intervals; NaN where a number is not defined.
    """
    people = la.Ratings.from_matrix(study.people, labels=LABELS)
    runs = la.Ratings.from_matrix(study.runs, labels=LABELS)
    one = la.Ratings.from_matrix(study.runs[["run 1"]], labels=LABELS)
    both = la.Ratings.from_matrix(study.people.assign(model=study.model), labels=LABELS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # rare labels: told in the text
        how = {"epsilon": epsilon, "test": test}
        tested = la.alternative_annotator(people, study.model, **how)
        alphas = (la.krippendorff_alpha(r) for r in (both, people))
        right = la.accuracy(one, study.gold)
        row: dict[str, float] = {
            "winning rate": tested.winning_rate,
            "passed": tested.passed,
            "advantage": tested.advantage,
        }
        by_name = {
            "normalised kappa_x": la.normalized_cross_kappa(people, runs),
            "alpha, with less without": la.difference(*alphas),
            "DiPietro-Hazari": la.dipietro_hazari_kappa(people, study.model),
            "accuracy": right,
        }
        for name, found in by_name.items():
            row[name] = found.value
            row[f"{name}, low"], row[f"{name}, high"] = found.interval()
        rare = right.per_label().loc[LABELS[-1]]
    for end, column in (("", "accuracy"), (", low", "low"), (", high", "high")):
        row[f"threats found{end}"] = rare[column]
    return row
