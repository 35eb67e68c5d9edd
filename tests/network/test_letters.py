"""Two homes that cannot be called, never online together: what one does arrives."""

from pathlib import Path

import pytest
import trio

from netplay.demo.show import living
from netplay.messages.door import HostTable, Join, Say, Status
from netplay.messages.node_questions import AddCarrier, Befriend, GetInvitation
from netplay.record.archive import IN_HAND
from tests.network.laboratory import Dweller, Laboratory, laboratory, missing
from tests.patience import PATIENCE
from tests.system.nodes import GAME, begin
from tests.system.test_carried_lines import carries
from tests.system.test_letters import turn

pytestmark = pytest.mark.processes


async def acquainted(found: Laboratory, tmp_path: Path) -> tuple[Dweller, ...]:
    """Return two behind routers of random ports and a friend who carries for them."""
    cast = []
    for number in (1, 2):
        inside, _box = found.home(number, nat="masquerade random")
        cast.append(Dweller(tmp_path, number - 1, inside, "--no-map-port"))
    server = found.host("carla")
    found.online(server, 3)
    return (*cast, Dweller(tmp_path, 2, server, "--carry", "known"))


async def begun(ann: Dweller, bob: Dweller, carla: Dweller) -> None:
    """Have the two begin a match through Carla; she is awake."""
    to_carla = f"netplay:{carla.address}#{carla.player.status.key}"
    for one in (ann, bob):
        await one.player.ask(AddCarrier(to_carla))
        await carla.until_peer(lambda p, n=one.name: p.name == n)
        await carla.player.ask(Befriend(one.name))
        await one.until(lambda s: carries(s.network.carry))
    await ann.player.ask(
        HostTable(GAME, ("person", "remote"), (("size", "8"),), "", "")
    )
    line = str((await ann.player.ask(GetInvitation())).text)
    await bob.player.ask(Join(line, 1))
    await begin((ann, bob))
    await ann.until_table(lambda t: bool(t.turn))


async def test_a_move_arrives_though_the_two_are_never_online_together(
    tmp_path: Path,
) -> None:
    if why := missing():
        pytest.skip(why)
    with laboratory() as found, trio.fail_after(2 * PATIENCE):
        ann, bob, carla = await acquainted(found, tmp_path)
        async with living(carla):
            async with living(ann, bob):
                await begun(ann, bob, carla)
            cast = (ann, bob)
            first, second = cast if 0 in ann.table.turn else cast[::-1]
            for one in (first, second, first):
                began = trio.current_time()
                await turn(one)  # it waits for the other's move
                print(f"{one.name}: {trio.current_time() - began:.1f} s awake")
            assert carla.player.status.table is None
            assert {p.name for p in carla.home.matches.glob("*")} <= {IN_HAND}


async def talked(one: Dweller, heard: list[str], text: str, delivered: int) -> None:
    """Wake a node, see what was said to it, answer, and let it sleep."""

    def has_come(_status: Status) -> bool:
        return [line.text for line in one.player.lines] == heard

    one.player.lines.clear()
    async with living(one):
        await one.until(has_come)
        await one.until_table(lambda t: t.made.lines == delivered)
        await one.until(lambda s: carries(s.network.carry))
        await one.player.ask(Say(text))


@pytest.mark.slow
async def test_two_who_are_never_online_together_chat(tmp_path: Path) -> None:
    if why := missing():
        pytest.skip(why)
    with laboratory() as found, trio.fail_after(2 * PATIENCE):
        ann, bob, carla = await acquainted(found, tmp_path)
        async with living(carla):
            async with living(ann, bob):
                await begun(ann, bob, carla)
            said = list[str]()
            for trip in range(2):
                for one in (ann, bob):
                    text = f"{one.name} says {trip}"
                    await talked(one, said, text, trip)
                    said.append(text)
            assert carla.player.lines == []
