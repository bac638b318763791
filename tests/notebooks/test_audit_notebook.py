"""What the audit notebook does with a user's files, and the made example beside it."""

import csv
from types import SimpleNamespace

import numpy as np
import pytest

import drawing_oracle as oracle
import labelaudit as la
from labelaudit.files import sheets
from labelaudit.files.filled import read
from labelaudit.files.tables import UnreadableError
from reproduction.machinery import parameters, paths
from reproduction.own_data import audits

STEM = "audit_01_plan_and_run"
LEVELS = [0.05, 0.15, 0.1, 0.1]
PLAN = la.single_plan(la.QualityLevels(*LEVELS), 120)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(paths.FIGURES_VARIABLE, str(tmp_path / "saved"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def blank(seed=1):
    """A blank sheet as text."""
    told = sheets.about(PLAN, kind="single", seed=seed)
    return sheets.texts(la.inspection_sheet(PLAN, seed=seed), told)[0]


# What is brought ------------------------------------------------------------------


def test_with_a_list_the_lots_size_is_the_lists(folder):
    (folder / "mine.txt").write_text("a\nb\nc\n", encoding="utf-8")
    values = parameters.as_published(STEM) | {"lot_size": 10, "items_file": "mine.txt"}
    assert audits.lot(SimpleNamespace(**parameters.checked(values)))[1] == 3
    with pytest.raises(ValueError, match="lot_size must be large enough"):
        parameters.checked(values | {"items_file": ""})


def test_a_sheet_with_outcomes_is_never_written_over(folder, capsys):
    audits.keep("audit_sheet.csv", blank())
    path = folder / "saved" / "audit_sheet.csv"
    assert read(path).outcomes == []
    audits.keep("audit_sheet.csv", blank(seed=2))  # a blank one may go
    assert read(path).seed == 2
    lines = path.read_text(encoding="utf-8-sig").split("\n")
    step, item, _, rest = lines[1].split(",", 3)
    lines[1] = f"{step},{item},1,{rest}"
    for text in ("\n".join(lines), "notes of somebody\n"):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(FileExistsError, match="is left as it is: move it"):
            audits.keep("audit_sheet.csv", blank())
        assert path.read_text(encoding="utf-8") == text
    assert "saved as audit_sheet.csv\n" in capsys.readouterr().out


def asked(**given):
    values = {"items_file": "", "outcomes_file": "", "kind": "single", "seed": 1}
    values |= {"lot_size": 120, "example_rate": 0.05}
    return SimpleNamespace(**values | given)


def test_outcomes_are_simulated_read_or_not_there_yet(folder, capsys):
    sheet = la.inspection_sheet(PLAN, seed=1)
    _, made = audits.outcomes(asked(), PLAN, sheet, None)
    bad = set(np.flatnonzero(audits.wrong(120, 0.05)) + 1)
    assert made == [item in bad for item in sheet["item"]][: len(made)]
    assert PLAN.decide(made).verdict != "continue"
    assert "EXAMPLE, made up: 6 of 120" in capsys.readouterr().out
    listed = [f"i{k}" for k in range(120)]
    _, none = audits.outcomes(asked(items_file="mine.csv"), PLAN, sheet, listed)
    assert none == []
    assert "No outcomes yet" in capsys.readouterr().out
    (folder / "mine.csv").write_text(blank(), encoding="utf-8")
    mine = asked(outcomes_file="mine.csv")
    plan, none = audits.outcomes(mine, PLAN, sheet, None)
    assert (plan, none) == (PLAN, [])
    with pytest.raises(UnreadableError, match="its seed is 1, not 2"):
        audits.outcomes(asked(outcomes_file="mine.csv", seed=2), PLAN, sheet, None)


def test_the_notebook_on_a_users_files(folder):
    """Semicolons, a byte-order mark, a filled sheet: twice through papermill."""
    papermill = pytest.importorskip("papermill")
    names = [f"{k:03d}" for k in range(1, 121)]
    lines = "".join(f'{n};"text; {n}"\r\n' for n in names)
    (folder / "items.csv").write_bytes(("\ufeffid;text\r\n" + lines).encode())
    given = {"items_file": "items.csv", "item_column": "id", "levels": LEVELS}
    given |= {"kind": "single", "seed": 5}

    def run(**more):
        papermill.execute_notebook(
            str(paths.notebook(STEM)),
            str(folder / "out.ipynb"),
            parameters=given | more,
            kernel_name="python3",
            progress_bar=False,
            cwd=str(folder),
        )

    saved = folder / "saved" / "audit_report.txt"
    run()
    assert not saved.exists()
    sheet = folder / "saved" / "audit_sheet.csv"
    cells = list(csv.reader(sheet.read_text(encoding="utf-8-sig").splitlines()))
    order = oracle.drawn(120, PLAN.max_sample, 5)
    assert [row[1] for row in cells[1:]] == [names[k] for k in order]
    for row in cells[1:]:
        assert row[2] == f"text; {row[1]}"
        row[1], row[3] = str(int(row[1])), "n"
    with (folder / "filled.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=";").writerows(cells)
    run(outcomes_file="filled.csv")
    found = la.audit(PLAN, [0] * PLAN.max_sample)
    report = found.report(kind="single", seed=5) + "\n"
    assert saved.read_text(encoding="utf-8") == report
    # Drawing the sheet once more does not lose the verdict.
    run()
    assert saved.read_text(encoding="utf-8") == report
