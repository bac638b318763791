"""The site's own pages: the ledger as tables, how to cite, and how to begin."""

from __future__ import annotations

import csv
import re
from collections import Counter
from html import escape
from typing import Any

import yaml

from . import ledger, paths, style
from .parts import PARTS


def entries() -> list[dict[str, str]]:
    """The rows of figures/ledger.csv."""
    with (paths.FIGURES / "ledger.csv").open(newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def ledger_count(rows: list[dict[str, str]]) -> str:
    """How many entries each document has of each verdict, as an HTML table."""
    count = Counter((row["document"], row["verdict"]) for row in rows)
    given = {row["verdict"] for row in rows}
    body, verdicts = [], [verdict for verdict in ledger.VERDICTS if verdict in given]
    for document in _documents(rows):
        numbers = [count[document, verdict] for verdict in verdicts]
        body.append([PARTS[document], *numbers, sum(numbers)])
    body.append(["all", *(sum(column) for column in zip(*(row[1:] for row in body)))])
    return _table("count", ["document", *verdicts, "all"], body)


def ledger_entries(rows: list[dict[str, str]]) -> str:
    """Every entry with what is found about it, as a table for each document."""
    lines = []
    for document in _documents(rows):
        body = []
        for row in (row for row in rows if row["document"] == document):
            place = escape(row["place"])
            if row["notebook"]:
                place = f'<a href="notebooks/{row["notebook"]}.html">{place}</a>'
            printed = f"{escape(row['quantity'])}: <b>{escape(row['printed'])}</b>"
            body.append([place, printed, _found(row)])
        table = _table("entries", ["place", "what is printed", "what we find"], body)
        lines += [f"## {PARTS[document]}", "", table, ""]
    return "\n".join(lines)


def _documents(rows: list[dict[str, str]]) -> list[str]:
    named = {row["document"] for row in rows}
    return [document for document in PARTS if document in named]


def _found(row: dict[str, str]) -> str:
    verdict = row["verdict"]
    values = [f"exact value {_number(row['exact'])}"] if row["exact"] else []
    if row["ours"] and row["ours"] != row["exact"]:
        values.append(f"ours {_number(row['ours'])}")
    words = "; ".join(filter(None, [", ".join(values), row["cause"]]))
    mark = f'<span class="verdict {verdict.split()[0]}">{verdict}</span>'
    return f"{mark} {escape(words)}"


def _number(text: str) -> str:
    try:
        return style.number(float(text))
    except ValueError:
        return text


def _table(name: str, header: list[str], body: list[list[Any]]) -> str:
    box = f'<div class="wide" tabindex="0" role="group" aria-label="{name}">'
    lines = [f'{box}<table class="{name}"><thead><tr>']
    lines += [f"<th>{cell}</th>" for cell in header]
    lines.append("</tr></thead><tbody>")
    lines += ["<tr>" + "".join(f"<td>{c}</td>" for c in row) + "</tr>" for row in body]
    lines.append("</tbody></table></div>")
    return "\n".join(lines)


def citation() -> str:
    """CITATION.cff in words: this software, and the works that it is about."""
    cff = _cff()
    lines = [cff["message"], "", f"- {_reference(cff)}, version {cff['version']}."]
    lines += [f"- {_reference(work)}." for work in cff["references"]]
    return "\n".join(lines)


def _cff() -> dict[str, Any]:
    text = (paths.ROOT / "CITATION.cff").read_text(encoding="utf-8")
    return yaml.safe_load(text)


def _reference(work: dict[str, Any]) -> str:
    names = [
        author.get("family-names", author.get("name")) for author in work["authors"]
    ]
    listed = ", ".join(names[:-1]) + " and " + names[-1] if names[1:] else names[0]
    year = f" ({work['year']})" if "year" in work else ""
    notes = f", {work['notes']}" if "notes" in work else ""
    place = _address(work)
    title = f"[{work['title']}]({place})" if place else work["title"]
    return f"{listed}{year}: *{title}*{notes}"


def _address(work: dict[str, Any]) -> str | None:
    return f"https://doi.org/{work['doi']}" if "doi" in work else work.get("url")


def document(stem: str) -> str | None:
    """The address of the work that a page is about: its name begins with an author."""
    for work in _cff()["references"]:
        if stem.startswith(work["authors"][0]["family-names"].lower()):
            return _address(work)
    return None


def clone() -> str:
    """Where the sources are, if CITATION.cff has their address."""
    address = _cff().get("repository-code")
    if address is None:
        return ", in a clone of the repository:"
    return f", after `git clone {address}`, in its folder:"


def ten_lines() -> str:
    """The README's first example, fences and all."""
    text = paths.README.read_text(encoding="utf-8")
    found = re.search(r"^```python\n.*?^```$", text, re.MULTILINE | re.DOTALL)
    if found is None:
        raise ValueError("README.md has no block of Python")
    return found[0]
