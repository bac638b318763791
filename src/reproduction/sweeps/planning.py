"""The sweep over sample sizes: what is read off it."""

import json

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
