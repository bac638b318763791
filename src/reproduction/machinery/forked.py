"""What Jupyter starts a forked kernel with; see `warm`."""

from __future__ import annotations

import random
import socket
from contextlib import suppress
from pathlib import Path
from typing import Any

from jupyter_client.connect import LocalPortCache
from jupyter_client.provisioning import LocalProvisioner

from . import warm

PORTS = 20_000, 32_000  # by default Linux gives away those from 32,768 on


class Provisioner(LocalProvisioner):
    """Jupyter's own, but for how a kernel's process comes to be."""

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> Any:
        process = warm.fork(cmd, kwargs)
        if process is None:
            return await super().launch_kernel(cmd, **kwargs)
        self.process = process
        self.pid = self.pgid = process.pid
        return self.connection_info


class Ports(LocalPortCache):
    """Ports for kernels that several processes start at once.

    Jupyter looks for a port that is free, and another process may take it before the
    kernel does, which then dies. Here each port has a file that only one process can
    make, and none is of those that Linux itself gives away by default.
    """

    folder: Path

    def find_available_port(self, ip: str) -> int:
        while True:
            port = random.SystemRandom().randrange(*PORTS)
            with suppress(FileNotFoundError):  # where nobody shares the folder any more
                try:
                    (self.folder / f"port-{port}").touch(exist_ok=False)
                except FileExistsError:
                    continue
            with socket.socket() as tried, suppress(OSError):
                tried.bind((ip, port))
                return port
