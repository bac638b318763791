"""Links of the site's pages to what is no page: files, and pages with controls."""

import re
import shutil
from pathlib import Path
from urllib.parse import quote

from nbformat import NotebookNode

from . import front, paths

# Pages that a browser computes.
LIVE = ("two_by_two", "plan_designer", "how_reliable")
DOWNLOADS = "downloads"


def with_download(notebook: NotebookNode, stem: str) -> NotebookNode:
    """The notebook with links under its title: its file, its page with controls, the
    document that it is about, a place to run it and its repository, where these have
    an address.
    """
    title, *text = notebook.cells[0].source.split("\n", 1)
    words = "Download this notebook"
    link = f'<a href="../{DOWNLOADS}/{stem}.ipynb" download>{words}</a>'
    for name in LIVE:
        if stem.endswith(name):
            link += f' · <a href="../{name}.html">Try it in the browser</a>'
    if address := front.document(stem):
        link += f' · <a href="{address}">The document</a>'
    if address := front.repository():
        run = f"https://mybinder.org/v2/git/{quote(address, safe='')}/HEAD"
        run += f"?labpath=notebooks/{stem}.ipynb"
        link += f' · <a href="{run}">Run it on Binder</a>'
        link += f' · <a href="{address}">The repository</a>'
    lines = [title, "", f'<p class="download">{link}</p>', *text]
    notebook.cells[0].source = "\n".join(lines)
    return notebook


def with_files(text: str, folder: Path) -> str:
    """A page with the files that it links to and that are no pages, as downloads.

    They are copied into the folder, and marked for the builder, which would look for
    pages of these names.
    """

    def linked(match: re.Match[str]) -> str:
        source = (paths.NOTEBOOKS / match[1]).resolve()
        target = (folder / paths.NOTEBOOKS.name / match[1]).resolve()
        ours = source.is_file() and source.is_relative_to(paths.ROOT)
        if not ours or source.parent == paths.NOTEBOOKS:
            return match[0]
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)
        return f"](path:{match[1]}"

    return re.sub(r"\]\(([^)\s#]+)", linked, text)


def with_live(text: str) -> str:
    """A page on which what is "in the browser" is where the site has it."""
    live = rf"(browser\]\()[a-z]+_\d+_({'|'.join(LIVE)})\.ipynb\)"
    return re.sub(live, r"\1../\2.md)", text)
