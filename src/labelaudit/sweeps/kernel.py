"""How a set's kernel starts, and the watch that ends one that runs away."""

import contextlib
import os
import socket
import threading
import time
from math import inf
from pathlib import Path
from typing import Any, Self
from uuid import uuid4

import psutil

LOOK = 0.1  # seconds between two looks at a kernel
LONGEST = 81  # bytes of a folder of sockets: of some 104 in a name, with two numbers


class Watch:
    """Ends a kernel, and what it started, that takes too long or too much memory.

    Parameters
    ----------
    timeout : float or None
        Seconds.
    memory : float or None
        Bytes that the kernel and its children may have resident in all.

    Attributes
    ----------
    why : str
        Why it was ended; empty where it was not.
    """

    def __init__(self, timeout: float | None, memory: float | None) -> None:
        self.timeout, self.memory = timeout or inf, memory or inf
        self.why, self.pid = "", None
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        begin = time.monotonic()
        while not self._over.wait(LOOK):
            family = _family(self.pid)
            if family and time.monotonic() - begin > self.timeout:
                self.why = f"TimeoutError: it took more than {self.timeout:g} s"
            elif sum(_resident(each) for each in family) > self.memory:
                self.why = f"MemoryError: it had more than {self.memory:,.0f} bytes"
            if self.why:
                for process in family:
                    with contextlib.suppress(psutil.NoSuchProcess):
                        process.kill()
                return


def _family(pid: int | None) -> list[Any]:
    """A process and all that it has started; nothing where it is not there."""
    with contextlib.suppress(psutil.NoSuchProcess):
        if pid is not None:
            kernel = psutil.Process(pid)
            return [kernel, *kernel.children(recursive=True)]
    return []


def _resident(process: Any) -> int:
    with contextlib.suppress(psutil.NoSuchProcess, psutil.AccessDenied):
        return int(process.memory_info().rss)
    return 0


def manager(
    environment: dict[str, str], sockets: Path, watch: Watch | None = None
) -> type:
    """A class of kernel managers that starts a kernel with these variables too.

    The process's own environment would be that of every thread of a worker.

    Parameters
    ----------
    sockets : Path
        The folder of `named`.
    """
    from jupyter_client.manager import AsyncKernelManager

    class Manager(named(AsyncKernelManager, sockets)):  # type: ignore[misc]
        async def start_kernel(self, **options: Any) -> None:
            await super().start_kernel(**options | {"env": os.environ | environment})
            if watch is not None:
                watch.pid = getattr(self.provisioner, "pid", None)

    return Manager


def named(kind: type, folder: Path) -> type:
    """A class of kernel managers whose kernels talk by sockets in this folder.

    Otherwise, and where such names are too long or unknown, a kernel gets ports that
    are free, and another process may take them before it does.
    """
    if len(os.fsencode(folder)) > LONGEST or not hasattr(socket, "AF_UNIX"):
        return kind

    class Named(kind):
        def __init__(self, **options: Any) -> None:
            super().__init__(**options)
            self.transport, self.ip = "ipc", f"{folder}/{uuid4().hex[:8]}"

    return Named
