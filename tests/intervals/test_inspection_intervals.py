"""Intervals for the true error rate from flags: every number of errors tried."""

from fractions import Fraction

import numpy as np
import pytest

import labelaudit as la
from inspection_oracles import flagged_cdf, flagged_pmf
from labelaudit.laws.flags import law


def lot_limits(x, n, lot_size, tail, rates, mid_p):
    """The extreme D whose tail exceeds `tail`: every D tried, in fractions."""
    too_many, too_few = [], []
    for d in range(lot_size + 1):
        at = (n, lot_size, d, *rates)
        below, point = flagged_cdf(x, *at), flagged_pmf(x, *at)
        half = point / 2 if mid_p else 0
        too_many.append(below - half <= tail)
        too_few.append(1 - below + point - half <= tail)
    high = max((d for d, out in enumerate(too_many) if not out), default=0)
    low = min((d for d, out in enumerate(too_few) if not out), default=lot_size)
    return low, high


@pytest.mark.parametrize("rates", [(0.9, 0.95), (0.75, 1.0), (1.0, 0.75)])
@pytest.mark.parametrize("method", ["clopper-pearson", "mid-p"])
@pytest.mark.parametrize(("lot_size", "n"), [(20, 20), (30, 18), (26, 7)])
def test_lot_intervals_by_trying_all_errors(rates, method, lot_size, n):
    for confidence in (0.8, 0.95):
        tail = (1 - Fraction(str(confidence))) / 2
        expected = [
            lot_limits(x, n, lot_size, tail, rates, method == "mid-p")
            for x in range(n + 1)
        ]
        ask = {
            "confidence": confidence,
            "method": method,
            "inspection": la.Inspection(*rates),
        }
        low, high = la.proportion_interval(np.arange(n + 1), n, lot_size, **ask)
        found = [tuple(v) for v in np.rint(np.c_[low, high] * lot_size).astype(int)]
        assert found == expected
        for x in (0, n // 3, n):
            low, high = la.proportion_interval(x, n, lot_size, **ask)
            assert (round(low * lot_size), round(high * lot_size)) == expected[x]


@pytest.mark.parametrize("method", ["clopper-pearson", "mid-p"])
@pytest.mark.parametrize("d", [5, 8])
def test_a_tail_just_beside_half_alpha_is_settled_exactly(method, d):
    """Confidences at which doubles do not tell whether d errors are too many."""
    x, n, lot_size, rates = 1, 9, 20, (0.9, 0.95)
    at = (n, lot_size, d, *rates)
    tail = flagged_cdf(x, *at)
    if method == "mid-p":
        tail -= flagged_pmf(x, *at) / 2
    for apart, kept in ((1e-11, True), (-1e-11, False)):
        _, high = la.proportion_interval(
            x, n, lot_size, confidence=round(float(1 - 2 * tail) + apart, 13),
            method=method, inspection=la.Inspection(*rates),
        )  # fmt: skip
        assert (round(high * lot_size) >= d) == kept


@pytest.mark.parametrize("rates", [(0.9, 0.95), (0.8, 1.0), (1.0, 0.9)])
def test_lot_intervals_cover_every_number_of_errors(rates):
    low, high = la.proportion_interval(
        np.arange(26), 25, 60, inspection=la.Inspection(*rates)
    )
    flags = law(60, 25, la.Inspection(*rates))
    for d in range(61):
        inside = (low - 1e-9 <= d / 60) & (d / 60 <= high + 1e-9)
        assert flags.pmf(np.arange(26), 25, d)[inside].sum() >= 0.95


@pytest.mark.parametrize("method", ["clopper-pearson", "mid-p", "blaker"])
def test_process_intervals_are_those_of_the_flag_rate(method):
    inspection, x = la.Inspection(0.9, 0.95), np.arange(41)
    low, high = la.proportion_interval(x, 40, method=method, inspection=inspection)
    flag_low, flag_high = la.proportion_interval(x, 40, method=method)
    assert low == pytest.approx(np.clip((flag_low - 0.05) / 0.85, 0, 1))
    assert high == pytest.approx(np.clip((flag_high - 0.05) / 0.85, 0, 1))
    assert low[0] == 0 and high[40] == 1


def test_intervals_of_large_lots_become_those_of_a_process():
    ask = {"inspection": la.Inspection(0.9, 0.98)}
    lot = la.proportion_interval(30, 400, 500_000, **ask)
    assert lot == pytest.approx(la.proportion_interval(30, 400, **ask), abs=1e-4)


@pytest.mark.parametrize("method", ["clopper-pearson", "mid-p"])
@pytest.mark.parametrize("rates", [(0.9, 0.95), (0.8, 1.0)])
def test_sample_sizes_by_trying_all(method, rates):
    inspection, half = la.Inspection(*rates), Fraction(1, 2) * (method == "mid-p")
    lot_size, rate, half_width, tail = (
        24,
        Fraction(1, 8),
        Fraction(1, 8),
        Fraction(1, 10),
    )
    enough = []
    for n in range(1, lot_size + 1):
        x = round(inspection.flag_rate(rate) * n)
        low, high = lot_limits(x, n, lot_size, tail, rates, bool(half))
        enough.append(high - low <= 2 * lot_size * half_width)
    assert any(enough)
    first = enough.index(True) + 1
    stable = max((n + 1 for n, good in enumerate(enough, 1) if not good), default=1)
    assert la.interval_sample_size(
        0.125, 0.125, lot_size, confidence=0.8, method=method, inspection=inspection
    ) == la.SampleSize(first, max(first, stable))


def test_where_the_whole_lot_is_not_enough_there_is_no_size():
    """Flags leave doubt about a lot of which everything was inspected."""
    rates, lot_size = (0.8, 0.98), 26
    inspection = la.Inspection(*rates)
    flagged = round(inspection.flag_rate(Fraction(1, 8)) * lot_size)
    low, high = lot_limits(flagged, lot_size, lot_size, Fraction(1, 40), rates, False)
    half_width = 0.05
    assert high - low > 2 * lot_size * half_width
    with pytest.raises(ValueError, match=r"^half_width must be wide enough "):
        la.interval_sample_size(0.125, half_width, lot_size, inspection=inspection)


@pytest.mark.parametrize(
    "method", ["clopper-pearson", "mid-p", "blaker", "prior-assisted"]
)
def test_sample_sizes_of_a_process_by_trying_all(method):
    inspection = la.Inspection(0.9, 0.95)
    size = la.interval_sample_size(
        0.04, 0.1, method=method, prior=None, inspection=inspection
    )
    share = inspection.flag_rate(Fraction(4, 100))
    prior = None
    if method == "prior-assisted":
        prior = (20 * float(share), 20 * (1 - float(share)))
    enough = []
    for n in range(1, 4 * size.first + 1):
        low, high = la.proportion_interval(
            round(share * n), n, method=method, prior=prior, inspection=inspection
        )
        enough.append(high - low <= 0.2)
    assert enough.index(True) + 1 == size.first
    assert size.stable == max(
        size.first, *(n + 1 for n, good in enumerate(enough, 1) if not good)
    )


def test_a_perfect_inspection_changes_no_interval():
    for lot_size in (200, None):
        ask = (np.arange(21), 20, lot_size)
        plain = la.proportion_interval(*ask)
        same = la.proportion_interval(*ask, inspection=la.Inspection())
        assert np.array_equal(plain, same)
        assert la.interval_sample_size(
            0.1, 0.1, lot_size, inspection=la.Inspection()
        ) == la.interval_sample_size(0.1, 0.1, lot_size)


def test_intervals_after_stopping_cover():
    """plan.interval goes through the same probabilities of flags."""
    plan = la.SamplingPlan(
        [-1, -1, -1, -1, 0, -1, -1, -1, 2],
        [1, 2, 2, 3, 3, 3, 3, 4, 3],
        20,
        inspection=la.Inspection(0.85, 0.9),
    )
    stops = {}
    for d in range(21):
        outcome = enumerate_flags(plan, d)
        covered = Fraction(0)
        for (n, x), p in outcome.items():
            if (n, x) not in stops:
                stops[n, x] = plan.interval(n, x)
            low, high = stops[n, x]
            covered += p * (low - 1e-9 <= d / 20 <= high + 1e-9)
        assert covered >= Fraction(95, 100)


def enumerate_flags(plan, errors):
    """P(stop at (n, x)): flags one by one, true errors from what is left."""
    live, stops = {(0, 0): Fraction(1)}, {}
    seen, wrong = plan.inspection.fractions
    for n in range(plan.max_sample + 1):
        following = {}
        for (x, t), p in live.items():
            if x <= plan.accept[n] or x >= plan.reject[n]:
                stops[n, x] = stops.get((n, x), 0) + p
                continue
            error = Fraction(errors - t, plan.lot_size - n)
            for more, share in ((1, error), (0, 1 - error)):
                flagged = seen if more else wrong
                for flag, q in ((1, flagged), (0, 1 - flagged)):
                    at = x + flag, t + more
                    following[at] = following.get(at, 0) + p * share * q
        live = following
    return stops
