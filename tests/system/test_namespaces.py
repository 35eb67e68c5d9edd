"""Two real nodes, each on a network of its own, and a cable between them."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio

from netplay.demo.show import living
from netplay.messages.node_questions import PeerStatus
from tests.patience import PATIENCE
from tests.system.namespaces import Side, There, cable, missing
from tests.system.nodes import begin, burden, hand, host, join, one_log

pytestmark = [pytest.mark.processes, pytest.mark.slow]

CUT_SECONDS = 20.0
RESUME_SECONDS = 3.0
MOVED_SECONDS = 12.0 + RESUME_SECONDS
"""Who has another address learns of it by silence."""

SIZE = 12


@pytest.fixture
def sides() -> tuple[Side, Side]:
    if why := missing():
        pytest.skip(why)
    with cable() as both:
        yield both


@asynccontextmanager
async def match(
    folder: Path, sides: tuple[Side, Side]
) -> AsyncGenerator[tuple[There, There]]:
    """Run a match that is played, a move a second."""
    near, far = (There(folder, n, side) for n, side in enumerate(sides))
    with trio.fail_after(PATIENCE):
        async with living(near, far) as nursery:
            await host(near, 1, size=SIZE)
            await join(far, near.address)
            await begin((near, far))
            for one in (near, far):
                nursery.start_soon(hand, one, 0.5)
            await near.until_table(lambda t: t.entries > 8)
            yield near, far


def away(peer: PeerStatus) -> bool:
    return not peer.connected


async def played_on(near: There, far: There) -> float:
    """Wait until both are there and a move of each has come; return the seconds."""
    began = trio.current_time()
    for one in (near, far):
        await one.until_peer(lambda peer: peer.connected)
    took = trio.current_time() - began
    entries = near.table.entries
    for one in (near, far):
        await one.until_table(lambda t: t.final >= entries + 2 or t.phase == "over")
    return took


async def test_a_match_goes_on_after_the_cable_was_out_for_twenty_seconds(
    tmp_path: Path, sides: tuple[Side, Side]
) -> None:
    async with match(tmp_path, sides) as (near, far):
        sides[0].pull()
        with trio.fail_after(CUT_SECONDS):
            for one in (near, far):
                await one.until_peer(away)
        await trio.sleep(CUT_SECONDS)
        assert near.table.phase != "over"
        sides[0].replug()
        took = await played_on(near, far)
        print(f"resumed {took:.2f} s after a cut of {CUT_SECONDS} s")
        assert took < RESUME_SECONDS * burden()
        assert await one_log((near, far)) > 8


@pytest.mark.parametrize("end", ["guest", "host"])
async def test_a_match_goes_on_where_one_end_has_another_address(
    tmp_path: Path, sides: tuple[Side, Side], end: str
) -> None:
    async with match(tmp_path, sides) as (near, far):
        moved, other = (far, near) if end == "guest" else (near, far)
        moved.side.move(77)
        began = trio.current_time()
        # Neither end need miss the old link: a new one may come before.
        await other.until_peer(lambda peer: moved.side.address in peer.address)
        await played_on(near, far)
        took = trio.current_time() - began
        print(f"resumed {took:.2f} s after the {end} had another address")
        assert took < MOVED_SECONDS * burden()
        assert await one_log((near, far)) > 8
