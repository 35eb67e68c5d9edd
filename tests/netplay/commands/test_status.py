"""What `netplay status` prints of matches that nobody proved."""

from msgspec.structs import replace

from netplay.commands.status import lines
from netplay.messages.door import UNAUDITED
from tests.client.worlds import status, table

WHY = "Bert did not open the bag"


def test_a_match_at_the_table_is_said_not_to_be_audited() -> None:
    over = replace(table(), phase="over", held_up=WHY, again=2)
    said = [*lines(status(table=over))]
    assert f"{UNAUDITED}: {WHY}" in said
    assert "draws that began again: 2" in said
    assert not any(UNAUDITED in line for line in lines(status(table=table())))


def test_matches_of_before_are_listed_that_were_never_audited() -> None:
    words = f"Networdz: Anna, Bert, {UNAUDITED}: {WHY}"
    saved = (("/m/1.netplay", words, 400), ("/m/2.netplay", "Numlo: Anna, Bert", 1))
    said = [*lines(status(saved=saved))]
    assert f"{words} (/m/1.netplay)" in said
    assert not any("Numlo" in line for line in said)
