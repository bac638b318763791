"""A new notebook that runs and passes every test as it is: `make new NAME=...`.

It is made from `new.ipynb` beside this file, into notebooks/, with its parameters and
others to try, all of which are then changed by hand.
"""

import re
import sys

from labelaudit import _checks

from . import build, front, notebooks, paths, surroundings

NAME = r"[a-z]+\d*(?:_hazari)?_\d\d_([a-z0-9_]+)"


def main() -> int:
    stem = sys.argv[1] if len(sys.argv) == 2 else ""
    found = re.fullmatch(NAME, stem)
    try:
        if found is None or stem in notebooks.stems():
            accepted = "new, and a document, two digits and a topic, as in"
            raise _checks.refuse("NAME", stem, f"{accepted} klie2024_11_topic")
        document = front.part(stem)
    except ValueError as error:
        print(error)
        return 2
    title = found[1].replace("_", " ").capitalize()
    text = notebooks.NEW.read_text(encoding="utf-8")
    for word, ours in (("TITLE", title), ("DOCUMENT", document), ("STEM", stem)):
        text = text.replace(word, ours)
    paths.notebook(stem).write_text(text, encoding="utf-8", newline="\n")
    sets = "sets = [{ lot_size = 500 }, { lot_size = 333 }]"
    others = paths.TESTS / "notebooks" / "other_parameters.toml"
    for path, line in ((paths.PARAMETERS, "lot_size = 1000"), (others, sets)):
        with path.open("a", encoding="utf-8") as file:
            file.write(f"\n[{stem}]\n{line}\n")
    return build.main([stem, "--all"])


if __name__ == "__main__":
    surroundings.prepare()
    sys.exit(main())
