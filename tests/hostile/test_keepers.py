"""Strangers and carriers with letters: what they cause is bounded and tells little."""

import sys
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
import trio
from msgspec import structs

from netplay.demo.show import LOG, living
from netplay.fingerprint import fingerprint
from netplay.messages.door import Answer
from netplay.messages.letters import AskLeft, LeaveLetter, LetterKept, SaidLeft
from netplay.messages.link import CloseLine, OpenLine
from netplay.messages.node_questions import Befriend, SetCarry
from netplay.messages.table import Accept
from netplay.peering.switchboard import number_of
from tests.hostile.nodes import Victim, needs_proc
from tests.hostile.peer import BROKEN, GoneError, Line, Peer
from tests.hostile.stranger import offer
from tests.patience import PATIENCE
from tests.system.nodes import begin, hand, host, join, one_log

pytestmark = [pytest.mark.processes, needs_proc]


async def letters(line: Line, rng: Random, count: int) -> None:
    """Leave letters of one byte for anybody, as many as are taken."""
    for _ in range(count):
        to, box = rng.randbytes(32), rng.randbytes(16)
        await line.say(LeaveLetter(to, box, 0, b"x", 35, b""))


@pytest.mark.parametrize("strangers", [1, 6])
async def test_strangers_with_refused_letters_do_not_turn_the_journal_over(
    tmp_path: Path, strangers: int
) -> None:
    near = Victim(tmp_path)
    peers = [Peer(tmp_path / f"far{n}", f"M{n}") for n in range(strangers)]
    refused = 0
    with trio.fail_after(PATIENCE):
        async with living(near):
            await near.window.ask(SetCarry("friends"))
            for number in range(12):
                peer = peers[number % strangers]
                try:
                    async with peer.call(near.port) as line:
                        await letters(line, Random(number), 100)
                        for _ in range(100):
                            kept = await line.until(LetterKept)
                            assert (kept.code, kept.receipts) == (15, ())
                            refused += 1
                except (GoneError, *BROKEN):
                    pass
        log = (near.home.path / LOG).read_text("utf-8")
    assert refused > 150
    lines = [line for line in log.splitlines() if "letter.refused" in line]
    assert len(lines) < 140
    assert "left_out" in log, "those that were left out are counted"


async def garbage(peer: Peer, port: int, rng: Random) -> None:
    """Send frames of nonsense, each on a link of its own."""
    for _ in range(40):
        with suppress(GoneError, *BROKEN):
            async with peer.call(port) as line:
                data = rng.randbytes(5_000)
                length = (len(data) + 1).to_bytes(4, "big")
                await line.raw(length + bytes((rng.randrange(256),)) + data)
                with trio.move_on_after(0.3):  # what is odd is passed over
                    await line.ended()


async def refused_letters(peer: Peer, port: int, rng: Random) -> None:
    """Leave letters that are refused, on one link after the other."""
    for _ in range(6):
        with suppress(GoneError, *BROKEN):
            async with peer.call(port) as line:
                await letters(line, rng, 100)
                for _ in range(100):
                    assert (await line.until(LetterKept)).code == 15


async def test_letters_and_garbage_while_a_match_goes_on_change_nothing_of_it(
    tmp_path: Path,
) -> None:
    near, far = Victim(tmp_path), Victim(tmp_path, 1)
    peers = [Peer(tmp_path / f"eve{n}", f"Eve {n}") for n in range(4)]
    with trio.fail_after(PATIENCE):
        async with living(near, far) as nodes:
            await near.window.ask(SetCarry("friends"))
            await host(near, 1, size=8)
            await join(far, near.address)
            await begin((near, far))
            async with trio.open_nursery() as attack:
                for number, peer in enumerate(peers):
                    way = garbage if number % 2 else refused_letters
                    attack.start_soon(way, peer, near.port, Random(number))
                for one in (near, far):
                    nodes.start_soon(hand, one, 0.1)
                assert await one_log((near, far)) > 30
                attack.cancel_scope.cancel()
        log = (near.home.path / LOG).read_text("utf-8").splitlines()
    told = [line for line in log if "letter.refused" in line or "link." in line]
    assert told
    assert len(told) < 200
    assert " node.up " in log[0], "the journal is not turned over"


async def test_who_carries_for_friends_tells_a_stranger_of_nobody_who_is_a_friend(
    tmp_path: Path,
) -> None:
    near = Victim(tmp_path)
    friend, eve = Peer(tmp_path / "friend", "Fred"), Peer(tmp_path / "far")
    with trio.fail_after(PATIENCE):
        async with living(near):
            await near.window.ask(SetCarry("friends"))
            async with friend.call(near.port):
                await near.until_peer(lambda peer: peer.connected)
                await near.window.ask(Befriend(fingerprint(friend.key)))
            async with eve.call(near.port) as line:
                said = list[tuple[object, ...]]()
                for number, key in enumerate((friend.key, bytes(32), eve.key)):
                    opened = number_of(eve.key, line.key, number)
                    await line.say(
                        OpenLine(opened, fingerprint(key)),
                        LeaveLetter(key, bytes(16), 0, b"x", 7, b""),
                        AskLeft(eve.key, key, bytes(16), 0),
                        AskLeft(friend.key, key, bytes(16), 0),
                    )
                    closed = await line.until(CloseLine)
                    kept = await line.until(LetterKept)
                    left = [await line.until(SaidLeft) for _ in range(2)]
                    without = structs.replace(closed, line=0)
                    said.append((without, kept, *left))
                assert said[0] == said[1] == said[2]


async def test_a_stranger_at_a_node_for_anybody_has_it_dial_nobody(
    tmp_path: Path,
) -> None:
    near, peer = Victim(tmp_path), Peer(tmp_path / "far")
    third = Peer(tmp_path / "third", "Trudy")

    async def met(line: Line) -> None:
        await line.ended()

    with trio.fail_after(PATIENCE):
        async with living(near) as nursery:
            await near.window.ask(Answer(on=True, first=True))
            await nursery.start(third.listen, met)
            async with peer.call(near.port) as line:
                place = f"127.0.0.1:{third.port}"
                for revision in range(60):
                    proposal = offer(
                        peer,
                        line.key,
                        addresses=("", "", place),
                        others=(third.key,),
                        revision=revision,
                        nonce=bytes(32),
                    )
                    await line.say(proposal)
                await line.until(Accept, lambda yes: yes.revision == 59)
                await trio.sleep(3.0)
                assert not third.came


async def test_a_stranger_at_a_node_that_waits_is_asked_about(tmp_path: Path) -> None:
    near, peer = Victim(tmp_path), Peer(tmp_path / "far")
    with trio.fail_after(PATIENCE):
        async with living(near):
            words = sys.executable, "-m", "netplay", "--home", str(near.home.path)
            done = await trio.run_process((*words, "answer"), capture_stdout=True)
            assert b"netplay accept" in done.stdout
            async with peer.call(near.port) as line:
                await line.say(offer(peer, line.key))
                await near.until_table(lambda table: table.called)
                await trio.sleep(1.0)
                assert not any(isinstance(one, Accept) for one in line.heard)
