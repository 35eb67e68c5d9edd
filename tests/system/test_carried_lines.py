"""Two nodes without a way to each other, and a third in between, without a seat."""

from pathlib import Path

import pytest
import trio

from netplay.demo.show import living
from netplay.messages.door import Join
from netplay.messages.node_questions import AddCarrier, Befriend, CarryStatus, SetCarry
from tests.patience import PATIENCE
from tests.system.nodes import Resident, begin, hand, host, one_log

pytestmark = pytest.mark.processes


def carries(carry: CarryStatus) -> bool:
    return any(one.state == "carries" for one in carry.carriers)


async def known(carla: Resident, friend: Resident) -> str:
    """Have a node reached through Carla's; return the line that invites there."""
    assert carla.player.status is not None
    line = f"netplay:{carla.address}#{carla.player.status.key}"
    await friend.player.ask(AddCarrier(line))
    await carla.until_peer(lambda peer: peer.connected and peer.name == friend.name)
    await carla.player.ask(Befriend(friend.name))
    await friend.until(lambda s: carries(s.network.carry))
    status = friend.player.status
    assert status is not None
    via = carla.player.status.key.replace("-", "")
    return f"netplay:via/{via}@{carla.address}#{status.key}"


async def test_a_match_is_played_through_a_friend_without_a_seat(
    tmp_path: Path,
) -> None:
    cast = [Resident(tmp_path, number) for number in range(3)]
    ann, bob, carla = cast
    with trio.fail_after(PATIENCE):
        async with living(*cast):
            for one in cast:
                assert one.player.status is not None
                one.port = one.player.status.port
            await carla.player.ask(SetCarry("known"))
            line = await known(carla, ann)
            await known(carla, bob)
            await host(ann, 1, 8)
            await bob.player.ask(Join(line, 1))
            await bob.until_peer(lambda peer: peer.through == carla.name)
            await begin((ann, bob))
            async with trio.open_nursery() as nursery:
                for one in (ann, bob):
                    nursery.start_soon(hand, one, 0.0)
                await one_log((ann, bob))
                nursery.cancel_scope.cancel()
            assert carla.player.status.network.carry.lines == 1
            assert carla.player.status.table is None
