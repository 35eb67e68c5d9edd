"""Real nodes that are never awake together, and a third that keeps what they write."""

from contextlib import suppress
from pathlib import Path

import pytest
import trio

from netplay.demo.show import living
from netplay.errors import LocalError
from netplay.messages.door import TableStatus
from netplay.messages.node_questions import SetCarry
from netplay.record.archive import IN_HAND
from tests.system.nodes import Resident, begin, hand, host, join
from tests.system.test_carried_lines import carries, known

pytestmark = pytest.mark.processes


async def turn(one: Resident) -> TableStatus:
    """Wake a node, play its seat until it is the other's turn, and let it sleep."""

    def is_on(table: TableStatus) -> bool:
        return one.number in table.turn

    async with living(one) as nursery:
        await one.until(lambda s: carries(s.network.carry))
        await one.until_table(lambda t: is_on(t) or bool(t.audit))
        nursery.start_soon(quietly, one)
        await one.until_table(lambda t: not is_on(t) or bool(t.audit))
        return one.table


async def quietly(one: Resident) -> None:
    with suppress(LocalError):
        await hand(one, 0.0)


@pytest.mark.parametrize("trips", [2, pytest.param(60, marks=pytest.mark.slow)])
async def test_real_nodes_that_are_never_awake_together_play_by_letters(
    tmp_path: Path, trips: int
) -> None:
    cast = [Resident(tmp_path, number) for number in range(3)]
    ann, bob, carla = cast
    with trio.fail_after(60 + 15 * trips):
        async with living(*cast):
            for one in cast:
                assert one.player.status is not None
                one.port = one.player.status.port
            await carla.player.ask(SetCarry("known"))
            for one in (ann, bob):
                await known(carla, one)
            await host(ann, 1, 8)
            await join(bob, ann.address)
            await begin((ann, bob))
            await ann.until_table(lambda t: bool(t.turn))
            order = (ann, bob) if 0 in ann.table.turn else (bob, ann)
            moves = ann.table.entries
        async with living(carla):
            left = list(order)
            for _ in range(trips):
                for one in tuple(left):
                    table = await turn(one)
                    moves = max(moves, table.entries)
                    if table.audit:
                        assert table.audit == "ok"
                        left.remove(one)
            assert moves > (50 if not left else trips)
            assert carla.player.status is not None
            assert carla.player.status.table is None
            assert {p.name for p in carla.home.matches.glob("*")} <= {IN_HAND}
