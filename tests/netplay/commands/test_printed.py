"""Commands print what somebody has read, and found right."""

from difflib import unified_diff

from tests.netplay.commands.printed import PLACE, told


def test_commands_print_what_somebody_has_read() -> None:
    read, now = PLACE.read_text("utf-8").splitlines(), told().splitlines()
    found = "\n".join(unified_diff(read, now, "read", "now", n=2))
    assert not found, f"\n{found}\n\nIs that so? See `printed.py` beside"
