"""Two homes that cannot be called, never online together: a move still arrives."""

from pathlib import Path

import pytest
import trio

from netplay.demo.stage import living
from netplay.messages.door import HostTable, Join
from netplay.messages.node_questions import AddCarrier, Befriend, GetInvitation
from netplay.record.archive import IN_HAND
from tests.network.laboratory import Dweller, laboratory, missing
from tests.system.nodes import GAME, begin
from tests.system.test_carried_lines import carries
from tests.system.test_letters import turn

pytestmark = pytest.mark.processes


async def test_a_move_arrives_though_the_two_are_never_online_together(
    tmp_path: Path,
) -> None:
    if why := missing():
        pytest.skip(why)
    with laboratory() as found, trio.fail_after(180):
        cast = []
        for number in (1, 2):
            inside, _box = found.home(number, nat="masquerade random")
            cast.append(Dweller(tmp_path, number - 1, inside, "--no-map-port"))
        server = found.host("carla")
        found.online(server, 3)
        ann, bob = cast
        carla = Dweller(tmp_path, 2, server, "--carry", "known")
        async with living(carla):
            async with living(ann, bob):
                to_carla = f"netplay:{carla.address}#{carla.puppet.status.key}"
                for one in cast:
                    await one.puppet.ask(AddCarrier(to_carla))
                    await carla.until_peer(lambda p, n=one.name: p.name == n)
                    await carla.puppet.ask(Befriend(one.name))
                    await one.until(lambda s: carries(s.network.carry))
                options = (("size", "8"),)
                await ann.puppet.ask(
                    HostTable(GAME, ("person", "remote"), options, "", "")
                )
                line = str((await ann.puppet.ask(GetInvitation())).text)
                await bob.puppet.ask(Join(line, 1))
                await begin((ann, bob))
                await ann.until_table(lambda t: bool(t.turn))
            first, second = cast if 0 in ann.table.turn else cast[::-1]
            for one in (first, second, first):
                began = trio.current_time()
                await turn(one)  # it waits for the other's move
                print(f"{one.name}: {trio.current_time() - began:.1f} s awake")
            assert carla.puppet.status.table is None
            assert {p.name for p in carla.home.matches.glob("*")} <= {IN_HAND}
