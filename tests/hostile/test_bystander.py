"""What a bystander may cost two who play, and what it cannot do."""

from functools import partial
from pathlib import Path

import pytest
import trio

from netplay.demo.show import living
from netplay.messages.log import Entries
from netplay.messages.table_questions import LetWatch
from tests.hostile.bystander import ask_again_and_again, overstep, watch
from tests.hostile.nodes import Victim, needs_proc
from tests.hostile.peer import Peer
from tests.patience import PATIENCE
from tests.system.nodes import begin, hand, host, join

pytestmark = [pytest.mark.processes, needs_proc]


async def test_two_hundred_who_ask_to_watch_disturb_neither_player(
    tmp_path: Path,
) -> None:
    cast = near, far = Victim(tmp_path, 0), Victim(tmp_path, 1)
    peer = Peer(tmp_path / "eve", "Eve")
    with trio.fail_after(PATIENCE):
        async with living(*cast) as nursery:
            await host(near, 1, size=20)
            await join(far, near.address)
            await begin(cast)
            for one in cast:
                nursery.start_soon(partial(hand, one, 0.2))
            before = [one.cost() for one in cast]
            files = [one.files() for one in cast]
            played = near.table.entries
            await ask_again_and_again(peer, near.port, 200)
            for one, was, kept in zip(cast, before, files, strict=True):
                cost = one.cost().more_than(was)
                print(cost)
                assert 1 <= cost.lines <= 20
                assert cost.memory < 30
                assert one.files() == kept
            await near.until_table(lambda table: table.entries > played + 10)
            assert near.table.phase == "playing"


async def test_an_admitted_bystander_gets_the_entries_and_has_no_say(
    tmp_path: Path,
) -> None:
    cast = near, far = Victim(tmp_path, 0), Victim(tmp_path, 1)
    peer = Peer(tmp_path / "eve", "Eve")
    with trio.fail_after(PATIENCE):
        async with living(*cast) as nursery:
            await host(near, 1, size=20)
            await join(far, near.address)
            await begin(cast)
            for one in cast:
                await one.window.ask(LetWatch("anybody"))
            async with peer.call(near.port) as line:
                entries: Entries = await watch(line)
                assert len(entries.entries) == 1
                ends = await overstep(peer, near.port, entries.match)
                assert [end.split()[0] for end in ends] == ["23", "23", "23"]
            for one in cast:
                nursery.start_soon(partial(hand, one, 0.0))
            await near.until_table(lambda table: table.entries > 60)
            await far.until_table(lambda table: table.entries > 60)
            assert near.table.phase in {"playing", "over"}
