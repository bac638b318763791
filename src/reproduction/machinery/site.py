"""The site: every executed notebook and a front page, built by jupyter-book.

Here only its sources are written: notebooks as they are shown, the front page with
the gallery, the ledger and how to cite. site/ holds the words of the pages that are
no notebooks, the settings and the looks.
"""

import base64
import json
import re
import shutil
import struct
import subprocess
import sys
import sysconfig
from html import escape
from pathlib import Path
from typing import NamedTuple

from nbformat import NotebookNode, v4

from labelaudit.files.columns import NEAR, WORDS
from labelaudit.files.said import SENTENCES

from . import front, glossary, notebooks, paths, surroundings

# Pages that a browser computes.
LIVE = ("two_by_two", "plan_designer", "how_reliable")
DOWNLOADS = "downloads"
# Where the site tells what README.md does.
OURS = {"../README.md#set-up-two-commands": "../index.md#install"}
SCENERY = ("run.start(", "this.save(", "plt.subplots(")  # code that readers may skip
# By a reader.
READ = ("image/png", "text/html", "text/markdown", "text/latex", "text/plain")

# What the theme's pages lack: light icons, landmarks, corners of tables.
ICONS = "fa-solid-900.woff2"
LANDMARK = 'role="complementary" aria-label="Pages of this site"'

MENDED = (
    # All icons there are, as drawings: 1.5 MB on every page, for a font of 0.2 MB.
    (r"<script[^>]*/fontawesome\.js[^>]*></script>\s*", ""),
    (r'(<div id="pst-primary-sidebar")', rf"\1 {LANDMARK}"),
    (r"<th([^>]*)>(<p></p>)?</th>", r"<td\1></td>"),  # an empty cell is no header
)
COMMANDS = re.compile(r'(<div class="highlight-none.*?<pre>)(.*?)(?=</pre>)', re.DOTALL)
# An option with its short value, and other words at whose signs a line may break.
SHORT = r"--?[A-Za-z][\w-]*[ =](?![-\\#])[^\s<]{1,16}(?![^\s<])"
WHOLE = re.compile(rf"(?<!\S)({SHORT}|[^\s<]*[-/][^\s<]*)")


class Picture(NamedTuple):
    """A figure as a notebook (stem, title) shows it, with its words in HTML."""

    stem: str
    title: str
    name: str
    words: str
    width: int
    height: int


def shown(notebook: NotebookNode, stem: str) -> tuple[NotebookNode, list[Picture]]:
    """A notebook as the site shows it, and the figures in it.

    Pictures are drawn from the SVG in figures/, with the words that stand for them
    (jupyter-book drops these). First uses of terms lead to the glossary. What needs a
    kernel, and what is stored for no reader, is left out. The cells that set up and
    that save a figure are folded.
    """
    pictures, reader = [], glossary.Reader()
    title = notebook.cells[0].source.split("\n")[0].removeprefix("# ")
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = reader.linked(cell.source)
            continue
        if any(mark in cell.source for mark in SCENERY):
            cell.metadata["tags"] = [*cell.metadata.get("tags", []), "hide-input"]
        cell.outputs = [one for one in cell.outputs if "data" not in one or _read(one)]
        for output in cell.outputs:
            if "image/png" in output.get("data", {}):
                png = base64.b64decode(output.data["image/png"])
                about = output.metadata["image/png"]
                wide, high = struct.unpack(">II", png[16:24])  # in its header
                size = about["width"], round(high * about["width"] / wide)
                drawn = Picture(stem, title, about["name"], escape(about["alt"]), *size)
                pictures.append(drawn)
                output.data = {"text/html": front.rendered("drawn.html", one=drawn)}
    return notebook, pictures


def _read(output: NotebookNode) -> bool:
    """Whether a reader without a kernel sees it: left is what is read."""
    live = notebooks.CONTROLS in output.data
    output.data = {kind: of for kind, of in output.data.items() if kind in READ}
    return bool(output.data) and not (live and [*output.data] == ["text/plain"])


def with_download(notebook: NotebookNode, stem: str) -> NotebookNode:
    """The notebook with links under its title: its file, the document that it is
    about, how to run it, its page with controls, a place to run it and its repository,
    where these have an address.
    """
    title, *text = notebook.cells[0].source.split("\n", 1)
    known = {"document": front.document(stem), "repository": front.repository()}
    known["live"] = [name for name in LIVE if stem.endswith(name)]
    lines = front.rendered("download.html", stem=stem, downloads=DOWNLOADS, **known)
    notebook.cells[0].source = "\n".join([title, "", lines, *text])
    return notebook


def with_files(text: str, folder: Path) -> str:
    """A page with the files that it links to and that are no pages, as downloads.

    They are copied into the folder, and marked for the builder, which would look for
    pages of these names. What the site tells in their place is linked there.
    """
    for address, ours in OURS.items():
        text = text.replace(f"]({address})", f"]({ours})")

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


def write(folder: Path) -> None:
    """Write the sources of the site into a folder: those of site/, filled in."""
    leave = shutil.ignore_patterns("tests", "requirements.*", "*.md", "*.html")
    shutil.copytree(paths.SITE, folder, ignore=leave, dirs_exist_ok=True)
    (folder / paths.NOTEBOOKS.name).mkdir()
    pictures: dict[str, Picture] = {}  # by name, where each is shown first
    for file in front.pages():
        text = with_files(file.read_text(encoding="utf-8"), folder)
        if file.suffix == ".ipynb":
            notebook, found = shown(v4.reads(text), file.stem)
            pictures |= {one.name: one for one in found if one.name not in pictures}
            text = v4.writes(with_download(notebook, file.stem))
        elif file.stem == glossary.PAGE:
            text = glossary.with_anchors(text)
        else:
            text = with_live(text)
        target = folder / paths.NOTEBOOKS.name / file.name
        target.write_text(text, encoding="utf-8")
    extra = folder / "extra"  # beside the pages; in _static every page would load it
    leave = shutil.ignore_patterns(paths.RELEASED.name, "*.html", "*.md")
    shutil.copytree(paths.FIGURES, extra / paths.FIGURES.name, ignore=leave)
    shutil.copytree(paths.NOTEBOOKS, extra / DOWNLOADS, ignore=leave)
    _scripts(extra / "live")
    front.fill(folder, pictures)


def _scripts(folder: Path) -> None:
    """What the pages with controls take from here: plans, and words of files."""
    plans = {"PLANS": json.loads(paths.TAUGHT.read_text(encoding="utf-8"))}
    # Of such a name the page refuses what the command looks at the cells for.
    names = {"NAMES": WORDS, "NEAR": NEAR | {"cluster": ["cluster"]}}
    names |= {"WHY": SENTENCES["why"], "KINDS": SENTENCES["kinds"]}
    for file, told in {"plans": plans, "names": names}.items():
        lines = (f"const {key} = {json.dumps(of)};\n" for key, of in told.items())
        (folder / f"{file}.js").write_text("".join(lines), encoding="utf-8")


def _whole(found: re.Match[str]) -> str:
    return found[1] + WHOLE.sub(r'<span class="option">\1</span>', found[2])


def mend(html: Path) -> None:
    """Mend built pages, in their folder."""
    for page in html.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        for wrong, right in MENDED:
            text = re.sub(wrong, right, text)
        text = COMMANDS.sub(_whole, text)
        page.write_text(text, encoding="utf-8")
    # A browser may refuse a font of its own file to a page that comes from no server.
    font = next(html.rglob(ICONS)).read_bytes()
    inline = f"data:font/woff2;base64,{base64.b64encode(font).decode()}"
    for sheet in (html / "_static" / "styles").glob("*.css"):
        text = sheet.read_text(encoding="utf-8")
        found = re.sub(rf"url\([^)]*{ICONS}[^)]*\)", f"url({inline})", text)
        sheet.write_text(found, encoding="utf-8")


def main() -> int:
    """Build the site, by the environment (a folder) that has jupyter-book."""
    builder = Path(sys.argv[1]).absolute()
    shutil.rmtree(paths.SITE_WORK, ignore_errors=True)
    write(paths.SITE_WORK)
    # The reference imports the library and what it needs, where its own have none.
    more = [str(paths.SOURCE), sysconfig.get_path("purelib")]
    start = "from jupyter_book.cli.main import main; main()"
    code = f"import sys; sys.path += {more}; {start}"
    command = [builder / "bin" / "python", "-c", code, "build", "--warningiserror"]
    command += ["--keep-going", "--quiet", paths.SITE_WORK]
    # In its folder, where it looks for the search's scorer.
    how = {"capture_output": True, "text": True, "cwd": paths.SITE_WORK}
    result = subprocess.run(command, check=False, **how)
    if result.returncode:
        print(result.stdout, result.stderr, sep="\n", file=sys.stderr)
        return 1
    # Formulas as drawings need one file and no fonts, which a browser may refuse a
    # page that comes from no server. Not among the sources, where the builder would
    # add it to every page.
    packages = next(builder.glob("lib/python*/site-packages"))
    mathjax = packages / "sphinx-mathjax-offline" / "static" / "mathjax" / "tex-svg.js"
    html = paths.SITE_WORK / "_build" / "html"
    shutil.copy(mathjax, html / "_static" / "mathjax.js")
    mend(html)
    shutil.rmtree(paths.SITE_BUILT, ignore_errors=True)
    html.rename(paths.SITE_BUILT)
    shutil.rmtree(paths.SITE_WORK)
    print(f"The site is in {paths.SITE_BUILT}: open index.html")
    return 0


if __name__ == "__main__":
    surroundings.prepare()
    sys.exit(main())
