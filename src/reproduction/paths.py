"""Where things are. No other module builds a path from parts."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = ROOT / "notebooks"
PUBLISHED = ROOT / "data" / "published"
EXAMPLES = ROOT / "data" / "worked_examples"
PARAMETERS = PUBLISHED / "parameters.toml"
FIGURES = ROOT / "figures"
README = ROOT / "README.md"

# Checks and sweeps send what notebooks write elsewhere.
FIGURES_VARIABLE = "LABELAUDIT_FIGURES"


def figures() -> Path:
    """The folder for what a notebook saves.

    `make` names figures/. What somebody runs by hand, perhaps with a changed cell,
    never overwrites what is committed.
    """
    folder = Path(os.environ.get(FIGURES_VARIABLE, ROOT / "output"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def notebook(stem: str) -> Path:
    return NOTEBOOKS / f"{stem}.ipynb"
