"""What a file holds: its bytes, unpacked within bounds, and their text."""

from __future__ import annotations

import gzip
import io
import sys
import zlib
from pathlib import Path

from .text import UnreadableError

STANDARD_INPUT = "-"
PIECE = 2**24
SUSPECT, TIMES = 2**27, 200  # bytes unpacked, and times the packed size: a bomb

KINDS = {  # how files that are no text begin
    b"PK\x03\x04": "an Excel workbook or another zip archive",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook",
    b"%PDF": "a PDF file",
    b"BZh": "a bzip2 archive",
    b"\xfd7zXZ": "an xz archive",
}


def content(path: str | Path) -> bytes:
    """The bytes of a file, or of standard input, unpacked where it is gzipped."""
    if str(path) == STANDARD_INPUT:
        data = b"" if sys.stdin is None else sys.stdin.buffer.read()
    else:
        try:
            if Path(path).is_char_device() or Path(path).is_block_device():
                raise UnreadableError(f"{path} is a device; - reads standard input")
            data = Path(path).read_bytes()
        except (OSError, ValueError) as error:  # a NUL in a name is a ValueError
            why = getattr(error, "strerror", None) or error
            raise UnreadableError(f"cannot read {path}: {why}") from error
    return _unpacked(path, data) if data.startswith(b"\x1f\x8b") else data


def _unpacked(path: str | Path, data: bytes) -> bytes:
    pieces, left = [], max(SUSPECT, TIMES * len(data))
    try:
        with gzip.open(io.BytesIO(data), "rb") as file:
            while piece := file.read(PIECE):
                pieces.append(piece)
                left -= len(piece)
                if left < 0:
                    size = sum(map(len, pieces)) >> 20
                    raise UnreadableError(
                        f"{path} holds more than {size:,} MB in {len(data):,} bytes of"
                        " gzip, more than a file of labels does; if it is one, unpack"
                        " it first"
                    )
    except (OSError, EOFError, zlib.error) as error:
        raise UnreadableError(f"{path} is a broken gzip file: {error}") from error
    return b"".join(pieces)


def decoded(path: str | Path, data: bytes) -> str:
    """Bytes as text: UTF-8, or UTF-16 with a byte-order mark."""
    for begin, kind in KINDS.items():
        if data.startswith(begin):
            raise UnreadableError(f"{path} is {kind}; save it as CSV (UTF-8) first")
    wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    encoding = "utf-16" if wide else "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        name = encoding.removesuffix("-sig").upper()
        raise UnreadableError(
            f"{path}, line {line}: not {name} (byte 0x{data[error.start]:02x}); save"
            " it as CSV (UTF-8)"
        ) from error
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise UnreadableError(
            f"{path}, line {line}: a zero byte; it is no text, or UTF-16 without a"
            " byte-order mark; save it as CSV (UTF-8) first"
        )
    return text
