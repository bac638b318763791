"""What labelaudit agree does: how reliable the labels in a file are.

It reads one collection or two, computes all that they show, tells it and writes what
is asked for.
"""

import argparse
import json
import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np
import pandas as pd

from .._words import in_order, label_name, plural, several, text, warn, whole
from ..agreement.alternative import AlternativeAnnotator, alternative_annotator
from ..agreement.gold import accuracy
from ..agreement.latent import dawid_skene
from ..agreement.ratings import Ratings
from ..agreement.table import TABLE
from ..files import outputs
from ..files.asked import Asked
from ..files.cells import members
from ..files.ratings import Collection, collection
from ..files.sums import as_csv
from ..reports.collection.findings import Findings
from ..reports.collection.found import Reliability
from ..reports.collection.study import reliability
from ..reports.collection.warnings import alike
from ..reports.saying import merged, say
from .options import told_of
from .told import noted

SQUARED = ("interval", "ratio")  # a model's label may stand between those of raters
NUMBERS = ("ordinal", *SQUARED)
# What is asked of the second collection as of the first.
ALIKE = ["item", "rater", "label", "raters", "counts"]
ALIKE += ["labels", "missing", "sets", "numbers"]
WRITTEN = ("report", "consensus", "raters_out")
REQUIRED = re.compile(
    r"\s*(\w+)\s*>?=\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*"
)
BESIDE = told_of("agree")["beside"]
FEWEST = 30  # items, for the value 1 without any disagreement
MANY = 0.1  # of gold labels, say, if no rater ever gave them
FEWEST_GRADES = 4  # numbers as labels, to ask whether they are grades
LEAST = 3  # judgments of the median rater for each label; ours
DIGITS = 6  # of a probability of a label: no labels tell more of one


def agreed(options: argparse.Namespace) -> tuple[Any, ...]:
    """What the files show: for JSON, as text, and what fails."""
    wanted = [_wanted(one) for one in options.require]
    paths = {f"--{n.replace('_', '-')}": getattr(options, n) for n in WRITTEN}
    read = [*options.ratings, options.gold, options.second]
    outputs.check(paths, read, options.force)
    with noted(options) as notes:
        first, second = _read(options)
        r = first.ratings
        shown, right = (_of_each(r, told) for told in (first.suggested, first.gold))
        found = reliability(r, options.distance, suggested=shown, other=second)
        gold = None if right is None else accuracy(r, right)
        said = _alike(first, second), _unlike(first, options), _hints(options, r)
        model = None if first.model is None else _tested(options, first)
        told = Findings(found, _named(options.ratings), gold, model)
        best = consensus(r, options.item, options.sets) if options.consensus else None
        plain = told.plain()
        for remark in filter(None, chain(*said, found.warnings)):
            warn(remark)
    plain["notes"], lines = merged(notes), [told.text()]  # a kind once
    more = found.raters.drop(columns="ratings", errors="ignore")
    tables = {"--consensus": best, "--raters-out": found.flags.join(more).reset_index()}
    for option, path in paths.items():
        if path is not None:
            if page := option == "--report":
                data = told.page(plain["notes"])
            else:
                data = as_csv(tables[option], float_format="%.9g")
            outputs.write(option, {path: data.encode()}, options.force)
            lines.append(f"{'report' if page else 'written'}: {path}")
    missed = [(3, why) for one in wanted if (why := _missed(found, *one))]
    if found.coefficients["value"].isna().all():
        missed.append((4, "every coefficient is undefined"))
    return plain, "\n\n".join(lines), *missed


def _named(paths: Sequence[Any]) -> str:
    """What a report calls the files."""
    first = "standard input" if str(paths[0]) == "-" else paths[0].name
    return f"{first} and {plural(len(paths) - 1, 'more file')}" if paths[1:] else first


# What is required -----------------------------------------------------------------


def _wanted(text: str) -> tuple[str, float]:
    """ "NAME=X" or "NAME>=X": a coefficient and its least lower limit."""
    match = REQUIRED.fullmatch(text)
    if match is None or match[1] not in TABLE | BESIDE:
        raise ValueError(say("required", names=", ".join(TABLE | BESIDE), text=text))
    if (least := float(match[2])) > 1:
        told = {"text": text, "least": least, "share": least / 100}
        raise ValueError(say("required_more", **told))
    return match[1], least


def _missed(found: Reliability, name: str, least: float) -> str:
    """Why the requirement does not hold; empty where it does."""
    why = found.unfit.get(name, f"it needs {BESIDE.get(name)}")
    row: dict[str, Any] = {"value": np.nan, "low": np.nan, "why": why}
    for table in (found.coefficients, found.suggested, found.other):
        if table is not None and name in table.index:
            row |= {"why": "see the notes"} | table.loc[name].to_dict()
    low = row["low"]
    whole = row["value"] == 1 and row.get("observed_disagreement") == 0
    if np.isnan(low) and whole and found.n_items >= FEWEST:
        low = 1.0
    if low >= least:
        return ""
    called = TABLE[name].name if name in TABLE else name
    told = {"called": called, "row": row, "low": low, "whole": whole}
    return say("required_not", of=found, name=name, least=least, fewest=FEWEST, **told)


# What is read ---------------------------------------------------------------------


def _read(options: argparse.Namespace) -> tuple[Collection, Ratings | None]:
    """The ratings, and those of a second collection."""
    if options.split is not None and options.split == options.sets:
        raise ValueError(say("split_as_sets", text=options.sets))
    ordered = options.distance == "ordinal" and options.labels
    known = Asked.__dataclass_fields__
    asked = {name: value for name, value in vars(options).items() if name in known}
    asked["numbers"] = options.distance in NUMBERS and not ordered
    first = collection(options.ratings, **asked)
    if not options.second:
        return first, None
    how = {name: asked[name] for name in ALIKE}
    ignored = [options.suggested, options.gold, options.model, options.cluster]
    how["ignored"] = [name for name in ignored if name]
    raters = first.ratings.raters
    how["known"] = [] if raters is None else [*raters]
    return first, collection(options.second, ours=True, **how).ratings


# What is computed -----------------------------------------------------------------


def _of_each(r: Ratings, labels: pd.Series | None) -> Any:
    """By item, or one for each row that stands for several."""
    return labels if labels is None or r.times is None else labels.array


def _tested(options: argparse.Namespace, first: Collection) -> AlternativeAnnotator:
    """The model beside the raters."""
    asked = {"epsilon": options.epsilon, "test": options.model_test}
    how: dict[str, Any] = {k: v for k, v in asked.items() if v is not None}
    how["scoring"] = "neg_rmse" if options.distance in SQUARED else "accuracy"
    r = first.ratings
    return alternative_annotator(r, _of_each(r, first.model), **how)


def _hints(options: argparse.Namespace, r: Ratings) -> Iterator[str]:
    """Numbers that are compared as equal or not may be grades."""
    nominal = options.distance == "nominal" and not options.labels and not options.sets
    texts = pd.Series([*r.labels]).astype(str).str.replace(",", ".")
    values = pd.to_numeric(texts, errors="coerce")
    if nominal and len(values) >= FEWEST_GRADES and values.notna().all():
        yield say("may_be_grades", n=len(values), low=values.min(), high=values.max())


def _alike(first: Collection, second: Ratings | None) -> Iterator[str]:
    """Notes on labels and items of all files that look alike, and on raters of each.

    But for the labels of the first among themselves: the library tells of these.
    """
    told = [first.suggested, first.gold, first.model]
    both = [r for r in (first.ratings, second) if r is not None]
    labels = [*(r.labels for r in both), *(t.dropna() for t in told if t is not None)]
    items = [r.items for r in both] + ([] if first.gold is None else [first.gold.index])
    raters = [r.raters for r in both if r.raters is not None]
    yield alike("labels", chain(*labels), first.ratings.labels)
    yield alike("items", chain(*items))
    yield from (alike("raters", one) for one in raters)  # others may rate again
    if len(raters) > 1 and len(same := raters[0].intersection(raters[1])):
        yield say("same_raters", n=len(same), names=several(same))


def _unlike(first: Collection, options: argparse.Namespace) -> Iterator[str]:
    """Notes on labels that no rater gave, but suggestions, gold labels or a model."""
    r, near = first.ratings, options.distance in SQUARED
    given = {*r.labels[np.unique(r.judgments.label)]}
    for option in ("gold", "suggested", *["model"] * (not near)):
        if (told := getattr(first, option)) is None:
            continue
        told = told[told.index.isin(r.items)].dropna()
        other = [label for label in told if label not in given]
        if len(told) > len(other) >= max(1, MANY * len(told)):
            those = several(map(label_name, dict.fromkeys(other)))
            many = {"n": len(other), "of": len(told)}
            yield say("never_given", option=option, those=those, **many)


# One label for each item, written so that it is read back as gold labels ------------


def consensus(r: Ratings, item: Sequence[str], sets: str | None) -> pd.DataFrame:
    """Each item's most likely label, its probability, and that of every label.

    item : the columns that name an item together
    sets : what separates the labels of a set
    """
    if r.raters is None:
        raise ValueError(say("no_consensus"))
    j, labels = r.judgments, len(r.labels)
    judgments = np.bincount(j.rater, j.count * r.standing[j.item])
    half = np.median(judgments[judgments > 0])
    if half < LEAST * labels:
        warn(say("consensus_of_few", half=half, labels=labels, least=LEAST))
    fit = dawid_skene(r, tolerance=1e-6)
    columns: dict[str, Any] = {"item": r.items}
    if len(item) > 1:
        columns = dict(zip(item, zip(*r.items)))
    columns["label"] = [written(label, sets) for label in fit.most_likely]
    names = ["probability", *(written(label, sets) for label in r.labels)]
    shares = np.column_stack([fit.posterior.max(axis=1), fit.posterior])
    table = pd.DataFrame(shares, columns=names).map(
        lambda p: np.format_float_positional(round(p, DIGITS), trim="-")
    )
    return pd.concat([pd.DataFrame(columns), table], axis=1)


def written(label: Any, sets: str | None) -> str:
    """A label as a file has it: a set with what separates its labels, or as a list of
    JSON where that would be read as another set, or as no judgment.

    >>> from labelaudit.commands.agreed import written
    >>> written(frozenset("ba"), "|"), written(frozenset(), "|"), written(2.0, None)
    ('a|b', '[]', '2')
    """
    if sets is None:
        return text(whole(label))
    joined = sets.join(in_order(label))
    same = bool(joined) and members(joined, sets) == label
    return joined if same else json.dumps(in_order(label), ensure_ascii=False)
