"""What a file holds: its bytes, unpacked within bounds, and their text."""

import gzip
import io
import sys
import zlib
from pathlib import Path

from .said import SENTENCES, refused

STANDARD_INPUT = "-"
LINE = b"\n"
SUSPECT, TIMES = 2**27, 50  # bytes unpacked, and times the packed size: a bomb


def content(path: str | Path) -> bytes:
    """The bytes of a file, or of standard input, unpacked where it is gzipped."""
    if str(path) == STANDARD_INPUT:
        data = b"" if sys.stdin is None else sys.stdin.buffer.read()
    else:
        try:
            if Path(path).is_char_device() or Path(path).is_block_device():
                raise refused("device", at=path)
            data = Path(path).read_bytes()
        except (OSError, ValueError) as error:  # a NUL in a name is a ValueError
            why = getattr(error, "strerror", None) or error
            raise refused("no file", at=path, why=why) from error
    return _unpacked(path, data) if data.startswith(b"\x1f\x8b") else data


def _unpacked(path: str | Path, data: bytes) -> bytes:
    most = max(SUSPECT, TIMES * len(data))
    try:
        with gzip.open(io.BytesIO(data), "rb") as file:
            found = file.read(most + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise refused("broken gzip", at=path) from error
    if len(found) > most:
        raise refused("bomb", at=path, size=most >> 20, packed=len(data))
    return found


def decoded(path: str | Path, data: bytes) -> str:
    """Bytes as text: UTF-8, or UTF-16 with a byte-order mark."""
    for begin, kind in SENTENCES["kinds"].items():
        if data.startswith(bytes.fromhex(begin)):
            raise refused("kind", at=path, kind=kind)
    encoding = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        where = f"{path}, line {data.count(LINE, 0, error.start) + 1}"
        name = encoding.removesuffix("-sig").upper()
        raise refused("code", at=where, byte=data[error.start], name=name) from error
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise refused("zero", at=f"{path}, line {line}")
    return text
