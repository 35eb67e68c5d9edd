"""Two real nodes and a bad line between them."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio

from netplay.demo.show import living
from netplay.messages.node_questions import PeerStatus
from tests.patience import PATIENCE
from tests.system.nodes import Resident, begin, burden, hand, host, join, one_log
from tests.system.relay import Relay, relay

pytestmark = [pytest.mark.processes, pytest.mark.slow]

JOIN_SECONDS = 4.0
RESUME_SECONDS = 3.0
SILENCE_SECONDS = 12.0
SLACK_SECONDS = 0.5
"""For a machine with other things to do; a silence counts from the last byte that came,
which may have been on its way when the line went dead."""

Line = tuple[Resident, Resident, Relay, trio.Nursery]


def here(peer: PeerStatus) -> bool:
    return peer.connected


def away(peer: PeerStatus) -> bool:
    return not peer.connected


@asynccontextmanager
async def across(tmp_path: Path) -> AsyncGenerator[Line]:
    """Run a host and a guest that knows it only through a relay, and is not found."""
    near = Resident(tmp_path, 0)
    # The host would look for it where the relay is, and there is nobody.
    far = Resident(tmp_path, 1, listen="127.0.0.2")
    with trio.fail_after(PATIENCE):
        async with relay() as line, living(near, far) as nursery:
            line.target = near.port
            yield near, far, line, nursery


@asynccontextmanager
async def match(tmp_path: Path) -> AsyncGenerator[Line]:
    """Run a match of two across a relay."""
    async with across(tmp_path) as (near, far, line, nursery):
        await host(near, 1, size=8)
        await join(far, line.address)
        await begin((near, far))
        yield near, far, line, nursery


async def seconds(what: Callable[[], Awaitable[object]]) -> float:
    began = trio.current_time()
    await what()
    return trio.current_time() - began


async def test_a_guest_joins_over_a_slow_line_in_four_seconds(tmp_path: Path) -> None:
    async with across(tmp_path) as (near, far, line, _):
        await host(near, 1, size=8)
        took = await join(far, line.address)
        print(f"joined in {took:.2f} s")
        assert took < JOIN_SECONDS * burden()
        assert line.came == 1


@pytest.mark.parametrize("length", [0.0, 3.0, 20.0])
async def test_a_link_that_was_cut_is_there_again_in_three_seconds(
    tmp_path: Path, length: float
) -> None:
    async with match(tmp_path) as (near, far, line, _):
        line.cut()
        await near.until_peer(away)
        await far.until_peer(away)
        await trio.sleep(length)
        line.heal()
        took = await seconds(lambda: resumed(near, far))
        print(f"resumed in {took:.2f} s after a cut of {length} s")
        assert took < RESUME_SECONDS * burden()


async def resumed(near: Resident, far: Resident) -> None:
    for one in (near, far):
        await one.until_peer(here)
        await one.until_table(lambda t: t.phase == "playing")


@pytest.mark.parametrize(("length", "lost"), [(14.0, False), (20.0, True)])
async def test_silence_is_noticed_in_twelve_seconds_and_mended_in_three(
    tmp_path: Path, length: float, *, lost: bool
) -> None:
    async with match(tmp_path) as (near, far, line, _):
        line.stall()
        began = trio.current_time()
        await near.until_peer(away)
        noticed = trio.current_time() - began
        await far.until_peer(away)
        both = trio.current_time() - began
        assert both < SILENCE_SECONDS + SLACK_SECONDS * burden()
        assert noticed > 5.0
        await trio.sleep_until(began + length)
        line.heal(lost=lost)
        took = await seconds(lambda: resumed(near, far))
        print(f"silence noticed in {noticed:.2f} and {both:.2f} s;", end=" ")
        print(f"resumed in {took:.2f} s after {length} s")
        assert took < RESUME_SECONDS * burden()


async def test_a_line_that_drops_again_and_again_loses_no_move(tmp_path: Path) -> None:
    async with match(tmp_path) as (near, far, line, nursery):
        nursery.start_soon(hand, near, 0.0)
        nursery.start_soon(hand, far, 0.0)
        drops = 0
        while near.table.phase != "over" and drops < 12:
            entries = near.table.entries
            await near.until_table(
                lambda t, entries=entries: t.entries >= entries + 4 or t.phase == "over"
            )
            line.drop()
            drops += 1
        for one in (near, far):
            await one.until_table(lambda t: t.phase == "over")
        entries = await one_log((near, far))
        print(f"{drops} drops, {entries} entries")
        assert drops >= 5
