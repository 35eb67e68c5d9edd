"""How tiles are drawn at a new table: unseen, if it is to be so and can be."""

import pytest
from msgspec.structs import replace

from netplay.errors import Code, LocalError
from netplay.messages.door import HostTable
from netplay.messages.table import Fairness
from netplay.record import masking
from netplay.table import forming
from netplay.table.forming import Forming
from rules import editions
from tests.netplay.party import Key
from tests.simulation.themes import EDITION, edition

APART = ("person", "remote")


@pytest.fixture(autouse=True)
def usually_encrypted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a bag be encrypted where the host has no wish."""
    monkeypatch.setattr(forming, "USUALLY", "encrypted")


def formed(wish: HostTable) -> Forming:
    return Forming(Key("ann"), "Ann", wish, bytes(32))


def fairness(game: str, *seats: str, wish: Fairness | None = None) -> str:
    table = HostTable(game, seats, (), "", "", fairness=wish or "")
    return formed(table).terms().fairness


@pytest.mark.parametrize("game", ["networdz", "lhexicon"])
def test_tiles_may_be_drawn_unseen_where_several_computers_play(game: str) -> None:
    assert fairness(game, *APART) == "encrypted"
    assert fairness(game, "remote", "computer", "remote") == "encrypted"
    assert fairness(game, *APART, wish="committed") == "committed"
    assert fairness(game, "person", "computer") == "committed"


def test_bags_are_committed_where_that_is_usual(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(forming, "USUALLY", "committed")
    assert fairness("networdz", *APART) == "committed"
    assert fairness("networdz", *APART, wish="encrypted") == "encrypted"


def test_a_game_without_tiles_has_nothing_to_encrypt() -> None:
    assert fairness("numlo", *APART) == "committed"
    with pytest.raises(LocalError) as caught:
        fairness("numlo", *APART, wish="encrypted")
    assert caught.value.code is Code.USAGE
    with pytest.raises(LocalError):
        fairness("networdz", "person", "computer", wish="encrypted")


def test_a_bag_that_is_too_large_is_committed() -> None:
    large = editions.read(EDITION.replace('"A" = [7, 1]', '"A" = [120, 1]'))
    editions.register(large)
    _, words = edition()
    wish = HostTable("networdz", APART, (), large.digest, words)
    assert formed(wish).terms().fairness == "committed"
    with pytest.raises(LocalError, match="140"):
        formed(replace(wish, fairness="encrypted"))


def test_without_the_group_in_the_library_a_bag_is_committed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(masking, "available", lambda: False)
    assert fairness("networdz", *APART) == "committed"
    with pytest.raises(LocalError, match="libsodium"):
        fairness("networdz", *APART, wish="encrypted")


def test_the_terms_follow_who_plays_where() -> None:
    table = formed(HostTable("networdz", ("person", "computer"), (), "", ""))
    assert table.terms().fairness == "committed"
    table.change(HostTable("networdz", APART, (), "", ""))
    assert table.terms().fairness == "encrypted"
