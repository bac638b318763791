"""What labelaudit agree does: how reliable the labels in a file are."""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Sequence
from typing import Any

import pandas as pd

from .._words import plural, text, warn, whole
from ..agreement.alternative import AlternativeAnnotator, alternative_annotator
from ..agreement.gold import Accuracy, accuracy
from ..agreement.latent import dawid_skene
from ..agreement.ratings import Ratings
from ..files import outputs
from ..files.ratings import Collection, collection
from ..files.sums import no_formula
from ..reports import report
from ..reports.collection import spelling
from ..reports.collection.found import Reliability
from ..reports.collection.study import reliability
from . import agreed_told, required
from .told import as_json, complain, note, visible

NUMBERS = ("ordinal", "interval", "ratio")
ALIKE = ("item", "rater", "label", "raters", "counts", "labels", "missing", "sets")
OF_THE_FIRST = (
    *("rater_file", "table", "times", "cluster", "suggested", "model"),
    *("gold", "where", "split", "repeats"),
)
FEWEST_GRADES = 4  # numbers as labels, to ask whether they are grades


def run(options: argparse.Namespace) -> int:
    try:
        wanted = [required.read(text) for text in options.require]
        outputs.check(
            {
                "--report": options.report,
                "--consensus": options.consensus,
                "--raters-out": options.raters_out,
            },
            [*options.ratings, options.gold, options.second],
            options.force,
        )
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            found, gold, model = audited(options)
            consensus = None
            if options.consensus:
                consensus = _consensus(found.ratings, options.item)
            name = _named(options.ratings)
            plain = agreed_told.described(found, gold, model, name)
    except ValueError as error:
        return complain(f"agree: {error}", 2)
    plain["notes"] = said = agreed_told.notes(caught, found)
    written = {}
    if options.report:
        from ..reports.collection.page import page

        written[options.report] = page(found, name, said, agreed_told.beside(plain))
    if consensus is not None:
        written[options.consensus] = _csv(consensus)
    if options.raters_out:
        written[options.raters_out] = _csv(found.flags.reset_index())
    for path, content in written.items():
        try:
            report.write(path, content, over=options.force)
        except OSError as error:
            return complain(f"agree: cannot write {path}: {error}", 2)
    missed = [why for one in wanted if (why := one.missed_by(found))]
    for sentence in said:
        note(sentence)
    if options.json:
        print(as_json(plain))
    else:
        print(visible(agreed_told.table(found, plain)))
        for path in written:
            print(f"\n{'report' if path == options.report else 'written'}: {path}")
    for why in missed:
        complain(f"agree: {why}", 3)
    if found.coefficients["value"].isna().all():
        return complain("agree: every coefficient is undefined", 4)
    return 3 if missed else 0


def _csv(table: pd.DataFrame) -> str:
    """As CSV; what a spreadsheet would run has an apostrophe before it."""
    safe = table.map(lambda v: no_formula(v) if isinstance(v, str) else v)
    safe.columns = [no_formula(str(name)) for name in table.columns]
    written: str = safe.to_csv(index=False, lineterminator="\n", float_format="%.9g")
    return written


def _named(paths: Sequence[Any]) -> str:
    """What a report calls the files."""
    first = "standard input" if str(paths[0]) == "-" else paths[0].name
    return f"{first} and {plural(len(paths) - 1, 'more file')}" if paths[1:] else first


def _consensus(r: Ratings, item: Sequence[str]) -> pd.DataFrame:
    """Each item's most likely label, its probability, and that of every label.

    item : the columns that name an item together
    """
    if r.raters is None:
        raise ValueError(
            "--consensus weighs each rater by how right they are, and these raters are"
            " anonymous: say by --rater or --raters who judged, or leave it out"
        )
    fit = dawid_skene(r, tolerance=1e-6)
    columns: dict[str, Any] = {"item": r.items}
    if len(item) > 1:
        columns = dict(zip(item, zip(*r.items)))
    frame = pd.DataFrame(columns | {"label": [*map(text, fit.most_likely)]})
    frame["probability"] = fit.posterior.max(axis=1)
    each = pd.DataFrame(fit.posterior, columns=[text(whole(c)) for c in r.labels])
    return pd.concat([frame, each], axis=1)


def audited(
    options: argparse.Namespace,
) -> tuple[Reliability, Accuracy | None, AlternativeAnnotator | None]:
    """What the files show, how right the labels are, and how good a model is."""
    _together(options)
    ordered = options.distance == "ordinal" and options.labels
    how = {name: getattr(options, name) for name in ALIKE}
    how["numbers"] = options.distance in NUMBERS and not ordered
    first = collection(
        options.ratings,
        names=options.columns,
        **{name: getattr(options, name) for name in OF_THE_FIRST},
        **how,
    )
    second: Ratings | None = None
    if options.second:
        ignored = [options.suggested, options.gold, options.model, options.cluster]
        how["ignored"] = [name for name in ignored if name]
        known = [] if first.ratings.raters is None else [*first.ratings.raters]
        second = collection(options.second, ours=True, known=known, **how).ratings
    found = reliability(
        first.ratings, options.distance, suggested=first.suggested, other=second
    )
    for alike in _alike(options, first, second):
        warn(alike)
    for hint in _hints(options, first.ratings):
        warn(hint)
    gold = None if first.gold is None else accuracy(first.ratings, first.gold)
    return found, gold, _tested(options, first)


def _tested(
    options: argparse.Namespace, first: Collection
) -> AlternativeAnnotator | None:
    """The model's labels, item by item where rows stand for several."""
    if first.model is None:
        return None
    squares = options.distance in ("interval", "ratio")
    labels = first.model if first.ratings.times is None else first.model.array
    how: dict[str, Any] = {"scoring": "neg_rmse" if squares else "accuracy"}
    if options.epsilon is not None:
        how["epsilon"] = options.epsilon
    if options.model_test is not None:
        how["test"] = options.model_test
    return alternative_annotator(first.ratings, labels, **how)


def _hints(options: argparse.Namespace, r: Ratings) -> list[str]:
    """Numbers that are compared as equal or not may be grades."""
    nominal = options.distance == "nominal" and not options.labels and not options.sets
    if not nominal or len(r.labels) < FEWEST_GRADES:
        return []
    values = pd.to_numeric(pd.Series([*r.labels]), errors="coerce")
    if values.isna().any():
        return []
    ends = f"{values.min():g} to {values.max():g}"
    return [
        f"labels are {len(values)} numbers, {ends}, compared as equal or not; if they"
        " are grades, --distance ordinal or interval takes near ones for nearer"
    ]


def _together(options: argparse.Namespace) -> None:
    """Refuse options that need each other, or exclude each other."""
    if options.no_header != bool(options.columns):
        raise ValueError(
            "--no-header and --columns go together: files without a header, and the"
            " names of all their columns"
        )
    for one in ("table", "times"):
        if getattr(options, one) and options.second:
            raise ValueError(
                f"--{one} and --second exclude each other: a second collection is"
                " joined on items, which rows that stand for many do not name"
            )
    if options.split is not None and options.split == options.sets:
        raise ValueError(
            f"--split and --sets must differ, got {options.split!r} for both"
        )
    for name in ("epsilon", "model_test"):
        if getattr(options, name) is not None and options.model is None:
            option = name.replace("_", "-")
            raise ValueError(f"--{option} is about a model: --model names its column")
    for name in ("split", "sets"):
        if getattr(options, name) == "":
            raise ValueError(f"--{name} must be a text that separates, got ''")
    if options.sets is None and options.distance in ("jaccard", "masi"):
        raise ValueError(
            f"--distance {options.distance} compares sets of labels: say by --sets what"
            " separates the labels of one"
        )
    if options.sets and options.distance in NUMBERS:
        raise ValueError(
            f"--distance {options.distance} is for numbers, and with --sets labels are"
            " sets; take nominal, jaccard or masi"
        )


def _alike(
    options: argparse.Namespace, first: Collection, second: Ratings | None
) -> list[str]:
    """Notes on labels, items and raters of all files that look alike.

    But for the labels of the first among themselves: the library tells of these.
    """
    place_of_first = ", ".join(map(str, options.ratings))
    here = {place_of_first: first.ratings}
    if second is not None:
        here[str(options.second)] = second
    labels: dict[str, Any] = {place: r.labels for place, r in here.items()}
    if first.suggested is not None:
        labels[f"{place_of_first}, column {options.suggested}"] = (
            first.suggested.dropna().unique()
        )
    notes = spelling.alike("labels", labels, first.ratings.labels)
    notes += spelling.alike("items", {place: r.items for place, r in here.items()})
    for place, r in here.items():  # other people may rate in the second
        if r.raters is not None:
            notes += spelling.alike("raters", {place: r.raters})
    return notes
