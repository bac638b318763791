"""One exhibit of a document, made anew and compared: `make exhibit NAME=klie2024_fig3`.

The exhibits, their pages and verdicts are read off the ledger, by the places that its
entries name (a tutorial without numbered figures names sections).
"""

import sys

import pandas as pd

from . import ledger, paths, surroundings

KINDS = "Fig|Table|Slide|Eq|[Ss]ection|Appendix"
PLACE = rf"\b(?P<kind>{KINDS})s?\.? (?P<number>(?:\d|[A-E]\b)[.\d]*)"

TIMES = paths.DATA / "benchmarks" / "notebooks.csv"
COLUMNS = ["document", "exhibit", "pages", "command", "seconds", "verdicts", "data"]


def rows(table: pd.DataFrame) -> pd.DataFrame:
    """The ledger's rows that are about exhibits, with the exhibit's name beside each.

    A row whose place names two exhibits stands under both.
    """
    found = table["place"].str.extractall(PLACE).droplevel("match")
    name = ("_" + (found["kind"] + found["number"]).str.lower()).rename("name")
    return table.join(name, how="inner").assign(name=lambda t: t.document + t["name"])


def index(table: pd.DataFrame) -> pd.DataFrame:
    """Every exhibit: where and how it is made, what is found, on which data.

    How long a page took is what `make bench` measured.
    """
    found, took = [], pd.read_csv(TIMES, index_col="notebook", dtype=str)["seconds"]
    for (document, name), part in rows(table).groupby(["document", "name"], sort=False):
        counts = part["verdict"].value_counts()
        verdicts = ", ".join(f"{counts[v]} {v}" for v in ledger.VERDICTS if v in counts)
        where = [document, name, ", ".join(pages(part)), f"make exhibit NAME={name}"]
        seconds = ", ".join(took.get(page, "not known") for page in pages(part))
        found.append([*where, seconds, verdicts, ledger.WORDS["data"][document]])
    return pd.DataFrame(found, columns=COLUMNS)


def pages(part: pd.DataFrame) -> list[str]:
    """The notebooks that these rows are checked in."""
    return sorted({page for page in part["notebook"] if page})


def main() -> int:
    name = sys.argv[1].lower() if len(sys.argv) == 2 else ""
    known = dict([*rows(ledger.table()).groupby("name", sort=False)])
    # A figure without an entry is where it is saved: its name is in the output.
    texts = {f.stem: f.read_text("utf-8") for f in paths.NOTEBOOKS.glob("*.ipynb")}
    drawn = [stem for stem, text in texts.items() if f'"name": "{name}",' in text]
    made = pages(known[name]) if name in known else drawn
    if not made:
        print(f"NAME must be an exhibit, got {name!r}; there are {', '.join(known)}")
        return 2
    from . import build  # not for the ledger's page, which takes the index

    failed = build.main(["--all", *made])
    if not failed and name in known:
        again = rows(ledger.table()).query("name == @name")
        print(again[ledger.SHOWN[:-1]].fillna("").to_string(index=False))
    return failed


if __name__ == "__main__":
    surroundings.prepare()
    sys.exit(main())
