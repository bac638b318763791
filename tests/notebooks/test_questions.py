"""Questions at the end of notebooks: their form, and how numbers are found."""

import numpy as np
import pytest

import answers
import sweeping
from reproduction.machinery import notebooks, parameters, paths

STEMS = notebooks.stems()


@pytest.mark.parametrize("stem", STEMS)
def test_a_notebook_ends_with_questions_whose_answers_are_folded(stem):
    asked = answers.of(stem)
    if not asked:
        assert stem.endswith("fine_print")  # for a referee
        return
    assert [question.number for question in asked] == list(range(1, len(asked) + 1))
    last = notebooks.read(paths.notebook(stem)).cells[-1].source
    assert last.startswith(answers.HEADING)
    assert last.count("<details>") == last.count("</details>") == len(asked)
    defaults = parameters.as_published(stem)
    # A sweep is read, not run: its questions are about what it gave.
    assert any(question.given for question in asked) or [*defaults] == ["results"]
    for question in asked:
        assert question.given.keys() <= defaults.keys(), question.text
        changed = {k: v for k, v in question.given.items() if v != defaults[k]}
        assert changed == question.given, "a question changes what it names"
        parameters.checked(defaults | question.given)


def test_numbers_are_found_as_printed():
    values = answers.shown("size1: 1,024, kappa -.2346 or 0.5; p = 5e-3, [12].")
    np.testing.assert_array_equal(values, [1, 1024, -0.2346, 0.5, 0.005, 12])
    for number in ("1024", "1,024", "-.23", "-.235", ".5", "50", "0.5", "12.0"):
        assert answers.holds(number, values), number
    for number in ("1025", ".23", "-.24", "51", "13", "0.51"):
        assert not answers.holds(number, values), number


def test_an_answer_is_checked_by_a_run(tmp_path, monkeypatch):
    small = sweeping.notebook(tmp_path / "in.ipynb", cells=["print(6 / x)"])
    small.write_text(notebooks.clean(notebooks.read(small)), encoding="utf-8")
    monkeypatch.setattr(paths, "notebook", lambda stem: small)

    def missing(text, answer):
        return answers.missing(answers.Question("one", 1, text, answer), tmp_path)

    assert missing("`x = 12.0`", "it is **.5**") == ""
    assert missing("`x = 12.0`", "**.5** or **6**") == "the run does not show 6"
    why = missing("`x = 0`", "?")
    assert why.startswith("does not run: ") and "ZeroDivisionError" in why


@pytest.mark.parametrize("question", answers.of("ledger"), ids=lambda q: str(q.number))
def test_answers_on_the_ledger_are_those_of_today(question, tmp_path, monkeypatch):
    """Whoever adds a row changes them; `make answers` runs all notebooks' answers."""
    answers.test_an_answer_is_what_a_run_shows(question, tmp_path, monkeypatch)
