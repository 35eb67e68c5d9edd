"""The hostile peer itself: a node takes it for another."""

from pathlib import Path

import pytest
import trio

from netplay.demo.show import living
from netplay.messages.link import Ping, Pong
from netplay.messages.table import Ask, Decline, Proposal
from tests.hostile.nodes import Victim, needs_proc
from tests.hostile.peer import Peer
from tests.patience import PATIENCE
from tests.system.nodes import host

pytestmark = [pytest.mark.processes, needs_proc]


async def test_a_hostile_peer_opens_a_link_and_is_answered(tmp_path: Path) -> None:
    near, far = Victim(tmp_path), Peer(tmp_path / "far")
    with trio.fail_after(PATIENCE):
        async with living(near), far.call(near.port) as line:
            await line.say(Ask(b"", -1))
            assert (await line.until(Decline)).code
            await host(near, 1, size=8)
            await line.say(Ask(b"", -1))
            proposal = await line.until(Proposal)
            assert [m.key for m in proposal.terms.members] == [line.key, far.key]
            assert near.cost().processor > 0
            await line.say(Ping(0), Pong(7))
            await line.ended()
            assert line.bye is not None
