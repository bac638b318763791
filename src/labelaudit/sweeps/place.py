"""What a set sees of the notebook's surroundings, and what it leaves there.

A set starts in a folder of its own, among copies of what lies beside the notebook and
above it, so what it does by a relative path it does to copies. A file that the notebook
names is copied whatever its size; then folders that it names, what is beside it and
what is above, as long as they are small together. What is left out is told, and a link
that leads nowhere stands in its place: to read it fails aloud, and a list of files does
not silently lack one.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import stat
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from typing import Any

MB = 10**6
# Of what is not named: bytes and files beside the notebook, and one and two folders up.
MOST = ((256 * MB, 5_000), (64 * MB, 1_000), (4 * MB, 100))
UNKEPT = {"__pycache__", ".ipynb_checkpoints"}
ABOVE = "_above"  # what a set wrote to ../x comes back as _above/x
NOWHERE = ".not-copied-by-labelaudit"
QUOTED = re.compile(r"""(["'])(.*?)\1""")
BARE = re.compile(r"""[^\s"'`()\[\]{}<>,;=|&]+""")
SHOWN = 3  # of what is left out


@dataclass
class Chosen:
    """What is to be copied from a folder and its surroundings.

    Attributes
    ----------
    folder, top : Path
        The notebook's, and the highest one above it of which something is copied.
    files, folders : dict of Path
        Those to be made, in their order; the paths are where they are now.
    left_out : dict
        What is not copied: bytes of a file, None of a folder.
    """

    folder: Path
    top: Path
    files: dict[Path, None] = field(default_factory=dict)
    folders: dict[Path, None] = field(default_factory=dict)
    left_out: dict[Path, int | None] = field(default_factory=dict)

    def told(self) -> str:
        """What is left out, for the user; not what is hidden, nor environments."""
        near = (self.folder, self.folder.parent)
        found = {
            self.name(path): size
            for path, size in self.left_out.items()
            if (path.parent in near or self.folder in path.parents) and not _aside(path)
        }
        seen = [name for name in found if "/." not in f"/{name.replace('../', '')}"]
        if not seen:
            return ""
        seen.sort(key=lambda name: -(found[name] or 0))
        shown = ", ".join(f"{n}{_size(found[n])}" for n in seen[:SHOWN])
        more = f" and {len(seen) - SHOWN:,} more" if seen[SHOWN:] else ""
        return (
            f"too large to copy for each set: {shown}{more}; a set can read it by its"
            " absolute path, and a file also where the notebook has its name in full"
        )

    def name(self, path: Path) -> str:
        """A path as the notebook would write it."""
        return Path(os.path.relpath(path, self.folder)).as_posix()


def _size(size: int | None) -> str:
    return "" if size is None else f" ({size / MB:,.0f} MB)"


def words(text: str, parameters: Iterable[Any] = ()) -> set[str]:
    """What may be a path in code and in parameters: quoted, or between blanks."""
    found = {quoted for _, quoted in QUOTED.findall(text)} | {*BARE.findall(text)}
    for value in parameters:
        if isinstance(value, str):
            found.add(value)
        elif isinstance(value, (list, dict)):
            inner = value.values() if isinstance(value, dict) else value
            found |= words("", inner)
    return found


def choose(folder: Path, named: set[str], without: Iterable[Path] = ()) -> Chosen:
    """What is copied for a set whose notebook is in this folder.

    Parameters
    ----------
    folder : Path
        Absolute.
    named : set of str
        What may be paths, from this folder or one of the two above it; see `words`.
    without : iterable of Path
        Folders that are not copied: where results go.
    """
    near = [folder, *folder.parents][: len(MOST)]
    tried = (_there(place, name) for place in near for name in sorted(named))
    there = dict.fromkeys(path for path in tried if path is not None)
    depth = [len(near) - 1]
    depth += [os.path.relpath(path, folder).split(os.sep).count("..") for path in there]
    levels = [folder, *folder.parents][: max(depth) + 1]
    chosen = Chosen(folder, levels[-1])
    chosen.folders |= dict.fromkeys(reversed(levels))
    passed = {*levels, *without}
    for path in there:
        if path.is_file():
            _file(chosen, path, 0)
    for path in there:
        if path.is_dir() and path not in passed and path not in folder.parents:
            _walk(chosen, path, *MOST[0], passed)
    device = folder.stat().st_dev
    for level, most in zip(levels, MOST):
        if level.parent != level:  # nobody's work lies in /
            _walk(chosen, level, *most, passed, device)
    return chosen


def _there(folder: Path, name: str) -> Path | None:
    """The file or folder that a relative path names, if there is one."""
    if not name or os.path.isabs(name) or "\0" in name or len(name) > 1000:
        return None
    path = Path(os.path.normpath(folder / name))
    try:
        return path if path.is_file() or path.is_dir() else None
    except OSError:  # a name that no file can have
        return None


def _file(chosen: Chosen, path: Path, size: int) -> int:
    """Take a file, and the folders that it lies in."""
    if path in chosen.files:
        return 0
    if path.is_relative_to(chosen.top):
        between = [*takewhile(lambda p: p != chosen.top, path.parents)]
        chosen.folders |= dict.fromkeys(reversed(between))
    chosen.files[path] = None
    chosen.left_out.pop(path, None)
    return size


def _walk(
    chosen: Chosen,
    begin: Path,
    room: int,
    number: int,
    passed: set[Path],
    device: int | None = None,
) -> None:
    """Take what is in a folder as long as there is room, what is near and small first.

    Hidden folders and environments come last, whole or not at all.
    """
    waiting, last = deque([begin]), deque[Path]()
    while waiting:
        place = waiting.popleft()
        if number <= 0:
            chosen.left_out[place] = None
            continue
        chosen.folders.setdefault(place)
        for path, found in _entries(place, passed, device):
            if stat.S_ISDIR(found.st_mode):
                if not _leads_back(path, found):
                    (last if _aside(path) else waiting).append(path)
            elif path in chosen.files:
                continue
            elif found.st_size <= room and number > 0:
                room, number = room - _file(chosen, path, found.st_size), number - 1
            else:
                chosen.left_out[path] = found.st_size
    for place in last:
        files = list(_tree(place, passed, device, number))
        size = sum(size for _, size in files)
        if size <= room and len(files) < number:
            room, number = room - size, number - len(files)
            for path, _ in files:
                _file(chosen, path, 0)
        else:
            chosen.left_out[place] = None


def _tree(
    begin: Path, passed: set[Path], device: int | None, most: int
) -> Iterator[tuple[Path, int]]:
    """The files of a folder with their sizes, no more than so many."""
    waiting = deque([begin])
    while waiting and most > 0:
        for path, found in _entries(waiting.popleft(), passed, device):
            if not stat.S_ISDIR(found.st_mode):
                most -= 1
                yield path, found.st_size
            elif not path.is_symlink():
                waiting.append(path)


def _entries(
    place: Path, passed: set[Path], device: int | None
) -> list[tuple[Path, os.stat_result]]:
    """Files and folders, also behind links, small ones first; no devices and pipes."""
    found = []
    with contextlib.suppress(OSError), os.scandir(place) as entries:  # not ours to read
        for entry in entries:
            path = place / entry.name
            if entry.name in UNKEPT or path in passed:
                continue
            with contextlib.suppress(OSError):  # a link that leads nowhere
                of = entry.stat()
                known = stat.S_ISREG(of.st_mode) or stat.S_ISDIR(of.st_mode)
                if known and (device is None or of.st_dev == device):
                    found.append((path, of))
    return sorted(found, key=lambda one: (one[1].st_size, one[0].name))


def _aside(folder: Path) -> bool:
    """Whether a folder is hidden or an environment, in which nobody's data lie."""
    return folder.name.startswith(".") or (folder / "pyvenv.cfg").exists()


def _leads_back(path: Path, found: os.stat_result) -> bool:
    """Whether a folder is a link to one that it lies in."""
    above = path.parents if path.is_symlink() else ()
    return any(os.path.samestat(found, each.stat()) for each in above)


# The copies -----------------------------------------------------------------------


class Place:
    """A set's own folder among copies.

    Parameters
    ----------
    root : Path
        A folder of this run alone.
    chosen : Chosen or None
        What is copied; None where a worker does not have the notebook's folder.

    Attributes
    ----------
    own : Path
        Where the kernel starts.
    """

    def __init__(self, root: Path, chosen: Chosen | None) -> None:
        self._root, self._chosen = root / "sets", chosen
        self._copied: dict[Path, tuple[int, ...]] = {}
        self._root.mkdir()
        self.own = self._root
        if chosen is not None:
            self.own = self._at(chosen.folder)
            self._copy(chosen)

    def _at(self, path: Path) -> Path:
        assert self._chosen is not None
        return self._root / path.relative_to(self._chosen.top)

    def _copy(self, chosen: Chosen) -> None:
        for folder in chosen.folders:
            self._at(folder).mkdir(parents=True, exist_ok=True)
        for path in chosen.files:
            target = self._at(path)
            try:
                shutil.copy2(path, target)
            except FileNotFoundError:  # gone meanwhile
                continue
            except OSError:  # no right to read it, or no room
                target.unlink(missing_ok=True)
                chosen.left_out[path] = None
                continue
            self._copied[target] = _signed(target)
        for path in chosen.left_out:
            with contextlib.suppress(OSError):  # where links are unknown
                self._at(path).symlink_to(Path(NOWHERE, path.name))

    def missed(self, error: str) -> str:
        """What is left out and stands in an error, as words to put behind it."""
        left = self._chosen.left_out if self._chosen else {}
        names = [self._chosen.name(p) for p in left if p.name in error]  # type: ignore[union-attr]
        if not names:
            return ""
        return f" (too large to copy for each set: {', '.join(names[:SHOWN])})"

    def written(self) -> dict[str, bytes]:
        """What the set made or changed, by its path from where it started."""
        found = {}
        for place, folders, names in os.walk(self._root):
            folders[:] = [name for name in folders if name not in UNKEPT]
            for name in names:
                path = Path(place, name)
                if not stat.S_ISREG(path.lstat().st_mode):
                    continue
                if self._copied.get(path) != _signed(path):
                    parts = Path(os.path.relpath(path, self.own)).parts
                    there = "/".join(ABOVE if part == ".." else part for part in parts)
                    found[there] = path.read_bytes()
        return dict(sorted(found.items()))


def _signed(path: Path) -> tuple[int, ...]:
    """What differs after a file was written: a copy has the time of its original."""
    found = path.lstat()
    return found.st_size, found.st_mtime_ns, found.st_ino
