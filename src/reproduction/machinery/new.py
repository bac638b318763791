"""A new notebook that runs and passes every test as it is: `make new NAME=...`.

It is written into notebooks/ with its parameters, its row in the list and other
parameters to try, all of which are then changed by hand.
"""

from __future__ import annotations

import re
import sys

from . import build, notebooks, parts, paths, surroundings

BEGINS = """\
# {title}

**{document}: what this page shows.**
Runs in about five seconds. The [glossary](glossary.md) explains the terms.

What the document shows, and how it is computed here.
"""
PARAMETERS = "lot_size = 1000  # annotations in the batch"
STARTS = """\
import labelaudit as la
from reproduction.machinery import run

this = run.start("{stem}", globals())"""
COMPUTES = """\
plan = la.single_plan(la.STRICT, this.lot_size)
this.record(inspections=plan.max_sample)
plan"""
ENDS = """\
## Questions

**1.** Set `lot_size = 500`. What changes?

<details>
<summary>Answer</summary>

The plan.

</details>"""
HEADINGS = {"audit": "Your own data"}  # where the list says it in other words


def main() -> int:
    stem = sys.argv[1] if len(sys.argv) == 2 else ""
    found = re.fullmatch(r"([a-z]+\d*(?:_hazari)?)_(\d\d)_([a-z0-9_]+)", stem)
    if found is None or stem in notebooks.stems():
        print(
            f"NAME must be new, and a document, two digits and a topic, as in"
            f" klie2024_11_topic, got {stem!r}"
        )
        return 2
    prefix, number, topic = found.groups()
    try:
        document = parts.part(stem)
    except ValueError as error:
        print(error)
        return 2
    title = topic.replace("_", " ").capitalize()
    told = {"title": title, "document": document, "stem": stem}
    cells = [
        ("markdown", BEGINS.format(**told)),
        ("code", PARAMETERS),
        ("code", STARTS.format(**told)),
        ("markdown", "## The computation"),
        ("code", COMPUTES),
        ("markdown", ENDS),
    ]
    made = [
        {"cell_type": kind, "metadata": {}, "source": text.splitlines(keepends=True)}
        for kind, text in cells
    ]
    made[1]["metadata"] = {"tags": ["parameters"]}
    for cell in made:
        if cell["cell_type"] == "code":
            cell |= {"outputs": [], "execution_count": None}
    whole = notebooks.text(notebooks.clean({"cells": made}))
    paths.notebook(stem).write_text(whole, encoding="utf-8", newline="\n")
    with paths.PARAMETERS.open("a", encoding="utf-8") as file:
        file.write(f"\n[{stem}]\nlot_size = 1000\n")
    with (paths.TESTS / "notebooks" / "other_parameters.toml").open(
        "a", encoding="utf-8"
    ) as file:
        file.write(f"\n[{stem}]\nsets = [{{ lot_size = 500 }}, {{ lot_size = 333 }}]\n")
    listed = paths.NOTEBOOKS / "README.md"
    text = listed.read_text(encoding="utf-8")
    heading = f"| **{HEADINGS.get(prefix, document)}** | |\n"
    before, _, after = text.partition(heading)
    rows, bar, rest = after.partition("| **")
    row = f"| [{number} {title}]({stem}.ipynb) | what it shows |\n"
    listed.write_text(before + heading + rows + row + bar + rest, encoding="utf-8")
    sys.argv[1:] = [stem, "--all"]
    return build.main()


if __name__ == "__main__":
    surroundings.prepare()
    sys.exit(main())
