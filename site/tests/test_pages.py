"""Every page of the built site, as a browser draws it from the folder."""

import csv
import json
import re
from collections import Counter
from functools import cache, partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from urllib.parse import unquote, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe

from conftest import HERE, ROOT, SITE

PAGES = sorted(
    file.relative_to(SITE).as_posix()
    for file in SITE.rglob("*.html")
    if "_static" not in file.parts and file.name != "search.html"
)
TOLD = json.loads((HERE / "tables.json").read_text(encoding="utf-8"))
FACTS = (HERE / "facts.js").read_text(encoding="utf-8")
KINDS = (  # a page of each
    *("index", "gallery", "entries", "search", "plan_designer", "two_by_two"),
    "how_reliable",
    *("reference/plans", "reference/agreement", "notebooks/README"),
    *("notebooks/glossary", "notebooks/library", "notebooks/ledger"),
    *("notebooks/klie2024_05_datasets", "notebooks/teach_01_plan_designer"),
)
WIDTHS = (1280, 1920, 390)  # the first as it is loaded


@pytest.fixture(scope="session")
def visit(context):
    """Load a page once; what went wrong meanwhile, and its facts at each width."""

    @cache
    def load(name):
        page, wrong = context.new_page(), []

        def refuse(route):
            wrong.append(f"network: {route.request.url}")
            route.abort()

        def hear(message):
            if message.type in ("error", "warning"):
                wrong.append(message.text)

        page.route(re.compile("^(?!file:|data:|blob:)"), refuse)
        page.on("console", hear)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("requestfailed", lambda one: wrong.append(f"failed: {one.url}"))
        facts = {}
        page.goto((SITE / name).as_uri(), wait_until="load")
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            facts[width] = SimpleNamespace(**page.evaluate(FACTS))
        page.close()
        return SimpleNamespace(
            wrong=wrong, wide=facts[1280], narrow=facts[390], all=facts
        )

    return load


def test_site_has_a_page_for_every_notebook_and_text():
    stems = {file.stem for file in (ROOT / "notebooks").iterdir() if file.is_file()}
    own = {"index.html", "entries.html", "gallery.html"}
    own |= {"two_by_two.html", "plan_designer.html", "how_reliable.html"}
    own |= {name for name in PAGES if name.startswith("reference/")}
    assert {f"notebooks/{stem}.html" for stem in stems} | own == {*PAGES}


@pytest.mark.parametrize("name", PAGES)
def test_page_loads_without_error_and_without_the_network(visit, name):
    seen = visit(name)
    assert seen.wrong == []
    assert seen.wide.heading
    assert seen.wide.title


@pytest.mark.parametrize("name", PAGES)
def test_every_picture_is_drawn_fits_and_has_words(visit, name):
    for facts in (visit(name).wide, visit(name).narrow):
        for image in facts.images:
            assert image["drawn"], image["html"]
            assert len(image["alt"]) > 5, image["html"]
            assert image["right"] <= facts.width, image["html"]


@pytest.mark.parametrize("name", PAGES)
def test_every_formula_is_typeset(visit, name):
    for facts in (visit(name).wide, visit(name).narrow):
        assert len(facts.formulas) == facts.sources
        for formula in facts.formulas:
            assert formula["sized"], formula
            assert not formula["wrong"], formula
    raw = re.compile(r"\\[()\[\]]|\\[a-z]{3,}|\$\S")
    for text in visit(name).wide.texts:
        assert text["code"] or not raw.search(text["text"]), text


@pytest.mark.parametrize("name", PAGES)
def test_answers_are_folded(visit, name):
    assert all(visit(name).wide.folded)


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("width", WIDTHS)
def test_page_fits_its_window(visit, name, width):
    facts = visit(name).all[width]
    assert facts.width == width
    assert facts.scrollable <= width
    assert facts.outside == []


@pytest.mark.parametrize("name", PAGES)
def test_text_is_large_enough_on_a_phone(visit, name):
    for text in visit(name).narrow.texts:
        if text["size"] is not None and not text["small"]:
            assert text["size"] >= (13 if text["code"] else 14), text


class Anchors(HTMLParser):
    """The names in a page that a link can lead to, and the pictures in each."""

    def __init__(self, file):
        super().__init__()
        self.names, self.images = set(), []
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.names |= {attributes["id"]} if "id" in attributes else set()
        if tag == "img":
            self.images.append(attributes["src"])


@cache
def anchors(file):
    return Anchors(file)


@pytest.mark.parametrize("name", PAGES)
def test_every_link_into_the_site_holds(visit, name):
    links = visit(name).wide.links
    assert links
    for link in links:
        parts = urlsplit(link)
        if parts.scheme != "file":
            continue  # other sites are not asked
        target = Path(unquote(parts.path))
        assert target.is_file(), link
        assert target.is_relative_to(SITE), link
        if parts.fragment and target.suffix == ".html":
            assert unquote(parts.fragment) in anchors(target).names, link


def thumbnails(context):
    page = context.new_page()
    page.goto((SITE / "gallery.html").as_uri())
    found = page.locator(".gallery a").evaluate_all(
        "all => all.map(a => [a.getAttribute('href'), a.querySelector('img').alt])"
    )
    page.close()
    return found


def test_gallery_shows_every_figure_and_leads_to_it(context):
    found = thumbnails(context)
    names = []
    for link, alt in found:
        target, name = link.split("#")
        assert f"../figures/{name}.svg" in anchors(SITE / target).images
        assert name in anchors(SITE / target).names
        assert len(alt) > 5
        names.append(name)
    assert sorted(names) == sorted(f.stem for f in (ROOT / "figures").glob("*.svg"))


def test_thumbnail_leads_to_its_figure_in_view(context):
    page = context.new_page()
    page.goto((SITE / "gallery.html").as_uri())
    page.locator(".gallery a").nth(5).click()
    page.wait_for_load_state("load")
    name = urlsplit(page.url).fragment
    assert name
    assert page.locator(f"#{name} img").evaluate("i => i.decode().then(() => true)")
    top = page.locator(f"#{name}").bounding_box()["y"]
    assert 0 <= top < 900
    page.close()


def ledger():
    with (ROOT / "figures" / "ledger.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_the_ledger_is_counted(context):
    page = context.new_page()
    page.goto((SITE / "entries.html").as_uri())
    header, *body = page.locator("table.count tr").evaluate_all(
        "rows => rows.map(r => [...r.cells].map(c => c.textContent))"
    )
    page.close()
    verdicts = Counter(row["verdict"] for row in ledger())
    *documents, total = body
    shown = {v: int(n) for v, n in zip(header[1:-1], total[1:-1])}
    assert {v: n for v, n in shown.items() if n} == verdicts
    assert int(total[-1]) == len(ledger())
    per_document = sorted(Counter(row["document"] for row in ledger()).values())
    assert sorted(int(row[-1]) for row in documents) == per_document
    for row in body:
        assert sum(map(int, row[1:-1])) == int(row[-1])


def test_claims_have_what_was_computed_and_numbers_exact_values(context):
    page = context.new_page()
    page.goto((SITE / "entries.html").as_uri())
    told = page.locator("table.entries td:last-child").evaluate_all(
        "all => all.map(one => one.textContent)"
    )
    page.close()
    form = re.compile("(holds|false|open|[a-z ]+?) (computed|exact value) [\\d\u2212-]")
    found = Counter(match.groups() for match in map(form.match, told) if match)
    claims = ("holds", "false", "open")
    assert found == Counter(
        (row["verdict"], "computed" if row["verdict"] in claims else "exact value")
        for row in ledger()
        if row["exact"]
    )


def test_entries_can_be_filtered(context):
    page = context.new_page()
    page.goto((SITE / "entries.html").as_uri())
    rows = page.locator("table.entries tbody tr")
    assert rows.count() == len(ledger())
    page.locator("#filter").fill("Monte Carlo")
    left = [row for row in ledger() if "monte carlo" in " ".join(row.values()).lower()]
    assert 0 < len(left) < len(ledger())
    assert rows.locator("visible=true").count() == len(left)
    page.locator("#filter").fill(page.locator("#filter").get_attribute("placeholder"))
    shown = rows.locator("visible=true").all_inner_texts()
    asked = [row["document"] == "klie2024" and row["verdict"] == "defect"
             and bool(re.search(r"\bTable 3\b", row["place"]))
             for row in ledger()]  # fmt: skip
    assert sum("Table 3" in text.split("\t")[0] for text in shown) == sum(asked) > 0
    assert all("defect" in text for text in shown)
    headings = page.locator("article h2").locator("visible=true").all_inner_texts()
    assert [text.rstrip("#\n ") for text in headings] == ["Klie et al. 2024"]
    page.close()


@pytest.mark.parametrize(("asked", "document", "place"), TOLD["entries"])
def test_entries_of_a_place(context, asked, document, place):
    page = context.new_page()
    page.goto((SITE / "entries.html").as_uri())
    page.locator("#filter").fill(asked)
    shown = page.locator("table.entries tbody tr").locator("visible=true")
    parts = ("place", "quantity", "printed") if "Eq" in place else ("place",)
    form = re.compile(rf"\b{place}(?!\d)")
    places = [row["place"] for row in ledger() if row["document"] == document
              and any(form.search(row[part]) for part in parts)]  # fmt: skip
    assert [text.split("\t")[0] for text in shown.all_inner_texts()] == places != []
    page.close()


def test_entries_by_the_beginning_of_a_number_and_by_nothing(context):
    page = context.new_page()
    page.goto((SITE / "entries.html").as_uri())
    shown = page.locator("table.entries tbody tr").locator("visible=true")
    page.locator("#filter").fill("620")
    assert any("620.491" in text for text in shown.all_inner_texts())
    page.locator("#filter").fill("zebra")
    assert page.locator("#left").inner_text() == "No entry has all these words"
    page.locator("#filter").fill("klie similarly")
    assert not any("exact value" in text for text in shown.all_inner_texts())
    assert "computed 0.1857" in "".join(shown.all_inner_texts())
    page.close()


def test_focus_returns_from_the_menu(context):
    page = context.new_page()
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto((SITE / "index.html").as_uri())
    menu = page.locator("#pst-primary-sidebar-modal")
    page.locator(".primary-toggle").click()
    assert menu.evaluate("one => one.open")
    page.keyboard.press("Escape")
    page.wait_for_function("document.activeElement.matches('.primary-toggle')")
    assert not menu.evaluate("one => one.open")
    page.close()


@pytest.mark.parametrize("name", ["audit_a_batch", "your_labels"])
def test_options_stay_with_their_values_on_a_phone(context, name):
    page = context.new_page()
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto((SITE / "notebooks" / f"{name}.html").as_uri())
    lines = page.locator("pre .option").evaluate_all(
        "all => all.filter(one => one.textContent.length < 30).map(one =>"
        " one.offsetHeight / parseFloat(getComputedStyle(one).fontSize))"
    )
    assert len(lines) > 10 and max(lines) < 2
    page.close()


def test_the_shadow_of_a_wide_table_is_seen(context):
    """Cells have a colour of their own, and let it through."""
    page = context.new_page()
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto((SITE / "notebooks" / "klie2024_05_datasets.html").as_uri())
    table = page.locator(".cell_output table.dataframe").last
    table.locator("tbody tr").nth(1).scroll_into_view_if_needed()
    page.mouse.move(0, 0)
    box = page.locator(".cell_output .text_html").last.bounding_box()
    edge = {"x": box["x"] + box["width"] - 4, "y": 300, "width": 4, "height": 60}

    def drawn():
        return page.screenshot(clip=edge)

    seen = drawn()
    page.add_style_tag(content=".text_html { background: #fff !important }")
    assert drawn() != seen
    page.close()


def test_cards_of_the_front_page_lead_on(context):
    page = context.new_page()
    page.goto((SITE / "index.html").as_uri())
    cards = page.locator(".cards > div")
    assert cards.count() == 3
    for k, word in enumerate(
        ("accept at 10 errors", "with its interval", "guess, then try")
    ):
        page.goto((SITE / "index.html").as_uri())
        cards.nth(k).get_by_role("link").first.click()
        page.wait_for_load_state("load")
        text = page.locator("article").get_by_text(word).first
        box = text.bounding_box()
        assert 0 <= box["y"] < 1.5 * page.viewport_size["height"]  # without a search
    page.close()


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("name", KINDS)
def test_axe_finds_nothing(context, name, width):
    page = context.new_page()
    page.set_viewport_size({"width": width, "height": 900})
    page.goto((SITE / f"{name}.html").as_uri(), wait_until="load")
    found = Axe().run(page)
    page.close()
    assert found.violations_count == 0, found.generate_report()


def test_a_page_without_formulas_weighs_little():
    """Before images: what the page and the files that it names hold."""
    page = SITE / "notebooks" / "ledger.html"
    text = page.read_text(encoding="utf-8")
    named = re.findall(r'(?:<script[^>]*src|<link[^>]*href)="([^"?#]+)', text)
    files = {(page.parent / unquote(name)).resolve() for name in named}
    files = {file for file in files if file.suffix in (".css", ".js")} | {page}
    size = sum(file.stat().st_size for file in files)
    assert len(files) > 5 and size < 1_500_000


def test_a_notebook_can_be_downloaded(context):
    page = context.new_page()
    page.goto((SITE / "notebooks" / "klie2024_01_workflow.html").as_uri())
    links = page.locator(".download a")
    told = ["Download", "The document", "Run it with your numbers"]
    assert links.all_inner_texts()[:3] == told
    link = links.first
    file = Path(unquote(urlsplit(link.evaluate("a => a.href")).path))
    source = ROOT / "notebooks" / "klie2024_01_workflow.ipynb"
    assert file.read_bytes() == source.read_bytes()
    links.nth(2).click()
    page.wait_for_load_state("load")
    papermill = page.locator("section", has_text="papermill").last
    assert 0 <= papermill.bounding_box()["y"] < page.viewport_size["height"]
    page.close()


def test_printing_unfolds_answers_and_folds_them_again(context):
    page = context.new_page()
    page.goto((SITE / "notebooks" / "klie2024_01_workflow.html").as_uri())
    answers = page.locator("article details:not(.hide)")
    opened = "all => all.map(one => one.open)"
    assert answers.count() >= 2
    assert not any(answers.evaluate_all(opened))
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert all(answers.evaluate_all(opened))
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert not any(answers.evaluate_all(opened))
    page.close()


def test_numbers_in_tables_stand_under_each_other(context):
    page = context.new_page()
    page.goto((SITE / "notebooks" / "klie2024_02_quality_levels.html").as_uri())
    aligned = page.locator(".cell_output table.dataframe td").evaluate_all(
        "all => [...new Set(all.map(one => getComputedStyle(one).textAlign))]"
    )
    assert aligned == ["right"]
    page.close()


@pytest.mark.parametrize("word", ["anaesthetists", "proportion_interval"])
def test_search_finds_a_word(context, word):
    page = context.new_page()
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto((SITE / "index.html").as_uri())
    page.keyboard.press("Control+k")
    page.keyboard.type(word)
    page.keyboard.press("Enter")
    first = page.locator("ul.search li a").first
    first.wait_for(timeout=20_000)
    first.click()
    page.wait_for_load_state("load")
    assert word in page.locator("article").inner_text()
    page.close()


@pytest.fixture
def served():
    """The address of the site on a server, as on the web."""
    quiet = type("Quiet", (SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(quiet, directory=SITE))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_search_on_the_web_shows_where_the_word_stands(context, served):
    page = context.new_page()
    page.goto(f"{served}/search.html?q=anaesthetists")
    excerpt = page.locator("ul.search li p.context").first
    excerpt.wait_for(timeout=20_000)
    assert "anaesthetists" in excerpt.inner_text()
    page.close()
