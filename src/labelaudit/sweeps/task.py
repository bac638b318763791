"""One parameter set: what a Dask worker does."""

import json
import logging
import os
import time
from dataclasses import dataclass, field
from pathlib import Path
from socket import gethostname
from tempfile import TemporaryDirectory
from typing import Any

from ..recording import recorded
from . import FILES, kernel, place
from .grid import OWN_COLUMNS
from .notebook import Notebook, library, say

START = 300  # seconds that a kernel may take to start, on a busy machine

QUIET = "--IPKernelApp.log_level=50"  # a kernel's own messages among the progress


@dataclass(frozen=True)
class Source:
    """What is the same for all runs of a sweep.

    Attributes
    ----------
    notebook : Notebook
        A set sees copies of what surrounds it, if a worker has its folder.
    out : Path
        Where the results go, absolute; no set sees that.
    library : str
        Hash of the library that the sweep was started with.
    timeout : float or None
        Seconds that a run may take.
    memory : float or None
        Bytes that its kernel and the kernel's children may have.
    """

    notebook: Notebook
    out: Path
    library: str
    timeout: float | None = None
    memory: float | None = None

    def surroundings(self, *given: Any) -> place.Chosen:
        """What of the notebook's surroundings sets with these values get copies of."""
        cells = json.loads(self.notebook.text)["cells"]
        code = [part for c in cells if c["cell_type"] == "code" for part in c["source"]]
        code.append(f"\n{given!r}")
        named = place.words("".join(code))
        return place.choose(self.notebook.path.parent, named, [self.out])


class OtherLibrary(ConnectionError):  # noqa: N818 (it is no error of ours)
    """The labelaudit here is not the one that the sweep was started with."""


@dataclass(frozen=True)
class Outcome:
    """How a run went.

    Attributes
    ----------
    error : str
        One line; empty where it went well.
    seconds : float
        Its time.
    values : dict
        What it recorded, also before it failed.
    notebook : str or None
        The executed notebook, as far as it came.
    files : dict
        What it wrote by relative paths, by these paths.
    """

    error: str
    seconds: float
    values: dict[str, Any] = field(default_factory=dict)
    notebook: str | None = None
    files: dict[str, bytes] = field(default_factory=dict)


def execute(source: Source, parameters: dict[str, Any]) -> Outcome:
    """Run the notebook with these parameters.

    What goes wrong in the notebook is an outcome; what goes wrong before it can run,
    such as a kernel that does not start, is raised, and Dask tries again.

    Raises
    ------
    OtherLibrary
        Where the library is another than the sweep's.
    """
    if library() != source.library:
        raise OtherLibrary(say("other_library", host=gethostname()))
    begin = time.perf_counter()
    with TemporaryDirectory(prefix="labelaudit-", ignore_cleanup_errors=True) as name:
        output = Path(name, "output.ipynb")
        here = place.Place(Path(name), source.surroundings(parameters))
        error = _run(source, parameters, here.own, output)
        text = output.read_text(encoding="utf-8") if output.exists() else None
        files = here.written()
    made = json.loads(text or '{"cells": []}')
    ends = (one.get("ename") for c in made["cells"] for one in c.get("outputs", []))
    if not error and "SystemExit" in ends:
        error = "SystemExit: the notebook ended itself before its last cell"
    values = recorded(made)
    taken = {*source.notebook.cell.defaults, *OWN_COLUMNS}
    for name in sorted(values.keys() & taken):
        del values[name]
        error = error or say("recorded", name=name)
    return Outcome(error, time.perf_counter() - begin, values, text, files)


def _run(source: Source, parameters: dict[str, Any], own: Path, output: Path) -> str:
    import papermill
    from nbclient.exceptions import DeadKernelError
    from papermill.exceptions import PapermillExecutionError

    given = output.with_name("input.ipynb")
    given.write_text(source.notebook.text, encoding="utf-8")
    logging.getLogger("papermill").setLevel(logging.CRITICAL)
    folders = str(source.notebook.path.parent), os.environ.get("PYTHONPATH")
    environment = {"PYTHONPATH": os.pathsep.join(filter(None, folders))}
    environment[FILES] = str(own)
    watch = kernel.Watch(source.timeout, source.memory)
    try:
        papermill.execute_notebook(
            str(given),
            str(output),
            parameters=parameters,
            # The kernel's folder; papermill's cwd= would move the whole process,
            # and a worker may have several threads.
            resources={"metadata": {"path": str(own)}},
            kernel_manager_class=kernel.manager(environment, output.parent, watch),
            extra_arguments=[QUIET],
            start_timeout=START,
            progress_bar=False,
        )
    except (PapermillExecutionError, DeadKernelError) as failure:
        return watch.why or line(failure)
    except RuntimeError:
        if not watch.why:  # else it was ended before it could run
            raise
    return watch.why


def line(failure: BaseException) -> str:
    """What is wrong in one line, of a cell or of a call."""
    name = getattr(failure, "ename", type(failure).__name__)
    text = f"{name}: {getattr(failure, 'evalue', failure)}"
    text = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return text if len(text) <= 500 else text[:497] + "..."
