"""Four made batches and sheets that were filled in, for the page on checking a batch.

notebooks/audit_a_batch.md reads them.
"""

from __future__ import annotations

import io

import numpy as np
import pandas as pd

import labelaudit as la
from labelaudit.commands.planned import Design
from labelaudit.files import parts, sheets
from labelaudit.reports.estimates import Aim

from .made import csv

SEED = 2028  # of the labels and of which are wrong
DRAW = 7  # of the sheets, as the page's commands say
SIZES = {"week1": 800, "week2": 600, "week3": 1000}
ANNOTATORS = {"ann": 0.015, "ben": 0.015, "cleo": 0.02, "dev": 0.4}  # share wrong
RELEASE, RELEASED_WRONG = 5000, 0.012  # items of the first batch, share wrong
SHARES = (0.38, 0.3, 0.2, 0.12)  # of the items, in the same order
SLIPS = 2  # of the second inspector, on items that both judge
LABELS, OFTEN = ("fine", "rude", "threat"), (0.7, 0.2, 0.1)


def lots() -> dict[str, pd.DataFrame]:
    """The batches, with a column that says what is wrong."""
    random, found = np.random.default_rng(SEED), {}
    for name, size in SIZES.items():
        items = [f"{name[-1]}-{k:04d}" for k in range(1, size + 1)]
        lot = pd.DataFrame({"item": items})
        lot["label"] = random.choice(LABELS, size, p=OFTEN)
        lot["annotator"] = random.choice(list(ANNOTATORS), size, p=SHARES)
        rate = lot["annotator"].map(ANNOTATORS)
        found[name] = lot.assign(wrong=random.random(size) < rate)
    lot = pd.DataFrame({"item": [f"r{k:04d}" for k in range(1, RELEASE + 1)]})
    lot["label"] = random.choice(LABELS, RELEASE, p=OFTEN)
    wrong = random.random(RELEASE) < RELEASED_WRONG
    return found | {"release": lot.assign(wrong=wrong)}


def files() -> dict[str, str]:
    """The files' names and contents."""
    batches = lots()
    plain = {name: lot.drop(columns="wrong") for name, lot in batches.items()}
    weeks = pd.concat([plain[name].assign(week=name) for name in SIZES])
    made = {f"{name}.csv": csv(lot) for name, lot in plain.items()}
    made["weeks.csv"] = csv(weeks)
    for name, filled in (("release", "released"), ("week1", "checked")):
        plan = la.single_plan(la.RELAXED, len(batches[name]))
        single = Design(plan, "single")
        made[f"{filled}.csv"] = _filled(batches[name], single)
    aim = Aim(0.02, 0.05, SIZES["week3"])
    for part in (1, 2):
        made[f"checked-{part}.csv"] = _filled(batches["week1"], single, part)
    made["estimated.csv"] = _filled(batches["week3"], Design(aim.plan, "interval", aim))
    return {f"batches/{name}": text for name, text in made.items()}


def _filled(lot: pd.DataFrame, design: Design, part: int = 0) -> str:
    """A sheet with its outcomes; of a part, with the inspector's own slips."""
    listed = lot.drop(columns="wrong").set_index("item")
    plan = design.plan
    sheet = la.inspection_sheet(plan, listed.index, seed=DRAW)
    told = sheets.about(
        plan, kind=design.kind, seed=DRAW, lot=listed, estimate=design.found()
    )
    dealt = (2, 0.1)
    text = sheets.texts(sheet, told, listed, dealt=dealt if part else None)[part]
    cells = pd.read_csv(io.StringIO(text), dtype=str, keep_default_na=False)
    wrong = (
        cells["item"].map(lot.set_index("item")["wrong"]).to_numpy(dtype=bool).copy()
    )
    if part == 2:
        both = [len(to) > 1 for to in parts.holders(len(sheet), *dealt)]
        mine = np.flatnonzero(np.array(both)[cells["step"].astype(int) - 1])
        slips = np.random.default_rng(SEED + 1).choice(mine, SLIPS, replace=False)
        wrong[slips] = ~wrong[slips]
    cells["wrong"] = wrong.astype(int)
    return "\ufeff" + csv(cells)
