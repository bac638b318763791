"""Write what crowd-kit computes to tests/data/crowdkit.json: `make peers`.

Latent classes of judgments with gaps, by four raters of unlike skill: without gold, and
with the classes of every fifth item known. The file holds the inputs too.
"""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd
from crowdkit.aggregation import DawidSkene

TARGET = Path(__file__).resolve().parents[2] / "tests" / "data" / "crowdkit.json"
ITEMS, LABELS, SKILLS = 60, 3, (0.9, 0.8, 0.65, 0.55)
STEPS = 5000  # of EM, whatever they gain
STORED = 9  # decimals

random = np.random.default_rng(20)
truth = random.choice(LABELS, ITEMS, p=[0.5, 0.3, 0.2])
wrong = random.random((ITEMS, len(SKILLS))) > SKILLS
labels = (truth[:, None] + wrong * random.integers(1, LABELS, wrong.shape)) % LABELS
judged = random.random(labels.shape) > 0.15
judged[:, 0] |= ~judged.any(axis=1)
task, worker = np.nonzero(judged)
frame = pd.DataFrame({"task": task, "worker": worker, "label": labels[judged]})
gold = {i: int(truth[i]) for i in range(0, ITEMS, 5)}

rows = np.where(judged, labels, None).tolist()
source = f"crowd-kit {version('crowd-kit')}, its DawidSkene, {STEPS} steps"
found = {"source": source, "rows": rows}
found["gold"] = {str(item): label for item, label in gold.items()}
for name, known in (("without", None), ("with", pd.Series(gold))):
    model = DawidSkene(n_iter=STEPS, tol=-1.0).fit(frame, known)
    errors = model.errors_.unstack("label").fillna(0.0)  # true label, label said
    solution = {
        "prevalence": model.priors_.sort_index(),
        "posterior": model.probas_.sort_index().sort_index(axis=1),
        "confusion": [
            [[errors.loc[a, (k, c)] for c in range(LABELS)] for k in range(LABELS)]
            for a in range(len(SKILLS))
        ],
    }
    found[name] = {
        part: np.round(np.asarray(value, dtype=float), STORED).tolist()
        for part, value in solution.items()
    }
TARGET.write_text(json.dumps(found) + "\n", encoding="utf-8")
