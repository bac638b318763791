"""The best sampling plans of small lots: by enumeration, by search, by a programme.

Nothing here imports labelaudit. Whole numbers throughout: each order of x errors
among n inspections has `ways` of the `total` placements of the lot's errors behind
it (in a process the numerators over a common denominator), so that a region's
probabilities are sums of (orders that arrive) x ways. Levels are tuples
(p_a, p_r, alpha, beta); a plan is a pair of lists (accept, reject).
"""

from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, lcm

import numpy as np
from scipy.optimize import linprog, minimize
from scipy.sparse import csr_array
from scipy.special import gammaln

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


# Every plan -----------------------------------------------------------------------


def region(plan):
    """{(n, x): "accept", "reject" or "continue"} of limits, where a path arrives."""
    accept, reject = plan
    actions, live = {}, {0}
    for n in range(len(accept)):
        for x in live:
            stop = "accept" if x <= accept[n] else "reject"
            actions[n, x] = "continue" if accept[n] < x < reject[n] else stop
        on = [x for x in live if actions[n, x] == "continue"]
        live = {x + step for x in on for step in (0, 1)}
    return actions


def interval_plans(max_sample):
    """Every stopping region, monotone or not, once: (accept, reject).

    Two that differ only where no path arrives count as one.
    """

    def extend(n, low, high, accept, reject):
        for c in range(low - 1, high + 1):
            yield [*accept, c], [*reject, c + 1]
        if n < max_sample:
            for a in range(low - 1, high):
                for r in range(a + 2, high + 2):
                    yield from extend(n + 1, a + 1, r, [*accept, a], [*reject, r])

    return extend(0, 0, 0, [], [])


def all_plans(max_sample):
    """Every deterministic plan on (n, x): accept, reject or continue at each point."""

    def extend(n, live, actions):
        words = ["accept", "reject", *(["continue"] if n < max_sample else [])]
        for chosen in product(words, repeat=len(live)):
            taken = actions | {(n, x): word for x, word in zip(live, chosen)}
            on = [x for x, word in zip(live, chosen) if word == "continue"]
            following = sorted({x + step for x in on for step in (0, 1)})
            if following:
                yield from extend(n + 1, following, taken)
            else:
                yield taken

    return extend(0, [0], {})


def characteristics(problem, actions):
    """(ways rejected at D_a, ways accepted at D_r, {D: inspections}) of a plan."""
    orders = {(0, 0): 1}
    rejected, accepted, sums = 0, 0, dict.fromkeys(problem.errors, 0)
    for n, x in sorted(actions):
        here = orders[n, x]
        if actions[n, x] == "continue":
            for step in (0, 1):
                at = n + 1, x + step
                orders[at] = orders.get(at, 0) + here
            continue
        if actions[n, x] == "reject":
            rejected += here * problem.ways(n, x, problem.d_a)
        else:
            accepted += here * problem.ways(n, x, problem.d_r)
        for d in sums:
            sums[d] += n * here * problem.ways(n, x, d)
    return rejected, accepted, sums


def objective_of(problem, actions):
    """The plan's objective, None where it misses a risk."""
    rejected, accepted, sums = characteristics(problem, actions)
    if rejected > problem.most_rejected or accepted > problem.most_accepted:
        return None
    return problem.average(sums)


def best_of(problem, plans):
    """The least objective among plans {(n, x): action} that keep both risks."""
    values = (objective_of(problem, actions) for actions in plans)
    return min((value for value in values if value is not None), default=None)


# The randomised optimum -----------------------------------------------------------


def programme(problem):
    """(least objective of all plans, randomised ones too; multipliers; weights).

    A linear programme over the shares of the orders of (n, x) at which a plan
    accepts, rejects and goes on: risks and average sample numbers are linear in
    them. None where no plan keeps both risks. Floating point.
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
        for d, weight in problem.weights.items():
            cost += float(weight) * asn[d]
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
    if found.status == 2:
        return None
    assert found.status == 0, found.message
    duals = np.maximum(-found.ineqlin.marginals, 0)
    weights = problem.weights or dict(zip(problem.errors, duals[2:]))
    return float(found.fun), tuple(duals[:2]), weights


# The best stopping region ---------------------------------------------------------

SCALE = 10**9


class BranchAndBound:
    """The best stopping region, by search over n of what continues there.

    A partial plan is bounded from below as every plan is: what it has cost so far
    and, order by order, the least that can follow when errors of judgment are paid
    for by multipliers. Any multipliers do; those of the programme bound best.
    """

    def __init__(self, problem):
        self.problem = problem
        self.best, self.plan, self.visited = None, None, 0
        self.seen = {}

    def search(self):
        """(objective, (accept, reject)), or None where no region keeps both risks."""
        problem = self.problem
        relaxed = programme(problem)
        if relaxed is None:
            return None
        _, multipliers, weights = relaxed
        self.totals = {d: problem.total(d) for d in problem.errors}
        # One unit of the objective is `unit`; ways cost whole numbers of it.
        self.unit = SCALE * lcm(*self.totals.values())
        if problem.weights is None:
            weights = rounded(weights)
        else:
            self.unit *= lcm(*(w.denominator for w in weights.values()))
        self.price = {
            d: int(w * self.unit / self.totals[d]) for d, w in weights.items() if w
        }
        self.price_a, self.price_r = (
            int(m * self.unit) // problem.total(d)
            for m, d in zip(map(Fraction, multipliers), (problem.d_a, problem.d_r))
        )
        self.allowance = (
            self.price_a * problem.most_rejected + self.price_r * problem.most_accepted
        )
        self.following = self.costs_to_go()
        start = dict.fromkeys(problem.errors, 0)
        self.extend(0, 0, [1], 0, 0, 0, start, [], [])
        if self.best is None:
            return None
        return Fraction(self.best, self.unit), self.plan

    def cost(self, n, x):
        return sum(p * self.problem.ways(n, x, d) for d, p in self.price.items())

    def costs_to_go(self):
        """V(n, x): the least Lagrangian cost per order from there on."""
        problem, value = self.problem, {}
        for n in range(problem.max_sample, -1, -1):
            for x in range(n + 1):
                options = [
                    self.price_a * problem.ways(n, x, problem.d_a),
                    self.price_r * problem.ways(n, x, problem.d_r),
                ]
                if n < problem.max_sample:
                    on = value[n + 1, x] + value[n + 1, x + 1]
                    options.append(self.cost(n, x) + on)
                value[n, x] = min(options)
        return value

    def extend(self, n, low, orders, spent, rejected, accepted, sums, accept, reject):
        """Try every choice at n, where orders[i] orders arrive with low + i errors.

        `spent` is the weighted cost of what has continued, `sums` that of each D.
        """
        problem, high = self.problem, low + len(orders) - 1
        self.visited += 1
        if self.dominated(n, low, orders, spent, rejected, accepted, sums):
            return
        ways_a = [
            k * problem.ways(n, low + i, problem.d_a) for i, k in enumerate(orders)
        ]
        ways_r = [
            k * problem.ways(n, low + i, problem.d_r) for i, k in enumerate(orders)
        ]
        for c in range(low - 1, high + 1):
            cut = c + 1 - low
            if rejected + sum(ways_a[cut:]) > problem.most_rejected:
                continue
            if accepted + sum(ways_r[:cut]) > problem.most_accepted:
                continue
            value = self.objective(spent, sums)
            if self.best is None or value < self.best:
                self.best = value
                self.plan = [*accept, c], [*reject, c + 1]
        if n == problem.max_sample:
            return
        choices = []
        for a in range(low - 1, high):
            for r in range(a + 2, high + 2):
                begin, end = a + 1 - low, r - low
                now_rejected = rejected + sum(ways_a[end:])
                now_accepted = accepted + sum(ways_r[:begin])
                if now_rejected > problem.most_rejected:
                    continue
                if now_accepted > problem.most_accepted:
                    continue
                on = orders[begin:end]
                grown = [p + q for p, q in zip([*on, 0], [0, *on])]
                cost = spent + sum(
                    k * self.cost_at(n, a + 1 + i) for i, k in enumerate(on)
                )
                bound = cost + sum(
                    k * self.following[n + 1, a + 1 + i] for i, k in enumerate(grown)
                )
                bound += self.price_a * now_rejected + self.price_r * now_accepted
                bound -= self.allowance
                choices.append((bound, a, r, grown, cost, now_rejected, now_accepted))
        choices.sort(key=lambda choice: choice[0])
        for bound, a, r, grown, cost, now_rejected, now_accepted in choices:
            if self.best is not None and bound >= self.best:
                break
            on = orders[a + 1 - low : r - low]
            now = sums
            if problem.weights is None:
                now = {
                    d: s
                    + sum(k * problem.ways(n, a + 1 + i, d) for i, k in enumerate(on))
                    for d, s in sums.items()
                }
            self.extend(
                n + 1,
                a + 1,
                grown,
                cost,
                now_rejected,
                now_accepted,
                now,
                [*accept, a],
                [*reject, r],
            )

    def cost_at(self, n, x):
        key = "cost", n, x
        if key not in self.following:
            self.following[key] = self.cost(n, x)
        return self.following[key]

    def objective(self, spent, sums):
        if self.problem.weights is not None:
            return spent
        return max(s * (self.unit // self.totals[d]) for d, s in sums.items())

    def dominated(self, n, low, orders, spent, rejected, accepted, sums):
        """Whether the same orders have arrived here before at no more expense."""
        now = (rejected, accepted)
        now += (spent,) if self.problem.weights is not None else tuple(sums.values())
        before = self.seen.setdefault((n, low, tuple(orders)), [])
        if any(all(p <= q for p, q in zip(then, now)) for then in before):
            return True
        before.append(now)
        return False


def rounded(weights):
    """Floating-point weights as Fractions that sum to 1."""
    parts = {d: int(w * SCALE) for d, w in weights.items()}
    total = sum(parts.values())
    return {d: Fraction(part, total) for d, part in parts.items() if part}


def best_region(problem):
    """(objective, (accept, reject)) of the best stopping region, or None."""
    return BranchAndBound(problem).search()


# A bound for large lots -----------------------------------------------------------


def masses(lot_size, n, x, errors):
    """P(x errors among n) in floating point, 0 where impossible."""
    if lot_size is None:
        p = float(errors)
        log = gammaln(n + 1) - gammaln(x + 1) - gammaln(n - x + 1)
        return np.exp(log + x * np.log(p) + (n - x) * np.log1p(-p))
    rest, good = errors - x, lot_size - errors
    possible = (rest >= 0) & (n - x <= good)
    rest, kept = np.maximum(rest, 0), np.maximum(good - (n - x), 0)
    log = (
        gammaln(errors + 1) + gammaln(good + 1)
        - gammaln(x + 1) - gammaln(rest + 1)
        - gammaln(n - x + 1) - gammaln(kept + 1)
        + gammaln(n + 1) + gammaln(lot_size - n + 1) - gammaln(lot_size + 1)
    )  # fmt: skip
    return np.where(possible, np.exp(log), 0.0)


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
    x = np.minimum(np.arange(most + 1)[None, :], n)
    inside = np.arange(most + 1)[None, :] <= n
    at_a = np.where(inside, masses(lot_size, n, x, d_a), 0)
    at_r = np.where(inside, masses(lot_size, n, x, d_r), 0)
    seen = sum(
        float(w) * np.where(inside, masses(lot_size, n, x, d), 0)
        for d, w in weights.items()
    )
    clean = (n + 1 - x) / (n + 1)
    wrong = (x + 1) / (n + 1)

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
