"""What the tests catch: `make mutants`.

A mutant is the library with one place changed: a comparison, a number, and / or, not,
an operator. Some of each wing are drawn by seed. In a copy, the tests that run the
changed lines are run until one fails, then the others of its wing: a mutant
is killed, survives, or times out at three times what the unchanged wing needs there.
tests/mutants.csv keeps what was found and, where a person wrote it, why a survivor is
no fault; what is killed there must be killed again.
"""

from __future__ import annotations

import argparse
import compileall
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import chain
from pathlib import Path
from queue import SimpleQueue
from typing import Any
from xml.etree import ElementTree

import pandas as pd
import psutil
from coverage import CoverageData

from . import check, paths, surroundings
from .mutate import Key, Mutant, mutants

LIBRARY = Path("src", "labelaudit")
WINGS = ["laws", "plans", "intervals", "agreement"]
WINGS += ["files", "commands", "sweeps", "reports"]
KEPT = paths.ROOT / "tests" / "mutants.csv"
WRITTEN = paths.ROOT / "output" / "mutants.csv"
KEY = ["wing", "file", "function", "before", "after", "which"]
RESULTS = ["killed", "survived", "timed out"]
LEAST = 30  # of a wing
PYTEST = ("pytest", *check.PLUGINS, "-q")
NO_SUCH = 4  # pytest's status where it knows no test of that name


def possible(folder: Path) -> dict[Key, Mutant]:
    """All mutants of the library in a folder."""
    files = [f for wing in WINGS for f in (folder / LIBRARY / wing).rglob("*.py")]
    names = sorted(file.relative_to(folder).as_posix() for file in files)
    every = (mutants(name, (folder / name).read_bytes()) for name in names)
    return {key: mutant for some in every for key, mutant in some}


def drawn(every: Iterable[Key], count: int, seed: int) -> list[Key]:
    """Some of each wing, more where there are more.

    A mutant's turn comes by its key, so that of a changed source it is the same.
    """
    by_turn = sorted(every, key=lambda key: random.Random(f"{seed}{key}").random())
    found = []
    for wing in WINGS:
        some = [key for key in by_turn if key[0] == wing]
        more = (count - LEAST * len(WINGS)) * len(some) / len(by_turn)
        found += some[: LEAST + round(more)]
    return found


class Copy:
    """What the tests of the wings need, in a folder; one mutant of it at a time."""

    def __init__(self, folder: Path, library: Path) -> None:
        self.folder = folder.resolve()
        leave = shutil.ignore_patterns("__pycache__", "*.egg-info", LIBRARY.name)
        for name in ("src", "tests", "data"):
            shutil.copytree(paths.ROOT / name, folder / name, ignore=leave)
        shutil.copytree(library, folder / LIBRARY, ignore=leave)
        shutil.copy(paths.ROOT / "pyproject.toml", folder)
        compileall.compile_dir(folder / "src", quiet=1)  # once, not in each run
        (folder / "tmp").mkdir()

    def run(self, *arguments: object, limit: float | None = None) -> int | None:
        """Status of a module that Python runs here; None if it takes too long.

        Then all that it started is ended: kernels begin sessions of their own, but
        have the variable that names the copy's temporary files.
        """
        own = {"PYTHONPATH": f"{self.folder}/src", "TMPDIR": f"{self.folder}/tmp"}
        call = [sys.executable, "-m", *map(str, arguments)]
        with (self.folder / "said").open("wb") as said:
            process = subprocess.Popen(
                call, cwd=self.folder, env=os.environ | own, stdout=said, stderr=said
            )
        try:
            return process.wait(limit)
        except subprocess.TimeoutExpired:
            return None
        finally:
            for each in psutil.process_iter(["environ"]):
                if (each.info["environ"] or {}).get("TMPDIR") == own["TMPDIR"]:
                    with suppress(psutil.NoSuchProcess):
                        each.kill()
            process.wait()

    def as_is(self, wing: str) -> tuple[float, dict[tuple[str, int], list[str]]]:
        """How long an unchanged wing may take, and what runs each of its lines.

        The tests that run a line, quick ones first, as pytest calls them; not those
        that run it in another process, nor what runs on import.
        """
        begin, told = time.monotonic(), self.folder / f"{wing}.xml"
        whole = (f"tests/{wing}", LIBRARY / wing)
        if self.run(*PYTEST, f"--junit-xml={told}", *whole) != 0:
            said = (self.folder / "said").read_text(encoding="utf-8", errors="replace")
            raise SystemExit(f"{said}\nthe tests of {wing} fail as they are")
        limit = 3 * (time.monotonic() - begin)
        times: Counter[str] = Counter()
        for case in ElementTree.parse(told).iter("testcase"):
            file, test = case.attrib["classname"], case.attrib["name"].partition("[")[0]
            times[f"{file.replace('.', '/')}.py::{test}"] += float(case.attrib["time"])

        (self.folder / "lines.ini").write_bytes(b"[run]\ndynamic_context=test_function")
        data = self.folder / f"{wing}.lines"
        watch = ["coverage", "run", "--rcfile=lines.ini", f"--data-file={data}"]
        self.run(*watch, f"--source={LIBRARY / wing}", "-m", *PYTEST, f"tests/{wing}")
        found = CoverageData(basename=str(data))
        found.read()
        tests = {}
        for file in found.measured_files():
            name = Path(file).relative_to(self.folder).as_posix()
            for line, contexts in found.contexts_by_lineno(file).items():
                parts = [context.partition(".")[::2] for context in contexts]
                names = {f"tests/{wing}/{module}.py::{test}" for module, test in parts}
                tests[name, line] = sorted(names & {*times}, key=times.__getitem__)
        return limit, tests

    def tried(self, key: Key, mutant: Mutant, tests: list[str], limit: float) -> str:
        """Whether a mutant is killed, survives or times out."""
        wing, name, *_ = key
        file, whole = self.folder / name, self.folder / "whole"
        file.rename(whole)
        file.write_bytes(mutant.text(whole.read_bytes()))
        status = self.run(*PYTEST, "-x", *tests, limit=limit) if tests else 0
        if status in (0, NO_SUCH):
            rest = (f"--deselect={test}" for test in tests if status == 0)
            every = (f"tests/{wing}", LIBRARY / wing)
            status = self.run(*PYTEST, "-x", *rest, *every, limit=limit)
        whole.replace(file)
        return {0: "survived", None: "timed out"}.get(status, "killed")


def results(library: Path, chosen: dict[Key, Mutant], jobs: int) -> Iterator[str]:
    """What becomes of each mutant."""
    wings = sorted({key[0] for key in chosen})
    with (
        tempfile.TemporaryDirectory(prefix="labelaudit-") as top,
        ThreadPoolExecutor(jobs) as pool,
    ):
        free: SimpleQueue[Copy] = SimpleQueue()
        for job in range(jobs):
            free.put(Copy(Path(top, str(job)), library))

        def there(does: Callable[..., Any], *given: Any) -> Any:
            here = free.get()
            try:
                return does(here, *given)
            finally:
                free.put(here)

        known = dict(zip(wings, pool.map(partial(there, Copy.as_is), wings)))
        limits = {wing: limit for wing, (limit, _) in known.items()}
        print("at most:", limits, file=sys.stderr, flush=True)

        def one(key: Key, mutant: Mutant) -> Any:
            limit, tests = known[key[0]]
            of = chain.from_iterable(tests.get((key[1], n), []) for n in mutant.lines)
            return there(Copy.tried, key, mutant, [*dict.fromkeys(of)], limit)

        yield from pool.map(one, chosen.keys(), chosen.values())


def read(file: Path) -> dict[Key, list[str]]:
    """Result and reason of each mutant in a table, by its key."""
    rows = pd.read_csv(file, dtype=str, keep_default_na=False).to_numpy().tolist()
    return {tuple(row[:-2]): row[-2:] for row in rows}


def write(file: Path, rows: dict[Key, list[str]]) -> None:
    table = pd.DataFrame([[*key, *rows[key]] for key in sorted(rows)])
    table.to_csv(file, header=[*KEY, "result", "reason"], index=False)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wings", nargs="*", default=WINGS, metavar="WING")
    parser.add_argument("--count", type=int, default=240, help="besides those kept")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--source", type=Path, default=paths.ROOT, metavar="FOLDER")
    options = parser.parse_args()
    most = max(psutil.virtual_memory().total // options.jobs, 4 << 30)
    resource.setrlimit(resource.RLIMIT_AS, (most, resource.RLIM_INFINITY))

    every, old = possible(options.source), read(KEPT)
    keys = [*drawn(every, options.count, options.seed), *(old.keys() & every.keys())]
    chosen = {key: every[key] for key in keys if key[0] in options.wings}
    rows = {key: row for key, row in old.items() if key[0] not in options.wings}
    print(len(old) - len({*old} & {*rows, *chosen}), "of those kept are not there")
    counts = pd.DataFrame(0, index=options.wings, columns=RESULTS)
    lost = 0
    found = results(options.source / LIBRARY, chosen, options.jobs)
    for key, result in zip(chosen, found):
        was, reason = old.get(key, ("", ""))
        rows[key] = [result, reason]
        write(WRITTEN, rows)
        counts.loc[key[0], result] += 1
        if result == "survived":
            lost += was == "killed"
            said = "KILLED BEFORE" if was == "killed" else reason
            print(f"{key[1]}:{chosen[key].lines.start} {said}\n- {key[3]}\n+ {key[4]}")
        print(counts.to_numpy().sum(), "of", len(chosen), file=sys.stderr)
    counts.insert(0, "tried", counts.sum(axis=1))
    counts.loc["all"] = counts.sum()
    print(counts, f"{lost} that were killed survive", sep="\n")
    return 1 if lost else 0


if __name__ == "__main__":
    surroundings.prepare()
    sys.exit(main())
