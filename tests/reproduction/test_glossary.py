"""The glossary's links, made for the site: one for each term; nothing else moves."""

import re

import pytest

from reproduction.machinery import glossary, notebooks, paths

GLOSSARY = (paths.NOTEBOOKS / "glossary.md").read_text(encoding="utf-8")
LINK = re.compile(r'<a class="term" href="glossary\.html#([^"]+)"[^>]*>(.*?)</a>', re.S)


@pytest.mark.parametrize("stem", notebooks.stems())
def test_each_term_is_linked_once_and_the_words_stay(stem):
    reader = glossary.Reader()
    cells = notebooks.read(paths.notebook(stem)).cells
    texts = [cell.source for cell in cells if cell.cell_type == "markdown"]
    linked = [reader.linked(text) for text in texts]
    assert [LINK.sub(r"\2", text) for text in linked] == texts
    met = [anchor for anchor, _ in LINK.findall("\n".join(linked))]
    assert len(met) == len(set(met))
    assert {*met} <= {*re.findall('<a id="([^"]+)">', glossary.with_anchors(GLOSSARY))}


def test_first_use_is_the_one_that_is_linked_and_code_and_links_are_left():
    text = (
        "# Jackknife\n`jackknife` $jackknife$ [jackknife](a.md), jackknifed, then"
        " the **Jackknife**\nand the jackknife; a margin\nof error; a process."
    )
    linked = glossary.Reader().linked(text)
    assert LINK.findall(linked) == [
        ("jackknife", "Jackknife"),
        ("margin-of-error", "margin\nof error"),
    ]
    assert linked.index("<a") == text.index("Jackknife**")


def test_every_entry_has_a_place_and_its_page_says_the_same():
    placed = glossary.with_anchors(GLOSSARY)
    anchors = re.findall(r'<a id="([^"]+)"></a>', placed)
    assert len(anchors) == len(set(anchors)) == GLOSSARY.count("\n- **") >= 40
    assert re.sub(r'<a id="[^"]+"></a>', "", placed) == GLOSSARY
