"""The sweeps over sample sizes and truncated tests: what is read off them."""

import json
from itertools import product

import pandas as pd

USUAL = [0.05, 0.1]  # alpha and beta, which a name leaves out


def with_levels(table: pd.DataFrame) -> pd.DataFrame:
    """The results of the sweep sample_sizes, their levels as columns and in words.

    The column `levels` becomes a name such as "1 | 3 %": p_a and p_r, with other risks
    than the usual ones in brackets.
    """
    levels = [json.loads(each) for each in table["levels"]]
    parts = pd.DataFrame(levels, columns=["p_a", "p_r", "alpha", "beta"])
    names = []
    for p_a, p_r, *risks in levels:
        name = f"{100 * p_a:g} | {100 * p_r:g} %"
        if risks != USUAL:
            name += " ({:g}, {:g} %)".format(*(100 * risk for risk in risks))
        names.append(name)
    return table.assign(levels=names).join(parts)


RULES = ("described", "released")
SIDES = {"consumer": "beta", "producer": "alpha"}


def with_promises(table: pd.DataFrame) -> pd.DataFrame:
    """The results of the sweep truncation with alpha and beta, and what is promised.

    For each rule and risk the multiple of the promise that it takes, and the share
    of the lot that the single plan inspects.
    """
    risks = [json.loads(each) for each in table["risks"]]
    parts = pd.DataFrame(risks, columns=["alpha", "beta"])
    table = table.join(parts).assign(share=table["n"] / table["lot_size"])
    for rule, (side, promise) in product(RULES, SIDES.items()):
        actual = table[f"{rule}_{side}s_risk"]
        table[f"{rule}_{side}_multiple"] = actual / table[promise]
    return table
