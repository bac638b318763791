"""What a notebook's run rests on, as its kernel sees it: an extension of IPython.

The build loads it into each kernel. After every cell it writes, to the file that a
variable names, which files of this repository were opened, the modules that are loaded
among them, and which folders listed.
"""

import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

VARIABLE = "LABELAUDIT_TRACE"
ROOT = Path(__file__).resolve().parents[3]
ELSEWHERE = {"output", ".git", ".venv", "site-packages"}  # no inputs, nor what is there
COMPILED = (".pyc", ".pyi")  # whose modules are; a stub says only where names are


def load_ipython_extension(shell: Any) -> None:
    target = os.environ.pop(VARIABLE)
    read, written, listed = set[str](), set[str](), set[str]()

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(arguments[0], str):
            path, mode, flags = arguments
            writes = set(mode) & set("wax+") if mode else flags & os.O_ACCMODE
            (written if writes else read).add(os.path.abspath(path))
        elif event == "os.scandir" and isinstance(arguments[0], str):
            listed.add(os.path.abspath(arguments[0]))

    def write(*_: object) -> None:
        loaded = (getattr(one, "__file__", "") for one in [*sys.modules.values()])
        found = {"read": ours({*read, *filter(None, loaded)} - written)}
        found |= {"listed": ours(listed), "written": sorted(written)}
        Path(target).write_text(json.dumps(found), encoding="utf-8")

    sys.addaudithook(hook)
    shell.events.register("post_run_cell", write)


def ours(names: Iterable[str]) -> list[str]:
    """Those that are inputs, by their path in the repository."""
    # As text: after each cell these are thousands, whose paths would take 30 ms.
    begin = f"{ROOT}{os.sep}"
    within = (name[len(begin) :] for name in names if name.startswith(begin))
    parts = [name.split(os.sep) for name in within if not name.endswith(COMPILED)]
    return sorted("/".join(each) for each in parts if not ELSEWHERE & {*each})
