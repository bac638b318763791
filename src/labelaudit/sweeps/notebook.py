"""The notebook of a sweep: its parameters, and what its results depend on."""

import ast
import hashlib
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from importlib.machinery import PathFinder
from pathlib import Path
from string import Formatter
from typing import Any

from IPython.core.inputtransformer2 import TransformerManager

from ..files import told
from .parameters import Cell

# With it, to import nbformat compiles a grammar of addresses: a second for each process
# of a sweep, and of no use to notebooks; jsonschema then checks no iri.
GRAMMAR: Any = sys.modules.get("rfc3987_syntax")
sys.modules["rfc3987_syntax"] = GRAMMAR
import nbformat  # noqa: E402

if GRAMMAR is None:
    del sys.modules["rfc3987_syntax"]

SENTENCES = told.read(__package__, "refusals.toml")
# For a notebook that does not name its kernel.
KERNEL = {"name": "python3", "language": "python", "display_name": "Python 3"}
# What papermill puts into a notebook, should this one be the result of a run.
PUT_IN = {"injected-parameters", "papermill-error-cell-tag"}
# In the path of a module that came with a package.
INSTALLED = {"site-packages", "dist-packages"}


def say(name: str, /, **values: Any) -> str:
    """A sentence with its values."""
    return told.filled(SENTENCES[name], values, Formatter())


def refused(why: str, /, **values: Any) -> ValueError:
    """A call that cannot be carried out."""
    return ValueError(say(why, **values))


@dataclass(frozen=True)
class Notebook:
    """What is run.

    Attributes
    ----------
    path : Path
        Its file, absolute.
    hash : str
        sha256 of the file.
    text : str
        The notebook without outputs, as JSON.
    cell : Cell
        Its parameters.
    code : str
        Hash of all that a result depends on besides what a grid gives: the code, the
        modules that it imports, but for installed ones, and this library. Comments
        and layout of cells are no part of it.
    """

    path: Path
    hash: str
    text: str
    cell: Cell
    code: str


def read(path: str | Path) -> Notebook:
    """Read a notebook and find its parameters.

    Raises
    ------
    ValueError
        Where there is no such file, no notebook in it, not one cell tagged
        `parameters`, or Python that cannot be parsed in that cell.
    """
    path = Path(path).absolute()
    try:
        data = path.read_bytes()
        notebook = nbformat.reads(data.decode(), as_version=4)
        spec = notebook.metadata.get("kernelspec") or {}
        notebook.metadata.kernelspec = nbformat.from_dict(KERNEL | spec)
        nbformat.validate(notebook)
    except OSError as error:
        raise refused("notebook_unread", path=path, why=error.strerror) from error
    except Exception as error:
        reason = str(error).strip().split("\n")[0]
        raise refused("no_notebook", path=path, why=reason) from error
    notebook.cells = [cell for cell in notebook.cells if not PUT_IN & _tags(cell)]
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    found = [cell for cell in code if "parameters" in _tags(cell)]
    if len(found) != 1:
        raise refused("not_one_cell", path=path, cells=len(found))
    try:
        cell = Cell(_python(found[0].source))
    except SyntaxError as error:
        raise refused("no_python", path=path, why=error) from error
    for each in code:
        each.outputs, each.execution_count = [], None
    texts = [_python(each.source) for each in code]
    kernel, around = notebook.metadata.kernelspec.name, _imported(texts, path.parent)
    plain = (ast.dump(tree) if (tree := _tree(text)) else text for text in texts)
    digest = _digest([kernel, library(), *plain, "", *around])
    whole = hashlib.sha256(data).hexdigest()
    return Notebook(path, whole, nbformat.writes(notebook), cell, digest)


def _tags(cell: Any) -> set[str]:
    return set(cell.metadata.get("tags") or [])


def _python(code: str) -> str:
    """A cell as Python: magics and shell commands as the calls that they are."""
    with suppress(SyntaxError, ValueError):  # of another language
        return TransformerManager().transform_cell(code)
    return code


# What results depend on -----------------------------------------------------------


def library() -> str:
    """Hash of this library's source, the same wherever the same is installed.

    Read anew each time: a kernel that starts now imports what is there now.
    """
    here = Path(__file__).parents[1]
    return _digest(_named(here.rglob("*.py"), here))


def _imported(cells: Iterable[str], folder: Path) -> list[str | Path]:
    """The modules that cells import, and those that these import; no installed ones.

    Modules beside the notebook, and packages installed for development.
    """
    parts: list[str | Path] = []
    todo, known = [*cells], {"labelaudit", *sys.stdlib_module_names}
    while todo:
        names = sorted(_names(todo.pop()) - known)
        known |= {*names}
        for place in filter(None, (_place(name, folder) for name in names)):
            found = [*place.rglob("*.py")] if place.is_dir() else [place]
            parts += _named(found, place.parent)
            todo += [file.read_text("utf-8", "replace") for file in found]
    return parts


def _names(code: str) -> set[str]:
    """Of the modules that code imports, without what is inside them."""
    names: set[str] = set()
    for node in ast.walk(_tree(code) or ast.Pass()):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.partition(".")[0])
    return names


def _place(name: str, folder: Path) -> Path | None:
    """The file or folder of a module, unless it is installed or nowhere."""
    spec = PathFinder.find_spec(name, [str(folder), *sys.path])
    if spec is None:
        return None
    place = Path(next(iter(spec.submodule_search_locations or [spec.origin or ""])))
    return None if INSTALLED & {*place.parts} else place


def _named(found: Iterable[Path], folder: Path) -> list[str | Path]:
    """Files in their order, each after its name."""
    names = {file.relative_to(folder).as_posix(): file for file in sorted(found)}
    return [part for name in names.items() for part in name]


def _tree(code: str) -> ast.Module | None:
    """Code without its comments and layout; None of another language, or compiled."""
    with suppress(SyntaxError, ValueError):
        return ast.parse(code)
    return None


def _digest(parts: Iterable[str | Path]) -> str:
    """sha256 over texts and the contents of files, each with its length."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.read_bytes() if isinstance(part, Path) else part.encode()
        digest.update(f"{len(data)}:".encode() + data)
    return digest.hexdigest()
