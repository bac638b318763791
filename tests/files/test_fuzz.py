"""Files with parts lost, doubled and mixed: read, or refused in one sentence."""

import random
import warnings

import pytest

from labelaudit.files.ratings import collection
from reproduction.machinery import paths

WHOLE = [
    b"".join(file.read_bytes().splitlines(keepends=True)[:25])
    for file in sorted((paths.ROOT / "data" / "examples" / "labels").iterdir())
] + [b'{"a":{"r1":"x","r2":"y"},"b":{"r1":"x"}}', b'"","id","x"\n"1","i",NA\n']
PIECES = [b",", b";", b"\t", b'"', b"\n", b"\r\n", b"NA", b"inf", b"-1", b"1e999",
          b"1,000", b"{}", b"[]", b"null", b"{", b"]", b"\xff", b"\0", b"item", b"0",
          b"\xef\xbb\xbf", b"rater", b"label", b" ", b"sep=;\n"]  # fmt: skip
NAMES = ("x.csv", "x.json", "x.jsonl", "x.csv.gz", "x.txt")
OPTIONS = [
    {"split": ","}, {"sets": ";"}, {"numbers": True}, {"repeats": "first"},
    {"times": "label"}, {"gold": "label"}, {"suggested": "label"}, {"missing": ["NA"]},
    {"names": ["item", "rater", "label"]}, {"labels": ["fine", "rude"]},
    {"counts": ["ann", "ben"]}, {"table": True}, {"item": ["item", "label"]},
    {"cluster": "item"}, {"where": ["item!=c001"]}, {"rater_file": True},
    {"label": "label.0.a", "rater": "rater.b"},
    {"raters": ["ann", "ben"], "ours": True},
]  # fmt: skip


def broken(draw):
    """A file with up to four places changed."""
    text = bytearray(draw.choice(WHOLE))
    for _ in range(draw.randint(0, 4)):
        at, how = draw.randrange(len(text) + 1), draw.random()
        if how < 0.4:
            text[at:at] = draw.choice(PIECES)
        elif how < 0.6:
            del text[at : at + draw.randint(1, 30)]
        elif how < 0.8:
            text[at : at + 1] = draw.choice(PIECES)
        else:
            begin = draw.randrange(len(text) + 1)
            text[at:at] = text[begin : begin + draw.randint(1, 60)]
    return bytes(text)


@pytest.mark.parametrize("seed", range(4))
def test_what_is_broken_is_refused_in_one_sentence(seed, tmp_path):
    draw = random.Random(seed)
    refused = []
    for _ in range(400):
        file = tmp_path / draw.choice(NAMES)
        file.write_bytes(broken(draw))
        options = draw.choice(OPTIONS) if draw.random() < 0.4 else {}
        with warnings.catch_warnings(action="ignore"):
            try:
                collection(file, **options)
            except ValueError as error:  # UnreadableError is one
                refused.append(str(error))
    assert 100 < len(refused) < 360
    assert not [text for text in refused if "\n" in text or len(text) > 700]
