"""JupyterLab as `make lab` starts it, used by a browser as a person would."""

import json
import os
import re
import signal
import socket
import subprocess
import time
import urllib.request

import pytest

from conftest import ROOT

# Every cell is in the page. Were anything saved by itself, it would be at once.
SETTINGS = {
    "docmanager-extension/plugin": {"autosaveInterval": 1},
    "notebook-extension/tracker": {"windowingMode": "none"},
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
}
PROMPT = ".jp-CodeCell .jp-InputPrompt"


def tree():
    """What a run could change: every file of these folders."""
    return {
        file: file.read_bytes()
        for folder in ("notebooks", "figures", "data", "src")
        for file in (ROOT / folder).rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """The address of a running JupyterLab."""
    folder = tmp_path_factory.mktemp("lab")
    for name, settings in SETTINGS.items():
        file = folder / "settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(settings), encoding="utf-8")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"http://localhost:{port}"
    flags = [
        "--no-browser",
        "--allow-root",
        f"--port={port}",
        "--ServerApp.port_retries=0",
        "--IdentityProvider.token=",
        f"--FileCheckpoints.checkpoint_dir={folder / 'checkpoints'}",
    ]
    environment = os.environ | {
        "JUPYTERLAB_SETTINGS_DIR": str(folder / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(folder / "workspaces"),
        "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
        "LABELAUDIT_FIGURES": str(folder / "figures"),
    }
    before = tree()
    with (folder / "log").open("w", encoding="utf-8") as log:
        server = subprocess.Popen(
            ["make", "lab", f"LAB={' '.join(flags)}"],
            cwd=ROOT,
            env=environment,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        answers(address, server, folder / "log")
        yield address
    finally:
        # make, the server and its kernels are a group of their own.
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(30)
    assert tree() == before


def answers(address, server, log):
    """Wait until the server answers."""
    for _ in range(240):
        assert server.poll() is None, log.read_text(encoding="utf-8")
        try:
            urllib.request.urlopen(f"{address}/api", timeout=5).close()
            return
        except OSError:
            time.sleep(0.5)
    pytest.fail(f"JupyterLab does not answer:\n{log.read_text(encoding='utf-8')}")


@pytest.fixture
def run(lab, context):
    """Open a notebook, clear it and run all of it; the page, when it has run."""

    def open_and_run(stem):
        page = context.new_page()
        page.set_viewport_size({"width": 1280, "height": 900})
        page.goto(f"{lab}/lab/workspaces/{stem}/tree/{stem}.ipynb", timeout=120_000)
        page.locator(PROMPT).first.wait_for(timeout=120_000)
        ready = page.get_by_text("Python 3 (ipykernel) | Idle")
        ready.wait_for(timeout=120_000)
        choose(page, "Edit", "Clear Outputs of All Cells")
        wait_for_prompts(page, r"\[ \]:", 30)
        choose(page, "Run", "Run All Cells")
        wait_for_prompts(page, r"\[\d+\]:", 240)
        ready.wait_for()
        assert errors(page) == []
        return page

    return open_and_run


def prompts(page):
    return page.locator(PROMPT).all_inner_texts()


def wait_for_prompts(page, form, seconds):
    """Wait until the prompts of all code cells are of this form, or folded away."""
    end = time.monotonic() + seconds
    while not all(re.fullmatch(form, text) or not text for text in prompts(page)):
        assert errors(page) == []
        assert time.monotonic() < end, f"not all are {form}: {prompts(page)}"
        page.wait_for_timeout(200)


def choose(page, menu, item):
    page.locator(".lm-MenuBar-itemLabel", has_text=menu).first.click()
    page.locator(".lm-Menu-itemLabel").get_by_text(item, exact=True).click()


def cells(stem):
    notebook = json.loads(
        (ROOT / "notebooks" / f"{stem}.ipynb").read_text(encoding="utf-8")
    )
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def errors(page):
    found = page.locator(".jp-OutputArea-output[data-mime-type*=error]")
    return found.all_inner_texts()


def test_notebook_runs_to_its_end(run):
    stem = "artstein2007_04_many_coders"
    page = run(stem)
    folded = [cell["metadata"].get("jupyter") for cell in cells(stem)]
    shown = ["" if hidden else f"[{i}]:" for i, hidden in enumerate(folded, start=1)]
    assert prompts(page) == shown
    pictures = [
        output
        for cell in cells(stem)
        for output in cell["outputs"]
        if "image/png" in output.get("data", {})
    ]
    drawn = page.locator(".jp-RenderedImage img").evaluate_all(
        "all => all.filter(i => i.complete && i.naturalWidth > 0).length"
    )
    assert drawn == len(pictures) > 0
    page.close()


def test_slider_of_the_plan_designer_moves_the_curve(run):
    page = run("teach_01_plan_designer")
    picture = page.locator("img.widget-image")
    assert picture.count() == 1
    picture.scroll_into_view_if_needed()
    before, source = picture.screenshot(), picture.get_attribute("src")
    assert picture.screenshot() == before  # it stands still until a slider moves
    page.locator(".widget-slider .noUi-handle").first.focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    page.wait_for_function(
        "source => document.querySelector('img.widget-image').src !== source",
        arg=source,
        timeout=60_000,
    )
    picture.evaluate("i => i.decode()")
    assert picture.screenshot() != before
    assert errors(page) == []
    page.close()
