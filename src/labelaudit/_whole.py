"""Files that are there whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

PARTIAL = ".labelaudit-partial"  # what a killed process may leave ends so


def write(path: Path, data: bytes, *, over: bool = True) -> None:
    """Write a file aside, then give it its name.

    Parameters
    ----------
    path : Path
    data : bytes
    over : bool
        Whether a file of this name is replaced.

    Raises
    ------
    FileExistsError
        Unless over, where the file exists, or appears meanwhile; and where what
        exists is no regular file.
    OSError
        Where the folder cannot be written to, or the disk is full.
    """
    taken = FileExistsError(f"{path} exists")
    if not over and os.path.lexists(path):
        raise taken
    if os.path.lexists(path) and not stat.S_ISREG(path.lstat().st_mode):
        raise FileExistsError(f"{path} is there, and is no regular file")
    partial = path.with_name(f"{path.name}.{os.getpid()}{PARTIAL}")
    try:
        with partial.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        try:
            if not over:
                os.link(partial, path)
                return
        except FileExistsError:
            raise taken from None
        except OSError:  # links are unknown there
            pass
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)


def write_all(files: dict[Path, bytes]) -> None:
    """Write several new files: all of them, or none.

    Raises
    ------
    FileExistsError
        Where one is there already, or appears meanwhile.
    OSError
        As write.
    """
    for path in files:
        if os.path.lexists(path):
            raise FileExistsError(f"{path} exists")
    done: list[Path] = []
    try:
        for path, data in files.items():
            write(path, data, over=False)
            done.append(path)
    except BaseException:
        for path in done:
            path.unlink(missing_ok=True)
        raise
