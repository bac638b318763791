"""What `make check` runs for a change: all that can reach it, and not everything."""

import os
import subprocess
import sys

import pytest

from reproduction.machinery import check, paths, reach, records


@pytest.fixture(autouse=True)
def never_made(monkeypatch, tmp_path):
    """As in a fresh clone, where notebooks count by what they import."""
    monkeypatch.setattr(paths, "RECORDS", tmp_path)


def reached(*names):
    return set(reach.reached({paths.ROOT / name for name in names}))


def test_no_change_reaches_nothing():
    assert reached() == set()
    assert records.inputs("ledger") is None


@pytest.mark.parametrize(
    ("changed", "among", "not_among"),
    [
        (
            "src/labelaudit/agreement/latent.py",
            ["tests/agreement/test_latent.py", "tests/commands/test_pipelines.py",
             "src/labelaudit/agreement/latent.py", "tests/repo"],
            ["tests/plans/test_plans.py", "tests/agreement/test_adjusted.py"],
        ),
        (
            "src/labelaudit/laws/errors.py",
            ["tests/laws/test_errors.py", "tests/plans/test_plans.py",
             "notebooks/klie2024_04_sample_numbers.ipynb"],
            ["tests/agreement/test_adjusted.py"],
        ),
        (
            "src/reproduction/klie2024/panels.py",
            ["tests/reproduction/test_klie_panels.py",
             "notebooks/klie2024_04_sample_numbers.ipynb"],
            ["tests/plans/test_plans.py", "notebooks/lim2022_01_two_kappas.ipynb"],
        ),
        ("tests/optimal_oracles.py", ["tests/plans/test_optimal.py"],
         ["tests/plans/test_plans.py"]),
        ("tests/data/caries.json", ["tests/agreement/test_latent.py"],
         ["tests/plans/test_plans.py"]),
        ("data/published/lim2022.csv", ["notebooks/lim2022_01_two_kappas.ipynb"],
         ["tests/plans/test_plans.py"]),
        ("notebooks/teach_02_two_by_two.ipynb",
         ["notebooks/teach_02_two_by_two.ipynb", "tests/notebooks",
          "tests/reproduction"],
         ["notebooks/teach_01_plan_designer.ipynb"]),
        ("tests/conftest.py", ["tests", "src/labelaudit"], ["tests/repo"]),
    ],
)  # fmt: skip
def test_what_a_change_reaches(changed, among, not_among):
    found = reached(changed)
    assert {*among} <= found
    assert not {*not_among} & found


LOADED = """
import sys
import labelaudit as la
from reproduction.machinery.traced import modules
la.optimal_plan(la.RELAXED, 300)
la.krippendorff_alpha(la.Ratings.from_matrix([["a", "b"], ["a", "a"]] * 9)).interval()
print(*modules(), sep="\\n")
"""


def test_what_is_loaded_is_among_what_is_needed():
    """Lazy names and imports inside functions, beside what a process has loaded."""
    run = [sys.executable, "-c", LOADED]
    done = subprocess.run(run, capture_output=True, text=True, check=True)
    loaded = {paths.ROOT / name for name in done.stdout.splitlines()}
    needed = reach._closed(set(reach._imports(LOADED, paths.TESTS)))
    assert len(loaded) > 20
    assert loaded <= needed
    assert not [path for path in needed if "commands" in path.parts]


def test_wings_are_the_folders_of_tests_and_the_notebooks():
    assert {"laws", "plans", "files", "sweeps", "repo", "notebooks"} <= {*check.wings()}
    assert check.wing("plans") == ["tests/plans", "src/labelaudit/plans"]
    assert check.wing("repo") == ["tests/repo"]
    assert check.wing("notebooks") == ["tests/notebooks", "notebooks"]


@pytest.mark.parametrize(("wing", "evenly"), [("plans", True), ("notebooks", False)])
def test_cells_of_a_notebook_stay_on_one_worker(wing, evenly, monkeypatch):
    calls = []
    monkeypatch.setattr(check, "pytest", lambda *given: calls.append(given))
    monkeypatch.setattr("sys.argv", ["check", "--wing", wing])
    monkeypatch.setattr(os, "environ", dict(os.environ))
    check.main()
    assert (calls[0][-1] == "notebooks") is not evenly
    how = [value for name, value in zip(calls[0], calls[0][1:]) if name == "--dist"]
    assert how[-1] == ("worksteal" if evenly else "loadfile")
