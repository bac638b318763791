"""The repository's own rules."""

import ast
import json
import re
import runpy
import subprocess
import tomllib
from functools import cache

import pandas as pd
import pytest
import yaml
from packaging.version import Version

import labelaudit
from reproduction.machinery import ledger, notebooks, parameters, paths

STEMS = notebooks.stems()
NOX = runpy.run_path(str(paths.ROOT / "noxfile.py"))
PYPROJECT = tomllib.loads((paths.ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@cache
def cells(stem):
    return notebooks.read(paths.notebook(stem)).cells


def code_cells(stem):
    return [cell for cell in cells(stem) if cell.cell_type == "code"]


def tracked():
    # The clone may be another user's.
    git = ["git", "-c", "safe.directory=*", "ls-files", "-z"]
    names = subprocess.check_output(git, cwd=paths.ROOT, text=True, encoding="utf-8")
    return [paths.ROOT / name for name in names.split("\0") if name]


@pytest.mark.parametrize("stem", STEMS)
def test_notebook_is_executed_in_order_and_clean(stem):
    code = code_cells(stem)
    assert [c.execution_count for c in code] == list(range(1, len(code) + 1))
    assert not any(o.output_type == "error" for c in code for o in c.outputs)
    file = paths.notebook(stem)
    assert notebooks.clean(notebooks.read(file)) == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("stem", STEMS)
def test_notebook_has_one_commented_parameters_cell_that_is_checked_next(stem):
    code = code_cells(stem)
    tags = [c.metadata.get("tags", []) for c in code]
    assert ["parameters" in each for each in tags] == [True] + [False] * (len(code) - 1)
    tree = ast.parse(code[0].source)
    defaults = {n.targets[0].id: ast.literal_eval(n.value) for n in tree.body}
    assert defaults == parameters.as_published(stem)
    parameters.checked(defaults)
    assert all("  # " in line for line in code[0].source.splitlines())
    assert f'run.start("{stem}", globals())' in code[1].source


@pytest.mark.parametrize("stem", STEMS)
def test_notebook_reads_well(stem):
    for cell in code_cells(stem):
        lines = cell.source.splitlines()
        assert max(map(len, lines)) <= 88, lines[0]
        # An object at 0x7f... is at another place in the next run.
        assert not re.search(r" at 0x[0-9a-f]{6,}", json.dumps(cell.outputs))
        assert "from labelaudit." not in cell.source  # users have what is public
    first = cells(stem)[0]
    assert first.cell_type == "markdown" and first.source.startswith("# ")


def test_ledger_is_what_the_notebooks_record():
    stored = pd.read_csv(paths.FIGURES / "ledger.csv")
    assert list(stored.columns) == ledger.COLUMNS
    assert stored.verdict.tolist() == the_ledger().verdict.tolist()
    assert set(stored.verdict) <= set(ledger.VERDICTS)


@cache
def the_ledger():
    return ledger.table()


DOCUMENTS = sorted(file.stem for file in paths.PUBLISHED.glob("*.csv"))


def test_open_rows_say_what_they_need_and_every_deviation_has_a_cause():
    table = the_ledger()
    assert table[table.verdict == "open"].cause.str.startswith("needs ").all()
    deviating = table[table.verdict.isin(["misprint", "defect", "false"])]
    assert (deviating.cause.str.len() > 10).all()
    simulated = table[table.verdict == "monte carlo"]
    assert simulated[["ours", "exact", "standard_error"]].notna().all(axis=None)


def test_differences_shows_the_ledgers_count():
    text = (paths.NOTEBOOKS / "differences.md").read_text(encoding="utf-8")
    verdicts = re.search(r"^\| document \| (.*) \|$", text, re.M)[1].split(" | ")
    rows = re.findall(r"^\| (\w+) \| ([\d |]+) \|$", text, re.M)
    shown = {document: [*map(int, n.split(" | "))] for document, n in rows}
    actual = pd.crosstab(the_ledger().document, the_ledger().verdict)
    assert sorted(shown) == DOCUMENTS == sorted(actual.index)
    for document, counts in shown.items():
        row = actual.loc[document]
        assert counts == [row.get(verdict, 0) for verdict in verdicts]
        assert sum(counts) == row.sum()


def test_environment_names_what_pyproject_names():
    project = PYPROJECT["project"]
    wanted = [*project["dependencies"]]
    for extra in project["optional-dependencies"].values():
        wanted += extra
    text = (paths.ROOT / "environment.yml").read_text(encoding="utf-8")
    text = text.replace("python-duckdb", "duckdb")  # as conda-forge calls it
    listed = re.findall(r"^  - (\S+)$", text.split("dependencies:")[1], re.M)
    assert sorted(listed) == sorted({*wanted, f"python{project['requires-python']}"})


def test_lock_keeps_to_pyprojects_bounds():
    text = (paths.ROOT / "requirements.lock").read_text(encoding="utf-8")
    locked = dict(re.findall(r"^([A-Za-z0-9._-]+)==([0-9.]+)", text, re.M))
    bounds = [one.split(">=") for one in NOX["bounds"]()]
    assert {name for name, _ in bounds} <= set(locked)
    assert {f"flit-core>={dict(bounds)['flit-core']}"} == {
        *PYPROJECT["build-system"]["requires"]
    }

    low = [name for name, least in bounds if Version(locked[name]) < Version(least)]
    assert low == []


def test_no_committed_file_holds_a_machines_path_nor_a_lock_an_address():
    path = re.compile(r"(?<![\w.])/(?:work|root|home|tmp)/\w")
    address = re.compile(r"://|^-", re.M)  # or an option that names one
    for file in tracked():
        if file.suffix != ".svg" and file.is_file():
            text = file.read_text(errors="ignore", encoding="utf-8")
            assert not path.search(text), file
            assert file.name != "requirements.lock" or not address.search(text), file


def test_there_is_one_version():
    version = PYPROJECT["project"]["version"]
    changes = (paths.ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    cited = yaml.safe_load((paths.ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert f"## [{version}] - {cited['date-released']}" in changes
    assert cited["version"] == labelaudit.__version__ == version


def test_workflows_name_actions_by_commit_and_ask_for_few_rights():
    for file in (paths.ROOT / ".github" / "workflows").glob("*.yml"):
        flow = yaml.safe_load(file.read_text(encoding="utf-8"))
        assert flow["permissions"] == {"contents": "read"}  # more is a job's own
        steps = [step for job in flow["jobs"].values() for step in job["steps"]]
        used = [step["uses"] for step in steps if "uses" in step]
        assert used
        assert all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", name) for name in used)
