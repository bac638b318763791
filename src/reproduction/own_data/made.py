"""What the made files of data/examples have in common.

`python -m reproduction.own_data.made` writes those of the audit notebooks.
"""

from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..machinery import paths


def draw(random: np.random.Generator, rows: ArrayLike) -> np.ndarray[Any, Any]:
    """One position for each row of shares."""
    edges = np.cumsum(np.asarray(rows), axis=1)[:, :-1]
    return (random.random((len(edges), 1)) >= edges).sum(1)


def files() -> dict[str, str]:
    """The made files by their names in data/examples, and their contents."""
    by = (".example_audit", ".example_ratings")
    audit, ratings = (import_module(name, __package__).files() for name in by)
    return {**audit, **ratings}


if __name__ == "__main__":
    for name, text in files().items():
        path = paths.MADE / name
        path.write_text(text, encoding="utf-8", newline="\n")
