"""Real nodes that look on: six at the host, others by them, and one of them killed."""

from pathlib import Path
from typing import Final

import pytest
import trio

from netplay.demo.show import living
from netplay.limits import DIRECT
from netplay.messages.door import HostTable, StartMatch
from netplay.messages.table_questions import LetWatch, StandIn, WatchAt
from tests.system.nodes import GAME, Resident

pytestmark = pytest.mark.processes

BELOW: Final = 3


def linked(one: Resident) -> set[str]:
    status = one.player.status
    assert status is not None
    return {peer.key for peer in status.peers if peer.connected}


def key_of(one: Resident) -> str:
    assert one.player.status is not None
    return one.player.status.key


async def test_who_finds_no_place_at_the_host_sees_it_all_at_another(
    tmp_path: Path,
) -> None:
    host = Resident(tmp_path / "host", 0)
    crowd = [Resident(tmp_path / f"{n}", n % 4) for n in range(DIRECT + BELOW)]
    with trio.fail_after(400):
        async with living(host, *crowd):
            assert host.player.status is not None
            host.port = host.player.status.port
            seats = ("person", "computer:30")
            await host.player.ask(HostTable(GAME, seats, (("size", "8"),), "", ""))
            await host.player.ask(StartMatch())
            await host.until_table(lambda table: table.phase == "playing")
            await host.player.ask(LetWatch("anybody"))
            for n, one in enumerate(crowd):
                await one.player.ask(WatchAt(host.address))
                await one.until(lambda status: status.mode == "watching")
                await host.until_table(lambda table, n=n: table.watched == n + 1)
            last = {key_of(one) for one in crowd[DIRECT:]}
            first = {key_of(one) for one in crowd[:DIRECT]}
            parents = [one for one in crowd[:DIRECT] if linked(one) & last]
            assert parents
            assert all(linked(one) & first for one in crowd[DIRECT:])
            # In the middle of the match one that passes it on is gone at once.
            await host.player.ask(StandIn(40))
            await host.until_table(lambda table: table.entries > 12)
            dead = parents[0]
            await dead.kill()
            there = [one for one in crowd if one is not dead]
            for one in (host, *there):
                await one.until_table(lambda table: table.phase == "over")
            for one in there:
                await one.until_table(lambda table: table.audit == "ok")
                assert one.table.entries == host.table.entries
            await host.until_table(lambda table: table.watched == len(there))
