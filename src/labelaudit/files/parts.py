"""A sheet dealt out to several inspectors, and their parts put together again.

Part j of k has the steps j, j + k, j + 2k and so on, so that all reach the same step at
about the same time. With an overlap some steps are also in a second part.
"""

from __future__ import annotations

import numpy as np

from .._checks import fraction


def holders(max_sample: int, parts: int, overlap: float) -> list[tuple[int, ...]]:
    """The parts, from 1, that each step goes to; the first one's judgment counts.

    Parameters
    ----------
    max_sample : int
        Steps of the sheet.
    parts : int of at least 1
    overlap : float in [0, 1]
        The share of the steps that go to two parts: spread evenly over the sheet, and
        over the pairs of parts.

    Examples
    --------
    >>> holders(6, 3, 0.5)
    [(1,), (2, 3), (3,), (1, 3), (2,), (1, 3)]
    """
    share, found = fraction(overlap), []
    shared = 0
    for step in range(max_sample):
        mine = step % parts
        if (step + 1) * share // 1 > step * share // 1:
            other = (mine + 1 + shared % (parts - 1)) % parts
            shared += 1
            found.append(tuple(sorted((mine + 1, other + 1))))
        else:
            found.append((mine + 1,))
    return found


def runs(limits: np.ndarray) -> str:
    """Limits as one word: where a new value begins, and the value.

    >>> runs(np.array([-1, -1, 0, 0, 2]))
    '0:-1,2:0,4:2'
    """
    new = np.flatnonzero(np.diff(limits, prepend=limits[0] - 1))
    return ",".join(f"{n}:{int(limits[n])}" for n in new)


def limits(word: str, max_sample: int) -> np.ndarray:
    """The limits that runs wrote; ValueError for another word.

    >>> limits("0:-1,2:0,4:2", 4).tolist()
    [-1, -1, 0, 0, 2]
    """
    found = np.zeros(max_sample + 1, dtype=int)
    for run in word.split(","):
        at, value = map(int, run.split(":"))
        found[at:] = value
    return found
