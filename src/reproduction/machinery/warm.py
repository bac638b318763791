"""Kernels that are forked from one warm process, so that none imports anew.

A kernel takes seconds of processor time to start, nearly all of it for imports. `make`
and `make test` start one process that has imported what notebooks import, and fork
their kernels from it. Everything else starts ordinary kernels, and so does a system
without fork, and a call with another environment than that process has.
"""

from __future__ import annotations

import builtins
import gc
import importlib
import json
import os
import pkgutil
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from io import BytesIO, TextIOWrapper
from pathlib import Path
from types import SimpleNamespace
from typing import Any

ADDRESS = "LABELAUDIT_WARM"  # names the socket of the warm process
ORDINARY = [sys.executable, "-m", "ipykernel_launcher"]
LARGEST = 1 << 17  # bytes of a request: a command, and an environment

# Variables that are read when something is imported, or when Python starts.
EARLY = (
    "PYTHON",
    "MPL",
    "OPENBLAS",
    "OMP",
    "NPY",
    "GLIBC",
    "LC_",
    "LANG",
    "TZ",
    "HOME",
)

# Of pyarrow, which pandas imports; a fork would leave it behind.
NO_THREADS = {"JE_ARROW_MALLOC_CONF": "background_thread:false"}

# What notebooks import; ipywidgets asks for its kernel, and must not be among them.
IMPORTED = (
    "ipykernel.kernelapp",
    "ipykernel.zmqshell",
    "matplotlib.backends.backend_agg",
    "matplotlib.backends.backend_svg",
    "matplotlib.pyplot",
    "pandas.io.formats.style",
    "scipy.stats",
)
NOT_IMPORTED = ("build", "check", "site", "keeping", "warm")


def possible() -> bool:
    """Whether kernels can be forked here.

    On macOS a fork without exec is not safe, and pictures must not depend on the
    kernel that matplotlib found when it was imported.
    """
    linux = sys.platform.startswith("linux")
    return linux and os.environ.get("MPLBACKEND", "").lower() == "agg"


# The side of those who start kernels ----------------------------------------------


@contextmanager
def kernels() -> Iterator[None]:
    """Meanwhile a warm process is there for this process and those it starts."""
    if not possible() or ADDRESS in os.environ:
        yield
        return
    with tempfile.TemporaryDirectory(prefix="labelaudit-") as folder:
        path = Path(folder, "kernels")
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listening:
            listening.bind(str(path))
            listening.listen(64)
            # It ends with this process, whatever ends that: its input ends, too.
            server = subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "reproduction.machinery.warm",
                    str(listening.fileno()),
                ],
                pass_fds=[listening.fileno()],
                stdin=subprocess.PIPE,
                start_new_session=True,
                env=os.environ | NO_THREADS,
            )
        os.environ[ADDRESS] = str(path)
        try:
            yield
        finally:
            del os.environ[ADDRESS]
            assert server.stdin is not None
            server.stdin.close()
            server.wait()


def use() -> None:
    """From now on this process takes its kernels from the warm one, if there is one."""
    if ADDRESS in os.environ:
        from jupyter_client.connect import LocalPortCache
        from jupyter_client.provisioning import KernelProvisionerFactory

        from .forked import Ports

        name = "local-provisioner"
        found = EntryPoint(
            name,
            f"{__package__}.forked:Provisioner",
            KernelProvisionerFactory.GROUP_NAME,
        )
        KernelProvisionerFactory.instance().provisioners[name] = found
        Ports.clear_instance()
        LocalPortCache.clear_instance()
        Ports.instance().folder = Path(os.environ[ADDRESS]).parent


class Forked:
    """A forked kernel, with as much of Popen as Jupyter asks for."""

    stdin = stdout = stderr = None

    def __init__(self, connection: socket.socket, pid: int) -> None:
        self._connection, self.pid = connection, pid
        self.returncode: int | None = None

    def poll(self) -> int | None:
        return self._status(socket.MSG_DONTWAIT)

    def wait(self) -> int | None:
        return self._status(0)

    def _status(self, flags: int) -> int | None:
        if self.returncode is None:
            try:
                told = self._connection.recv(64, flags)
            except BlockingIOError:
                return None
            except ConnectionError:
                told = b""
            # Without the warm process its kernels end, too.
            self.returncode = int(told) if told else -signal.SIGKILL
            self._connection.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)


def fork(command: list[str], options: dict[str, Any]) -> Forked | None:
    """A kernel from the warm process; None where only an ordinary one will do.

    command, options : what Popen would be given
    """
    if command[:3] != ORDINARY or ADDRESS not in os.environ:
        return None
    environment = options.get("env") or dict(os.environ)
    folder = options.get("cwd") or str(Path.cwd())
    request = json.dumps([command[3:], environment, str(folder)]).encode()
    outputs = [
        given.fileno() if hasattr(given, "fileno") else given or number
        for number, given in enumerate(
            (options.get("stdout"), options.get("stderr")), start=1
        )
    ]
    if len(request) > LARGEST or min(outputs) < 0:  # a pipe, which nobody asks for
        return None
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    try:
        connection.connect(os.environ[ADDRESS])
        socket.send_fds(connection, [request], outputs)
        pid = int(connection.recv(64) or b"0")
    except OSError:
        pid = 0
    if not pid:
        connection.close()
        return None
    return Forked(connection, pid)


# The warm process -----------------------------------------------------------------


@dataclass(frozen=True)
class Request:
    """A kernel to be: its arguments, environment, folder, and where it writes."""

    arguments: list[str]
    environment: dict[str, str]
    folder: str
    outputs: list[int]


def serve(listening: socket.socket) -> Request | None:
    """Fork kernels until the input ends; in each of them return what it should be.

    A client has one connection for each kernel. It is told the process id, and the
    exit status when there is one; the kernel ends with the connection.
    """
    woken, wake = socket.socketpair()
    woken.setblocking(False)
    wake.setblocking(False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake.fileno())
    waiting = selectors.DefaultSelector()
    for each in (listening, woken, sys.stdin.buffer):
        waiting.register(each, selectors.EVENT_READ)
    running: dict[int, socket.socket] = {}  # by the process id
    while True:
        for key, _ in waiting.select():
            if key.fileobj is sys.stdin.buffer:
                for pid in running:
                    _kill(pid)
                return None
            if key.fileobj is woken:
                woken.recv(4096)
                for pid, status in _ended():
                    connection = running.pop(pid)
                    with suppress(KeyError):
                        waiting.unregister(connection)
                    with suppress(OSError):
                        connection.send(str(status).encode())
                    connection.close()
            elif key.fileobj is listening:
                connection, _ = listening.accept()
                request = _asked(connection)
                if request is None:
                    connection.close()
                    continue
                pid = os.fork()
                if pid == 0:
                    signal.set_wakeup_fd(-1)
                    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                    waiting.close()
                    for each in (listening, connection, woken, wake, *running.values()):
                        each.close()
                    return request
                for fd in request.outputs:
                    os.close(fd)
                running[pid] = connection
                waiting.register(connection, selectors.EVENT_READ, pid)
                with suppress(OSError):
                    connection.send(str(pid).encode())
            elif key.data in running:  # nobody waits for it any more
                waiting.unregister(key.fileobj)
                _kill(key.data)


def _asked(connection: socket.socket) -> Request | None:
    """What a client asks for; None where a fork would not be the same."""
    try:
        data, outputs, _, _ = socket.recv_fds(connection, LARGEST, 2)
        request = Request(*json.loads(data), outputs)
    except (OSError, ValueError, TypeError):
        return None
    early = {
        name
        for name in {*os.environ, *request.environment}
        if name.startswith(EARLY)
        and os.environ.get(name) != request.environment.get(name)
    }
    if early:
        for fd in outputs:
            os.close(fd)
        return None
    return request


def _ended() -> Iterator[tuple[int, int]]:
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if not pid:
            return
        yield pid, os.waitstatus_to_exitcode(status)


def _kill(pid: int) -> None:
    for kill in (os.killpg, os.kill):
        with suppress(OSError):
            kill(pid, signal.SIGKILL)


def run(request: Request) -> None:
    """Be that kernel, as if Python had been started for it."""
    import random

    import ipykernel_launcher
    import numpy as np
    from ipykernel.kernelapp import IPKernelApp

    os.setsid()
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    for number, fd in enumerate(request.outputs, start=1):
        os.dup2(fd, number)
        os.close(fd)
    os.chdir(request.folder)
    os.environ.clear()
    os.environ.update(request.environment)
    os.environ["JPY_PARENT_PID"] = str(os.getppid())
    sys.argv = [str(ipykernel_launcher.__file__), *request.arguments]
    random.seed()
    np.random.seed()  # noqa: NPY002 (what a notebook's own generator would start from)
    # It ends when its parent, the warm process, does.
    IPKernelApp.launch_instance(argv=request.arguments, parent_handle=os.getppid())


def load() -> None:
    """Import what notebooks import; no thread may run afterwards."""
    # pandas asks where it is imported, and would show tables as in a terminal.
    builtins.get_ipython = lambda: SimpleNamespace(kernel=None)
    with redirect_stdout(TextIOWrapper(BytesIO(), "UTF-8")):
        importlib.import_module("pandas")
    del builtins.get_ipython
    for name in IMPORTED:
        importlib.import_module(name)
    rooms = importlib.import_module("reproduction")
    for module in pkgutil.walk_packages(rooms.__path__, "reproduction."):
        if module.name.rpartition(".")[2] not in NOT_IMPORTED:
            importlib.import_module(module.name)
    library = importlib.import_module("labelaudit")
    for name in dir(library):
        getattr(library, name)
    if threading.active_count() > 1 or len(os.listdir("/proc/self/task")) > 1:
        sys.exit("the warm process has threads, and kernels are ordinary ones")
    gc.collect()
    gc.freeze()  # pages that hold these objects stay shared


def main() -> None:
    if sys.path[0] in ("", str(Path.cwd())):  # as ipykernel_launcher does
        del sys.path[0]
    listening = socket.socket(fileno=int(sys.argv[1]))
    load()
    request = serve(listening)
    if request is not None:
        run(request)


if __name__ == "__main__":
    main()
