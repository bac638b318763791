"""Input checks, in one place, so that every other body is only mathematics.

Each function returns the value in the type that the library works with, or
raises a ValueError that names the argument, the value and what is accepted.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray


def refuse(name: str, value: Any, accepted: str) -> ValueError:
    """The one form that every refusal has."""
    shown = repr(value.item() if isinstance(value, np.generic) else value)
    shown = shown if len(shown) <= 80 else shown[:77] + "..."
    return ValueError(f"{name} must be {accepted}, got {shown}")


def _span(low: int, high: int | None) -> str:
    return f"of at least {low}" if high is None else f"from {low} to {high}"


def count(name: str, value: Any, low: int = 0, high: int | None = None) -> int:
    """A whole number in [low, high]; 20.0 is one, 20.5, True and NaN are not."""
    accepted = f"a whole number {_span(low, high)}"
    number = _number(value)
    if number is None or number != number or number in (np.inf, -np.inf):
        raise refuse(name, value, accepted)
    whole = int(number)
    if whole != number or whole < low or (high is not None and whole > high):
        raise refuse(name, value, accepted)
    return whole


def counts(
    name: str,
    values: Any,
    low: int | None = 0,
    high: int | None = None,
    meaning: str = "",
) -> NDArray[np.int64]:
    """An array, of any shape, of whole numbers in [low, high] (None: unbounded)."""
    accepted = "whole numbers" + ("" if low is None else f" {_span(low, high)}")
    accepted += meaning
    array = _numeric(name, values, accepted)
    lowest = -(2**62) if low is None else low
    highest = 2**62 if high is None else high
    bad = ~((array >= lowest) & (array <= highest))  # NaN is bad too
    if array.dtype.kind == "f":
        bad |= array != np.floor(np.where(bad, 0, array))
    if bad.any():
        raise refuse(name, array[bad].flat[0].item(), accepted)
    return array.astype(np.int64)


def number(name: str, value: Any) -> float:
    """A finite number."""
    found = _number(value)
    if found is None or not abs(found) < np.inf:
        raise refuse(name, value, "a finite number")
    return float(found)


def open_unit(name: str, value: Any) -> float:
    """A number strictly between 0 and 1."""
    number = _number(value)
    if number is None or not 0 < number < 1:
        raise refuse(name, value, "a number strictly between 0 and 1")
    return number


def unit(name: str, value: Any) -> float:
    """A number from 0 to 1."""
    number = _number(value)
    if number is None or not 0 <= number <= 1:
        raise refuse(name, value, "a number from 0 to 1")
    return number


def units(name: str, values: Any, meaning: str = "") -> NDArray[np.float64]:
    """An array, of any shape, of numbers from 0 to 1."""
    accepted = "numbers from 0 to 1" + meaning
    array = _numeric(name, values, accepted).astype(float)
    bad = ~((array >= 0) & (array <= 1))
    if bad.any():
        raise refuse(name, array[bad].flat[0].item(), accepted)
    return array


def lot_size(value: Any) -> int | None:
    """The number of annotations in the lot, or None for a process."""
    if value is None:
        return None
    try:
        return count("lot_size", value, 1)
    except ValueError:
        raise refuse(
            "lot_size", value, "a whole number of at least 1, or None for a process"
        ) from None


def one_of(name: str, value: Any, accepted: Iterable[str]) -> str:
    """One of a few names."""
    names = tuple(accepted)
    if not isinstance(value, str) or value not in names:
        raise refuse(name, value, " or ".join(repr(entry) for entry in names))
    return value


def switch(name: str, value: Any) -> bool:
    """True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise refuse(name, value, "True or False")
    return bool(value)


def generator(seed: Any) -> np.random.Generator:
    """A random generator from a seed, or the generator that is given."""
    try:
        return np.random.default_rng(seed)
    except (TypeError, ValueError):
        raise refuse(
            "seed", seed, "None, a whole number of at least 0, or a Generator"
        ) from None


def fraction(value: Any) -> Fraction:
    """The decimal that a person wrote: 0.05 is 1/20, not the nearest double."""
    return value if isinstance(value, Fraction) else Fraction(str(value))


def _number(value: Any) -> float | int | None:
    """The value as a Python number, None where it is not one real number."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (Real, np.number)):
        return None
    if isinstance(value, np.complexfloating):
        return None
    if isinstance(value, np.floating):
        return float(str(value))  # the decimal that it prints as, in any width
    return int(value) if isinstance(value, (int, np.integer)) else float(value)


def _numeric(name: str, values: Any, accepted: str) -> NDArray[Any]:
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise refuse(name, "a masked value", accepted)
    try:
        array = np.asarray(values)
        if values is None or array.dtype.kind in "bUSmM":
            raise TypeError
    except (ValueError, TypeError):
        raise refuse(name, values, accepted) from None
    if array.dtype.kind == "O":  # Python integers beyond 64 bits, None, pandas NA
        for value in array.flat:
            if _number(value) is None:
                raise refuse(name, value, accepted)
        array = array.astype(float)
    if array.dtype.kind not in "iuf":
        raise refuse(name, values, accepted)
    return array
