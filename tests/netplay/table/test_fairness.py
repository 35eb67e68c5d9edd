"""How tiles are drawn at a new table: unseen, if it is to be so and can be."""

import pytest
from msgspec.structs import replace

from netplay.bag import group
from netplay.errors import Code, LocalError
from netplay.messages.door import ChangeTable, HostTable, Join, LeaveTable
from netplay.messages.table import Fairness
from netplay.sentences import Says
from netplay.table.forming import Forming
from rules import editions
from tests.netplay.joined_nodes import Net
from tests.netplay.party import Key
from tests.said import like
from tests.simulation.themes import EDITION, edition

APART = ("person", "remote")


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


@pytest.mark.parametrize("game", ["networdz", "lhexicon"])
def test_a_single_computer_has_nobody_to_hide_a_bag_from(game: str) -> None:
    table = formed(HostTable(game, ("remote",), (), "", ""))
    assert table.terms().fairness == "committed"
    assert table.drawing.why == Says.NOTHING_TO_ENCRYPT()
    with pytest.raises(LocalError, match=like(Says.NOTHING_TO_ENCRYPT)):
        fairness(game, "remote", wish="encrypted")


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
    table = formed(wish)
    assert table.terms().fairness == "committed"
    assert table.drawing.why == Says.CANNOT_ENCRYPT(most=140)
    with pytest.raises(LocalError, match="140"):
        formed(replace(wish, fairness="encrypted"))


def test_a_bag_is_encrypted_again_when_nothing_is_against_it_any_more() -> None:
    large = editions.read(EDITION.replace('"A" = [7, 1]', '"A" = [120, 1]'))
    editions.register(large)
    _, words = edition()
    table = formed(HostTable("networdz", APART, (), large.digest, words))
    assert table.wish.fairness == ""
    table.change(replace(table.wish, edition="", words=""))
    assert table.terms().fairness == "encrypted"
    assert not table.drawing.why
    table.change(replace(table.wish, fairness="committed"))
    assert table.wish.fairness == "committed"
    assert not table.drawing.why


def test_without_the_group_in_the_library_a_bag_is_committed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(group, "available", lambda: False)
    table = formed(HostTable("networdz", APART, (), "", ""))
    assert table.terms().fairness == "committed"
    assert "libsodium" in str(table.drawing.why)
    with pytest.raises(LocalError, match="libsodium"):
        fairness("networdz", *APART, wish="encrypted")


def test_the_terms_follow_who_plays_where() -> None:
    table = formed(HostTable("networdz", ("person", "computer"), (), "", ""))
    assert table.terms().fairness == "committed"
    table.change(HostTable("networdz", APART, (), "", ""))
    assert table.terms().fairness == "encrypted"


def test_a_guest_whose_library_lacks_the_group_says_so_and_the_host_may_choose(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    net = Net("ann", "bob")
    try:
        net.done("ann", HostTable("networdz", APART, (), "", ""))
        monkeypatch.setattr(group, "available", lambda: False)  # bob's
        net.done("bob", Join("ann", -1))
        net.settle()
        assert "libsodium" in "".join(net["ann"].lines("system"))
        wish = replace(net["ann"].forming.wish, fairness="committed")
        net.done("ann", ChangeTable(wish))
        net.done("bob", LeaveTable())
        net.done("bob", Join("ann", -1))
        net.settle()
        assert net["ann"].forming.agreed
    finally:
        net.close()
