"""The draw of a sheet against another implementation."""

import pytest

import drawing_oracle as oracle
import labelaudit as la

SEEDS = [0, 1, 7, 100, 2**32, 10**9 - 1, 2**200 + 3]


def drawn(size, sample, seed):
    plan = la.SamplingPlan.from_stages([(sample, 0, 1)], size)
    return (la.inspection_sheet(plan, seed=seed)["item"] - 1).tolist()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("size", "sample"), [(1, 1), (2, 2), (10, 4), (1000, 1000), (10**6, 300)]
)
def test_a_draw_is_fisher_and_yates_shuffle_of_these_words(size, sample, seed):
    """So a longer sample begins with a shorter one."""
    assert drawn(size, sample, seed) == oracle.drawn(size, sample, seed)
