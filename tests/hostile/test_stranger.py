"""What a stranger costs a real node: little, until its player has said yes."""

from pathlib import Path

import pytest
import trio

from netplay.demo.show import living
from netplay.messages.door import Consent, GetStatus, Join
from netplay.messages.link import DialBack, DialedBack
from netplay.messages.log import Have
from netplay.messages.table import Accept, Ask, Decline
from netplay.record.chance import ZERO
from tests.hostile.nodes import Victim, needs_proc
from tests.hostile.peer import Line, Peer
from tests.hostile.stranger import (
    Giving,
    ask_for_everything,
    come_and_go,
    junk_match,
    long_list,
    offer,
    push_matches,
)
from tests.patience import PATIENCE
from tests.system.nodes import burden, host

pytestmark = [pytest.mark.processes, needs_proc]


async def quiet(line: Line) -> None:
    """Wait until a node has taken all that was said to it before."""
    await line.say(Have(bytes(32), 0, 5, ZERO))
    await line.until(Have, lambda have: have.match == bytes(32))


async def test_an_offer_of_a_stranger_costs_nothing_before_the_player_says_yes(
    tmp_path: Path,
) -> None:
    near, peer, third = (
        Victim(tmp_path),
        Peer(tmp_path / "far"),
        Peer(tmp_path / "third", "Trudy"),
    )
    data, digest = b"no words at all", bytes(range(32))
    giving, dialled = Giving(data), trio.Event()

    async def met(line: Line) -> None:
        dialled.set()
        await line.ended()

    with trio.fail_after(PATIENCE):
        async with living(near) as nursery:
            await near.wait_to_be_called()
            await nursery.start(third.listen, met)
            async with peer.call(near.port) as line:
                line.on = giving
                place = f"127.0.0.1:{third.port}"
                for revision in range(100):
                    proposal = offer(
                        peer,
                        line.key,
                        game="networdz",
                        words=digest,
                        addresses=("", "", place),
                        others=(third.key,),
                        revision=revision,
                        nonce=digest,
                    )
                    await line.say(proposal)
                    await trio.sleep(0.01)
                await near.until_table(lambda table: table.called)
                await quiet(line)
                assert not giving.asked
                assert not third.came
                assert not near.files()
                assert not any(isinstance(m, Accept) for m in line.heard)
                await near.until_table(lambda table: table.revision == 99)
                await near.window.ask(Consent(accept=True, revision=99))
                await line.until(Decline, lambda no: no.revision == 99)
                assert giving.asked == 1
                await dialled.wait()
                assert not near.files()


async def test_who_calls_is_asked_about_once_and_forgotten_when_it_goes(
    tmp_path: Path,
) -> None:
    near, peer = Victim(tmp_path), Peer(tmp_path / "far")
    with trio.fail_after(PATIENCE):
        async with living(near):
            await near.wait_to_be_called()
            for _ in range(30):
                async with peer.call(near.port) as line:
                    await line.say(offer(peer, line.key))
                    await quiet(line)
            await near.until(lambda status: status.table is None)
            await near.until_told("Mallory calls to a table")
            assert len(near.window.told) <= 4


async def test_a_word_list_is_checked_while_the_node_goes_on_and_once_for_ever(
    tmp_path: Path,
) -> None:
    near, peer = Victim(tmp_path), Peer(tmp_path / "far")
    data, digest = long_list()
    giving = Giving(data)
    lines: list[Line] = []

    async def met(line: Line) -> None:
        lines.append(line)
        line.on = giving
        await line.until(Ask)
        await line.say(offer(peer, line.key, game="networdz", words=digest))
        await line.ended()

    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as outside:
            await outside.start(peer.listen, met)
            async with living(near):
                await near.window.ask(Join(f"127.0.0.1:{peer.port}", -1))
                slowest = 0.0
                while near.files() != {f"{digest.hex()}.lexicon"}:
                    began = trio.current_time()
                    await near.window.ask(GetStatus())
                    slowest = max(slowest, trio.current_time() - began)
                    await trio.sleep(0.01)
                print(f"the node answered within {slowest:.2f} s")
                assert slowest < 2.0 * burden()
                await lines[0].until(Decline)  # an edition of other letters
            async with living(near):
                spent = near.cost().processor
                print(f"the next start took {spent:.2f} s of the processor")
                assert spent < 4.0 * min(burden(), 2.0)  # of a processor that is shared
            outside.cancel_scope.cancel()


async def test_a_match_that_nobody_agreed_to_leaves_nothing(tmp_path: Path) -> None:
    near, peer = Victim(tmp_path), Peer(tmp_path / "far")
    with trio.fail_after(PATIENCE):
        async with living(near):
            await near.wait_to_be_called()
            before = near.cost()
            async with peer.call(near.port) as line:
                await push_matches(line, peer, 60)
                await quiet(line)
                await near.until_table(lambda table: table.called)
                assert near.table.match == b""
            cost = near.cost().more_than(before)
            print(cost)
            assert not near.files()
            assert cost.memory < 20
            assert cost.lines <= 2


async def test_a_seat_that_a_stranger_hands_over_is_taken_when_the_player_says_yes(
    tmp_path: Path,
) -> None:
    near, peer = Victim(tmp_path), Peer(tmp_path / "far")
    with trio.fail_after(PATIENCE):
        async with living(near):
            await near.wait_to_be_called()
            async with peer.call(near.port) as line:
                entries = junk_match(peer)
                await line.say(entries)
                await near.until_table(lambda table: table.called)
                await near.window.ask(Consent(accept=True, revision=0))
                await line.until(Have, lambda have: have.match == entries.match)
                await line.say(entries)
                await near.until_table(lambda table: table.match == entries.match)
                assert near.files()


async def test_an_idle_node_gives_no_files_to_anybody(tmp_path: Path) -> None:
    near, peer = Victim(tmp_path), Peer(tmp_path / "far")
    with trio.fail_after(PATIENCE):
        async with living(near), peer.call(near.port) as line:
            assert await ask_for_everything(line, 1.0) < 100
            assert not line.gone


async def test_two_hundred_visits_are_few_lines_at_an_open_table(
    tmp_path: Path,
) -> None:
    near, peer = Victim(tmp_path), Peer(tmp_path / "far")
    with trio.fail_after(PATIENCE):
        async with living(near):
            await host(near, 1, size=8)
            began = trio.current_time()
            before = near.cost()
            await come_and_go(peer, near.port, 200)
            cost = near.cost().more_than(before)
            seconds = trio.current_time() - began
            print(f"{cost} in {seconds:.0f} s")
            assert 1 <= cost.lines <= 20 + seconds / 5
            assert cost.descriptors <= 4


async def test_nobody_is_dialled_back_without_the_feature(tmp_path: Path) -> None:
    near = Victim(tmp_path)
    plain = Peer(tmp_path / "plain", features=())
    other = Peer(tmp_path / "other")

    async def met(line: Line) -> None:
        await line.ended()

    with trio.fail_after(PATIENCE):
        async with living(near) as nursery:
            for peer in (plain, other):
                await nursery.start(peer.listen, met)
            async with plain.call(near.port) as line, other.call(near.port) as second:
                await line.say(DialBack(7, plain.port, ()))
                await quiet(line)
                for _ in range(2):  # the second is answered at once: not again so soon
                    await second.say(DialBack(1, other.port, ()))
                    await second.until(DialedBack)
                await quiet(line)
                assert not any(isinstance(m, DialedBack) for m in line.heard)
                assert (plain.came, other.came) == (0, 1)
