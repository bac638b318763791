"""The released IRep file: fetched and verified; the command behind `make data`.

The file is never read before its git blob id is verified.
"""

from __future__ import annotations

import argparse
import hashlib
import http.client
import os
import sys
import time
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path

from labelaudit import _whole

from ..machinery import paths

NAME = "IREP_data_release.csv"
BLOB = "be97475889837fac4c84d044dbac230fe0402909"  # git's id of the file's content
RAW = "https://raw.githubusercontent.com/google-research-datasets/replication-dataset"
# The commit, then the default branch; whichever answers, the blob id decides.
ADDRESSES = (f"{RAW}/f66f3c1/{NAME}", f"{RAW}/HEAD/{NAME}")
SILENCE = 30  # seconds without a byte after which a download is given up
PATIENCE = 600  # seconds for the whole download
LARGEST = 64_000_000  # bytes, where the file has about 15 million
PLACE = (paths.RELEASED / NAME).relative_to(paths.ROOT).as_posix()
BY_HAND = f"the file may also be put at {PLACE} by hand"


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
        In one sentence: no network, a download that breaks off, another file, a
        folder that cannot be written. Nothing half-written is left, nor a folder
        that was not there; a wrong file that was there is left as it was.
    """
    target, made = folder / NAME, not folder.exists()
    if os.path.lexists(target):
        return verified(target)
    address, content = _download()
    if wrong := _mismatch(content):
        said = f"{address} sent another file: {wrong}; nothing was kept"
        raise DataError(f"{said}; {BY_HAND}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _whole.write(target, content)
    except OSError as error:
        with suppress(OSError):
            if made:
                folder.rmdir()  # which fails unless it is empty
        why = f"{NAME} cannot be saved in {folder}: {reason(error)}"
        raise DataError(f"{why}; nothing was kept") from error
    return target


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


def _download() -> tuple[str, bytes]:
    """The first address that has the file, and what it sends."""
    for address in ADDRESSES:
        try:
            with urllib.request.urlopen(address, timeout=SILENCE) as response:
                return address, _body(address, response)
        except urllib.error.HTTPError as error:
            error.close()
            # For a loop of redirects the reason has several lines.
            why = str(error.reason).partition("\n")[0].rstrip(".")
            said = f"{address} answered {error.code} {why}"
            if error.code not in (404, 422):
                break
        except (OSError, http.client.HTTPException) as error:
            said = f"{address} cannot be reached ({reason(error)})"
            break
    raise DataError(f"{said}; nothing was downloaded; {BY_HAND}")


def _body(address: str, response: http.client.HTTPResponse) -> bytes:
    """What an address sends; a DataError where it ends early, is too long or slow."""
    body, end = bytearray(), time.monotonic() + PATIENCE
    said, left = f"the download of {address}", "nothing was kept"
    try:
        while chunk := response.read1(1 << 16):
            body += chunk
            if len(body) > LARGEST or time.monotonic() > end:
                why = f"took more than {LARGEST} bytes or {PATIENCE} seconds"
                raise DataError(f"{said} {why}; {left}; {BY_HAND}")
    except (OSError, http.client.HTTPException) as error:
        why = f"broke off after {len(body)} bytes ({reason(error)})"
        raise DataError(f"{said} {why}; {left}") from error
    size = response.headers.get("Content-Length", "")
    if size.isdigit() and len(body) < int(size):
        why = f"broke off after {len(body)} of {size} bytes; {left}"
        raise DataError(f"{said} {why}, run `make data` again")
    return bytes(body)


def reason(error: BaseException) -> str:
    """An error in words, without its number and path."""
    inner = getattr(error, "reason", None)
    if isinstance(inner, BaseException):
        return reason(inner)
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
