"""How far a sweep is, in lines that are not too many."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TextIO

SELDOM = 10.0  # seconds between two lines


class Progress:
    """Counts runs and tells of them.

    Parameters
    ----------
    stream : file or None
        Where to, such as standard error; None where that is closed.
    done, left : int
        Sets that need not be run any more, and sets to run.
    """

    def __init__(self, stream: TextIO | None, done: int, left: int) -> None:
        self.stream = stream
        self.done, self.failed, self.left = done, 0, left
        self._finished, self._told = 0, 0.0
        self._begin = self._end = time.monotonic()

    def start(self) -> None:
        """Runs can begin: from now on their time counts."""
        self._begin = time.monotonic()
        self.tell(now=True)

    def finished(self, failed: bool, about: str = "") -> None:
        """One run is over; `about` says which one failed and why."""
        self._finished += 1
        self.left -= 1
        self.failed += failed
        self.done += not failed
        now = time.monotonic()
        self._end = now + (now - self._begin) / self._finished * self.left
        if failed:
            self.say(f"failed: {about}")
        self.tell(now=self.left == 0)

    def time_to_go(self) -> str:
        if not self._finished:
            return "time to go not known yet"
        left = self._end - time.monotonic()
        if left < 0:
            return "what is left takes longer than the others"
        return f"about {duration(left)} to go"

    def tell(self, now: bool = False) -> None:
        """Say the counts, unless that was done a moment ago."""
        if now or time.monotonic() - self._told >= SELDOM:
            self._told = time.monotonic()
            text = f"{self.done} done, {self.failed} failed, {self.left} left"
            self.say(f"{text}, {self.time_to_go()}" if self.left else text)

    def say(self, text: str) -> None:
        """A line, or nothing where nobody reads it any more."""
        if self.stream is not None:
            with suppress(OSError, ValueError):
                print(text, file=self.stream, flush=True)


def duration(seconds: float) -> str:
    """In the unit that people would use.

    Examples
    --------
    >>> duration(42.3), duration(200), duration(9000)
    ('42 s', '3 min', '2.5 h')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
