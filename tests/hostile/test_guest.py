"""A guest that lies about positions and entries, against a real node."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
import trio
from msgspec.structs import replace

from netplay.demo.show import living
from netplay.errors import Code
from netplay.match.receipts import CAUTION_SECONDS
from netplay.messages.door import Save, StartMatch
from netplay.messages.log import Ack, Have, MatchTime, Position, Turn
from netplay.record.log import ack_data
from netplay.record.verify import verify
from netplay.sentences import Says
from netplay.wire import PeerMessage, pack
from rules import GAMES
from rules.numlo import Place
from tests.hostile.guest import Guest
from tests.hostile.nodes import Victim, needs_proc
from tests.hostile.peer import GoneError, Line, Peer
from tests.patience import PATIENCE
from tests.said import says
from tests.system.nodes import begin, burden, hand, host, join

pytestmark = [pytest.mark.processes, needs_proc]

PAUSE = 0.02


@asynccontextmanager
async def playing(
    near: Victim, guest: Guest
) -> AsyncGenerator[tuple[trio.Nursery, Line]]:
    """Have a match with a node, whose own seat is played."""
    with trio.fail_after(PATIENCE):
        async with living(near) as nursery:
            await host(near, 1, size=8)
            async with guest.peer.call(near.port) as line:
                nursery.start_soon(following, guest, line)
                await near.until_table(lambda t: all(s.accepted for s in t.seats))
                await near.window.ask(StartMatch())
                nursery.start_soon(partial(hand, near, PAUSE))
                await guest.until(lambda match: bool(match.on_turn()))
                yield nursery, line


async def following(guest: Guest, line: Line) -> None:
    """Follow a match until the link ends."""
    try:
        await guest.follow(line)
    except GoneError:
        pass


async def some_moves(guest: Guest, line: Line, count: int) -> None:
    """Play as anybody would."""
    for _ in range(count):
        await guest.until(lambda _: guest.on_turn())
        await guest.move(line)
        await guest.until(lambda match: not match.submitting)
    await guest.until(lambda _: guest.on_turn())


async def saved(near: Victim, folder: Path) -> bytes:
    """Return the match as the node would hand it on."""
    copy = folder / "copy"
    await near.window.ask(Save(str(copy)))
    return copy.read_bytes()


async def test_a_guest_that_names_a_wrong_position_gets_neither_a_draw_nor_its_way(
    tmp_path: Path,
) -> None:
    near, guest = Victim(tmp_path), Guest(Peer(tmp_path / "far"))
    async with playing(near, guest) as (_, line):
        await some_moves(guest, line, 2)
        match = guest.hand
        wrong = Turn(1, match.ledger.log.head, bytes(32), pack(Place(0)), ())
        entries = near.table.entries
        await guest.write(line, wrong)
        await near.until_table(lambda t: t.disputed)
        assert near.table.places == ()
        assert near.table.phase == "playing"
        await near.until_told("Mallory sees another position")
        await near.until_told("the game stays unfinished, in dispute")
        for number in range(1, 25):
            again = replace(wrong, state=bytes([number]) * 32)
            await guest.write(line, again)
            said = Position(match.ledger.log.head, bytes([number]) * 32)
            await guest.write(line, said)
            await trio.sleep(0.02)
        assert Code.OUT_OF_STEP.number in guest.refused
        assert near.table.entries <= entries + 30
        data = await saved(near, tmp_path)
    verdict = verify(data)
    assert (verdict.verdict, verdict.disputed, verdict.places) == (
        "unfinished",
        True,
        (),
    )
    assert "00" * 32 in str(verdict.apart[0])


async def test_a_guest_that_says_it_has_not_lost_leaves_no_draw(tmp_path: Path) -> None:
    near, guest = Victim(tmp_path), Guest(Peer(tmp_path / "far"))

    def lie(message: PeerMessage) -> PeerMessage:
        if isinstance(message, Ack):
            ends = bytes(32)
            return replace(message, state=ends, signature=signed(guest, message, ends))
        return message

    async with playing(near, guest) as (_, line):
        vars(guest.hand.replication)["_do_duty"] = lambda _now: False
        while not guest.hand.fold.over:
            await guest.until(lambda m: guest.on_turn() or m.fold.over)
            if guest.on_turn():
                await guest.move(line)
                await guest.until(lambda match: not match.submitting)
        guest.lie = lie
        await near.until_table(lambda t: t.phase == "over")
        assert near.table.places
        head = guest.hand.ledger.log.head
        await guest.write(line, Position(head, bytes(32)))
        await near.until_table(lambda t: t.disputed)
        assert near.table.places == ()
        assert near.table.phase == "stopped"


def signed(guest: Guest, ack: Ack, state: bytes) -> bytes:
    """Return the signature of another acknowledgement."""
    place = (ack.term, ack.number, ack.head, state)
    return guest.peer.signer.sign(ack_data(ack.match, *place))


async def test_a_guest_cannot_fit_a_move_into_another_history(tmp_path: Path) -> None:
    near, guest = Victim(tmp_path), Guest(Peer(tmp_path / "far"))
    async with playing(near, guest) as (_, line):
        await some_moves(guest, line, 2)
        match = guest.hand
        state = match.seats.view(1).state
        move = next(GAMES["numlo"].moves(state, 1))
        turn = Turn(1, match.ledger.log.head, match.fold.digest(), pack(move), ())
        for number in (0, 3, len(match.ledger.log) - 2):
            old = replace(turn, after=match.ledger.log.heads[number])
            await guest.write(line, old)
        count = len(guest.refused)
        while count < 3:
            await guest.news.wait()
            count = len(guest.refused)
        assert guest.refused == [Code.STALE.number] * 3
        moves = match.fold.moves
        await guest.write(line, turn)
        await guest.until(lambda match: match.fold.moves > moves)


async def test_a_guest_whose_disk_was_put_back_is_told_of_and_not_accused(
    tmp_path: Path,
) -> None:
    near, guest = Victim(tmp_path), Guest(Peer(tmp_path / "far"))
    async with playing(near, guest) as (nursery, line):
        await some_moves(guest, line, 1)
        home = guest.home()
        await some_moves(guest, line, 3)
        # After a second the last signature is looked at.
        await trio.sleep(1.2 * burden())
        entries = len(guest.hand.ledger.log)
        await line.stream.aclose()
        await line.ended()
        guest.put_back(home)
        assert len(guest.hand.ledger.log) < entries
        async with guest.peer.call(near.port) as again:
            nursery.start_soon(following, guest, again)
            await guest.until(lambda match: len(match.ledger.log) >= entries)
            await some_moves(guest, again, 2)
            await near.until_table(lambda t: t.entries > entries)
            await near.until_told("Mallory has put back an older copy of the game")
            mine = Says.PUT_BACK_HERE()
            assert str(mine) in guest.told
            assert not near.window.said(Code.FORK.text)


async def test_a_guest_that_signs_nothing_of_what_it_acknowledges_is_hung_up_on(
    tmp_path: Path,
) -> None:
    near, guest = Victim(tmp_path), Guest(Peer(tmp_path / "far"))

    def lie(message: PeerMessage) -> PeerMessage:
        bad = isinstance(message, Ack)
        return replace(message, signature=bytes(64)) if bad else message  # type: ignore[type-var]

    async with playing(near, guest) as (_, line):
        await some_moves(guest, line, 1)
        guest.lie = lie
        await trio.sleep(1.2)
        while not line.gone:
            if guest.on_turn() and not guest.hand.submitting:
                await guest.move(line)
            await trio.sleep(0.3)
        assert line.bye is not None
        assert line.bye.code == Code.BAD_SIGNATURE.number


async def test_a_guest_that_claims_to_have_more_stops_the_others_for_a_moment_only(
    tmp_path: Path,
) -> None:
    near, far = Victim(tmp_path), Victim(tmp_path, 2)
    guest = Guest(Peer(tmp_path / "liar"))
    more = iter(range(5, 100))

    def lie(message: PeerMessage) -> PeerMessage:
        if isinstance(message, Ack):
            return MatchTime(message.match, 0)  # which from a guest says nothing
        if not isinstance(message, Have):
            return message
        number = message.number + next(more)
        return Have(message.match, message.term, number, bytes([number % 256]) * 32)

    with trio.fail_after(PATIENCE):
        async with living(near, far) as nursery:
            await host(near, 2, size=8)
            async with guest.peer.call(near.port) as line:
                nursery.start_soon(following, guest, line)
                await near.until_table(lambda t: bool(t.seats[1].name))
                await join(far, near.address)
                await begin([near])
                # It cannot reach the guest, so it may wait for it in between.
                await far.until_table(lambda t: bool(t.match))
                async with trio.open_nursery() as hands:
                    for one in (near, far):
                        hands.start_soon(partial(hand, one, PAUSE))
                    await guest.until(lambda _: guest.on_turn())
                    hands.cancel_scope.cancel()
                await guest.move(line)
                await guest.until(lambda match: not match.submitting)
            guest.lie = lie
            async with guest.peer.call(near.port) as line:
                nursery.start_soon(following, guest, line)
                await near.until_told("Mallory claims to have more of the game")
                for one in (near, far):
                    nursery.start_soon(partial(hand, one, PAUSE))
                # It waits for the entries as long as a link may be silent.
                here = len(guest.hand.ledger.log)
                with trio.fail_after(CAUTION_SECONDS + 8 * burden()):
                    await near.until_table(lambda t: t.entries >= here + 2)
            await near.until_told("Mallory has not shown more of the game")
            guest.lie = lambda message: message
            async with guest.peer.call(near.port) as line:
                nursery.start_soon(following, guest, line)
                await some_moves(guest, line, 1)
                for _ in range(6):
                    await line.say(lie(guest.hand.replica.have()))
                here = near.table.entries
                with trio.fail_after(CAUTION_SECONDS / 3 * burden()):
                    await guest.move(line)
                    await near.until_table(lambda t: t.entries >= here + 3)
            claims = [
                line
                for line in near.window.told
                if says(str(line.said), Says.CLAIMS_TO_HAVE_MORE)
            ]
            assert len(claims) == 1
            assert not near.window.said(Code.FORK.text)
