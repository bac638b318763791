"""One way to write numbers, in all that is read: 0.88, 95 %, 12,500."""

import csv
import json
import re

import pytest

from reproduction.machinery import paths, tables

BARE = re.compile(r"(?<![\w.\])}:$])\.\d")  # .88
CLOSE = re.compile(r"\d\\?%")  # 95%
LONG = re.compile(r"(?<![\w.,/_=-])\d{5,}(?![\w.])")  # 12500
PAGES = [
    paths.README,
    *sorted(paths.ROOT.glob("*/README.md")),
    *sorted(paths.NOTEBOOKS.glob("*.md")),
    *sorted(paths.SITE.glob("*.md")),
]
NOTEBOOKS = sorted(paths.NOTEBOOKS.glob("*.ipynb"))


def prose(text):
    """What is not code, link, markup or formula set apart."""
    for part in (
        r"(?ms)^```.*?^```",
        r"(?m)^    .*$",
        r"(?s)<(script|style).*?</\1>",
        r"`[^`]*`",
        r"\]\([^)]*\)",
        r"<[^>]*>",
    ):
        text = re.sub(part, " ", text)
    return text


def slips(text):
    found = [m for rule in (BARE, CLOSE, LONG) for m in rule.finditer(text)]
    return [text[max(m.start() - 20, 0) : m.end() + 10] for m in found]


def test_the_rules_see_what_they_should():
    wrong = "it covers .88 at 95% and 95\\% of 12500 items"
    right = "it covers 0.88 at 95 % of 12,500 in 2024, `.88`, [x](a.88.md)"
    assert (len(slips(prose(wrong))), slips(prose(right))) == (4, [])
    head = "<tr><th></th><th>n</th><th>printed</th></tr>"
    html = head + "<tr><th>1000</th><td>-2000</td><td>3000</td></tr>"
    assert bare_cells(html) == ["-2000", "1000"]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: f"{p.parent.name}/{p.name}")
def test_a_page_writes_numbers_one_way(page):
    assert slips(prose(page.read_text(encoding="utf-8"))) == []


def bare_cells(html):
    """Cells of four digits and more without comma, but for what a document prints."""
    rows = [
        re.findall(r"<t[dh][^>]*>([^<]*)</t[dh]>", row)
        for row in re.findall(r"(?s)<tr.*?</tr>", html)
    ]
    found = []
    for row in rows:
        # From the right: labels that repeat are left out on the left.
        for name, cell in zip(reversed(rows[0]), reversed(row)):
            if name != tables.AS_PRINTED and re.fullmatch(r"-?\d{4,}(\.\d+)?", cell):
                found.append(cell)
    return found


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda p: p.stem)
def test_a_notebook_writes_numbers_one_way(file):
    found = []
    for cell in json.loads(file.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "markdown":
            found += slips(prose("".join(cell["source"])))
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            text = "".join([*output.get("text", []), *data.get("text/plain", [])])
            found += [m[0] for m in CLOSE.finditer(text)]
            found += bare_cells("".join(data.get("text/html", [])))
    assert found == []


@pytest.mark.parametrize(
    "file", sorted(paths.PUBLISHED.glob("*.csv")), ids=lambda p: p.stem
)
def test_causes_write_numbers_one_way(file):
    with file.open(newline="", encoding="utf-8") as lines:
        rows = [row["cause"] for row in csv.DictReader(lines)]
    causes = [re.sub(r"\{[^}]*\}", "1", cause) for cause in rows]
    assert [slip for cause in causes for slip in slips(cause)] == []
