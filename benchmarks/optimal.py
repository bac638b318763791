"""Time optimal_plan and what came with it: `python benchmarks/optimal.py`.

Each task runs in a process of its own: the library is imported and its log
factorials are not yet known, as for somebody who asks once. Medians of three runs,
of one where it takes over ten seconds. Memory is what the first run adds to the
peak of the process. A target is what the task was asked to take at most, on any
machine of today; a line over its target says so.
"""

import json
import os
import platform
import statistics
import subprocess
import sys
import time
import warnings

import numpy as np
import scipy
from clock import SLOW, peak_bytes

import labelaudit as la

LEVELS = {"strict": la.STRICT, "relaxed": la.RELAXED}
TASKS = [  # title, seconds asked for, task, its arguments
    ("  balanced, N = 1,000", 0.5, "design", ("strict", 1000, "balanced")),
    ("  balanced, N = 3,380", None, "design", ("strict", 3380, "balanced")),
    ("  balanced, N = 24,799", 5.0, "design", ("strict", 24_799, "balanced")),
    ("  balanced, N = 100,000", None, "design", ("strict", 100_000, "balanced")),
    ("  balanced, a process", None, "design", ("strict", None, "balanced")),
    ("  minimax, N = 1,000", 0.5, "design", ("strict", 1000, "minimax")),
    ("  minimax, N = 3,380", None, "design", ("strict", 3380, "minimax")),
    ("  minimax, N = 24,799", 5.0, "design", ("strict", 24_799, "minimax")),
    ("  minimax, N = 100,000", None, "design", ("strict", 100_000, "minimax")),
    ("  minimax, a process", None, "design", ("strict", None, "minimax")),
    ("  at p_r, N = 1,000", 0.5, "design", ("strict", 1000, "p_r")),
    ("  balanced, N = 1,000, relaxed", 0.5, "design", ("relaxed", 1000, "balanced")),
    (
        "  balanced, N = 24,799, cap 4 x n*",
        5.0,
        "design",
        ("strict", 24_799, "balanced", 4),
    ),
    ("  balanced, N = 25,000, cap N", 10.0, "whole", ("strict", 25_000, "balanced")),
    ("  minimax, N = 25,000, cap N", 10.0, "whole", ("strict", 25_000, "minimax")),
    ("  at p_a, N = 25,000, cap N", 10.0, "whole", ("strict", 25_000, "p_a")),
    ("  at p_r, N = 25,000, cap N", 10.0, "whole", ("strict", 25_000, "p_r")),
    ("  the same, relaxed", 10.0, "whole", ("relaxed", 25_000, "balanced")),
    ("  balanced, N = 10, every plan", None, "small", ("balanced",)),
    ("  minimax, N = 10, every plan", None, "small", ("minimax",)),
    ("  optimal interval, all x of 1,000, N = 10^5", 1.0, "interval", (1000,)),
    ("  optimal interval, all x of 50,000, N = 10^5", 1.0, "interval", (50_000,)),
    ("  interval after stopping, N = 1,000", None, "stopped", (1000,)),
]


# Tasks: each gives what is timed, and that returns a remark -------------------------


def design(kind: str, lot_size: int | None, objective: str, factor: int | None = None):
    levels, cap = LEVELS[kind], None
    if factor is not None:
        cap = factor * la.single_plan(levels, lot_size).max_sample

    def task() -> str:
        plan = la.optimal_plan(levels, lot_size, objective=objective, max_sample=cap)
        return gap(plan, objective)

    return task


def whole(kind: str, lot_size: int, objective: str):
    def task() -> str:
        plan = la.optimal_plan(
            LEVELS[kind], lot_size, objective=objective, max_sample=lot_size
        )
        return gap(plan, objective)

    return task


def gap(plan: la.SamplingPlan, objective: str) -> str:
    """How far the plan's objective is above what no plan can go below."""
    d_a, d_r = plan.levels.errors(plan.lot_size)
    if objective == "minimax":
        size = plan.lot_size
        errors = np.linspace(0, 1, 10_001) if size is None else np.arange(size + 1)
    else:
        at = {"balanced": [d_a, d_r], "p_a": [d_a], "p_r": [d_r]}
        errors = np.array(at[objective])
    asn = plan.average_sample_number(errors)
    value = asn.max() if objective == "minimax" else asn.mean()
    return f"ASN {value:.2f}, gap {value / plan.lower_bound - 1:.3%}"


def small(objective: str):
    levels = la.QualityLevels(0.2, 0.6, 0.1, 0.2)

    def task() -> str:
        plan = la.optimal_plan(levels, 10, objective=objective, max_sample=10)
        return gap(plan, objective)

    return task


def interval(n: int):
    x = np.arange(n + 1)

    def task() -> str:
        low, high = la.proportion_interval(x, n, 100_000, method="optimal")
        return f"mean length {np.mean(high - low):.5f}"

    return task


def stopped(lot_size: int):
    plan = la.optimal_plan(la.STRICT, lot_size)
    row = plan.stages.iloc[len(plan.stages) // 2]
    x = row["reject"] if row["reject"] <= row["n"] else row["accept"]

    def task() -> str:
        low, high = plan.interval(int(row["n"]), int(x))
        return f"{low:.4f} to {high:.4f} at x = {x} of {row['n']}"

    return task


# A process of its own ---------------------------------------------------------------


def measure(order: str) -> None:
    warnings.simplefilter("ignore")
    name, args = json.loads(order)
    try:
        task = globals()[name](*args)
        before, times = peak_bytes(), []
        while len(times) < 3 and not (times and times[0] > SLOW):
            begin = time.perf_counter()
            remark = task()
            times.append(time.perf_counter() - begin)
            if len(times) == 1:
                added = peak_bytes() - before
    except (AttributeError, TypeError, ValueError) as error:
        print(json.dumps({"failed": f"{type(error).__name__}: {error}"}))
        return
    found = {"seconds": statistics.median(times), "added": added, "remark": remark}
    print(json.dumps(found | {"first": times[0]}))


def run(name: str, args: tuple) -> dict:
    done = subprocess.run(
        [sys.executable, __file__, "--task", json.dumps([name, args])],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        return {"failed": done.stderr.strip().splitlines()[-1]}
    return json.loads(done.stdout)


def main() -> None:
    print(
        f"{platform.machine()}, {os.cpu_count()} cores, Python"
        f" {platform.python_version()}, numpy {np.__version__}, scipy"
        f" {scipy.__version__}"
    )
    print("\nOptimal plans (strict unless said) and their gap to every plan")
    over = 0
    for title, target, name, args in TASKS:
        found = run(name, args)
        if "failed" in found:
            print(f"{title:<50} {'failed':>8}  {found['failed']}", flush=True)
            over += 1
            continue
        note = "" if target is None else f", asked {target:g} s"
        if target is not None and found["seconds"] > target:
            note, over = f"{note}: OVER", over + 1
        memory = f"+{found['added'] / 1e6:.0f} MB"
        print(
            f"{title:<50} {found['seconds']:>6.2f} s {memory:>8}"
            f"  {found['remark']}{note}",
            flush=True,
        )
    print(f"\n{over} of {len(TASKS)} over what was asked, or failed")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--task"]:
        measure(sys.argv[2])
    else:
        main()
