"""Are optimal plans the same on another processor? `make trial` (an hour on two cores).

200 pairs of levels and lot sizes, all objectives, with the errors of noise.py. One
line for each plan that is another one, and a count. Not a part of `make test`: the
suite tries a few of these.
"""

import argparse
import random
import sys
from concurrent.futures import ProcessPoolExecutor

import labelaudit as la
import noise

PAIRS = 200


def pairs(how_many=PAIRS, seed=14):
    """Levels and a lot size, or a process in one of ten."""
    chance = random.Random(seed)
    while how_many:
        p_a = chance.choice([0.005, 0.01, 0.02, 0.05, 0.1, 0.2])
        p_r = round(p_a * chance.choice([1.8, 2, 2.5, 3, 4]), 4)
        risks = [chance.choice([0.001, 0.01, 0.05, 0.1, 0.2]) for _ in range(2)]
        lot_size = chance.choice([50, 100, 200, 500, 1000, 2000, 5000, 10000, None])
        levels = la.QualityLevels(p_a, p_r, *risks)
        try:
            levels.errors(lot_size)
        except ValueError:
            continue
        how_many -= 1
        yield levels, lot_size


def objectives(levels):
    weights = {levels.p_a: 2, (levels.p_a + levels.p_r) / 2: 1, levels.p_r: 1}
    return "balanced", "minimax", "p_a", "p_r", weights


def compared(levels, lot_size, seed, probabilities=False):
    """For each objective what is to be said of another plan, or nothing."""
    said = []
    for objective in objectives(levels):
        here = answer(levels, lot_size, objective)
        with noise.errors(seed, probabilities):
            there = answer(levels, lot_size, objective)
        same = here == there
        said.append("" if same else f"{levels} {lot_size} {objective}: {here} {there}")
    return said


def answer(levels, lot_size, objective):
    try:
        plan = la.optimal_plan(levels, lot_size, objective=objective)
    except ValueError as error:
        return str(error)
    return plan.accept.tolist(), plan.reject.tolist(), plan.note


def main():
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--pairs", type=int, default=PAIRS)
    reader.add_argument("--jobs", type=int, default=2)
    reader.add_argument("--probabilities", action="store_true")
    options = reader.parse_args()
    tried = differ = 0
    with ProcessPoolExecutor(options.jobs) as pool:
        runs = [
            pool.submit(compared, *pair, seed, options.probabilities)
            for seed, pair in enumerate(pairs(options.pairs))
        ]
        for done, run in enumerate(runs, start=1):
            for text in run.result():
                tried += 1
                differ += bool(text)
                if text:
                    print(text[:300], flush=True)
            print(f"[{done}/{len(runs)}] {differ} of {tried} plans differ", flush=True)
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
