"""Clocks on walls that are put forward by years while nodes run."""

import time
from pathlib import Path

import pytest
import trio

from netplay.demo.show import living
from netplay.fingerprint import fingerprint
from netplay.messages.door import ChangeTable, HostTable
from netplay.messages.letters import HandLetter, LeaveLetter, LetterKept, LettersFrom
from netplay.messages.node_questions import Befriend, SetCarry
from tests.hostile.nodes import needs_proc
from tests.hostile.peer import Peer
from tests.hostile.test_days_of_processes import Clocked
from tests.hostile.test_stranger import quiet
from tests.patience import PATIENCE

pytestmark = [pytest.mark.processes, needs_proc]

YEARS = 20 * 365 * 24
"""Hours."""


async def befriended(near: Clocked, *peers: Peer) -> None:
    """Have a node's player call some friends."""
    for peer in peers:
        async with peer.call(near.port):
            key = fingerprint(peer.key)
            await near.until_peer(lambda one, key=key: one.key == key and one.connected)
            await near.window.ask(Befriend(key))


async def test_a_keeper_whose_clock_is_put_forward_loses_no_letter_and_dates_it_right(
    tmp_path: Path,
) -> None:
    near = Clocked(tmp_path, 0)
    ann, bob = (Peer(tmp_path / name, name) for name in ("ann", "bob"))
    with trio.fail_after(PATIENCE):
        async with living(near):
            await near.window.ask(SetCarry("friends"))
            await befriended(near, ann, bob)
            async with bob.call(near.port) as line:
                await line.say(LettersFrom((ann.key,)))
                await quiet(line)
            async with ann.call(near.port) as line:
                for box, wall in ((0, 0), (1, YEARS), (2, 0)):
                    near.set_clocks(wall, 0)
                    text = bytes([box])
                    place = bob.key, bytes([box]) * 16, 0
                    await line.say(LeaveLetter(*place, text, 7, b""))
                    kept = await line.until(LetterKept)
                    assert kept.code == 0
                    [receipt] = kept.receipts
                    assert abs(receipt.at - time.time()) < PATIENCE
            async with bob.call(near.port) as line:
                await line.say(LettersFrom((ann.key,)))
                assert (await line.until(HandLetter)).letter == bytes([0])


async def test_who_is_asked_while_asleep_is_asked_still_when_the_clock_is_put_forward(
    tmp_path: Path,
) -> None:
    near, ann = Clocked(tmp_path, 0), Peer(tmp_path / "ann", "ann")
    with trio.fail_after(PATIENCE):
        async with living(near):
            await befriended(near, ann)
            seats = "person", f"remote:{fingerprint(ann.key)}"
            await near.window.ask(HostTable("numlo", seats, (), "", ""))
            await near.until_table(lambda table: len(table.seats) == 2)
            near.set_clocks(YEARS, 0)
            await near.window.ask(
                ChangeTable(HostTable("hexagrams", seats, (), "", ""))
            )
            await trio.sleep(1.0)
            assert not near.window.said("for a week")
            await near.until_table(lambda table: table.game == "hexagrams")
