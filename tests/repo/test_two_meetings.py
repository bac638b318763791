"""The plan of two meetings: its tables are the buttons, its answers are computed."""

import re

import pytest

import labelaudit as la
from known import rows
from reproduction.machinery import paths
from reproduction.teaching import chance, grid
from walkthrough import page

PAGE = page("teach_00_two_meetings.md")
TEXT = " ".join(PAGE.split())
BUTTONS = {
    name: [int(cell) for cell in cells.split(",")]
    for cells, name in re.findall(
        r'data-cells="([\d,]+)">(.*?)</button>',
        (paths.SITE / "two_by_two.md").read_text(encoding="utf-8"),
    )
}
LEVELS = (0.02, 0.05, 0.05, 0.1)


def test_the_buttons_are_the_notebooks_and_three_more():
    ours = {"start": [40, 9, 6, 45]} | chance.tables()
    assert ours | {"coins": [25] * 4, "all alike": [50, 0, 0, 50]} == BUTTONS
    assert all(f"**{name}" in PAGE for name in BUTTONS)


def test_each_button_is_answered():
    found = {
        name: chance.measured(cells).set_index("coefficient")
        for name, cells in BUTTONS.items()
    }
    observed = {name: table["observed"].iloc[0] for name, table in found.items()}
    assert observed["start"] == observed["prevalence"] == 0.85
    assert observed["no bias"] == observed["bias"] == 0.6
    assert observed["coins"] == 0.5 and observed["love (slide 19)"] == 0.99
    five = {name: table["value"].to_dict() for name, table in found.items()}
    slide, rare = five["love (slide 19)"], five["prevalence"]
    alpha = five["coins"]["alpha"]
    assert {f"{v:.2f}" for v in five["start"].values()} == {"0.70"}
    assert max(map(abs, five["coins"].values())) == alpha > 0
    assert {f"{slide[name]:.3f}" for name in ("pi", "kappa", "alpha")} == {"-0.005"}
    assert {*five["all alike"].values()} == {1}
    undefined = {name for name, value in five["unused"].items() if value != value}
    assert undefined == {"pi", "kappa", "alpha"}
    assert five["unused"]["S"] == five["unused"]["AC1"] == 1
    before, after = five["no bias"]["kappa"], five["bias"]["kappa"]
    # kappa = (observed - chance) / (1 - chance), solved for chance
    a, b = (100 * (0.6 - kappa) / (1 - kappa) for kappa in (before, after))
    for words in (
        "all are 0.70",
        f"Alpha is {alpha:.3f}",
        f"falls from 0.70 to {rare['kappa']:.2f}",
        f"stays at {rare['S']:.2f}.",
        f"rises to {rare['AC1']:.2f}.",
        f"{before:.2f}, then {after:.2f}",
        f"on {a:.0f} of 100 items at first, and on {b:.0f} then",
        f"-0.005, S is {slide['S']:.2f}",
        "pi, kappa and alpha are undefined",
    ):
        assert words in TEXT


@pytest.mark.parametrize(("levels", "lot", "said"), rows("two_meetings"))
def test_single_samples_are_the_smallest_and_can_be_chosen(levels, lot, said):
    levels, lot = eval(levels), int(lot)
    n = la.single_plan(la.QualityLevels(*levels), lot).max_sample
    assert said.format(n) in TEXT.lower()
    assert lot > 200 or 0.6 < n / lot < 2 / 3  # "nearly two thirds"
    assert (*levels, lot) in grid.choices()


def test_what_the_optimal_plan_saves():
    levels = la.QualityLevels(*LEVELS)
    plan = la.optimal_plan(levels, 5000)
    good, bad = plan.average_sample_number([100, 250])
    n = la.single_plan(levels, 5000).max_sample
    assert f"takes {good:.1f} and {bad:.1f} where the single sample" in TEXT
    assert f"saves {n - good:.1f} and {n - bad:.1f}, about half" in TEXT
    assert f"up to {plan.max_sample}" in TEXT
