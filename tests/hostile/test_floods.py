"""A member floods a node with each message there is: it costs little, play goes on."""

import contextlib
from collections import Counter
from pathlib import Path

import pytest
import trio

from netplay.demo.show import living
from netplay.errors import Code
from netplay.messages.door import GetStatus, StartMatch
from netplay.wire import KINDS, PeerMessage, encode
from tests.hostile.floods import message
from tests.hostile.guest import Guest
from tests.hostile.nodes import Victim, needs_proc
from tests.hostile.peer import BROKEN, GoneError, Line, Peer
from tests.patience import PATIENCE
from tests.system.nodes import burden, hand, host

pytestmark = [pytest.mark.processes, needs_proc]

TIMES = 3000
"""Each is said, unless the node hangs up before."""

CODES = {code.number for code in Code} | {0}  # 0: goodbye, the answer to a Bye


class Flood:
    """A member, and what has become of its links."""

    def __init__(self, near: Victim, guest: Guest) -> None:
        self.near = near
        self.guest = guest
        self.sent = Counter[str]()
        self.byes = Counter[int]()
        self.slowest = 0.0, ""
        """Seconds until the door answered, and what was poured meanwhile."""
        self.now = ""

    async def watch(self) -> None:
        """Ask at the node's door again and again."""
        while True:
            began = trio.current_time()
            await self.near.window.ask(GetStatus())
            took = trio.current_time() - began
            if took > self.slowest[0]:
                self.slowest = took, self.now
            await trio.sleep(0.05)

    async def begin(self) -> None:
        """Sit down and let the match begin."""
        async with (
            self.guest.peer.call(self.near.port) as line,
            trio.open_nursery() as nursery,
        ):
            nursery.start_soon(self.guest.follow, line)
            await self.near.until_table(lambda t: all(s.accepted for s in t.seats))
            await self.near.window.ask(StartMatch())
            await self.guest.until(lambda match: bool(match.on_turn()))
            nursery.cancel_scope.cancel()

    async def pour(self, kind: type[PeerMessage]) -> None:
        """Say one thing again and again, until the node hangs up."""
        self.now = kind.__name__
        hand, key = self.guest.hand, self.guest.peer.key
        names = dict.fromkeys(("author", "reader", "key", "to"), key)
        given = {"match": hand.match, "table": hand.fold.terms.nonce, **names}
        data = encode(message(kind, given)) * 50
        with contextlib.suppress(GoneError, *BROKEN):
            async with self.guest.peer.call(self.near.port) as line:
                await self._say(line, kind, data)
        await trio.sleep(0.02)  # fifty handshakes a second are too many

    async def _say(self, line: Line, kind: type[PeerMessage], data: bytes) -> None:
        try:
            for _ in range(TIMES // 50):
                await line.raw(data)
                self.sent[kind.__name__] += 50
        finally:
            if line.bye is not None:
                self.byes[line.bye.code] += 1


async def test_floods_of_every_message_by_a_member_cost_little_and_stop_no_game(
    tmp_path: Path,
) -> None:
    near, guest = Victim(tmp_path), Guest(Peer(tmp_path / "far"))
    with trio.fail_after(PATIENCE):
        async with living(near) as nursery:
            await host(near, 1, size=8)
            flood = Flood(near, guest)
            await flood.begin()
            before = near.cost()
            async with trio.open_nursery() as trouble:
                trouble.start_soon(flood.watch)
                for kind in KINDS.values():
                    await flood.pour(kind)
                trouble.cancel_scope.cancel()
            cost = near.cost().more_than(before)
            print(f"{flood.sent.total()} messages; {cost}; slowest {flood.slowest}")
            assert flood.sent.keys() == {kind.__name__ for kind in KINDS.values()}
            assert set(flood.byes) <= CODES
            assert cost.memory < 40
            assert cost.descriptors < 10
            assert cost.lines < 200
            assert flood.slowest[0] < 3 * burden()
            async with guest.peer.call(near.port) as line:
                nursery.start_soon(hand, near, 0.01)
                async with trio.open_nursery() as play:
                    play.start_soon(guest.follow, line)
                    entries = len(guest.hand.ledger.log)
                    while len(guest.hand.ledger.log) < entries + 4:
                        if guest.on_turn():
                            await guest.move(line)
                        with trio.move_on_after(0.2):
                            await guest.news.wait()
                    play.cancel_scope.cancel()
