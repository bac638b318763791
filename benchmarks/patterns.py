"""Time coefficients of labels that a database counts: `python benchmarks/patterns.py`.

Ten million judgments of three raters, with gaps, lie in a Parquet file with one row per
item. Each way goes from the file to Krippendorff's alpha in a process of its own:
patterns counted by DuckDB, by Dask's DataFrame on two workers, the whole table read by
pandas, and by the package krippendorff. Peak memory is the process's, above what its
imports take; of Dask's workers it is not measured.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
from clock import peak_bytes

HERE = Path(__file__).resolve()
RATERS = ["ann", "bob", "cy"]
ITEMS = 3_700_000  # of which nine judgments in ten are there
SAME = 1e-9


def write(path: Path) -> int:
    """The file; the number of judgments in it."""
    random = np.random.default_rng(4)
    truth = random.integers(3, size=(ITEMS, 1))
    knows = random.random((ITEMS, 3)) < 0.7
    label = np.where(knows, truth, random.integers(3, size=(ITEMS, 3)))
    label[random.random((ITEMS, 3)) < 0.1] = -1
    names = [pd.Categorical.from_codes(label[:, k], ["a", "b", "c"]) for k in range(3)]
    table = pd.DataFrame(dict(zip(RATERS, names))).astype("string")
    table.to_parquet(path, row_group_size=500_000)
    return int((label >= 0).sum())


def by_duckdb(path: str) -> float:
    import duckdb

    import labelaudit as la

    columns = ", ".join(RATERS)
    query = f"SELECT {columns}, count(*) AS n FROM '{path}' GROUP BY ALL"
    table = duckdb.sql(query).df()
    r = la.Ratings.from_patterns(table[RATERS], table["n"])
    return la.krippendorff_alpha(r).value


def by_dask(path: str) -> float:
    import dask.dataframe as dd
    from dask.distributed import Client

    import labelaudit as la

    with Client(n_workers=2, threads_per_worker=1, dashboard_address=None):
        table = dd.read_parquet(path, columns=RATERS, split_row_groups=True)
        table = table.groupby(RATERS, dropna=False).size().compute()
    table = table.reset_index(name="n")
    r = la.Ratings.from_patterns(table[RATERS], table["n"])
    return la.krippendorff_alpha(r).value


def whole(path: str) -> float:
    import labelaudit as la

    return la.krippendorff_alpha(la.Ratings.from_matrix(pd.read_parquet(path))).value


def by_krippendorff(path: str) -> float:
    import krippendorff

    table = pd.read_parquet(path)
    codes = {"a": 0.0, "b": 1.0, "c": 2.0}
    data = table.apply(lambda column: column.map(codes)).to_numpy(dtype=float).T
    return krippendorff.alpha(reliability_data=data, level_of_measurement="nominal")


WAYS = {
    "patterns counted by DuckDB": by_duckdb,
    "patterns counted by Dask, two workers": by_dask,
    "the whole table": whole,
    "the whole table, package krippendorff": by_krippendorff,
}


def measure(name: str, path: str) -> None:
    import labelaudit  # noqa: F401

    before, begin = peak_bytes(), time.perf_counter()
    value = WAYS[name](path)
    took, memory = time.perf_counter() - begin, peak_bytes() - before
    print(json.dumps({"value": value, "seconds": took, "bytes": memory}))


def main() -> None:
    if sys.argv[1:2] == ["--measure"]:
        return measure(*sys.argv[2:4])
    values = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "labels.parquet"
        print(f"alpha of {write(path):,} judgments in a Parquet file")
        for name in WAYS:
            call = [sys.executable, str(HERE), "--measure", name, str(path)]
            done = subprocess.run(call, capture_output=True, text=True, check=True)
            found = json.loads(done.stdout.splitlines()[-1])
            values.append(found["value"])
            memory = f"{found['bytes'] / 1e6:,.0f} MB"
            print(f"{name:<40} {found['seconds']:6.1f} s {memory:>10}", flush=True)
    if max(values) - min(values) > SAME:
        sys.exit(f"values differ by more than {SAME:g}: {values}")
    return None


if __name__ == "__main__":
    main()
