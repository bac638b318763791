"""The site: every executed notebook and a front page, built by jupyter-book.

Here only its sources are written: notebooks as they are shown, the front page with
the gallery, the ledger and how to cite. site/ holds the words of the pages that are
no notebooks, the settings and the looks.
"""

from __future__ import annotations

import argparse
import base64
import json
import re
import shutil
import struct
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from . import front, glossary, links, paths, reference, surroundings, theme
from .parts import PARTS, part

OWN = ("index", "gallery", "entries")  # pages of site/, filled in
ENTRIES = "entries"  # the page of all ledger entries, after the ledger

WIDGET = "application/vnd.jupyter.widget-view+json"
SCENERY = ("run.start(", "this.save(", "plt.subplots(")  # code that readers may skip
READ = ("text/html", "text/markdown", "text/latex", "text/plain")  # by a reader


@dataclass(frozen=True)
class Picture:
    """A figure as a notebook shows it; width and height in pixels."""

    stem: str
    name: str
    alt: str
    width: int
    height: int


def pages() -> list[Path]:
    """Notebooks and texts in notebooks/, in the order of the parts and of names."""
    files = [f for f in paths.NOTEBOOKS.iterdir() if f.suffix in (".ipynb", ".md")]
    captions = list(PARTS.values())
    prefixes = list(PARTS)

    def place(file: Path) -> tuple[int, int, str]:
        first = next(p for p in prefixes if file.stem.startswith(p))
        return captions.index(part(file.stem)), prefixes.index(first), file.stem

    return sorted(files, key=place)


def contents(files: list[Path]) -> dict[str, Any]:
    """The table of contents as jupyter-book wants it."""
    listed = [(part(f.stem), f"{paths.NOTEBOOKS.name}/{f.stem}") for f in files]
    listed += [(PARTS["ledger"], ENTRIES), (PARTS["start"], "gallery")]
    listed += [(PARTS[prefix], name) for name, prefix in links.LIVE.items()]
    folder = reference.FOLDER
    listed += [(PARTS[folder], f"{folder}/{wing}") for wing in reference.WINGS]
    parts = []
    for caption in dict.fromkeys(PARTS.values()):
        chapters = [{"file": file} for of, file in listed if of == caption]
        parts += [{"caption": caption, "chapters": chapters}] if chapters else []
    return {"format": "jb-book", "root": "index", "parts": parts}


def title(file: Path) -> str:
    """The first heading of a page."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".ipynb":
        text = "".join(json.loads(text)["cells"][0]["source"])
    found = re.search(r"^# (.+)$", text, re.MULTILINE)
    if found is None:
        raise ValueError(f"{file.name} has no title: a first line '# ...'")
    return found[1]


def shown(notebook: dict[str, Any], stem: str) -> tuple[dict[str, Any], list[Picture]]:
    """A notebook as the site shows it, and the figures in it.

    Pictures are drawn from the SVG in figures/, with the words that stand for them
    (jupyter-book drops these). First uses of terms lead to the glossary. What needs a
    kernel, and what is stored for no reader, is left out. The cells that set up and
    that save a figure are folded.
    """
    saved = {file.read_bytes(): file.stem for file in paths.FIGURES.glob("*.png")}
    cells, pictures = [], []
    reader = glossary.Reader()
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            cell = cell | {"source": reader.linked("".join(cell["source"]))}
        outputs = []
        for output in cell.get("outputs", []):
            if "data" not in output:
                outputs.append(output)
                continue
            data = output["data"]
            kept = {kind: data[kind] for kind in READ if kind in data}
            if "image/png" in data:
                about = output["metadata"].get("image/png", {})
                png = base64.b64decode("".join(data["image/png"]))
                picture = _picture(stem, saved.get(png, ""), png, about)
                kept = {"text/html": _drawn(picture, png)}
                pictures += [picture] if picture.name else []
            if kept and not (WIDGET in data and {*kept} == {"text/plain"}):
                outputs.append(output | {"data": kept})
        new = cell | ({"outputs": outputs} if "outputs" in cell else {})
        cells.append(_folded(new) if cell["cell_type"] == "code" else new)
    return notebook | {"cells": cells}, pictures


def _folded(cell: dict[str, Any]) -> dict[str, Any]:
    """A cell that sets up, or that draws and saves, with its code hidden."""
    source = "".join(cell["source"])
    if not any(mark in source for mark in SCENERY):
        return cell
    tags = cell["metadata"].get("tags", [])
    return cell | {"metadata": cell["metadata"] | {"tags": [*tags, "hide-input"]}}


def _picture(stem: str, name: str, png: bytes, about: dict[str, Any]) -> Picture:
    width, height = struct.unpack(">II", png[16:24])  # in a PNG's header
    displayed = about.get("width", width)
    alt = about.get("alt", "")
    return Picture(stem, name, alt, displayed, round(height * displayed / width))


def _drawn(picture: Picture, png: bytes) -> str:
    if not picture.name:
        return _image(
            picture, f"data:image/png;base64,{base64.b64encode(png).decode()}"
        )
    source = f"../figures/{picture.name}.svg"
    image = _image(picture, source)
    return f'<a class="drawn" id="{picture.name}" href="{source}">{image}</a>'


def _image(picture: Picture, source: str) -> str:
    size = f'width="{picture.width}" height="{picture.height}"'
    return f'<img src="{source}" alt="{escape(picture.alt)}" {size} loading="lazy">'


def _linked(picture: Picture, kind: str, caption: str = "") -> str:
    """A figure on the front page, which leads to where its notebook shows it."""
    image = _image(picture, f"figures/{picture.name}.{kind}")
    link = f"notebooks/{picture.stem}.html#{picture.name}"
    return f'<a class="drawn" href="{link}">{image}{caption}</a>'


def gallery(pictures: Iterable[Picture], titles: dict[str, str]) -> str:
    """Thumbnails, by part of the site."""
    lines: list[str] = []
    for caption in dict.fromkeys(PARTS.values()):
        here = [picture for picture in pictures if part(picture.stem) == caption]
        if here:
            lines += [f"## {caption}", "", '<div class="gallery">']
            for picture in here:
                words = f"<span>{escape(titles[picture.stem])}</span>"
                lines.append(_linked(picture, "png", words))
            lines += ["</div>", ""]
    return "\n".join(lines)


def write(folder: Path) -> None:
    """Write the sources of the site into a folder, which is made."""
    files = pages()
    toc = contents(files)
    shutil.copytree(paths.SITE / "_static", folder / "_static")
    for name in ("_config.yml", "scorer.js"):
        shutil.copy(paths.SITE / name, folder)
    (folder / "_toc.yml").write_text(json.dumps(toc, indent=1), encoding="utf-8")
    (folder / paths.NOTEBOOKS.name).mkdir()
    pictures: dict[str, Picture] = {}  # by name, where each is shown first
    for file in files:
        text = links.with_files(file.read_text(encoding="utf-8"), folder)
        if file.suffix == ".ipynb":
            notebook, found = shown(json.loads(text), file.stem)
            for picture in found:
                pictures.setdefault(picture.name, picture)
            notebook = links.with_download(notebook, file.stem)
            text = json.dumps(notebook, ensure_ascii=False)
        elif file.stem == glossary.PAGE:
            text = glossary.with_anchors(text)
        else:
            text = links.with_live(text)
        target = folder / paths.NOTEBOOKS.name / file.name
        target.write_text(text, encoding="utf-8")
    figures = folder / "extra" / paths.FIGURES.name  # beside the pages
    shutil.copytree(
        paths.FIGURES,
        figures,
        ignore=shutil.ignore_patterns(paths.RELEASED.name, "*.html"),
    )
    (folder / reference.FOLDER).mkdir()
    for wing, text in reference.pages().items():
        target = folder / reference.FOLDER / f"{wing}.rst"
        target.write_text(text, encoding="utf-8")
    live = folder / "extra" / "live"  # in _static every page would load them
    shutil.copytree(paths.SITE / "live", live)
    plans = paths.TAUGHT.read_text(encoding="utf-8").strip()
    (live / "plans.js").write_text(f"const PLANS = {plans};\n", encoding="utf-8")
    whole = folder / "extra" / links.DOWNLOADS
    shutil.copytree(paths.NOTEBOOKS, whole, ignore=shutil.ignore_patterns("*.md"))
    rows = front.entries()
    first = [(p["caption"], p["chapters"][0]["file"]) for p in toc["parts"]]
    fill = {
        "parts": "\n".join(f"- [{caption}]({file})" for caption, file in first),
        "ten lines": front.ten_lines(),
        "gallery": gallery(pictures.values(), {f.stem: title(f) for f in files}),
        "count": front.ledger_count(rows),
        "entries": front.ledger_entries(rows),
        "number": str(len(rows)),
        "citation": front.citation(),
        "clone": front.clone(),
    }
    fill |= {f"figure {name}": _linked(p, "svg") for name, p in pictures.items()}
    for name in (*OWN, *links.LIVE):
        text = (paths.SITE / f"{name}.md").read_text(encoding="utf-8")
        text = re.sub("<!-- (.*?) -->", lambda match: fill[match[1]], text)
        (folder / f"{name}.md").write_text(text, encoding="utf-8")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m reproduction.machinery.site",
        description="Build the site of the executed notebooks, to output/site.",
    )
    parser.add_argument(
        "builder", type=Path, help="the environment (folder) that has jupyter-book"
    )
    builder = parser.parse_args(arguments).builder.absolute()
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
    theme.mend(html)
    shutil.rmtree(paths.SITE_BUILT, ignore_errors=True)
    html.rename(paths.SITE_BUILT)
    shutil.rmtree(paths.SITE_WORK)
    (paths.SITE_BUILT / ".nojekyll").touch()  # GitHub Pages drops _static otherwise
    print(f"The site is in {paths.SITE_BUILT}: open index.html")
    return 0


if __name__ == "__main__":
    surroundings.prepare()
    sys.exit(main())
