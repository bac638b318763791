"""Regenerate every figure, table and notebook: what `make` runs.

Only what changed is made anew; see `notebooks`.
"""

import argparse
import os
import shutil
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from importlib import import_module
from pathlib import Path

from labelaudit import _whole

from . import front, notebooks, paths, surroundings


def main(arguments: list[str] | None = None) -> int:
    """Of the command line, unless other arguments are given."""
    parser = argparse.ArgumentParser(prog="python -m reproduction.machinery.build")
    parser.add_argument("stems", nargs="*", help="notebooks to make (default: all)")
    # One more than there are processors: a kernel that starts or ends waits .4 s.
    parser.add_argument("--jobs", type=int, default=1 + (os.cpu_count() or 1))
    parser.add_argument("--all", action="store_true", help="also where nothing changed")
    parser.add_argument("--keep", action="store_true", help="leave notebooks/ as it is")
    options = parser.parse_args(arguments)
    known = notebooks.stems()
    if unknown := set(options.stems) - set(known):
        parser.error(f"no such notebook: {', '.join(sorted(unknown))}")
    chosen = [stem for stem in known if stem in options.stems or not options.stems]

    os.environ.setdefault(paths.FIGURES_VARIABLE, str(paths.FIGURES))
    begin = time.perf_counter()
    folder = Path(tempfile.mkdtemp(prefix="labelaudit-"))
    made, failed = run(chosen, folder, options)
    if failed:
        print("\nThese notebooks failed; they are kept as they broke off:")
        for result in failed:
            print(f"  {folder / result.stem}.ipynb\n{result.error}")
        return 1
    shutil.rmtree(folder)
    page = paths.NOTEBOOKS / "README.md"
    text = page.read_text(encoding="utf-8")
    if not options.keep and (listed := front.listed(text)) != text:
        _whole.write(page, listed.encode())
    done = f"{made} notebooks made" if made else "nothing changed"
    took, left = time.perf_counter() - begin, len(chosen) - made
    print(f"{done} in {took:.0f} s, {left} as they were", end="; ")
    print(f"figures and tables are in {paths.figures()}")
    return 0


def run(
    chosen: list[str], folder: Path, options: argparse.Namespace
) -> tuple[int, list[notebooks.Result]]:
    """Make what changed, the last notebook after all others.

    Returns how many were made, and those that failed.
    """
    failed: list[notebooks.Result] = []
    made, anew = 0, "nothing, but asked for" * (options.all or options.keep)
    for last in (False, True):
        group = [stem for stem in chosen if (stem == notebooks.LAST) is last]
        why = {stem: anew or notebooks.changed(stem) for stem in group}
        todo = [stem for stem in group if why[stem]]
        if failed or not todo:
            continue
        begin = time.time()
        import_module("papermill")  # a second: once, before workers are forked
        with ProcessPoolExecutor(max(1, min(options.jobs, len(todo)))) as pool:
            runs = [pool.submit(notebooks.execute, stem, folder) for stem in todo]
            for k, run in enumerate(as_completed(runs), start=1):
                result = run.result()
                told = f"{'failed' if result.error else 'done'} in {result.seconds:.1f}"
                told = f"{result.stem}: {told} s (changed: {why[result.stem]})"
                print(f"[{k}/{len(todo)}] {told}", flush=True)
                if result.error:
                    failed.append(result)
                elif not options.keep:
                    text = (folder / f"{result.stem}.ipynb").read_bytes()
                    _whole.write(paths.notebook(result.stem), text)
                    notebooks.keep(result.stem, result.trace, begin)
                    made += 1
    return made, failed


if __name__ == "__main__":
    surroundings.prepare()
    sys.exit(main())
