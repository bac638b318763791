"""The plans that the browser's designer shows are those of the library."""

import json
import random

import pytest

from reproduction.machinery import paths
from reproduction.teaching import grid

KEPT = json.loads(paths.TAUGHT.read_text(encoding="utf-8"))
# Where levels are near each other, or the lot is large, a choice can take a minute: of
# large lots there is one with levels far apart.
SMALL = [c for c in grid.choices() if c[4] <= 1000 and c[1] >= 2 * c[0]]
SOME = random.Random(17).sample(SMALL, 4)
SOME += [(0.02, 0.035, 0.1, 0.2, 200), (0.01, 0.2, 0.05, 0.1, 10_000)]


def test_every_choice_has_its_plans():
    assert list(KEPT) == [grid.key(choice) for choice in grid.choices()]
    assert paths.TAUGHT.stat().st_size < 1e6


@pytest.mark.parametrize("choice", SOME, ids=grid.key)
def test_plans_are_what_the_library_gives(choice):
    found = json.loads(json.dumps(grid.computed(choice)))
    assert found == KEPT[grid.key(choice)]


@pytest.mark.parametrize("choice", grid.choices(), ids=grid.key)
def test_all_but_walds_keep_their_risks(choice):
    for kind, plan in KEPT[grid.key(choice)]["plans"].items():
        if kind != "sequential" and "none" not in plan:
            assert plan["producer"] <= choice[2]
            assert plan["consumer"] <= choice[3]
