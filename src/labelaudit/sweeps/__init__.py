"""Parameter sweeps: one notebook, many parameter sets, a laptop or a cluster.

The path of the data, one module a step: `notebook` reads what is run (`parameters`,
what its sets may give), `grid` which sets, `task` runs one (on a Dask worker, among the
copies of `place`, under the watch of `kernel`), `results` keeps what came back, and
`running` puts them together and tells how far it is.

Needs papermill, dask.distributed and filelock: pip install "labelaudit[sweep]".
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import _checks

if TYPE_CHECKING:
    import pandas as pd

# The environment variable that names a set's own folder, in which its kernel starts;
# what it writes there is kept.
FILES = "LABELAUDIT_FILES"


def sweep(
    notebook: str | Path,
    grid: str | Path | dict[str, Any],
    out: str | Path,
    *,
    jobs: int | None = None,
    scheduler: str | None = None,
    timeout: float | None = None,
    memory: int | str | None = None,
) -> "pd.DataFrame":
    """Run a notebook with every parameter set of a grid that is not done yet.

    In a script, call it under ``if __name__ == "__main__":``, since the processes of a
    local cluster import the script.

    Parameters
    ----------
    notebook : str or Path
        With a cell tagged `parameters`.
    grid : str, Path or dict
        A TOML file, or the same tables: {"vary": {"x": [1, 2]}, "fixed": {"n": 3}}.
    out : str or Path
        The folder of results.csv, notebooks/ and files/.
    jobs : int, optional
        Sets at a time on this machine; default: its processors.
    scheduler : str, optional
        The address of a running Dask scheduler, in place of this machine.
    timeout : float, optional
        Seconds that a set may take; after it the set has failed.
    memory : int or str, optional
        Bytes, or "2GB", that a set's kernel and its children may have resident in
        all; with more the set has failed.

    Returns
    -------
    DataFrame
        As results.csv: one row per set, with its parameters, status ("done" or
        "failed"), error, seconds, notebook, library_version, notebook_hash (sha256 of
        the notebook's file) and what it recorded.

    Raises
    ------
    ValueError
        Where the call is wrong, before anything runs. A set that fails is a row.
    ImportError
        Where the extra [sweep] is not installed.

    Examples
    --------
    >>> import labelaudit as la
    >>> la.sweep("sizes.ipynb", {"vary": {"n": []}}, "sizes", jobs=0)
    Traceback (most recent call last):
    ValueError: jobs must be a whole number from 1 to 100,000, got 0
    """
    for name, value in {"notebook": notebook, "grid": grid, "out": out}.items():
        tables = name == "grid" and isinstance(value, dict)
        if not tables and (not isinstance(value, (str, Path)) or value == ""):
            accepted = "a path" + " or a dict of tables" * (name == "grid")
            raise _checks.refuse(name, value, accepted)
    if scheduler is not None:
        _checks.text("scheduler", scheduler)
    try:
        from . import running
    except ModuleNotFoundError as error:
        raise ImportError(
            f"sweep needs {error.name}; labelaudit's extra [sweep] installs it"
        ) from error
    if jobs is not None:
        _checks.count("jobs", jobs, 1, 100_000)
    results = running.opened(notebook, grid, out)
    if jobs is not None and scheduler is not None:
        raise running.refused("jobs_and_scheduler")
    running.sweep(results, running.limits(timeout, memory), jobs, scheduler)
    return results.table()
