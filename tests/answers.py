"""The notebooks' questions and their folded answers: read, and checked by runs.

A question names the parameters to change as `name = value`; a bold number in its
answer is one that the notebook, run with these parameters, shows. `make answers` runs
all (the name keeps this file out of `pytest tests`).
"""

import ast
import re
from html import unescape
from typing import NamedTuple

import numpy as np
import pytest

from reproduction.machinery import notebooks, paths

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


class Question(NamedTuple):
    """A question of a notebook; given: the parameters to change."""

    stem: str
    number: int
    text: str
    answer: str

    @property
    def given(self):
        found = SETTING.findall(self.text)
        return {name: ast.literal_eval(value) for name, value in found}


def of(stem):
    """A notebook's questions, in order."""
    cells = notebooks.read(paths.notebook(stem)).cells
    text = "\n\n".join(c.source for c in cells if c.cell_type == "markdown")
    found = FOLDED.findall(text.rpartition(HEADING)[2])
    return [Question(stem, int(k), " ".join(of.split()), said) for k, of, said in found]


def shown(text):
    """All numbers in a text."""
    return np.array([float(n.replace(",", "")) for n in NUMBER.findall(text)])


def holds(number, values):
    """Whether one of the values is printed so, as it is or in percent."""
    number = number.replace(",", "")
    unit = 10.0 ** -len(number.partition(".")[2])
    near = np.abs(np.concatenate([values, 100 * values]) - float(number))
    return bool((near <= unit * 0.5000001).any())


def outputs(notebook):
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


def missing(question, folder):
    """What of an answer a run, in a folder, does not show; empty where all is there."""
    result = notebooks.execute(question.stem, folder, question.given)
    if result.error:
        return f"does not run: {result.error}"
    values = shown(outputs(notebooks.read(folder / f"{question.stem}.ipynb")))
    printed = BOLD.findall(question.answer)
    lost = [number for number in printed if not holds(number, values)]
    return f"the run does not show {', '.join(lost)}" if lost else ""


EVERY = [question for stem in notebooks.stems() for question in of(stem)]


@pytest.mark.parametrize("asked", EVERY, ids=lambda q: f"{q.stem}-{q.number}")
def test_an_answer_is_what_a_run_shows(asked, tmp_path, monkeypatch):
    monkeypatch.setenv(paths.FIGURES_VARIABLE, str(tmp_path))
    assert missing(asked, tmp_path) == ""
