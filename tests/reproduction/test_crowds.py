"""The made-up crowds of Wong et al. 2021: many studies at once are the library's."""

import numpy as np
import pytest

import labelaudit as la
from reproduction.wong2021 import crowds


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_many_studies_at_once_are_the_librarys():
    """Values and intervals from nine counts, against those of listed judgments."""
    rng = np.random.default_rng(5)
    counts = crowds.studies(crowds.marked(0.3, 0.4, 0.7), 60, 20, rng)
    found = crowds.estimates(counts)
    ends = crowds.kappa_intervals(counts, 0.9)
    ends["Fieller"] = crowds.fieller(counts, 0.9)
    for k, one in enumerate(counts):
        x, y = crowds.of_counts(one)
        kappa_x, ratio = la.cross_kappa(x, y), la.normalized_cross_kappa(x, y)
        alphas = [la.krippendorff_alpha(r).value for r in (x, y)]
        values = [found.kappa_x[k], found.alpha_x[k], found.alpha_y[k]]
        assert values == pytest.approx([kappa_x.value, *alphas], abs=1e-12)
        assert found.normalized[k] == pytest.approx(ratio.value, nan_ok=True)
        for name, interval in (
            ("jackknife", kappa_x.interval(0.9, "jackknife")),
            ("items added", kappa_x.interval(0.9)),
            ("Fieller", ratio.interval(0.9, "fieller")),
        ):
            assert ends[name][:, k] == pytest.approx(interval, nan_ok=True)


def test_expected_values_are_those_of_very_many_items():
    kinds = crowds.marked(0.3, 0.5, 0.8)
    expected = crowds.expected(kinds)
    many = crowds.nine(kinds)[None] * 1e12
    found = crowds.estimates(many)
    for name in ("kappa_x", "normalized", "mean"):
        assert getattr(found, name)[0] == pytest.approx(expected[name], abs=1e-9)
    known = [0.3, 0.3, 0.5, 0.5, 0.8]
    assert expected[["p", "q", "irr_x", "irr_y", "rho"]].tolist() == pytest.approx(
        known
    )
