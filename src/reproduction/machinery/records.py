"""What each notebook was made from, so that it is made again only where that changed.

A record holds what the kernel saw (see `traced`: the modules of ours that were loaded
at its end, since names load lazily and import statements show too little; files that it
read and wrote; folders that it listed) and digests of all that, of the notebook as it
was put in its place and of its parameters. Records lie in output/, which git ignores: a
fresh clone makes everything.
"""

import hashlib
import json
import sys
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
    used = [paths.ROOT / name for name in _inputs(stem, trace)]
    if not any(path.is_file() and path.stat().st_mtime > begin for path in used):
        _digest.cache_clear()
        kept = {"trace": trace, "digests": _digests(stem, trace)}
        record.parent.mkdir(parents=True, exist_ok=True)
        record.write_text(json.dumps(kept, indent=1), encoding="utf-8")


def changed(stem: str) -> str:
    """The first thing that changed since a notebook was made; empty if nothing did."""
    try:
        kept = json.loads(_record(stem).read_text(encoding="utf-8"))
        known, trace = kept["digests"], kept["trace"]
    except (OSError, ValueError, KeyError):
        return "not made here before"
    now = _digests(stem, trace)
    return next((what for what in known if now[what] != known[what]), "")


def _record(stem: str) -> Path:
    return paths.RECORDS / f"{stem}.json"


def _inputs(stem: str, trace: Trace) -> list[str]:
    """The files that it rests on; those with its cells and parameters are apart."""
    apart = (paths.notebook(stem), paths.PARAMETERS)
    named = [paths.LOCK.name, *trace["modules"], *trace["read"]]
    return [name for name in named if paths.ROOT / name not in apart]


def _digests(stem: str, trace: Trace) -> dict[str, str]:
    written = [Path(name) for name in trace["written"]]
    files = {f"file {name}": paths.ROOT / name for name in _inputs(stem, trace)}
    files |= {f"written {p.name}": p for p in written if p.parent == paths.figures()}
    files |= {f"notebook {stem}": paths.notebook(stem)}
    found = {"python": sys.version}
    found |= {f"parameters {stem}": json.dumps(parameters.as_published(stem))}
    for name in trace["listed"]:
        inside = (path.name for path in (paths.ROOT / name).glob("*"))
        found[f"folder {name}"] = " ".join(sorted(inside))
    return found | {what: _digest(path) for what, path in files.items()}


@cache
def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
