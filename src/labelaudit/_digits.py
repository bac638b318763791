"""Numbers as text: the same digits on every processor.

Processors differ in the last of some 16 digits that they compute. Where the exact
value lies in the middle between two shorter ones, such as 0.0625 in three decimals,
the last digit would decide which is printed; so it is dropped first.
"""

from __future__ import annotations

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


def decimals(value: float, digits: int = 3) -> str:
    """To so many decimals, with commas between thousands.

    >>> from labelaudit._digits import decimals
    >>> decimals(2 / 3), decimals(-1e-17), decimals(1234.5, 1)
    ('0.667', '0.000', '1,234.5')
    """
    return f"{round(steady(value), digits) + 0.0:,.{digits}f}"
