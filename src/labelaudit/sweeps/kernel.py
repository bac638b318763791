"""How a set's kernel starts, and the watch that ends one that runs away."""

import contextlib
import os
import socket
import threading
import time
from math import inf
from pathlib import Path
from typing import Any
from uuid import uuid4

import psutil

LOOK = 0.1  # seconds between two looks at a process
LONGEST = 81  # bytes of a folder of sockets: of some 104 in a name, with two numbers


class Watch:
    """Ends a process, and what it started, that takes too long or too much memory.

    Parameters
    ----------
    timeout : float or None
        Seconds.
    memory : float or None
        Bytes that the process and its children may have resident in all.

    Attributes
    ----------
    why : str
        Why it was ended; empty where it was not.
    """

    def __init__(self, timeout: float | None, memory: float | None) -> None:
        self.timeout, self.memory, self.why = timeout or inf, memory or inf, ""

    def follow(self, pid: int) -> None:
        """Watch a process from now on, in a thread that ends with it."""
        threading.Thread(target=self._look, args=(pid,), daemon=True).start()

    def _look(self, pid: int) -> None:
        begin = time.monotonic()
        with contextlib.suppress(psutil.NoSuchProcess):  # it has ended by itself
            process = psutil.Process(pid)
            while not self.why:
                time.sleep(LOOK)
                family = [process, *process.children(recursive=True)]
                if time.monotonic() - begin > self.timeout:
                    self.why = f"TimeoutError: it took more than {self.timeout:g} s"
                elif sum(map(_resident, family)) > self.memory:
                    self.why = f"MemoryError: it had more than {self.memory:,.0f} bytes"
        for each in family if self.why else ():
            with contextlib.suppress(psutil.NoSuchProcess):
                each.kill()


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
            pid = getattr(self.provisioner, "pid", None)
            if watch is not None and pid is not None:
                watch.follow(pid)

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
