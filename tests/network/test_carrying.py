"""Two homes behind routers that keep no port, and a third friend's node in between."""

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
    NameServers,
    RemoveCarrier,
    Switch,
)
from netplay.record.archive import IN_HAND
from netplay.wanted import Thought
from rules import GAMES
from tests.network.homes import KINDS, answer_where
from tests.network.laboratory import Dweller, lab
from tests.patience import PATIENCE
from tests.system.nodes import begin, burden, host, join

pytestmark = pytest.mark.processes

CHOSEN_SECONDS = 10.0
"""For the program to see that nothing else will work, and to help itself."""

AWAKE_SECONDS = 60.0
"""For two to meet again who have slept and have other addresses now."""

MOVES = {"networdz": 12, "hexcolumns": 150}
"""Entries of the log that are to be final: some turns, some seconds of two wells."""


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
    with lab() as found, trio.fail_after(2 * PATIENCE):
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


async def test_where_ports_are_random_a_friend_who_carries_is_chosen_unasked(
    tmp_path: Path,
) -> None:
    with lab() as found, trio.fail_after(2 * PATIENCE):
        inside = KINDS["random"].build(found, 1, tmp_path)
        servers = [found.host(name) for name in ("carla", "server")]
        for number, server in enumerate(servers, 3):
            found.online(server, number)
        ann = Dweller(tmp_path, 1, inside, "--no-map-port")
        carla = Dweller(tmp_path, 0, servers[0], "--carry", "known", port=443)
        async with trio.open_nursery() as nursery, living(ann, carla):
            nursery.start_soon(answer_where, servers[1])
            await host(carla, 1, 8)
            await join(ann, carla.address)
            await carla.player.ask(Befriend(ann.name))
            await ann.player.ask(NameServers("8.9.4.2:3478"))
            assert not ann.player.status.network.carry.carriers
            await ann.player.ask(Switch("ask-servers", on=True))
            with trio.fail_after(CHOSEN_SECONDS * burden()):
                await ann.until(lambda s: _is_carried(s.network.carry))
            assert ann.player.status.network.inviting == "fine"
            invited = str((await ann.player.ask(GetInvitation())).text)
            assert f"@{carla.address}#" in invited
            # Whoever says no is not asked again.
            await ann.player.ask(RemoveCarrier(carla.name))
            await ann.until(lambda s: not s.network.carry.carriers)
            await ann.player.ask(NameServers("8.9.4.2:3478 8.9.3.2:443"))
            await trio.sleep(2)
            assert not ann.player.status.network.carry.carriers
            nursery.cancel_scope.cancel()


@pytest.mark.slow
async def test_two_who_slept_while_both_moved_meet_again_by_who_carries(
    tmp_path: Path,
) -> None:
    with lab() as found, trio.fail_after(2 * PATIENCE):
        homes = [found.home(number) for number in (1, 2)]
        server = found.host("carla")
        found.online(server, 3)
        ann, bob = (
            Dweller(tmp_path, n, inside, "--no-map-port")
            for n, (inside, _box) in enumerate(homes)
        )
        carla = Dweller(tmp_path, 2, server, "--carry", "known")
        async with living(ann, bob, carla):
            to_carla = f"netplay:{carla.address}#{carla.player.status.key}"
            for one in (ann, bob):
                await one.player.ask(AddCarrier(to_carla))
                await carla.until_peer(lambda p, n=one.name: p.name == n)
                await carla.player.ask(Befriend(one.name))
                await one.until(lambda s: _is_carried(s.network.carry))
            await host(ann, 1, 8)
            invited = str((await ann.player.ask(GetInvitation())).text)
            await bob.player.ask(Join(invited, 1))
            await bob.until_peer(lambda peer: peer.name == ann.name)
            await begin((ann, bob))
            for one in (ann, bob):
                await one.stop()
            for number, (_inside, box) in enumerate(homes, 1):
                box.ip("address", "del", f"8.9.{number}.2/24", "dev", "wan")
                box.address(f"8.9.{number}.77/24", "wan")
                box.ip("route", "add", "default", "via", f"8.9.{number}.1")
            for one in (ann, bob):
                await one.start()
            async with trio.open_nursery() as nursery:
                for one in (ann, bob):
                    await one.meet(nursery)
                awake = trio.current_time()
                with trio.fail_after(AWAKE_SECONDS * burden()):
                    await bob.until_peer(
                        lambda peer: peer.connected and peer.name == ann.name
                    )
                print(f"met again {trio.current_time() - awake:.1f} s after waking")
                nursery.cancel_scope.cancel()
