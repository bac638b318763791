"""Agreement coefficients by brute force: every pair of judgments, in fractions.

Nothing here imports labelaudit. Judgments are a list of (item, rater, label); a
missing judgment is not in the list. Labels are whole numbers or fractions where a
distance needs numbers. None stands for an undefined value. `disagreements` and
`with_suggestions` take items as tables of judgments, so that numbers of judgments,
and how often an item is taken, need not be whole: complex ones serve as well.
"""

import random
from collections import Counter, defaultdict, namedtuple
from fractions import Fraction
from itertools import chain, combinations, product
from math import nan, sqrt

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


def from_table(table, labels):
    """The judgments behind a contingency table: rows rater 1, columns rater 2."""
    cells = zip(product(labels, repeat=2), chain(*table))
    pairs = [pair for pair, count in cells for _ in range(count)]
    return from_rows(pairs)


def from_rows(rows):
    """The judgments in a matrix of items by raters, None where one is missing."""
    return [
        (i, r, label)
        for i, row in enumerate(rows)
        for r, label in enumerate(row)
        if label is not None
    ]


def by_item(judgments):
    """{item: {(rater, label): judgments}}, items in order of their first judgment."""
    items = defaultdict(Counter)
    for item, rater, label in judgments:
        items[item][rater, label] += 1
    return dict(items)


def kept(judgments):
    """The judgments of the items that have at least two: those that take part."""
    sizes = Counter(item for item, _, _ in judgments)
    return [j for j in judgments if sizes[j[0]] >= 2]


def without(judgments, item):
    return [j for j in judgments if j[0] != item]


def counted(judgments):
    return Counter(label for _, _, label in judgments)


# Distances ------------------------------------------------------------------------


def nominal(a, b):
    return int(a != b)


def interval(a, b):
    return (Fraction(a) - Fraction(b)) ** 2


def ratio(a, b):
    """Krippendorff's ((a - b) / (a + b))^2."""
    return 0 if a == b else ((Fraction(a) - b) / (Fraction(a) + b)) ** 2


def jaccard(a, b):
    return 0 if a == b else 1 - Fraction(len(a & b), len(a | b))


def masi(a, b):
    """1 - J M in fractions; nltk rounds 2/3 and 1/3 to two digits."""
    if a == b or not a & b:
        return int(a != b)
    m = Fraction(2, 3) if a <= b or b <= a else Fraction(1, 3)
    return 1 - Fraction(len(a & b), len(a | b)) * m


def ordinal(judgments, order):
    """Krippendorff's (n_a / 2 + the counts between + n_b / 2)^2, kept judgments."""
    counts = counted(kept(judgments))
    place = {label: i for i, label in enumerate(order)}

    def distance(a, b):
        low, high = sorted((place[a], place[b]))
        between = sum(counts[order[i]] for i in range(low, high + 1))
        return (between - Fraction(counts[a] + counts[b], 2)) ** 2

    return distance


def by_place(order, power):
    """Steps between labels, or their squares, of the largest."""
    place = {label: Fraction(i, len(order) - 1) for i, label in enumerate(order)}
    return lambda a, b: abs(place[a] - place[b]) ** power


def matrix(order, table):
    """A table of disagreements, its rows and columns in the labels' order."""
    place = {label: i for i, label in enumerate(order)}
    return lambda a, b: Fraction(table[place[a]][place[b]])


# Observed and expected disagreement -----------------------------------------------

# Chance draws from each rater's own labels, and from those of both replications.
OWN = "cohen_kappa", "weighted_kappa", "janson_olsson_iota", "cross_kappa"


def mean_distance(pairs, distance):
    """The mean over pairs, (how many, a label, another)."""
    total = number = Fraction(0)
    for n, a, b in pairs:
        total, number = total + n * distance(a, b), number + n
    return total / number


def disagreements(name, items, distance, labels, weigh="judgments", times=None):
    """D_o and D_e of items, {(rater, label): judgments}, each taken so many times.

    "cross_kappa" compares different "raters" alone, which are replications.
    """
    observed = size = Fraction(0)
    given = defaultdict(Fraction)
    for often, item in zip(times or [Fraction(1)] * len(items), items):
        m, cells = sum(item.values()), item.items()
        met = [(n * o, a, b) for ((r, a), n), ((s, b), o) in product(cells, cells)
               if name != "cross_kappa" or r != s]  # fmt: skip
        pairs = sum(n for n, _, _ in met) - (0 if name == "cross_kappa" else m)
        weight = often * (m if weigh == "judgments" else 1)
        observed += weight * sum(n * distance(a, b) for n, a, b in met) / pairs
        size += weight
        for cell, n in cells:
            given[cell] += (
                often * n / (m if weigh == "items" and name not in OWN else 1)
            )
    return observed / size, by_chance(name, given, distance, labels, weigh)


def by_chance(name, given, distance, labels, weigh):
    """D_e from how often a rater gave a label, {(rater, label): n}."""
    own, all_ = defaultdict(dict), defaultdict(Fraction)
    for (rater, label), n in given.items():
        own[rater][label] = n
        all_[label] += n
    if name == "bennett_s":  # every label as probable as every other
        return mean_distance(((1, a, b) for a in labels for b in labels), distance)
    if name in OWN:
        pairs = [[(m * n, a, b) for a, m in own[r].items() for b, n in own[s].items()]
                 for r, s in combinations(own, 2)]  # fmt: skip
        if weigh == "items":
            return sum(mean_distance(two, distance) for two in pairs) / len(pairs)
        return mean_distance(chain(*pairs), distance)
    total = sum(all_.values())
    if name in ("gwet_ac1", "gwet_ac2"):
        q = len(labels)
        alike = q**2 - sum(distance(a, b) for a in labels for b in labels)
        spread = sum(n / total * (1 - n / total) for n in all_.values())
        return 1 - alike * spread / (q * (q - 1)) if q > 1 else Fraction(0)
    two = sum(m * n * distance(a, b)
              for a, m in all_.items() for b, n in all_.items())  # fmt: skip
    # pi and K draw with replacement, alpha two different judgments
    return two / (total * (total - (name == "krippendorff_alpha")))


def agreement(name, judgments, distance=nominal, labels=None, weigh="judgments"):
    """One coefficient, 1 - D_o / D_e; value None where D_e is 0 or there is no pair."""
    used = crossing(judgments) if name == "cross_kappa" else kept(judgments)
    if not used:
        return UNDEFINED
    if labels is None:
        labels = sorted({label for _, _, label in judgments})
    named = [(i, r[0], c) for i, r, c in used] if name == "cross_kappa" else used
    items = [*by_item(named).values()]
    d_o, d_e = disagreements(name, items, distance, labels, weigh)
    value = 1 - d_o / d_e if d_e else None
    return Brute(value, 1 - d_o, 1 - d_e, len(items), len(used))


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
    x, y = ({item for item, _, _ in side(judgments, name)} for name in "xy")
    return [j for j in judgments if j[0] in x & y]


def default_reliability(judgments):
    """iota where every item that has a pair has the same raters, else alpha."""
    raters = defaultdict(set)
    for item, rater, _ in judgments:
        raters[item].add(rater)
    same = len({*map(frozenset, raters.values())}) == 1
    return "janson_olsson_iota" if same else "krippendorff_alpha"


def normalized_parts(judgments, distances=(nominal,) * 3, names=None):
    """(kappa_x, sqrt(IRR_X IRR_Y)), Eq. 13; None where it is undefined."""
    k = agreement("cross_kappa", judgments, distances[0]).value
    product = 1.0
    for i, name in enumerate("xy"):
        own = kept(side(judgments, name))
        by = names[i] if names else default_reliability(own)
        irr = agreement(by, own, distances[1 + i]).value
        if k is None or irr is None or irr <= 0:
            return None
        product *= sqrt(irr)
    return float(k), product


# DiPietro and Hazari --------------------------------------------------------------


def with_suggestions(items, times=None):
    """Observed and expected agreement, Eqs. 4-13, of ({label: n}, suggestion) each."""
    gain = size = Fraction(0)
    given, wanted = defaultdict(Fraction), defaultdict(Fraction)
    times = times or [Fraction(1)] * len(items)
    for often, (item, suggestion) in zip(times, items):
        m = sum(item.values())
        for label, k in item.items():
            right = 1 if label == suggestion else -1
            gain += often * right * k * max(k - 1, 0) / (m * (m - 1))
            given[label] += often * k
        size += often * m
        wanted[suggestion] += often
    n = sum(times)
    # C_E less C_F: each label's share squared, where it was suggested and where not
    by_chance = (k**2 * (2 * wanted[label] / n - 1) for label, k in given.items())
    return gain / n, sum(by_chance) / size**2


def dipietro_hazari(judgments, suggested):
    """`suggested` is {item: label}. R and S weigh the items equally."""
    used = kept(judgments)
    if not used:
        return UNDEFINED
    items = defaultdict(Counter)
    for item, _, label in used:
        items[item][label] += 1
    told = [(given, suggested[item]) for item, given in items.items()]
    observed, expected = with_suggestions(told)
    value = (observed - expected) / (1 - expected) if expected != 1 else None
    return Brute(value, observed, expected, len(items), len(used))


# Standard errors ------------------------------------------------------------------


def leave_one_out(compute, judgments, part=kept, shown=None):
    """{item: what compute(judgments) gives without it}, of the part that counts.

    Of items that were judged alike (and shown alike), one is left out.
    """
    given, known, found = by_item(judgments), {}, {}
    for item, _, _ in part(judgments):
        alike = shown and shown[item], frozenset(given[item].items())
        if alike not in known:
            known[alike] = compute(without(judgments, item))
        found[item] = known[alike]
    return found


def jackknife(values):
    """sqrt((n - 1) / n sum (v - mean)^2); None where a value is undefined or n < 2."""
    values = list(values)
    n = len(values)
    if n < 2 or None in values:
        return None
    mean = sum(values) / n
    return sqrt((n - 1) * sum((v - mean) ** 2 for v in values) / n)
