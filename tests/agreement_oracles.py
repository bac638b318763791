"""Agreement coefficients by brute force: every pair of judgments, in fractions.

Pairs of the same two labels are counted, not walked through.

Nothing here imports labelaudit. Judgments are a list of (item, rater, label); a
missing judgment is not in the list. Labels are whole numbers or fractions where a
distance needs numbers. None stands for an undefined value.
"""

import random
from collections import Counter, defaultdict, namedtuple
from fractions import Fraction
from itertools import combinations
from math import comb, nan, sqrt

Brute = namedtuple("Brute", "value observed expected n_items n_ratings")
UNDEFINED = Brute(None, None, None, 0, 0)

# Judgments ------------------------------------------------------------------------


def random_judgments(seed, n_items, n_raters, labels, missing=0.0, noise=0.4):
    """Raters who copy a true label or, with probability `noise`, draw another.

    The order of the judgments is shuffled; every label and rater may be absent.
    """
    rng = random.Random(seed)
    weights = [rng.random() + 0.1 for _ in labels]
    judgments = []
    for i in range(n_items):
        (truth,) = rng.choices(labels, weights)
        for r in range(n_raters):
            label = rng.choice(labels) if rng.random() < noise else truth
            if rng.random() >= missing:
                judgments.append((f"item {i}", f"rater {r}", label))
    rng.shuffle(judgments)
    return judgments


def from_table(table, row_labels, column_labels=None):
    """The judgments behind a contingency table: rows rater 1, columns rater 2."""
    judgments, n = [], 0
    for a, row in zip(row_labels, table):
        for b, count in zip(column_labels or row_labels, row):
            for _ in range(count):
                judgments += [(n, 1, a), (n, 2, b)]
                n += 1
    return judgments


def from_rows(rows):
    """The judgments in a matrix of items by raters, None where one is missing."""
    return [
        (i, r, label)
        for i, row in enumerate(rows)
        for r, label in enumerate(row)
        if label is not None
    ]


def from_counts(counts, labels):
    """Judgments behind a table of items by labels; which rater gave which is lost."""
    return [
        (i, r, label)
        for i, row in enumerate(counts)
        for r, label in enumerate(
            label for label, count in zip(labels, row) for _ in range(count)
        )
    ]


def by_item(judgments):
    """{item: [(rater, label), ...]}, items in the order of their first judgment."""
    items = defaultdict(list)
    for item, rater, label in judgments:
        items[item].append((rater, label))
    return dict(items)


def kept(judgments):
    """The judgments of the items that have at least two: those that take part."""
    items = by_item(judgments)
    return [j for j in judgments if len(items[j[0]]) >= 2]


def without(judgments, item):
    return [j for j in judgments if j[0] != item]


# Distances ------------------------------------------------------------------------


def nominal(a, b):
    return int(a != b)


def interval(a, b):
    return (Fraction(a) - Fraction(b)) ** 2


def ratio(a, b):
    """Krippendorff's ((a - b) / (a + b))^2."""
    return 0 if a == b else ((Fraction(a) - b) / (Fraction(a) + b)) ** 2


def ordinal(judgments, order):
    """Krippendorff's (n_a / 2 + the counts between + n_b / 2)^2, kept judgments."""
    counts = Counter(label for _, _, label in kept(judgments))
    place = {label: i for i, label in enumerate(order)}

    def distance(a, b):
        low, high = sorted((place[a], place[b]))
        between = sum(counts[order[i]] for i in range(low, high + 1))
        return (between - Fraction(counts[a] + counts[b], 2)) ** 2

    return distance


def linear(order):
    place = {label: i for i, label in enumerate(order)}
    return lambda a, b: abs(place[a] - place[b])


def quadratic(order):
    place = {label: i for i, label in enumerate(order)}
    return lambda a, b: (place[a] - place[b]) ** 2


def matrix(order, table):
    """A table of disagreements, its rows and columns in the labels' order."""
    place = {label: i for i, label in enumerate(order)}
    return lambda a, b: Fraction(table[place[a]][place[b]])


# Observed and expected disagreement -----------------------------------------------


def mean_distance(pairs, distance):
    """The mean over pairs, {two labels: how often}; None where there is none."""
    number = sum(pairs.values())
    if not number:
        return None
    return sum((n * Fraction(distance(*two)) for two, n in pairs.items()), 0) / number


def counted(judgments):
    return Counter(label for _, _, label in judgments)


def pairs_between(one, other):
    """Each of some labels with each of others, both counted."""
    return {(a, b): m * n for a, m in one.items() for b, n in other.items()}


def pairs_among(counts):
    """Each of some labels, counted, with each but itself."""
    pairs = pairs_between(counts, counts)
    for a, n in counts.items():
        pairs[a, a] -= n
    return pairs


def observed_disagreement(judgments, distance, weigh="judgments"):
    """The items' mean pair distances, weighted by their judgments or all alike."""
    total = weight = Fraction(0)
    for item in by_item(judgments).values():
        w = len(item) if weigh == "judgments" else 1
        counts = Counter(label for _, label in item)
        total += w * mean_distance(pairs_among(counts), distance)
        weight += w
    return total / weight


def shares(judgments, weigh):
    """{label: share} of all judgments, or as the mean over items."""
    if weigh == "judgments":
        return {c: Fraction(n, len(judgments)) for c, n in counted(judgments).items()}
    found, items = Counter(), by_item(judgments)
    for item in items.values():
        for _, label in item:
            found[label] += Fraction(1, len(item) * len(items))
    return found


def uniform(judgments, distance, labels, weigh):
    """S: every label as probable as every other."""
    return mean_distance(pairs_between(Counter(labels), Counter(labels)), distance)


def pooled(judgments, distance, labels, weigh):
    """pi and K: two judgments drawn with replacement."""
    drawn = shares(judgments, weigh)
    return mean_distance(pairs_between(drawn, drawn), distance)


def pooled_without_replacement(judgments, distance, labels, weigh):
    """alpha: two different judgments."""
    return mean_distance(pairs_among(counted(judgments)), distance)


def different_raters(judgments, distance, labels, weigh):
    """iota and kappa: judgments by different raters, or the mean over such pairs."""
    own = defaultdict(list)
    for judgment in judgments:
        own[judgment[1]].append(judgment)
    pairs, means = Counter(), []
    for r, s in combinations(own, 2):
        met = pairs_between(counted(own[r]), counted(own[s]))
        pairs.update(met)
        means.append(mean_distance(met, distance))
    if weigh == "items":
        return sum(means) / len(means)
    return mean_distance(pairs, distance)


def gwet(judgments, distance, labels, weigh):
    """AC1 and AC2: 1 - (q^2 - sum d) / (q (q - 1)) sum p (1 - p)."""
    q = len(labels)
    if q < 2:
        return Fraction(0)
    alike = q**2 - sum(Fraction(distance(a, b)) for a in labels for b in labels)
    spread = sum(p * (1 - p) for p in shares(judgments, weigh).values())
    return 1 - alike / (q * (q - 1)) * spread


EXPECTED = {
    "bennett_s": uniform,
    "scott_pi": pooled,
    "cohen_kappa": different_raters,
    "weighted_kappa": different_raters,
    "fleiss_kappa": pooled,
    "krippendorff_alpha": pooled_without_replacement,
    "janson_olsson_iota": different_raters,
    "gwet_ac1": gwet,
    "gwet_ac2": gwet,
}


def agreement(name, judgments, distance=nominal, labels=None, weigh="judgments"):
    """One coefficient, 1 - D_o / D_e; value None where D_e is 0 or there is no pair."""
    used = kept(judgments)
    if not used:
        return UNDEFINED
    if labels is None:
        labels = sorted({label for _, _, label in judgments})
    d_o = observed_disagreement(used, distance, weigh)
    d_e = EXPECTED[name](used, distance, labels, weigh)
    value = 1 - d_o / d_e if d_e else None
    return Brute(value, 1 - d_o, 1 - d_e, len(by_item(used)), len(used))


def parts(exact, agrees=True):
    """Observed and expected agreement, NaN where there is none, and D_o and D_e."""
    agreement = exact.observed, exact.expected
    disagreement = [float(1 - Fraction(part)) for part in agreement]
    return [float(part) if agrees else nan for part in agreement] + disagreement


# Two replications: raters "x 0", "x 1", ..., "y 0", ... -----------------------------


def side(judgments, name):
    """The judgments of one replication."""
    return [j for j in judgments if j[1].startswith(name)]


def crossing(judgments):
    """The judgments of the items that both replications have."""
    x, y = (by_item(side(judgments, name)) for name in "xy")
    return [j for j in judgments if j[0] in x and j[0] in y]


def cross_kappa(judgments, distance=nominal, labels=None):
    """Wong et al., Eq. 6-11: every judgment of one with every one of the other."""
    used = crossing(judgments)
    if not used:
        return UNDEFINED
    x, y = side(used, "x"), side(used, "y")
    of_x, of_y = by_item(x), by_item(y)
    d_o = Fraction(0)
    for i in of_x:
        one, other = (Counter(c for _, c in of[i]) for of in (of_x, of_y))
        weight = Fraction(len(of_x[i]) + len(of_y[i]), len(used))
        d_o += weight * mean_distance(pairs_between(one, other), distance)
    d_e = mean_distance(pairs_between(counted(x), counted(y)), distance)
    value = 1 - d_o / d_e if d_e else None
    return Brute(value, 1 - d_o, 1 - d_e, len(of_x), len(used))


def default_reliability(judgments):
    """iota where every item that has a pair has the same raters, else alpha."""
    raters = {frozenset(r for r, _ in item) for item in by_item(judgments).values()}
    return "janson_olsson_iota" if len(raters) == 1 else "krippendorff_alpha"


def normalized_parts(judgments, distances=(nominal,) * 3, names=None):
    """(kappa_x, sqrt(IRR_X IRR_Y)), Eq. 13; None where it is undefined."""
    k = cross_kappa(judgments, distances[0]).value
    product = 1.0
    for i, name in enumerate("xy"):
        own = kept(side(judgments, name))
        by = names[i] if names else default_reliability(own)
        irr = agreement(by, own, distances[1 + i]).value
        if k is None or irr is None or irr <= 0:
            return None
        product *= sqrt(irr)
    return float(k), product


def normalized_items(judgments):
    """The items that take part: in kappa_x, or in a reliability."""
    used = crossing(judgments)
    for name in "xy":
        used = used + kept(side(judgments, name))
    return [*dict.fromkeys(j[0] for j in used)]


# DiPietro and Hazari --------------------------------------------------------------


def dipietro_hazari(judgments, suggested, labels):
    """Eqs. 4-13; `suggested` is {item: label}. R and S weigh the items equally."""
    used = kept(judgments)
    items = by_item(used)
    if not items:
        return UNDEFINED
    n = len(items)
    c = {j: Fraction(sum(b == j for _, _, b in used), len(used)) for j in labels}
    share = {j: Fraction(sum(suggested[i] == j for i in items), n) for j in labels}
    c_e = sum(c[j] ** 2 * share[j] for j in labels)
    c_f = sum(share[i] * sum(c[j] ** 2 for j in labels if j != i) for i in labels)
    r = s = Fraction(0)
    for i, given in items.items():
        p = Counter(label for _, label in given)
        pairs = comb(len(given), 2)
        r += Fraction(comb(p[suggested[i]], 2), pairs)
        s += Fraction(sum(comb(p[j], 2) for j in labels if j != suggested[i]), pairs)
    observed, expected = (r - s) / n, c_e - c_f
    value = (observed - expected) / (1 - expected) if expected != 1 else None
    return Brute(value, observed, expected, n, len(used))


def dipietro_hazari_matrix(counts, suggested):
    """Eq. 14, with an equal number of annotators; `suggested` holds columns."""
    n, m = len(counts), len(counts[0])
    annotators = sum(counts[0])
    b = [[int(suggested[i] == j) for j in range(m)] for i in range(n)]
    c = [Fraction(sum(row[j] for row in counts), annotators * n) for j in range(m)]
    share = [Fraction(sum(row[j] for row in b), n) for j in range(m)]
    c_e = sum(c[j] * c[j] * share[j] for j in range(m))
    t = [[c[j] * (i != j) for j in range(m)] for i in range(m)]
    c_f = sum(sum(x * x for x in t[i]) * share[i] for i in range(m))
    f = [[comb(x, 2) for x in row] for row in counts]
    pairs = comb(annotators, 2)
    r = sum(Fraction(sum(x * y for x, y in zip(f[i], b[i])), pairs) for i in range(n))
    s = sum(
        Fraction(sum(x * (1 - y) for x, y in zip(f[i], b[i])), pairs) for i in range(n)
    )
    expected = c_e - c_f
    return (Fraction(r - s, n) - expected) / (1 - expected) if expected != 1 else None


# Standard errors ------------------------------------------------------------------


def leave_one_out(compute, judgments, items=None, shown=None):
    """{item: what compute(judgments) gives without it}, over the items that count.

    Of items that were judged alike (and shown alike), one is left out.
    """
    given = by_item(judgments)
    known, found = {}, {}
    for i in by_item(kept(judgments)) if items is None else items:
        alike = shown and shown[i], *sorted(given[i], key=repr)
        if alike not in known:
            known[alike] = compute(without(judgments, i))
        found[i] = known[alike]
    return found


def jackknife(values):
    """sqrt((n - 1) / n sum (v - mean)^2); None where a value is undefined or n < 2."""
    values = list(values)
    n = len(values)
    if n < 2 or None in values:
        return None
    mean = sum(values) / n
    return sqrt((n - 1) * sum((v - mean) ** 2 for v in values) / n)


def rater_pairs(judgments):
    """Every two raters, in order."""
    return list(combinations(sorted({rater for _, rater, _ in judgments}), 2))
