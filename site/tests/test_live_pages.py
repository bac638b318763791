"""The two pages that compute in the browser, against the library and the grid."""

import json
import math
import subprocess

import pytest

from conftest import ROOT, SITE

TABLES = [
    (40, 9, 6, 45),
    (80, 10, 5, 5),
    (0, 0, 0, 7),
    (5, 0, 0, 0),
    (0, 3, 4, 0),
    (1, 0, 0, 1),
    (25, 25, 25, 25),
    (1, 2, 3, 999_999),
    (0, 1, 0, 0),
    (0, 0, 12, 0),
    (2, 0, 1, 0),
]
NAMES = {
    "Bennett's S": "bennett_s",
    "Scott's pi": "scott_pi",
    "Cohen's kappa": "cohen_kappa",
    "Krippendorff's alpha": "krippendorff_alpha",
    "Gwet's AC1": "gwet_ac1",
}
# The library lives in another environment than the browser's driver.
LIBRARY = """
import json, sys, warnings
import labelaudit as la
warnings.simplefilter("ignore")
tables, names = json.load(sys.stdin)


def of(la, name, ratings):
    agreement = getattr(la, name)(ratings)
    return [agreement.value, agreement.expected]


found = []
for aa, ab, ba, bb in tables:
    rows = [("A", "A")] * aa + [("A", "B")] * ab + [("B", "A")] * ba + [("B", "B")] * bb
    ratings = la.Ratings.from_matrix(rows, labels=["A", "B"])
    found.append({k: of(la, f, ratings) for k, f in names.items()})
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def expected():
    done = subprocess.run(
        [ROOT / ".venv" / "bin" / "python", "-c", LIBRARY],
        input=json.dumps([TABLES, NAMES]),
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    return json.loads(done.stdout)


@pytest.fixture
def page(context):
    page = context.new_page()
    yield page
    page.close()


@pytest.mark.parametrize("at", range(len(TABLES)), ids=map(str, TABLES))
def test_coefficients_are_the_librarys(page, expected, at):
    page.goto((SITE / "two_by_two.html").as_uri())
    inputs = page.locator(".cells input")
    for k, count in enumerate(TABLES[at]):
        inputs.nth(k).fill(str(count))
    rows = page.locator("table.coefficients tbody tr").evaluate_all(
        "all => all.map(r => [r.querySelector('th').textContent, r.dataset.value,"
        " r.dataset.expected,"
        " r.cells[2].textContent])"
    )
    assert [name for name, *_ in rows] == list(NAMES)
    for name, value, chance, shown in rows:
        wanted, by_chance = expected[at][name]
        assert float(chance) == pytest.approx(by_chance, abs=5e-7), name
        if math.isnan(wanted):
            assert (value, shown) == ("NaN", "undefined"), name
        else:
            assert float(value) == pytest.approx(wanted, abs=5e-7), name
            assert float(shown.replace("\u2212", "-")) == pytest.approx(
                wanted, abs=6e-4
            )


def test_wrong_counts_are_answered_with_a_sentence(page):
    page.goto((SITE / "two_by_two.html").as_uri())
    for text in ("-1", "1.5", ""):
        page.locator(".cells input").first.fill(text)
        said = page.locator("#said").inner_text()
        assert said == '"both say A" must be a whole number from 0 to 1,000,000.'
        assert page.locator("table.coefficients tbody tr").count() == 0
    for k in range(4):
        page.locator(".cells input").nth(k).fill("0")
    assert "No items" in page.locator("#said").inner_text()


def test_buttons_set_tables(page):
    page.goto((SITE / "two_by_two.html").as_uri())
    page.get_by_role("button", name="all alike").click()
    assert "agree on 100.0 %" in page.locator("#said").inner_text()
    assert page.locator("table.coefficients tbody td").nth(1).inner_text() == "1.000"


def test_every_choice_of_the_designer_is_shown(page):
    grid = json.loads(
        (ROOT / "data" / "teaching" / "plans.json").read_text(encoding="utf-8")
    )
    page.goto((SITE / "plan_designer.html").as_uri())
    selects = page.locator(".choices select")
    for key, found in grid.items():
        good, bad, alpha, beta, lot = key.split()
        for k, value in enumerate((good, bad, f"{alpha} {beta}", lot)):
            selects.nth(k).select_option(value)
        rates = (f"{100 * float(rate):g}%" for rate in (good, bad, alpha, beta))
        asked = "--p-a {} --p-r {} --alpha {} --beta {}".format(*rates)
        command = f".venv/bin/labelaudit plan {asked} --lot-size {lot}"
        assert page.locator("#command").inner_text() == command
        rows = page.locator("table.plans tbody tr")
        shown = rows.first.locator("td").all_inner_texts()
        plans = [p for p in found["plans"].values() if "none" not in p]
        most = [int(text.replace(",", "")) for text in shown if text != "none"]
        assert most == [plan["most"] for plan in plans], key
        starred = "*" in rows.last.inner_text() + rows.nth(3).inner_text()
        missed = any(
            plan["producer"] > float(alpha) or plan["consumer"] > float(beta)
            for plan in plans
        )
        assert starred == missed == ("promised" in page.locator("#note").inner_text())
        assert page.locator("#drawn svg polyline").count() == 2 * len(plans)


def test_what_was_not_computed_is_answered_with_a_sentence(page):
    page.goto((SITE / "plan_designer.html").as_uri())
    page.locator(".choices select").nth(0).select_option("0.05")
    page.locator(".choices select").nth(1).select_option("0.03")
    assert "at least 1.75 times as bad" in page.locator("#said").inner_text()
    assert not page.locator("#command").is_visible()
    assert page.locator("#drawn svg").count() == 0


def test_bars_show_what_is_by_chance_beyond_it_and_short_of_it(page):
    """Shares of S, whose chance is one half: grey, blue and orange, in percent."""
    page.goto((SITE / "two_by_two.html").as_uri())
    inputs = page.locator(".cells input")
    for cells, shown in (
        ((40, 10, 10, 40), ("50%", "30%", "0%")),
        ((20, 40, 40, 0), ("20%", "0%", "30%")),
    ):
        for k, count in enumerate(cells):
            inputs.nth(k).fill(str(count))
        bars = page.locator("td.bars").first.locator("i")
        widths = bars.evaluate_all("all => all.map(bar => bar.style.width)")
        assert [f"{float(width[:-1]):.6g}%" for width in widths] == list(shown)
