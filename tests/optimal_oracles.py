"""The best sampling plans of small lots: by search, and by a linear programme.

Nothing here imports labelaudit. Whole numbers throughout: each order of x errors
among n inspections has `ways` of the `total` placements of the lot's errors behind
it (in a process the numerators over a common denominator), so that a region's
probabilities are sums of (orders that arrive) x ways. Levels are tuples
(p_a, p_r, alpha, beta); a plan is a pair of lists (accept, reject).
"""

from fractions import Fraction
from functools import cache
from math import comb

import numpy as np
from scipy.optimize import linprog, minimize
from scipy.sparse import csr_array
from scipy.stats import binom, hypergeom

import oracles

MINIMAX = "minimax"


class Problem:
    """The least average sample number under two risks, in whole numbers.

    `weights` maps errors to Fractions that sum to 1; None stands for the largest
    average sample number over all D, which only a lot has.
    """

    def __init__(self, levels, lot_size, objective="balanced", max_sample=None):
        self.levels, self.lot_size = levels, lot_size
        self.d_a, self.d_r = oracles.in_counts(levels, lot_size)
        self.max_sample = lot_size if max_sample is None else max_sample
        self.weights = weights_of(objective, levels, lot_size)
        self.errors = range(lot_size + 1) if self.weights is None else [*self.weights]
        self.most_rejected = oracles.decimal(levels[2]) * self.total(self.d_a) // 1
        self.most_accepted = oracles.decimal(levels[3]) * self.total(self.d_r) // 1
        self.ways = cache(self.ways)

    def total(self, errors):
        if self.lot_size is None:
            return oracles.decimal(errors).denominator ** self.max_sample
        return comb(self.lot_size, errors)

    def ways(self, n, x, errors):
        """Of total(errors), what one order of x errors among n stands for."""
        if self.lot_size is None:
            p = oracles.decimal(errors)
            wrong, all_ = p.numerator, p.denominator
            return wrong**x * (all_ - wrong) ** (n - x) * all_ ** (self.max_sample - n)
        rest = errors - x
        return comb(self.lot_size - n, rest) if rest >= 0 else 0

    def average(self, sums):
        """The objective from sums[D], the inspections of all orders in ways."""
        asn = {d: Fraction(s, self.total(d)) for d, s in sums.items()}
        if self.weights is None:
            return max(asn.values())
        return sum(w * asn[d] for d, w in self.weights.items())


def weights_of(objective, levels, lot_size):
    """{errors: Fraction}, None for the largest over all D."""
    at_a, at_r = oracles.in_counts(levels, lot_size)
    named = {
        "balanced": {at_a: Fraction(1, 2), at_r: Fraction(1, 2)},
        "p_a": {at_a: Fraction(1)},
        "p_r": {at_r: Fraction(1)},
        MINIMAX: None,
    }
    if isinstance(objective, str):
        return named[objective]
    found = {}
    for rate, weight in objective.items():
        errors = rate if lot_size is None else oracles.count_of(rate, lot_size)
        found[errors] = found.get(errors, 0) + oracles.decimal(weight)
    total = sum(found.values())
    return {errors: weight / total for errors, weight in found.items()}


def objective_of(problem, plan):
    """The plan's objective, None where it misses a risk: order by order."""
    accept, reject = plan
    live, rejected, accepted = {0: 1}, 0, 0
    sums = dict.fromkeys(problem.errors, 0)
    for n in range(len(accept)):
        following = {}
        for x, orders in live.items():
            if accept[n] < x < reject[n]:
                for step in (0, 1):
                    following[x + step] = following.get(x + step, 0) + orders
                continue
            if x <= accept[n]:
                accepted += orders * problem.ways(n, x, problem.d_r)
            else:
                rejected += orders * problem.ways(n, x, problem.d_a)
            for d in sums:
                sums[d] += n * orders * problem.ways(n, x, d)
        live = following
    if rejected > problem.most_rejected or accepted > problem.most_accepted:
        return None
    return problem.average(sums)


# The randomised optimum -----------------------------------------------------------


def programme(problem):
    """The least objective of all plans, randomised ones too.

    A linear programme over the shares of the orders of (n, x) at which a plan
    accepts, rejects and goes on: risks and average sample numbers are linear in
    them. Floating point.
    """
    last = problem.max_sample
    points = [(n, x) for n in range(last + 1) for x in range(n + 1)]
    index = {point: 3 * i for i, point in enumerate(points)}
    size = 3 * len(points) + 1  # accept, reject, continue; the largest ASN

    def probability(n, x, d):
        total = problem.total(d)
        return float(Fraction(comb(n, x) * problem.ways(n, x, d), total))

    flow, upper = [], [(0.0, 1.0)] * (size - 1) + [(0.0, None)]
    for row, (n, x) in enumerate(points):
        at = index[n, x]
        flow += [(row, at + i, 1.0) for i in range(3)]
        if n and x < n:
            flow.append((row, index[n - 1, x] + 2, -(n - x) / n))
        if n and x:
            flow.append((row, index[n - 1, x - 1] + 2, -x / n))
        if n == last:
            upper[at + 2] = (0.0, 0.0)
    right = np.zeros(len(points))
    right[0] = 1.0
    asn = {d: np.zeros(size) for d in problem.errors}
    risks = np.zeros((2, size))
    for (n, x), at in index.items():
        risks[0, at + 1] = probability(n, x, problem.d_a)
        risks[1, at] = probability(n, x, problem.d_r)
        for d, row in asn.items():
            row[at + 2] = probability(n, x, d)
    rows, limits = [*risks], [float(oracles.decimal(v)) for v in problem.levels[2:]]
    cost = np.zeros(size)
    if problem.weights is None:
        cost[-1] = 1.0
        for row in asn.values():
            row[-1] = -1.0
            rows.append(row)
            limits.append(0.0)
    else:
        cost = sum(float(weight) * asn[d] for d, weight in problem.weights.items())
    i, j, values = zip(*flow)
    found = linprog(
        cost,
        A_ub=np.array(rows),
        b_ub=limits,
        A_eq=csr_array((values, (i, j)), shape=(len(points), size)),
        b_eq=right,
        bounds=upper,
        method="highs",
    )
    assert found.status == 0, found.message
    return float(found.fun)


# The best stopping region ---------------------------------------------------------


class Search:
    """The best stopping region, by trying every choice at n of what continues there.

    Left out is what has cost as much as the best so far, what has missed a risk, and
    what has spent at least as much on each as a region with the same orders before.
    """

    def __init__(self, problem):
        self.problem, self.best, self.seen = problem, None, {}
        self.extend(0, 0, [1], 0, 0, (0,) * len(problem.errors))

    def extend(self, n, low, orders, rejected, accepted, sums):
        """orders[i] orders arrive at n with low + i errors."""
        problem = self.problem
        before = self.seen.setdefault((n, low, *orders), [])
        spent = rejected, accepted, *sums
        if any(all(p <= q for p, q in zip(then, spent)) for then in before):
            return
        before.append(spent)
        value = problem.average(dict(zip(problem.errors, sums)))
        if self.best is not None and value >= self.best:
            return
        high = low + len(orders)
        at_a, at_r = (
            [k * problem.ways(n, low + i, d) for i, k in enumerate(orders)]
            for d in (problem.d_a, problem.d_r)
        )

        def kept(a, r):
            """Risks where a or fewer errors are accepted and r or more rejected."""
            now = rejected + sum(at_a[r - low :]), accepted + sum(at_r[: a + 1 - low])
            fine = now[0] <= problem.most_rejected and now[1] <= problem.most_accepted
            return now if fine else None

        if any(kept(c, c + 1) for c in range(low - 1, high)):
            self.best = value
            return  # to go on costs more
        if n == problem.max_sample:
            return
        for a in range(low - 1, high - 1):
            for r in range(a + 2, high + 1):
                if now := kept(a, r):
                    on = orders[a + 1 - low : r - low]
                    grown = [p + q for p, q in zip([*on, 0], [0, *on])]
                    more = tuple(
                        s + sum(k * problem.ways(n, a + 1 + i, d)
                                for i, k in enumerate(on))
                        for s, d in zip(sums, problem.errors)
                    )  # fmt: skip
                    self.extend(n + 1, a + 1, grown, *now, more)


def best_region(problem):
    """The objective of the best stopping region, or None."""
    return Search(problem).best


# A bound for large lots -----------------------------------------------------------


def dual_bound(levels, lot_size, weights, max_sample):
    """The greatest lower bound that multipliers give, by direct search for them.

    The objective of any plan, randomised or not, is at least V(0, 0) - price_a alpha
    - price_r beta for any two prices of a wrong verdict, V(0, 0) the least sum of
    inspections and prices paid. No price here is negative. Counts of errors so high
    that nobody sees them are left out, at no cost, so that it stays a lower bound.
    """
    d_a, d_r = oracles.in_counts(levels, lot_size)
    alpha, beta = (float(oracles.decimal(v)) for v in levels[2:])
    n = np.arange(max_sample + 1)[:, None]
    rates = [float(d) / (lot_size or 1) for d in (d_a, d_r, *weights)]
    mean = max_sample * max(rates)
    most = min(max_sample, int(mean + 8 * np.sqrt(mean + 1)) + 20)
    x = np.arange(most + 1)[None, :]

    @cache
    def masses(d):
        if lot_size is None:
            return binom.pmf(x, n, float(d))
        return hypergeom.pmf(x, lot_size, d, n)

    at_a, at_r = masses(d_a), masses(d_r)
    seen = sum(float(w) * masses(d) for d, w in weights.items())
    clean, wrong = np.maximum(n + 1 - x, 0) / (n + 1), (x + 1) / (n + 1)

    def negative(logs):
        price_a, price_r = np.exp(np.clip(logs, -50, 50))
        wrongly = np.minimum(price_a * at_a, price_r * at_r)
        value = wrongly[max_sample]
        for i in range(max_sample - 1, -1, -1):
            on = seen[i] + clean[i] * value
            on[:-1] += wrong[i, :-1] * value[1:]
            value = np.minimum(on, wrongly[i])
        return price_a * alpha + price_r * beta - value[0]

    start = np.log([max_sample / alpha**0.5, max_sample / beta**0.5])
    options = {"xatol": 1e-7, "fatol": 1e-9 * max_sample, "maxfev": 400}
    options["initial_simplex"] = start + np.array([[0, 0], [1.0, 0], [0, 1.0]])
    found = minimize(negative, start, method="Nelder-Mead", options=options)
    return -float(found.fun)
