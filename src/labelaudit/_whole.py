"""Files that are there whole or not at all."""

import os
import secrets
import stat
from collections.abc import Mapping
from pathlib import Path

PARTIAL = ".labelaudit-partial"  # what a killed process may leave ends so


def write(path: Path, data: bytes) -> None:
    """Write a file aside, then give it its name, in place of one that has it."""
    write_all({path: data}, over=True)


def write_all(files: Mapping[Path, bytes], *, over: bool = False) -> None:
    """Write files aside, all of them, then give them their names.

    Parameters
    ----------
    files : mapping of Path to bytes
    over : bool
        Whether regular files of these names are replaced. Without it all files are
        written or none is.

    Raises
    ------
    FileExistsError
        Unless over, where a file exists, or appears meanwhile; and where what
        exists is no regular file.
    OSError
        Where a folder cannot be written to, or the disk is full: nothing is changed.
    """
    for path in files:
        if os.path.lexists(path):
            regular = stat.S_ISREG(path.lstat().st_mode)
            if not (over and regular):
                kind = "" if regular else " and is no regular file"
                raise FileExistsError(f"{path} is there already{kind}")
    aside: dict[Path, Path] = {}
    done: list[Path] = []
    try:
        for path, data in files.items():
            # A name of its own: with another's length added it may be too long.
            aside[path] = path.parent / f".{secrets.token_hex(6)}{PARTIAL}"
            with aside[path].open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        for path, partial in aside.items():
            if over or not _linked(partial, path):
                os.replace(partial, path)
            done.append(path)
    except BaseException:
        for path in () if over else done:
            path.unlink(missing_ok=True)
        raise
    finally:
        for partial in aside.values():
            partial.unlink(missing_ok=True)


def _linked(partial: Path, path: Path) -> bool:
    """The name too, unless it is taken; False where the disk knows no links."""
    try:
        os.link(partial, path)
    except FileExistsError:
        raise FileExistsError(f"{path} is there already") from None
    except OSError:
        return False
    return True
