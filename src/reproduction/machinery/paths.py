"""Where things are that several modules or notebooks read."""

import os
from pathlib import Path

from labelaudit.sweeps import FILES

ROOT = Path(__file__).resolve().parents[3]
NOTEBOOKS = ROOT / "notebooks"
DATA = ROOT / "data"
PUBLISHED = DATA / "published"
EXAMPLES = DATA / "worked_examples"
TAUGHT = DATA / "teaching" / "plans.json"  # what the plan designer shows
MADE = DATA / "examples"  # made, not data
IREP = DATA / "irep"
RELEASED = DATA / "released"  # git ignores it; `make data` fills it
SOURCE = ROOT / "src"
TESTS = ROOT / "tests"
LOCK = ROOT / "requirements.lock"
RECORDS = ROOT / "output" / "made"  # what each notebook was made from
PARAMETERS = PUBLISHED / "parameters.toml"
FIGURES = ROOT / "figures"
README = ROOT / "README.md"
SITE = ROOT / "site"  # the site's own words, looks and settings
SITE_WORK = ROOT / "output" / "site-work"  # what `make site` builds from
SITE_BUILT = ROOT / "output" / "site"

# Checks send what notebooks write elsewhere; in a sweep each run has its own folder.
FIGURES_VARIABLE = "LABELAUDIT_FIGURES"


def figures() -> Path:
    """The folder for what a notebook saves.

    `make` names figures/, `make released` a folder in it. What somebody runs by hand,
    perhaps with a changed cell, never overwrites what is committed.
    """
    asked = os.environ.get(FILES) or os.environ.get(FIGURES_VARIABLE)
    folder = Path(asked) if asked else ROOT / "output"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def notebook(stem: str) -> Path:
    return NOTEBOOKS / f"{stem}.ipynb"
