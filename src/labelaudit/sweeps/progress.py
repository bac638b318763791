"""How far a sweep is, in lines that are not too many."""

from __future__ import annotations

import sys
import time
from contextlib import suppress

SELDOM = 10.0  # seconds between two lines


class Progress:
    """Counts runs and tells of them on standard error, if somebody reads that.

    Parameters
    ----------
    done, left : int
        Sets that need not be run any more, and sets to run.
    """

    def __init__(self, done: int, left: int) -> None:
        self.done, self.failed, self.left = done, 0, left
        self._told, self._before = 0.0, done
        self.start()

    def start(self) -> None:
        """Runs can begin: from now on their time counts."""
        self._begin = time.monotonic()

    def finished(self, failed: bool, about: str = "") -> None:
        """One run is over; `about` says which one failed and why."""
        self.left -= 1
        self.failed += failed
        self.done += not failed
        if failed:
            self.say(f"failed: {about}")
        self.tell(now=self.left == 0)

    def tell(self, now: bool = False) -> None:
        """Say the counts, unless that was done a moment ago."""
        if now or time.monotonic() - self._told >= SELDOM:
            self._told = time.monotonic()
            text = f"{self.done} done, {self.failed} failed, {self.left} left"
            self.say(f"{text}, {self._to_go()}" if self.left else text)

    def _to_go(self) -> str:
        """If what is left takes as long as what has run."""
        if not (run := self.done + self.failed - self._before):
            return "time to go not known yet"
        taken = time.monotonic() - self._begin
        return f"about {duration(taken / run * self.left)} to go"

    def say(self, text: str) -> None:
        """A line, or nothing where nobody reads it any more."""
        with suppress(OSError, ValueError, AttributeError):  # closed, from the start on
            print(text, file=sys.stderr, flush=True)


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
