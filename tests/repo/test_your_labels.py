"""The page on your own labels: its code runs (test_walkthroughs.py: its commands)."""

import subprocess
import sys
import textwrap

import numpy as np
import pandas as pd
import pytest

import labelaudit as la
from walkthrough import blocks, page

CODE = blocks(page("your_labels.md"), "python")


def test_the_code_runs():
    names = {}
    *lines, last = CODE[0].strip().splitlines()
    exec("\n".join(lines), names)
    items, kappa = eval(last, names)
    agreed, yes = 0.91, (0.65, 0.64)
    chance = yes[0] * yes[1] + (1 - yes[0]) * (1 - yes[1])
    assert items == 10**8
    assert kappa == pytest.approx((agreed - chance) / (1 - chance), rel=1e-12)
    assert isinstance(names["r"], la.Ratings)


@pytest.fixture
def judged(tmp_path, monkeypatch):
    """Labels with gaps in both shapes, where the code looks for them."""
    random = np.random.default_rng(5)
    given = np.array(["no", "yes", None], dtype=object)
    matrix = given[random.choice(3, (5000, 3), p=[0.5, 0.3, 0.2])]
    wide = pd.DataFrame(matrix, columns=["ann", "bob", "cy"]).rename_axis("item")
    wide.reset_index().to_parquet(tmp_path / "labels.parquet", row_group_size=1000)
    long = wide.stack().rename_axis(["item", "rater"]).rename("label").reset_index()
    long.dropna().to_parquet(tmp_path / "judgments.parquet")
    monkeypatch.chdir(tmp_path)
    return la.krippendorff_alpha(la.Ratings.from_matrix(wide))


def same(code, alpha, folder):
    """The code in a process of its own, since databases and workers leave threads."""
    last = [line for line in code.splitlines() if line][-1]
    indent = last[: len(last) - len(last.lstrip())]
    found = (
        "alpha = la.krippendorff_alpha(r)",
        "print(alpha.value, alpha.standard_error)",
    )
    script = folder / "code.py"
    lines = [code, *(indent + line for line in found)]
    script.write_text("\n".join(lines), encoding="utf-8")
    call = [sys.executable, str(script)]
    done = subprocess.run(call, capture_output=True, text=True, cwd=folder, check=True)
    value, error = done.stdout.splitlines()[-1].split()
    assert float(value) == pytest.approx(alpha.value, abs=1e-12)
    assert float(error) == pytest.approx(alpha.standard_error, rel=1e-9)
    return done.stdout


def test_duckdb_counts_patterns(judged, tmp_path):
    same(CODE[1], judged, tmp_path)
    assert same(CODE[2], judged, tmp_path).startswith("0 Krippendorff's alpha")


# Of processes that begin where one has imported what both need.
WORKERS = """
if __name__ == "__main__":
    import dask
    from dask.distributed import LocalCluster

    dask.config.set({"distributed.worker.multiprocessing-method": "forkserver"})
    on = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    ADDRESS = on.scheduler_address
"""


def test_dask_counts_patterns_with_two_workers(judged, tmp_path):
    same(WORKERS + textwrap.indent(CODE[3], "    "), judged, tmp_path)
