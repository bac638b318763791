"""What the audit notebook does with a user's files, and with none."""

import os
from typing import Any

import numpy as np
import pandas as pd

import labelaudit as la
from labelaudit import SamplingPlan, _whole
from labelaudit._checks import Array
from labelaudit.commands.planned import DESIGNS
from labelaudit.files import lots, sheets
from labelaudit.files.filled import Filled, read
from labelaudit.files.sums import canonical
from labelaudit.files.tables import UnreadableError
from labelaudit.laws.errors import rate_to_count

from ..machinery import paths
from ..machinery.run import quietly

NO_OUTCOMES = (
    "No outcomes yet: fill in the sheet, and run this again with outcomes_file."
)
MADE = (7, 2024)  # a stream of its own: the draw must know nothing of what is wrong


def lot(this: Any) -> tuple[pd.DataFrame | None, int]:
    """The items of a list, if one is given, and how many the lot has."""
    if not this.items_file:
        print(f"The batch: {this.lot_size:,} items, numbered from 1.")
        return None, this.lot_size
    listed = lots.items(this.items_file, this.item_column or None)
    name = listed.index.name
    column = f"column {name!r} of " if name else ""
    print(f"The batch: {len(listed):,} items, {column}{this.items_file}.")
    return listed, len(listed)


def plans(levels: la.QualityLevels, size: int) -> dict[str, SamplingPlan]:
    """A plan of each kind; says where there is none."""
    found = {}
    for kind, design in DESIGNS.items():
        try:
            found[kind] = quietly(design, levels, size)
        except ValueError as error:
            print(f"There is no {kind} plan: {error}")
    return found


def compared(plans: dict[str, SamplingPlan]) -> pd.DataFrame:
    """What each kind inspects and risks."""
    rows = []
    for name, plan in plans.items():
        asn = plan.average_sample_number([*plan.levels.errors(plan.lot_size)])
        risks = plan.producers_risk, plan.consumers_risk
        kept = "yes" if all(plan.keeps_risks or ()) else "no"
        rows.append([name, plan.max_sample, *asn, *risks, kept])
    columns = ["kind", "at most", "at p_a", "at p_r"]
    columns += ["producer's risk", "consumer's risk", "both kept"]
    return pd.DataFrame(rows, columns=columns)


def keep_sheet(sheet: pd.DataFrame, plan: SamplingPlan, this: Any, listed: Any) -> None:
    """Save an inspection sheet as `labelaudit plan` writes it; listed: as of `lot`."""
    told = sheets.about(plan, kind=this.kind, seed=this.seed, lot=listed)
    keep("audit_sheet.csv", sheets.texts(sheet, told, listed)[0])


def keep(name: str, text: str) -> None:
    """Save a text where this notebook saves; say where.

    A sheet that holds outcomes is never written over.
    """
    path = paths.figures() / name
    data = text.encode("utf-8-sig" if path.suffix == ".csv" else "utf-8")
    if path.suffix == ".csv" and path.exists() and path.read_bytes() != data:
        try:
            blank = not read(path).outcomes
        except UnreadableError:
            blank = False
        if not blank:
            raise FileExistsError(
                f"{path} is not a blank sheet and is left as it is: move it, or"
                " give it as outcomes_file"
            )
    _whole.write(path, data)
    # Where `make` and checks send files is not for the text to say.
    elsewhere = paths.FIGURES_VARIABLE in os.environ
    print(f"saved as {name if elsewhere else path}")


def outcomes(
    this: Any, plan: SamplingPlan, sheet: pd.DataFrame, listed: pd.DataFrame | None
) -> tuple[SamplingPlan, list[bool]]:
    """What the inspection found, in the sheet's order, and the plan of that sheet.

    From the sheet that was filled in, which must be that of these parameters; none
    yet for a list of items; simulated for a lot that is only numbered.
    """
    if this.outcomes_file:
        filled = read(this.outcomes_file)
        told = sheets.about(plan, kind=this.kind, seed=this.seed, lot=listed)
        _same(this.outcomes_file, filled, told, listed)
        print(f"{len(filled.outcomes)} outcomes in {this.outcomes_file}")
        return filled.plan, filled.outcomes
    if listed is not None:
        print(NO_OUTCOMES)
        return plan, []
    size = this.lot_size
    bad = wrong(size, this.example_rate)
    found = bad[sheet["item"].to_numpy() - 1]
    end = plan.decide(found).inspected
    print(
        f"EXAMPLE, made up: {bad.sum()} of {size:,} items were made wrong at random,"
        f" and the\ninspector sees each. Outcomes up to the verdict: {end}."
    )
    return plan, found[:end].tolist()


def wrong(size: int, rate: float) -> Array:
    """Which items of a made lot are wrong: a random choice of round(rate size)."""
    order = np.random.default_rng(MADE).permutation(size)
    return order < rate_to_count(rate, size)


def _same(
    path: str, filled: Filled, told: dict[str, str], listed: pd.DataFrame | None
) -> None:
    """The sheet is that of these parameters, and of this list."""
    for name in ("kind", "lot_size", *sheets.LEVELS, "items", "seed"):
        if filled.told.get(name) != told.get(name):
            raise UnreadableError(
                f"{path} is the sheet of another plan: its {name} is"
                f" {filled.told.get(name, 'not given')}, not {told.get(name)}"
            )
    if listed is not None:
        known = set(map(canonical, listed.index))
        for item in filled.rows["item"]:
            if canonical(item) not in known:
                raise UnreadableError(f"{path}: item {item!r} is not in the list")
