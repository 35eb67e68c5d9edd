"""Hexcolumns at real nodes: one is killed before rows rise, both take other names."""

from pathlib import Path
from random import Random
from typing import Any

import pytest
import trio

from netplay.demo.player import Player
from netplay.demo.show import LOG, living
from netplay.errors import Code, LocalError
from netplay.messages.door import HostTable, Play, Save, SetName, Status, Watch
from netplay.players.hexcolumns import choose
from netplay.record.store import ENDS
from netplay.record.verify import verify
from netplay.wanted import Thought
from netplay.wire import pack
from rules.hexcolumns import Drop, Pause, Resume
from tests.patience import PATIENCE
from tests.system.nodes import Resident, begin, join

pytestmark = pytest.mark.processes

OPTIONS = (("size", "8"), ("attacks", "on"))
SKILL = 60


class Chaining:
    """A quick player for the test's own process."""

    async def think(self, thought: Thought) -> Any:
        await trio.lowlevel.checkpoint()
        return choose(thought.view, thought.seat, thought.skill, Random(0))


def wells(one: Resident) -> Any:
    state: Any = one.player.state
    return state.wells


async def until_sent(one: Resident) -> None:
    """Wait until a node shows that the first well has sent rows."""
    while one.player.state is None or not wells(one)[0].sent:
        await one.player.news()


async def press(one: Resident, *moves: Any) -> None:
    """Play moves at a node, as soon as its clocks run."""
    for move in moves:
        while True:
            try:
                await one.player.ask(Play(one.number, pack(move), 0))
                break
            except LocalError as error:
                assert error.code is Code.SILENT, error
                await one.player.news()


async def test_rows_rise_in_the_well_of_a_node_that_was_killed_after_they_had_come(
    tmp_path: Path,
) -> None:
    near, far = (Resident(tmp_path, n, player=Player("hexcolumns")) for n in range(2))
    copy = tmp_path / "copy"
    with trio.fail_after(PATIENCE):
        async with living(near, far) as nursery:
            chairs = ("person", "remote")
            await near.player.ask(HostTable("hexcolumns", chairs, OPTIONS, "", ""))
            await join(far, near.address)
            await begin([near, far])
            await far.player.ask(Watch(1))
            await press(far, Pause())
            async with trio.open_nursery() as hands:
                hands.start_soon(near.player.play, 0, SKILL, Chaining(), 0.02)
                await until_sent(far)
                hands.cancel_scope.cancel()
            assert wells(far)[1].taken == 0
            await far.kill()
            await far.start()
            await far.meet(nursery)
            await far.until_table(lambda t: t.phase == "playing")
            await far.player.ask(Watch(1))
            await press(far, Resume(), Drop())
            while not wells(near)[1].taken:
                await near.player.news()
            assert wells(near)[1].taken <= wells(near)[0].sent
            await near.player.ask(Save(str(copy)))
    verdict = verify(copy.read_bytes().partition(ENDS)[0])
    assert verdict.ok is not False, verdict.reason


async def test_a_live_game_does_not_notice_that_its_players_take_other_names(
    tmp_path: Path,
) -> None:
    near, far = (Resident(tmp_path, n, player=Player("hexcolumns")) for n in range(2))
    with trio.fail_after(PATIENCE):
        async with living(near, far):
            chairs = ("person", "remote")
            await near.player.ask(HostTable("hexcolumns", chairs, (), "", ""))
            await join(far, near.address)
            await begin([near, far])
            await near.player.ask(Watch(0))
            await far.player.ask(Watch(1))
            linked = [lines_about_links(one) for one in (near, far)]
            for one, other, name in ((near, far, "Adele"), (far, near, "Bernard")):
                await one.player.ask(SetName(name))
                before = other.player.state
                while name not in {peer.name for peer in status_of(other).peers}:
                    await other.player.news()
                    assert other.table.phase in {"playing", "over"}
                assert other.table.seats[one.number].name == name
                assert other.table.seats[one.number].state != "away"
                while other.player.state == before and other.table.phase != "over":
                    await other.player.news()
            assert [lines_about_links(one) for one in (near, far)] == linked


def status_of(one: Resident) -> Status:
    assert one.player.status is not None
    return one.player.status


def lines_about_links(one: Resident) -> list[str]:
    """Return what a node has written down of links that came and went."""
    lines = (one.home.path / LOG).read_text("utf-8", "replace").splitlines()
    found = [line for line in lines if "link.up" in line or "link.down" in line]
    assert found
    return found
