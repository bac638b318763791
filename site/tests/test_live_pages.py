"""The pages that compute in the browser, against the library and the grid."""

import json
import math
import random
import re
import subprocess
import tomllib

import pytest

from conftest import HERE, ROOT, SITE

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
COMMAND = """
from labelaudit.files.ratings import collection

found = []
for file in json.load(sys.stdin):
    try:
        ratings = collection(file).ratings
    except ValueError as refused:
        found.append(str(refused))
        continue
    names = ("bennett_s", "fleiss_kappa", "krippendorff_alpha", "janson_olsson_iota")
    of = [getattr(la, name)(ratings) for name in (*names, "gwet_ac1")]
    found.append([one.value for one in of])
print(json.dumps(found))
"""
TOLD = json.loads((HERE / "tables.json").read_text(encoding="utf-8"))


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


@pytest.fixture(scope="module")
def told():
    """Values and chances, by tables.json: of the same, and of each that is judged."""
    judged = [rows for _, _, rows, _ in TOLD["judged"]]
    return library(RELIABLE, [TOLD["same"], *judged])


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
        words = ["no error", "1 error or none"][found[1] : found[1] + 1]
        words = words or [f"{found[1]} errors or fewer"]
        assert f"with {words[0]}." in page.locator("#said").inner_text()
        for shown, risk in ((producer, found[2]), (consumer, found[3])):
            percent = float(shown.removesuffix(" %"))
            assert percent == pytest.approx(100 * risk, rel=6e-4, abs=1e-7), lot
        assert page.locator("#drawn svg polyline").count() == 2


def test_batches_that_are_too_small_or_no_number_are_answered(page):
    page.goto((SITE / "plan_designer.html").as_uri())
    page.locator(".choices input").fill("10")
    assert "tells them apart" in page.locator("#said").inner_text()
    assert page.locator("#next").is_visible()
    for wrong in ("", "9", "12.5", "1000001", "5.000", "12.000", "1e3"):
        page.locator(".choices input").fill(wrong)
        assert "without points" in page.locator("#said").inner_text()
        assert not page.locator("#next").is_visible()
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
    page.locator("#about").get_by_text("299 items").wait_for(timeout=20_000)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    printed = re.findall(r"^[a-z_0-9]+ +(-?\d\.\d{3}) ", readme, re.MULTILINE)
    shown = page.locator("table.coefficients tbody tr td:nth-child(3)")
    assert shown.all_inner_texts() == printed
    assert len(printed) == 5


@pytest.mark.parametrize(
    ("text", "said"),
    [(text, said) for text, said, _ in TOLD["refused"]],
)
def test_tables_that_are_not_read_are_answered(page, text, said):
    page.goto((SITE / "how_reliable.html").as_uri())
    page.locator("textarea").fill(text)
    told = page.locator("#said").inner_text()
    assert told.startswith("No coefficients. ") and said in told
    assert coefficients(page) == []
    buttons = next(buttons for one, _, buttons in TOLD["refused"] if one == text)
    assert page.locator("#ways button").all_inner_texts() == buttons


@pytest.mark.parametrize(("text", "noted"), TOLD["read"])
def test_tables_of_many_forms_are_one_table(page, told, text, noted):
    """All of them have the same judgments."""
    page.goto((SITE / "how_reliable.html").as_uri())
    page.locator("textarea").fill(text)
    for shown, of in zip(coefficients(page), told[0], strict=True):
        assert shown == pytest.approx(of, abs=1e-9)
    assert noted in page.locator("#note").inner_text()
    for place in ("#about", "#paper"):
        assert ", 2 raters, " in page.locator(place).inner_text()


def corpora():
    """By name: tables of the command's tests, also with the first column called item,
    the examples, and the cases of this page.
    """
    texts = {}
    first = re.compile(r'"?[^,;\t|"\n]*"?(?=[,;\t|])')
    for file in sorted((ROOT / "tests" / "data" / "files").glob("*.toml")):
        for name, case in tomllib.loads(file.read_text(encoding="utf-8")).items():
            text = case.get("text") if isinstance(case, dict) else None
            if isinstance(text, str):
                texts[f"{file.stem}: {name}"] = text
                text = text.lstrip()
                if "item" not in text.split("\n")[0].lower():
                    renamed = first.sub("item", text, count=1)
                    texts[f"{file.stem}, item: {name}"] = renamed
    for file in sorted((ROOT / "data" / "examples").rglob("*.csv")):
        texts[file.name] = file.read_text(encoding="utf-8")
    cases = TOLD["refused"] + TOLD["read"] + TOLD["judged"]
    return texts | {f"page: {text}": text for text, *_ in cases}


PUT_IN = """texts => texts.map(text => {
    const root = document.getElementById("reliable");
    root.querySelector("textarea").value = text;
    root.querySelector("textarea").dispatchEvent(new Event("input"));
    const rows = [...root.querySelectorAll(".coefficients tbody tr")];
    const note = root.querySelector("#note").textContent;
    return [rows.map(row => Number(row.dataset.value)), note];
})"""


def test_what_the_page_reads_the_command_reads_so(page, tmp_path):
    """But for what the command refuses in the words that tables.json calls unseen, and
    the page knows a column annotator.
    """
    texts = corpora()
    files = [tmp_path / f"{k}.csv" for k, _ in enumerate(texts)]
    for file, text in zip(files, texts.values()):
        file.write_text(text, encoding="utf-8", newline="")
    page.goto((SITE / "how_reliable.html").as_uri())
    found = page.evaluate(PUT_IN, [*texts.values()])
    read = {
        name: (shown, wanted)
        for name, (shown, note), wanted in zip(
            texts, found, library(COMMAND, [*map(str, files)]), strict=True
        )
        if shown and "Raters are those" not in note
    }
    unseen = {name: said for name, (_, said) in read.items() if isinstance(said, str)}
    for why in TOLD["unseen"]:
        said = {name for name, one in unseen.items() if re.search(why, one)}
        assert said, why
        read = {name: both for name, both in read.items() if name not in said}
    for name, (shown, wanted) in read.items():
        assert wanted == pytest.approx(shown, abs=1e-9, nan_ok=True), name


@pytest.mark.parametrize("at", range(len(TOLD["judged"])))
def test_judgments_of_a_table(page, told, at):
    """Those of a table, after a press, if any, on what is to be done with columns."""
    text, press, _, noted = TOLD["judged"][at]
    page.goto((SITE / "how_reliable.html").as_uri())
    page.locator("textarea").fill(text)
    if press:
        page.get_by_role("button", name=press).click()
        assert page.evaluate("document.activeElement.id") == "said"
    for shown, of in zip(coefficients(page), told[at + 1], strict=True):
        assert shown == pytest.approx(of, abs=1e-9)
    assert page.locator("#note").inner_text() == noted


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (
            "item,ann,ben\n1,Ä,Ä\n2,b,b".encode("latin-1"),
            "not UTF-8: save it as CSV",
        ),
        (b"PK\x03\x04\x00\x00", "an Excel workbook or another zip archive"),
        ("item,ann,ben\n1,Ä,Ä\n2,b,b".encode("utf-16"), "alpha 1.000, agreement 100 %"),
        ("item,ann,ben\n1,Ä,Ä\n2,b,b".encode("utf-8-sig"), "alpha 1.000, agreement"),
    ],
)
def test_files_are_decoded_or_refused(page, tmp_path, data, said):
    page.goto((SITE / "how_reliable.html").as_uri())
    page.locator("textarea").fill("")
    (tmp_path / "file.csv").write_bytes(data)
    page.locator("input[type=file]").set_input_files(tmp_path / "file.csv")
    page.locator("#said").get_by_text(said).wait_for(timeout=20_000)


@pytest.mark.parametrize("width", [390, 1280])
def test_what_changes_stays_in_view(page, width):
    page.set_viewport_size({"width": width, "height": 700})
    page.goto((SITE / "how_reliable.html").as_uri())
    was = page.locator("#said").inner_text()
    page.get_by_role("button", name="rude, ben on c11").or_(
        page.get_by_role("button", name="fine, ben on c11")
    ).click()
    page.evaluate("document.querySelector('.labels tfoot').scrollIntoView()")
    alpha = re.match("alpha (\\S+),", was)[1]
    assert f"(before {alpha}), agreement " in page.locator("#said").inner_text()
    for _ in range(2):
        page.wait_for_timeout(300)
        head = page.locator(".bd-header-article").bounding_box()
        box = page.locator("#said").bounding_box()
        assert head["y"] + head["height"] <= box["y"] + 8
        assert box["y"] + box["height"] < 350
        page.locator("textarea").fill("item,ann,ben\n1,x,x\n2,x,y")
        page.locator("#table").scroll_into_view_if_needed()


@pytest.mark.parametrize(("text", "listed", "warning"), TOLD["labels"])
def test_labels_are_listed_and_doubtful_ones_named(page, text, listed, warning):
    page.goto((SITE / "how_reliable.html").as_uri())
    page.locator("textarea").fill(text)
    assert page.locator("#labels").inner_text().split("\n") == [listed, warning]


def test_the_sentence_for_a_paper_has_the_commands_numbers(page):
    page.goto((SITE / "how_reliable.html").as_uri())
    file = ROOT / "data" / "examples" / "labels" / "three_raters.csv"
    page.locator("input[type=file]").set_input_files(file)
    page.get_by_text("For a paper: 200 items").wait_for(timeout=20_000)
    text = (ROOT / "notebooks" / "your_labels.md").read_text(encoding="utf-8")
    printed = re.search(r"three_raters.csv: .*?random sample", text, re.DOTALL)[0]
    numbers = re.findall(r"[\d.]*\d", re.sub(r"\(95 .*?\)", "", printed))
    assert re.findall(r"[\d.]*\d", page.locator("#paper").inner_text()) == numbers


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
