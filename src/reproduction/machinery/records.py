"""What each notebook was made from, so that it is made again only where that changed.

A record holds digests of the notebook as it was put in its place, of its parameters,
of the files that it read and wrote, and of the modules of ours that were loaded at its
end: names load lazily, so import statements show too little. A module counts by its
code, without comments and docstrings, unless the notebook showed its source. Records
lie in output/, which git ignores: a fresh clone makes everything.
"""

from __future__ import annotations

import ast
import hashlib
import json
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from . import parameters, paths

Trace = dict[str, list[str]]


def keep(stem: str, trace: Trace, begin: float) -> None:
    """Remember what a notebook that is in its place was made from.

    Not where some of it has changed since this time: it may have been read before.
    """
    record = _record(stem)
    record.unlink(missing_ok=True)
    named = [tuple(what.split(" ", 1)) for what in _named(stem, trace)]
    used = [paths.ROOT / name for kind, name in named if kind in ("code", "file")]
    used = [path for path in used if path.parent != paths.figures()]  # its own
    if not any(path.is_file() and path.stat().st_mtime > begin for path in used):
        found = {what: _digest(stem, what) for what in _named(stem, trace)}
        record.parent.mkdir(parents=True, exist_ok=True)
        record.write_text(json.dumps(found, indent=1), encoding="utf-8")


def changed(stem: str) -> str:
    """The first thing that changed since a notebook was made; empty if nothing did."""
    try:
        known = json.loads(_record(stem).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return "not made here before"
    differs = (what for what, digest in known.items() if _digest(stem, what) != digest)
    return next(differs, "")


def _record(stem: str) -> Path:
    return paths.RECORDS / f"{stem}.json"


def _named(stem: str, trace: Trace) -> Iterator[str]:
    """All that a notebook rests on, and what it wrote: a kind and a path each."""
    apart = (paths.notebook(stem), paths.PARAMETERS)
    yield f"python {sys.version}"
    yield f"file {paths.LOCK.name}"
    yield f"notebook {stem}"
    yield f"parameters {stem}"
    yield from (f"code {name}" for name in trace["modules"])
    yield from (f"file {name}" for name in trace["quoted"])
    read = (name for name in trace["read"] if paths.ROOT / name not in apart)
    yield from (f"file {name}" for name in read)
    yield from (f"folder {name}" for name in trace["listed"])
    written = map(Path, trace["written"])
    yield from (f"written {p.name}" for p in written if p.parent == paths.figures())


def _digest(stem: str, what: str) -> str:
    kind, _, name = what.partition(" ")
    path = paths.ROOT / name
    if kind == "python":
        return _sum(sys.version.encode())
    if kind == "parameters":
        return _sum(json.dumps(parameters.as_published(stem)).encode())
    if kind == "folder":
        return _sum("\n".join(sorted(p.name for p in path.glob("*"))).encode())
    if kind == "code":
        return _code(path)
    elsewhere = {"notebook": paths.notebook(stem), "written": paths.figures() / name}
    return _bytes(elsewhere.get(kind, path))


def _sum(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _bytes(path: Path) -> str:
    return _sum(path.read_bytes()) if path.is_file() else "missing"


@cache
def _code(path: Path) -> str:
    """Of what a module does: its syntax tree, without docstrings nobody reads."""
    if not path.is_file():
        return "missing"
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    for node in ast.walk(tree) if "__doc__" not in text else ():
        match node:
            case ast.Module() | ast.ClassDef() | ast.FunctionDef() if node.body:
                if ast.get_docstring(node, clean=False) is not None:
                    node.body[0] = ast.Pass()
    return _sum(ast.dump(tree).encode())
