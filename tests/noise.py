"""Elementary functions as another processor might compute them.

Processors and their libraries differ in the last digits of exp, log and the like. Here
these functions get random relative errors of 1e-14, a hundred times as much; sums,
products, quotients and square roots are the same everywhere and stay what they are.
"""

import sys
from contextlib import contextmanager

import numpy as np
import pytest

ERROR = 1e-14
OF_NUMPY = {"exp", "log", "log1p", "expm1", "power", "arctanh", "tanh", "sin", "cos"}
OF_SCIPY = {
    "betainc", "betaincc", "betaincinv", "betainccinv", "gammaln", "logsumexp",
    "ndtri", "xlog1py", "xlogy",
}  # fmt: skip


class NoisyNumpy:
    """numpy, with elementary functions that are a little wrong."""

    def __init__(self, noisy):
        self._noisy = noisy

    def __getattr__(self, name):
        function = getattr(np, name)
        return self._noisy(function) if name in OF_NUMPY else function


@contextmanager
def errors(seed):
    """Meanwhile the library computes with such errors, others for each seed."""
    random = np.random.default_rng(seed)

    def noisy(function):
        def wrong(*args, **kwargs):
            value = function(*args, **kwargs)
            if kwargs.get("out") is not None or not np.ndim(value):
                return value * (1 + ERROR * random.uniform(-1, 1))
            return value * (1 + ERROR * random.uniform(-1, 1, np.shape(value)))

        return wrong

    with pytest.MonkeyPatch.context() as patch:
        switched = 0
        for name, module in list(sys.modules.items()):
            if not name.startswith("labelaudit.") or not hasattr(module, "np"):
                continue
            for function in OF_SCIPY & set(vars(module)):
                patch.setattr(module, function, noisy(getattr(module, function)))
                switched += 1
            patch.setattr(module, "np", NoisyNumpy(noisy))
            switched += 1
        assert switched > 10
        yield
