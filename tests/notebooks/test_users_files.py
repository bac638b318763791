"""The two audit notebooks run on files that somebody brings."""

import csv

import pytest

import drawing_oracle as oracle
import labelaudit as la
from reproduction.machinery import notebooks, paths

AUDIT = "audit_01_plan_and_run"
RATED = "audit_02_how_reliable"
LEVELS = [0.05, 0.15, 0.1, 0.1]
PLAN = la.single_plan(la.QualityLevels(*LEVELS), 120)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(paths.FIGURES_VARIABLE, str(tmp_path / "saved"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


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
            str(paths.notebook(AUDIT)),
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
    assert (
        saved.read_text(encoding="utf-8") == found.report(kind="single", seed=5) + "\n"
    )
    # Drawing the sheet once more does not lose the verdict.
    run()
    assert (
        saved.read_text(encoding="utf-8") == found.report(kind="single", seed=5) + "\n"
    )


FILES = {
    "two raters, one label": ("item,a,b\n1,x,x\n2,x,x\n3,x,\n", {}),
    "nobody shares an item": ("item,rater,label\n1,a,x\n2,b,y\n", {}),
    "numbers": (
        "item,a,b,c\n" + "".join(f"{i},{i % 5},{i % 4},{i % 5}.5\n" for i in range(40)),
        {"distance": "interval", "confidence": 0.9},
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_the_notebook_runs_on_other_files(name, tmp_path, monkeypatch):
    pytest.importorskip("papermill")
    text, more = FILES[name]
    path = tmp_path / "mine.csv"
    path.write_text(text, encoding="utf-8")
    monkeypatch.setenv(paths.FIGURES_VARIABLE, str(tmp_path))
    result = notebooks.execute(RATED, tmp_path, {"ratings": str(path)} | more)
    assert result.error == ""
    assert "mine.csv" in (tmp_path / "reliability.html").read_text(encoding="utf-8")
