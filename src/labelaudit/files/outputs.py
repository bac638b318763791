"""Files that a command writes: all or none, and nothing that is there is lost."""

import os
import stat
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pandas as pd

from .. import _whole
from .contents import content
from .said import SENTENCES, refused
from .tables import STANDARD_INPUT, UnreadableError, table

OTHERS = ".xlsx", ".xls", ".ods", ".tsv", ".json", ".parquet", ".pdf", ".gz", ".zip"
PAGES = ".html", ".htm"
MARKS = b"max_sample=", b"check="  # what each sheet says of its plan


def check(
    outputs: Mapping[str, Path | None], inputs: Iterable[Any] = (), force: bool = False
) -> None:
    """Refuse outputs that cannot be written or would take something's place.

    Parameters
    ----------
    outputs : mapping of str to Path
        The options that name files, and these; None where an option is not given.
    inputs : iterable
        What the call reads: paths, "-", and what may be a path; None is passed over.
    force : bool
        Whether a regular file may be replaced that is no input and no filled sheet.

    Raises
    ------
    ValueError
        Where the folder is missing, two outputs are one file, or something is there
        that is not to be replaced.
    """
    read = [found for one in inputs if (found := _stat(one)) is not None]
    taken: dict[Path, str] = {}
    for option, path in ((key, p) for key, p in outputs.items() if p is not None):
        told: dict[str, Any] = {"option": option, "path": path}
        if str(path) == STANDARD_INPUT:
            raise refused("no output", **told)
        page = option == "--report"
        if path.suffix.lower() in (*OTHERS, *([".csv"] if page else PAGES)):
            raise refused("other kind", page=page, **told)
        if not os.path.isdir(path.parent):
            raise refused("no folder", folder=path.parent, **told)
        other = taken.setdefault(path.parent.resolve() / path.name, option)
        if other != option:
            raise refused("one output", other=other, **told)
        try:
            found = path.lstat()
        except FileNotFoundError:
            continue
        except (OSError, ValueError) as error:  # a name that is too long, say
            why = getattr(error, "strerror", None) or error
            raise refused("not written", why=why, **told) from None
        kind = SENTENCES["files"].get(stat.filemode(found.st_mode)[0], "no file")
        regular = stat.S_ISREG(found.st_mode)
        whys = {  # what is there is not replaced
            "no regular file": not regular,
            "an input": any(os.path.samestat(found, one) for one in read),
            "there already": not force,
            "a filled sheet": regular and force and filled(path),
        }
        for why in (why for why, so in whys.items() if so):
            raise refused(why, kind=kind, **told)


def write(option: str, files: Mapping[Path, bytes], force: bool = False) -> None:
    """Write what check let pass; ValueError with the reason where that fails.

    All files or none, where nothing is replaced.
    """
    try:
        _whole.write_all(files, over=force)
    except OSError as error:  # it appeared meanwhile, or the disk is full
        told = {"option": option, "path": next(iter(files))}
        raise refused("not written", why=error.strerror or error, **told) from None


def _stat(given: Any) -> os.stat_result | None:
    # No file, no name of one, or no standard input.
    with suppress(OSError, ValueError, TypeError, AttributeError):
        standard = str(given) == STANDARD_INPUT
        return os.fstat(sys.stdin.fileno()) if standard else os.stat(given)
    return None


def filled(path: Path) -> bool:
    """Whether a file is an inspection sheet with an entry in its column wrong.

    One that is damaged counts as filled: somebody's work may be in it.
    """
    try:
        data = content(path).replace(b"\0", b"")  # UTF-16 too
        ours = all(mark in data for mark in MARKS)
        return ours and bool(table(path).get("wrong", pd.Series([1])).notna().any())
    except UnreadableError:
        return True
