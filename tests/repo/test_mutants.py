"""The mutants of `make mutants`: which there are, and that each is one change."""

from reproduction.machinery import mutants

FILE = "src/labelaudit/laws/a.py"
SOURCE = '''
def f(x: int = 3, *, sure=True) -> bool:
    """Not 1 < 2."""
    y = -x + max(x, 5)
    if 0 < x <= 3 and not y:
        raise ValueError("n" + str(x + 1))
    return ~x is not 1.5 or x not in y
'''
CHANGED = {
    "def f(x: int = 4, *, sure=True) -> bool:",
    "def f(x: int = 3, *, sure=False) -> bool:",
    "def f(x: int = 3, /, sure=True) -> bool:",
    "y = -x - max(x, 5)",
    "y = +x + max(x, 5)",
    "y = -x + min(x, 5)",
    "y = -x + max(x, 6)",
    "if 0 < x <= 3 or not y:",
    "if 0 <= x <= 3 and not y:",
    "if 0 < x < 3 and not y:",
    "if 1 < x <= 3 and not y:",
    "if 0 < x <= 4 and not y:",
    "if 0 < x <= 3 and  y:",
    "return x is not 1.5 or x not in y",
    "return ~x is  1.5 or x not in y",
    "return ~x is not 3.001 or x not in y",
    "return ~x is not 1.5 and x not in y",
    "return ~x is not 1.5 or x  in y",
}


def test_each_place_is_changed_once_and_messages_never():
    found = dict(mutants.mutants(FILE, SOURCE))
    right = {key: text for key, text in found.items() if mutants.compiles(text)}
    assert {key[2] for key in right} == CHANGED and len(right) == len(CHANGED)
    for (_, *pair, _), text in found.items():
        lines = zip(SOURCE.splitlines(), text.splitlines(), strict=True)
        assert [[a.strip(), b.strip()] for a, b in lines if a != b] == [pair]


def test_a_mutant_is_known_again_when_lines_come_and_go():
    twice = dict(mutants.mutants(FILE, f"z = 0\n{SOURCE}{SOURCE}"))
    assert dict(mutants.mutants(FILE, SOURCE)).keys() < twice.keys()


def test_so_many_are_drawn_by_seed():
    every = {("a", str(k), "", "1"): "x = 1" for k in range(300)}
    turned = dict(reversed(every.items()))
    found = mutants.drawn(every, 30, 1)
    assert len(found) == 30 and found == mutants.drawn(turned, 30, 1)
    assert found != mutants.drawn(every, 30, 2)


def test_the_kept_table_tells_what_survived_and_why():
    assert len(mutants.read()) > 40
    for (file, *_), (result, reason) in mutants.read().items():
        assert file.split("/")[2] in mutants.WINGS and result in mutants.RESULTS
        assert not reason or result == "survived"
