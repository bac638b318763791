"""What the made files of data/examples have in common.

`python -m reproduction.own_data.made` writes all of them.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from ..machinery import paths

BY = ("example_audit", "example_batches", "example_model", "example_ratings")
BY += ("example_shapes",)


def draw(random: np.random.Generator, rows: ArrayLike) -> np.ndarray[Any, Any]:
    """One position for each row of shares."""
    edges = np.cumsum(np.asarray(rows), axis=1)[:, :-1]
    positions: np.ndarray[Any, Any] = (random.random((len(edges), 1)) >= edges).sum(1)
    return positions


def csv(table: pd.DataFrame, index: bool = False, **how: Any) -> str:
    text: str = table.to_csv(index=index, lineterminator="\n", **how)
    return text


def files() -> dict[str, str]:
    """All made files by their names in data/examples, and their contents."""
    modules = (import_module(f".{name}", __package__) for name in BY)
    return {name: text for one in modules for name, text in one.files().items()}


if __name__ == "__main__":
    for name, text in files().items():
        path = paths.MADE / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
