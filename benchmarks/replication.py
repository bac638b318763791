"""Time cross_kappa and normalized_cross_kappa: `python benchmarks/replication.py`.

Each measurement is a fresh process that makes its input from a seed and then runs
one task, from two numpy matrices (items x raters) to a number: making the Ratings
is in its time. Times are medians of three runs or more (up to fifteen within a
second), of one where it takes over ten seconds. Memory is the peak of the whole
process, Python, libraries and input included; what the first run adds to it is
in brackets.

The peer is the quadruple sum of Eq. 7 and 8 as one would write it, in loops and
with numpy, one judgment of X against all of Y.

--record writes data/benchmarks/cross_kappa.csv.
"""

import csv
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
CSV = HERE.parents[1] / "data" / "benchmarks" / "cross_kappa.csv"
COLUMNS = ("n_items", "seconds", "seconds_with_error", "peak_mb", "what")
SEED = 21
AGREES = 0.8  # probability that a rater gives an item's latent label
SIZES = (1000, 10_000, 100_000, 1_000_000)
LOOPS = SIZES[:1]  # items that a quadruple sum is given: loops, numpy
BLOCKS = SIZES[:2]
SAME = 1e-9


# Inputs -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """Two replications of one shape; n_items 0: the stand-in for IRep."""

    n_items: int
    n_raters: int = 2
    n_labels: int = 2
    missing: float = 0.0

    def __str__(self) -> str:
        raters = f"{self.n_raters} x {self.n_raters} raters"
        gaps = f", {self.missing:.0%} missing" if self.missing else ""
        return f"{self.n_items:,} items x {raters}, {self.n_labels} labels{gaps}"


def matrices(case: Case) -> tuple[np.ndarray, np.ndarray]:
    """X and Y, items x raters: ints where complete, floats with NaN otherwise.

    Made in blocks, so that making them takes no more memory than they do.
    """
    rng = np.random.default_rng(SEED)
    shape = (2, case.n_items, case.n_raters)
    result = np.empty(shape, dtype=np.float64 if case.missing else np.int64)
    for start in range(0, case.n_items, 1 << 14):
        block = result[:, start : start + (1 << 14)]
        latent = rng.integers(case.n_labels, size=(1, block.shape[1], 1))
        other = rng.integers(case.n_labels, size=block.shape)
        block[:] = np.where(rng.random(block.shape) < AGREES, latent, other)
        if case.missing:
            block[rng.random(block.shape) < case.missing] = np.nan
    return result[0], result[1]


# Tasks: each imports what it needs and returns what is timed ------------------------

Found = tuple[float, float | None]
Task = Callable[[], Found]


def kappa(case: Case, error: bool) -> Task:
    import labelaudit as la

    x, y = matrices(case)

    def task() -> Found:
        found = la.cross_kappa(la.Ratings.from_matrix(x), la.Ratings.from_matrix(y))
        return found.value, found.standard_error if error else None

    return task


def normalized(case: Case, error: bool) -> Task:
    """With `error` the standard error and Fieller's interval."""
    import labelaudit as la

    x, y = matrices(case)

    def task() -> Found:
        found = la.normalized_cross_kappa(
            la.Ratings.from_matrix(x), la.Ratings.from_matrix(y)
        )
        if not error:
            return found.value, None
        found.interval()
        return found.value, found.standard_error

    return task


def ratings(case: Case, error: bool) -> Task:
    import labelaudit as la

    x, y = matrices(case)

    def task() -> Found:
        both = la.Ratings.from_matrix(x), la.Ratings.from_matrix(y)
        return float(sum(len(r.items) for r in both)), None

    return task


def loops(case: Case, error: bool) -> Task:
    """Every pair of judgments, complete data."""
    x, y = (m.tolist() for m in matrices(case))

    def task() -> Found:
        same = differ = 0
        for i, given in enumerate(x):
            for j, others in enumerate(y):
                for a in given:
                    for b in others:
                        differ += a != b
                        same += i == j and a != b
        return 1 - len(x) * same / differ, None

    return task


def blocks(case: Case, error: bool) -> Task:
    """Every pair of judgments, those of one in X with all of Y at once."""
    x, y = matrices(case)

    def task() -> Found:
        same = differ = 0
        for i, given in enumerate(x):
            for a in given:
                apart = y != a
                differ += int(np.count_nonzero(apart))
                same += int(np.count_nonzero(apart[i]))
        return 1 - len(x) * same / differ, None

    return task


def every_label(case: Case, error: bool, name: str) -> Task:
    """31 labels x 3 pairs of cities, from one table; the mean over what is defined.

    With `error` standard errors and intervals.
    """
    import labelaudit as la
    from reproduction.wong2021 import irep
    from reproduction.wong2021.stand_in import stand_in

    frame = stand_in(SEED)

    def task() -> Found:
        of = {
            (label, city): irep.replication(frame, label, city)
            for label in irep.EMOTIONS
            for city in irep.CITIES
        }
        values, errors = [], []
        for label in irep.EMOTIONS:
            for a, b in irep.PAIRS:
                found = getattr(la, name)(of[label, a], of[label, b])
                values.append(found.value)
                if error:
                    errors.append(found.standard_error)
                    found.interval()
        assert len(values) == 93
        return float(np.nanmean(values)), float(np.nanmean(errors)) if error else None

    return task


def measure(order: str) -> None:
    """In a process of its own: one task, its times, memory and result."""
    warnings.simplefilter("ignore")
    name, case, error, args = json.loads(order)
    task = globals()[name](Case(**case), error, *args)
    baseline = peak_bytes()
    times: list[float] = []
    while not enough(times):
        begin = time.perf_counter()
        value, standard_error = task()
        times.append(time.perf_counter() - begin)
        if len(times) == 1:
            peak = peak_bytes()
    result = {
        "seconds": statistics.median(times),
        "peak": peak,
        "added": peak - baseline,
        "value": value,
        "error": standard_error,
    }
    print(json.dumps(result))


# The parent -------------------------------------------------------------------------


@dataclass(frozen=True)
class Result:
    seconds: float
    peak: int
    added: int
    value: float
    error: float | None

    def __str__(self) -> str:
        return f"{self.seconds:.4f} s" if self.seconds < 10 else f"{self.seconds:.1f} s"

    @property
    def memory(self) -> str:
        return f"{self.peak / 1e6:.0f} MB (+{self.added / 1e6:.0f})"


def run(task: str, case: Case, error: bool = False, *args) -> Result:
    order = json.dumps([task, asdict(case), error, args])
    done = subprocess.run(
        [sys.executable, str(HERE), "--measure", order],
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{task} {case} {args}\n{done.stderr}")
    return Result(**json.loads(done.stdout))


class Table:
    """The rows of the CSV, printed as they come; and whether all values agree."""

    def __init__(self) -> None:
        self.rows: list[tuple] = []
        self.agree = True

    def ours(self, what: str, task: str, case: Case, *args, n_items=0) -> Result:
        """Value alone, then with the standard error (and Fieller's interval)."""
        from bench import line

        plain, full = run(task, case, False, *args), run(task, case, True, *args)
        self.agree &= abs(plain.value - full.value) <= SAME
        note = f"{plain.memory}; with standard error {full}, {full.memory}"
        line(f"  {what}", str(plain), note)
        self.add(n_items or case.n_items, plain.seconds, full.seconds, full.peak, what)
        return full

    def peer(self, what: str, task: str, case: Case, ours: Result) -> None:
        from bench import line

        theirs = run(task, case)
        gap = abs(theirs.value - ours.value)
        self.agree &= gap <= SAME
        note = "equal" if gap <= SAME else f"DIFFERS by {gap:.1e}"
        line(f"  ... {what}", str(theirs), f"{theirs.memory}; {note}")
        self.add(case.n_items, theirs.seconds, None, theirs.peak, what)

    def add(self, n_items, seconds, with_error, peak, what) -> None:
        digits = [None if s is None else f"{s:.5g}" for s in (seconds, with_error)]
        memory = None if peak is None else round(peak / 1e6)
        self.rows.append((n_items, *digits, memory, what))

    def write(self) -> None:
        CSV.parent.mkdir(parents=True, exist_ok=True)
        with CSV.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(COLUMNS)
            writer.writerows(self.rows)


def against_size(table: Table) -> bool:
    from bench import line

    for n_items in SIZES:
        case = Case(n_items)
        print(f"\n{case}")
        made = run("ratings", case)
        line("  Ratings.from_matrix of both alone", str(made), made.memory)
        ours = table.ours("cross_kappa", "kappa", case)
        if n_items in LOOPS:
            table.peer("quadruple sum in loops", "loops", case, ours)
        if n_items in BLOCKS:
            table.peer("quadruple sum with numpy", "blocks", case, ours)
        table.ours("normalized_cross_kappa with Fieller's interval", "normalized", case)
    return ours.seconds < 1 and ours.peak < 1e9


def with_gaps(table: Table) -> None:
    case = Case(100_000, 3, 5, 0.2)
    print(f"\n{case}")
    shape = "3 x 3 raters, 5 labels, 20 % missing"
    table.ours(f"cross_kappa, {shape}", "kappa", case)
    table.ours(f"normalized_cross_kappa, {shape}", "normalized", case)


def of_irep(table: Table) -> bool:
    from reproduction.wong2021.stand_in import stand_in

    n_items = stand_in(SEED)["item"].nunique()
    print(f"\nStand-in for IRep, {n_items:,} items: 31 labels x 3 pairs of cities")
    took = {}
    for name in ("cross_kappa", "normalized_cross_kappa"):
        what = f"{name}, 31 labels x 3 pairs, from the table"
        found = table.ours(what, "every_label", Case(0), name, n_items=n_items)
        took[name] = found.seconds
    return took["cross_kappa"] < 2


def main() -> None:
    if sys.argv[1:2] == ["--measure"]:
        return measure(sys.argv[2])
    if set(sys.argv[1:]) - {"--record"}:
        sys.exit(f"the only option is --record, got {' '.join(sys.argv[1:])}")
    print(
        f"{platform.machine()}, {os.cpu_count()} cores, Python"
        f" {platform.python_version()}, "
        + ", ".join(f"{name} {version(name)}" for name in ("numpy", "pandas"))
    )
    table = Table()
    million = against_size(table)
    with_gaps(table)
    irep = of_irep(table)
    for met, aim in [
        (million, "a million items with standard error in under 1 s and under 1 GB"),
        (irep, "31 labels x 3 pairs of IRep's size in under 2 s"),
    ]:
        print(f"{'met' if met else 'MISSED'}: {aim}")
    if "--record" in sys.argv:
        table.write()
        print(f"written: {CSV.relative_to(HERE.parents[1])}")
    if not table.agree:
        sys.exit("values differ by more than 1e-9")
    return None


if __name__ == "__main__":
    main()
