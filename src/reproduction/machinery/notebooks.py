"""Execute notebooks by papermill and keep only what a reader needs of the result."""

import json
import re
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nbformat import NotebookNode, v4

from labelaudit import _whole
from labelaudit.sweeps import kernel

from . import paths, traced

LAST = "ledger"  # reads what the others record
LONG = ("beyond_02", "beyond_01", "klie2024_08", "klie2024_06")  # beginnings of names

ANSI = re.compile(r"\x1b\[[0-9;]*m")
IN_CELL = re.compile(r"Cell In\[(\d+)\], line (\d+)")

# Controls need a kernel: what is kept is the picture beside them.
CONTROLS = "application/vnd.jupyter.widget-view+json"
CELL_METADATA = {"tags", "jupyter"}  # jupyter: a cell whose code is folded
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python"}
KERNEL["name"] = "python3"
NOTEBOOK_METADATA = {"kernelspec": KERNEL, "language_info": {"name": "python"}}


@dataclass(frozen=True)
class Result:
    """How the execution of one notebook went; error is empty if it went well.

    trace is what its kernel saw that it rests on; see `traced`.
    """

    stem: str
    seconds: float
    error: str
    trace: dict[str, list[str]] = field(default_factory=dict)


def stems() -> list[str]:
    """All notebooks in the order in which they run: long ones first, ledger last."""
    found = sorted(file.stem for file in paths.NOTEBOOKS.glob("*.ipynb"))
    return sorted(found, key=lambda stem: (stem == LAST, not stem.startswith(LONG)))


def read(file: Path) -> NotebookNode:
    """A notebook, as it stands in its file; what has many lines is one string."""
    return v4.reads(file.read_text(encoding="utf-8"))


def clean(notebook: NotebookNode) -> str:
    """A notebook's text with source, tags, outputs and execution counts only.

    Cell ids are numbers. Controls go, and what they would show in their place stays.
    """
    notebook.metadata = NOTEBOOK_METADATA
    for i, cell in enumerate(notebook.cells, start=1):
        cell.id = f"cell-{i:02d}"
        kept = {k: v for k, v in cell.metadata.items() if k in CELL_METADATA and v}
        cell.metadata = kept
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(CONTROLS, None)
    return v4.writes(notebook) + "\n"


def execute(stem: str, folder: Path, given: dict[str, Any] | None = None) -> Result:
    """Run one notebook; in folder leave the clean result, or the failed notebook.

    given : parameters other than the notebook's own
    """
    import papermill

    begin, error = time.perf_counter(), ""
    output, trace = folder / f"{stem}.ipynb", folder / f"{stem}.trace"
    environment = {traced.VARIABLE: str(trace)}
    # The kernel starts in the notebooks' folder, as in JupyterLab.
    try:
        made = papermill.execute_notebook(
            str(paths.notebook(stem)),
            str(output),
            parameters=given,
            kernel_name="python3",
            kernel_manager_class=kernel.manager(environment, sockets=folder),
            extra_arguments=[f"--IPKernelApp.extra_extensions={traced.__name__}"],
            cwd=str(paths.NOTEBOOKS),
            progress_bar=False,
            log_output=False,
            coalesce_streams=True,  # where Jupyter cuts what is printed is chance
        )
        output.write_text(clean(made), encoding="utf-8", newline="\n")
    except papermill.PapermillExecutionError as failure:
        error = f"{_where(failure)}: {failure.ename}: {failure.evalue}"
    except Exception as failure:
        error = f"{type(failure).__name__}: {failure}"
    seen = json.loads(trace.read_text(encoding="utf-8")) if trace.exists() else {}
    return Result(stem, time.perf_counter() - begin, error, seen)


def _where(failure: Any) -> str:
    """The cell that failed, as JupyterLab counts them, and the line in it."""
    told = ANSI.sub("", "\n".join(failure.traceback))
    line = IN_CELL.search(told)
    number = int(line[2]) if line else 0
    lines = failure.source.splitlines()
    code = f" `{lines[number - 1].strip()}`" if 0 < number <= len(lines) else ""
    return f"cell [{failure.exec_count}], line {number or 1}{code}"


def replace(stem: str, folder: Path) -> None:
    """Put an executed notebook in the place of the one that was run."""
    _whole.write(paths.notebook(stem), (folder / f"{stem}.ipynb").read_bytes())
