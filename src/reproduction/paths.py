"""Where things are. No other module builds a path from parts."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = ROOT / "notebooks"
PUBLISHED = ROOT / "data" / "published"
EXAMPLES = ROOT / "data" / "worked_examples"
IREP = ROOT / "data" / "irep"
RELEASED = ROOT / "data" / "released"  # git ignores it; `make data` fills it
PARAMETERS = PUBLISHED / "parameters.toml"
FIGURES = ROOT / "figures"
README = ROOT / "README.md"

# Checks and sweeps send what notebooks write elsewhere.
FIGURES_VARIABLE = "LABELAUDIT_FIGURES"


def figures(as_published: bool = True, released: bool = False) -> Path:
    """The folder for what a notebook saves.

    A run with other parameters than the paper's has a folder of its own, so
    that it never overwrites what is committed; so has a run on the released IRep
    file, which git ignores.
    """
    if FIGURES_VARIABLE in os.environ:
        folder = Path(os.environ[FIGURES_VARIABLE])
    else:
        folder = FIGURES if as_published else ROOT / "output"
    folder = folder / "released" if released else folder
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def notebook(stem: str) -> Path:
    return NOTEBOOKS / f"{stem}.ipynb"
