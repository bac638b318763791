"""What a set sees of the notebook's surroundings, and what it leaves there.

A set starts in a folder of its own, among copies of what lies beside the notebook and
above it, so what it does by a relative path it does to copies. A file that the notebook
names is copied whatever its size; then what is in folders that it names, beside it and
above, near and small first, as long as it is small together. What is left out is told,
and a link that leads nowhere stands in its place: to read it fails aloud, and a list of
files does not silently lack one.
"""

import contextlib
import os
import re
import shutil
import stat
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from .._words import several
from .notebook import say

MB = 10**6
# Of what is not named: bytes and files beside the notebook, and one and two folders up.
MOST = ((256 * MB, 5_000), (64 * MB, 1_000), (4 * MB, 100))
UNKEPT = {"__pycache__", ".ipynb_checkpoints"}
ABOVE = "_above"  # what a set wrote to ../x comes back as _above/x
NOWHERE = ".not-copied-by-labelaudit"
QUOTED = re.compile(r"""(["'])(.*?)\1""")
BARE = re.compile(r"""[^\s"'`()\[\]{}<>,;=|&]+""")


def words(code: str) -> set[str]:
    """What may be a path in code: quoted, or between blanks."""
    return {quoted for _, quoted in QUOTED.findall(code)} | {*BARE.findall(code)}


@dataclass
class Chosen:
    """What is to be copied of a folder's surroundings.

    Attributes
    ----------
    folder : Path
        The notebook's, absolute.
    passed : set of Path
        Folders that are not walked into: those with results, and where that was done.
    files, folders : dict of Path
        Those to be made, in their order; the paths are where they are now.
    left_out : dict
        What is not copied, but for what nobody's data lie in: bytes of a file, None of
        a folder.
    """

    folder: Path
    passed: set[Path]
    files: dict[Path, None] = field(default_factory=dict)
    folders: dict[Path, None] = field(default_factory=dict)
    left_out: dict[Path, int | None] = field(default_factory=dict)

    def walk(self, begin: Path, room: int, number: int) -> None:
        """Take what is in a folder as long as there is room for bytes and files.

        Not into what is hidden, nor environments, nor another disk.
        """
        waiting, device = [begin], begin.stat().st_dev
        for place in waiting:  # to which more are added
            self.passed.add(place)
            if number <= 0:
                self.left_out[place] = None
                continue
            self.folders.setdefault(place)
            for path, found in _entries(place):
                if path in self.passed or path in self.files:
                    continue
                if stat.S_ISDIR(found.st_mode):
                    if found.st_dev != device:
                        self.left_out[path] = None
                    elif not (_aside(path) or _leads_back(path, found)):
                        waiting.append(path)
                elif found.st_size <= room and number > 0:
                    self.files[path] = None
                    room, number = room - found.st_size, number - 1
                else:
                    self.left_out[path] = found.st_size

    def top(self) -> Path:
        """The lowest folder that all of it lies in."""
        return Path(os.path.commonpath([self.folder, *self.folders, *self.files]))

    def told(self) -> str:
        """What is left out beside the notebook and one folder up, for the user."""
        told = []
        for path, size in sorted(self.left_out.items(), key=lambda one: -(one[1] or 0)):
            if path.parent == self.folder.parent or self.folder in path.parents:
                large = f" ({size / MB:,.0f} MB)" if size else ""
                told.append(f"{self.name(path)}{large}")
        return say("too_large", names=several(told))

    def name(self, path: Path) -> str:
        """A path as the notebook would write it."""
        return Path(os.path.relpath(path, self.folder)).as_posix()


def choose(folder: Path, named: set[str], without: Iterable[Path] = ()) -> Chosen:
    """What is copied for a set whose notebook is in this folder.

    Parameters
    ----------
    folder : Path
        Absolute; nothing is copied where a worker has no such folder.
    named : set of str
        What may be paths, from this folder or one of the two above it; see `words`.
    without : iterable of Path
        Folders that are not copied: where results go.
    """
    levels = [folder, *folder.parents][: len(MOST)] if folder.is_dir() else []
    chosen = Chosen(folder, {folder, *folder.parents, *without})
    chosen.folders |= dict.fromkeys(levels)
    relative = sorted(name for name in named if not os.path.isabs(name))
    tried = [os.path.normpath(level / name) for level in levels for name in relative]
    there = dict.fromkeys(map(Path, filter(os.path.exists, tried)))
    chosen.files |= dict.fromkeys(path for path in there if path.is_file())
    for path in there:
        if path.is_dir() and path not in chosen.passed:
            chosen.walk(path, *MOST[0])
    for level, most in zip(levels, MOST):
        if level.parent != level:  # nobody's work lies in /
            chosen.walk(level, *most)
    return chosen


def _entries(place: Path) -> list[tuple[Path, os.stat_result]]:
    """Files and folders, also behind links, small ones first; no devices and pipes."""
    found = []
    with contextlib.suppress(OSError), os.scandir(place) as entries:  # not ours to read
        for entry in entries:
            with contextlib.suppress(OSError):  # a link that leads nowhere
                of = entry.stat()
                known = stat.S_ISREG(of.st_mode) or stat.S_ISDIR(of.st_mode)
                if known and entry.name not in UNKEPT:
                    found.append((place / entry.name, of))
    return sorted(found, key=lambda one: (one[1].st_size, one[0].name))


def _aside(path: Path) -> bool:
    """Whether it is hidden or an environment, in which nobody's data lie."""
    return path.name.startswith(".") or (path / "pyvenv.cfg").exists()


def _leads_back(path: Path, found: os.stat_result) -> bool:
    """Whether a folder is a link to one that it lies in."""
    above = path.parents if path.is_symlink() else ()
    return any(os.path.samestat(found, each.stat()) for each in above)


class Place:
    """A set's own folder among copies.

    Parameters
    ----------
    root : Path
        A folder of this run alone.
    chosen : Chosen
        What is copied: nothing where a worker does not have the notebook's folder.

    Attributes
    ----------
    own : Path
        Where the kernel starts.
    """

    def __init__(self, root: Path, chosen: Chosen) -> None:
        self._root, self._top = root / "sets", chosen.top()
        self._copied: dict[Path, tuple[int, ...]] = {}
        self.own = self._at(chosen.folder)
        for folder in (chosen.folder, *chosen.folders):
            self._at(folder).mkdir(parents=True, exist_ok=True)
        for path in chosen.files:
            target = self._at(path)
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                shutil.copy2(path, target)
                self._copied[target] = _signed(target)
            except OSError:  # gone meanwhile, no right to read it, or no room
                target.unlink(missing_ok=True)
                chosen.left_out[path] = None
        for path in chosen.left_out:
            with contextlib.suppress(OSError, ValueError):  # no links; not below
                self._at(path).symlink_to(Path(NOWHERE, path.name))

    def _at(self, path: Path) -> Path:
        """Where the copy of a path is."""
        return self._root / path.relative_to(self._top)

    def written(self) -> dict[str, bytes]:
        """What the set made or changed, by its path from where it started."""
        found = {}
        for path in sorted(self._root.rglob("*")):
            kept = stat.S_ISREG(path.lstat().st_mode) and not UNKEPT & {*path.parts}
            if kept and self._copied.get(path) != _signed(path):
                there = Path(os.path.relpath(path, self.own)).parts
                parts = [ABOVE if part == ".." else part for part in there]
                found["/".join(parts)] = path.read_bytes()
        return found


def _signed(path: Path) -> tuple[int, ...]:
    """What differs after a file was written: a copy has the time of its original."""
    found = path.lstat()
    return found.st_size, found.st_mtime_ns, found.st_ino
