"""The reference: every public name of the library, from its docstring.

One page per wing, in Markdown, with the descriptions as HTML, since docstrings hold
characters that Markdown would take for its own.
"""

from __future__ import annotations

import inspect
import re
from html import escape
from types import ModuleType
from typing import Any

import labelaudit
from labelaudit import as_published, figures

FOLDER = "reference"
WINGS = {  # by the module that a name comes from
    "plans": "Plans: how many to check, and when to stop",
    "laws": "Inspectors who err",
    "intervals": "Intervals and sample sizes",
    "agreement": "Agreement between raters",
    "reports": "Reports on a batch and on ratings",
    "recording": "Recording values in a sweep",
    "sweeps": "Sweeps over parameters",
    "figures": "Figures of plans",
    "as_published": "As published: the errors of a paper, repeated",
}
LISTED = ("Parameters", "Returns", "Raises", "Attributes", "Yields")
WIDTH = 76  # of a signature in one line
SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}$", re.MULTILINE)


def pages() -> dict[str, str]:
    """The Markdown of each page, by the wing that it is about."""
    found = {wing: [f"# {title}"] for wing, title in WINGS.items()}
    for name, thing in _every().items():
        found[_wing(thing)].append(_entry(name, thing))
    return {wing: "\n\n".join(entries) + "\n" for wing, entries in found.items()}


def names() -> dict[str, str]:
    """Every name and method that the pages have, with the wing of its page."""
    found = {}
    for name, thing in _every().items():
        found[name] = _wing(thing)
        if inspect.isclass(thing):
            found |= {f"{name}.{part}": _wing(thing) for part in _members(thing)}
    return found


def _every() -> dict[str, Any]:
    every = {name: getattr(labelaudit, name) for name in labelaudit.__all__}
    return every | _own(figures) | _own(as_published)


def _wing(thing: Any) -> str:
    module = getattr(thing, "__module__", "") or type(thing).__module__
    return str(module.split(".")[1])


def _own(module: ModuleType) -> dict[str, Any]:
    """What a module defines itself, and shows."""
    short = module.__name__.rpartition(".")[2]
    return {
        f"{short}.{name}": thing
        for name, thing in sorted(vars(module).items())
        if inspect.isfunction(thing)
        and thing.__module__ == module.__name__
        and not name.startswith("_")
    }


def _members(kind: type) -> dict[str, Any]:
    """Public methods and properties that a class defines and documents."""
    return {
        name: thing
        for name, thing in inspect.getmembers(kind)
        if not name.startswith("_")
        and (inspect.isroutine(thing) or isinstance(thing, property))
        and inspect.getdoc(thing)
        and any(name in vars(base) for base in kind.__mro__[:-1])
    }


def _entry(name: str, thing: Any) -> str:
    if not callable(thing):
        value = f"```python\n{name} = {thing!r}\n```"
        return f"({anchor(name)})=\n## {name}\n\n{value}"
    kind = "class " if inspect.isclass(thing) else ""
    parts = [f"({anchor(kind + name)})=\n## {name}", _described(name, thing)]
    if inspect.isclass(thing):
        for member, method in _members(thing).items():
            full = f"{name}.{member}"
            parts += [f"({anchor(full)})=\n### {full}", _described(full, method)]
    return "\n\n".join(parts)


def anchor(name: str) -> str:
    """Where a link to it leads; a class and a function may differ by case alone."""
    return "api-" + re.sub(r"[^a-z0-9]+", "-", name.lower())


def _described(name: str, thing: Any) -> str:
    """The signature and the docstring of one function, class, method or property."""
    text = inspect.getdoc(thing) or ""
    lead, *rest = SECTION.split(text)
    parts = [] if isinstance(thing, property) else [_signature(name, thing)]
    parts.append(_prose(lead))
    for title, body in zip(rest[::2], rest[1::2]):
        parts.append(f"**{title}**")
        if title == "Examples":
            parts.append(f"```pycon\n{body.strip()}\n```")
        else:
            parts.append(_terms(body) if title in LISTED else _prose(body))
    return "\n\n".join(part for part in parts if part)


def _signature(name: str, thing: Any) -> str:
    try:
        given = inspect.signature(thing)
    except (TypeError, ValueError):
        return ""
    kept = [
        parameter.replace(annotation=inspect.Parameter.empty)
        for parameter in given.parameters.values()
        if parameter.name not in ("self", "cls")
    ]
    shown = given.replace(parameters=kept, return_annotation=inspect.Signature.empty)
    text = f"{name}{shown}"
    if len(text) > WIDTH:
        text = text.replace("(", "(\n    ", 1).replace(", ", ",\n    ")[:-1] + ",\n)"
    return f"```python\n{text}\n```"


def _terms(body: str) -> str:
    """Names with what is said of each: lines at the margin, and those below them."""
    parts = re.split(r"\n(?=\S)", body.strip())
    if not any("\n" in part for part in parts):
        return "\n\n".join(f"<p><code>{escape(part)}</code></p>" for part in parts)
    lines = ['<dl class="terms">']
    for part in parts:
        term, _, words = part.partition("\n")
        lines.append(f"<dt><code>{escape(term)}</code></dt>")
        lines += [f"<dd>{_inline(words)}</dd>"] if words.strip() else []
    return "\n".join([*lines, "</dl>"])


def _prose(text: str) -> str:
    """Paragraphs; lines that begin with a hyphen stand alone."""
    paragraphs = [p for p in re.split(r"\n\s*\n", text.strip()) if p.strip()]
    return "\n\n".join(f"<p>{_inline(p)}</p>" for p in paragraphs)


def _inline(text: str) -> str:
    lines = (escape(line.strip()) for line in text.splitlines() if line.strip())
    joined = "\n".join(lines).replace("\n- ", "<br>- ").replace("\n", " ")
    return re.sub(r"`+([^`]+)`+", r"<code>\1</code>", joined)
