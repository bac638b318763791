"""The released IRep file: fetched by git and verified; the command behind `make data`.

The file is never read before its git blob id is verified.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

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
    """The released file in a folder, downloaded if it is not there yet.

    Parameters
    ----------
    folder : Path
        Made where it does not exist.

    Returns
    -------
    Path
        The file, verified. A file that was there already is only verified.

    Raises
    ------
    DataError
        In one sentence: no git, no network, a history without the file, a folder
        that cannot be written. Nothing half-written is left, nor a folder that was
        not there; a wrong file that was there is left as it was.
    """
    target, made = folder / NAME, not folder.exists()
    if os.path.lexists(target):
        return verified(target)
    content = _download()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _whole.write(target, content)
    except OSError as error:
        with suppress(OSError):
            if made:
                folder.rmdir()  # which fails unless it is empty
        why = f"{NAME} cannot be saved in {folder}: {reason(error)}"
        raise DataError(f"{why}; nothing was kept") from error
    return verified(target)


def verified(path: Path) -> Path:
    """The path, once its content has been found to be that of the released file."""
    try:
        wrong = _mismatch(path.read_bytes())
    except FileNotFoundError:
        said = f"{path} is not there; `make data` fetches it"
        if path.is_symlink():
            said = f"{path} is a link to a file that is not there; remove the link"
            said += " and run `make data` again"
        raise DataError(said) from None
    except OSError as error:
        raise DataError(f"{path} cannot be read: {reason(error)}") from error
    if wrong:
        said = f"{path} is not the released file: {wrong}; it was left as it is,"
        raise DataError(f"{said} move it away and run `make data` again")
    return path


def blob_id(content: bytes) -> str:
    """What `git hash-object` says of a file: sha1 of its size and its bytes."""
    head = b"blob %d\0" % len(content)
    return hashlib.sha1(head + content, usedforsecurity=False).hexdigest()


def _mismatch(content: bytes) -> str:
    """How a content differs from the released file's; empty where it does not."""
    found = blob_id(content)
    if found == BLOB:
        return ""
    return f"{len(content)} bytes with git blob id {found}, not {BLOB}"


def _download() -> bytes:
    """The file's content from the repository's history, whose ids git has checked."""
    with tempfile.TemporaryDirectory(prefix="labelaudit-") as place:

        def git(*arguments: str) -> bytes:
            return subprocess.run(
                ["git", "-C", place, *arguments],
                env=os.environ | {"GIT_TERMINAL_PROMPT": "0"},
                capture_output=True,
                check=True,
                timeout=PATIENCE,
            ).stdout

        try:
            git("init", "--quiet", "--bare")
            git("fetch", "--quiet", "--no-tags", REPOSITORY, "HEAD")
            return git("cat-file", "blob", BLOB)
        except subprocess.CalledProcessError as error:
            said = error.stderr.decode(errors="replace").split("\n")[0]
        except subprocess.TimeoutExpired:
            said = f"it took more than {PATIENCE} seconds"
        except OSError as error:
            said = f"git cannot be run ({reason(error)})"
    raise DataError(f"git cannot fetch {REPOSITORY}: {said}; {BY_HAND}")


def reason(error: BaseException) -> str:
    """An error in words, without its number and path."""
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return " ".join(str(text).split())


def main() -> int:
    """Fetch the released file."""
    try:
        path = fetch(paths.RELEASED)
    except DataError as error:
        print(f"make data: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("make data: stopped; nothing was kept", file=sys.stderr)
        return 1
    print(f"{path.relative_to(paths.ROOT)}: the released file, verified")
    return 0


if __name__ == "__main__":
    argparse.ArgumentParser(
        prog="python -m reproduction.wong2021.fetch",
        description=f"`make data`: fetch the released IRep file to {PLACE}, verified.",
    ).parse_args()
    sys.exit(main())
