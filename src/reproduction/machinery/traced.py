"""What a notebook's run rests on, as its kernel sees it: an extension of IPython.

The build loads it into each kernel. After every cell it writes, to the file that a
variable names, which modules of ours are loaded, which files of this repository were
opened and which folders listed.
"""

import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

VARIABLE = "LABELAUDIT_TRACE"
SOURCE = Path(__file__).resolve().parents[2]
ROOT = SOURCE.parent
ELSEWHERE = ("src", "output", ".git", ".venv")  # modules, and what is no input
BESIDE = (".toml", ".mplstyle", ".css", ".html")  # what modules read from beside them


def load_ipython_extension(shell: Any) -> None:
    target = os.environ.pop(VARIABLE)
    read: dict[str, None] = {}
    written: dict[str, None] = {}
    listed: dict[str, None] = {}

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(arguments[0], str):
            path, mode, flags = arguments
            writes = set(mode) & set("wax+") if mode else flags & os.O_ACCMODE
            (written if writes else read)[os.path.abspath(path)] = None
        elif event == "os.scandir" and isinstance(arguments[0], str):
            listed[os.path.abspath(arguments[0])] = None

    def write(*_: object) -> None:
        found = {"modules": modules(), "listed": inputs(listed)}
        found |= {"read": inputs({*read} - {*written}), "written": sorted(written)}
        Path(target).write_text(json.dumps(found), encoding="utf-8")

    sys.addaudithook(hook)
    shell.events.register("post_run_cell", write)


def modules() -> list[str]:
    """The source files of ours that are loaded, by their path in the repository."""
    files = [getattr(module, "__file__", None) for module in [*sys.modules.values()]]
    return below(SOURCE, filter(None, files))


def inputs(names: Iterable[str]) -> list[str]:
    """Those of this repository that are no modules, and no output."""
    found = (Path(name) for name in below(ROOT, names))
    kept = [f for f in found if f.parts[0] not in ELSEWHERE or f.suffix in BESIDE]
    return [file.as_posix() for file in kept]


def below(folder: Path, names: Iterable[str]) -> list[str]:
    """Those in a folder, by their path in the repository."""
    there = {path for path in map(Path, names) if folder in path.parents}
    return sorted(path.relative_to(ROOT).as_posix() for path in there)
