"""Peers that make the most of a node with many tables: it costs the node little."""

from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import pytest
import trio

from netplay.demo.show import living
from netplay.errors import Code
from netplay.limits import PIECES_AT_ONCE, TABLES_OF_A_HOST
from netplay.messages.door import GetStatus, HostTable, Join, StartMatch
from netplay.messages.log import Ack, Claim, Entries, Have, Submit
from netplay.messages.table import (
    CHUNK_BYTES,
    Accept,
    Ask,
    Chat,
    Decline,
    Heard,
    Piece,
    Proposal,
    Want,
)
from netplay.messages.table_questions import StandIn
from netplay.record.chance import ZERO
from netplay.wire import PeerMessage
from rules import lexicon
from tests.hostile.nodes import Victim, needs_proc
from tests.hostile.peer import GoneError, Line, Peer
from tests.hostile.stranger import offer
from tests.patience import PATIENCE
from tests.system.nodes import Resident, host, join, one_log

pytestmark = [pytest.mark.processes, needs_proc]

CALLS = 10_000
CODES = {code.number for code in Code}


@asynccontextmanager
async def befriended(folder: Path) -> AsyncGenerator[tuple[Victim, Peer, Line]]:
    """Let a node call a peer, and be at its table."""
    near, peer = Victim(folder), Peer(folder / "far")
    lines, called = list[Line](), trio.Event()

    async def met(line: Line) -> None:
        lines.append(line)
        called.set()
        await line.ended()

    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as outside:
            await outside.start(peer.listen, met)
            async with living(near):
                await near.wait_to_be_called()
                await near.window.ask(Join(f"127.0.0.1:{peer.port}", -1))
                await called.wait()
                await lines[0].until(Ask)
                await lines[0].say(offer(peer, lines[0].key))
                await lines[0].until(Accept)
                yield near, peer, lines[0]
            outside.cancel_scope.cancel()


async def test_a_friend_that_calls_to_ten_thousand_tables_fills_no_node(
    tmp_path: Path,
) -> None:
    async with befriended(tmp_path) as (near, peer, line):
        said, answered = Counter[int](), trio.Event()

        def hear(message: PeerMessage) -> None:
            if isinstance(message, Decline):
                said[message.code] += 1
                line.heard.clear()
            if said.total() == CALLS + 1 - TABLES_OF_A_HOST:
                answered.set()

        line.on = hear
        before = near.cost()
        for _ in range(CALLS // 100):
            calls = [offer(peer, line.key) for _ in range(100)]
            await line.say(*calls)
            await near.window.ask(GetStatus())
        await answered.wait()
        await near.until(lambda status: len(status.games) == TABLES_OF_A_HOST)
        assert set(said) == {Code.BUSY.number}
        cost = near.cost().more_than(before)
        print(cost)
        assert cost.memory < 20
        assert cost.lines <= TABLES_OF_A_HOST
        assert cost.disk < 16_384  # who is a friend, and where
        assert near.window.status is not None
        assert all(game.phase == "forming" for game in near.window.status.games)


async def test_who_asks_for_more_pieces_than_there_are_is_thrown_out(
    tmp_path: Path,
) -> None:
    near, peer, rng = Victim(tmp_path), Peer(tmp_path / "far"), Random(1)
    words = bytes.fromhex(lexicon.shipped()["english"])
    with trio.fail_after(PATIENCE):
        async with living(near), peer.call(near.port) as line:
            await near.window.ask(
                HostTable("networdz", ("person", "remote"), (), "", "")
            )
            await line.say(Ask(b"", -1))
            nonce = (await line.until(Proposal)).terms.nonce
            before = near.cost()
            for offset in (CHUNK_BYTES - 1, 7, 1):  # of no piece, but there
                await line.say(Want(nonce, words, offset))
                piece = await line.until(Piece)
                assert (piece.offset, len(piece.data)) == (offset, CHUNK_BYTES)
            with pytest.raises(GoneError):
                for number in range(CALLS):
                    await line.say(Want(nonce, words, number % 8 * CHUNK_BYTES))
                    await line.until(Piece)
            assert line.bye is not None
            assert line.bye.code == Code.TOO_MANY.number
            async with peer.call(near.port) as flood:
                with pytest.raises(GoneError):
                    for number in range(CALLS):  # and no answer is waited for
                        table = nonce if number % 2 else rng.randbytes(32)
                        other = Want(table, rng.randbytes(32), number)
                        await flood.say(Want(table, words, 0), other)
                await flood.ended()
                pieces = sum(isinstance(message, Piece) for message in flood.heard)
                assert pieces <= PIECES_AT_ONCE
            async with peer.call(near.port) as again:
                await again.say(Ask(nonce, -1), Want(nonce, words, (1 << 53) - 1))
                await again.ended()
                assert again.bye is not None
                assert again.bye.code == Code.BAD_DIGEST.number
            cost = near.cost().more_than(before)
            print(cost)
            assert cost.memory < 20
            await near.until_table(lambda table: table.phase == "forming")


def about(match: bytes, nonce: bytes, peer: Peer) -> list[PeerMessage]:
    """Return what somebody might say of a match in which it has no seat."""
    key = peer.key
    return [
        Submit(match, 0, b"\x90", bytes(64)),
        Entries(match, (b"\x90",)),
        Ack(match, 0, 9, ZERO, ZERO, bytes(64)),
        Have(match, 9, 1, ZERO),
        Claim(match, 1, 9, ZERO),
        Chat(nonce, key, 0, "hello", bytes(64)),
        Heard(nonce, ((key, 0),), asks=True),
        Want(nonce, ZERO, 0),
        Decline(nonce, 0, 34, "I have left"),
        Accept(nonce, 0, bytes(64)),
    ]


async def test_moves_for_tables_at_which_somebody_is_not_change_nothing(
    tmp_path: Path,
) -> None:
    near, far, peer = Victim(tmp_path, 0), Resident(tmp_path, 1), Peer(tmp_path / "x")
    with trio.fail_after(PATIENCE):
        async with living(near, far):
            await host(near, 1, size=8)
            await near.window.ask(StandIn(10))
            await join(far, near.address)
            await far.player.ask(StandIn(10))
            await near.until_table(lambda t: all(s.accepted for s in t.seats))
            await near.window.ask(StartMatch())
            await near.until_table(lambda table: bool(table.match))
            match = near.table.match
            # While the two play, either may lack the other for a moment: a stranger
            # may have got a seat by an entry that is not here yet, and is borne with.
            assert set(await refusals(near, match, peer)) <= CODES
            assert await one_log([near, far]) > 30
            found = await refusals(near, match, peer)
            assert found == Counter({Code.NOT_A_MEMBER.number: 5})


async def refusals(near: Victim, match: bytes, peer: Peer) -> Counter[int]:
    """Say everything about a match, each on a link of its own; count the codes."""
    codes = Counter[int]()
    for message in about(match, match, peer):
        async with peer.call(near.port) as line:
            try:
                await line.say(message, Have(bytes(32), 0, 5, ZERO))
                await line.until(Have, lambda have: have.match == bytes(32))
            except GoneError:
                pass
            if line.bye is not None:
                codes[line.bye.code] += 1
            for said in line.heard:
                assert isinstance(said, Decline)
                assert said.code in CODES
    return codes
