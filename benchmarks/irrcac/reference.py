"""Write what irrCAC computes to tests/data/irrcac.json: `make peers`.

irrCAC pins an old scipy, so it runs in an environment of its own
(requirements.txt beside this file) and the tests read the file. The file holds
the inputs too, so that a test needs nothing else.
"""

from __future__ import annotations

import json
import platform
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd
from irrCAC import datasets, raw, table

ROOT = Path(__file__).resolve().parents[2]
WORKED = ROOT / "data" / "worked_examples"
TARGET = ROOT / "tests" / "data" / "irrcac.json"
FLEISS = "fleiss_example"
MATRICES = ("artstein2007_slide28", "artstein2007_slide35")

PASSED = 15  # decimals asked of irrCAC, whose default is 5
STORED = 12  # significant digits stored

ABOUT = (
    "irrCAC's chance-corrected coefficients. kind matrix: items x raters, null"
    " where missing; counts: judgments per item and label, raters anonymous;"
    " table: rater 1's label in the row, rater 2's in the column. coefficients:"
    " per weighting, each with value, pa, pe and se. weights: agreement weights in"
    " the order of labels; 1 - weights is the distance. linear and quadratic use"
    " the numbers where labels are numbers, else positions. ordinal is Gwet's, on"
    " positions; krippendorff ordinal is Krippendorff's ordinal distance, passed to"
    " irrCAC as a matrix. Missing data: irrCAC drops an item with one judgment"
    " from pa but keeps it in pe, and weighs items equally whatever their number of"
    " judgments; with missing data only Krippendorff's alpha is comparable with"
    " labelaudit's default. items alike: the coefficients once items with one judgment"
    " are left out, comparable with weigh='items'. irrCAC's pa of alpha is"
    " (1 - e) pa' + e, e = 1 / judgments, and"
    " its pe divides by the judgments squared: only the value is comparable. Its"
    " standard errors are linearised, labelaudit's are jackknife: they differ in the"
    " order of 1 / items, and are equal for bp on complete data. cohen and scott (two"
    " raters, items judged by both) come from irrCAC.table, which reports pe = 0 for"
    " scott: left out here."
)
EVERY = ("fleiss", "conger", "gwet", "krippendorff", "bp", "cohen", "scott")
WEIGHTED = ("conger", "krippendorff", "cohen", "gwet", "bp")
ALIKE = ("fleiss", "conger", "gwet", "bp")  # items weigh alike in these
WEIGHTINGS = {
    "identity": EVERY,
    "linear": WEIGHTED,
    "quadratic": WEIGHTED,
    "ordinal": WEIGHTED,
    "krippendorff ordinal": ("krippendorff",),
}


def plain(value):
    """A number or label as JSON stores it, None where missing."""
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return None
    if isinstance(value, float | np.floating | np.integer) and value == int(value):
        return int(value)
    return value


def simulated(seed: int, items: int, raters: int, missing: float) -> pd.DataFrame:
    """Raters who see a latent label of five with probability .7, else guess."""
    rng = np.random.default_rng(seed)
    shape = (items, raters)
    latent = rng.integers(1, 6, size=(items, 1))
    seen = rng.random(shape) < 0.7
    labels = np.where(seen, latent, rng.integers(1, 6, size=shape)).astype(float)
    labels[rng.random(shape) < missing] = np.nan
    return pd.DataFrame(labels)


def from_counts(counts: np.ndarray, labels: list) -> pd.DataFrame:
    """Items x raters, the raters in no order."""
    most = int(counts.sum(axis=1).max())
    rows = []
    for row in counts:
        judged = np.repeat(np.arange(len(labels)), row)
        gap = [None] * (most - len(judged))
        rows.append([labels[k] for k in judged] + gap)
    return pd.DataFrame(rows)


def from_table(square: np.ndarray, labels: list) -> pd.DataFrame:
    """Items x two raters from the table of their labels."""
    cells = [(r, c) for r in range(len(labels)) for c in range(len(labels))]
    rows = [[labels[r], labels[c]] for r, c in cells for _ in range(square[r, c])]
    return pd.DataFrame(rows)


def ordinal_weights(ratings: pd.DataFrame, labels: list) -> np.ndarray:
    """1 - Krippendorff's ordinal distance over its largest value."""
    kept = ratings[ratings.notna().sum(axis=1) >= 2].stack()
    n = np.array([(kept == label).sum() for label in labels], dtype=float)
    middle = np.cumsum(n) - n / 2
    distance = np.subtract.outer(middle, middle) ** 2
    return 1 - distance / distance.max()


def estimate(found: dict, name: str) -> dict:
    keys = {"coefficient_value": "value", "pa": "pa", "pe": "pe", "se": "se"}
    if name == "scott":
        del keys["pe"]
    return {
        to: float(f"{float(found['est'][key]):.{STORED}g}") for key, to in keys.items()
    }


def coefficients(ratings: pd.DataFrame, labels: list, kind: str) -> tuple[dict, dict]:
    """The coefficients, and the weights, per weighting."""
    values, matrices = {}, {}
    for weighting, names in WEIGHTINGS.items():
        weights = weighting
        if weighting == "krippendorff ordinal":
            weights = ordinal_weights(ratings, labels)
        many = raw.CAC(ratings, weights=weights, categories=labels, digits=PASSED)
        both = ratings.dropna()
        if ratings.shape[1] == 2:
            square = pd.crosstab(both[0], both[1])
            square = square.reindex(index=labels, columns=labels, fill_value=0)
            two = table.CAC(square, weights=many.weights_mat, digits=PASSED)
        values[weighting] = {}
        for name in names:
            if name in ("cohen", "scott") and ratings.shape[1] != 2:
                continue
            if name == "conger" and kind == "counts":  # needs to know the raters
                continue
            source = two if name in ("cohen", "scott") else many
            values[weighting][name] = estimate(getattr(source, name)(), name)
        matrices[weighting] = [
            [float(f"{w:.{STORED}g}") for w in row] for row in many.weights_mat
        ]
    return values, matrices


def entry(source: str, kind: str, data: pd.DataFrame, labels: list | None) -> dict:
    """A data set with what irrCAC says of it; labels None: those found, sorted."""
    if kind == "counts":
        ratings = from_counts(data.to_numpy(), labels)
    elif kind == "table":
        ratings = from_table(data.to_numpy(), labels)
    else:
        ratings = pd.DataFrame(data.to_numpy())
        labels = [plain(x) for x in sorted(ratings.stack().unique())]
    values, weights = coefficients(ratings, labels, kind)
    complete = bool(ratings.notna().all(axis=None))
    alike = {}
    if not complete and ratings.shape[1] > 2:
        kept = ratings[ratings.notna().sum(axis=1) >= 2].reset_index(drop=True)
        again, _ = coefficients(kept, labels, kind)
        for weighting in ("identity", "linear", "quadratic"):
            found = again[weighting]
            alike[weighting] = {name: found[name] for name in ALIKE if name in found}
    return {
        "source": source,
        "kind": kind,
        "complete": complete,
        "labels": labels,
        "data": [[plain(x) for x in row] for row in data.to_numpy().tolist()],
        "coefficients": values,
        "items alike": alike,
        "weights": weights,
    }


def bundled(name: str, kind: str) -> dict:
    data = getattr(datasets, name)()
    labels = None if kind == "matrix" else list(data.columns)
    return entry(f"irrCAC.datasets.{name}", kind, data, labels)


def worked(name: str, kind: str) -> dict:
    data = pd.read_csv(WORKED / f"{name}.csv", index_col=0)
    labels = None if kind == "matrix" else list(data.columns)
    return entry(f"data/worked_examples/{name}.csv", kind, data, labels)


def drawn(seed: int, items: int, raters: int, missing: float) -> dict:
    source = f"seed {seed}, {items} items, {raters} raters, {missing:.0%} missing"
    return entry(source, "matrix", simulated(seed, items, raters, missing), None)


def sets() -> dict:
    return {
        FLEISS: worked(FLEISS, "counts"),
        **{name: worked(name, "matrix") for name in MATRICES},
        "raw_4raters": bundled("raw_4raters", "matrix"),
        "raw_5observers": bundled("raw_5observers", "matrix"),
        "raw_ben_gerry": bundled("raw_ben_gerry", "matrix"),
        "raw_g1g2": bundled("raw_g1g2", "matrix"),
        "raw_gender": bundled("raw_gender", "matrix"),
        "dist_4cat": bundled("dist_4cat", "counts"),
        "dist_g1g2": bundled("dist_g1g2", "counts"),
        "distrib_6raters": bundled("distrib_6raters", "counts"),
        "table_cont3x3abstractors": bundled("table_cont3x3abstractors", "table"),
        "table_cont4x4diagnosis": bundled("table_cont4x4diagnosis", "table"),
        "random_60_missing": drawn(60, 60, 4, 0.15),
        "random_200_missing": drawn(200, 200, 4, 0.15),
        "random_60_complete": drawn(61, 60, 4, 0.0),
        "random_100_two_raters": drawn(100, 100, 2, 0.0),
    }


def text(value, depth: int = 0) -> str:
    """JSON, with a row of a table or an estimate on one line."""
    pad = "  " * (depth + 1)
    flat = not isinstance(value, dict | list) or not any(
        isinstance(x, dict | list)
        for x in (value.values() if isinstance(value, dict) else value)
    )
    if flat:
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, dict):
        lines = [
            f"{pad}{json.dumps(k)}: {text(v, depth + 1)}" for k, v in value.items()
        ]
        return "{\n" + ",\n".join(lines) + "\n" + "  " * depth + "}"
    lines = [pad + text(x, depth + 1) for x in value]
    return "[\n" + ",\n".join(lines) + "\n" + "  " * depth + "]"


def main() -> None:
    packages = ("irrCAC", "numpy", "pandas", "scipy")
    content = {
        "about": ABOUT,
        "versions": {
            "python": ".".join(platform.python_version_tuple()[:2]),
            **{name: version(name) for name in packages},
        },
        "digits": STORED,
        "sets": sets(),
    }
    TARGET.write_text(text(content) + "\n", encoding="utf-8")
    print(f"{len(content['sets'])} sets written to {TARGET.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
