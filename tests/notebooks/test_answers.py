"""The folded answers of notebooks are checked by runs of them."""

import pytest

from reproduction.machinery import paths, questions


def test_an_answer_is_checked_by_a_run(tmp_path, monkeypatch):
    monkeypatch.setenv(paths.FIGURES_VARIABLE, str(tmp_path))
    stem = "lim2022_01_two_kappas"
    right = questions.Question(stem, 1, "`confidence = 0.8`", "kappa is **.4**")
    wrong = questions.Question(stem, 1, "`confidence = 0.8`", "kappa is **.98765**")
    stopped = questions.Question(stem, 1, "`confidence = 2.0`", "?")
    assert questions.missing(right) == ""
    assert questions.missing(wrong) == "the run does not show .98765"
    why = questions.missing(stopped)
    assert why.startswith("does not run: cell [") and ": ValueError: confidence" in why
    assert not list(tmp_path.iterdir()), "what it saves is nobody else's"


@pytest.mark.parametrize(
    "question", questions.of("ledger"), ids=lambda q: str(q.number)
)
def test_answers_on_the_ledger_are_those_of_today(question, tmp_path, monkeypatch):
    """Whoever adds a row changes them; `make answers` runs all notebooks' answers."""
    monkeypatch.setenv(paths.FIGURES_VARIABLE, str(tmp_path))
    assert questions.missing(question) == ""
