"""The mutants of `make mutants`: which there are, and that each is one change."""

import ast

from reproduction.machinery import mutants

FILE = "src/labelaudit/laws/a.py"
SOURCE = b'''
def f(x: int = 3, *, sure: "Literal[1]" = True) -> bool:
    """Not 1 < 2."""
    y = -x + max(x, 5)
    if 0 < x <= 3 and not y:
        raise ValueError("n" + str(x + 1))
    y -= f"\xc3\xbc {x + 1}" in "a" + str(y)
    return ~x is not 1.5
'''

CHANGED = {
    "def f(x: int=4, *, sure: 'Literal[1]'=True) -> bool:",
    "def f(x: int=3, *, sure: 'Literal[1]'=False) -> bool:",
    "y = -x - max(x, 5)",
    "y = +x + max(x, 5)",
    "y = -x + min(x, 5)",
    "y = -x + max(x, 6)",
    "if 0 < x <= 3 or not y:",
    "if 0 <= x <= 3 and (not y):",
    "if 0 < x < 3 and (not y):",
    "if 1 < x <= 3 and (not y):",
    "if 0 < x <= 4 and (not y):",
    "if 0 < x <= 3 and (not not y):",
    "y += f'ü {x + 1}' in 'a' + str(y)",
    "y -= f'ü {x + 1}' not in 'a' + str(y)",
    "return ~x is 1.5",
    "return ~~x is not 1.5",
    "return ~x is not 3.001",
}


def test_each_place_is_changed_once_and_messages_never():
    found = dict(mutants.mutants(FILE, SOURCE))
    assert {key[4] for key in found} == CHANGED
    assert len(found) == len(CHANGED)
    whole = ast.unparse(ast.parse(SOURCE)).splitlines()
    for key, mutant in found.items():
        changed = ast.unparse(ast.parse(mutant.text(SOURCE))).splitlines()
        lines = [pair for pair in zip(whole, changed, strict=True) if len({*pair}) > 1]
        assert [tuple(map(str.strip, pair)) for pair in lines] == [key[3:5]]


def test_a_mutant_is_known_again_when_lines_come_and_go():
    twice = SOURCE + b"\n\n" + SOURCE.replace(b"y =", b"z = 0\n    y =")
    keys = [key for key, _ in mutants.mutants(FILE, twice)]
    assert len({*keys}) == len(keys)
    assert dict(mutants.mutants(FILE, SOURCE)).keys() < {*keys}


def test_all_wings_are_drawn_from_by_seed():
    every = [(wing, "", str(k), "", "") for wing in mutants.WINGS for k in range(300)]
    found = mutants.drawn(every, 240, 1)
    assert found == mutants.drawn(every[::-1], 240, 1) != mutants.drawn(every, 240, 2)
    assert {key[0] for key in found} == {*mutants.WINGS}
    assert abs(len(found) - 240) < 5


def test_the_kept_table_tells_what_survived_and_why():
    for (wing, *_), (result, reason) in mutants.read(mutants.KEPT).items():
        assert wing in mutants.WINGS and result in mutants.RESULTS
        assert not reason or result == "survived"
