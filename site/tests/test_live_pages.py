"""The pages that compute in the browser, against the library and the grid."""

import json
import math
import random
import re
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
START = """
import json, sys, warnings
import labelaudit as la
warnings.simplefilter("ignore")
"""
LIBRARY = """
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


SINGLE = """
found = []
for *levels, lot in json.load(sys.stdin):
    plan = la.single_plan(la.QualityLevels(*levels), lot)
    risks = plan.producers_risk, plan.consumers_risk
    found.append([plan.max_sample, plan.accept[-1].item(), *risks])
print(json.dumps(found))
"""
RELIABLE = """
found = []
for rows in json.load(sys.stdin):
    ratings = la.Ratings.from_matrix(rows)
    names = ("bennett_s", "fleiss_kappa", "krippendorff_alpha", "janson_olsson_iota")
    of = [getattr(la, name)(ratings) for name in (*names, "gwet_ac1")]
    found.append([[one.value, one.expected] for one in of])
print(json.dumps(found))
"""


def library(code, given):
    """What the code prints, in the library's environment."""
    done = subprocess.run(
        [ROOT / ".venv" / "bin" / "python", "-c", START + code],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def expected():
    return library(LIBRARY, [TABLES, NAMES])


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


def design(page, good, bad, risks, lot):
    for k, value in enumerate((good, bad, risks)):
        page.locator(".choices select").nth(k).select_option(value)
    page.locator(".choices input").fill(lot)


def test_every_choice_of_the_designer_is_shown(page):
    grid = json.loads(
        (ROOT / "data" / "teaching" / "plans.json").read_text(encoding="utf-8")
    )
    page.goto((SITE / "plan_designer.html").as_uri())
    for key, found in grid.items():
        good, bad, alpha, beta, lot = key.split()
        design(page, good, bad, f"{alpha} {beta}", lot)
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


def test_single_plan_of_any_batch_is_the_librarys(page):
    rng = random.Random(5)
    levels = [(0.02, 0.05, 0.05, 0.1), (0.01, 0.035, 0.01, 0.05), (0.05, 0.1, 0.1, 0.2)]
    lots = [
        50,
        700,
        1300,
        24_799,
        1_000_000,
        *(rng.randint(60, 9000) for _ in range(20)),
    ]
    asked = [(*rng.choice(levels), lot) for lot in lots]
    page.goto((SITE / "plan_designer.html").as_uri())
    for (good, bad, alpha, beta, lot), found in zip(asked, library(SINGLE, asked)):
        design(page, f"{good:g}", f"{bad:g}", f"{alpha:g} {beta:g}", f"{lot}")
        rows = page.locator("table.plans tbody tr").all_inner_texts()
        most, _, _, producer, consumer = [row.split("\t")[1] for row in rows]
        assert int(most.replace(",", "")) == found[0], (lot, found)
        assert f"with {found[1]} errors" in page.locator("#said").inner_text()
        for shown, risk in ((producer, found[2]), (consumer, found[3])):
            percent = float(shown.removesuffix(" %"))
            assert percent == pytest.approx(100 * risk, rel=6e-4, abs=1e-7), lot
        assert page.locator("#drawn svg polyline").count() == 2


def test_batches_that_are_too_small_or_no_number_are_answered(page):
    page.goto((SITE / "plan_designer.html").as_uri())
    page.locator(".choices input").fill("10")
    assert "tells them apart" in page.locator("#said").inner_text()
    for wrong in ("", "9", "12.5", "1000001"):
        page.locator(".choices input").fill(wrong)
        assert "from 10 to 1,000,000" in page.locator("#said").inner_text()
        assert page.locator("#drawn svg").count() == 0


def coefficients(page):
    return page.locator("table.coefficients tbody tr").evaluate_all(
        "all => all.map(r => [r.dataset.value, r.dataset.expected].map(Number))"
    )


def random_rows(seed):
    """Labels by item and rater, some missing."""
    rng = random.Random(seed)
    raters, labels = rng.randint(2, 6), "abcde"[: rng.randint(1, 5)]
    return [
        [rng.choice([*labels, None, labels[0]]) for _ in range(raters)]
        for _ in range(rng.randint(8, 40))
    ]


def test_coefficients_of_any_table_are_the_librarys(page):
    tables = [random_rows(seed) for seed in range(30)]
    page.goto((SITE / "how_reliable.html").as_uri())
    for rows, wanted in zip(tables, library(RELIABLE, tables)):
        lines = [["item", *(f"r{k}" for k in range(len(rows[0])))]]
        lines += [[f"i{k}", *(one or "" for one in row)] for k, row in enumerate(rows)]
        text = "\n".join(",".join(line) for line in lines)
        page.locator("textarea").fill(text)
        for shown, of in zip(coefficients(page), wanted, strict=True):
            assert shown == pytest.approx(of, abs=1e-9, nan_ok=True), text


def test_pressing_a_label_changes_one_judgment(page):
    rows = [[a, b] for a, b in zip("yynny", "ynnny")]
    after = [["n", "y"], *rows[1:]]
    page.goto((SITE / "how_reliable.html").as_uri())
    text = "\n".join(f"i{k},{a},{b}" for k, (a, b) in enumerate(rows))
    page.locator("textarea").fill(f"item,ann,ben\n{text}")
    old, new = library(RELIABLE, [rows, after])
    page.get_by_role("button", name="y, ann on i0").click()
    assert page.get_by_role("button", name="n, ann on i0").count() == 1
    for shown, of in zip(coefficients(page), new, strict=True):
        assert shown == pytest.approx(of, abs=1e-9)
    before = page.locator("table.coefficients tbody tr td:last-child")
    shown = [float(one.replace("\u2212", "-")) for one in before.all_inner_texts()]
    assert shown == pytest.approx([value for value, _ in old], abs=6e-4)
    # Ann says of items 0 to 4 n, y, n, n, y where Ben says y, n, n, n, y.
    shares = page.locator("table.labels tfoot td").all_inner_texts()
    assert shares == ["60.0 %", "60.0 %"]


def test_an_example_file_gives_what_the_readme_prints(page):
    page.goto((SITE / "how_reliable.html").as_uri())
    file = ROOT / "data" / "examples" / "ratings.csv"
    page.locator("input[type=file]").set_input_files(file)
    page.get_by_text("299 items").wait_for(timeout=20_000)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    printed = re.findall(r"^[a-z_0-9]+ +(-?\d\.\d{3}) ", readme, re.MULTILINE)
    shown = page.locator("table.coefficients tbody tr td:nth-child(3)")
    assert shown.all_inner_texts() == printed
    assert len(printed) == 5


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a row of names and a row for each item"),
        ("item\n1", "commas, semicolons or tabs"),
        ("item,ann,ben\n1,a", "Row 2 has 2 cells where the first has 3"),
        ('item,ann,ben\n1,"a",b', "in quotes"),
        ("item,ann,ben\n1,a,", "nothing to agree on"),
        ("item,rater,label\n1,ann,a\n1,ann,b", "ann judged 1 twice"),
    ],
)
def test_tables_that_are_not_read_are_answered(page, text, said):
    page.goto((SITE / "how_reliable.html").as_uri())
    page.locator("textarea").fill(text)
    assert said in page.locator("#said").inner_text()
    assert coefficients(page) == []


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
