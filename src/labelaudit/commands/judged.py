"""What labelaudit verdict does with a sheet of two strata, which a judge made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

import numpy as np

from .._checks import Array
from ..files.filled import Filled
from ..files.strata import called_wrong
from ..intervals.stratified import stratified_interval
from ..reports.batch import Audit
from ..reports.strata import Pair, Strata


@dataclass(frozen=True)
class Judged:
    """A filled sheet's strata, and its steps so far: called wrong, found wrong."""

    strata: Strata
    called: Array
    wrong: Array
    filled: Filled

    @classmethod
    def of(cls, filled: Filled) -> Judged | None:
        """None where the sheet has no judge."""
        called, told = called_wrong(filled), filled.told
        if called is None:
            return None
        suspects, drawn = int(told["suspects"]), int(told["suspects_drawn"])
        whole = int(told["lot_size"]), int(told["max_sample"])
        pairs = (suspects, whole[0] - suspects), (drawn, whole[1] - drawn)
        judge = f"{unquote(told['judge'])}={unquote(told['value'])}"
        wrong = np.array(filled.outcomes, dtype=bool)
        return cls(Strata(judge, *pairs), called[: len(wrong)], wrong, filled)

    def pair(self, chosen: Array) -> Pair:
        """How many of the chosen steps are in each stratum."""
        return int((chosen & self.called).sum()), int((chosen & ~self.called).sum())

    def of_whole(self, done: Audit) -> tuple[float, float]:
        """The interval once all is checked, before that none."""
        if done.left:
            return done.interval
        return self.strata.interval(self.pair(self.wrong), done.confidence)

    def result(self, done: Audit) -> dict[str, Any]:
        """What another rate and report there are."""
        errors, checked = self.pair(self.wrong), self.pair(self.wrong | True)
        found: dict[str, Any] = {"rate": self.strata.rate(errors, checked)}
        if not done.left:
            found["report"] = self.strata.report(done, errors, self.filled.seed)
        return found

    def of_group(
        self, by: str, name: str, mine: Array, confidence: float
    ) -> tuple[float, float]:
        """The interval for a group of the lot; mine : the steps with its items."""
        every, called = (self.filled.sizes(by, k) for k in ("sizes", "suspect_sizes"))
        if every is None or called is None:
            raise ValueError(
                f"--by {by}: the sheet does not say how many items of the batch, and of"
                f" those that the judge calls wrong, have which {by} (a column that was"
                " added, or of very many values); without that these samples give no"
                " interval for a group"
            )
        suspects = called.get(name, 0)
        sizes = suspects, every[name] - suspects
        found = self.pair(mine & self.wrong), self.pair(mine)
        return stratified_interval(*found, sizes, confidence=confidence)
