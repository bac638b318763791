"""What `make check` runs for a change: all that can reach it, and not everything."""

import pytest

from reproduction.machinery import check, records


@pytest.mark.parametrize(
    ("changed", "among", "not_among"),
    [
        ("src/labelaudit/agreement/latent.py",
         ["tests/agreement", "tests/commands", "src/labelaudit/reports"],
         ["tests/plans", "tests/notebooks"]),
        ("src/labelaudit/laws/errors.py", ["tests/laws", "tests/plans"], []),
        ("src/reproduction/sweeps/planted.py", ["tests/reproduction"], ["tests/laws"]),
        ("tests/plans/test_optimal.py", ["tests/plans"], ["tests/agreement"]),
        ("tests/optimal_oracles.py", ["tests", "src/labelaudit"], ["tests/repo"]),
        ("data/published/lim2022.csv", ["tests/reproduction"], ["tests/plans"]),
    ],
)  # fmt: skip
def test_what_a_change_reaches(changed, among, not_among, monkeypatch):
    monkeypatch.setattr(records, "changed", lambda stem: stem == "ledger")
    found = check.reached([changed])
    assert {*among} <= {*found} and not {*not_among} & {*found}
    assert ("notebooks/ledger.ipynb" in found) is ("tests" not in found)
    assert "notebooks" not in found
