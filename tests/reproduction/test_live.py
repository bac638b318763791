"""Controls that move a picture, and what stands in their place without a kernel.

Widgets work without a page: a slider's value is set, and the picture looked at.
"""

import base64
import io
import re
import sys

import matplotlib.pyplot as plt
import pytest
from IPython.display import Image

import labelaudit as la
from reproduction.machinery import notebooks, paths, style
from reproduction.teaching import chance, live, plans

ipywidgets = pytest.importorskip("ipywidgets")
GIVEN = {
    "size": ("size", [10, 20]),
    "rate": ("rate", [k / 200 for k in range(1, 21)]),
    "count": ("count", range(101)),
    "kind": ("kind", ["round", "square"]),
}
START = {"size": 10, "rate": 0.02, "count": 3, "kind": "round"}
PRESETS = {"many": {"count": 990, "rate": 0.04}, "few": {"count": 1}}


@pytest.fixture(autouse=True)
def our_style():
    with plt.rc_context():
        style.use()
        yield


def draw(size, rate, count, kind):
    if count == 13:
        raise ValueError("count must be another number, got 13 <nobody likes it>")
    if count == 0:
        raise ZeroDivisionError("by nothing")
    figure = plt.figure(figsize=(1, 1))
    figure.text(0, 0.5, f"{size} {rate} {count} {kind}")
    return figure, f"{kind} at {100 * rate:g} %, {count} of {size}"


def picture(*arguments):
    """What the page should show, straight from the drawing function."""
    figure, _ = draw(*arguments)
    png = io.BytesIO()
    figure.savefig(png, format="png", dpi=200, metadata={"Software": None})
    plt.close(figure)
    return png.getvalue()


@pytest.fixture
def still():
    return Image(picture(10, 0.02, 3, "round"), width=100, alt="a small picture")


@pytest.fixture
def panel(still):
    return live.controls(draw, still, START, GIVEN, PRESETS)


# The panel ------------------------------------------------------------------------


def test_output_has_the_controls_and_the_saved_picture(panel, still):
    data, metadata = panel._repr_mimebundle_()
    assert data[notebooks.CONTROLS]["model_id"] == panel.box.model_id
    assert base64.b64decode(data["image/png"]) == still.data
    assert metadata["image/png"] == {"width": 100, "alt": "a small picture"}
    assert data["text/plain"] == "round at 2 %, 3 of 10"
    assert panel.image.tooltip is None  # JupyterLab cannot show an image that has one


@pytest.mark.parametrize(
    ("name", "value"),
    [("size", 20), ("rate", 0.025), ("count", 99), ("kind", "square")],
)
def test_moving_a_control_draws_anew(panel, name, value):
    assert panel.image.value == picture(*START.values())
    panel.widgets[name].value = value
    assert panel.image.value == picture(*(START | {name: value}).values())
    assert panel.text == draw(**START | {name: value})[1]
    assert panel.text in panel.words.value
    plt.close("all")


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (13, "last one: count must be another number, got 13 <nobody likes it>"),
        (0, "Failed: ZeroDivisionError: by nothing"),
    ],
)
def test_impossible_setting_says_why_and_keeps_the_last_picture(panel, count, text):
    before = panel.image.value
    panel.widgets["count"].value = count
    assert panel.text.endswith(text)
    assert "<nobody" not in panel.words.value
    assert panel.image.value == before
    panel.widgets["count"].value = 14
    assert panel.image.value == picture(10, 0.02, 14, "round")


def test_preset_sets_its_controls_and_draws_once(still):
    drawn = []

    def counted(**values):
        drawn.append(values)
        return draw(**values)

    panel = live.controls(counted, still, START, GIVEN, PRESETS)
    panel.presets["many"].click()
    assert drawn == [START, START | PRESETS["many"]]
    assert panel.image.value == picture(10, 0.04, 990, "round")
    panel.presets["few"].click()
    assert panel.widgets["count"].value == 1
    panel.set(kind="square", size=20)
    assert drawn[-1] == {"size": 20, "rate": 0.04, "count": 1, "kind": "square"}


def test_without_ipywidgets_there_is_the_picture_and_a_hint(still, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    assert live.controls(draw, still, START, GIVEN) is still
    assert "pip install ipywidgets" in capsys.readouterr().out


# Committed notebooks --------------------------------------------------------------


@pytest.mark.parametrize("stem", ["teach_01_plan_designer", "teach_02_two_by_two"])
def test_committed_notebook_shows_the_saved_picture_where_controls_were(stem):
    cells = notebooks.read(paths.notebook(stem)).cells
    (cell,) = (c for c in cells if "live.controls(draw" in c.source)
    (output,) = cell.outputs
    name = re.search(r'this\.save\(figure, "(\w+)"', cell.source)[1]
    about = output["metadata"]["image/png"]
    assert about["name"] == name and len(about["alt"]) > 60


# What is drawn --------------------------------------------------------------------


@pytest.mark.parametrize("kind", plans.DESIGNS)
def test_the_designers_sentence_has_the_plans_numbers(kind):
    figure, text, table = plans.designer(kind, 1000, la.RELAXED)
    plt.close(figure)
    plan, errors = plans.plan(kind, 1000, la.RELAXED), (20, 50)
    good, bad = (100 * rate for rate in plan.acceptance_probability(errors))
    assert f"{100 - good:.2f} % are rejected" in text
    assert f"{bad:.2f} % are accepted" in text
    assert ("misses the promised consumer's risk" in text) == (bad > 10)
    own = table[table["kind"] == kind].set_index("errors").loc[[*errors]]
    assert own["accepted"].tolist() == pytest.approx([good / 100, bad / 100])
    numbers = plan.average_sample_number(errors)
    assert own["inspected"].tolist() == pytest.approx(numbers.tolist())


def test_what_would_take_minutes_is_refused_at_once():
    levels = la.QualityLevels(0.095, 0.1, 0.01, 0.01)
    for kind in ("double", "optimal"):
        with pytest.raises(ValueError, match="must be further from p_a"):
            plans.plan(kind, 10_000, levels)


@pytest.mark.parametrize("cells", [[40, 9, 6, 45], [25, 35, 5, 35], [0, 50, 50, 0]])
def test_the_grey_part_of_a_square_is_chance_agreement(cells):
    found = chance.measured(cells).set_index("coefficient")["expected"]
    for name in ("S", "pi", "kappa", "AC1"):
        one, other, agreeing = chance.tiles_of_chance(name, cells)
        same = one * other + (1 - one) * (1 - other)
        assert (same if agreeing else 1 - same) == pytest.approx(found[name]), name


def test_undefined_values_are_said_in_words():
    figure, text, _ = chance.two_by_two([0, 0, 0, 7])
    plt.close(figure)
    assert "kappa undefined" in text
    assert "Undefined: every judgment is 'B'" in text
