"""The picture of a `Reliability`: its coefficients on their scale. Needs matplotlib."""

from itertools import pairwise
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from ..._words import number
from ...agreement.scale import SCALE, landis_koch
from ...agreement.table import TABLE
from .fitting import DISTANT, SQUARED
from .found import ALPHA, Reliability
from .warnings import RELIABLE, TENTATIVE

WIDTH = 7.4  # inches
ROW = 0.27  # height of a row
MUTED, BLUE, PURPLE = "#6e6e6e", "#0077BB", "#EE3377"
CLEAR = {"facecolor": "white", "edgecolor": "none", "pad": 0.6, "alpha": 0.8}
ABOVE: Any = {"ha": "center", "va": "bottom"}
BESIDE: Any = ABOVE | {"color": BLUE, "fontsize": 8, "bbox": CLEAR}
BAND: Any = ABOVE | {"color": MUTED, "fontsize": 7.5}

NAMES = {key: of.name for key, of in TABLE.items()} | {  # short, and as within a list
    "janson_olsson_iota": "Janson, Olsson: iota",
    "weighted_kappa": "weighted kappa",
}


def coefficients(found: Reliability) -> Figure:
    """All coefficients with their intervals, on the scale of Landis and Koch."""
    table = found.coefficients
    own = () if found.distance == "nominal" else table.index.drop([*DISTANT], "ignore")
    other = {name: f"{NAMES[name]} (nominal)" for name in own if name not in SQUARED}
    alpha, title = table.loc[ALPHA, "value"], "alpha is undefined"
    if not np.isnan(alpha):
        below = [f"below {limit:g}" for limit in (TENTATIVE, RELIABLE) if alpha < limit]
        side = below[0] if below else f"at least {RELIABLE:g}"
        title = f"alpha is {number(alpha)}: {landis_koch(alpha)}, {side}"
    figure = Figure((WIDTH, 1.1 + ROW * max(len(table), 2)), layout="constrained")
    figure.suptitle(title, x=0.01, ha="left", fontsize=10, fontweight="bold")
    axis = figure.subplots()
    each = table[["value", "low", "high"]].to_numpy(float)
    for y, (value, low, high) in enumerate(each):
        if np.isfinite([low, high]).all():
            axis.plot([low, high], [y, y], color=BLUE, lw=2, solid_capstyle="butt")
        axis.plot([value], [y], "o", color=BLUE, ms=5)
        said, at = ("undefined", 0.05) if np.isnan(value) else (number(value), value)
        axis.text(at, y - 0.14, said, **BESIDE)
    drawn = each[np.isfinite(each)]
    axis.set_xlim(min([*drawn, 0.0]) - 0.03, max([*drawn, 1.0]) + 0.02)
    for line in (TENTATIVE, RELIABLE):
        axis.axvline(line, color=PURPLE, lw=0.9, ls="--", zorder=1)
    axis.set_yticks(range(len(table)), [*table.rename(index=NAMES | other).index])
    axis.set_ylim(len(table) - 0.4, -0.6)
    axis.tick_params(axis="y", length=0)
    axis.grid(visible=False, axis="y")
    told = f"value and {100 * found.confidence:g} % interval; dashed: 0.667 and 0.8"
    axis.set_xlabel(told)
    for (low, _), (high, name) in pairwise(SCALE):
        words = name.replace(" ", "\n")
        place = axis.get_xaxis_transform()
        axis.text((low + high) / 2, 1.01, words, transform=place, **BAND)
    return figure
