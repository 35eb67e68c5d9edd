"""Pages show, and their controls do, what somebody has read and found right."""

from difflib import unified_diff

import pytest

from tests.client.reviewing_pages import KINDS, PLACE, told


@pytest.mark.parametrize("kind", KINDS)
def test_pages_show_and_do_what_somebody_has_read(kind: str) -> None:
    read = (PLACE / f"{kind}.txt").read_text("utf-8").splitlines()
    apart = unified_diff(read, told(kind).splitlines(), "read", "shown", n=1)
    found = "\n".join(apart)
    assert not found, (
        f"\n{found}\n\nAs it is to be? See tests/client/reviewing_pages.py"
    )
