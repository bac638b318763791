"""One way to write numbers, in all that is read: 0.88, 95 %, 12,500."""

import csv
import json
import re

import pytest

from reproduction.machinery import paths, tables

BARE = r"(?<![\w.\])}:$])\.\d"  # .88
CLOSE = r"\d\\?%"  # 95%
LONG = r"(?<![\w.,/_=-])\d{5,}(?![\w.])"  # 12500
SLIP = re.compile(f".{{,20}}(?:{BARE}|{CLOSE}|{LONG}).{{,10}}")
CODE = r"(?ms)^```.*?^```|^    [^\n]*$|<(script|style).*?</\1>|`[^`]*`"
NO_PROSE = re.compile(rf"{CODE}|\]\([^)]*\)|<[^>]*>")
PAGES = [paths.README, *paths.ROOT.glob("*/README.md")]
PAGES += [page for at in (paths.NOTEBOOKS, paths.SITE) for page in at.glob("*.md")]
NOTEBOOKS = [*paths.NOTEBOOKS.glob("*.ipynb")]
FILES = sorted({*PAGES, *NOTEBOOKS, *paths.PUBLISHED.glob("*.csv")})


def slips(text):
    """What is amiss where it is not code, link, markup or formula set apart."""
    return [found[0] for found in SLIP.finditer(NO_PROSE.sub(" ", text))]


def bare_cells(html):
    """Cells of four digits and more without comma, but for what a document prints."""
    rows = [
        re.findall(r"<t[dh][^>]*>([^<]*)</t[dh]>", row)
        for row in re.findall(r"(?s)<tr.*?</tr>", html)
    ]
    return [
        cell
        for row in rows
        # From the right: labels that repeat are left out on the left.
        for name, cell in zip(reversed(rows[0]), reversed(row))
        if name != tables.AS_PRINTED and re.fullmatch(r"-?\d{4,}(\.\d+)?", cell)
    ]


def test_the_rules_see_what_they_should():
    for wrong in ("it covers .88", "at 95% and", "95\\%", "of 12500 items"):
        assert len(slips(wrong)) == 1, wrong
    right = "it covers 0.88 at 95 % of 12,500 in 2024, `.88`, [x](a.88.md)"
    assert slips(right) == []
    head = "<tr><th></th><th>n</th><th>printed</th></tr>"
    html = head + "<tr><th>1000</th><td>-2000</td><td>3000</td></tr>"
    assert bare_cells(html) == ["-2000", "1000"]


def amiss(file):
    """Of a page, of a notebook's texts and outputs, of the causes of differences."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".md":
        return slips(text)
    if file.suffix == ".csv":
        causes = [row["cause"] for row in csv.DictReader(text.splitlines())]
        return [one for c in causes for one in slips(re.sub(r"\{[^}]*\}", "1", c))]
    found = []
    for cell in json.loads(text)["cells"]:
        if cell["cell_type"] == "markdown":
            found += slips("".join(cell["source"]))
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            plain = "".join([*output.get("text", []), *data.get("text/plain", [])])
            found += re.findall(CLOSE, plain)
            found += bare_cells("".join(data.get("text/html", [])))
    return found


@pytest.mark.parametrize("file", FILES, ids=lambda f: f"{f.parent.name}/{f.name}")
def test_numbers_are_written_one_way(file):
    assert amiss(file) == []
