"""The IRep data of Wong et al. 2021: fetched, verified, read.

The released file is never read before its git blob id is verified. `make data`
runs this module; nothing else looks for the file.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import http.client
import os
import re
import sys
import time
import urllib.error
import urllib.request
import warnings
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import combinations
from pathlib import Path
from typing import Any, TextIO

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import labelaudit as la
from labelaudit import _checks

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

_NAMES = (
    "amusement anger awe boredom concentration confusion contemplation contempt"
    " contentment desire disappointment disgust distress doubt ecstasy elation"
    " embarrassment error.other fear interest love neutral pain pride realization"
    " relief sadness shame surprise sympathy triumph unsure"
)
LABELS = tuple(_NAMES.split())
EMOTIONS = tuple(label for label in LABELS if label != "error.other")  # the paper's
PLATFORMS = ("Budapest", "Mexico", "KualaLumpur", "International")  # as in the file
CITIES = ("Mexico", "KualaLumpur", "Budapest")  # as in the paper's tables
PAIRS = tuple(combinations(CITIES, 2))
COLUMNS = ("item", "platform", "rater", *LABELS)

TOO_LONG = f"{{}}, line {{}}: more than {len(COLUMNS)} cells"

Array = NDArray[Any]


class DataError(Exception):
    """The released file cannot be had, or is not what it should be."""


# Fetching ---------------------------------------------------------------------


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
    target = folder / NAME
    if os.path.lexists(target):
        return verified(target)
    part, made = folder / f".{NAME}.{os.getpid()}.part", not folder.exists()
    address, response = _connect()
    try:
        with response:
            folder.mkdir(parents=True, exist_ok=True)
            _save(_chunks(address, response), part)
        wrong = _mismatch(part)
        if wrong:
            said = f"{address} sent another file: {wrong}; nothing was kept"
            raise DataError(f"{said}; {BY_HAND}")
        os.replace(part, target)
    except OSError as error:
        raise DataError(
            f"{NAME} cannot be saved in {folder}: {_reason(error)}; nothing was kept"
        ) from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
            if made:
                folder.rmdir()  # which fails unless it is empty
    return target


def verified(path: Path) -> Path:
    """The path, once its content has been found to be that of the released file."""
    try:
        wrong = _mismatch(path)
    except FileNotFoundError:
        if path.is_symlink():
            raise DataError(
                f"{path} is a link to a file that is not there; remove the link and run"
                " `make data` again"
            ) from None
        raise DataError(f"{path} is not there; `make data` fetches it") from None
    except OSError as error:
        raise DataError(f"{path} cannot be read: {_reason(error)}") from error
    if wrong:
        raise DataError(
            f"{path} is not the released file: {wrong}; it was left as it is,"
            " move it away and run `make data` again"
        )
    return path


def blob_id(path: Path) -> str:
    """What `git hash-object` says of a file: sha1 of its size and its bytes."""
    content = path.read_bytes()
    sha = hashlib.sha1(b"blob %d\0" % len(content), usedforsecurity=False)
    sha.update(content)
    return sha.hexdigest()


def _mismatch(path: Path) -> str:
    """How a file differs from the released one; empty where it is the same."""
    found = blob_id(path)
    if found == BLOB:
        return ""
    return f"{path.stat().st_size} bytes with git blob id {found}, not {BLOB}"


def _connect() -> tuple[str, http.client.HTTPResponse]:
    """The first address that has the file, and its open answer."""
    for address in ADDRESSES:
        try:
            return address, urllib.request.urlopen(address, timeout=SILENCE)
        except urllib.error.HTTPError as error:
            error.close()
            # For a loop of redirects the reason has several lines.
            reason = str(error.reason).partition("\n")[0].rstrip(".")
            said = f"{address} answered {error.code} {reason}"
            if error.code not in (404, 422):
                break
        except (OSError, http.client.HTTPException) as error:
            said = f"{address} cannot be reached ({_reason(error)})"
            break
    raise DataError(f"{said}; nothing was downloaded; {BY_HAND}")


def _chunks(address: str, response: http.client.HTTPResponse) -> Iterator[bytes]:
    """The answer's body; a DataError where it ends early, is too long or too slow."""
    announced = response.headers.get("Content-Length", "")
    size = int(announced) if announced.isdigit() else None
    received, end = 0, time.monotonic() + PATIENCE
    broke_off = f"the download of {address} broke off after"
    while size is None or received < size:
        try:
            chunk = response.read1(1 << 16)
        except (OSError, http.client.HTTPException) as error:
            why = f"{broke_off} {received} bytes ({_reason(error)})"
            raise DataError(f"{why}; nothing was kept") from error
        if not chunk:
            break
        received += len(chunk)
        if received > LARGEST:
            raise DataError(
                f"{address} sends more than {LARGEST} bytes, so another file;"
                f" nothing was kept; {BY_HAND}"
            )
        if time.monotonic() > end:
            raise DataError(
                f"the download of {address} took more than {PATIENCE} seconds;"
                f" nothing was kept; {BY_HAND}"
            )
        yield chunk
    if size is not None and received < size:
        raise DataError(
            f"{broke_off} {received} of {size} bytes; nothing was kept, run"
            " `make data` again"
        )


def _save(chunks: Iterator[bytes], path: Path) -> None:
    with path.open("wb") as file:
        for chunk in chunks:
            file.write(chunk)
        file.flush()
        os.fsync(file.fileno())


def _reason(error: BaseException) -> str:
    """An error in words, without its number and path."""
    inner = getattr(error, "reason", None)
    if isinstance(inner, BaseException):
        return _reason(inner)
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return " ".join(str(text).split())


# Reading ----------------------------------------------------------------------


def released(folder: Path = paths.RELEASED) -> pd.DataFrame:
    """The released file as a tidy frame, verified first."""
    return read(verified(folder / NAME))


def read(path: Path) -> pd.DataFrame:
    """A file in the released format as a tidy frame.

    Parameters
    ----------
    path : Path
        35 columns in any order: the item (`item_id"` with the stray quote of the
        released file, `item_id` or `item`), platform, rater, 32 labels.

    Returns
    -------
    DataFrame
        One row per item, platform and rater, in the order of the file. item: int;
        platform: categorical, PLATFORMS; rater: 1 or 2, a placeholder and no
        person; LABELS: 0 or 1, uint8.

    Raises
    ------
    DataError
        For a column that is missing, repeated or unknown; a cell that is not 0 or
        1, an item that is no number, an unknown platform or rater, a rater twice
        on an item and platform, a row that is too short or too long: with its
        line in the file; for a file without ratings.
    """
    where = path.name
    try:
        # Opened here: pandas, told to skip the header, would follow its lone quote
        # into the next lines.
        with path.open(encoding="utf-8-sig", newline="") as file:
            names = _columns(file.readline(), where)
            cells = _cells(file, names, where)
    except FileNotFoundError:
        raise DataError(f"{path} is not there; `make data` fetches it") from None
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{where} cannot be read: {_reason(error)}") from error
    return _checked(cells, where)


def _cells(file: TextIO, names: list[str], where: str) -> pd.DataFrame:
    """The lines after the header, each cell as it is written."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)
            cells = pd.read_csv(
                file,
                header=None,
                names=[*names, "beyond"],  # where a row is too long
                dtype=object,
                na_filter=False,
                skip_blank_lines=False,
                index_col=False,
            )
    except pd.errors.ParserWarning:
        raise DataError(TOO_LONG.format(where, 2)) from None
    except pd.errors.ParserError as error:
        line = re.search(r"(line|row) (\d+)", str(error))
        if line is None:
            raise DataError(f"{where} cannot be read: {_reason(error)}") from error
        if line[1] == "line":
            raise DataError(TOO_LONG.format(where, int(line[2]) + 1)) from None
        raise DataError(
            f"{where}, line {int(line[2]) + 2}: a quote that is not closed"
        ) from None
    beyond = cells.pop("beyond") != ""
    if len(cells) == 0:
        raise DataError(f"{where} holds no ratings")
    if beyond.any():
        raise DataError(TOO_LONG.format(where, int(np.argmax(beyond)) + 2))
    return cells


def _columns(header: str, where: str) -> list[str]:
    """Names of the columns, without stray quotes; each of COLUMNS once."""
    if not header.strip():
        raise DataError(f"{where} is empty")
    names = [name.strip().strip('"') for name in next(csv.reader([header]))]
    names = ["item" if name == "item_id" else name for name in names]
    twice = sorted({name for name in names if names.count(name) > 1})
    missing = [name for name in COLUMNS if name not in names]
    unknown = [name for name in names if name not in COLUMNS]
    for what, found in (
        ("lacks", missing),
        ("repeats", twice),
        ("also has", unknown),
    ):
        if found:
            more = f" and {len(found) - 3} more" if len(found) > 3 else ""
            shown = ", ".join(found[:3]) + more
            raise DataError(f"{where}, line 1: {what} the column {shown}")
    return names


def _checked(cells: pd.DataFrame, where: str) -> pd.DataFrame:
    """The tidy frame of a file's cells, each checked."""
    found = cells["item"].unique()
    numbers = [n for n in found if n.isascii() and n.isdigit() and len(n) < 10]
    item = _coded(cells["item"], numbers, "a whole number", where)
    item = np.array([int(number) for number in numbers])[item]
    platform = _coded(cells["platform"], PLATFORMS, "one of the four", where)
    rater = 1 + _coded(cells["rater"], ("1", "2"), "1 or 2", where)
    votes = np.empty((len(cells), len(LABELS)), np.uint8, order="F")
    for k, label in enumerate(LABELS):
        votes[:, k] = _coded(cells[label], ("0", "1"), "0 or 1", where)
    again = pd.Series((item * len(PLATFORMS) + platform) * 2 + rater).duplicated()
    if again.any():
        row = int(np.argmax(again))
        raise DataError(
            f"{where}, line {row + 2}: a second row of rater {rater[row]} on item"
            f" {item[row]} in {PLATFORMS[platform[row]]}"
        )
    return tidy(item, platform, rater, votes)


def _coded(cells: pd.Series, known: Sequence[str], must: str, where: str) -> Array:
    """Positions of a column's cells among the known ones."""
    codes, found = pd.factorize(cells)
    codes = pd.Index(known, dtype=object).get_indexer(found)[codes]
    if (codes < 0).any():
        row = int(np.argmax(codes < 0))
        got = repr(cells.iloc[row])
        raise DataError(
            f"{where}, line {row + 2}: {cells.name} must be {must}, got {got}"
        )
    return codes


def tidy(item: Array, platform: Array, rater: Array, votes: Array) -> pd.DataFrame:
    """The frame of the released data; platform as positions in PLATFORMS."""
    frame = pd.DataFrame(votes, columns=list(LABELS))
    frame.insert(0, "item", item.astype(np.int64))
    place = pd.Categorical.from_codes(platform, categories=list(PLATFORMS))
    frame.insert(1, "platform", place)
    frame.insert(2, "rater", rater.astype(np.int64))
    return frame


# Using ------------------------------------------------------------------------


def replication(frame: pd.DataFrame, label: str, platform: str) -> la.Ratings:
    """One label's judgments in one pool: 1 where a rater chose it, else 0.

    Parameters
    ----------
    frame : DataFrame
        From `read`, `released` or `stand_in.stand_in`.
    label, platform : str
        One of LABELS and one of PLATFORMS.

    Returns
    -------
    Ratings
        Items of that pool, raters 1 and 2, labels 0 and 1.
    """
    _checks.one_of("label", label, LABELS)
    _checks.one_of("platform", platform, PLATFORMS)
    here = frame.loc[frame["platform"] == platform, ["item", "rater", label]]
    return la.Ratings.from_long(here, label=label, labels=[0, 1])


def main() -> int:
    """Fetch the released file; the command behind `make data`."""
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
        prog="python -m reproduction.wong2021.irep",
        description=f"`make data`: fetch the released IRep file to {PLACE}, verified.",
    ).parse_args()
    sys.exit(main())
