"""Labels in the shapes that files come in, all made up.

The page on your own labels reads them (notebooks/your_labels.md).
"""

from __future__ import annotations

import json

import numpy as np
import pandas as pd

from . import example_ratings
from .made import csv

SEED = 7
FEW = 60  # comments
AGAIN = 20  # judgments that were made twice
SECOND_THOUGHTS = 0.3  # share of these with another label
ALL, GUESSED = 200, 1 / 8  # comments that three raters judge, share of guesses
RATERS = ("ann", "ben", "cleo")
TOPICS = ("money", "politics", "sport")


def files() -> dict[str, str]:
    """The files' names and contents."""
    random = np.random.default_rng(SEED)
    whole, _, true = example_ratings.collections()
    known = [f"c{i:03d}" for i in range(1, FEW + 1)]
    table = whole[whole["item"].isin(known) & (whole["label"] != "")]
    table = table[["item", "rater", "label"]].reset_index(drop=True)
    grouped = table.groupby("item", as_index=False).agg(",".join)
    names = {"rater": "annotators", "label": "annotations"}
    again = table.sample(AGAIN, random_state=random)
    other = random.choice(example_ratings.LABELS, AGAIN)
    changed = random.random(AGAIN) < SECOND_THOUGHTS
    again = again.assign(label=np.where(changed, other, again["label"]))
    gold = true[known].rename_axis("item").reset_index(name="label")
    made = {
        "no_header.csv": csv(table, header=False),
        "records.json": _records(table),
        "lines.jsonl": "".join(
            json.dumps(row) + "\n" for row in table.to_dict("records")
        ),
        "column_per_rater.csv": csv(
            table.pivot(index="item", columns="rater", values="label")
            .fillna("NA")
            .reset_index()
        ),
        "one_row_per_item.csv": csv(grouped.rename(columns=names)),
        "again.csv": csv(pd.concat([table, again])),
        "gold.csv": csv(gold),
        "first_half.csv": csv(table[table["item"] <= known[FEW // 2 - 1]]),
        "second_half.csv": csv(table[table["item"] > known[FEW // 2 - 1]]),
        "topics.csv": csv(_topics(random, known)),
    }
    made["three_raters.csv"] = csv(_three(random))
    return {f"labels/{name}": text for name, text in made.items()}


def _records(table: pd.DataFrame) -> str:
    rows = (json.dumps(row) for row in table.to_dict("records"))
    return "[\n" + ",\n".join(rows) + "\n]\n"


def _topics(random: np.random.Generator, items: list[str]) -> pd.DataFrame:
    """Sets of topics by three raters, who see one topic in ten wrongly."""
    about = random.random((len(items), len(TOPICS))) < 0.4
    columns: dict[str, list[str]] = {"item": items}
    for rater in RATERS:
        seen = about ^ (random.random(about.shape) < 0.1)
        sets = [";".join(np.array(TOPICS)[row]) or "[]" for row in seen]
        columns[rater] = sets
    return pd.DataFrame(columns)


def _three(random: np.random.Generator) -> pd.DataFrame:
    """Two hundred comments by three raters, who guess one label in eight."""
    labels = np.array(example_ratings.LABELS)
    true = random.choice(labels, ALL, p=(0.5, 0.3, 0.2))
    columns = {"item": [f"c{i:03d}" for i in range(1, ALL + 1)]}
    for rater in RATERS:
        guess = random.random(ALL) < GUESSED
        columns[rater] = np.where(guess, random.choice(labels, ALL), true).tolist()
    return pd.DataFrame(columns)
