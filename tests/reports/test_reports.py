"""Reports as pages of HTML, and the figures in them."""

import re

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

import labelaudit as la
from agreement_helpers import quietly
from known import rows
from labelaudit.reports import report
from labelaudit.reports.collection import figures, study
from labelaudit.reports.collection.findings import Findings
from studies import made, scaled

R = la.Ratings.from_matrix(made())
FOUND = la.reliability(R)


def written(found, notes=(), **beside):
    return Findings(found, "a file", **beside).page(notes)


# HTML -----------------------------------------------------------------------------


def test_a_page_escapes_all_that_it_is_given():
    bad = "<a href='x'>&\""
    frame = pd.DataFrame({bad: [bad]}, index=pd.Index([bad], name=bad))
    parts = [report.title(bad), report.text(bad), report.notes([bad])]
    html = report.page(bad, [*parts, report.table(frame, bad)])
    assert "<a" not in html
    assert html.count("&lt;a href=&#x27;x&#x27;&gt;&amp;&quot;") == 10


def test_a_table_shows_numbers_and_gaps():
    frame = pd.DataFrame({"x": [0.5, np.nan], "n": [1, 2000], "t": ["a", None]})
    frame = frame.rename_axis("k")
    html = report.table(frame, "What it is")
    assert "<caption>What it is</caption>" in html
    assert "<caption>" not in report.table(frame)
    assert '<tr><td>0</td><td>0.500</td><td>1</td><td class="text">a</td></tr>' in html
    assert '<tr><td>1</td><td>-</td><td>2,000</td><td class="text">-</td></tr>' in html
    cells = [np.inf, True, ("d1", 3), 147.0]  # an item that two columns name
    assert [*map(report.cell, cells)] == ["\u221e", "True", "d1, 3", "147.0"]


def test_a_figure_is_the_same_bytes_with_its_title():
    def drawn():
        figure = plt.Figure()
        figure.suptitle("A & B")
        figure.subplots().plot([0, 1 / 3], [0, 1])
        with report.look():
            return report.image(figure)

    one = drawn()
    assert one == drawn() and one.endswith('" alt="A &amp; B"></figure>')


def test_notes_end_in_a_full_stop():
    assert report.notes(["one", "two?"]).count("<li>one.</li>\n<li>two?</li>") == 1
    assert report.notes([]) == ""


# The report of a collection -------------------------------------------------------


def test_a_report_begins_with_what_it_is_of():
    html = written(FOUND, ["mind this"], gold=la.accuracy(R, ["a"] * 60))
    begin = f'<p>{FOUND.head}</p>\n<div class="wide"><table><caption>low, high:'
    assert begin in html and "<th>observed</th>" in html
    assert "observed disagreement</th>" not in html
    places = ["<p>a file: 59 items", "<li>mind this.</li>", "<h2>Agreement beyond"]
    places += ["<h2>Against gold", "<h2>Label by", "<h2>Rater by"]
    places += ["<h2>The most disputed", "<p>Left out: "]
    assert [*map(html.count, places)] == [1] * len(places)
    assert sorted(places, key=html.index) == places
    numbers = written(scaled("interval"))
    assert "observed disagreement</th>" not in numbers
    assert "observed</th>" not in numbers and "<h2>Two collections" in numbers


def test_a_report_of_much_shows_the_first_and_says_so(monkeypatch):
    monkeypatch.setattr(study, "BUDGET", 10)
    many = la.Ratings.from_matrix(made(n=30, raters=25, labels="abcdefg"))
    html = written(la.reliability(many))
    assert html.count('<td class="text">') > 20
    assert "<caption>The first 20 of 25; --json has all</caption>" in html
    assert "Left out: alpha of all but the 5 commonest of 7 labels; " in html
    patterns = la.Ratings.from_patterns([["a", "b"], ["a", "a"]], [10**8, 9])
    assert "<th>pattern</th>" in written(la.reliability(patterns))


def test_sets_of_labels_are_written_in_order():
    """{money, sport}, whatever order the members have in memory."""
    names = [frozenset(), frozenset({"money"}), frozenset({"sport", "money"})]
    table = [[names[i % 3], names[0 if i % 4 == 0 else i % 3]] for i in range(60)]
    found = la.reliability(la.Ratings.from_matrix(table))
    html = written(found)
    for text in (html, found.report(), "".join(found.warnings), str(found.disputed())):
        assert "frozenset" not in text
    assert "; labels {}, {money}, {money, sport}</p>" in html
    assert "{money, sport} 1, {} 1" in html or "{} 1, {money, sport} 1" in html


@pytest.mark.parametrize(("name", "matrix"), rows("odd_matrices"))
def test_a_report_of_what_is_odd(name, matrix):
    matrix = eval(matrix)
    r = quietly(la.Ratings.from_matrix, matrix)
    suggested = [next(v for v in [*row, "a"] if v is not None) for row in matrix]
    found = la.reliability(r, suggested=suggested, other=r)
    html = written(found)
    assert html.count("<figure>") == 1
    assert "nan" not in re.sub(r"base64,\S+", "", html).lower()
    assert len(written(la.reliability(la.Ratings.from_counts(r.counts)))) > 1000


# Figures --------------------------------------------------------------------------


@pytest.mark.parametrize("distance", ["nominal", "interval", "ordinal", "ratio"])
def test_the_figure_says_what_there_is_to_see(distance):
    found = scaled(distance)
    alpha = la.krippendorff_alpha(found.ratings, distance)
    said = f"alpha is {alpha.value:.2f}: {la.landis_koch(alpha.value)}, "
    assert figures.coefficients(found).get_suptitle().startswith(said)
    said = f"Observed disagreement is {1 - alpha.value:.3f} of what chance would give. "
    assert (said in found.report()) == (distance in ("interval", "ordinal"))


def test_the_figure_has_a_title_that_fits():
    figure = figures.coefficients(FOUND)
    figure.canvas.draw()
    edge = figure.get_window_extent().x1
    assert figure.get_suptitle()
    assert figure._suptitle.get_window_extent().x1 <= edge
