"""A friend who is missed for days is called seldom, and often when there is a sign."""

from collections.abc import Callable
from pathlib import Path

import pytest
import trio
import trio.testing

from tests.netplay.memory import Player, World, running

HOUR = 3600
SELDOM = 120
"""Calls of one place in an hour, at the most: two a minute."""

SOON = 8
"""Calls in the first twenty seconds of a loss."""


def sleeps(player: Player) -> None:
    player.unix += HOUR


def moves(player: Player) -> None:
    player.places = ["10.0.7.1"]


def hears(player: Player) -> None:
    """Take that another's word has come of where the one who is missing is now."""
    [dial] = player.notes.dials
    player.presence.telling.moved(dial.key)


def knows(player: Player, friend: Player) -> None:
    """Let a player have met a friend where it is called."""
    known = player.known
    known.met(friend.key, "friend", f"10.0.0.1:{friend.port}", dialled=True)
    known.befriend(friend.key, "friend")


@pytest.mark.parametrize("sign", [sleeps, moves, hears])
async def test_who_is_missed_for_long_is_called_seldom_until_there_is_a_sign(
    world: World,
    tmp_path: Path,
    autojump_clock: trio.testing.MockClock,
    sign: Callable[[Player], None],
) -> None:
    player, friend = Player(world, 1, tmp_path), Player(world, 2, tmp_path)
    knows(player, friend)
    async with running(player):
        player.wants(friend, by_key=True)
        await trio.sleep(HOUR)
        before = world.dials
        await trio.sleep(HOUR)
        assert HOUR / 60 <= world.dials - before <= SELDOM
        before = world.dials
        sign(player)
        await trio.sleep(20)
        assert world.dials - before >= SOON
