"""The released IRep file: fetched by git and verified: what `make data` runs.

The file is never read before its git blob id is verified.
"""

import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from labelaudit import _whole

from ..machinery import paths

NAME = "IREP_data_release.csv"
BLOB = "be97475889837fac4c84d044dbac230fe0402909"  # git's id of the file's content
REPOSITORY = "https://github.com/google-research-datasets/replication-dataset"
PATIENCE = 600  # seconds for the whole download
PLACE = (paths.RELEASED / NAME).relative_to(paths.ROOT).as_posix()
BY_HAND = f"nothing was kept; the file may also be put at {PLACE} by hand"


class DataError(Exception):
    """The released file cannot be had, or is not what it should be."""


def fetch(folder: Path) -> Path:
    """The released file in a folder, downloaded if it is not there yet, and verified.

    Raises DataError, in one sentence: no git, no network, a history without the file,
    a folder that cannot be written. Nothing half-written is left; a wrong file that
    was there is left as it was.
    """
    target = folder / NAME
    if not os.path.lexists(target):
        content = _download()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            _whole.write(target, content)
        except OSError as error:
            why = f"{NAME} cannot be saved in {folder}: {error.strerror}"
            raise DataError(f"{why}; nothing was kept") from error
    return verified(target)


def verified(path: Path) -> Path:
    """The path, once its content has been found to be that of the released file."""
    again = "and run `make data` again"
    try:
        content = path.read_bytes()
    except OSError as error:
        why = f"cannot be read: {error.strerror}"
        if path.is_symlink():
            why = f"is a link to a file that is not there; remove the link {again}"
        elif isinstance(error, FileNotFoundError):
            why = "is not there; `make data` fetches it"
        raise DataError(f"{path} {why}") from error
    if (found := blob_id(content)) != BLOB:
        why = f"{len(content)} bytes with git blob id {found}, not {BLOB}"
        why += f"; it was left as it is, move it away {again}"
        raise DataError(f"{path} is not the released file: {why}")
    return path


def blob_id(content: bytes) -> str:
    """What `git hash-object` says of a file: sha1 of its size and its bytes."""
    head = b"blob %d\0" % len(content)
    return hashlib.sha1(head + content, usedforsecurity=False).hexdigest()


def _download() -> bytes:
    """The file's content from the repository's history, whose ids git has checked."""
    own = os.environ | {"GIT_TERMINAL_PROMPT": "0"}
    how: Any = {"env": own, "capture_output": True, "check": True, "timeout": PATIENCE}
    with tempfile.TemporaryDirectory(prefix="labelaudit-") as place:
        git = ["git", "-C", place]
        try:
            subprocess.run([*git, "init", "--quiet", "--bare"], **how)
            subprocess.run([*git, "fetch", "--quiet", REPOSITORY, "HEAD"], **how)
            told = subprocess.run([*git, "cat-file", "blob", BLOB], **how)
            return bytes(told.stdout)
        except subprocess.CalledProcessError as error:
            said = error.stderr.decode(errors="replace").split("\n")[0]
        except subprocess.TimeoutExpired:
            said = f"it took more than {PATIENCE} seconds"
        except OSError as error:
            said = f"git cannot be run ({error.strerror})"
    raise DataError(f"git cannot fetch {REPOSITORY}: {said}; {BY_HAND}")


def main() -> int:
    """Fetch the released file."""
    try:
        path = fetch(paths.RELEASED)
    except DataError as error:
        print(f"make data: {error}", file=sys.stderr)
        return 1
    print(f"{path.relative_to(paths.ROOT)}: the released file, verified")
    return 0


if __name__ == "__main__":
    sys.exit(main())
