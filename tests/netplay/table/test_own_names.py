"""One's own name for a friend, wherever that friend plays or speaks."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from netplay.messages.door import (
    Answer,
    LeaveTable,
    Line,
    Notice,
    Say,
    SeatStatus,
    StartMatch,
)
from netplay.messages.node_questions import Personal
from netplay.said import Said
from netplay.sentences import Says
from netplay.table.table_status import called as called_in
from tests.netplay.joined_nodes import Net, table


@pytest.fixture
def net() -> Iterator[Net]:
    one = Net("ann", "bob", "cyd")
    for node in one.nodes.values():
        for other in one.nodes.values():
            if other is not node:
                node.known.befriend(other.key, other.name)
    ann = one["ann"]
    ann.known.describe(one["bob"].key, Personal("Bobby"))
    yield one
    one.close()


def names(seats: tuple[SeatStatus, ...]) -> list[str]:
    return [seat.name for seat in seats]


def test_a_match_shows_a_friend_by_ones_own_name_and_nobody_else_does(net: Net) -> None:
    net.start("bob", "cyd", computers=False)
    [mine] = net["ann"].tables.games(net.now)
    assert names(net.status("ann").seats)[1:] == ["Bobby", "cyd"]
    assert mine.players[1:] == ("Bobby", "cyd")
    for other in ("bob", "cyd"):
        assert names(net.status(other).seats)[1:] == ["bob", "cyd"]


def test_nobody_is_told_to_wait_for_tiles_from_themselves(net: Net) -> None:
    net.done("bob", Answer(on=True))
    seats = "person", "remote:bob"
    net.done("ann", table("networdz", *seats, fairness="encrypted"))
    net.settle()
    net.done("ann", StartMatch())
    told: dict[str, set[str]] = {"ann": set(), "bob": set()}
    while net.deliver() or net.work():
        for name, heard in told.items():
            waiting = net.status(name).waiting
            if isinstance(waiting, Said) and waiting.code == Says.TILES_FROM.name:
                heard.add(str(waiting))
    assert told == {"ann": {str(Says.TILES_FROM(names="Bobby"))}, "bob": set()}


def test_a_new_name_is_in_the_list_of_games_at_once(net: Net) -> None:
    net.start("bob", "cyd", computers=False)
    ann = net["ann"]
    assert ann.tables.games(net.now)[0].players[1:] == ("Bobby", "cyd")
    ann.known.describe(net["bob"].key, Personal("Robert"))
    ann.tables.renamed()
    assert ann.tables.games(net.now)[0].players[1:] == ("Robert", "cyd")


def test_so_do_chat_and_who_is_away(net: Net) -> None:
    net.start("bob", "cyd", computers=False)
    net.done("bob", Say("hello"))
    net.settle()
    for name, author in (("ann", "Bobby"), ("cyd", "bob")):
        told = [push.message for push in net[name].pushes]
        lines = [(one.author, one.text) for one in told if isinstance(one, Line)]
        assert lines == [(author, "hello")]
    for other in ("ann", "cyd"):
        net.part(other, "bob")
    net.settle()
    [mine] = net["ann"].tables.games(net.now)
    assert mine.away == ("Bobby",)


def test_so_do_notices_of_a_match_and_what_the_player_is_called_to(net: Net) -> None:
    net.start("bob", "cyd", computers=False)
    ann, bob = net["ann"], net["bob"]
    ann.tables.take_news()
    net.done("bob", Say("hello"))
    net.settle()
    rung = ann.tables.take_news().summons
    assert [one.who for one in rung if one.reason == "chat"] == [("Bobby",)]
    net.done("bob", LeaveTable())
    net.settle()
    for name, called in (("ann", "Bobby"), ("cyd", "bob")):
        told = [push.message for push in net[name].pushes]
        notices = [one.said for one in told if isinstance(one, Notice)]
        left = [one for one in notices if one.code == Says.HAS_LEFT_TABLE.name]
        assert [dict(one.values)["name"] for one in left] == [called]
    fold = net["cyd"].match.fold
    said = Says.WOULD_REMATCH(name="bob")
    mine = called_in(fold, ann.known.own_name, said)
    assert dict(mine.values) == {"name": "Bobby"}
    assert ann.tables.shared.their_name(bob.key) == "bob"


def test_a_name_that_two_have_in_a_match_is_taken_for_neither(net: Net) -> None:
    """Else the friend would be told to be late where the other one is."""
    bob = net["bob"].key
    fold: Any = SimpleNamespace(
        holders=(bob, net["cyd"].key), names=("bob", "bob"), members=()
    )
    said = Says.WOULD_REMATCH(name="bob")
    assert called_in(fold, net["ann"].known.own_name, said) == said
