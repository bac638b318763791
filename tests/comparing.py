"""Whether what was computed here is what was computed elsewhere.

Processors differ in the last digits, so bytes need not be equal. Texts must be equal
word by word and their numbers to 1e-9, tables number by number, and pictures pixel
by pixel. Notebooks' outputs are compared so too: `pytest_configure` puts this in
the place of nbval's own comparison, which takes numbers for words.
"""

import base64
import io
import re
from collections import Counter, defaultdict
from math import isclose

import numpy as np
import pandas as pd
from PIL import Image

CLOSE = 1e-9  # relative, of numbers
GREY = 3  # of 255 levels, of pixels
PLACE = 0.0021  # of a drawing's unit: coordinates are rounded to .001
NUMBER = re.compile(r"((?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?)")
EMBEDDED = re.compile(r"data:image/(png|svg\+xml);base64,([^\"')]*)")


def difference(kind, old, new):
    """The first difference that matters; empty where there is none.

    kind: the MIME type of a notebook's output, or a file's ending.
    """
    if old == new:
        return ""
    kind = kind.rpartition("/")[2].lstrip(".")
    if kind == "png":
        return _pixels(*(_bytes(one) for one in (old, new)))
    if kind == "csv":
        return _tables(*(_text(one) for one in (old, new)))
    if isinstance(old, dict) and isinstance(new, dict):
        return _records(old, new)
    room = PLACE if kind in ("svg", "svg+xml") else 0.0
    return _words(*(_text(one) for one in (old, new)), room)


def _bytes(picture):
    return picture if isinstance(picture, bytes) else base64.b64decode(picture)


def _text(given):
    return given.decode() if isinstance(given, bytes) else str(given)


def _pixels(old, new):
    one, other = (
        np.asarray(Image.open(io.BytesIO(picture)).convert("RGBA"), dtype=int)
        for picture in (old, new)
    )
    if one.shape != other.shape:
        return f"a picture of {other.shape[:2]} pixels, not {one.shape[:2]}"
    far = np.abs(one - other).max(axis=-1)
    if far.max() <= GREY:
        return ""
    return f"{(far > GREY).sum()} pixels differ, by up to {far.max()} grey levels"


def _tables(old, new):
    one, other = (pd.read_csv(io.StringIO(text)) for text in (old, new))
    if list(one) != list(other) or len(one) != len(other):
        return f"{other.shape} cells, not {one.shape}, or other columns"
    for column in one:
        a, b = one[column], other[column]
        if a.dtype.kind == "f" and b.dtype.kind in "if":
            # What is 0 up to rounding: to 1e-12 of the largest in its column.
            room = 1e-12 * a[np.isfinite(a)].abs().max()
            near = [isclose(x, y, rel_tol=CLOSE, abs_tol=room) for x, y in zip(a, b)]
            same = np.array(near) | (a.isna() & b.isna()).to_numpy()
        else:
            same = np.array([not _words(str(x), str(y)) for x, y in zip(a, b)])
        if not same.all():
            row = int(np.argmin(same))
            return f"row {row + 1}, {column}: {b[row]}, not {a[row]}"
    return ""


def _records(old, new):
    if old.keys() != new.keys():
        return f"other names: {sorted(old.keys() ^ new.keys())}"
    for name in old:
        if found := _words(str(old[name]), str(new[name])):
            return f"{name}: {found}"
    return ""


def _words(old, new, room=0.0):
    """Of texts; pictures in them as pictures."""
    pictures = [EMBEDDED.findall(text) for text in (old, new)]
    for (kind, one), (_, other) in zip(*pictures):
        packed = (base64.b64decode(one), base64.b64decode(other))
        if found := difference(kind, *packed):
            return f"a picture in the text: {found}"
    parts = [NUMBER.split(EMBEDDED.sub("PICTURE", text)) for text in (old, new)]
    for k, (one, other) in enumerate(zip(*parts)):
        if one == other:
            continue
        if k % 2:
            values = (float(text.replace(",", "")) for text in (one, other))
            if not isclose(*values, rel_tol=CLOSE, abs_tol=room):
                return f"{other}, not {one}"
        elif one.split() != other.split():
            return f"{other!r}, not {one!r}"
    return "" if len(parts[0]) == len(parts[1]) else "more or fewer numbers"


# Notebooks -------------------------------------------------------------------------

COMPARED = "compared"


def how(kind, old, new):
    """In words: the same bytes, or what was compared."""
    if old == new:
        return "the same bytes"
    kind = kind.rpartition("/")[2].lstrip(".")
    known = {"png": "pictures by pixels", "csv": "tables by numbers"}
    return known.get(kind, "texts by words and numbers")


def compare_outputs(cell, test, ref, skip_compare=None):
    """In the place of a method of nbval's IPyNbCell: whether outputs are the same."""
    from nbval.plugin import transform_streams_for_comparison

    outputs = [defaultdict(list), defaultdict(list)]
    for found, into in zip((ref, test), outputs):
        for output in transform_streams_for_comparison(found):
            for key, value in {**output, **output.get("data", {})}.items():
                if key != "data" and (
                    key == "image/png" or key not in cell.parent.skip_compare
                ):
                    into[key].append(cell.sanitize(value))
    cell.comparison_traceback = []
    for key in sorted(outputs[0].keys() | outputs[1].keys()):
        old, new = (values[key] for values in outputs)
        if len(old) != len(new):
            text = f"{key}: {len(new)} outputs, not {len(old)}"
            cell.comparison_traceback.append(text)
            return False
        for one, other in zip(old, new):
            if found := difference(key, one, other):
                cell.comparison_traceback.append(f"{key}: {found}")
                cell.format_output_compare(key, one, other)
                return False
            cell.user_properties.append((COMPARED, how(key, one, other)))
    return True


def told(reports):
    """What was compared, and how, in one line; empty where nothing was."""
    found = (each for report in reports for each in report.user_properties)
    counts = Counter(means for name, means in found if name == COMPARED)
    return ", ".join(f"{count} {means}" for means, count in counts.most_common())
