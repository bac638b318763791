"""The notebooks' questions and their folded answers: read, and checked by a run.

A question names the parameters to change as `name = value`; a bold number in its
answer is one that the notebook, run with these parameters, shows.
"""

import argparse
import ast
import os
import re
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
from nbformat import NotebookNode

from . import notebooks, paths, surroundings

HEADING = "## Questions"
FOLDED = re.compile(
    r"\*\*(\d+)\.\*\* (.+?)\n\n<details>\n<summary>Answer</summary>\n\n(.+?)\n\n"
    r"</details>",
    re.S,
)
SETTING = re.compile(r"`(\w+) = ([^`]+)`")
BOLD = re.compile(r"\*\*\$?([-+]?[\d,]*\.?\d+)\s*(?:\\?%)?\$?\*\*")
WHOLE = r"(?:\d{1,3}(?:,\d{3})+|\d+)"
NUMBER = re.compile(rf"-?(?:{WHOLE}(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d+)?")


@dataclass(frozen=True)
class Question:
    """A question of a notebook; given: the parameters to change."""

    stem: str
    number: int
    text: str
    answer: str

    @property
    def given(self) -> dict[str, Any]:
        found = SETTING.findall(self.text)
        return {name: ast.literal_eval(value) for name, value in found}


def of(stem: str) -> list[Question]:
    """A notebook's questions, in order."""
    text = "\n\n".join(notebooks.prose(notebooks.read(paths.notebook(stem))))
    found = FOLDED.findall(text.rpartition(HEADING)[2])
    return [Question(stem, int(k), " ".join(of.split()), said) for k, of, said in found]


def shown(text: str) -> np.ndarray:
    """All numbers in a text."""
    return np.array([float(n.replace(",", "")) for n in NUMBER.findall(text)])


def holds(number: str, values: np.ndarray) -> bool:
    """Whether one of the values is printed so, as it is or in percent."""
    number = number.replace(",", "")
    unit = 10.0 ** -len(number.partition(".")[2])
    near = np.abs(np.concatenate([values, 100 * values]) - float(number))
    return bool((near <= unit * 0.5000001).any())


def outputs(notebook: NotebookNode) -> str:
    """What an executed notebook shows, without pictures."""
    texts = []
    for output in (one for cell in notebook.cells for one in cell.get("outputs", [])):
        texts.append(output.get("text", ""))
        for mime, data in output.get("data", {}).items():
            if mime == "text/html":
                data = unescape(re.sub(r"<[^>]*>", " ", data))
            if not mime.startswith("image/"):
                texts.append(str(data))
    return "\n".join(texts)


def missing(question: Question) -> str:
    """What of an answer a run does not show; empty where all is there."""
    with tempfile.TemporaryDirectory(prefix="labelaudit-") as folder:
        with mock.patch.dict(os.environ, {paths.FIGURES_VARIABLE: folder}):
            result = notebooks.execute(question.stem, Path(folder), question.given)
        if result.error:
            return f"does not run: {result.error}"
        made = notebooks.read(Path(folder, f"{question.stem}.ipynb"))
    values = shown(outputs(made))
    printed = BOLD.findall(question.answer)
    lost = [number for number in printed if not holds(number, values)]
    return f"the run does not show {', '.join(lost)}" if lost else ""


def main(chosen: list[str] | None = None) -> int:
    """Check the answers of these notebooks, or of all; 1 where one is wrong."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("stems", nargs="*")
    stems = reader.parse_args(chosen).stems or notebooks.stems()
    asked = [question for stem in stems for question in of(stem)]
    wrong = 0
    # Processes: papermill changes the folder of all threads.
    with ProcessPoolExecutor(2) as pool:
        for question, lost in zip(asked, pool.map(missing, asked)):
            wrong += bool(lost)
            name = f"{question.stem}, question {question.number}"
            print(f"{name}: {lost or 'as answered'}", flush=True)
    print(f"{len(asked) - wrong} of {len(asked)} answers hold")
    return 1 if wrong else 0


if __name__ == "__main__":
    surroundings.prepare()
    sys.exit(main())
