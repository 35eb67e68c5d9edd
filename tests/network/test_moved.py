"""Two homes get other addresses while both sleep: a friend in common lets them meet.

No server is asked and nobody carries: the friend has a link to each, now or later, and
passes on what each has signed of its places; then both call at the same time.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio

from netplay.demo.show import living
from netplay.messages.door import Call, Join, LeaveTable
from netplay.messages.node_questions import GetInvitation
from tests.network.laboratory import Dweller, Host, Laboratory, lab
from tests.patience import PATIENCE
from tests.system.nodes import begin, burden, host

pytestmark = pytest.mark.processes

AWAKE_SECONDS = 60.0
"""For two to meet again who have slept and have other addresses now."""

ALONE_SECONDS = 25.0
"""For which two try by themselves, before a friend in common wakes up."""


def moves(box: Host, number: int) -> None:
    """Give a router another address of its network, as providers do at night."""
    box.ip("address", "del", f"8.9.{number}.2/24", "dev", "wan")
    box.address(f"8.9.{number}.77/24", "wan")
    box.ip("route", "add", "default", "via", f"8.9.{number}.1")


@asynccontextmanager
async def asleep(
    found: Laboratory, folder: Path
) -> AsyncIterator[tuple[Sequence[Dweller], Sequence[Host]]]:
    """Give Ann and Bob in the middle of a match, and Carla, with whom both have played.

    Ann and Bob sleep; their routers are given, too.
    """
    homes = [found.home(number) for number in (1, 2)]
    server = found.host("carla")
    found.online(server, 3)
    ann, bob = (
        Dweller(folder, n, inside, "--no-map-port")
        for n, (inside, _box) in enumerate(homes, 1)
    )
    carla = Dweller(folder, 0, server)
    async with living(ann, bob, carla):
        for one in (ann, bob):
            await host(carla, 1, 8)
            await one.player.ask(Join(carla.address, 1))
            await begin((carla, one))
            await one.until(lambda s: s.network.ports == "keeps")
            for each in (carla, one):
                await each.player.ask(LeaveTable())
                await each.until(lambda s: s.table is None)
        await host(ann, 1, 8)
        lines = [
            str((await each.player.ask(GetInvitation())).text) for each in (ann, bob)
        ]
        await ann.player.ask(Call(lines[1], 1))
        await bob.player.ask(Join(lines[0], 1))
        await bob.until_peer(lambda p: p.connected and p.name == ann.name)
        await begin((ann, bob))
        for one in (ann, bob):
            await one.stop()
        yield (ann, bob, carla), [box for _inside, box in homes]


async def met_again(ann: Dweller, bob: Dweller) -> None:
    """Wait until two who are awake have a link; say how long that took."""
    with trio.fail_after(AWAKE_SECONDS * burden()):
        took = await bob.until_peer(lambda p: p.connected and p.name == ann.name)
    print(f"met again after {took:.1f} s")


async def test_two_who_slept_while_both_moved_meet_again_by_a_friend_in_common(
    tmp_path: Path,
) -> None:
    with lab() as found, trio.fail_after(2 * PATIENCE):
        async with asleep(found, tmp_path) as ((ann, bob, carla), boxes):
            for number, box in enumerate(boxes, 1):
                moves(box, number)
            for one in (ann, bob):
                await one.start()
            async with trio.open_nursery() as nursery:
                for one in (ann, bob):
                    await one.meet(nursery)
                await met_again(ann, bob)
                status = carla.player.status
                assert status is not None
                assert status.network.carry.carry == "off"
                assert status.network.carry.lines == 0
                nursery.cancel_scope.cancel()


@pytest.mark.slow
async def test_the_friend_in_common_may_wake_up_after_both_who_moved(
    tmp_path: Path,
) -> None:
    with lab() as found, trio.fail_after(2 * PATIENCE):
        async with asleep(found, tmp_path) as ((ann, bob, carla), boxes):
            await carla.stop()
            for number, box in enumerate(boxes, 1):
                moves(box, number)
            for one in (ann, bob):
                await one.start()
            async with trio.open_nursery() as nursery:
                for one in (ann, bob):
                    await one.meet(nursery)
                with trio.move_on_after(ALONE_SECONDS):
                    await bob.until_peer(lambda p: p.connected and p.name == ann.name)
                    raise AssertionError("they met without her")
                await carla.start()
                await carla.meet(nursery)
                await met_again(ann, bob)
                nursery.cancel_scope.cancel()


@pytest.mark.slow
async def test_one_alone_who_moved_is_found_again(tmp_path: Path) -> None:
    with lab() as found, trio.fail_after(2 * PATIENCE):
        async with asleep(found, tmp_path) as ((ann, bob, _carla), boxes):
            moves(boxes[0], 1)
            for one in (ann, bob):
                await one.start()
            async with trio.open_nursery() as nursery:
                for one in (ann, bob):
                    await one.meet(nursery)
                await met_again(ann, bob)
                nursery.cancel_scope.cancel()
