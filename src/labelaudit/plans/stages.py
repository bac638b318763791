"""The numbers of a double plan: two samples and their limits."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

from ..laws.errors import Law
from ..laws.near import at_most
from .plan import SamplingPlan
from .task import Task


@dataclass(frozen=True, order=True)
class Stages:
    """A double plan's numbers: n1, n2 >= 1, -1 <= c1, c1 + 2 <= r1 <= c2 + 1.

    After n1 accept at c1 errors or fewer and reject at r1 or more, where n1 + 1
    stands for no rejection; after n1 + n2 accept at c2 in total or fewer.
    """

    n1: int
    n2: int
    c1: int
    r1: int
    c2: int

    @classmethod
    def equal(cls, n: int, c1: int, c2: int) -> Stages:
        """Two samples of n; the first one rejects where the second could not accept."""
        return cls(n, n, c1, c2 + 1, c2)

    def plan(self, task: Task, curtailed: bool = False) -> SamplingPlan:
        """The stopping region; curtailed stops the second sample at error c2 + 1."""
        last = self.n1 + self.n2
        accept, reject = np.full(last + 1, -1), np.arange(1, last + 2)
        if curtailed:
            reject[self.n1 :] = self.c2 + 1
        accept[self.n1], reject[self.n1] = self.c1, self.r1
        accept[last], reject[last] = self.c2, self.c2 + 1
        return task.plan(accept, reject)

    def keeps(
        self, task: Task, whose: Literal["producer", "consumer"], risk: float
    ) -> bool:
        """Whether the plan keeps a risk, which is about `risk`, exactly."""
        producers = whose == "producer"

        def exact() -> Fraction:
            d = task.d_a if producers else task.d_r
            accepted = self.plan(task).exact_acceptance_probability(d)
            return 1 - accepted if producers else accepted

        return at_most(risk, task.alpha if producers else task.beta, exact)

    def exact_asn(self, law: Law, errors: float) -> Fraction:
        """The average sample number as a fraction, to break ties by."""
        on = [law.exact_pmf(x, self.n1, errors) for x in range(self.c1 + 1, self.r1)]
        return self.n1 + self.n2 * sum(on, Fraction(0))
