"""Two real nodes that lose each other, and a third that carries between them."""

from pathlib import Path

import pytest
import trio

from netplay.demo.show import living
from netplay.messages.door import Say
from netplay.messages.node_questions import PeerStatus
from tests.patience import PATIENCE
from tests.system.namespaces import There, missing, row
from tests.system.nodes import begin, hand, host, join, one_log

pytestmark = [pytest.mark.processes, pytest.mark.slow]

TEXT = "are you there?"


async def test_host_and_player_who_lose_each_other_play_on_through_a_third(
    tmp_path: Path,
) -> None:
    if why := missing():
        pytest.skip(why)
    with row() as (one, near, _, other), trio.fail_after(PATIENCE):
        cast = [There(tmp_path, n, side) for n, side in enumerate((one, near, other))]
        ada, blaise, chen = cast

        def lost(peer: PeerStatus) -> bool:
            return peer.name == chen.name and not peer.connected

        async with living(*cast) as nursery:
            await host(ada, 2, size=8)
            await join(blaise, ada.address)
            await join(chen, ada.address)
            await begin(cast)
            for each in cast:
                nursery.start_soon(hand, each, 0.4)
            await ada.until_table(lambda t: t.entries > 12)
            near.passes(on=False)
            await ada.until_peer(lost)
            before = ada.table.entries
            await chen.player.ask(Say(TEXT))
            while all(line.text != TEXT for line in ada.player.lines):
                await ada.player.news()
            assert await one_log(cast) > before + 6
            assert any(lost(peer) for peer in ada.player.status.peers)
