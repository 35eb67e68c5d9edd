"""Evenings at tables go as somebody has read, and found right."""

from difflib import unified_diff

import pytest

from tests.netplay.table.sessions import EVENINGS, PLACE, told


@pytest.mark.parametrize("name", EVENINGS)
def test_an_evening_at_tables_goes_as_somebody_has_read(name: str) -> None:
    read = (PLACE / f"{name}.txt").read_text("utf-8").splitlines()
    apart = unified_diff(read, told(name).splitlines(), "read", "now", n=2)
    found = "\n".join(apart)
    assert not found, f"\n{found}\n\nIs that so? See `sessions.py` beside"
