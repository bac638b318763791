"""One parameter set: what a Dask worker does."""

import json
import logging
import os
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from socket import gethostname
from tempfile import TemporaryDirectory
from typing import Any, Self
from zlib import compress, decompress

from ..recording import recorded
from . import FILES, kernel, place
from .grid import OWN_COLUMNS, ParameterSet
from .notebook import Notebook, library

START = 300  # seconds that a kernel may take to start, on a busy machine

QUIET = "--IPKernelApp.log_level=50"  # a kernel's own messages among the progress


@dataclass(frozen=True)
class Source:
    """What is the same for all runs of a sweep.

    Attributes
    ----------
    packed : bytes
        The notebook, compressed.
    folder : str
        The notebook's own, of which a set sees copies, if a worker has that folder.
    out : str
        Where the results go; no set sees that.
    library : str
        Hash of the library that the sweep was started with.
    parameters : tuple of str
        Names that the notebook may not record values by.
    timeout : float or None
        Seconds that a run may take.
    memory : int or None
        Bytes that its kernel and the kernel's children may have.
    """

    packed: bytes
    folder: str
    out: str
    library: str
    parameters: tuple[str, ...]
    timeout: float | None = None
    memory: int | None = None

    @classmethod
    def of(cls, source: Notebook, out: str | Path, *limits: Any) -> Self:
        """Of a notebook that was read here, with these limits."""
        packed, folder = compress(source.text.encode()), str(source.path.parent)
        results, names = str(Path(out).absolute()), tuple(source.cell.names)
        return cls(packed, folder, results, library(), names, *limits)

    @property
    def text(self) -> str:
        return decompress(self.packed).decode()

    def surroundings(self, given: Iterable[Any]) -> place.Chosen | None:
        """What of the notebook's surroundings sets with these values get copies of."""
        if not Path(self.folder).is_dir():
            return None
        cells = json.loads(self.text)["cells"]
        code = [part for c in cells if c["cell_type"] == "code" for part in c["source"]]
        named = place.words("".join(code), given)
        return place.choose(Path(self.folder), named, [Path(self.out)])

    def left_out(self, sets: list[ParameterSet]) -> str:
        """What is left out of the surroundings of these sets, as a sentence."""
        seen = self.surroundings([one.given for one in sets]) if sets else None
        return "" if seen is None else seen.told()


class OtherLibrary(RuntimeError):  # noqa: N818 (as `Refused`)
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
        raise OtherLibrary(
            f"the labelaudit of {gethostname()} is not the one that the sweep was"
            " started with; it was changed, or must be installed there"
        )
    begin = time.perf_counter()
    with TemporaryDirectory(prefix="labelaudit-", ignore_cleanup_errors=True) as name:
        output = Path(name, "output.ipynb")
        here = place.Place(Path(name), source.surroundings([parameters]))
        error = _run(source, parameters, here.own, output)
        error += here.missed(error)
        text = output.read_text(encoding="utf-8") if output.exists() else None
        files = here.written()
    values = recorded(json.loads(text)) if text is not None else {}
    taken = dict.fromkeys(source.parameters, "the name of a parameter")
    taken |= dict.fromkeys(OWN_COLUMNS, "a column of every sweep's own")
    for name in values.keys() & taken.keys():
        del values[name]
        error = error or f"ValueError: recorded {name!r}, {taken[name]}"
    return Outcome(error, time.perf_counter() - begin, values, text, files)


def _run(source: Source, parameters: dict[str, Any], own: Path, output: Path) -> str:
    import papermill
    from nbclient.exceptions import DeadKernelError
    from papermill.exceptions import PapermillExecutionError

    given = output.with_name("input.ipynb")
    given.write_text(source.text, encoding="utf-8")
    logging.getLogger("papermill").setLevel(logging.CRITICAL)
    path = os.pathsep.join(filter(None, [source.folder, os.environ.get("PYTHONPATH")]))
    environment = {FILES: str(own), "PYTHONPATH": path}
    watch = kernel.Watch(source.timeout, source.memory)
    try:
        with watch:
            papermill.execute_notebook(
                str(given),
                str(output),
                parameters=parameters,
                # The kernel's folder; papermill's cwd= would move the whole process,
                # and a worker may have several threads.
                resources={"metadata": {"path": str(own)}},
                kernel_manager_class=kernel.manager(environment, watch, output.parent),
                extra_arguments=[QUIET],
                start_timeout=START,
                progress_bar=False,
            )
    except (PapermillExecutionError, DeadKernelError) as failure:
        return watch.why or line(failure)
    if watch.why:
        return watch.why
    for cell in json.loads(output.read_text(encoding="utf-8"))["cells"]:
        if any(one.get("ename") == "SystemExit" for one in cell.get("outputs", [])):
            return "SystemExit: the notebook ended itself before its last cell"
    return ""


def line(failure: BaseException) -> str:
    """What is wrong in one line, of a cell or of a call."""
    name = getattr(failure, "ename", type(failure).__name__)
    text = f"{name}: {getattr(failure, 'evalue', failure)}"
    text = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return text if len(text) <= 500 else text[:497] + "..."
