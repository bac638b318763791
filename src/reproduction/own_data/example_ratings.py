"""The example of the audit notebook: comments, raters and suggestions, all made up.

Made, not data: every comment has a true label, so that what the notebook finds can be
held against what was put in.
"""

from typing import Any

import numpy as np
import pandas as pd

from .made import draw

SEED = 2026
LABELS = ("fine", "rude", "threat")
SHARES = (0.70, 0.25, 0.05)  # of the true labels
ITEMS = 300
RATERS = ("ann", "ben", "cleo", "dan", "eva", "finn")
JUDGED = 0.75  # share of the comments that a rater gets
SKIPPED = 0.02  # of these, left without a label
LED = 0.25  # how often a rater who sees another label takes the suggested one
CARELESS, GUESSES = "finn", 0.6  # how often that rater does not look
STRICT, MORE_RUDE = "eva", 0.2  # a rater who finds more comments rude than they are
EXPERTS = ("expert 1", "expert 2", "expert 3")  # of the second collection
FIRST_SHARED = 100  # the second collection has the comments from here on

# What one sees, given the true label (rows).
CAREFUL = ((0.96, 0.04, 0.00), (0.10, 0.88, 0.02), (0.02, 0.28, 0.70))
EXPERT = ((0.97, 0.03, 0.00), (0.06, 0.93, 0.01), (0.00, 0.15, 0.85))
MODEL = ((0.90, 0.10, 0.00), (0.25, 0.73, 0.02), (0.10, 0.55, 0.35))

Array = np.ndarray


def collections(seed: int = SEED) -> tuple[pd.DataFrame, pd.DataFrame, pd.Series]:
    """Both collections as long tables, and the true labels."""
    random = np.random.default_rng(seed)
    names = np.array(LABELS)
    items = np.array([f"c{i:03d}" for i in range(1, ITEMS + 1)])
    true = draw(random, np.tile(SHARES, (ITEMS, 1)))
    told = draw(random, np.array(MODEL)[true])
    first = [_by(random, rater, items, true, told) for rater in RATERS]
    first = [part.assign(suggested=names[told]) for part in first]
    table = pd.concat([part[random.random(ITEMS) < JUDGED] for part in first])
    second = [
        pd.DataFrame({"item": items, "rater": expert,
                      "label": names[draw(random, np.array(EXPERT)[true])]})
        for expert in EXPERTS
    ]  # fmt: skip
    other = pd.concat([part[FIRST_SHARED:] for part in second])
    order = {"by": ["item", "rater"], "ignore_index": True}
    both = table.sort_values(**order), other.sort_values(**order)
    return *both, pd.Series(names[true], index=items)


def _by(
    random: np.random.Generator, rater: str, items: Array, true: Array, told: Array
) -> pd.DataFrame:
    """One rater's judgments of all items."""
    seen = draw(random, np.array(CAREFUL)[true])
    if rater == STRICT:
        seen = np.where((seen == 0) & (random.random(ITEMS) < MORE_RUDE), 1, seen)
    if rater == CARELESS:
        guess = draw(random, np.tile(SHARES, (ITEMS, 1)))
        seen = np.where(random.random(ITEMS) < GUESSES, guess, seen)
    label = np.array(LABELS)[np.where(random.random(ITEMS) < LED, told, seen)]
    label = np.where(random.random(ITEMS) < SKIPPED, "", label)
    return pd.DataFrame({"item": items, "rater": rater, "label": label})


def files(seed: int = SEED) -> dict[str, str]:
    """The files' names and contents: as a spreadsheet of some countries saves them."""
    tables = zip(("ratings.csv", "ratings_second.csv"), collections(seed))
    how: dict[str, Any] = {"index": False, "sep": ";", "lineterminator": "\n"}
    return {name: "\ufeff" + table.to_csv(**how) for name, table in tables}
