"""The notebooks of Wong et al. on the released file: what `make released` runs.

Everything goes to figures/released, which git ignores: figures, tables, executed
notebooks, and a ledger of the document in which the rows that need the file are
checked.
"""

import os
import shutil
import sys
from pathlib import Path

from ..machinery import ledger, notebooks, parameters, paths, style, surroundings
from . import fetch

DOCUMENT = "wong2021"
OTHER = "not what the released file gives"


def stems() -> list[str]:
    """The document's notebooks that can show the released file."""
    mine = (stem for stem in notebooks.stems() if stem.startswith(DOCUMENT))
    return [stem for stem in mine if "tier" in parameters.as_published(stem)]


def run(chosen: list[str], folder: Path) -> str:
    """Execute notebooks on the released file; what failed, in lines."""
    folder.mkdir(parents=True, exist_ok=True)
    failed = ""
    for stem in chosen:
        result = notebooks.execute(stem, folder, {"tier": "released"})
        word = "failed" if result.error else "done"
        print(f"{stem}: {word} in {result.seconds:.1f} s", flush=True)
        if result.error:
            failed += f"make released: {folder / stem}.ipynb: {result.error}\n"
    return failed


def write_ledger(folder: Path) -> tuple[str, int]:
    """ledger.csv of the document, by the findings on the released file where any.

    Returns
    -------
    (str, int)
        How many rows have which verdict, in words; and the exit status: 1 where
        the file refutes a number or a claim of the paper, or confirms no number.
    """
    findings = ledger.recorded() | ledger.recorded(folder / "notebooks")
    table = ledger.table(findings).query("document == @DOCUMENT").copy()
    odd = table["verdict"] == "mismatch"
    table.loc[odd & (table["cause"] == ""), "cause"] = OTHER
    style.save_table(table, folder, "ledger")
    counts = table["verdict"].value_counts()
    needing = [entry for entry in ledger.published(DOCUMENT) if entry.needs]
    settled = {ledger.verdict(e, findings.get(e.key, (None, ""))[0]) for e in needing}
    status = int("exact" not in settled or bool({"mismatch", "false"} & settled))
    words = [f"{counts[v]} {v}" for v in ledger.VERDICTS if v in counts]
    return ", ".join(words), status


def main(chosen: list[str] | None = None) -> int:
    """Run the notebooks on the file.

    1 where it cannot be had, a notebook fails, or its numbers are not the paper's.
    """
    try:
        fetch.verified(paths.RELEASED / fetch.NAME)
    except fetch.DataError as error:
        print(f"make released: {error}", file=sys.stderr)
        return 1
    figures = os.environ.get(paths.FIGURES_VARIABLE) or paths.FIGURES
    target = Path(figures) / "released"
    os.environ[paths.FIGURES_VARIABLE] = str(target)
    if target.exists():
        shutil.rmtree(target)
    failed = run(stems() if chosen is None else chosen, target / "notebooks")
    if failed:
        print(failed, end="", file=sys.stderr)
        return 1
    words, status = write_ledger(target)
    print(f"{words}; figures, tables, notebooks and ledger: {target}")
    if status:
        text = "what the paper prints is not the file's, or none is: see ledger.csv"
        print(f"make released: {text}", file=sys.stderr)
    return status


if __name__ == "__main__":
    surroundings.prepare()
    sys.exit(main())
