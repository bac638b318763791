"""Regenerate every figure, table and notebook: what `make` runs."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from . import notebooks, paths, surroundings, warm


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m reproduction.machinery.build")
    parser.add_argument("stems", nargs="*", help="notebooks to run (default: all)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--keep", action="store_true", help="leave notebooks/ as it is")
    options = parser.parse_args()
    known = notebooks.stems()
    unknown = set(options.stems) - set(known)
    if unknown:
        parser.error(f"no such notebook: {', '.join(sorted(unknown))}")
    chosen = [stem for stem in known if stem in options.stems or not options.stems]

    os.environ.setdefault(paths.FIGURES_VARIABLE, str(paths.FIGURES))
    begin = time.perf_counter()
    folder = Path(tempfile.mkdtemp(prefix="labelaudit-"))
    with warm.kernels():
        failed = run(chosen, folder, options)
    if failed:
        print("\nThese notebooks failed; they are kept as they broke off:")
        for result in failed:
            print(f"  {folder / result.stem}.ipynb\n    {result.error}")
        return 1
    shutil.rmtree(folder)
    where = paths.figures()
    print(
        f"{len(chosen)} notebooks in {time.perf_counter() - begin:.0f} s;"
        f" figures and tables are in {where}"
    )
    return 0


def run(
    chosen: list[str], folder: Path, options: argparse.Namespace
) -> list[notebooks.Result]:
    """Execute notebooks, the last one after all others; return those that failed."""
    notebooks.loaded()  # it takes a second: once, before workers are forked

    failed: list[notebooks.Result] = []
    first = [stem for stem in chosen if stem != notebooks.LAST]
    last = [stem for stem in chosen if stem == notebooks.LAST]
    done = 0
    with ProcessPoolExecutor(max(1, min(options.jobs, len(chosen)))) as pool:
        for group in (first, last):
            if failed:
                break
            runs = [pool.submit(notebooks.execute, stem, folder) for stem in group]
            for run in as_completed(runs):
                result, done = run.result(), done + 1
                word = "failed" if result.error else "done"
                print(
                    f"[{done}/{len(chosen)}] {result.stem}: {word}"
                    f" in {result.seconds:.1f} s",
                    flush=True,
                )
                if result.error:
                    failed.append(result)
                elif not options.keep:
                    notebooks.replace(result.stem, folder)
    return failed


if __name__ == "__main__":
    surroundings.prepare()
    sys.exit(main())
