"""A node written from protocol.md alone plays a match with ours."""

from functools import partial
from pathlib import Path

import pytest
import trio

from netplay.demo.show import living
from netplay.messages.door import Save, Say, StartMatch
from netplay.record.store import ENDS
from netplay.record.verify import verify
from netplay.sentences import Says
from tests import second_node
from tests.patience import PATIENCE
from tests.said import says
from tests.second_player import GoneError, Stranger
from tests.system.nodes import Resident, hand, host
from tests.system.relay import Relay, relay

pytestmark = pytest.mark.processes


async def keep_visiting(stranger: Stranger, line: Relay) -> None:
    """Be a guest, and dial again as section 6 says, without end."""
    while True:
        try:
            await stranger.visit(("127.0.0.1", line.port))
        except GoneError:
            await trio.sleep(0.2)


async def until_heard(one: Resident, count: int) -> None:
    while len(one.player.lines) < count:
        await one.player.news()


async def test_a_node_written_from_the_page_joins_plays_chats_and_comes_back(
    tmp_path: Path,
) -> None:
    near, stranger = Resident(tmp_path, 0), Stranger(tmp_path, "Eve", 1)
    with trio.fail_after(PATIENCE):
        async with relay(slow=0.0) as line, living(near) as nursery:
            line.target = near.port
            await host(near, 1, size=8)
            nursery.start_soon(keep_visiting, stranger, line)
            await near.until_table(lambda t: all(s.accepted for s in t.seats))
            assert near.table.seats[1].name == "Eve"
            await near.player.ask(Say("welcome"))
            stranger.say("hello")
            await until_heard(near, 2)
            await near.player.ask(StartMatch())
            nursery.start_soon(partial(hand, near, 0.05))
            for cuts in range(3):
                entries = 8 * (cuts + 1)
                await near.until_table(
                    lambda t, n=entries: t.entries >= n or t.phase == "over"
                )
                line.cut()
                await near.until_peer(lambda peer: not peer.connected)
                stranger.say(f"still here {cuts}")
                await near.player.ask(Say(f"come back {cuts}"))
                line.heal()
                await near.until_peer(lambda peer: peer.connected)
            await near.until_table(lambda t: t.phase == "over" and bool(t.audit))
            await near.until_table(lambda t: t.final == t.entries)
            await until_heard(near, 8)
            while len(stranger.heard(stranger.log.host)) < 4:
                await stranger.news.wait()
            copy = tmp_path / "copy"
            await near.player.ask(Save(str(copy)))
    assert stranger.heard(stranger.log.host) == [
        "welcome",
        *(f"come back {n}" for n in range(3)),
    ]
    said = [each.text for each in near.player.lines if each.author == "Eve"]
    assert said == ["hello", *(f"still here {n}" for n in range(3))]
    assert line.came >= 4
    data = copy.read_bytes()
    entries = data.partition(ENDS)[0]  # behind it: what the node acknowledges
    assert stranger.file == entries
    assert stranger.refused
    second_node.Reader().file(entries)
    verdict = verify(data)
    assert (verdict.ok, verdict.audit) == (True, "ok")


async def test_a_program_with_another_order_of_values_is_told_and_wins_nothing(
    tmp_path: Path,
) -> None:
    near, stranger = Resident(tmp_path, 0), Stranger(tmp_path, "Eve", 1, backwards=True)
    with trio.fail_after(PATIENCE):
        async with relay(slow=0.0) as line, living(near) as nursery:
            line.target = near.port
            await host(near, 1, size=8)
            nursery.start_soon(keep_visiting, stranger, line)
            await near.until_table(lambda t: all(s.accepted for s in t.seats))
            await near.player.ask(StartMatch())
            nursery.start_soon(partial(hand, near, 0.05))
            await near.until_table(lambda t: t.disputed)
            table = near.table
            copy = tmp_path / "copy"
            await near.player.ask(Save(str(copy)))
    assert table.places == ()
    assert says(table.apart[0], Says.OUT_OF_STEP_AT, name="Eve")
    verdict = verify(copy.read_bytes())
    assert verdict.disputed
    assert verdict.places == ()
