"""Checks of arguments by their kind and range, and the one form of a refusal.

Each function returns the value in the type that the library works with, or
raises a ValueError that names the argument, the value and what is accepted.
"""

from collections.abc import Iterable, Iterator, KeysView, Mapping, Set as AnySet
from contextlib import suppress
from fractions import Fraction
from numbers import Real
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]


# No lot is larger: tables of log factorials take 16 bytes for each annotation, and
# several at a time. A process's plan differs from so large a lot's by nothing.
LARGEST_LOT = 10_000_000

# No count of another kind is larger: so far, sums of doubles are whole numbers.
LARGEST_COUNT = 10**15

# No sample from a process is larger; beyond, beta quantiles lose their digits.
LARGEST_SAMPLE = 1_000_000_000

# No simulation or bootstrap repeats more often: results are kept in memory.
LARGEST_REPETITIONS = 10_000_000

# Numbers without a bound of their own stay in this size, so that products are finite.
LARGEST = 1e100

LARGEST_SEED = 2**4096

# Smaller risks, and confidences nearer to 0 or 1, are refused: probabilities are
# right to so much, and nobody could check such a claim.
LEAST_RISK = 1e-12


def refuse(name: str, value: Any, accepted: str) -> ValueError:
    """The one form that every refusal has."""
    return ValueError(f"{name} must be {accepted}, got {_shown(value)}")


def _shown(value: Any) -> str:
    """A value in one line of a message, whatever its repr does."""
    try:
        shown = repr(value.item() if isinstance(value, np.generic) else value)
    except Exception:  # a whole number of more than 4300 digits, or another's code
        shown = f"a value of the type {type(value).__name__}"
    shown = " ".join(shown.split("\n"))
    return shown if len(shown) <= 80 else shown[:77] + "..."


def _span(low: int, high: int | None) -> str:
    if high is None:
        return f"of at least {low}"
    return f"from {low} to {high:,}" if high >= 10_000 else f"from {low} to {high}"


def count(
    name: str, value: Any, low: int = 0, high: int | None = None, more: str = ""
) -> int:
    """A whole number in [low, high]; 20.0 is one, 20.5, True and NaN are not."""
    number = real(value)
    if number is not None and abs(number) < np.inf:
        whole = int(number)
        if whole == number and whole >= low and (high is None or whole <= high):
            return whole
    raise refuse(name, value, f"a whole number {_span(low, high)}{more}")


def lot_size(value: Any) -> int | None:
    """The number of annotations in the lot, or None for a process."""
    more = ", or None for a process or a larger lot"
    return None if value is None else count("lot_size", value, 1, LARGEST_LOT, more)


def number(name: str, value: Any, low: float = -LARGEST) -> float:
    """A number from `low` to 1e100."""
    least = "of a size" if low < 0 else f"from {low:g}"
    return float(_within(name, value, low, LARGEST, f"{least} up to {LARGEST:g}"))


def open_unit(name: str, value: Any) -> float:
    """A number strictly between 0 and 1."""
    return _within(name, value, 0, 1, "strictly between 0 and 1", ends=False)


def unit(name: str, value: Any) -> float:
    """A number from 0 to 1."""
    return _within(name, value, 0, 1, "from 0 to 1")


def _within(
    name: str, value: Any, low: float, high: float, span: str, ends: bool = True
) -> float:
    found = real(value)
    if found is None or not low <= found <= high or (found in (low, high) and not ends):
        raise refuse(name, value, f"a number {span}")
    return found


def confidence(value: Any) -> float:
    """A confidence: a number from 1e-12 to 1 - 1e-12."""
    span = f"strictly between 0 and 1, at least {LEAST_RISK:g} away from both"
    return _within("confidence", value, LEAST_RISK, 1 - LEAST_RISK, span)


def counts(
    name: str,
    values: Any,
    low: int | None = 0,
    high: int | None = None,
    meaning: str = "",
) -> NDArray[np.int64]:
    """An array, of any shape, of whole numbers in [low, high] (None: unbounded)."""
    accepted = "whole numbers" + ("" if low is None else f" {_span(low, high)}")
    ends = -(2**62) if low is None else low, 2**62 if high is None else high
    return _array(name, values, *ends, accepted + meaning).astype(np.int64)


def units(name: str, values: Any, meaning: str = "") -> NDArray[np.float64]:
    """An array, of any shape, of numbers from 0 to 1."""
    return _array(name, values, 0.0, 1.0, "numbers from 0 to 1" + meaning)


def numbers(name: str, values: Any) -> NDArray[np.float64]:
    """An array, of any shape, of numbers of a size up to 1e100."""
    accepted = f"numbers of a size up to {LARGEST:g}"
    return _array(name, values, -LARGEST, LARGEST, accepted)


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


def text(name: str, value: Any) -> str:
    """Text."""
    if not isinstance(value, str):
        raise refuse(name, value, "text")
    return value


def entries(name: str, values: Any, accepted: str) -> Iterator[Any]:
    """The entries of a sequence, in an order that is the same in every run.

    That of a set depends on the hash seed; a mapping gives its keys, a table columns or
    rows.
    """
    unordered = isinstance(values, (str, bytes, AnySet, Mapping))
    unordered |= getattr(values, "ndim", 1) != 1
    if isinstance(values, KeysView) or not unordered:
        with suppress(TypeError):
            return iter(values)
    raise refuse(name, values, accepted)


def generator(seed: Any) -> np.random.Generator:
    """A random generator from a seed, or the generator that is given."""
    own = np.random.Generator, np.random.SeedSequence
    if seed is not None and not isinstance(seed, own):
        seed = whole_seed(seed, "None, {}, a SeedSequence or a Generator")
    return np.random.default_rng(seed)


def whole_seed(value: Any, accepted: str = "{}") -> int:
    """A seed that can be written down."""
    try:
        return count("seed", value, 0, LARGEST_SEED)
    except ValueError:
        accepted = accepted.format("a whole number from 0 to 2^4096")
        raise refuse("seed", value, accepted) from None


def fraction(value: Any) -> Fraction:
    """The decimal that a person wrote: 0.05 is 1/20, not the nearest double."""
    return value if isinstance(value, Fraction) else Fraction(str(value))


def real(value: Any) -> float | int | None:
    """The value as a Python number, None where it is not one real number."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, (bool, np.bool_, np.timedelta64)):
        return None
    if isinstance(value, np.floating):
        return float(str(value))  # the decimal that it prints as, in any width
    if isinstance(value, (int, np.integer)):
        return int(value)
    if not isinstance(value, Real):
        return None
    try:
        return float(value)
    except OverflowError:  # a fraction
        return np.inf if value > 0 else -np.inf  # type: ignore[operator]


def _array(name: str, values: Any, low: float, high: float, accepted: str) -> Array:
    """Numbers from low to high, whole ones where these are; NaN is none."""
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise refuse(name, "a masked value", accepted)
    try:
        array = np.asarray(values)
        if values is None or array.dtype.kind not in "iufO":
            raise TypeError
    except (ValueError, TypeError):
        raise refuse(name, values, accepted) from None
    given = array
    if array.dtype.kind == "O":  # Python integers beyond 64 bits, None, pandas NA
        found = (np.nan if x is None else x for x in map(real, array.flat))
        fitting = [float(x) if low <= x <= high else np.nan for x in found]
        array = np.array(fitting).reshape(given.shape)
    if isinstance(low, float):
        array = array.astype(float)
    good = np.asarray((low <= array) & (array <= high))
    if isinstance(low, int) and array.dtype.kind == "f":
        good &= array == np.floor(array)
    if not good.all():
        at = tuple(np.argwhere(~good)[0])
        row = f" in row {at[0]}" if len(at) == 2 else ""
        raise ValueError(f"{refuse(name, given[at], accepted)}{row}")
    return array
