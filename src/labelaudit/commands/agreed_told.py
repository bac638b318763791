"""What labelaudit agree tells: one plain value, which JSON shows, and its table."""

from __future__ import annotations

import re
from collections.abc import Iterable
from textwrap import fill
from typing import Any
from warnings import WarningMessage

import pandas as pd

from .._words import in_order
from ..agreement.alternative import AlternativeAnnotator
from ..agreement.gold import Accuracy
from ..reports.collection.fitting import SHOWN, decimal, first_table
from ..reports.collection.found import Reliability
from ..reports.saying import merged, say

COMPARED = ("value", "low", "high")  # of suggestions, and of two collections
WIDTH = 80  # of a paragraph
DISPUTED = 20  # items that JSON lists
MOST_SHOWN = 30  # labels, and raters, of the table against gold labels
IN_A_SHELL = (  # what the library says of Python, and what of files
    (r"(column \d+|every row) of the matrix .*", ""),  # files are checked as files
    ("the matrix has", "the table has"),
    (r" \(min_\w+\)", ""),
    ("dawid_skene did not .*", "the labels of --consensus are not quite settled"),
)


def described(
    found: Reliability,
    gold: Accuracy | None,
    model: AlternativeAnnotator | None,
    name: str,
) -> dict[str, Any]:
    """For JSON.

    name : what the files are called in the paragraph
    """
    r = found.ratings
    fits = found.coefficients.loc[found.coefficients["fits"], [*SHOWN]]
    plain: dict[str, Any] = {
        "n_items": found.n_items,
        "n_raters": None if r.raters is None else len(r.raters),
        "n_ratings": found.n_ratings,
        "n_clusters": None if found.clusters is None else len(found.clusters),
        "labels": [_label(label) for label in r.labels],
        "dropped": found.dropped,
        "flags": _records(found.flags[found.flags["flagged"].astype(bool)]),
        "distance": found.distance,
        "coefficients": _keyed(fits),
        "by_label": _records(found.labels),
        "by_rater": _records(found.raters),
        "by_pair": _records(found.pairs),
        "disputed": _records(found.disputed(DISPUTED)),
        "omitted": list(found.omitted),
    }
    for flag in plain["flags"]:
        del flag["flagged"]
    both = {"suggested": found.suggested, "second": found.other}
    plain |= {key: _keyed(part) for key, part in both.items() if part is not None}
    if gold is not None:
        plain["accuracy"] = _against(gold)
    if model is not None:
        names = ("scoring", "epsilon", "winning_rate", "advantage", "passed")
        told = {name: getattr(model, name) for name in names}
        plain["alternative_annotator"] = told | {"per_rater": _records(model.per_rater)}
    return plain | {"report": found.report(name=name)}


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
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


def _against(gold: Accuracy) -> dict[str, Any]:
    """Accuracy against gold labels."""
    low, high = gold.interval()
    overall = {"value": gold.value, "low": low, "high": high}
    overall |= {"n_items": gold.n_items, "n_ratings": gold.n_ratings}
    names = {"accuracy": "value", "items": "n_items", "ratings": "n_ratings"}
    tables = {"rater": gold.per_rater, "label": gold.per_label}
    if gold._ratings.raters is None:
        del tables["rater"]
    found: dict[str, Any] = {"overall": overall, "by_rater": []}
    for key, per in tables.items():
        table = per().rename(columns=names).rename_axis(key)
        found[f"by_{key}"] = _records(table[[*overall]])
    return found


def notes(caught: Iterable[WarningMessage], found: Reliability) -> list[str]:
    """What to be careful about, in the files and in what they show, a kind once."""
    ours = (str(one.message) for one in caught if one.category is UserWarning)
    said = []
    for one in [*ours, *found.warnings]:
        for pattern, words in IN_A_SHELL:
            one = re.sub(pattern, words, one)
        said.append(one)
    return merged(filter(None, said))


# For people -------------------------------------------------------------------------


def table(found: Reliability, plain: dict[str, Any]) -> str:
    """The same in the terminal."""
    rows, told = first_table(found.coefficients, found.distance, found.confidence)
    quoted = [] if found.alpha.undefined else [say("quote")]
    parts = [found.head, _text(rows, "undefined"), told, *quoted]
    for name, frame, said in beside(plain):
        parts += [f"{name}:", _text(frame), *([fill(said, WIDTH)] if said else [])]
    both = {"suggested labels": found.suggested, "second collection": found.other}
    for name, part in both.items():
        if part is not None:
            parts += [f"{name}:", _text(part[[*COMPARED]].astype(float))]
    return "\n\n".join([*parts, fill(plain["report"], WIDTH)])


def page(found: Reliability, name: str, plain: dict[str, Any]) -> str:
    """The same as a page, for which matplotlib is imported."""
    from ..reports.collection.page import page

    return page(found, name, plain["notes"], beside(plain))


def beside(plain: dict[str, Any]) -> list[tuple[str, pd.DataFrame, str]]:
    """What the labels were compared with: a name, a table and what follows."""
    found = []
    if gold := plain.get("accuracy"):
        found.append(("against gold labels", _right(gold), ""))
    if model := plain.get("alternative_annotator"):
        found.append(("model against raters", _raters(model), _passed(model)))
    return found


def _right(found: dict[str, Any]) -> pd.DataFrame:
    """Accuracy overall, by label and by rater."""
    rows = {"all": found["overall"]}
    for key in ("label", "rater"):
        rows |= {f"{key} {one[key]}": one for one in found[f"by_{key}"][:MOST_SHOWN]}
    counts = ["n_items", "n_ratings"]
    kinds = dict.fromkeys(COMPARED, float) | dict.fromkeys(counts, int)
    return pd.DataFrame(rows).T[[*kinds]].astype(kinds)


def _raters(found: dict[str, Any]) -> pd.DataFrame:
    """Each rater beside the model."""
    rows = pd.DataFrame(found["per_rater"][:MOST_SHOWN]).set_index("rater")
    told = ["rejected", "skipped"]
    rows[told] = rows[told].replace({True: "yes", False: "no"})
    shares = ["advantage", "human_advantage", "p_value"]
    return rows.astype(dict.fromkeys(shares, float)).rename_axis(None)


def _passed(found: dict[str, Any]) -> str:
    tested = [one for one in found["per_rater"] if not one["skipped"]]
    if not tested:
        return say("no_rater_tested")
    may = "may" if found["passed"] else "may not"
    beaten = sum(one["rejected"] for one in tested)
    return say("stands_in", may=may, beaten=beaten, tested=len(tested), **found)


def _text(rows: pd.DataFrame, missing: str = "-") -> str:
    return rows.to_string(float_format=decimal, na_rep=missing)
