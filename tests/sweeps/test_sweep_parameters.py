"""What a parameters cell has computed from a parameter stays at its default."""

import pytest

from known import rows
from labelaudit.sweeps import grid
from labelaudit.sweeps.parameters import Cell


def of(stale):
    """What would stay as it is, and the parameter that it hangs on."""
    return stale["what"], stale["name"]


def looked_at(cell, probe, **injected):
    space = {}
    exec(cell, space)
    space |= injected
    return eval(probe, space)


@pytest.mark.parametrize(("lines", "probe", "cautious"), rows("computed_parameters"))
def test_refused_is_what_would_differ_from_a_value_written_by_hand(
    lines, probe, cautious
):
    """Lines behind `width = 3` in the parameters cell, and what the next looks at.

    What would not differ is refused to be sure where functions may be called at once,
    and where a later line replaces it.
    """
    swept = looked_at(f"width = 3\n{lines}", probe, width=5)
    by_hand = looked_at(f"width = 5\n{lines}", probe)
    cell = Cell(f"width = 3\n{lines}")
    if swept == by_hand and not cautious:
        assert cell.stale({"width": 5}) == {}
        return
    with pytest.raises(ValueError, match="is computed from 'width'") as refused:
        grid.read({"vary": {"width": [5]}}, cell)
    assert str(refused.value).endswith("move it to the next cell")
    assert "\n" not in str(refused.value)


def test_both_names_and_what_may_be_given():
    cell = Cell("width = 3\nhalf = width / 2\nquarter = half / 2\nother = 1")
    assert of(cell.stale(["other", "width"])) == ("half", "width")
    assert cell.stale(["width", "half", "quarter"]) == {}  # nothing is left as it was
    assert cell.stale(["other"]) == cell.stale(["half", "quarter"]) == {}
    assert of(cell.stale(["half", "width"]))[0] == "quarter"
    loop = Cell("n = 3\ntotal = 0\nfor k in range(n):\n    total += k")
    assert of(loop.stale(["n"])) == ("total", "n")
    # One set of several is enough.
    sets = {"vary": {"other": [1, 2]}, "also": [{"width": 4}]}
    with pytest.raises(ValueError, match=r"^grid: 'half' is computed from 'width'"):
        grid.read(sets, cell)


@pytest.mark.parametrize(("source", "defaults"), rows("parameters_cells"))
def test_names_and_their_values(source, defaults):
    found = Cell(source).defaults
    assert found | dict(eval(defaults)) == found
    assert [*found] == sorted(found, key=source.index) and "j" not in found


def test_shell_commands_read_names_too():
    cell = Cell("n = 3\nfiles = get_ipython().getoutput('ls data-{n}')")
    assert of(cell.stale(["n"])) == ("files", "n")
    magic = "n = 3\nget_ipython().run_line_magic('matplotlib', 'n')"
    assert Cell(magic).stale("n") == {}


@pytest.mark.parametrize(
    "line",
    [
        "x, y = 1, 2",
        "x, *rest = 1, 2",
        "(x, y), z = f()",
        "for x in (1, 2): pass",
        "(x := 3)",
    ],
)
def test_a_name_without_a_value_of_its_own_is_refused_with_the_reason(line):
    cell = Cell(f"n = 1\n{line}\n")
    with pytest.raises(
        ValueError, match=r"no parameter 'x' \(a parameter has a line of"
    ):
        grid.read({"vary": {"x": [1]}}, cell)
    assert len(grid.read({"vary": {"n": [1, 2]}}, cell)) == 2
    with pytest.raises(ValueError, match=r"its parameters: n$"):
        grid.read({"vary": {"m": [1]}}, cell)
