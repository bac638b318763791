"""Notebooks: executed by papermill, cleaned, and executed again where need is.

What a notebook was made from is recorded, so that it is made again only where that
changed: what its kernel saw (see `traced`: files that it read, among them the modules
of ours that were loaded at its end, since names load lazily and import statements show
too little; files that it wrote; folders that it listed) and digests of all that, of the
notebook as it was put in its place and of its parameters. Records lie in output/, which
git ignores: a fresh clone makes everything.
"""

import hashlib
import json
import sys
import time
import traceback
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from nbformat import NotebookNode, v4

from labelaudit.sweeps import kernel

from . import parameters, paths, traced

LAST = "ledger"  # reads what the others record
LONG = ("beyond_0", "klie2024", "teach_03", "wong2021")  # beginnings of names

# Controls need a kernel: what is kept is the picture beside them.
CONTROLS = "application/vnd.jupyter.widget-view+json"
CELL_METADATA = {"tags", "jupyter"}  # jupyter: a cell whose code is folded
NEW = Path(__file__).with_name("new.ipynb")  # what a notebook begins as

Trace = dict[str, list[str]]


class Result(NamedTuple):
    """How the execution of one notebook went; error is empty if it went well.

    trace is what its kernel saw that it rests on; see `traced`.
    """

    stem: str
    seconds: float
    error: str
    trace: Trace


def stems() -> list[str]:
    """All notebooks in the order in which they run: long ones first, ledger last."""
    found = sorted(file.stem for file in paths.NOTEBOOKS.glob("*.ipynb"))
    return sorted(found, key=lambda stem: (stem == LAST, not stem.startswith(LONG)))


def read(file: Path) -> NotebookNode:
    """A notebook, as it stands in its file; what has many lines is one string."""
    return v4.reads(file.read_text(encoding="utf-8"))


def clean(notebook: NotebookNode) -> str:
    """A notebook's text with source, tags, outputs and execution counts only.

    What is said of its kernel is as in a new one. Cell ids are numbers. Controls go,
    and what they would show in their place stays.
    """
    notebook.metadata = read(NEW).metadata
    for i, cell in enumerate(notebook.cells, start=1):
        cell.id = f"cell-{i:02d}"
        kept = {k: v for k, v in cell.metadata.items() if k in CELL_METADATA and v}
        cell.metadata = kept
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(CONTROLS, None)
    return v4.writes(notebook) + "\n"


def execute(stem: str, folder: Path, given: dict[str, Any] | None = None) -> Result:
    """Run one notebook; in folder leave the clean result, or the failed notebook.

    Nothing is left where its kernel was killed, for want of memory perhaps.

    given : parameters other than the notebook's own
    """
    import papermill

    begin, error = time.perf_counter(), ""
    output, trace = folder / f"{stem}.ipynb", folder / f"{stem}.trace"
    # The kernel starts in the notebooks' folder, as in JupyterLab.
    try:
        made = papermill.execute_notebook(
            str(paths.notebook(stem)),
            str(output),
            parameters=given,
            kernel_name="python3",
            kernel_manager_class=kernel.manager({traced.VARIABLE: str(trace)}, folder),
            extra_arguments=[f"--IPKernelApp.extra_extensions={traced.__name__}"],
            cwd=str(paths.NOTEBOOKS),
            progress_bar=False,
            request_save_on_cell_execute=False,  # once, at the end, takes a third
            coalesce_streams=True,  # where Jupyter cuts what is printed is chance
        )
        output.write_text(clean(made), encoding="utf-8", newline="\n")
    except Exception as failure:  # papermill's tells the cell and its traceback
        error = "".join(traceback.format_exception_only(failure)).strip()
    seen = json.loads(trace.read_text(encoding="utf-8")) if trace.exists() else {}
    return Result(stem, time.perf_counter() - begin, error, seen)


# What each was made from --------------------------------------------------------------


def keep(stem: str, trace: Trace, begin: float) -> None:
    """Remember what a notebook that is in its place was made from.

    Not where some of it has changed since this time: it may have been read before.
    """
    record = _record(stem)
    record.unlink(missing_ok=True)
    used = [paths.ROOT / name for name in _inputs(stem, trace)]
    if not any(path.is_file() and path.stat().st_mtime > begin for path in used):
        _digest.cache_clear()
        kept = {"trace": trace, "digests": _digests(stem, trace)}
        record.parent.mkdir(parents=True, exist_ok=True)
        record.write_text(json.dumps(kept, indent=1), encoding="utf-8")


def changed(stem: str) -> str:
    """The first thing that changed since a notebook was made; empty if nothing did."""
    try:
        kept = json.loads(_record(stem).read_text(encoding="utf-8"))
        known, trace = kept["digests"], kept["trace"]
    except (OSError, ValueError, KeyError):
        return "not made here before"
    now = _digests(stem, trace)
    return next((what for what in known if now.get(what) != known[what]), "")


def _record(stem: str) -> Path:
    return paths.RECORDS / f"{stem}.json"


def _inputs(stem: str, trace: Trace) -> list[str]:
    """The files that it rests on; those with its cells and parameters are apart."""
    apart = (paths.notebook(stem), paths.PARAMETERS)
    named = [paths.LOCK.name, *trace["read"]]
    return [name for name in named if paths.ROOT / name not in apart]


def _digests(stem: str, trace: Trace) -> dict[str, str]:
    written = [Path(name) for name in trace["written"]]
    files = {f"file {name}": paths.ROOT / name for name in _inputs(stem, trace)}
    files |= {f"written {p.name}": p for p in written if p.parent == paths.figures()}
    files |= {f"notebook {stem}": paths.notebook(stem)}
    found = {"python": sys.version}
    found |= {f"parameters {stem}": json.dumps(parameters.as_published(stem))}
    for name in trace["listed"]:
        inside = (path.name for path in (paths.ROOT / name).glob("*"))
        found[f"folder {name}"] = " ".join(sorted(inside))
    return found | {what: _digest(path) for what, path in files.items()}


@cache
def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
