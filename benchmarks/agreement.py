"""Time the agreement coefficients beside their peers, and simulate the coverage
of their intervals: `python benchmarks/agreement.py [speed] [coverage]`.

Each measurement is a fresh process that makes its input from a seed, takes its
peak memory so far as the baseline and then runs one task: from a numpy matrix
(items x raters; a table of counts where the line says so) to a number, so every
conversion that a library needs is in its time. Times are medians of three runs
or more (up to fifteen within a second), of one where it takes over ten seconds;
memory is what the first run adds.

irrCAC needs an environment of its own, .venv-irrcac (`make peers`). This file
runs in it too: packages that it lacks are imported where they are used.
"""

import functools
import json
import os
import platform
import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

import numpy as np
from clock import enough, peak_bytes

HERE = Path(__file__).resolve()
IRRCAC = HERE.parents[1] / ".venv-irrcac" / "bin" / "python"
SEED = 20
AGREES = 0.8  # probability that a rater gives an item's latent label
SIZES = (10_000, 100_000, 1_000_000)
LIMITS = {"nltk": SIZES[0], "irrcac": SIZES[0]}  # items that a peer is given
BUDGET = 8e9  # bytes; a task that needs more is not run
SAME = 1e-9


# Inputs -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """A shape of input; n_labels 0: real numbers, all of them different."""

    n_items: int
    n_raters: int
    n_labels: int
    missing: float = 0.0
    counts: bool = False

    def __str__(self) -> str:
        values = f"{self.n_labels} labels" if self.n_labels else "real numbers"
        gaps = f"{self.missing:.0%} missing" if self.missing else "complete"
        return f"{self.n_items:,} items x {self.n_raters} raters, {values}, {gaps}"


def matrix(case: Case) -> np.ndarray:
    """Items x raters: ints where complete, floats with NaN otherwise.

    Made in blocks, so that what making it takes does not hide in the baseline.
    """
    rng = np.random.default_rng(SEED)
    whole = case.n_labels and not case.missing
    shape = (case.n_items, case.n_raters)
    result = np.empty(shape, dtype=np.int64 if whole else np.float64)
    for start in range(0, case.n_items, 1 << 14):
        block = result[start : start + (1 << 14)]
        if case.n_labels:
            latent = rng.integers(case.n_labels, size=(len(block), 1))
            other = rng.integers(case.n_labels, size=block.shape)
            block[:] = np.where(rng.random(block.shape) < AGREES, latent, other)
        else:
            latent = rng.normal(size=(len(block), 1))
            block[:] = latent + 0.5 * rng.normal(size=block.shape)
        if case.missing:
            block[rng.random(block.shape) < case.missing] = np.nan
    return result


def counted(case: Case) -> np.ndarray:
    """The counts table (items x labels) of a complete matrix."""
    result = np.zeros((case.n_items, case.n_labels), dtype=np.int64)
    for column in matrix(case).T:
        result[np.arange(case.n_items), column] += 1
    return result


# Tasks: each imports what it needs and returns what is timed ------------------------

Task = Callable[[], tuple[float, float | None]]


def labelaudit(x: np.ndarray, case: Case, name: str, error: bool, *args) -> Task:
    import labelaudit as la

    make = la.Ratings.from_counts if case.counts else la.Ratings.from_matrix

    def task():
        found = getattr(la, name)(make(x), *args)
        return found.value, found.standard_error if error else None

    return task


def ratings(x: np.ndarray, case: Case) -> Task:
    import labelaudit as la

    return lambda: (float(len(la.Ratings.from_matrix(x).items)), None)


def krippendorff(x: np.ndarray, case: Case, level: str) -> Task:
    from krippendorff import alpha

    return lambda: (alpha(reliability_data=x.T, level_of_measurement=level), None)


def scikit_learn(x: np.ndarray, case: Case, weights: str | None) -> Task:
    from sklearn.metrics import cohen_kappa_score

    return lambda: (cohen_kappa_score(x[:, 0], x[:, 1], weights=weights), None)


def statsmodels_fleiss(x: np.ndarray, case: Case, method: str) -> Task:
    from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

    def task():
        table = x if case.counts else aggregate_raters(x)[0]
        return fleiss_kappa(table, method=method), None

    return task


def statsmodels_cohen(x: np.ndarray, case: Case, weights: str | None) -> Task:
    from statsmodels.stats.inter_rater import cohens_kappa, to_table

    def task():
        found = cohens_kappa(to_table(x)[0], wt=weights)
        return found.kappa, found.std_kappa

    return task


def nltk(x: np.ndarray, case: Case, method: str) -> Task:
    from nltk.metrics.agreement import AnnotationTask
    from nltk.metrics.distance import binary_distance, interval_distance

    name, _, level = method.partition(" ")
    distance = interval_distance if level == "interval" else binary_distance

    def task():
        triples = [
            (rater, item, label)
            for item, row in enumerate(x.tolist())
            for rater, label in enumerate(row)
            if label == label
        ]
        return getattr(AnnotationTask(triples, distance), name)(), None

    return task


def irrcac(x: np.ndarray, case: Case, method: str, weights: str = "identity") -> Task:
    import pandas as pd
    from irrCAC import raw, table

    def task():
        frame = pd.DataFrame(x)
        if method == "cohen":
            found = table.CAC(pd.crosstab(frame[0], frame[1]), weights, digits=15)
        else:
            found = raw.CAC(frame, weights, digits=15)
        estimate = getattr(found, method)()["est"]
        return estimate["coefficient_value"], estimate["se"]

    return task


def measure(order: str) -> None:
    """In a process of its own: one task, its times, memory and result."""
    warnings.simplefilter("ignore")
    task_name, case, args = json.loads(order)
    case = Case(**case)
    x = counted(case) if case.counts else matrix(case)
    task = globals()[task_name](x, case, *args)
    baseline = peak_bytes()
    times: list[float] = []
    while not enough(times):
        begin = time.perf_counter()
        value, error = task()
        times.append(time.perf_counter() - begin)
        if len(times) == 1:
            peak = peak_bytes()
    result = {
        "seconds": statistics.median(times),
        "bytes": peak - baseline,
        "value": float(value),
        "error": None if error is None else float(error),
    }
    print(json.dumps(result))


# The parent -------------------------------------------------------------------------


@dataclass(frozen=True)
class Result:
    seconds: float
    bytes: int
    value: float
    error: float | None

    def __str__(self) -> str:
        return f"{self.seconds:.3f} s" if self.seconds < 10 else f"{self.seconds:.1f} s"

    @property
    def memory(self) -> str:
        return f"{self.bytes / 1e6:.0f} MB"


def run(task: str, case: Case, *args) -> Result:
    order = json.dumps([task, asdict(case), args])
    python = str(IRRCAC) if task == "irrcac" else sys.executable
    done = subprocess.run(
        [python, str(HERE), "--measure", order],
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{task} {case} {args}\n{done.stderr}")
    return Result(**json.loads(done.stdout))


def krippendorff_bytes(case: Case) -> float:
    """Three float arrays, items x values x values, are alive at its peak."""
    values = case.n_labels or case.n_items * case.n_raters
    return 3 * 8 * case.n_items * values**2


PEERS = {
    "krippendorff": "krippendorff",
    "scikit_learn": "scikit-learn",
    "statsmodels_fleiss": "statsmodels",
    "statsmodels_cohen": "statsmodels",
    "nltk": "nltk",
    "irrcac": "irrCAC",
}


def compare(what: str, case: Case, ours: tuple, *peers: tuple) -> bool:
    """One coefficient by all who compute it; whether the values agree."""
    from bench import line

    plain = run("labelaudit", case, ours[0], False, *ours[1:])
    full = run("labelaudit", case, ours[0], True, *ours[1:])
    note = f"{plain.memory:>8}; with standard error {full}, {full.memory}"
    line(f"  {what}: labelaudit", str(plain), note)
    agree = plain.value == full.value
    for task, *args in peers:
        name = f"  ... {PEERS[task]}"
        if task == "irrcac" and not IRRCAC.exists():
            continue
        if case.n_items > LIMITS.get(task, case.n_items):
            continue
        if task == "krippendorff" and krippendorff_bytes(case) > BUDGET:
            needs = f"{krippendorff_bytes(case) / 1e9:,.0f} GB"
            line(name, "cannot", f"needs {needs}: 3 x 8 bytes x items x values^2")
            continue
        theirs = run(task, case, *args)
        gap = abs(theirs.value - plain.value)
        agree &= gap <= SAME
        note = f"{theirs.memory:>8}; {theirs.seconds / plain.seconds:.1f} x ours; "
        note += "equal" if gap <= SAME else f"DIFFERS by {gap:.1e}"
        if theirs.error is not None:
            note += f"; its standard error is {theirs.error / full.error:.5f} x ours"
        line(name, str(theirs), note)
    return agree


def complete(n_items: int) -> bool:
    case = Case(n_items, 3, 5)
    two = Case(n_items, 2, 5)
    table = Case(n_items, 3, 5, counts=True)
    heading(case)
    alpha = "krippendorff_alpha"
    done = [
        compare(
            "alpha, nominal",
            case,
            (alpha,),
            ("krippendorff", "nominal"),
            ("nltk", "alpha"),
            ("irrcac", "krippendorff"),
        ),
        compare(
            "alpha, ordinal", case, (alpha, "ordinal"), ("krippendorff", "ordinal")
        ),
        compare(
            "alpha, interval",
            case,
            (alpha, "interval"),
            ("krippendorff", "interval"),
            ("nltk", "alpha interval"),
            ("irrcac", "krippendorff", "quadratic"),
        ),
        compare(
            "Fleiss' kappa",
            case,
            ("fleiss_kappa",),
            ("statsmodels_fleiss", "fleiss"),
            ("nltk", "pi"),
            ("irrcac", "fleiss"),
        ),
        compare(
            "Fleiss' kappa, from counts",
            table,
            ("fleiss_kappa",),
            ("statsmodels_fleiss", "fleiss"),
        ),
        compare(
            "S",
            case,
            ("bennett_s",),
            ("statsmodels_fleiss", "randolph"),
            ("nltk", "S"),
            ("irrcac", "bp"),
        ),
        compare("AC1", case, ("gwet_ac1",), ("irrcac", "gwet")),
        compare(
            "iota (Conger's kappa)",
            case,
            ("janson_olsson_iota",),
            ("nltk", "multi_kappa"),
            ("irrcac", "conger"),
        ),
        compare(
            "Cohen's kappa, two raters",
            two,
            ("cohen_kappa",),
            ("scikit_learn", None),
            ("statsmodels_cohen", None),
            ("nltk", "kappa"),
            ("irrcac", "cohen"),
        ),
    ]
    for weights in ("linear", "quadratic"):
        done.append(
            compare(
                f"weighted kappa, {weights}, two raters",
                two,
                ("weighted_kappa", weights),
                ("scikit_learn", weights),
                ("statsmodels_cohen", weights),
                ("irrcac", "cohen", weights),
            )
        )
    return all(done)


def with_gaps(n_items: int) -> bool:
    """Only alpha has peers that take missing data by the same rule."""
    case = Case(n_items, 5, 30, 0.2)
    heading(case)
    alpha = "krippendorff_alpha"
    done = [
        compare(
            "alpha, nominal",
            case,
            (alpha,),
            ("krippendorff", "nominal"),
            ("nltk", "alpha"),
            ("irrcac", "krippendorff"),
        ),
        compare(
            "alpha, ordinal", case, (alpha, "ordinal"), ("krippendorff", "ordinal")
        ),
        compare(
            "alpha, interval", case, (alpha, "interval"), ("krippendorff", "interval")
        ),
        compare("alpha, ratio", case, (alpha, "ratio"), ("krippendorff", "ratio")),
        compare("Fleiss' kappa", case, ("fleiss_kappa",)),
        compare("iota", case, ("janson_olsson_iota",)),
    ]
    return all(done)


def real_numbers() -> bool:
    """100,000 different values; the same on 100 items, where a peer can follow."""
    done = []
    for n_items in (50_000, 100):
        case = Case(n_items, 2, 0)
        heading(case)
        for level in ("interval", "ordinal"):
            ours = ("krippendorff_alpha", level)
            done.append(compare(f"alpha, {level}", case, ours, ("krippendorff", level)))
        done.append(compare("Cohen's kappa", case, ("cohen_kappa",)))
        for weights in ("quadratic", "linear"):
            what = f"weighted kappa, {weights}"
            done.append(compare(what, case, ("weighted_kappa", weights)))
    return all(done)


def heading(case: Case) -> None:
    from bench import line

    print(f"\n{case}")
    if case.n_labels:
        made = run("ratings", case)
        line("  Ratings.from_matrix alone", str(made), f"{made.memory:>8}")


def speed() -> bool:
    if not IRRCAC.exists():
        print("irrCAC is left out: it needs .venv-irrcac (make peers)")
    done = [complete(n) for n in SIZES]
    done += [with_gaps(n) for n in SIZES]
    done.append(real_numbers())
    return all(done)


# Coverage ---------------------------------------------------------------------------

KAPPA = 0.6
REPLICATIONS = 2000


def patterns(rng: np.random.Generator, n: int, raters: int, p: float) -> np.ndarray:
    """Votes for the label per item, (replications, n), at true kappa .6.

    Each rater copies the item's latent label with probability sqrt(kappa), else
    draws a label from the same distribution: two raters' labels then correlate
    by kappa exactly, and kappa and alpha are both kappa in the population.
    """
    shape = (REPLICATIONS, n, raters)
    latent = rng.random((REPLICATIONS, n, 1)) < p
    own = rng.random(shape) < p
    return np.where(rng.random(shape) < np.sqrt(KAPPA), latent, own)


@functools.cache
def interval(name: str, raters: int, counts: tuple[int, ...]) -> tuple[float, float]:
    """The library's interval, once per table of judgment patterns."""
    import labelaudit as la

    cells = np.array(list(np.ndindex((2,) * raters)))
    ratings = la.Ratings.from_matrix(np.repeat(cells, counts, axis=0), labels=[0, 1])
    return getattr(la, name)(ratings).interval()


def coverage() -> None:
    """Share of intervals that hold the true value, with its Monte Carlo error."""
    print(
        f"\nCoverage of the 95 % interval (jackknife, atanh) at kappa {KAPPA},"
        f" {REPLICATIONS} replications\n(Monte Carlo standard error in brackets;"
        " none: share of samples without an\ninterval, which are not in the coverage)"
    )
    settings = [
        ("cohen_kappa", 2),
        ("krippendorff_alpha", 2),
        ("krippendorff_alpha", 3),
    ]
    prevalences = (0.5, 0.2, 0.05)
    begin = time.perf_counter()
    print(" " * 33 + "".join(f"{f'prevalence {p}':>26}" for p in prevalences))
    for name, raters in settings:
        for n in (30, 50, 100, 200):
            cells = []
            for k, p in enumerate(prevalences):
                # One stream per setting, the same for kappa and alpha.
                rng = np.random.default_rng([SEED, raters, n, k])
                cells.append(covered(name, raters, patterns(rng, n, raters, p)))
            print(f"{name:<20}{raters} raters, n {n:>3}" + "".join(cells), flush=True)
    print(f"{time.perf_counter() - begin:.1f} s")


def covered(name: str, raters: int, labels: np.ndarray) -> str:
    code = labels @ (1 << np.arange(raters)[::-1])
    if name == "krippendorff_alpha":  # raters are exchangeable: fewer patterns
        code = (1 << labels.sum(axis=-1)) - 1
    counts = np.stack([(code == c).sum(axis=1) for c in range(1 << raters)], axis=1)
    ends = np.array([interval(name, raters, tuple(row)) for row in counts.tolist()])
    low, high = ends[~np.isnan(ends[:, 0])].T
    share = np.mean((low <= KAPPA) & (high >= KAPPA))
    error = np.sqrt(share * (1 - share) / len(low))
    return f"{f'{share:.3f} ({error:.3f}) none {1 - len(low) / len(ends):.3f}':>26}"


def main() -> None:
    if sys.argv[1:2] == ["--measure"]:
        return measure(sys.argv[2])
    chosen = sys.argv[1:] or ["speed", "coverage"]
    if set(chosen) - {"speed", "coverage"}:
        sys.exit(f"parts are speed and coverage, got {' '.join(chosen)}")
    warnings.simplefilter("ignore", UserWarning)
    packages = ("numpy", "krippendorff", "scikit-learn", "statsmodels", "nltk")
    print(
        f"{platform.machine()}, {os.cpu_count()} cores, Python"
        f" {platform.python_version()}, "
        + ", ".join(f"{name} {version(name)}" for name in packages)
    )
    agree = speed() if "speed" in chosen else True
    if "coverage" in chosen:
        coverage()
    if not agree:
        sys.exit("values differ by more than 1e-9")
    return None


if __name__ == "__main__":
    main()
