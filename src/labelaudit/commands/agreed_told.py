"""What labelaudit agree tells: one plain value, which JSON shows, and its table."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill
from typing import Any

import pandas as pd

from .._digits import decimals, significant
from .._words import in_order, plural
from ..agreement.alternative import AlternativeAnnotator
from ..agreement.gold import Accuracy
from ..agreement.parts import DISAGREEMENT
from ..reports.collection.fitting import SHOWN, readable
from ..reports.collection.found import Reliability, judged_twice

COMPARED = ("value", "low", "high")  # of suggestions, and of two collections
WIDTH = 80  # of a paragraph
DISPUTED = 20  # items that JSON lists
MOST_SHOWN = 30  # labels, and raters, of the table against gold labels
FEW_LABELS = 12  # that the table's head names


def described(found: Reliability) -> dict[str, Any]:
    """For JSON."""
    r = found.ratings
    fits = found.coefficients[found.coefficients["fits"]]
    n_items, judgments = judged_twice(r)
    plain: dict[str, Any] = {
        "n_items": n_items,
        "n_raters": None if r.raters is None else len(r.raters),
        "n_ratings": judgments,
        "labels": [_label(label) for label in r.labels],
        "dropped": r.n_items - n_items,
        "flags": _flagged(found),
        "distance": found.distance,
        "coefficients": {
            name: dict(zip(SHOWN, row))
            for name, *row in fits[list(SHOWN)].itertuples(name=None)
        },
        "by_label": _records(found.labels),
        "by_rater": _records(found.raters),
        "label_use": _records(found.label_use),
        "by_pair": _records(found.pairs),
        "disputed": _records(found.disputed(DISPUTED)),
        "omitted": list(found.omitted),
    }
    if found.suggested is not None:
        plain["suggested"] = _keyed(found.suggested)
    if found.other is not None and found.other_labels is not None:
        plain["second"] = _keyed(found.other)
        plain["second_by_label"] = _records(found.other_labels)
    return plain


def _flagged(found: Reliability) -> list[dict[str, Any]]:
    rows = found.flags[found.flags["flagged"].astype(bool)].drop(columns="flagged")
    return _records(rows)


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    if len(frame) == 0:
        return []
    named = frame.rename_axis(index=lambda name: name or "item")
    return [
        {key: _label(value) if key == "label" else value for key, value in row.items()}
        for row in named.reset_index().astype(object).to_dict(orient="records")
    ]


def _keyed(frame: pd.DataFrame) -> dict[str, Any]:
    return frame.astype(object).to_dict(orient="index")


def _label(label: Any) -> Any:
    """Whole numbers without the point that reading them gave them; sets as lists."""
    if isinstance(label, frozenset):
        return [_label(one) for one in in_order(label)]
    if isinstance(label, float) and label.is_integer():
        return int(label)
    return label


def _short(label: Any) -> str:
    return (
        f"{{{', '.join(map(str, label))}}}" if isinstance(label, list) else str(label)
    )


def _decimals(value: float) -> str:
    return decimals(value) if abs(value) < 1e4 else significant(value, 4)


def table(found: dict[str, Any]) -> str:
    """The same for people."""
    who = found["n_raters"]
    who = "anonymous raters" if who is None else plural(who, "rater")
    size = f"{plural(found['n_items'], 'item')}, {who}"
    labels = [_short(label) for label in found["labels"]]
    if len(labels) > FEW_LABELS:
        labels[FEW_LABELS:] = [f"... ({len(labels)})"]
    judgments = plural(found["n_ratings"], "judgment")
    size += f", {judgments}; labels {', '.join(labels)}"
    if found["dropped"]:
        size += f"; dropped for fewer than two judgments: {found['dropped']:,}"
    told = f"low, high: 95 % interval; distance: {found['distance']}"
    rows = readable(_rows(found["coefficients"], SHOWN))
    if "observed" not in rows:
        ordinal = found["distance"] == "ordinal"
        own = "D_o, D_e: observed and expected disagreement, by the distance for"
        squared = "; by squared steps for AC2 and weighted kappa"
        told = f"{own} alpha and iota{squared if ordinal else ''}\n{told}"
        rows = rows.rename(columns=dict(zip(DISAGREEMENT, ("D_o", "D_e"))))
    parts = [size, _text(rows, "undefined"), told]
    if "accuracy" in found:
        parts += ["against gold labels:", _right(found["accuracy"])]
    if "alternative_annotator" in found:
        parts += ["model against raters:", *_beside(found["alternative_annotator"])]
    if "suggested" in found:
        parts += ["suggested labels:", _text(_rows(found["suggested"], COMPARED))]
    if "second" in found:
        parts += ["second collection:", _text(_rows(found["second"], COMPARED))]
    return "\n\n".join([*parts, fill(found["report"], WIDTH)])


def _right(found: dict[str, Any]) -> str:
    """Accuracy overall, by label and by rater."""
    rows = {"all": found["overall"]}
    for key in ("label", "rater"):
        rows |= {f"{key} {one[key]}": one for one in found[f"by_{key}"][:MOST_SHOWN]}
    table = pd.DataFrame(rows).T.drop(columns=["label", "rater"], errors="ignore")
    counts = ["n_items", "n_ratings"]
    table[counts] = table[counts].astype(int)
    return _text(table.astype(dict.fromkeys(COMPARED, float)))


def _beside(found: dict[str, Any]) -> list[str]:
    """Each rater beside the model, and what follows."""
    rows = pd.DataFrame(found["per_rater"][:MOST_SHOWN]).set_index("rater")
    rows.index.name = None
    rows[["rejected", "skipped"]] = rows[["rejected", "skipped"]].replace(
        {True: "yes", False: "no"}
    )
    shares = ["advantage", "human_advantage", "p_value"]
    rows[shares] = rows[shares].astype(float)
    skipped = sum(one["skipped"] for one in found["per_rater"])
    tested = len(found["per_rater"]) - skipped
    beaten = sum(one["rejected"] for one in found["per_rater"])
    said = "Whether the model may stand in for the raters is not known: none is tested."
    if tested:
        may = "may" if found["passed"] else "may not"
        said = (
            f"The model {may} stand in for the raters, by the alternative annotator"
            f" test ({found['scoring']}, epsilon {found['epsilon']:g}): it beats"
            f" {beaten} of {plural(tested, 'tested rater')}, and half are needed."
        )
    return [_text(rows), fill(said, WIDTH)]


def _rows(found: dict[str, Any], columns: Sequence[str]) -> pd.DataFrame:
    return pd.DataFrame(found).T[list(columns)].astype(float)


def _text(rows: pd.DataFrame, missing: str = "-") -> str:
    return rows.to_string(float_format=_decimals, na_rep=missing)


def against(found: Accuracy) -> dict[str, Any]:
    """Accuracy against gold labels, for JSON."""
    low, high = found.interval()
    overall = {"value": found.value, "low": low, "high": high}
    overall |= {"n_items": found.n_items, "n_ratings": found.n_ratings}
    known = found._ratings.raters is not None
    rows = found.per_rater() if known else None
    return {
        "overall": overall,
        "by_rater": [] if rows is None else _accuracies(rows, "rater"),
        "by_label": _accuracies(found.per_label(), "label"),
    }


def _accuracies(rows: pd.DataFrame, key: str) -> list[dict[str, Any]]:
    return [
        {
            key: _label(name),
            "value": row["accuracy"],
            "low": row["low"],
            "high": row["high"],
            "n_items": int(row["items"]),
            "n_ratings": int(row["ratings"]),
        }
        for name, row in rows.iterrows()
    ]


def instead(found: AlternativeAnnotator) -> dict[str, Any]:
    """Whether a model may stand in for raters, for JSON."""
    names = ("scoring", "epsilon", "winning_rate", "advantage", "passed")
    told = {name: getattr(found, name) for name in names}
    return told | {"per_rater": _records(found.per_rater)}
