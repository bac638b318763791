"""Wong et al. 2021 on a tier of the IRep data: ratings, and what is known beside cells.

A tier is "stand-in" (generated, never IRep's result) or "released" (the file
itself). Every picture and table made of one says which it shows.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

import labelaudit as la

from . import irep, stand_in

SHORT = {"Mexico": "MC", "KualaLumpur": "KL", "Budapest": "Bud"}
WHAT = {"stand-in": "stand-in, not IRep", "released": "released file"}
COLUMNS = ["label", "statistic", "pools", "value", "low", "high"]


def frame(tier: str, seed: int) -> pd.DataFrame:
    """Ratings of the three cities, tidy; the released file is verified first."""
    if tier == "stand-in":
        return stand_in.stand_in(seed)
    everything = irep.released()
    return everything[everything["platform"].isin(irep.CITIES)]


def pools(
    ratings: pd.DataFrame, labels: Sequence[str] = irep.EMOTIONS
) -> dict[tuple[str, str], la.Ratings]:
    """Ratings by label and city."""
    cities = irep.CITIES
    return {(k, c): irep.replication(ratings, k, c) for k in labels for c in cities}


def beside(rows: list[list[object]], tier: str) -> pd.DataFrame:
    """Cells (COLUMNS) with their tier and what the paper's text prints of them.

    On the stand-in also target, what it aims at (NaN for a normalised value), and
    assumed, whether nothing that was published fixes that aim.
    """
    table = pd.DataFrame(rows, columns=COLUMNS)
    known, key = stand_in.known_cells(), COLUMNS[:3]
    printed = known[known["origin"].str.startswith("paper")][[*key, "value"]]
    printed = printed.rename(columns={"value": "printed"})
    table = table.assign(tier=tier).merge(printed, how="left")
    if tier == "stand-in":
        aims = stand_in.targets()[[*key, "target", "assumed"]]
        table = table.merge(aims, on=key, how="left")
        unsure = set(map(tuple, aims.loc[aims["assumed"], key].to_numpy()))
        cells = (_rests_on(*row) for row in table[key].itertuples(index=False))
        table["assumed"] = [not unsure.isdisjoint(parts) for parts in cells]
    return table


def _rests_on(label: str, statistic: str, pools: str) -> list[tuple[str, str, str]]:
    """The cells that a cell is computed from, or itself."""
    if statistic != "normalized":
        return [(label, statistic, pools)]
    irrs = [(label, "irr", city) for city in pools.split("-")]
    return [(label, "kappa_x", pools), *irrs]


def short(pools: str) -> str:
    return "-".join(SHORT[pool] for pool in pools.split("-"))


def as_printed(table: pd.DataFrame) -> tuple[int, int]:
    """How many of the IRRs in the paper's text these are, and how many it prints."""
    irrs = table[(table["statistic"] == "irr") & table["printed"].notna()]
    digits = irrs["printed"].astype(str).str.partition(".")[2].str.len()
    near = (irrs["value"] - irrs["printed"]).abs() <= 0.5 * 10.0**-digits + 1e-9
    return int(near.sum()), len(irrs)


def square(table: pd.DataFrame, intervals: bool = True) -> pd.DataFrame:
    """Labels by statistic and pools, as text; a dagger where the aim is assumed."""
    guessed = table.get("assumed", pd.Series(False, table.index))
    texts = []
    for value, low, high, guess in zip(table.value, table.low, table.high, guessed):
        ends = f"[{low:.2f}, {high:.2f}]" if np.isfinite([low, high]).all() else "[-]"
        texts.append(f"{value:.3f}" + f" {ends}" * intervals + "\N{DAGGER}" * guess)
    shown = table.assign(text=texts, pools=table["pools"].map(short))
    wide = shown.pivot(index="label", columns=["statistic", "pools"], values="text")
    order = shown[["statistic", "pools"]].drop_duplicates()
    order = order.sort_values("statistic", kind="stable")
    wide = wide[[tuple(pair) for pair in order.to_numpy()]]
    wide.columns.names = [table["tier"].iloc[0], ""]
    wide = wide.rename(columns={"normalized": "normalised"}, level=0)
    return wide.loc[list(dict.fromkeys(table["label"]))]
