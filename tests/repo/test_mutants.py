"""The mutants of `make mutants`: which there are, and that each is one change."""

from reproduction.machinery import mutants

RESULTS = ("killed", "survived", "timed out")
FILE = "src/labelaudit/laws/a.py"
SOURCE = '''
def f(x: int | None = 3, *, sure=True) -> bool | str:
    """Not 1 < 2."""
    if 0 < x and not sure:
        raise ValueError("n" + str(x + 1))
    return max(-x, 1.5)
'''
CHANGED = {  # and `/` in place of the first `*`
    "=True": "=False",
    "= 3": "= 4",
    "0 <": "1 <",
    "<": "<=",
    "and": "or",
    "not ": " ",
    "max": "min",
    "-x": "+x",
    "1.5": "3.001",
}


def test_each_place_is_changed_once_and_messages_never():
    found = mutants.mutants(FILE, SOURCE)
    right = [key[1:3] for key in found]
    for old, new in CHANGED.items():
        assert [a for b, a in right if a == b.replace(old, new) != b], old
    assert len({*right}) == len(right) == len(CHANGED) + 1
    for (_, *pair, _), text in found.items():
        lines = zip(SOURCE.splitlines(), text.splitlines(), strict=True)
        assert [[a.strip(), b.strip()] for a, b in lines if a != b] == [pair]
    # Known again when lines come and go.
    twice = mutants.mutants(FILE, f"z = 0\n{SOURCE}{SOURCE}")
    assert found.keys() < twice.keys()


def test_so_many_are_drawn_by_seed():
    every = {("a", str(k), "", "1"): "x = 1" for k in range(300)}
    turned = dict(reversed(every.items()))
    found = mutants.drawn(every, 30, 1)
    assert len(found) == 30 and found == mutants.drawn(turned, 30, 1)
    assert found != mutants.drawn(every, 30, 2)


def test_the_kept_table_tells_what_survived_and_why():
    assert len(mutants.read()) > 40
    for (file, *_), (result, reason) in mutants.read().items():
        assert file.split("/")[2] in mutants.WINGS and result in RESULTS
        assert not reason or result == "survived"
