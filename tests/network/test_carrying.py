"""Two homes behind routers that keep no port, and a third friend's node in between."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
import trio

from netplay.demo.player import Player
from netplay.demo.show import living
from netplay.errors import Code, LocalError
from netplay.messages.door import HostTable, Join
from netplay.messages.node_questions import (
    AddCarrier,
    Befriend,
    CarryStatus,
    GetInvitation,
)
from netplay.record.archive import IN_HAND
from netplay.wanted import Thought
from rules import GAMES
from tests.network.laboratory import Dweller, Laboratory, laboratory, missing
from tests.system.nodes import begin

pytestmark = pytest.mark.processes

MOVES = {"networdz": 12, "hexcolumns": 150}
"""Entries of the log that are to be final: some turns, some seconds of two wells."""


@contextmanager
def lab() -> Iterator[Laboratory]:
    if why := missing():
        pytest.skip(why)
    with laboratory() as found:
        yield found


def _is_carried(carry: CarryStatus) -> bool:
    return any(one.state == "carries" for one in carry.carriers)


class Simple:
    """A player that takes one of the first moves there are."""

    def __init__(self, game: str) -> None:
        self.game: Any = GAMES[game]

    async def think(self, thought: Thought) -> Any:
        await trio.lowlevel.checkpoint()
        return list(islice(self.game.moves(thought.view, thought.seat), 3))[-1]


async def hand(one: Dweller, game: str) -> None:
    try:
        await one.player.play(one.number, 0, Simple(game), 0.1)
    except LocalError as error:
        assert error.code is Code.NO_ANSWER, error


@pytest.mark.parametrize(
    "game", ["networdz", pytest.param("hexcolumns", marks=pytest.mark.slow)]
)
async def test_two_behind_routers_that_keep_no_port_play_through_a_friend(
    game: str, tmp_path: Path
) -> None:
    with lab() as found, trio.fail_after(180):
        cast = []
        for number in (1, 2):
            inside, _box = found.home(number, nat="masquerade random")
            cast.append(Dweller(tmp_path, number - 1, inside, "--no-map-port"))
        server = found.host("carla")
        found.online(server, 3)
        ann, bob = cast
        carla = Dweller(tmp_path, 2, server, "--carry", "known")
        for one in cast:
            one.player = Player(game)
        async with living(ann, bob, carla) as nursery:
            to_carla = f"netplay:{carla.address}#{carla.player.status.key}"
            for one in cast:
                await one.player.ask(AddCarrier(to_carla))
                await carla.until_peer(lambda p, n=one.name: p.name == n)
                await carla.player.ask(Befriend(one.name))
                await one.until(lambda s: _is_carried(s.network.carry))
            await ann.player.ask(HostTable(game, ("person", "remote"), (), "", ""))
            invited = str((await ann.player.ask(GetInvitation())).text)
            assert f"@{carla.address}#" in invited
            began = trio.current_time()
            await bob.player.ask(Join(invited, 1))
            await bob.until_peer(lambda peer: peer.through == carla.name)
            print(f"linked {trio.current_time() - began:.2f} s after the call")
            await begin((ann, bob))
            for one in cast:
                nursery.start_soon(hand, one, game)
            await ann.until_table(lambda t: t.final > MOVES[game])
            status = carla.player.status
            assert status.table is None
            assert status.network.carry.lines == 1
            kept = {path.name for path in carla.home.matches.glob("*")}
            assert kept <= {IN_HAND}, "she has nothing of it"
