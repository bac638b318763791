"""A notebook's run: its checked parameters, what it saves, what it compares."""

import re
import sys
import textwrap
import warnings
from types import SimpleNamespace
from typing import Any

import pandas as pd
from IPython import get_ipython
from IPython.display import Image, display
from matplotlib.figure import Figure

import labelaudit as la
from labelaudit._digits import significant
from labelaudit.recording import injected_parameters

from . import ledger, parameters, paths, style

show = display  # one thing after the other


class Run(SimpleNamespace):
    """Parameters as attributes, and save, save_table, found, compare.

    as_published says whether the parameters are those of the paper (of a notebook
    without one: its own); a run on the released file (tier) is compared too.
    released says whether it is one.
    """

    def __init__(self, stem: str, given: dict[str, Any]) -> None:
        super().__init__(**parameters.checked(given))
        self._stem = stem
        published = parameters.as_published(stem)
        self.released = given.get("tier") == "released"
        tier = {"tier": "released"} if self.released else {}
        self.as_published = given == published | tier
        self._found: ledger.Found = {}
        mine = [name for name in ledger.documents() if stem.startswith(name)]
        entries = ledger.published(*mine) if mine else []
        self.published = {entry.key: entry for entry in entries}

    def save(self, figure: Figure, name: str, table: pd.DataFrame, alt: str) -> Image:
        """Save a figure and its data; return the picture, to be shown.

        Its text alternative is what it shows (alt), what its titles say of that, and
        what stands against what. (An axis' name of several lines names a row.)
        """
        style.save_table(table, paths.figures(), name)
        titles = [axis.get_title(loc="left") for axis in figure.axes]
        names = [(axis.get_ylabel(), axis.get_xlabel()) for axis in figure.axes]
        drawn = [f"{y} against {x}" for y, x in names if x and y and "\n" not in y]
        said = [alt, figure.get_suptitle(), *dict.fromkeys(titles + drawn)]
        png = style.save_figure(figure, paths.figures(), name)
        # Formulas as they are read aloud.
        read = (" ".join(re.sub(r"[$\\{}]", "", s).split()).rstrip(".") for s in said)
        told = ". ".join(one[:1].upper() + one[1:] for one in read if one)
        about = {"width": int(figure.get_figwidth() * 100), "alt": f"{told}."}
        return Image(png, metadata=about | {"name": name})

    def save_table(self, table: pd.DataFrame, name: str) -> pd.DataFrame:
        """Save a table; return it, to be shown."""
        style.save_table(table, paths.figures(), name)
        return table

    def save_page(self, html: str, name: str) -> str:
        """Save a page of HTML beside the figures; return where."""
        path = paths.figures() / f"{name}.html"
        path.write_text(html, encoding="utf-8", newline="\n")
        # Where `make` and checks send files is not for the text to say.
        return f"figures/{path.name}" if self.as_published else str(path)

    def found(self, *keys: str, **values: Any) -> None:
        """Hand over numbers (and words) for published entries, by their names.

        `ours`, `exact` and `standard_error` are shown in the ledger; the others fill
        the conditions and causes in data/published. Entries that need the released
        file take none before it is there.
        """
        for key in keys:
            entry = self.published.get(key)
            if entry is None:
                raise KeyError(f"no published entry has the key {key!r}")
            if key in self._found:
                raise KeyError(f"{key!r} is checked twice")
            given = {} if entry.needs and not self.released else values
            plain = {name: ledger.plain(v) for name, v in given.items()}
            self._found[key] = plain, self._stem

    def record(self, **values: float) -> None:
        """Record numbers without the digits that differ between processors."""
        la.record(**{k: float(significant(v, style.DIGITS)) for k, v in values.items()})

    def compare(self) -> pd.DataFrame | None:
        """Record what was found; show it beside the paper's numbers, with the causes.

        With other parameters than the paper's it is recorded, as values of a sweep,
        and compared with nothing. Raises RuntimeError where the numbers fit no
        verdict, and nothing is said to be missing; on the released file, which
        nobody here has seen, such a row is a mismatch.
        """
        named = {key: of or {"looked": True} for key, (of, _) in self._found.items()}
        la.record(**{f"{k}.{name}": v for k in named for name, v in named[k].items()})
        if not self.as_published:
            print("Parameters differ from the paper's: nothing is compared.")
            return None
        known = [entry for key, entry in self.published.items() if key in self._found]
        table = ledger.table(self._found, known)
        unfit = table[(table.verdict == "open") & ~table.cause.str.startswith("needs ")]
        if len(unfit) and not self.released:
            raise RuntimeError("no verdict fits:\n" + unfit.to_string())
        pd.options.display.max_colwidth = None  # as causes are sentences
        table = table[ledger.SHOWN].fillna("")
        table = table.map(lambda v: style.number(v) if isinstance(v, float) else v)
        table = table.loc[:, (table != "").any()]
        # The columns in the words that stand above them, as their verdicts.
        for kind, used in (("columns", table), ("verdicts", {*table["verdict"]})):
            meant = ledger.WORDS[kind].items()
            key = [f"{word}: {said}" for word, said in meant if word in used]
            print(textwrap.fill("; ".join(key), 88))
        return table.set_index(["place", "quantity"])


def start(stem: str, namespace: dict[str, Any]) -> Run:
    """Check a notebook's parameters and set its style.

    `namespace` is the notebook's globals(), in which its parameters cell has
    set the parameters. Stops with a ValueError that names the first one that is
    out of range.
    """
    style.use(get_ipython())
    warnings.showwarning = _show_warning
    names = parameters.as_published(stem)
    for name in injected_parameters(namespace.get("In", [])) - set(names):
        known = ", ".join(names)
        raise ValueError(f"no parameter is called {name!r}; there are {known}")
    this = Run(stem, {name: namespace[name] for name in names})
    if not this.as_published:
        whose = "the paper" if this.published else "this notebook"
        print(f"Other parameters than {whose} has: results in the text are not yours.")
    return this


def _show_warning(message, category, filename, lineno, file=None, line=None) -> None:
    """Without the process id and path of the kernel's temporary file.

    In its place among what is printed, also on a busy machine.
    """
    sys.stdout.flush()
    print(f"{category.__name__}: {message}", file=file or sys.stderr, flush=True)


def quietly(design, *arguments, **options) -> la.SamplingPlan:
    """A sequential plan whose missed risks the notebook discusses itself."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return design(*arguments, **options)
