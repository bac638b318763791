"""The writer of HTML reports."""

import base64

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from labelaudit.reports import report


def test_a_page_escapes_all_that_it_is_given():
    bad = "<a href='x'>&\""
    frame = pd.DataFrame({bad: [bad]}, index=pd.Index([bad], name=bad))
    blocks = [
        report.text(bad), report.notes([bad]), report.table(frame, bad),
    ]  # fmt: skip
    html = report.page(bad, blocks)
    assert "<a" not in html
    assert html.count("&lt;a href=&#x27;x&#x27;&gt;&amp;&quot;") == 9


def test_a_table_shows_numbers_and_gaps():
    frame = pd.DataFrame({"x": [0.5, np.nan], "n": [1, 2000], "t": ["a", None]})
    html = report.table(frame)
    assert '<tr><td>0.500</td><td>1</td><td class="text">a</td></tr>' in html
    assert '<tr><td>-</td><td>2,000</td><td class="text">-</td></tr>' in html
    assert report.cell(np.inf) == "\u221e"
    assert report.cell(True) == "True"
    assert report.cell(("d1", 3)) == "d1, 3"  # an item that two columns name


def test_a_figure_is_the_same_bytes_and_holds_no_date():
    def drawn():
        figure = plt.Figure()
        figure.subplots().plot([0, 1 / 3], [0, 1])
        with report.look():
            return report.image(figure)

    one = drawn()
    assert one == drawn()
    svg = base64.b64decode(one.split("base64,")[1]).decode()
    assert svg.startswith("<?xml")
    assert "dc:date" not in svg


def test_notes_end_in_a_full_stop():
    assert report.notes(["one", "two?"]).count("<li>one.</li>\n<li>two?</li>") == 1
    assert report.notes([]) == ""
