"""The site's own pages: the ledger as tables, how to cite, and how to begin."""

from html import escape
from typing import Any

import pandas as pd
import yaml

from . import ledger, paths, style
from .parts import part, parts


def entries() -> pd.DataFrame:
    """The rows of figures/ledger.csv, with the documents' names on the site."""
    table = pd.read_csv(paths.FIGURES / "ledger.csv", dtype=str, keep_default_na=False)
    named = {known: part(f"{known}_") for known in ledger.documents()}
    order = [name for name in parts() if name in named.values()]
    documents = pd.Categorical(table["document"].map(named), order)
    verdicts = pd.Categorical(table["verdict"], [*ledger.VERDICTS])
    return table.assign(document=documents, verdict=verdicts)


def ledger_count(table: pd.DataFrame) -> str:
    """How many entries each document has of each verdict, as an HTML table."""
    how = {"margins": True, "margins_name": "all"}
    count = pd.crosstab(table["document"], table["verdict"], **how).reset_index()
    return _table("count", [*count.columns], count.to_numpy().tolist())


def ledger_entries(table: pd.DataFrame) -> str:
    """Every entry with what is found about it, as a table for each document."""
    lines = []
    for document, rows in table.groupby("document", observed=True):
        body = []
        for row in rows.to_dict("records"):
            place = escape(row["place"])
            if row["notebook"]:
                place = f'<a href="notebooks/{row["notebook"]}.html">{place}</a>'
            printed = f"{escape(row['quantity'])}: <b>{escape(row['printed'])}</b>"
            body.append([place, printed, _found(row)])
        header = ["place", "what is printed", "what we find"]
        lines += [f"## {document}", "", _table("entries", header, body), ""]
    return "\n".join(lines)


def _found(row: dict[str, str]) -> str:
    verdict, exact, ours = row["verdict"], row["exact"], row["ours"]
    values = [f"exact value {_number(exact)}"] * bool(exact)
    values += [f"ours {_number(ours)}"] * (ours not in ("", exact))
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
    lines += [f"<th>{cell}</th>" for cell in header] + ["</tr></thead><tbody>"]
    lines += ["<tr>" + "".join(f"<td>{c}</td>" for c in row) + "</tr>" for row in body]
    return "\n".join([*lines, "</tbody></table></div>"])


def citation() -> str:
    """CITATION.cff in words: this software, and the works that it is about."""
    cff = _cff()
    lines = [cff["message"], "", f"- {_reference(cff)}, version {cff['version']}."]
    lines += [f"- {_reference(work)}." for work in cff["references"]]
    return "\n".join(lines)


def _cff() -> dict[str, Any]:
    return yaml.safe_load((paths.ROOT / "CITATION.cff").read_text(encoding="utf-8"))


def _reference(work: dict[str, Any]) -> str:
    names = [who.get("family-names", who.get("name")) for who in work["authors"]]
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


def repository() -> str | None:
    """The address of this repository, once CITATION.cff has it."""
    return _cff().get("repository-code")


def clone() -> str:
    """Where the sources are, if that is known."""
    address = repository()
    cloned = f"after `git clone {address}`, in its folder:"
    return f", {cloned if address else 'in a clone of the repository:'}"


def ten_lines() -> str:
    """The README's first example, fences and all."""
    text = paths.README.read_text(encoding="utf-8")
    return f"```python{text.split('```python')[1].split('```')[0]}```"
