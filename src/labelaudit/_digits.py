"""Numbers as text: the same digits on every processor.

Processors differ in the last of some 16 digits that they compute. Where the exact
value lies in the middle between two shorter ones, such as 0.0625 in three decimals,
the last digit would decide which is printed; so it is dropped first.
"""

from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal
from typing import Any

KEPT = 13  # significant digits, which processors do not change


def steady(value: float) -> float:
    """Without the digits that differ between processors; never -0.

    >>> from labelaudit._digits import steady
    >>> steady(0.1 + 0.2), steady(-0.0)
    (0.3, 0.0)
    """
    return float(f"{value:.{KEPT}g}") + 0.0


def significant(value: Any, digits: int = 3) -> str:
    """To so many significant digits.

    >>> from labelaudit._digits import significant
    >>> significant(2 / 3), significant(0.28125 - 1e-17, 4), significant(1e-9)
    ('0.667', '0.2812', '1e-09')
    """
    return f"{steady(value):.{digits}g}"


def in_percent(rate: float, digits: int = 4) -> str:
    """A share, to so many significant digits (`_words.percent` takes decimals).

    >>> from labelaudit._digits import in_percent
    >>> in_percent(0.0022), in_percent(1 / 3)
    ('0.22 %', '33.33 %')
    """
    return f"{significant(100 * rate, digits)} %"


def counted(rate: float, errors: int, rounding: str = ROUND_HALF_EVEN) -> str:
    """A share in percent, with the digits that so many errors carry: 2, or 3 from 100.

    >>> from labelaudit._digits import counted
    >>> counted(2 / 46, 2), counted(137 / 4600, 137), counted(1, 9), counted(0, 0)
    ('4.3 %', '2.98 %', '100 %', '0 %')
    """
    share = Decimal(repr(steady(100 * rate)))
    last = share.adjusted() - (1 if errors < 100 else 2) if share else 0
    return f"{float(share.quantize(Decimal((0, (1,), min(last, 0))), rounding)):g} %"


def between(low: float, high: float, errors: int) -> tuple[str, str]:
    """The ends of an interval in percent, rounded outwards to digits as of counted.

    >>> from labelaudit._digits import between
    >>> between(0.00221, 0.0281, 3), between(0.02, 0.12, 2), between(0.9963, 1, 7)
    (('0.22 %', '2.9 %'), ('2 %', '12 %'), ('99 %', '100 %'))
    """
    return counted(low, errors, ROUND_FLOOR), counted(high, errors, ROUND_CEILING)


def decimals(value: float, digits: int = 3) -> str:
    """To so many decimals, with commas between thousands.

    >>> from labelaudit._digits import decimals
    >>> decimals(2 / 3), decimals(-1e-17), decimals(1234.5, 1)
    ('0.667', '0.000', '1,234.5')
    """
    return f"{round(steady(value), digits) + 0.0:,.{digits}f}"
