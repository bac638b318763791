"""reliability() with suggestions, and with a second collection."""

import numpy as np
import pandas as pd
import pytest

import labelaudit as la
from agreement_helpers import quietly
from studies import judged, made

MATRIX = made()
R = la.Ratings.from_matrix(MATRIX)

# Suggestions --------------------------------------------------------------------------


def told(matrix, seed=1, right=0.6):
    random = np.random.default_rng(seed)
    first = [next((v for v in row if v is not None), "a") for row in matrix]
    noise = random.choice(list("abcd"), len(matrix))
    return [a if random.random() < right else b for a, b in zip(first, noise)]


def test_agreement_with_suggestions_is_the_functions():
    suggested = told(MATRIX)
    suggested[3] = None
    found = la.reliability(R, suggested=suggested)
    functions = la.dipietro_hazari_kappa(R, suggested), la.accuracy(R, suggested)
    for name, one in zip(("dipietro_hazari_kappa", "followed"), functions):
        expected = one.value, *quietly(one.interval), one.n_ratings
        assert tuple(found.suggested.loc[name]) == expected
    each = [label == s for row, s in zip(MATRIX, suggested) if s
            for _, label in judged(row)]  # fmt: skip
    assert found.suggested["value"]["followed"] == pytest.approx(np.mean(each))
    top = found.disputed(3)
    assert list(top["suggested"]) == [suggested[item] for item in top.index]
    assert la.reliability(R, suggested=[None] * 60).suggested is None


# Two collections --------------------------------------------------------------------


@pytest.mark.parametrize("groups", [None, [k // 5 for k in range(150)]])
def test_two_collections_are_the_functions(groups):
    x = la.Ratings.from_matrix(made(n=150, seed=1), clusters=groups)
    y = la.Ratings.from_matrix(made(n=150, seed=1, slips=0.2)).on(range(20, 150))
    found = la.reliability(x, other=y)
    kappa, normal = la.cross_kappa(x, y), la.normalized_cross_kappa(x, y)
    table, names = found.other, ["value", "standard_error", "low", "high"]
    for name, one in (("cross_kappa", kappa), ("normalized_cross_kappa", normal)):
        ends = quietly(one.interval)
        assert [*table.loc[name, names]] == [one.value, one.standard_error, *ends]
    both = table["value"]["reliability_x"] * table["value"]["reliability_y"]
    assert normal.value == pytest.approx(kappa.value / np.sqrt(both))
    assert table["items"]["cross_kappa"] == kappa.n_items == 130


# In words ---------------------------------------------------------------------------


def test_what_two_collections_make_one_say():
    x = la.Ratings.from_matrix(made(n=200, seed=1, slips=0.2))
    shifted = made(n=200, seed=1, slips=0.2)
    shifted[:80] = np.where(shifted[:80] == "a", "b", shifted[:80])
    lost = la.Ratings.from_matrix(pd.DataFrame(made(n=9), index=list("stuvwxyz!")))
    loose = np.random.default_rng(0).integers(0, 2, (60, 2))
    one, other = la.Ratings.from_matrix(loose), la.Ratings.from_matrix(loose[::-1])
    shared = x.on(range(20, 50))
    for first, second, says in (
        (x, la.Ratings.from_matrix(shifted), "the collections differ by more than"),
        (x, lost, "cannot be compared: no item"),
        (one, other, "cannot be normalised"),
        (x, shared, "share 30 items; 170 more only the first has, 0 only the second"),
        (shared, x, "share 30 items; 0 more only the first has, 170 only the second"),
    ):
        said = la.reliability(first, other=second).warnings
        assert any(says in text for text in said), (says, said)
    same = la.reliability(x, other=x)
    assert not any("collections" in text for text in same.warnings)
    row = la.reliability(one, other=other).other.loc["normalized_cross_kappa"]
    assert row["why"] == "the reliability is too uncertain to divide by" or np.isnan(
        row["value"]
    )
