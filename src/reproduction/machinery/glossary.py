"""Links to the glossary, where a page of the site uses one of its terms first."""

import re
from dataclasses import dataclass
from html import escape

from . import paths

PAGE = "glossary"
ENTRY = re.compile(r"^- (\*\*.+?\*\*): (.+?)(?=^- |^## |^$|\Z)", re.M | re.S)

# What is not prose: code, formulas, links, headings, HTML with what stands between
# the tags of a summary, and tables.
KEPT = re.compile(
    r"(```.*?```|~~~.*?~~~|`[^`]*`|\$\$.*?\$\$|\$[^$]*\$|!?\[[^\]]*\]\([^)]*\)"
    r"|^#.*?$|<summary>.*?</summary>|<a\b.*?</a>|<[^>]+>|^\|.*?$)",
    re.M | re.S,
)


# Names that texts also use in another sense: "standard error", "caps accuracy".
AMBIGUOUS = {"alpha", "beta", "cap", "distance", "error", "process", "weights"}


@dataclass(frozen=True)
class Entry:
    """An entry: its place on the page, its names, and what it says."""

    anchor: str
    names: tuple[str, ...]
    words: str


def entries() -> list[Entry]:
    """The entries of the glossary, in its order."""
    text = (paths.NOTEBOOKS / f"{PAGE}.md").read_text(encoding="utf-8")
    return [_entry(*match.groups()) for match in ENTRY.finditer(text)]


def _entry(bold: str, words: str) -> Entry:
    names = [name.lower() for name in bold.strip("*").split(", ")]
    spoken = [n for n in names if len(n) > 1 and "_" not in n and n not in AMBIGUOUS]
    words = re.sub(r"\s*\(\[.*?\]\(.*?\)\)", "", " ".join(words.split()))
    return Entry(re.sub(r"\W+", "-", names[0]), tuple(spoken), words)


def with_anchors(text: str) -> str:
    """The glossary's own page, each entry of it a place that a link can name."""
    places = (f'- <a id="{entry.anchor}"></a>' for entry in entries())
    return ENTRY.sub(lambda match: next(places) + match[0].removeprefix("- "), text)


class Reader:
    """Who reads one page from its beginning, and meets each term once."""

    def __init__(self) -> None:
        self.known = {name: entry for entry in entries() for name in entry.names}
        self.met: set[Entry] = set()
        names = map(re.escape, sorted(self.known, key=len, reverse=True))
        spaced = "|".join(names).replace(r"\ ", r"\s+")
        self.term = re.compile(rf"(?<![\w-])({spaced})(e?s)?(?![\w-])", re.I)

    def linked(self, text: str) -> str:
        """Markdown with a link at the first use of each term."""
        parts = KEPT.split(text)
        parts[::2] = [self.term.sub(self._link, prose) for prose in parts[::2]]
        return "".join(parts)

    def _link(self, match: re.Match[str]) -> str:
        entry = self.known[" ".join(match[1].lower().split())]
        if entry in self.met:
            return match[0]
        self.met.add(entry)
        about = f'href="{PAGE}.html#{entry.anchor}" title="{escape(entry.words)}"'
        return f'<a class="term" {about}>{match[0]}</a>'
