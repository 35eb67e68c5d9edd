"""Two homes whose routers pass nothing on: both call, and it opens."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio

from netplay.demo.show import living
from netplay.messages.door import Call, Join
from netplay.messages.table_questions import Vote
from netplay.sentences import Says
from tests.network.laboratory import Dweller, Laboratory, lab
from tests.network.line import GOOD
from tests.network.test_lines import run
from tests.patience import PATIENCE
from tests.said import says
from tests.system.nodes import begin, burden, hand, host, join

pytestmark = pytest.mark.processes

BEFORE_SECONDS = 3.0
"""The first calls, and waits."""

TOGETHER_SECONDS = 15.0
"""For what takes less than one on a computer that has nothing else to do."""

REFUSES = "reject with tcp reset"


@asynccontextmanager
async def homes(
    found: Laboratory,
    folder: Path,
    unasked: tuple[str, str],
    version: int,
    *,
    far: bool = False,
) -> AsyncIterator[tuple[Dweller, Dweller, str, str]]:
    """Run a node in each of two homes; give them and the lines that invite.

    Args:
        found: Where.
        folder: Of the nodes' homes.
        unasked: What each router does with what nobody inside has asked for.
        version: Of the internet.
        far: A packet is on its way for some milliseconds, as between real homes.
    """
    lines, nodes, boxes = [], [], []
    for number, rule in enumerate(unasked, 1):
        inside, box = found.home(
            number, unasked=rule, alone=version == 6, online=not far
        )
        boxes.append(box)
        nodes.append(Dweller(folder, number - 1, inside, "--no-map-port"))
        at = f"8.9.{number}.2:4770" if version == 4 else f"[2a00:a:{number}::2]:4770"
        lines.append(f"netplay:{at}#")
    if far:
        found.line(boxes, GOOD, folder / "line")
    async with living(*nodes):
        keys = [one.player.status.key for one in nodes]
        ann, bob = nodes
        yield ann, bob, lines[0] + keys[0], lines[1] + keys[1]


# Each kind of router stands at each end; slow is a pair that adds no other, and one
# that meets below, too, and goes on after a crash.
@pytest.mark.parametrize(
    ("unasked", "version", "far"),
    [pytest.param(("drop", "drop"), 4, False, marks=pytest.mark.slow),
     (("drop", "drop"), 6, False),
     (("drop", REFUSES), 4, False), ((REFUSES, REFUSES), 4, True),
     pytest.param((REFUSES, "drop"), 4, False, marks=pytest.mark.slow)],
)  # fmt: skip
async def test_two_who_call_each_other_meet_through_both_routers(
    unasked: tuple[str, str], version: int, tmp_path: Path, *, far: bool
) -> None:
    with lab() as found, trio.fail_after(2 * PATIENCE):
        async with homes(found, tmp_path, unasked, version, far=far) as cast:
            ann, bob, to_a, to_b = cast
            await host(ann, 1, 8)
            await ann.player.ask(Call(to_b, 1))
            await trio.sleep(BEFORE_SECONDS)
            began = trio.current_time()
            await bob.player.ask(Join(to_a, 1))
            with trio.fail_after(TOGETHER_SECONDS * burden()):
                await bob.until_peer(lambda peer: peer.connected)
            took = trio.current_time() - began
            print(f"{unasked}, IPv{version}: linked {took:.2f} s after the second call")
            await bob.until_table(lambda t: t.seats[1].name == bob.name)
            await begin((ann, bob))
            async with trio.open_nursery() as nursery:
                for one in (ann, bob):
                    nursery.start_soon(hand, one, 0.02)
                await ann.until_table(lambda t: t.final > 12)
                nursery.cancel_scope.cancel()


async def test_who_calls_first_is_told_to_wait_for_the_other(tmp_path: Path) -> None:
    with lab() as found, trio.fail_after(2 * PATIENCE):
        drops = ("drop", "drop")
        async with homes(found, tmp_path, drops, 4) as (ann, bob, to_a, to_b):
            await host(ann, 1, 8)
            told: list[tuple[int, str]] = []

            async def joins() -> None:
                told.append(await run(bob, "join", to_a))

            async with trio.open_nursery() as nursery:
                nursery.start_soon(joins)
                await trio.sleep(10)  # ordinary calls have failed by then
                assert not told
                await ann.player.ask(Call(to_b, 1))
            code, said = told[0]
            assert code == 0, said
            assert says(said, Says.WAITING_TOGETHER, who=Says.THE_OTHER())
            assert said.endswith(f"{Says.CONNECTED_TO(names='Ada')}\n")


async def test_a_match_of_two_who_have_met_goes_on_after_a_crash(
    tmp_path: Path,
) -> None:
    with lab() as found, trio.fail_after(2 * PATIENCE):
        drops = ("drop", "drop")
        async with homes(found, tmp_path, drops, 4) as (ann, bob, to_a, to_b):
            await host(ann, 1, 8)
            await ann.player.ask(Call(to_b, 1))
            await bob.player.ask(Join(to_a, 1))
            await begin((ann, bob))
            await bob.kill()
            await ann.until_peer(lambda peer: not peer.connected)
            async with living(bob):
                with trio.fail_after(3 * TOGETHER_SECONDS * burden()):
                    took = await ann.until_peer(lambda peer: peer.connected)
                print(f"met again {took:.2f} s after the node was up again")


async def test_guests_of_a_host_whom_both_reach_find_each_other(tmp_path: Path) -> None:
    with lab() as found, trio.fail_after(2 * PATIENCE):
        server = found.host("ann")
        found.online(server, 1)
        insides = [found.home(number)[0] for number in (2, 3)]
        cast = [Dweller(tmp_path, n, h) for n, h in enumerate((server, *insides))]
        ann, bob, cid = cast
        async with living(*cast):
            await host(ann, 2, 8)
            for guest in (bob, cid):
                await join(guest, ann.address)
            await begin(cast)
            with trio.fail_after(3 * TOGETHER_SECONDS * burden()):
                took = await bob.until_peer(
                    lambda peer: peer.connected and peer.name == cid.name
                )
            print(f"the guests met {took:.2f} s after the match had begun")


@pytest.mark.slow
async def test_guests_who_have_met_play_on_when_their_host_has_gone(
    tmp_path: Path,
) -> None:
    with lab() as found, trio.fail_after(2 * PATIENCE):
        server = found.host("ann")
        found.online(server, 1)
        insides = [found.home(number)[0] for number in (2, 3)]
        cast = [Dweller(tmp_path, n, h) for n, h in enumerate((server, *insides))]
        ann, bob, cid = cast
        async with living(*cast) as nursery:
            await host(ann, 2, 10)
            for guest in (bob, cid):
                await join(guest, ann.address)
            await begin(cast)
            with trio.fail_after(3 * TOGETHER_SECONDS * burden()):
                await bob.until_peer(
                    lambda peer: peer.connected and peer.name == cid.name
                )
            for one in cast:
                nursery.start_soon(hand, one, 0.5)
            await bob.until_table(lambda t: t.final > 8)
            await ann.stop()
            gone = trio.current_time()
            for guest in (bob, cid):
                await guest.until_peer(
                    lambda peer: not peer.connected and peer.name == ann.name
                )
                await guest.player.ask(Vote())
            await bob.until_table(lambda t: t.host in {bob.name, cid.name})
            took = trio.current_time() - gone
            print(f"another host {took:.2f} s after the first had gone")
            await ann.start()  # whose seat waits for it
            await ann.meet(nursery)
            nursery.start_soon(hand, ann, 0.5)
            entries = bob.table.final
            await bob.until_table(lambda t: t.final > entries + 4)
