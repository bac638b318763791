"""The single sampling plans of MIL-STD-105E, which many people know.

A code letter follows from the lot size and the inspection level. With the letters and
the levels of quality (AQL) numbered from 0, the acceptance number is the same all along
a diagonal of the standard's tables: it depends on letter + AQL alone. Where a diagonal
has no plan of its own, an arrow of the table points to the next letter that has one.
"""

from bisect import bisect_left
from dataclasses import dataclass, replace

from .. import _checks
from .plan import SamplingPlan

LETTERS = "ABCDEFGHJKLMNPQR"
# The largest lot of each line of table I, and the line's code letters.
LOTS = (8, 15, 25, 50, 90, 150, 280, 500, 1200, 3200, 10_000, 35_000, 150_000, 500_000)
LEVELS = {
    "I": "AABCCDEFGHJKLMN",
    "II": "ABCDEFGHJKLMNPQ",
    "III": "BCDEFGHJKLMNPQR",
}
AQLS = (  # percent
    *(0.01, 0.015, 0.025, 0.04, 0.065, 0.1, 0.15, 0.25),
    *(0.4, 0.65, 1.0, 1.5, 2.5, 4.0, 6.5, 10.0),
)
SIZES = (2, 3, 5, 8, 13, 20, 32, 50, 80, 125, 200, 315, 500, 800, 1250, 2000, 3150)


@dataclass(frozen=True)
class Table:
    """One of tables II-A to II-C.

    sizes : of samples, by letter. zero : the diagonal with acceptance number 0.
    up : diagonals whose arrow points up, to that one. numbers : the acceptance numbers
    of the diagonals from `first` on, to which the arrows of the others point.
    rejections : their rejection numbers, where they are not one more.
    """

    sizes: tuple[int, ...]
    zero: int
    up: tuple[int, ...]
    first: int
    numbers: tuple[int, ...]
    rejections: tuple[int, ...] = ()

    def plan(self, letter: int, aql: int) -> tuple[int, int, int]:
        """The sample size, the acceptance number and the rejection number."""
        diagonal, last = letter + aql, self.first + len(self.numbers) - 1
        zero = diagonal <= self.zero or diagonal in self.up
        diagonal = self.zero if zero else min(max(diagonal, self.first), last)
        if zero and aql == len(AQLS) - 1:
            diagonal = self.first  # no plan of that column accepts at 0 only
        if diagonal - aql >= len(self.sizes):
            diagonal = self.zero
        size, at = self.sizes[diagonal - aql], diagonal - self.first
        if diagonal == self.zero:
            return size, 0, 1
        number = self.numbers[at]
        return size, number, self.rejections[at] if self.rejections else number + 1


TABLES = {
    "normal": Table(SIZES[:16], 14, (15,), 17, (1, 2, 3, 5, 7, 10, 14, 21)),
    "tightened": Table(SIZES, 15, (), 18, (1, 2, 3, 5, 8, 12, 18)),
    "reduced": Table(
        *((2, 2, *SIZES[:14]), 14, (15,), 17),
        *((0, 1, 1, 2, 3, 5, 7, 10), (2, 3, 4, 5, 6, 8, 10, 13)),
    ),
}


def aql_plan(
    lot_size: int, aql: float, level: str = "II", severity: str = "normal"
) -> SamplingPlan:
    """The single sampling plan of MIL-STD-105E for a lot.

    The standard is made for streams of lots, and names no risks. What its plan
    promises for one lot is exact in the plan that is returned, for example by
    `acceptance_probability`.

    Parameters
    ----------
    lot_size : int of at least 2
    aql : float
        The acceptable quality level in percent of wrong annotations, one of the
        standard's: 0.01, 0.015, 0.025, 0.04, 0.065 and so on to 10.
    level : "I", "II" or "III"
        How much is inspected: II is the usual one. The standard's special levels for
        small samples, S-1 to S-4, are not here.
    severity : "normal", "tightened" or "reduced"
        Where the standard's switching rules have led. Reduced plans have two
        numbers. At the lower one or fewer the lot is accepted, and reduced
        inspection goes on; from the higher one on it is rejected. Between them the
        standard accepts the lot, but goes back to normal with the next. This plan
        rejects there: its verdict is whether reduced inspection goes on. Its note
        has the higher number.

    Returns
    -------
    SamplingPlan
        Without levels. Where the standard's sample is as large as the lot, the whole
        lot is inspected, with the same acceptance number. In the smallest lots this
        can be half of the lot (two annotations at an AQL of 10).

    Raises
    ------
    ValueError
        For an AQL that the table does not have, which names its neighbours, and for a
        lot, level or severity that is none.

    References
    ----------
    MIL-STD-105E, Sampling Procedures and Tables for Inspection by Attributes (US
    Department of Defense 1989, public domain), tables I and II-A to II-C.

    Examples
    --------
    >>> import labelaudit as la
    >>> plan = la.aql_plan(1000, 1.0)
    >>> plan.max_sample, int(plan.accept[-1])
    (80, 2)
    >>> round(plan.acceptance_probability(50), 3)  # of 5 % wrong annotations
    0.219
    """
    size = _checks.count("lot_size", lot_size, 2, _checks.LARGEST_LOT)
    _checks.one_of("level", level, LEVELS)
    _checks.one_of("severity", severity, TABLES)
    found = _checks.real(aql)
    if found is None or found not in AQLS:
        accepted = f"one of the standard's from {AQLS[0]:g} to {AQLS[-1]:g}, in percent"
        if found is not None and AQLS[0] < found < AQLS[-1]:
            at = bisect_left(AQLS, found)
            accepted = f"{AQLS[at - 1]:g} or {AQLS[at]:g}, the nearest in the table"
        raise _checks.refuse("aql", aql, accepted)
    letter = LETTERS.index(LEVELS[level][bisect_left(LOTS, size)])
    n, accept, reject = TABLES[severity].plan(letter, AQLS.index(found))
    note = f"MIL-STD-105E, level {level}, {severity}, AQL {float(aql):g} %, code letter"
    note += f" {LETTERS[letter]}"
    if reject > accept + 1:
        note += f"; the standard rejects from {reject} errors on"
    stages = [(min(n, size), accept, accept + 1)]
    return replace(SamplingPlan.from_stages(stages, size), note=note)
