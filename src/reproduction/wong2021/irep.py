"""The IRep data of Wong et al. 2021: its names, and how the released file is read."""

from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import labelaudit as la
from labelaudit import _checks

from ..machinery import paths
from .fetch import NAME, DataError, verified

_NAMES = (
    "amusement anger awe boredom concentration confusion contemplation contempt"
    " contentment desire disappointment disgust distress doubt ecstasy elation"
    " embarrassment error.other fear interest love neutral pain pride realization"
    " relief sadness shame surprise sympathy triumph unsure"
)
LABELS = tuple(_NAMES.split())
EMOTIONS = tuple(label for label in LABELS if label != "error.other")  # the paper's
FIVE = ("awe", "love", "sadness", "contentment", "contemplation")  # its examples
PLATFORMS = ("Budapest", "Mexico", "KualaLumpur", "International")  # as in the file
CITIES = ("Mexico", "KualaLumpur", "Budapest")  # as in the paper's tables
PAIRS = tuple(combinations(CITIES, 2))
PAIR_NAMES = tuple("-".join(pair) for pair in PAIRS)
COLUMNS = ("item", "platform", "rater", *LABELS)
MAY_BE = {"platform": PLATFORMS, "rater": ("1", "2")} | dict.fromkeys(LABELS, "01")

Array = NDArray[Any]


def released(folder: Path = paths.RELEASED) -> pd.DataFrame:
    """The released file as a tidy frame, verified first."""
    return read(verified(folder / NAME))


def read(path: Path) -> pd.DataFrame:
    """A file in the released format as a tidy frame.

    Parameters
    ----------
    path : Path
        35 columns in any order: the item (`item_id"` with the stray quote of the
        released file, `item_id` or `item`), platform, rater, 32 labels.

    Returns
    -------
    DataFrame
        One row per item, platform and rater, in the order of the file. item: int;
        platform: categorical, PLATFORMS; rater: 1 or 2, a placeholder and no
        person; LABELS: 0 or 1, uint8.

    Raises
    ------
    DataError
        Where the columns are others, for a cell that may not be, and for a rater
        twice on an item and platform: with the line in the file.
    """
    with path.open(encoding="utf-8-sig", newline="") as file:
        # Apart: after the lone quote of the header a reader would go on.
        header = file.readline().replace("item_id", "item").split(",")
        names = [name.strip().strip('"') for name in header]
        if sorted(names) != sorted(COLUMNS):
            odd = ", ".join(sorted({*names} ^ {*COLUMNS})) or "one twice"
            raise DataError(f"{path.name}, line 1: not the 35 columns of IRep: {odd}")
        cells = pd.read_csv(file, names=names, dtype=str, keep_default_na=False)
    rules = {
        f"{name} must be {' or '.join(known)}": ~cells[name].isin([*known])
        for name, known in MAY_BE.items()
    }
    rules["item must be a whole number"] = ~cells["item"].str.fullmatch("[0-9]{1,9}")
    again = cells.duplicated(["item", "platform", "rater"])
    rules["a second row of this rater, item and platform"] = again
    for why, wrong in rules.items():
        if wrong.any():
            raise DataError(f"{path.name}, line {int(wrong.argmax()) + 2}: {why}")
    item, rater = (cells[name].astype(int).to_numpy() for name in ("item", "rater"))
    platform = pd.Index(PLATFORMS).get_indexer(cells["platform"])
    return tidy(item, platform, rater, cells[list(LABELS)].to_numpy(np.uint8))


def tidy(item: Array, platform: Array, rater: Array, votes: Array) -> pd.DataFrame:
    """The frame of the released data; platform as positions in PLATFORMS."""
    about = {"item": item.astype(np.int64)}
    about["platform"] = pd.Categorical.from_codes(platform, list(PLATFORMS))
    about["rater"] = rater.astype(np.int64)
    chosen = pd.DataFrame(votes, columns=list(LABELS))
    return pd.concat([pd.DataFrame(about), chosen], axis=1)


def replication(frame: pd.DataFrame, label: str, platform: str) -> la.Ratings:
    """One label's judgments in one pool: 1 where a rater chose it, else 0.

    Parameters
    ----------
    frame : DataFrame
        From `read`, `released` or `stand_in.stand_in`.
    label, platform : str
        One of LABELS and one of PLATFORMS.

    Returns
    -------
    Ratings
        Items of that pool, raters 1 and 2, labels 0 and 1.
    """
    _checks.one_of("label", label, LABELS)
    _checks.one_of("platform", platform, PLATFORMS)
    here = frame.loc[frame["platform"] == platform, ["item", "rater", label]]
    return la.Ratings.from_long(here, label=label, labels=[0, 1])
