"""The notebook of a sweep: its parameters, and what its results depend on."""

from __future__ import annotations

import ast
import hashlib
import json
import sys
from dataclasses import dataclass
from functools import lru_cache
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from IPython.core.inputtransformer2 import TransformerManager

from . import formats

nbformat = formats.load()

PARAMETERS = "parameters"
# For a notebook that does not name its kernel.
KERNEL = {"name": "python3", "language": "python", "display_name": "Python 3"}
# What papermill puts into a notebook, should this one be the result of a run.
PUT_IN = {"injected-parameters", "papermill-error-cell-tag"}


class Refused(ValueError):  # noqa: N818 (it is no error of ours)
    """A call that cannot be carried out; its text is one sentence for the user."""


@dataclass(frozen=True)
class Code:
    """A default that is not a literal: the source of an expression."""

    source: str


@dataclass(frozen=True)
class Notebook:
    """What is run.

    Attributes
    ----------
    path : Path
        Its file, absolute.
    text : str
        The notebook without outputs, as JSON.
    defaults : dict
        Its parameters in their order: literal values, or Code.
    code : str
        Hash of all that a result depends on besides the parameters: the other
        code, the modules that it imports, and this library. Comments and layout are
        no part of it.
    """

    path: Path
    text: str
    defaults: dict[str, Any]
    code: str


def read(path: str | Path) -> Notebook:
    """Read a notebook and find its parameters.

    Raises
    ------
    Refused
        Where there is no such file, no notebook in it, no cell tagged `parameters`,
        or Python that cannot be parsed in that cell.
    """
    path = Path(path).absolute()
    try:
        notebook = nbformat.reads(path.read_text(encoding="utf-8"), as_version=4)
        spec = notebook.metadata.get("kernelspec") or {}
        notebook.metadata.kernelspec = nbformat.from_dict(KERNEL | spec)
        nbformat.validate(notebook)
    except OSError as error:
        raise Refused(f"cannot read the notebook {path}: {error.strerror}") from error
    except Exception as error:
        reason = str(error).strip().split("\n")[0]
        raise Refused(f"{path} is not a Jupyter notebook: {reason}") from error
    cells = [cell for cell in notebook.cells if not PUT_IN & tags(cell)]
    found = next((cell for cell in cells if PARAMETERS in tags(cell)), None)
    if found is None:
        raise Refused(
            f"the notebook {path} has no cell tagged {PARAMETERS!r}: tag the cell that"
            " gives the parameters their default values"
        )
    try:
        defaults, rest = _parameters(found.source)
    except SyntaxError as error:
        raise Refused(
            f"the parameters cell of {path} is not Python that can be parsed: {error}"
        ) from error
    for cell in cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    notebook.cells = cells
    code = [c for c in cells if c.cell_type == "code" and c is not found]
    # Where a default is computed from another, or a statement uses one, all count.
    code = [_python(cell.source) for cell in [*code, *([found] if rest else [])]]
    kernel = notebook.metadata.kernelspec.name
    digest = _digest([kernel, *map(_tree, code), *_modules(code, path.parent)])
    return Notebook(path, nbformat.writes(notebook), defaults, digest)


def tags(cell: Any) -> set[str]:
    return set(cell.metadata.get("tags") or [])


def _parameters(source: str) -> tuple[dict[str, Any], bool]:
    """The names that a parameters cell assigns, and whether it does more than that.

    papermill.inspect_notebook would do but for annotations such as float | None.
    """
    defaults: dict[str, Any] = {}
    more = False
    for node in ast.parse(_python(source)).body:
        match node:
            case ast.Assign(targets=targets, value=value):
                pass
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                targets = [target]
            case _:
                more = True
                continue
        names = [target.id for target in targets if isinstance(target, ast.Name)]
        literal = _literal(value)
        more |= isinstance(literal, Code) or len(names) < len(targets)
        defaults |= dict.fromkeys(names, literal)
    return defaults, more


def _literal(node: ast.expr) -> Any:
    """The value of a literal of numbers, texts, lists and the like, else Code."""
    try:
        value = ast.literal_eval(node)
        if json.loads(json.dumps(value)) == _lists(value):
            return value
    except (ValueError, TypeError):
        pass
    return Code(ast.unparse(node))


def _lists(value: Any) -> Any:
    """Tuples as the lists that JSON makes of them."""
    if isinstance(value, dict):
        return {key: _lists(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_lists(part) for part in value]
    return value


@lru_cache(maxsize=4096)
def _tree(code: str) -> str:
    """Hash of the syntax tree, which comments and layout do not change."""
    try:
        return _digest([ast.dump(ast.parse(code))])
    except (SyntaxError, ValueError):  # ValueError: not text at all
        return _digest([code])


def _python(code: str) -> str:
    """A cell as Python: magics and shell commands as the calls that they are."""
    try:
        return TransformerManager().transform_cell(code)
    except (SyntaxError, ValueError):  # of another language
        return code


# What results depend on -----------------------------------------------------------


def library() -> str:
    """Hash of this library's source, the same wherever the same is installed.

    Read anew each time: a kernel that starts now imports what is there now.
    """
    here = Path(__file__).parents[1]
    files = _files(here)
    return _digest([part for f in files for part in (_within(f, here), f)])


def _modules(cells: list[str], folder: Path) -> list[str]:
    """What the imported modules are: hashes of their source, or their versions.

    Modules beside the notebook and packages installed for development count by their
    source, and so does what these import; others by their version, this library
    always by its source.
    """
    found = {"labelaudit": library()}
    names = set().union(*map(_imported, cells))
    while names:
        name = names.pop()
        if name in found or name in sys.stdlib_module_names:
            continue
        beside = [folder / name, folder / f"{name}.py"]
        place = next((path for path in beside if path.exists()), None)
        place = place or _development(name)
        found[name] = _source(place) if place else _version(name)
        for file in _files(place) if place else ():
            names |= _imported(file.read_text(encoding="utf-8", errors="replace"))
    return [f"{name} {what}" for name, what in sorted(found.items())]


def _imported(code: str) -> set[str]:
    """Top-level names that a cell or a module imports."""
    names: set[str] = set()
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError):  # ValueError: not text at all, a compiled module
        return names
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.partition(".")[0])
    return names


def _development(name: str) -> Path | None:
    """Where the source of a package lies that is not in site-packages."""
    try:
        spec = find_spec(name)
    except (ImportError, ValueError):
        return None
    origin = spec and (spec.origin or next(iter(spec.submodule_search_locations or [])))
    if not origin or origin in ("built-in", "frozen"):
        return None
    path = Path(origin)
    if {"site-packages", "dist-packages"} & set(path.parts):
        return None
    return path.parent if path.name == "__init__.py" else path


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "?"


def _files(path: Path) -> list[Path]:
    return sorted(path.rglob("*.py")) if path.is_dir() else [path]


def _source(path: Path) -> str:
    """Hash of the syntax trees of a module or package."""
    parts = []
    for file in _files(path):
        text = file.read_text(encoding="utf-8", errors="replace")
        parts += [_within(file, path), _tree(text)]
    return _digest(parts)


def _within(file: Path, folder: Path) -> str:
    return file.relative_to(folder.parent).as_posix()


def _digest(parts: list[Any]) -> str:
    """sha256 over texts, bytes and the contents of files, each with its length."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.read_bytes() if isinstance(part, Path) else part
        data = data.encode() if isinstance(data, str) else data
        digest.update(f"{len(data)}:".encode() + data)
    return digest.hexdigest()
