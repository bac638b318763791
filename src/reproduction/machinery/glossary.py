"""Links to the glossary, where a page of the site uses one of its terms first."""

import re
from html import escape

from . import paths

PAGE = "glossary"
ENTRY = re.compile(r"^- \*\*(.+?)\*\*: (.+?)(?=^- |^## |^$|\Z)", re.M | re.S)
SOURCES = re.compile(r"\s*\(\[.*?\]\(.*?\)\)")  # links behind an entry's words

# What is not prose: code, formulas, links, headings, HTML with what stands between
# the tags of a summary, and tables.
KEPT = re.compile(
    r"(```.*?```|~~~.*?~~~|`[^`]*`|\$\$.*?\$\$|\$[^$]*\$|!?\[[^\]]*\]\([^)]*\)"
    r"|^#.*?$|<summary>.*?</summary>|<a\b.*?</a>|<[^>]+>|^\|.*?$)",
    re.M | re.S,
)


# Names that texts also use in another sense: "standard error", "caps accuracy".
AMBIGUOUS = {"alpha", "beta", "cap", "distance", "error", "process", "weights"}


def anchor(names: str) -> str:
    """The place of an entry on the page, by its first name."""
    return re.sub(r"\W+", "-", names.lower().split(", ")[0])


def with_anchors(text: str) -> str:
    """The glossary's own page, each entry of it a place that a link can name."""
    return ENTRY.sub(lambda m: f'- <a id="{anchor(m[1])}"></a>{m[0][2:]}', text)


class Reader:
    """Who reads one page from its beginning, and meets each term once."""

    def __init__(self) -> None:
        self.links: dict[str, str] = {}  # by the names that mean nothing else
        text = (paths.NOTEBOOKS / f"{PAGE}.md").read_text(encoding="utf-8")
        for names, words in ENTRY.findall(text):
            about = escape(SOURCES.sub("", " ".join(words.split())))
            link = f'class="term" href="{PAGE}.html#{anchor(names)}" title="{about}"'
            spoken = {*re.findall(r"(?:^|, )([^_,]{2,})(?=,|$)", names.lower())}
            self.links |= dict.fromkeys(spoken - AMBIGUOUS, link)
        self.met: set[str] = set()
        longest = map(re.escape, sorted(self.links, key=len, reverse=True))
        spaced = "|".join(longest).replace(r"\ ", r"\s+")
        self.term = re.compile(rf"(?<![\w-])({spaced})(e?s)?(?![\w-])", re.I)

    def linked(self, text: str) -> str:
        """Markdown with a link at the first use of each term."""
        parts = KEPT.split(text)
        parts[::2] = [self.term.sub(self._link, prose) for prose in parts[::2]]
        return "".join(parts)

    def _link(self, match: re.Match[str]) -> str:
        link = self.links[" ".join(match[1].lower().split())]
        if link in self.met:
            return match[0]
        self.met.add(link)
        return f"<a {link}>{match[0]}</a>"
