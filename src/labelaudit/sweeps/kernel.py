"""Where one set's kernel runs, and the watch that ends one that runs away."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from pathlib import Path
from typing import Any

LOOK = 0.1  # seconds between two looks at a kernel
UP = 2  # folders above the notebook's that a set can read from, as in ../data
UNKEPT = {"__pycache__", ".ipynb_checkpoints"}


def folder(root: Path, notebooks: str) -> Path:
    """A set's own folder, in which it sees what lies beside the notebook and above.

    What is there are links, so a set that reads `data.csv` or `../data/x.csv` finds
    it, and what it writes beside them is its own.

    Parameters
    ----------
    root : Path
        A folder of this run alone.
    notebooks : str
        The notebook's folder; a worker may not have it, and then there are no links.
    """
    there = Path(notebooks)
    above = [there, *there.parents][: UP + 1][::-1]
    if not there.is_dir() or not there.name:
        own = root / "files"
        own.mkdir()
        return own
    own = root / "sets"
    own.mkdir()
    for place, below in zip(above, [*above[1:], None]):
        _link_all(place, own, without=below.name if below else "")
        if below is not None:
            own /= below.name
            own.mkdir()
    return own


def _link_all(source: Path, target: Path, without: str) -> None:
    with contextlib.suppress(OSError):  # no right to read it, or links are unknown
        for one in source.iterdir():
            if one.name not in UNKEPT | {without}:
                (target / one.name).symlink_to(one)


def written(own: Path) -> dict[str, bytes]:
    """What a set left in its folder, by its path there; links are not its own."""
    found = {}
    for place, folders, names in os.walk(own):
        folders[:] = [
            name
            for name in folders
            if name not in UNKEPT and not Path(place, name).is_symlink()
        ]
        for name in sorted(names):
            path = Path(place, name)
            if path.is_file() and not path.is_symlink():
                found[path.relative_to(own).as_posix()] = path.read_bytes()
    return dict(sorted(found.items()))


class Watch:
    """Ends a kernel, and what it started, that takes too long or too much memory.

    Parameters
    ----------
    timeout : float or None
        Seconds.
    memory : int or None
        Bytes that the kernel and its children may have resident in all.

    Attributes
    ----------
    why : str
        Why it was ended; empty where it was not.
    """

    def __init__(self, timeout: float | None, memory: int | None) -> None:
        self.timeout, self.memory = timeout, memory
        self.why, self.pid = "", None
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Watch:
        if self.timeout is not None or self.memory is not None:
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        if self._thread.ident is not None:
            self._thread.join()

    def _look(self) -> None:
        import psutil

        begin = time.monotonic()
        while not self._over.wait(LOOK):
            if self.pid is None:
                continue
            try:
                kernel = psutil.Process(self.pid)
                family = [kernel, *kernel.children(recursive=True)]
            except psutil.NoSuchProcess:
                continue
            if self.timeout is not None and time.monotonic() - begin > self.timeout:
                self.why = f"TimeoutError: it took more than {self.timeout:g} s"
            elif self.memory is not None and _resident(family) > self.memory:
                self.why = f"MemoryError: it had more than {self.memory:,} bytes"
            if self.why:
                for process in family:
                    with contextlib.suppress(psutil.NoSuchProcess):
                        process.kill()
                return


def _resident(family: list[Any]) -> int:
    import psutil

    total = 0
    for process in family:
        with contextlib.suppress(psutil.NoSuchProcess, psutil.AccessDenied):
            total += process.memory_info().rss
    return total


def manager(environment: dict[str, str], watch: Watch) -> type:
    """A class of kernel managers that starts a kernel with these variables too.

    The process's own environment would be that of every thread of a worker.
    """
    from jupyter_client.manager import AsyncKernelManager

    class Manager(AsyncKernelManager):
        async def start_kernel(self, **options: Any) -> None:  # type: ignore[override]
            await super().start_kernel(**options | {"env": os.environ | environment})
            watch.pid = getattr(self.provisioner, "pid", None)

    return Manager
