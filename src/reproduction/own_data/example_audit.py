"""A made lot for the audit notebook, and its files in data/examples."""

import numpy as np
import pandas as pd

import labelaudit as la
from labelaudit._checks import Array
from labelaudit.commands.planned import DESIGNS
from labelaudit.files import sheets
from labelaudit.laws.errors import rate_to_count

from ..machinery import parameters

STEM = "audit_01_plan_and_run"
MADE = (7, 2024)  # a stream of its own: the draw must know nothing of what is wrong

ITEMS = "audit_items.csv"
FILLED = "audit_filled.csv"


def wrong(size: int, rate: float) -> Array:
    """Which items of a made lot are wrong: a random choice of round(rate size)."""
    order = np.random.default_rng(MADE).permutation(size)
    return order < rate_to_count(rate, size)


def files() -> dict[str, str]:
    """The made lot at the notebook's own parameters, and its sheet, filled in.

    Filled in as the notebook's example is: to the verdict, all outcomes right.
    """
    given = parameters.as_published(STEM)
    size, seed, kind = given["lot_size"], given["seed"], given["kind"]
    listed = [f"r{k:04d}" for k in range(1, size + 1)]
    levels = la.QualityLevels(*given["levels"])
    plan = DESIGNS[kind](levels, size)
    sheet = la.inspection_sheet(plan, listed, seed=seed)
    bad = dict(zip(listed, wrong(size, given["example_rate"])))
    found = [int(bad[item]) for item in sheet["item"]]
    end = plan.decide(found).inspected
    sheet["wrong"] = sheet["wrong"].astype("Int64")
    sheet.loc[: end - 1, "wrong"] = found[:end]
    lot = pd.DataFrame(index=listed)
    told = sheets.about(plan, kind=kind, seed=seed, lot=lot)
    return {
        ITEMS: "\n".join(["item", *listed, ""]),
        FILLED: "\ufeff" + sheets.texts(sheet, told)[0],
    }
