"""The site's sources: every notebook and every figure has its place.

What a browser makes of them is tested in site/tests, by `make test-site`.
"""

import re
from fnmatch import fnmatch
from html.parser import HTMLParser

import pytest
from nbformat import from_dict

import labelaudit as la
from reproduction.machinery import front, notebooks, paths, site


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    site.write(folder)
    return folder


class Elements(HTMLParser):
    """All elements of a text, as (name, attributes)."""

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, name, attributes):
        self.found.append((name, dict(attributes)))


def test_every_page_is_in_one_part_and_the_front_page_leads_to_each():
    listed = [name for names in front.parts().values() for name in names]
    for stem in [file.stem for file in front.pages()]:
        assert sum(fnmatch(f"notebooks/{stem}", name) for name in listed) == 1, stem
    assert len(listed) == len({*listed})
    front_page = (paths.SITE / "index.md").read_text(encoding="utf-8")
    assert all(f"- [{caption}](" in front_page for caption in front.parts())


def test_the_front_page_has_the_readmes_example(sources):
    text = (sources / "index.md").read_text(encoding="utf-8")
    assert "la.optimal_plan(levels, lot_size=1000)" in text
    assert text.count('<a href="notebooks/') >= 3
    assert "<!--" not in text


def test_gallery_has_every_figure_once_with_its_words(sources):
    text = (sources / "gallery.md").read_text(encoding="utf-8")
    images = [a for name, a in Elements(text).found if name == "img"]
    shown = [image["src"] for image in images]
    wanted = [f"figures/{file.name}" for file in paths.FIGURES.glob("*.svg")]
    assert sorted(shown) == sorted(wanted)
    assert all(len(image["alt"]) > 10 for image in images)


ADDRESSES = {
    "klie2024": "https://doi.org/10.18653/v1/2024.acl-long.837",
    "wong2021": "https://doi.org/10.18653/v1/2021.acl-long.548",
    "dipietro": "https://arxiv.org/abs/2209.08243",
}
TERM = re.compile(r'<a class="term"[^>]*>(.*?)</a>', re.DOTALL)


@pytest.mark.parametrize("stem", notebooks.stems())
def test_pictures_of_a_notebook_are_drawn_from_its_figures(stem, sources):
    before = notebooks.read(paths.notebook(stem)).cells
    after = notebooks.read(sources / "notebooks" / f"{stem}.ipynb").cells
    pictures = []
    for cell in after:  # without what links to the glossary
        cell.source = TERM.sub(r"\1", cell.source)
    old, new = before[0].source, after[0].source
    line = re.search(r'\n<p class="download">.*</p>\n', new)[0]
    assert new.replace(line, "") == old
    document, _, topic = stem.partition("_")
    shown = [f"../downloads/{stem}.ipynb", ADDRESSES.get(document, "")]
    shown += [f"../{topic[3:]}.html"] if topic[3:] in site.LIVE else []
    assert all(address in line for address in shown)
    assert (sources / "extra" / "downloads" / f"{stem}.ipynb").is_file()
    for old, new in zip(before, after):
        assert new.source == old.source or new is after[0]
        pictures += [
            output["metadata"]["image/png"]["alt"]
            for output in old.get("outputs", [])
            if "image/png" in output.get("data", {})
        ]
    outputs = [output for cell in after for output in cell.get("outputs", [])]
    html = "".join(one.get("data", {}).get("text/html", "") for one in outputs)
    images = [a for name, a in Elements(html).found if name == "img"]
    assert [image["alt"] for image in images] == pictures
    for image in images:
        if not image["src"].startswith("data:"):
            assert (paths.NOTEBOOKS / image["src"]).is_file()


def displayed(**data):
    return {"output_type": "display_data", "data": data, "metadata": {}}


def test_what_needs_a_kernel_is_left_out_and_its_picture_stays():
    text = {"text/plain": "VBox()"}
    live = displayed(**{notebooks.CONTROLS: {"model_id": "1"}}, **text)
    still = displayed(
        **{notebooks.CONTROLS: {"model_id": "1"}}, **text, **{"text/html": "<b>"}
    )
    record = displayed(**{"application/vnd.labelaudit.record+json": {"a": 1}})
    printed = {"output_type": "stream", "name": "stdout", "text": "words"}
    cell = {"cell_type": "code", "metadata": {}, "source": "x"}
    cell["outputs"] = [live, record, still, printed]
    after, _ = site.shown(from_dict({"cells": [cell]}), "teach_01_x")
    kept = after["cells"][0]["outputs"]
    assert [output["output_type"] for output in kept] == ["display_data", "stream"]
    assert kept[0]["data"] == {**text, "text/html": "<b>"}


def test_the_front_page_says_what_its_first_command_prints():
    text = " ".join((paths.SITE / "index.md").read_text(encoding="utf-8").split())
    levels = la.QualityLevels(0.02, 0.05, 0.05, 0.10)
    assert "plan --p-a 2% --p-r 5% --alpha 5% --beta 10% --lot-size 5000" in text
    single = la.single_plan(levels, 5000)
    n, c = single.max_sample, single.accept[-1]
    assert f"one sample of {n}, accepted with up to {c} errors" in text
    assert f"check {n} drawn at random, and accept up to {c} errors" in text


def test_the_front_page_names_the_address_of_the_citation(
    sources, tmp_path, monkeypatch
):
    with_none = (sources / "index.md").read_text(encoding="utf-8")
    assert "git and make, in a clone of the repository:\n" in with_none
    cited = (paths.ROOT / "CITATION.cff").read_text(encoding="utf-8")
    cited = cited.replace("# repository-code:", "repository-code: https://a.example/b")
    (tmp_path / "CITATION.cff").write_text(cited, encoding="utf-8")
    monkeypatch.setattr(paths, "ROOT", tmp_path)
    site.write(tmp_path / "site")
    text = (tmp_path / "site" / "index.md").read_text(encoding="utf-8")
    assert "make, after `git clone https://a.example/b`, in its folder:\n" in text


def test_a_notebook_runs_elsewhere_once_there_is_an_address(monkeypatch):
    def line():
        cell = {"cell_type": "markdown", "source": "# A title", "metadata": {}}
        made = site.with_download(from_dict({"cells": [cell]}), "beyond_01_how_few")
        return made.cells[0].source

    assert "binder" not in line().lower()
    monkeypatch.setattr(front, "repository", lambda: "https://a.example/b")
    run = "https://mybinder.org/v2/git/https%3A%2F%2Fa.example%2Fb/HEAD"
    assert f"{run}?labpath=notebooks/beyond_01_how_few.ipynb" in line()
    assert '<a href="https://a.example/b">' in line()
