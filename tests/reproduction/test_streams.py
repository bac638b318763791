"""Streams of batches: the chain against all sequences of verdicts, in fractions."""

from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest

from labelaudit.plans.aql import AQLS, LOTS
from reproduction.beyond import streams
from reproduction.beyond.streams import BETWEEN, REJECTED, Rules, Stream

# Small numbers bring every rule into play within a few batches.
SMALL = [
    Rules(2, 3, 2, 3, None, 2),
    Rules(2, 3, 2, 3, 1, 2),
    Rules(2, 4, 3, 4, None, None, 4),
    Rules(1, 1, 1, 2, None, 1),
    Rules(3, 5, 2, None, None, 3, 6),
    Rules(2, 5, 2, 4, 0, None, None),
]
CHANCES = {
    ("normal", 0): Fraction(5, 12),
    ("normal", 1): Fraction(1, 6),
    ("normal", 2): Fraction(1, 12),
    ("normal", REJECTED): Fraction(1, 3),
    ("tightened", 0): Fraction(3, 5),
    ("tightened", REJECTED): Fraction(2, 5),
    ("reduced", 0): Fraction(1, 2),
    ("reduced", BETWEEN): Fraction(1, 7),
    ("reduced", REJECTED): Fraction(5, 14),
}


def told(rules, history):
    """The severity after all these results, told from the wording of the standards."""
    now, since = "normal", []
    for result in history:
        since = [*since, result]
        good = [r != REJECTED for r in since]
        if now == "normal":
            windows = [good[max(0, len(good) - k) :] for k in range(1, rules.among + 1)]
            ten = since[-rules.reduce :] if rules.reduce else []
            if any(w.count(False) >= rules.tighten for w in windows):
                now, since = "tightened", []
            elif rules.reduce and len(ten) == rules.reduce and REJECTED not in ten:
                few = rules.limit is None or sum(ten) <= rules.limit
                now, since = ("reduced", []) if few else (now, since)
        elif now == "tightened":
            if len(good) >= rules.relax and False not in good[-rules.relax :]:
                now, since = "normal", []
            else:
                spent = len(good) >= (rules.stop_batches or np.inf)
                if spent or good.count(False) >= (rules.stop_rejected or np.inf):
                    return "stopped"
        elif result in (REJECTED, BETWEEN):
            now, since = "normal", []
    return now


def given(rules, chances=CHANCES):
    """A stream with these chances, whatever the errors."""
    stream = Stream(1000, 1.0, rules=rules)
    known = {(s, r) for s in streams.SEVERITIES for r in stream.results(s)}
    chances = dict(chances)
    if rules.limit is None:
        for result in (1, 2):
            chances["normal", 0] += chances.pop(("normal", result))
    assert set(chances) == known
    stream.chances = lambda errors: {k: float(v) for k, v in chances.items()}
    return stream, chances


def enumerated(rules, chances, batches):
    """The probability of each severity at each batch, over all sequences."""
    shares = [
        dict.fromkeys((*streams.SEVERITIES, "stopped"), 0) for _ in range(batches)
    ]
    open_ends = {(): Fraction(1)}
    for share in shares:
        longer = {}
        for history, weight in open_ends.items():
            now = told(rules, history)
            share[now] += weight
            for (severity, result), chance in chances.items():
                if severity == now:
                    longer[*history, result] = weight * chance
            if now == "stopped":
                longer[history] = weight
        open_ends = longer
    return shares


@pytest.mark.parametrize("rules", SMALL)
def test_the_chain_is_all_sequences_of_verdicts(rules):
    stream, chances = given(rules)
    batches = 8 if rules.limit is not None else 10
    exact = enumerated(rules, chances, batches)
    path = stream.path([10] * batches)
    for row, wanted in zip(path.to_dict("records"), exact):
        for severity, share in wanted.items():
            assert row[severity] == pytest.approx(float(share), abs=1e-14)
        refused = sum(
            share * chances.get((severity, REJECTED), 0)
            for severity, share in wanted.items()
        )
        assert row["rejected"] == pytest.approx(float(refused), abs=1e-14)
        whole = 1 - float(wanted["stopped"])
        assert row["accepted"] + row["rejected"] == pytest.approx(whole)
    assert exact[-1]["tightened"] > 0 or rules.stop_rejected == 1


@pytest.mark.parametrize("rules", [Rules(), Rules(stop_rejected=None, stop_batches=10)])
def test_the_standards_own_numbers_for_thirteen_batches(rules):
    """Every sequence of 12 verdicts: two from normal, and reduced after ten."""
    stream, chances = given(rules)
    exact = enumerated(rules, chances, 13)
    assert 0 < exact[-1]["reduced"] < exact[-1]["tightened"]
    path = stream.path([10] * 13)
    for severity in exact[0]:
        expected = [float(share[severity]) for share in exact]
        np.testing.assert_allclose(path[severity], expected, atol=1e-14)


def test_the_tenth_batch_on_tightened_can_still_lead_back():
    rules = Rules(stop_rejected=None, stop_batches=10)
    late = ["rejected"] * 2 + ["rejected"] * 5 + [0] * 5
    assert told(rules, late[:-1]) == "tightened"
    assert told(rules, late) == "normal"
    state = streams.State("normal")
    for result in late:
        state = streams.following(state, result, rules)
    assert state == streams.State("normal")
    assert told(rules, ["rejected"] * 8 + [0] * 4) == "stopped"


def solved(matrix):
    """x = x P with sum 1, in fractions, by Gauss and Jordan."""
    n = len(matrix)
    rows = [[matrix[i][j] - (i == j) for i in range(n)] + [0] for j in range(n - 1)]
    rows.append([Fraction(1)] * (n + 1))
    for k in range(n):
        pivot = next(i for i in range(k, n) if rows[i][k])
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [v / rows[k][k] for v in rows[k]]
        for i in range(n):
            if i != k and rows[i][k]:
                times = rows[i][k]
                rows[i] = [v - times * w for v, w in zip(rows[i], rows[k])]
    return [row[-1] for row in rows]


def in_fractions(stream, chances, back):
    """The transitions between the states that come back, for the same moves."""
    states = [s for s in stream.states if s.severity != "stopped"]
    matrix = [[Fraction(0)] * len(states) for _ in states]
    for state, result, after in stream.moves:
        if after.severity != state.severity:
            after = back.get(after.severity, after)
        chance = chances[state.severity, result]
        matrix[states.index(state)][states.index(after)] += chance
    return states, matrix


@pytest.mark.parametrize("rules", [SMALL[0], SMALL[1], SMALL[2], Rules()])
@pytest.mark.parametrize("rare", [1, Fraction(1, 10**9)])
def test_long_run_shares_are_those_of_exact_linear_algebra(rules, rare):
    """To 12 digits each, also where a rejection is one in billions."""
    scaled = dict(CHANCES)
    for severity in streams.SEVERITIES:
        less = scaled[severity, REJECTED] * (1 - rare)
        scaled[severity, REJECTED] -= less
        scaled[severity, 0] += less
    stream, chances = given(rules, scaled)
    back = {"stopped": streams.State("tightened")}
    states, matrix = in_fractions(stream, chances, back)
    exact = dict(zip(states, solved(matrix)))
    found = dict(zip(stream.states, stream.long_run_shares(10)))
    for state, share in exact.items():
        assert found[state] == pytest.approx(float(share), rel=1e-12, abs=0)
    if rare == 1:
        row = np.eye(len(stream.states))[0]
        step = stream.matrix(10, back)
        for _ in range(3000):
            row = row @ step
        np.testing.assert_allclose(row, stream.long_run_shares(10), atol=1e-12)


@pytest.mark.parametrize("rules", [SMALL[0], Rules()])
@pytest.mark.parametrize(
    ("start", "end"), [("normal", "stopped"), ("tightened", "stopped")]
)
def test_expected_batches_are_those_of_first_steps(rules, start, end):
    """h = 1 + P h, with h = 0 where the end has been reached."""
    stream, chances = given(rules)
    states = [s for s in stream.states if s.severity != end]
    n = len(states)
    matrix = np.zeros((n, n))
    for state, result, after in stream.moves:
        if after in states:
            chance = float(chances[state.severity, result])
            matrix[states.index(state), states.index(after)] += chance
    h = np.linalg.solve(np.eye(n) - matrix, np.ones(n))
    expected = h[states.index(streams.State(start))]
    assert stream.expected_batches(10, start, end) == pytest.approx(expected)


@pytest.mark.parametrize("errors", [8, 15, 30])
def test_as_many_go_as_come(errors):
    """Of each severity; and between two stops lies what leads from one to the next."""
    stream = Stream(1000, 1.0)
    shares = stream.long_run_shares(errors)
    come = {s: stream.arrivals(errors, shares, s) for s in streams.SEVERITIES}
    assert come["normal"] == pytest.approx(come["tightened"] + come["reduced"])
    assert come["tightened"] < 0.5 * stream.long_run(errors)["rejected"]
    stops = stream.long_run(errors)["stops"]
    between = stream.expected_batches(errors, "tightened", "stopped")
    assert stops == pytest.approx(1 / between, rel=1e-9)


def test_states_hold_only_what_counts():
    """Normal: 10 runs, 4 of them with a rejection before; tightened: 5 by 5."""
    by_severity = Counter(state.severity for state in Stream(1000, 1.0).states)
    assert by_severity == {"normal": 14, "tightened": 25, "reduced": 1, "stopped": 1}


def test_what_cannot_be_reached_takes_for_ever():
    stream = Stream(1000, 1.0)
    assert stream.expected_batches(0, "normal", "tightened") == float("inf")
    assert stream.expected_batches(0, "normal", "reduced") == 10


@pytest.mark.parametrize(("size", "aql", "errors"), [(1000, 1.0, 20), (30, 6.5, 4)])
@pytest.mark.parametrize("limit", [None, 4])
def test_chances_are_hypergeometric_sums(size, aql, errors, limit):
    stream = Stream(size, aql, rules=Rules(limit=limit))
    chances = stream.chances(errors)
    for severity, (_, n, accept, reject) in stream.numbers.items():
        ways = [
            comb(errors, x) * comb(size - errors, n - x) if n - x >= 0 else 0
            for x in range(n + 1)
        ]
        exact = [Fraction(w, comb(size, n)) for w in ways]
        assert sum(exact) == 1
        wanted = {0: sum(exact[: accept + 1]), REJECTED: sum(exact[reject:])}
        if severity == "normal" and limit is not None:
            wanted |= {x: exact[x] for x in range(accept + 1)}
        if reject > accept + 1:
            wanted[BETWEEN] = sum(exact[accept + 1 : reject])
        for result, chance in wanted.items():
            found = chances.pop((severity, result))
            assert found == pytest.approx(float(chance), rel=1e-12)
        taken = stream.plans[severity].acceptance_probability(errors)
        assert taken == pytest.approx(float(sum(exact[:reject])), abs=1e-13)
    assert chances == {}


def test_long_run_averages_are_weighted_sums_of_brute_force():
    """What goes out of a batch: all errors but those found, none if rejected."""
    size, errors = 60, 5
    stream = Stream(size, 4.0)
    found = stream.long_run(errors)
    shares = stream.long_run_shares(errors)
    left = whole = 0.0
    for severity, (_, n, _, reject) in stream.numbers.items():
        share = shares[stream.severities == severity].sum()
        assert found[severity] == pytest.approx(share)
        for x in range(min(n, errors) + 1):
            ways = comb(errors, x) * comb(size - errors, n - x)
            weight = share * ways / comb(size, n)
            left += weight * (errors - x) / size if x < reject else 0
            whole += weight * (n if x < reject else size)
    assert found["outgoing"] == pytest.approx(left)
    assert found["inspected"] == pytest.approx(whole)
    sampled = sum(found[s] * stream.numbers[s].n for s in streams.SEVERITIES)
    assert found["sampled"] == pytest.approx(sampled)


@pytest.mark.parametrize(
    "rules", [Rules(), Rules(limit=4), Rules(stop_rejected=None, stop_batches=10)]
)
@pytest.mark.parametrize("process", [False, True])
def test_the_chain_is_what_is_simulated(rules, process):
    """300 streams of 36 batches, good ones first; four standard errors."""
    stream = Stream(1000, 1.0, rules=rules, process=process)
    errors = [8] * 14 + [20] * 22
    errors = [e / 1000 for e in errors] if process else errors
    counted = np.zeros((36, 4))
    for i in range(300):
        for t, batch in enumerate(streams.simulate(stream, errors, [7, i])):
            counted[t, streams.SEVERITIES.index(batch.severity)] += 1
            counted[t, 3] += not batch.accepted
    path = stream.path(errors)
    exact = path[[*streams.SEVERITIES, "rejected"]].to_numpy()
    error = np.sqrt(np.maximum(exact * (1 - exact), 1e-3) / 300)
    assert (np.abs(counted / 300 - exact) < 4.5 * error).all()


def test_the_worst_that_goes_out_is_where_the_notebook_looks():
    """The notebook looks up to 5 % of errors; beyond, less goes out."""
    stream = Stream(1000, 1.0)
    shown = max(stream.long_run(errors)["outgoing"] for errors in range(1, 51))
    for errors in [*range(51, 200, 7), *range(200, 1001, 50)]:
        found = stream.long_run(errors)
        assert found["outgoing"] < shown / 2
        assert found["tightened"] > 0.9999


def test_simulated_streams_resume_on_tightened():
    stream = Stream(1000, 1.0)
    batches = list(streams.simulate(stream, [200] * 40, 1, resume=True))
    assert len(batches) == 40
    assert {b.severity for b in batches[2:]} == {"tightened"}
    assert len(list(streams.simulate(stream, [200] * 40, 1))) == 7


def test_the_longest_average_visit_to_normal_is_published():
    """Grinde 1988: at most 12.7 batches on average, without limit numbers."""
    longest = 0.0
    for percent in range(1, 60):
        bad = Fraction(percent, 100)
        chances = {
            ("normal", 0): 1 - bad - Fraction(2, 1000),
            ("normal", 1): Fraction(1, 1000),
            ("normal", 2): Fraction(1, 1000),
            ("normal", REJECTED): bad,
        }
        rest = {k: v for k, v in CHANCES.items() if k[0] != "normal"}
        stream, _ = given(Rules(), chances | rest)
        begin = streams.State("normal")
        matrix = stream.matrix(10, {"tightened": begin, "reduced": begin})
        shares = streams.stationary(matrix)
        ends = [stream.arrivals(10, shares, end) for end in ("tightened", "reduced")]
        longest = max(longest, 1 / sum(ends))
    assert round(longest, 1) == 12.7


# Table VIII of ANSI/ASQ Z1.4-2003 as a public page has it (see data/README.md): the
# numbers above 0 of each column from 20 annotations to 31,500 and more, run together.
# The 49 at 4 % stands between 24 and 68 where every other column has 40.
TABLE_VIII = {
    0.065: "24814",
    0.1: "2471424",
    0.15: "137132238",
    0.25: "24714244067",
    0.4: "24814244068111",
    0.65: "24814254269115186",
    1.0: "24714244068110181",
    1.5: "13713223863105169",
    2.5: "24714244067110181",
    4.0: "24814244068111181",
    6.5: "24814254269115186",
    10.0: "24714244068110181",
}


@pytest.mark.parametrize("aql", TABLE_VIII)
def test_limit_numbers_are_the_tables(aql):
    numbers = []
    for row in streams.ROWS:
        if row * aql / 100 <= 220:  # the page has fewer rows for high levels
            batches, limit = streams.limit_number(row, aql, least=1)
            numbers += [limit] if batches == 1 and limit else []
    assert "".join(map(str, numbers)) == TABLE_VIII[aql]


def test_where_ten_batches_are_too_few_more_are_counted():
    """13 a batch at 1 %: 130 are too few, 200 allow no error; J: 800 allow 4."""
    assert streams.limit_number(13, 1.0) == (16, 0)
    assert streams.limit_number(80, 1.0) == (10, 4)
    assert streams.limit_number(2, 0.01, least=10)[1] == 0
    with pytest.raises(ValueError, match="no number of batches"):
        streams.limit_number(1, 1e-6, least=99_000)


def test_a_chain_that_is_too_large_is_refused():
    with pytest.raises(ValueError, match="limit must be smaller, or None, got 40"):
        Stream(3000, 1.5, rules=Rules(limit=40)).long_run(10)


def test_every_stream_of_the_table_has_shares_that_add_up():
    for size, aql in [*product((2, *LOTS), AQLS)][::3]:  # every AQL and size
        stream = Stream(size, aql)
        errors = min(size, round(size * aql / 50) + 1)
        found = stream.long_run(errors)
        assert sum(found[s] for s in streams.SEVERITIES) == pytest.approx(1)
        assert 0 <= found["outgoing"] <= errors / size
        assert found["sampled"] <= found["inspected"] + 1e-9
