"""The model of annotators and suggestions that notebooks vary: against brute force."""

from itertools import product

import numpy as np
import pytest

from reproduction.dipietro_hazari.suggestions import World, truth_behind


@pytest.mark.parametrize("followed", [0.0, 0.3])
def test_majority_against_every_way_to_judge(followed):
    world = World(0.7, 0.6, labels=3, followed=followed)
    suggestion = truth = 0.0
    for t, s in product(range(3), repeat=2):
        for judged in product(range(3), repeat=3):
            chance = world.joint[t, s] * np.prod(world.judgment[t, s, list(judged)])
            votes = np.bincount(judged, minlength=3)
            winners = np.flatnonzero(votes == votes.max())
            suggestion += chance * (s in winners) / len(winners)
            truth += chance * (t in winners) / len(winners)
    assert world.majority(3) == pytest.approx((suggestion, truth), rel=1e-12)


def test_too_many_ways_to_judge_are_refused():
    with pytest.raises(ValueError, match="labels = 12: 15 raters"):
        World(0.7, 0.6, labels=12).item_deviation(15)


def test_truth_behind_is_undefined_without_agreement_of_annotators():
    found = truth_behind(np.array([0.3, 0.3, 0.3]), np.array([0.25, 0.0, -0.1]))
    np.testing.assert_allclose(found, [0.6, np.nan, np.nan])
