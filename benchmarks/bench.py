"""Time the library, its peers, each notebook and the whole build: `make bench`.

Medians of three runs in one process, with the same machine and the same inputs
for the library and for its peers. A peer is what one would write with scipy
alone, and what the code released with Klie et al. 2024 does.
"""

import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
import warnings

import numpy as np
import pandas as pd
import scipy
from scipy.stats import hypergeom

import labelaudit as la
from labelaudit import as_published
from labelaudit.plans.sequential import wald_limits
from reproduction.klie2024 import methods
from reproduction.machinery import exhibit, paths

LOTS = (1000, 3380, 24_799)
DESIGNS = {
    "single": la.single_plan,
    "double": la.double_plan,
    "sequential, truncated": methods.truncated,
    "sequential, full": la.sequential_plan,
}


def seconds(task, runs: int = 3) -> float:
    times = []
    for _ in range(runs):
        begin = time.perf_counter()
        task()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def line(what: str, value: str, note: str = "") -> None:
    print(f"{what:<62} {value:>10}  {note}", flush=True)


def clock(what: str, task, runs: int = 3, note: str = "") -> float:
    took = seconds(task, runs)
    line(what, f"{took:.3f} s" if took < 10 else f"{took:.1f} s", note)
    return took


def curves(plan, lot_size: int) -> None:
    errors = np.arange(lot_size + 1)
    plan.acceptance_probability(errors)
    plan.average_sample_number(errors)


def designs() -> None:
    print("\nDesign, and exact acceptance probability and ASN at every D")
    for lot_size in LOTS:
        for name, design in DESIGNS.items():
            clock(
                f"  {name}, N = {lot_size:,}",
                lambda: curves(design(la.STRICT, lot_size), lot_size),  # noqa: B023
            )
    clock(
        "  single, N = 1,000,000 (design only)",
        lambda: la.single_plan(la.STRICT, 10**6),
    )
    clock(
        "  sequential, full, N = 1,000,000, one D",
        lambda: la.sequential_plan(la.STRICT, 10**6).average_sample_number(20_000),
    )
    tracemalloc.start()
    curves(la.sequential_plan(la.STRICT, LOTS[-1]), LOTS[-1])
    peak = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    line(f"  peak memory: sequential, full, N = {LOTS[-1]:,}", f"{peak:.0f} MB")


def scalar_limits(levels: la.QualityLevels, lot_size: int, last: int):
    """Meeker limits by one scipy call a probability, as the released code does."""
    d_a, d_r = levels.errors(lot_size)
    low = np.log(levels.beta / (1 - levels.alpha))
    high = np.log((1 - levels.beta) / levels.alpha)

    def ratio(x, n):
        top = hypergeom.logpmf(x, lot_size, d_r, n)
        return top - hypergeom.logpmf(x, lot_size, d_a, n)

    accept, reject, a, r = [-1], [1], -1, 1
    for n in range(1, last + 1):
        while a + 1 <= n and ratio(a + 1, n) < low:
            a += 1
        while r <= n and ratio(r, n) <= high:
            r += 1
        accept.append(a)
        reject.append(min(r, n + 1))
    return accept, reject


def peers() -> None:
    print("\nAgainst scipy alone, same inputs")
    last = 400
    ours = clock(
        f"  Meeker limits, N = 1,000, n <= {last}: labelaudit",
        lambda: wald_limits(la.STRICT, 1000, last),
    )
    begin = time.perf_counter()
    accept, _ = scalar_limits(la.STRICT, 1000, last)
    theirs = time.perf_counter() - begin
    same = np.array_equal(accept, wald_limits(la.STRICT, 1000, last)[0])
    line("  ... one scipy call a probability", f"{theirs:.3f} s", f"equal: {same}")
    line("  ratio", f"{theirs / ours:.0f}")
    plan = la.single_plan(la.STRICT, LOTS[-1])
    n, c = plan.max_sample, int(plan.accept[-1])
    errors = np.arange(LOTS[-1] + 1)
    ours = clock(
        f"  OC of a single plan, N = {LOTS[-1]:,}, every D: labelaudit",
        lambda: la.single_plan(la.STRICT, LOTS[-1]).acceptance_probability(errors),
    )
    theirs = clock(
        "  ... scipy.stats.hypergeom.cdf, without the design",
        lambda: hypergeom.cdf(c, LOTS[-1], errors, n),
        runs=1,
    )
    line("  ratio", f"{theirs / ours:.1f}")
    clock(
        "  ASN of the full sequential test, N = 3,380, one D: labelaudit",
        lambda: la.sequential_plan(la.STRICT, 3380).average_sample_number(63),
    )


def one_by_one(plan: la.SamplingPlan, errors: int, repetitions: int) -> None:
    """As one would write it: a shuffled lot, inspected until there is a verdict."""
    rng, lot = np.random.default_rng(1), np.arange(plan.lot_size) < errors
    accept, reject = plan.accept.tolist(), plan.reject.tolist()
    for _ in range(repetitions):
        rng.shuffle(lot)
        n = x = 0
        while accept[n] < x < reject[n]:
            x += bool(lot[n])
            n += 1


def five_plans(levels: la.QualityLevels, lot_size: int) -> list[la.SamplingPlan]:
    """Those of Table 3, as notebook klie2024_05 makes them."""
    single = la.single_plan(levels, lot_size)
    first, second = methods.published_double(levels, lot_size)
    within = [(n, -1, second[2]) for n in range(first[0] + 1, second[0])]
    doubles = (
        la.SamplingPlan.from_stages(stages, lot_size, levels)
        for stages in ([first, second], [first, *within, second])
    )
    tests = (
        la.sequential_plan(levels, lot_size, max_sample=last)
        for last in (None, single.max_sample)
    )
    return [single, *doubles, *tests]


def table_3() -> None:
    print("\nTable 3: 20 plans, 1000 simulated inspections each")

    def plans() -> list[tuple[la.SamplingPlan, int]]:
        return [
            (plan, errors)
            for lot_size, errors in methods.DATASETS.values()
            for levels in (la.STRICT, la.RELAXED)
            for plan in five_plans(levels, lot_size)
        ]

    def simulate(each: list[tuple[la.SamplingPlan, int]]) -> None:
        for plan, errors in each:
            plan.simulate(errors, 1000, seed=1)

    def loop(each: list[tuple[la.SamplingPlan, int]]) -> None:
        for plan, errors in each:
            one_by_one(plan, errors, 1000)

    def shuffle() -> None:
        for lot_size, errors in methods.DATASETS.values():
            full = la.sequential_plan(la.STRICT, lot_size)
            for levels in (la.STRICT, la.RELAXED):
                single = la.single_plan(levels, lot_size)
                n = single.max_sample
                as_published.replay(
                    lot_size,
                    errors,
                    double=as_published.double_plan(levels, lot_size),
                    single=(n, int(single.accept[-1])),
                    sequential=(full, as_published.wedge_plan(levels, lot_size, n)),
                )

    clock("  labelaudit, designs included", lambda: simulate(plans()))
    clock("  shuffling every lot (vectorised replay of the release)", shuffle)
    made = plans()
    ours = clock("  labelaudit, plans given", lambda: simulate(made))
    theirs = clock("  ... shuffling, one by one", lambda: loop(made), runs=1)
    line("  ratio", f"{theirs / ours:.0f}")


def notebooks() -> None:
    print("\nNotebooks, by papermill on all cores")
    with tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-m", "reproduction.machinery.build", "--keep"],
            env=os.environ | {paths.FIGURES_VARIABLE: folder},
            capture_output=True,
            text=True,
            check=False,
        )
        took = time.perf_counter() - begin
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    found = re.findall(r"\] (\w+): done in ([\d.]+) s", done.stdout)
    for stem, each in found:
        line(f"  {stem}", f"{each} s")
    table = pd.DataFrame(sorted(found), columns=["notebook", "seconds"])
    table["seconds"] = table["seconds"].astype(float).map("{:.0f}".format)
    table.to_csv(exhibit.TIMES, index=False, lineterminator="\n")
    line("  make, after set-up", f"{took:.1f} s")


def main() -> None:
    warnings.simplefilter("ignore", UserWarning)
    print(
        f"{platform.machine()}, {os.cpu_count()} cores, Python"
        f" {platform.python_version()}, numpy {np.__version__}, scipy"
        f" {scipy.__version__}"
    )
    designs()
    peers()
    table_3()
    notebooks()


if __name__ == "__main__":
    main()
