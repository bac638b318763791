"""Comments labelled by four people and by a model, all made up.

The model is better than a person, but for the threats: it calls most of them rude.
The page on models reads the files (notebooks/may_a_model_label.md).
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..beyond.model_measures import KEPT, LABELS, PERSON, RUNS
from .made import csv, draw

SEED = 11
ITEMS = 240
SHARES = (0.80, 0.15, 0.05)  # of the true labels
PEOPLE = ("ann", "ben", "cleo", "dan")
SKIPPED = 0.1  # share of the comments that a person has no label for
MODEL = ((0.98, 0.02, 0.00), (0.05, 0.94, 0.01), (0.02, 0.73, 0.25))


def files() -> dict[str, str]:
    """The files' names and contents."""
    random = np.random.default_rng(SEED)
    names = np.array(LABELS)
    items = pd.Index([f"c{k:03d}" for k in range(1, ITEMS + 1)], name="item")
    true = draw(random, np.tile(SHARES, (ITEMS, 1)))
    table = pd.DataFrame(
        {who: names[draw(random, np.array(PERSON)[true])] for who in PEOPLE}, items
    )
    table = table.mask(random.random(table.shape) < SKIPPED)
    says = [draw(random, np.array(MODEL)[true]) for _ in range(RUNS)]
    kept = random.random((RUNS, ITEMS)) < KEPT
    kept[0] = True
    runs = pd.DataFrame(names[np.where(kept, says[0], says).T], items)
    runs.columns = [f"run {k}" for k in range(1, RUNS + 1)]
    table = table.assign(model=runs["run 1"], adjudicated=names[true])
    named = {"with_model.csv": table, "model_runs.csv": runs}
    return {name: csv(one, index=True) for name, one in named.items()}
