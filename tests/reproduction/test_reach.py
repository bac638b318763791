"""What `make check` runs for a change: all that can reach it, and not everything."""

import pytest

from known import rows
from reproduction.machinery import check, notebooks


@pytest.mark.parametrize(("changed", "among", "not_among"), rows("reached"))
def test_what_a_change_reaches(changed, among, not_among, monkeypatch):
    monkeypatch.setattr(notebooks, "changed", lambda stem: stem == "ledger")
    found = check.reached([changed])
    assert {*among.split()} <= {*found} and not {*not_among.split()} & {*found}
    assert ("notebooks/ledger.ipynb" in found) is ("tests" not in found)
    assert "notebooks" not in found
