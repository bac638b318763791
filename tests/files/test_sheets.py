"""Sheets of labelaudit plan: written, filled in by people, read by verdict."""

import csv
import io
import itertools
import re
from contextlib import chdir
from pathlib import Path

import pandas as pd
import pytest

import drawing_oracle as oracle
import known
import labelaudit as la
from filed import check_noted
from known import cases
from labelaudit.commands import main
from labelaudit.files import lots, sheets, sums
from labelaudit.files.filled import read
from regions import quietly

RELAXED = "plan --p-a .02 --p-r .05 --alpha .05 --beta .1"
LIST = "--items items.csv --item id --seed 7"
WRITE = f"{RELAXED} --kind double {LIST} --sheet"
NAMES = [f"{k:04d}" for k in range(1, 301)]
ITEMS = "\ufeffid,text\r\n" + "".join(f'{n},"say, {n}"\r\n' for n in NAMES)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty directory with a list of items, as a spreadsheet saves it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "items.csv").write_bytes(ITEMS.encode())
    return tmp_path


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """What the command writes for a double plan, seed 7."""
    with chdir(tmp_path_factory.mktemp("written")):
        Path("items.csv").write_bytes(ITEMS.encode())
        assert main([*WRITE.split(), "sheet.csv"]) == 0
        return Path("sheet.csv").read_bytes()


@pytest.fixture
def sheet(folder, written):
    (folder / "sheet.csv").write_bytes(written)
    return folder / "sheet.csv"


PLAN = la.double_plan(la.RELAXED, 300)
TOLD = sheets.about(PLAN, kind="double", seed=7)
OURS = sheets.texts(la.inspection_sheet(PLAN, seed=7), TOLD)[0]


def rows(path, separator=","):
    lines = path.read_text(encoding="utf-8-sig").splitlines()
    return [*csv.reader(lines, delimiter=separator)]


def save(path, cells, separator=",", end="\n", encoding="utf-8"):
    out = io.StringIO()
    csv.writer(out, delimiter=separator, lineterminator=end).writerows(cells)
    path.write_bytes(out.getvalue().encode(encoding))


def fill(path, outcomes, **how):
    cells = rows(path)
    for row, outcome in zip(cells[1:], outcomes):
        row[cells[0].index("wrong")] = outcome
    save(path, cells, **how)


# Writing --------------------------------------------------------------------------


def test_the_file_is_the_librarys_sheet(sheet):
    raw = sheet.read_bytes()
    assert raw.startswith(b"\xef\xbb\xbfstep,item,text,wrong,accept_if_at_most,")
    found = pd.read_csv(sheet, dtype={"item": str})
    ours = la.inspection_sheet(PLAN, NAMES, seed=7)
    assert found.item.tolist() == ours.item.tolist()
    assert found.step.tolist() == ours.step.tolist()
    assert found.wrong.isna().all()
    for name in ("accept_if_at_most", "reject_if_at_least"):
        assert found[name].fillna(-9).tolist() == ours[name].fillna(-9).tolist()
    assert found.plan.iloc[0].startswith("kind=double max_sample=")
    assert " items=listed form=2 seed=7 draw=2 beside=text row=" in found.plan.iloc[0]
    check = found.plan.iloc[0].split()[-1]
    assert {cell.split()[-1] for cell in found.plan} == {check}
    sums = [cell.split()[-2] for cell in found.plan]
    assert all(re.fullmatch("row=[0-9a-f]{6}", word) for word in sums)
    assert len(set(sums)) == len(sums)


def test_the_same_seed_gives_the_same_sheet(sheet, folder, call, told):
    assert call(f"{WRITE} again.csv")[0] == 0
    assert (folder / "again.csv").read_bytes() == sheet.read_bytes()
    assert call(f"{WRITE} other.csv --semicolons")[0] == 0
    assert rows(folder / "other.csv", ";") == rows(sheet)
    for name in ("sheet.csv", "other.csv"):
        assert told(f"verdict {name}")["audit"]["verdict"] == "continue"


def test_a_sheet_has_semicolons_as_its_list_has(sheet, folder, call, told):
    """A spreadsheet opens it as it opened the list."""
    text = ITEMS.replace(", ", "| ").replace(",", ";").replace("| ", ", ")
    (folder / "items.csv").write_bytes(text.encode())
    assert call(f"{WRITE} again.csv")[0] == 0
    assert rows(folder / "again.csv", ";") == rows(sheet)
    assert told("verdict again.csv")["audit"]["verdict"] == "continue"
    assert call(f"estimate --half-width 20% {LIST} --sheet few.csv")[0] == 0
    assert rows(folder / "few.csv", ";")[0][:4] == ["step", "item", "text", "wrong"]


def test_without_a_seed_one_is_drawn_told_and_kept(folder, call, told):
    seeds = []
    for name in ("a.csv", "b.csv"):
        status, out, _ = call(f"{RELAXED} --lot-size 300 --sheet {name}")
        assert status == 0
        seeds.append(re.search(r"drawn with seed (\d+)", out)[1])
        assert f"labelaudit verdict {name}" in out
        assert told(f"verdict {name}")["audit"]["seed"] == int(seeds[-1])
    assert seeds[0] != seeds[1]


def test_a_process_is_not_drawn(folder, told):
    found = told(f"{RELAXED} --sheet sheet.csv")
    plan = la.single_plan(la.RELAXED)
    size = {"rows": plan.max_sample, "seed": None, "draw": None}
    assert found["sheet"] == {"path": "sheet.csv", "parts": [], "in_two": 0} | size
    assert [row[1] for row in rows(folder / "sheet.csv")[1:4]] == ["1", "2", "3"]
    fill(folder / "sheet.csv", "0" * plan.max_sample)
    found = told("verdict sheet.csv")
    assert found["lot_size"] is None
    assert found["audit"]["verdict"] == "accept"


RUN = ("=1+1", "@who", "-x", "'=x", "+1-2")
AS_IS = ("-5", "-.5", "+4", "'tis", "+3.5e2", "a=b", 'say "so"; a, b')


def test_a_spreadsheet_has_nothing_to_calculate(folder, call):
    lot, items = NAMES.copy(), RUN + AS_IS
    for place, item in zip(oracle.drawn(300, len(items), 4), items, strict=True):
        lot[place] = item
    (folder / "lot.txt").write_text("\n".join(lot) + "\n", encoding="utf-8")
    assert call(f"{RELAXED} --items lot.txt --sheet s.csv --seed 4")[0] == 0
    for row, item in zip(rows(folder / "s.csv")[1:], items, strict=False):
        assert row[1] == "'" * (item in RUN) + item
    assert tuple(read("s.csv").rows["item"].iloc[: len(items)]) == items


# Reading back ---------------------------------------------------------------------


@pytest.mark.parametrize("verdict", ["accept", "reject", "continue"])
def test_a_filled_sheet_is_the_librarys_audit(sheet, told, verdict):
    wrong = {"accept": [], "reject": range(30), "continue": range(3, 6)}[verdict]
    count = 20 if verdict == "continue" else PLAN.max_sample
    outcomes = [int(k in wrong) for k in range(count)]
    fill(sheet, outcomes)
    found = told("verdict sheet.csv --confidence .9")
    ours = la.audit(PLAN, outcomes, confidence=0.9)
    assert ours.decision.verdict == verdict
    low, high = (None if e != e else e for e in ours.interval)
    assert found["audit"] == {
        "seed": 7,
        "verdict": verdict,
        "inspected": ours.decision.inspected,
        "errors_found": ours.decision.errors_found,
        "rate": ours.rate,
        "confidence": 0.9,
        "low": low,
        "high": high,
        "certain": None,
        "left": ours.left,
        "report": ours.report(kind="double", seed=7),
        "groups": None,
    }
    plain = told(f"{RELAXED} --kind double --lot-size 300")
    del found["audit"]
    assert found == plain


WORDS = "0 1,no yes,NO  Yes,n Y,FALSE TRUE,0.0 1.0,0 X,FALSCH WAHR,0.00 1.00,faux vrai"
WORDS += ",falso verdadero,onwaar waar,falso verdadeiro,falso vero"


@pytest.mark.parametrize("words", [*map(str.split, WORDS.split(",")), ["0,0", "1,0"]])
def test_words_for_right_and_wrong(sheet, words):
    fill(sheet, [words[0], words[1], words[0]])
    assert quietly(read, sheet).outcomes == [False, True, False]


@pytest.mark.parametrize(("words", "wrong", "note"), known.rows("files/doubtful_words"))
def test_how_doubtful_words_are_read_is_said(sheet, call, words, wrong, note):
    """And the words that are offered turn the outcomes round."""
    wrong = [one == "1" for one in wrong.split()]
    fill(sheet, words.split())
    status, _, err = call("verdict sheet.csv")
    assert (status, bool(err)) == (0, bool(note)) and note in err
    if note:
        turned = err.split("--wrong-words ")[1].split()[0]
        status, _, err = call(f"verdict sheet.csv --wrong-words {turned}")
        assert (status, err) == (0, "")
        other = read(sheet, tuple(turned.lower().split(","))).outcomes
        assert other == [not one for one in wrong]
    assert quietly(read, sheet).outcomes == wrong


def test_a_sheet_from_a_spreadsheet(sheet, told):
    """Semicolons, no byte-order mark, 7 for 0007, empty rows, a column of notes."""
    cells = [[*row, ""] for row in rows(sheet)]
    cells[0][-1] = "who"
    for row in cells[1:]:
        row[1] = str(int(row[1]))
    for row in cells[1:6]:
        row[3], row[-1] = "no", "Ann"
    cells += [[""] * 7] * 4
    save(sheet, cells, separator=";", end="\r\n")
    found = told("verdict sheet.csv")
    assert found["audit"]["inspected"] == 5


@cases("files/changed_sheets")
def test_a_sheet_that_was_changed_is_refused(sheet, call, case):
    cells = [*rows(sheet), [""] * 7]
    names = [*cells[0]]
    for row, column, *part, new in case.get("cells", []):
        at = names.index(column)
        cells[row][at] = cells[row][at].replace(*part, new) if part else new
    one, other = case.get("copied", (0, 0))
    cells[other] = cells[one]
    one, other, column = case.get("swapped", (0, 0, "item"))
    at = names.index(column)
    cells[one][at], cells[other][at] = cells[other][at], cells[one][at]
    del cells[slice(*case.get("lost", (0, 0)))]
    save(sheet, cells)
    status, out, err = call("verdict sheet.csv")
    assert (status, out) == (2, "")
    assert err.startswith("labelaudit verdict: sheet.csv")
    assert case["said"] in err


@pytest.mark.parametrize("form", ["{}-{}-{}", "90071992547409{}{}{}"])
def test_items_that_a_spreadsheet_makes_alike_are_compared_as_they_stand(
    folder, call, form
):
    """As dates, or as numbers of 64 bits, one item of the lot would be another."""
    items = [form.format(*at) for at in itertools.product("234567", repeat=3)]
    (folder / "items.csv").write_text("\n".join(["id", *items]), encoding="utf-8")
    assert call(f"{RELAXED} {LIST} --sheet sheet.csv")[0] == 0
    path = folder / "sheet.csv"
    cells = rows(path)
    item = cells[0].index("item")
    there = {row[item] for row in cells}
    row, other = next(
        (k, one)
        for k, cell in enumerate(cells)
        for one in set(items) - there
        if sums.canonical(cell[item]) == sums.canonical(one)
    )
    cells[row][item] = other
    save(path, cells)
    status, _, err = call("verdict sheet.csv")
    assert status == 2 and f"line {row + 1}: not the row that was written" in err


# Lists of items -------------------------------------------------------------------


@cases("files/lists")
def test_lists_as_people_have_them(tmp_path, case, recwarn):
    path = tmp_path / case["file"]
    path.write_bytes(case["text"].encode())
    assert lots.items(path, case.get("column")).index.tolist() == case["items"]
    check_noted(case, recwarn)


def test_columns_of_a_list_that_are_called_as_a_sheets_own(folder):
    names = ["wrong", "wrong (list)", "step (list)", "step", "x"]
    lot = pd.DataFrame([range(5)], columns=names)
    found = sheets.names(lot)
    assert [*found] == names and found["x"] == "x"
    assert len({*found.values(), *sheets.COLUMNS}) == 5 + len(sheets.COLUMNS)


def test_no_option_of_other_commands_is_offered(tmp_path):
    path = tmp_path / "sheet.csv"
    path.write_text("step,item,wrong,,\n1,a,0,x,y\n")
    with pytest.raises(ValueError, match=r"two columns have no name$"):
        read(path)


def test_the_sheet_shows_what_the_list_says_of_each_item(folder, told):
    """Nobody can judge an item by its name; names of columns may be the sheet's."""
    lines = [f"t{i},=text {i},{i % 3},{i}" for i in range(300)]
    (folder / "list.csv").write_text(
        "\n".join(["id,text,wrong,label", *lines]) + "\n", encoding="utf-8"
    )
    told(f"{RELAXED} --items list.csv --item id --sheet s.csv --seed 3")
    sheet = pd.read_csv("s.csv", dtype=str, keep_default_na=False)
    shown = ["step", "item", "text", "wrong (list)", "label", "wrong"]
    assert sheet.columns[:6].tolist() == shown
    number = sheet["item"].str[1:]
    assert (sheet["text"] == "'=text " + number).all()
    assert (sheet["label"] == number).all()
    assert (sheet["wrong (list)"] == (number.astype(int) % 3).astype(str)).all()
    sheet["wrong"] = ["0"] * len(sheet)
    sheet.to_csv("s.csv", index=False)
    found = told("verdict s.csv")
    assert found["audit"]["verdict"] == "accept"


@pytest.mark.parametrize(
    ("name", "text", "more", "said"), known.rows("files/lists_refused")
)
def test_a_list_that_cannot_be_read_is_refused(tmp_path, call, name, text, more, said):
    text = text.format(OURS=OURS, ZIP="PK\x03\x04")
    (tmp_path / name).write_text(text, encoding="utf-8")
    status, out, err = call(f"{RELAXED} {more} --items", tmp_path / name)
    assert (status, out) == (2, "")
    assert said in err
