"""What Jupyter starts a forked kernel with; see `warm`."""

from __future__ import annotations

from typing import Any

from jupyter_client.provisioning import LocalProvisioner

from . import warm


class Provisioner(LocalProvisioner):
    """Jupyter's own, but for how a kernel's process comes to be."""

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> Any:
        process = warm.fork(cmd, kwargs)
        if process is None:
            return await super().launch_kernel(cmd, **kwargs)
        self.process = process
        self.pid = self.pgid = process.pid
        return self.connection_info
