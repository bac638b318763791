"""Time the reading of tables: `python benchmarks/files.py`.

Of wide ones with ever more columns, whose time should grow as they do, and of a long
one with ever more rows; each beside pandas, which guesses and refuses nothing.
"""

import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd

from labelaudit.files.ratings import collection


def wide(columns: int, rows: int) -> pd.DataFrame:
    """Two labels, of raters who hardly agree."""
    told = np.random.default_rng(1).choice(["x", "y"], (rows, columns))
    frame = pd.DataFrame(told, columns=[f"r{k}" for k in range(columns)])
    return frame.rename_axis("item").rename(index="i{}".format).reset_index()


def main() -> None:
    tables = [wide(columns, 10) for columns in (1_000, 10_000, 100_000)]
    tables += [wide(6, rows) for rows in (10_000, 100_000)]
    tables += [t.melt("item", var_name="rater", value_name="label") for t in tables[3:]]
    print("Tables: columns x rows, seconds of labelaudit and of pandas, cells a second")
    with tempfile.TemporaryDirectory() as folder:
        for table in tables:
            table.to_csv(path := Path(folder, "table.csv"), index=False)
            seconds = []
            for read in (collection, pd.read_csv):
                begin = time.perf_counter()
                with warnings.catch_warnings(action="ignore"):
                    read(path)
                seconds.append(time.perf_counter() - begin)
            shape = f"{table.shape[1]:,} x {table.shape[0]:,}"
            told = (
                f"{seconds[0]:8.2f} {seconds[1]:8.2f} {table.size / seconds[0]:12,.0f}"
            )
            print(f"  {shape:<20}{told}", flush=True)


if __name__ == "__main__":
    main()
