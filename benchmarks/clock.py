"""What the benchmarks that give each task a process of its own share."""

import re
import resource
import sys
from pathlib import Path

SLOW = 10.0  # seconds


def peak_bytes() -> int:
    """The largest memory that this process has held.

    On Linux ru_maxrss starts at what the parent held, so it is not asked there.
    """
    status = Path("/proc/self/status")
    if status.exists():
        return 1024 * int(
            re.search(r"VmHWM:\s+(\d+)", status.read_text(encoding="utf-8"))[1]
        )
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else 1024 * most


def enough(times: list[float]) -> bool:
    """Whether a median of these times will do."""
    if len(times) < 3:
        return bool(times) and times[0] > SLOW
    return len(times) == 15 or sum(times) > 1
