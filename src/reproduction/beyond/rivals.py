"""Sequential tests that others have proposed, as plans for a lot with exact risks.

Each stops when one of two statistics of (n, x), x errors among n inspected, reaches
its threshold: one speaks for acceptance and falls with x, one for rejection and
rises. So each is a stopping region, and its risks and average sample numbers are
exact.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, log

import numpy as np
import pandas as pd
from scipy.special import betaln

import labelaudit as la
from labelaudit.plans.evaluation import first_largest
from labelaudit.plans.plan import SamplingPlan

from ..klie2024.methods import single_plan
from ..machinery.run import quietly
from ..sweeps import keeping
from .savings import worst

Array = np.ndarray

# A statistic this close to its threshold has reached it, so that all processors
# decide alike.
REACHED = 1e-9

# Tuned log thresholds are multiples of STEP up to HIGHEST: nobody needs odds of e^25.
STEP, HIGHEST = 0.01, 25.0


@dataclass(frozen=True)
class Test:
    """Two statistics whose thresholds are still free, both logs of ratios.

    Attributes
    ----------
    levels, lot_size : what the test is for
    accepting, rejecting : shape (lot_size + 1, D_a + 2), over n and x
        More than D_a errors are always rejected.
    """

    levels: la.QualityLevels
    lot_size: int
    accepting: Array
    rejecting: Array

    def plan(self, accept_at: float, reject_at: float) -> SamplingPlan:
        """The plan that stops at these log thresholds.

        Where both are reached, the one that is exceeded by more decides.
        """
        for_it = self.accepting - accept_at + REACHED
        against = self.rejecting - reject_at + REACHED
        accepted = (for_it >= 0) & (for_it >= against)
        rejected = ~accepted & (against >= 0)
        width = accepted.shape[1]
        accept = np.logical_and.accumulate(accepted, axis=1).sum(axis=1) - 1
        run = np.logical_and.accumulate(rejected[:, ::-1], axis=1).sum(axis=1)
        end = int(np.flatnonzero(accept + 1 >= width - run)[0]) + 1
        return SamplingPlan(accept[:end], width - run[:end], self.lot_size, self.levels)


def _log_order(lot_size: int, errors: int, n: Array, x: Array) -> Array:
    """log P(one given order of x errors among n | this many errors in the lot)."""
    return _log_ways(lot_size - n, errors - x) - _log_ways(lot_size, errors)


def _log_ways(of: Array | int, chosen: Array | int) -> Array:
    """log of the binomial coefficient, -inf where it is 0."""
    possible = (chosen >= 0) & (chosen <= of)
    k = np.where(possible, chosen, 0)
    return np.where(possible, -betaln(of - k + 1, k + 1) - np.log1p(of), -np.inf)


def _less(first: Array, second: Array) -> Array:
    """The difference of two logs; 0 where both are of 0."""
    with np.errstate(invalid="ignore"):
        return np.where(np.isneginf(np.maximum(first, second)), 0.0, first - second)


def _counts(levels: la.QualityLevels, lot_size: int) -> tuple[Array, Array]:
    """Inspections down and errors found across: to D_a + 1, which always reject."""
    d_a, _ = levels.errors(lot_size)
    return np.arange(lot_size + 1)[:, None], np.arange(d_a + 2)[None, :]


def wald(levels: la.QualityLevels, lot_size: int) -> Test:
    """Likelihood ratios of D_r and D_a: Wald 1945, in a lot Meeker 1975."""
    at = _counts(levels, lot_size)
    good, bad = (_log_order(lot_size, int(d), *at) for d in levels.errors(lot_size))
    return _test(levels, lot_size, _less(good, bad), _less(bad, good))


def two_sprt(levels: la.QualityLevels, lot_size: int, between: int) -> Test:
    """Lorden's 2-SPRT (1976): two one-sided tests of a number of errors in between.

    Reject when it is much likelier than D_a, accept when it is than D_r.
    """
    at, (d_a, d_r) = _counts(levels, lot_size), levels.errors(lot_size)
    good, middle, bad = (_log_order(lot_size, int(d), *at) for d in (d_a, between, d_r))
    return _test(levels, lot_size, _less(middle, bad), _less(middle, good))


def alpha(levels: la.QualityLevels, lot_size: int, d: float) -> Test:
    """ALPHA (Stark 2023) with the shrinkage estimate, not truncated.

    The first guess counts like d inspections: the next annotation is taken to be wrong
    with (d p + x) / (d + n), p = p_a in the test of D_r and p_r in the test of D_a. The
    product of such predictions depends on n and x alone (Polya's urn), and so does the
    statistic: under D_r, or D_a, a martingale that begins at 1, so by Ville's
    inequality it ever reaches 1 / beta, or 1 / alpha, with at most that probability,
    whenever one looks or stops. Stark's truncation makes it depend on the order; here
    each test instead only counts errors on its own side of the level that it rejects.
    """
    n, x = _counts(levels, lot_size)
    d_a, d_r = (int(one) for one in levels.errors(lot_size))

    def predicted(p: float) -> Array:
        urn = betaln(d * p + x, d * (1 - p) + n - x)
        return np.asarray(urn - betaln(d * p, d * (1 - p)))

    low = _less(predicted(levels.p_a), _log_order(lot_size, d_r, n, x))
    high = _less(predicted(levels.p_r), _log_order(lot_size, d_a, n, x))
    return _test(
        levels,
        lot_size,
        np.where(x * lot_size <= n * d_r, low, -np.inf),
        np.where(x * lot_size >= n * d_a, high, -np.inf),
    )


def _test(
    levels: la.QualityLevels, lot_size: int, accepting: Array, rejecting: Array
) -> Test:
    """The test; what the counts already prove it takes as proved.

    More than D_a errors rule D_a out; so few that those left cannot make up D_r
    rule D_r out.
    """
    (n, x), (d_a, d_r) = _counts(levels, lot_size), levels.errors(lot_size)
    many = (x > d_a) | (x > n)
    few = ~many & (lot_size - n < d_r - x)
    accepting = np.where(few, np.inf, np.where(many, -np.inf, accepting))
    rejecting = np.where(many, np.inf, np.where(few, -np.inf, rejecting))
    return Test(levels, lot_size, accepting, rejecting)


def valid(test: Test) -> SamplingPlan:
    """The plan at the thresholds 1 / beta and 1 / alpha."""
    return test.plan(-log(test.levels.beta), -log(test.levels.alpha))


def tuned(test: Test, errors: Sequence[int]) -> SamplingPlan:
    """The plan that keeps both risks exactly with the least mean ASN at these errors.

    Thresholds are multiples of STEP. First the least pair is sought, one threshold
    after the other by bisection; then pairs near it are tried.
    """
    levels, found = test.levels, {}

    def risks(at: tuple[int, int]) -> tuple[bool, bool]:
        if at not in found:
            found[at] = test.plan(at[0] * STEP, at[1] * STEP)
        return found[at].keeps_risks

    def least(of: int, other: int) -> int:
        """The least threshold of one kind that keeps its risk beside the other."""
        low, high = 0, round(HIGHEST / STEP)
        while high - low > 1:
            middle = (low + high) // 2
            pair = (middle, other) if of == 0 else (other, middle)
            kept = risks(pair)[1 - of]
            low, high = (low, middle) if kept else (middle, high)
        return high

    at, before = (round(-log(levels.beta) / STEP), 0), None
    while at != before:
        before = at
        reject_at = least(1, at[0])
        at = (least(0, reject_at), reject_at)
    near = range(-NEAR, NEAR + 1)
    tries = {(at[0] + i * WIDE, at[1] + j * WIDE) for i in near for j in near}
    tries.add(at)
    kept = [pair for pair in sorted(tries) if min(pair) > 0 and all(risks(pair))]
    numbers = [found[pair].average_sample_number(np.array(errors)) for pair in kept]
    return found[kept[first_largest(-np.mean(numbers, axis=1))]]


# Around the least pair so many steps of WIDE times STEP are tried, on each side.
NEAR = 2
WIDE = 2


# The comparison ---------------------------------------------------------------

SWEEP = "rivals"  # of sweeps/, with one row per plan
CAPS = ("1.5 n", "2 n", "3 n", "N")  # of optimal plans; n is the single plan's
MEASURES = {  # what is recorded of a plan, and how it is called in a table
    "at_most": "at most",
    "producers_risk": "producer's risk",
    "consumers_risk": "consumer's risk",
    "asn_0": "D = 0",
    "asn_p_a": "p_a",
    "asn_middle": "middle",
    "asn_p_r": "p_r",
    "asn_worst": "worst D",
    "bound": "bound",
}

Design = Callable[[la.QualityLevels, int], SamplingPlan]


def tuned_two_sprt(levels: la.QualityLevels, lot_size: int) -> SamplingPlan:
    """The 2-SPRT of the middle, at the thresholds of the least ASN there."""
    middle = sum(levels.errors(lot_size)) // 2
    return tuned(two_sprt(levels, lot_size, middle), [middle])


def optimal(goal: str, cap: str) -> Design:
    """The optimal plan of this objective and this cap, by its name in CAPS."""

    def design(levels: la.QualityLevels, lot_size: int) -> SamplingPlan:
        most = lot_size
        if cap != "N":
            n = single_plan(levels, lot_size).max_sample
            most = min(ceil(float(cap.split()[0]) * n), lot_size)
        return quietly(
            la.optimal_plan, levels, lot_size, objective=goal, max_sample=most
        )

    return design


DESIGNS: dict[str, Design] = {
    "single, curtailed": lambda *task: la.curtail(single_plan(*task)),
    "double, curtailed": lambda *task: la.curtail(la.double_plan(*task)),
    "Wald, as defined": lambda *task: quietly(la.sequential_plan, *task),
    "Wald, tuned": lambda levels, size: tuned(wald(levels, size), levels.errors(size)),
    "2-SPRT, tuned": tuned_two_sprt,
    "any time: ALPHA, d = 100": lambda *task: valid(alpha(*task, 100)),
    "any time: ALPHA, d = 1,000": lambda *task: valid(alpha(*task, 1000)),
    **{f"balanced, cap {cap}": optimal("balanced", cap) for cap in CAPS},
    "minimax, cap 1.5 n": optimal("minimax", "1.5 n"),
}


def measured(plan: SamplingPlan) -> dict[str, float]:
    """A plan's exact risks and average sample numbers, named as in MEASURES.

    Only optimal plans have a `bound`: the certified one on their objective, of
    plans of at most their cap.
    """
    d_a, d_r = plan.levels.errors(plan.lot_size)
    numbers = plan.average_sample_number(np.array([0, d_a, (d_a + d_r) // 2, d_r]))
    risks = plan.max_sample, plan.producers_risk, plan.consumers_risk
    values = [*risks, *numbers.tolist(), worst(plan)[0], plan.lower_bound]
    named = dict(zip(MEASURES, values))
    return {name: value for name, value in named.items() if value is not None}


def table() -> pd.DataFrame:
    """The sweep's rows: one a plan, with what it inspects more than it need.

    Above the bound on all plans of the lot, for the mean of the average sample numbers
    at p_a and at p_r; at the worst D, above the least of the plans here.
    """
    swept = keeping.results(SWEEP).rename(columns=MEASURES)
    swept["mean"] = (swept["p_a"] + swept["p_r"]) / 2
    whole = swept[swept["plan"] == "balanced, cap N"]
    least = whole.set_index(["levels", "lot_size"])["bound"]
    bounds = least.loc[[*zip(swept["levels"], swept["lot_size"])]].to_numpy()
    swept["above bound, %"] = 100 * (swept["mean"] / bounds - 1)
    lowest = swept.groupby(["levels", "lot_size"])["worst D"].transform("min")
    swept["above worst, %"] = 100 * (swept["worst D"] / lowest - 1)
    above = ["above bound, %", "above worst, %"]
    order = ["levels", "N", "plan", *MEASURES.values(), "mean", *above]
    return swept.rename(columns={"lot_size": "N"})[order]
