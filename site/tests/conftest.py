"""One headless Chromium for all tests of the site, and none that is downloaded."""

import os
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SITE = ROOT / "output" / "site"


def chromium() -> str:
    """The browser's path; the tests end with a sentence where there is none."""
    given = os.environ.get("CHROMIUM")
    for name in [given] if given else NAMES:
        if found := shutil.which(name):
            return found
    looked = f"CHROMIUM={given} is no program" if given else f"there is no {NAMES[0]}"
    pytest.exit(
        f"make test-site needs a Chromium or Chrome, and {looked}. Install one (on"
        " Debian: apt-get install chromium), or set CHROMIUM to its path.",
        returncode=1,
    )


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def context(browser):
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(120_000)  # a busy machine takes its time
    yield context
    context.close()
