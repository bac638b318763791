"""Intervals for K of two judgments an item, against the library and by simulation."""

import numpy as np
import pytest

import labelaudit as la
from reproduction.sweeps import side_by_side as beside

Z = 1.959963984540054
SAMPLES = [(12, 4, 34), (30, 10, 10), (20, 1, 29), (22, 16, 12)]


def anonymous(both, one, none):
    return la.Ratings.from_counts([[0, 2]] * both + [[1, 1]] * one + [[2, 0]] * none)


@pytest.mark.parametrize("sample", SAMPLES, ids=str)
def test_the_librarys_intervals(sample):
    k = la.fleiss_kappa(anonymous(*sample))
    t = np.array([sample], dtype=float)
    value, error, d_o, d_e = (float(part[0]) for part in beside.moments(t))
    assert value == pytest.approx(k.value)
    assert (d_o, d_e) == pytest.approx(
        (k.observed_disagreement, k.expected_disagreement)
    )
    assert error == pytest.approx(k.standard_error, rel=0.06)
    ends = [float(end[0]) for end in beside.items_added(t, Z)]
    assert ends == pytest.approx(k.interval(), rel=1e-9)
    ends = [float(end[0]) for end in beside.atanh(t, Z)]
    assert ends == pytest.approx(k.interval(method="jackknife"), abs=0.02)


def test_coverage_by_simulation():
    t = beside.coverage(30, [0.4], [0.9], 0.95, {"x": beside.items_added})
    (row,) = t.to_dict("records")
    rng, inside, given = np.random.default_rng(1), 0, 0
    shares, k = beside.population(0.4, 0.9)
    for counts in rng.multinomial(30, shares, 2000):
        sample = counts[None].astype(float)
        low, high = (float(end[0]) for end in beside.items_added(sample, Z))
        given += not np.isnan(low)
        inside += low <= k <= high
    assert row["given"] == pytest.approx(given / 2000, abs=0.03)
    assert row["coverage"] == pytest.approx(inside / given, abs=0.02)
    assert row["K"] == k
