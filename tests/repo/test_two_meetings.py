"""The plan of two meetings: its tables are the buttons, its answers the library's."""

import re
import warnings

import pytest

import labelaudit as la
from reproduction.machinery import paths
from reproduction.teaching import grid, panels

PAGE = (paths.NOTEBOOKS / "teach_00_two_meetings.md").read_text(encoding="utf-8")
ANSWERS = [
    " ".join(text.split())
    for text in re.findall(r"</summary>\n(.*?)</details>", PAGE, re.DOTALL)
]
BUTTONS = {
    name: [int(cell) for cell in cells.split(",")]
    for cells, name in re.findall(
        r'data-cells="([\d,]+)">(.*?)</button>',
        (paths.SITE / "two_by_two.md").read_text(encoding="utf-8"),
    )
}


def measured(name):
    """Observed agreement and the five coefficients of a button's table."""
    rows = zip(("AA", "AB", "BA", "BB"), BUTTONS[name])
    pairs = [pair for pair, times in rows for _ in range(times)]
    ratings = la.Ratings.from_matrix([list(pair) for pair in pairs], labels=["A", "B"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = {name: f(ratings) for name, f in panels.COEFFICIENTS.items()}
    return found["S"].observed, {name: one.value for name, one in found.items()}


def test_the_buttons_are_the_notebooks_and_three_more():
    ours = {"start": [40, 9, 6, 45]} | panels.tables()
    assert ours | {"coins": [25] * 4, "all alike": [50, 0, 0, 50]} == BUTTONS


def test_each_button_is_asked_about_and_answered_by_the_library():
    for name in BUTTONS:
        assert f"**{name}" in PAGE
    start, coins, prevalence, bias, love, alike = ANSWERS[:6]
    observed, five = measured("start")
    assert observed == 0.85 and {f"{v:.2f}" for v in five.values()} == {"0.70"}
    assert "all are 0.70" in start
    observed, five = measured("coins")
    assert observed == 0.5 and f"Alpha is {five['alpha']:.3f}" in coins
    assert max(abs(v) for v in five.values()) == five["alpha"]
    observed, five = measured("prevalence")
    assert observed == 0.85
    assert f"falls from 0.70 to {five['kappa']:.2f}" in prevalence
    assert f"stays at {five['S']:.2f}." in prevalence
    assert f"rises to {five['AC1']:.2f}." in prevalence
    (first, before), (second, after) = measured("no bias"), measured("bias")
    assert first == second == 0.6
    assert f"{before['kappa']:.2f}, then {after['kappa']:.2f}" in bias
    # kappa = (observed - chance) / (1 - chance), solved for chance
    chance = [(0.6 - k) / (1 - k) for k in (before["kappa"], after["kappa"])]
    assert (
        "on {:.0f} of 100 items at first, and on {:.0f} then".format(
            *(100 * share for share in chance)
        )
        in bias
    )
    observed, five = measured("love (slide 19)")
    assert observed == 0.99
    assert {f"{five[name]:.3f}" for name in ("pi", "kappa", "alpha")} == {"-0.005"}
    assert f"-0.005, S is {five['S']:.2f}" in love
    assert set(measured("all alike")[1].values()) == {1}
    observed, five = measured("unused")
    undefined = {name for name, value in five.items() if value != value}
    assert undefined == {"pi", "kappa", "alpha"} and five["S"] == five["AC1"] == 1
    assert "pi, kappa and alpha are undefined" in alike


@pytest.mark.parametrize(
    ("levels", "lot", "said"),
    [
        ((0.02, 0.05, 0.05, 0.1), 5000, "a single sample then has {} labels"),
        ((0.02, 0.035, 0.05, 0.1), 5000, "more: {}."),
        ((0.02, 0.05, 0.05, 0.1), 10_000, " {}, 245 and"),
        ((0.02, 0.05, 0.05, 0.1), 1000, "304, {} and"),
        ((0.02, 0.05, 0.05, 0.1), 200, "245 and {}."),
        ((0.02, 0.05, 0.025, 0.05), 5000, "no: {}."),
    ],
)
def test_single_samples_are_the_librarys_and_can_be_chosen(levels, lot, said):
    plan = la.single_plan(la.QualityLevels(*levels), lot)
    assert said.format(plan.max_sample) in " ".join(PAGE.lower().split())
    assert (*levels, lot) in grid.choices()


def test_what_the_optimal_plan_saves():
    levels = la.QualityLevels(0.02, 0.05, 0.05, 0.1)
    single, plan = la.single_plan(levels, 5000), la.optimal_plan(levels, 5000)
    good, bad = plan.average_sample_number([100, 250])
    n = single.max_sample
    assert f"takes {good:.1f} and {bad:.1f} where the single sample" in ANSWERS[-1]
    assert f"saves {n - good:.1f} and {n - bad:.1f}, about half" in ANSWERS[-1]
    assert f"up to {plan.max_sample}" in ANSWERS[-1]
