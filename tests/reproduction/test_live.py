"""Controls that move a picture, and what stands in their place without a kernel.

Widgets work without a page: a slider's value is set, and the picture looked at.
"""

import base64
import io
import json
import re
import sys

import krippendorff
import matplotlib.pyplot as plt
import numpy as np
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


def test_a_start_between_and_beyond_the_steps_is_kept(still):
    start = {"size": 15, "rate": 0.25, "count": 500, "kind": "square"}
    panel = live.controls(draw, still, start, GIVEN)
    assert {n: w.value for n, w in panel.widgets.items()} == start


def test_without_ipywidgets_there_is_the_picture_and_a_hint(still, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    assert live.controls(draw, still, START, GIVEN) is still
    assert "pip install ipywidgets" in capsys.readouterr().out


# Committed notebooks --------------------------------------------------------------


def test_clean_keeps_the_picture_and_drops_what_needs_a_kernel(panel):
    data, metadata = panel._repr_mimebundle_()
    shown = {"output_type": "execute_result", "data": data, "metadata": metadata}
    cell = {"cell_type": "code", "metadata": {}, "source": [], "outputs": [shown]}
    state = {"application/vnd.jupyter.widget-state+json": {"state": {}}}
    raw = {"cells": [cell], "metadata": {"widgets": state}}
    kept = notebooks.clean(raw)
    (output,) = kept["cells"][0]["outputs"]
    assert set(output["data"]) == {"image/png", "text/plain"}
    assert output["metadata"] == metadata
    assert "widget" not in notebooks.text(kept)
    assert notebooks.CONTROLS in data  # the notebook given is left as it was
    assert notebooks.clean(kept) == kept


@pytest.mark.parametrize("stem", ["teach_01_plan_designer", "teach_02_two_by_two"])
def test_committed_notebook_shows_the_saved_picture_where_controls_were(stem):
    cells = json.loads(paths.notebook(stem).read_text(encoding="utf-8"))["cells"]
    (cell,) = (c for c in cells if "live.controls(draw" in "".join(c["source"]))
    (output,) = cell["outputs"]
    name = re.search(r'this\.save\(figure, "(\w+)"', "".join(cell["source"]))[1]
    saved = (paths.FIGURES / f"{name}.png").read_bytes()
    assert base64.b64decode(output["data"]["image/png"]) == saved
    assert len(output["metadata"]["image/png"]["alt"]) > 60


# The plan designer ----------------------------------------------------------------


def walk(plan, errors):
    """P(accept), and P(stop at n) for every n, one draw after the other."""
    yes, stops, at = 0.0, np.zeros(plan.max_sample + 1), {0: 1.0}
    for n in range(plan.max_sample + 1):
        going = {}
        for x, likely in at.items():
            if plan.accept[n] < x < plan.reject[n]:
                going[x] = likely
                continue
            stops[n] += likely
            yes += likely * (x <= plan.accept[n])
        at = {}
        for x, likely in going.items():
            bad = (errors - x) / (plan.lot_size - n)
            at[x + 1] = at.get(x + 1, 0.0) + likely * bad
            at[x] = at.get(x, 0.0) + likely * (1 - bad)
    return yes, stops


@pytest.mark.parametrize("kind", plans.DESIGNS)
@pytest.mark.parametrize("size", [200, 1000])
def test_curves_and_sentence_are_exact(kind, size):
    figure, text, table = plans.designer(kind, size, la.RELAXED)
    plt.close(figure)
    plan = plans.plan(kind, size, la.RELAXED)
    table = table[table["kind"] == kind]
    some = table.iloc[::20]
    for row in some.itertuples():
        yes, stops = walk(plan, row.errors)
        assert row.accepted == pytest.approx(yes, abs=1e-9)
        assert row.inspected == pytest.approx(stops @ np.arange(len(stops)))
        assert row.rate == row.errors / size
    (good, _), (bad, _) = walk(plan, size // 50), walk(plan, size // 20)
    assert f"{100 - 100 * good:.2f} % are rejected" in text
    assert f"{100 * bad:.2f} % are accepted" in text
    assert ("misses the promised consumer's risk" in text) == (bad > 0.1)
    assert ("producer's" in text) == (good < 0.95)
    assert {size // 50, size // 20} <= set(table["errors"])


def test_settings_of_the_sliders_draw_or_are_refused_with_a_sentence():
    random, drawn = np.random.default_rng(7), 0
    for _ in range(12):
        kind = str(random.choice(["single", "sequential"]))
        p_a, p_r = random.integers(1, 21) / 200, random.integers(2, 41) / 200
        alpha, beta = random.integers(1, 21, 2) / 100
        size = int(random.choice(plans.LOTS[:8]))
        try:
            levels = la.QualityLevels(p_a, p_r, alpha, beta)
            figure, text, _ = plans.designer(kind, size, levels)
            plt.close(figure)
        except ValueError as refusal:
            text = str(refusal)
        assert re.match(rf"{kind.capitalize()} plan, |(p_r|lot_size) must be", text)
        drawn += " plan, " in text
    assert 4 < drawn < 12


def test_what_would_take_minutes_is_refused_at_once():
    levels = la.QualityLevels(0.095, 0.1, 0.01, 0.01)
    for kind in ("double", "optimal"):
        with pytest.raises(ValueError, match="must be further from p_a"):
            plans.plan(kind, 10_000, levels)


# The two by two table -------------------------------------------------------------


def by_others(cells):
    """The coefficients by scikit-learn, statsmodels, krippendorff and by hand."""
    from sklearn.metrics import cohen_kappa_score  # here, since both take a second
    from statsmodels.stats.inter_rater import fleiss_kappa

    aa, ab, ba, bb = cells
    n = sum(cells)
    one = np.repeat([0, 0, 1, 1], cells)
    other = np.repeat([0, 1, 0, 1], cells)
    observed = (aa + bb) / n
    counts = np.column_stack([2 - one - other, one + other])
    p = (2 * aa + ab + ba) / (2 * n)
    chance = 2 * p * (1 - p)
    return {
        "S": 2 * observed - 1,
        "pi": fleiss_kappa(counts),
        "kappa": cohen_kappa_score(one, other),
        "alpha": krippendorff.alpha(np.array([one, other]), value_domain=[0, 1]),
        "AC1": (observed - chance) / (1 - chance),
    }


TABLES = [
    [40, 9, 6, 45], [80, 10, 5, 5], [25, 35, 5, 35], [990, 5, 5, 0], [2, 1, 1, 2],
    [0, 50, 50, 0], [50, 0, 50, 0], [0, 90, 10, 0], [1, 0, 0, 1],
]  # fmt: skip


@pytest.mark.parametrize("cells", TABLES)
def test_values_are_those_of_other_programs(cells):
    found = chance.measured(cells).set_index("coefficient")
    for name, value in by_others(cells).items():
        assert found.value[name] == pytest.approx(value, abs=1e-12), name
    rebuilt = (found.observed - found.expected) / (1 - found.expected)
    np.testing.assert_allclose(found.value, rebuilt)

    # The grey part of a square is chance agreement.
    for name in ("S", "pi", "kappa", "AC1"):
        one, other, agreeing = chance.tiles_of_chance(name, cells)
        same = one * other + (1 - one) * (1 - other)
        grey = same if agreeing else 1 - same
        assert grey == pytest.approx(found.expected[name]), name
    # Alpha's urn is pi's, without putting back.
    urn = chance.tiles_of_chance("pi", cells)
    assert chance.tiles_of_chance("alpha", cells) == urn


def test_presets_are_the_published_tables():
    """Gerstman's Table 10.6 (Feinstein and Cicchetti 1990); statsmodels' examples of
    the second paradox; Artstein 2007, slide 19.
    """
    found = chance.compared(chance.tables() | {"even": [40, 9, 6, 45]})
    found = found.set_index("table")
    for name, observed, kappa, digits in (
        ("even", 0.85, 0.70, 2),
        ("prevalence", 0.85, 0.32, 2),
        ("no bias", 0.6, 0.1304, 4),
        ("bias", 0.6, 0.2593, 4),
        ("love (slide 19)", 0.99, -0.005, 3),
    ):
        assert found.observed[name] == observed
        assert round(found.kappa[name], digits) == kappa
    assert np.isnan(found.loc["unused", ["pi", "kappa", "alpha"]].astype(float)).all()
    assert found.S["unused"] == found.AC1["unused"] == 1


def test_undefined_values_are_said_in_words():
    figure, text, _ = chance.two_by_two([0, 0, 0, 7])
    plt.close(figure)
    assert "kappa undefined" in text
    assert "Undefined: every judgment is 'B'" in text
