"""Nodes in memory that call each other by invitation, and who is known to whom."""

from pathlib import Path

import trio
import trio.testing

from netplay.errors import Code
from netplay.peering import invitation
from netplay.sentences import Says
from netplay.wanted import Dial
from tests.netplay.memory import Player, World, met, running
from tests.said import says


def invited(*players: Player, by: Player) -> str:
    """Return an invitation by one node that names the addresses of several."""
    hosts = [f"10.0.0.1:{player.port}" for player in players]
    return invitation.write(hosts, by.key, 0)


def calls(caller: Player, address: str) -> Dial:
    dial = Dial(address, None)
    caller.notes.dials.append(dial)
    caller.node.settled()
    return dial


async def test_an_invited_node_is_called_and_the_desk_knows_it_by_the_invitation(
    world: World, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    first, second = Player(world, 1, tmp_path), Player(world, 2, tmp_path)
    async with running(first, second):
        text = invited(second, by=second)
        calls(first, text)
        await trio.sleep(1)
        assert first.notes.up == {second.key: ("player 2", text)}


async def test_every_address_of_an_invitation_is_tried(
    world: World, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    first, second, nobody, other = (Player(world, n, tmp_path) for n in (1, 2, 3, 4))
    async with running(first, second, other):
        calls(first, invited(nobody, other, second, by=second))
        await trio.sleep(1)
        assert list(first.notes.up) == [second.key]
        assert first.notes.failed == []
        await trio.sleep(1)
        assert other.notes.history == []


async def test_another_key_than_the_invited_one_stops_loudly_on_first_contact(
    world: World, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    first, second, thief = (Player(world, n, tmp_path) for n in (1, 2, 3))
    async with running(first, thief):
        dial = calls(first, invited(thief, by=second))
        await trio.sleep(100)
        assert first.notes.up == thief.notes.up == {}
        ((told, why),) = first.notes.failed
        assert told == dial
        assert Code.WRONG_KEY.text in why
        assert says(why, Says.NOT_THE_INVITER)


async def test_a_wrong_key_at_one_address_is_told_but_the_others_are_tried_again(
    world: World, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    first, second, thief = (Player(world, n, tmp_path) for n in (1, 2, 3))
    async with running(first, thief):
        calls(first, invited(second, thief, by=second))
        await trio.sleep(1)
        assert says(first.notes.failed[0][1], Says.NOT_THE_INVITER)
        async with running(second):
            await trio.sleep(12)
            assert list(first.notes.up) == [second.key]


async def test_an_invitation_outweighs_who_was_known_at_the_address(
    world: World, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    first, second = Player(world, 1, tmp_path), Player(world, 2, tmp_path)
    fresh = Player(world, 3, tmp_path, port=second.port)  # has the address now
    async with running(first):
        async with running(second):
            first.wants(second)
            await trio.sleep(1)
        first.notes.dials.clear()
        async with running(fresh):
            calls(first, invited(fresh, by=fresh))
            await trio.sleep(1)
            assert list(first.notes.up) == [fresh.key]


async def test_an_invitation_that_cannot_be_read_is_told_once(
    world: World, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    first = Player(world, 1, tmp_path)
    async with running(first):
        calls(first, "netplay:10.0.0.1:4772#ABCD")
        await trio.sleep(100)
        assert len(first.notes.failed) == 1
        assert says(first.notes.failed[0][1], Says.INVITATION_NOT_WHOLE)


async def test_nonsense_for_an_address_does_not_hide_the_addresses_known(
    world: World, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    first, second = Player(world, 1, tmp_path), Player(world, 2, tmp_path)
    async with met(first, second):
        first.notes.dials.clear()
        world.cut()
        await trio.sleep(0.1)
        first.notes.dials.append(Dial("a/b", second.key))
        first.node.settled()
        await trio.sleep(1)
        assert list(first.notes.up) == [second.key]
