"""What `netplay status` prints of matches that nobody proved."""

from msgspec.structs import replace

from netplay.commands.status import lines
from netplay.sentences import Says
from tests.client.worlds import status, table

WHY = Says.BAG_NOT_OPENED(names="Bert")


def test_a_match_at_the_table_is_said_not_to_be_audited() -> None:
    over = replace(table(), phase="over", held_up=WHY, again=2)
    said = [*lines(status(table=over))]
    assert f"NOT AUDITED: {WHY}" in said
    assert "draws that began again: 2" in said
    assert not any("NOT AUDITED" in line for line in lines(status(table=table())))


def test_matches_of_before_are_listed_that_were_never_audited() -> None:
    words = Says.NOT_AUDITED(match="Networdz: Anna, Bert", why=WHY)
    saved = (("/m/1.netplay", words, 400), ("/m/2.netplay", "Numlo: Anna, Bert", 1))
    said = [*lines(status(saved=saved))]
    assert f"{words} (/m/1.netplay)" in said
    assert not any("Numlo" in line for line in said)


def test_a_table_that_is_formed_tells_what_is_promised_and_why_not_more() -> None:
    unseen = table(tiled=True, fairness="encrypted")
    said = "\n".join(lines(status(table=unseen)))
    assert "fairness: encrypted" in said
    assert "no computer, the host's included, can look into the bag" in said
    assert "No outside cryptographer has reviewed it" in said
    large = table(tiled=True, why_fairness=Says.CANNOT_ENCRYPT(most=140))
    said = "\n".join(lines(status(table=large)))
    assert "fairness: committed" in said
    assert "but the host's program could look" in said
    assert "at most 140 tiles" in said
    played = table(tiled=True, fairness="encrypted", phase="playing")
    assert "reviewed" not in "\n".join(lines(status(table=played)))
