"""The site's parts, and its own pages: the ledger, how to cite, and how to begin."""

import re
from collections.abc import Mapping
from fnmatch import fnmatch
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

import jinja2
import pandas as pd
import yaml

from . import ledger, notebooks, paths, style


@cache
def parts() -> dict[str, list[str]]:
    """Each part of site/_toc.yml, and its pages' paths, or what these match."""
    text = (paths.SITE / "_toc.yml").read_text(encoding="utf-8")
    return {
        part["caption"]: [path for page in part["chapters"] for path in page.values()]
        for part in yaml.safe_load(text)["parts"]
    }


def part(stem: str) -> str:
    """The part that a page of notebooks/ belongs to."""
    path = f"{paths.NOTEBOOKS.name}/{stem}"
    for caption, listed in parts().items():
        if any(fnmatch(path, name) for name in listed):
            return caption
    known = ", ".join(name for listed in parts().values() for name in listed)
    raise ValueError(f"{path} belongs to no part of the site, which has {known}")


def pages() -> list[Path]:
    """Notebooks and texts in notebooks/, in the order of the parts and of names."""
    files = [f for f in paths.NOTEBOOKS.iterdir() if f.suffix in (".ipynb", ".md")]
    return sorted(files, key=lambda f: ([*parts()].index(part(f.stem)), f.stem))


def listed(text: str) -> str:
    """The text of notebooks/README.md, with the list of pages as they are now.

    Each part's, by their titles, and what of a work a page is about, which follows the
    work's name in bold.
    """
    begin, mark, rest = text.partition("<!-- list -->\n")
    lines, start = [begin + mark.strip()], next(iter(parts()))
    named = [page for page in pages() if part(page.stem) != start]  # it leads there
    for caption, those in groupby(named, lambda page: part(page.stem)):
        lines += ["", f"**{caption}**", ""]
        for page in those:
            first = page.read_text(encoding="utf-8")
            if page.suffix == ".ipynb":
                first = notebooks.read(page).cells[0].source
            about = re.search(rf"^\*\*{caption}[,:] (.+?)\.?\*\*", first, re.M | re.S)
            told = f" ({' '.join(about[1].split())})" if about else ""
            title = first.partition("\n")[0].removeprefix("# ")
            lines.append(f"- [{title}]({page.name}){told}")
    return "\n".join([*lines, "", rest[rest.index("## ") :]])


def rendered(name: str, **known: Any) -> str:
    """A page of site/, which is a template of jinja2, with what is known filled in."""
    loader, strict = jinja2.FileSystemLoader(paths.SITE), jinja2.StrictUndefined
    how = {"trim_blocks": True, "keep_trailing_newline": True}
    world = jinja2.Environment(loader=loader, undefined=strict, **how)
    return world.get_template(name).render(known)


def fill(folder: Path, pictures: Mapping[str, Any]) -> None:
    """The pages that are no notebooks, into a folder.

    pictures : by name, in the order in which the gallery has them
    """
    table = ledger.table()
    named = {known: part(f"{known}_") for known in ledger.documents()}
    order = [name for name in parts() if name in named.values()]
    table["document"] = pd.Categorical(table["document"].map(named), order)
    table["verdict"] = pd.Categorical(table["verdict"], [*ledger.VERDICTS])
    totals = {"margins": True, "margins_name": "all"}
    by_document = table.groupby("document", observed=True)
    known = {
        "count": pd.crosstab(table["document"], table["verdict"], **totals),
        "entries": {name: rows.to_dict("records") for name, rows in by_document},
        "number": style.number,
        "pictures": pictures,
        "cited": _cff(),
        "address": _address,
        "repository": repository(),
        "readme": paths.README.read_text(encoding="utf-8"),
    }
    for page in paths.SITE.glob("*.md"):
        shown = groupby(pictures.values(), lambda one: part(one.stem))
        text = rendered(page.name, gallery=shown, **known)
        (folder / page.name).write_text(text, encoding="utf-8")


def _cff() -> dict[str, Any]:
    return yaml.safe_load((paths.ROOT / "CITATION.cff").read_text(encoding="utf-8"))


def _address(work: dict[str, Any]) -> str | None:
    """Of a work in CITATION.cff."""
    return f"https://doi.org/{work['doi']}" if "doi" in work else work.get("url")


def document(stem: str) -> str | None:
    """The address of the work that a page is about: its name begins with an author."""
    works = {w["authors"][0]["family-names"].lower(): w for w in _cff()["references"]}
    work = works.get(re.split(r"\d|_", stem)[0])
    return _address(work) if work else None


def repository() -> str | None:
    """The address of this repository, once CITATION.cff has it."""
    return _cff().get("repository-code")
