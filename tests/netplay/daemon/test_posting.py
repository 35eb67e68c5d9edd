"""Moves that are left with a friend's node, by players who are never awake together."""

import gc
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
import trio
import trio.testing
from msgspec.structs import replace

from netplay import limits
from netplay.daemon import on_turn
from netplay.errors import Code, LocalError, PeerError
from netplay.fingerprint import fingerprint, folded
from netplay.messages.door import Failed, Say, Tone
from netplay.messages.letters import (
    AskLeft,
    HandLetter,
    LeaveLetter,
    LetterKept,
    LetterMessage,
    LetterReceipt,
    LettersFrom,
    LetterTaken,
    SaidLeft,
)
from netplay.messages.node_questions import AddCarrier, Befriend, Carry, SetCarry
from netplay.messages.table_questions import TakeBack
from netplay.messages.types import LETTER_BYTES
from netplay.peering.letter_boxes import LetterBoxes
from netplay.rate import Bucket
from netplay.record import letter
from netplay.record.log import check_signature
from netplay.said import Said, Words
from netplay.sanitize import NAME_CHARACTERS
from netplay.sentences import Says
from netplay.wire import Frame, decode, encode, pack
from tests.netplay.correspondents import (
    Cast,
    Correspondent,
    awake,
    begun,
    parted,
    until,
)
from tests.netplay.joined_nodes import SMALL
from tests.netplay.memory import World, acquainted
from tests.said import says


class Slept(NamedTuple):
    """How a match stood at one node when it went to sleep."""

    log: tuple[bytes, ...]
    moves: int
    final: int
    audit: str


async def turn(one: Correspondent, carla: Correspondent, rng: Random) -> Slept:
    """Let a player wake beside Carla alone, move if it is its turn, and sleep."""
    async with awake(one, carla):
        await trio.sleep(3.0)
        while one.on_turn and not one.match.fold.over:
            one.moves(rng)
            await trio.sleep(0.5)
        match = one.match
        raws = tuple(match.ledger.raws(0))
        return Slept(raws, match.fold.moves, match.final, match.audit())


async def test_a_whole_match_is_played_by_two_who_are_never_awake_together(
    autojump_clock: trio.testing.MockClock, cast: Cast
) -> None:
    ann, bob, carla = cast
    await parted(cast)
    rng = Random(1)
    host = guest = await turn(ann, carla, rng)
    for _ in range(80):
        if guest.audit != "ok":
            guest = await turn(bob, carla, rng)
        if host.audit == "ok":
            break  # when it wakes again, it has it in hand no more
        host = await turn(ann, carla, rng)
    assert host.audit == guest.audit == "ok"
    assert host.log == guest.log
    assert host.final >= host.moves > 40


async def test_tiles_and_turns_of_a_word_game_go_to_and_fro_by_letters(
    autojump_clock: trio.testing.MockClock, cast: Cast
) -> None:
    ann, bob, carla = cast
    await parted(cast, "networdz")
    rng = Random(1)
    host = guest = await turn(ann, carla, rng)
    for _ in range(4):
        guest = await turn(bob, carla, rng)
        host = await turn(ann, carla, rng)
    assert host.moves > 5
    assert host.log[: len(guest.log)] == guest.log
    assert host.final >= len(guest.log)


async def test_what_is_left_is_said_to_be_kept_and_can_be_taken_back_no_more(
    autojump_clock: trio.testing.MockClock, cast: Cast
) -> None:
    ann, bob, carla = cast
    await parted(cast)
    async with awake(ann, carla):
        await trio.sleep(3.0)
        ann.moves(Random(1))
        await trio.sleep(1.0)
        assert ann.kept() == ()
        ann.does(TakeBack(0))
        ann.moves(Random(2))
        await until(ann.kept)
        assert ann.kept() == (("player 2", "player 3"),)
        assert isinstance(ann.ask(TakeBack(0)), Failed)
        assert carla.node.rpc.status().network.carry.letters == 1
    async with awake(bob, carla):
        await until(lambda: bob.on_turn)
        assert bob.kept() == ()
    async with awake(ann, carla):
        await until(lambda: ann.kept() == ())
        assert ann.match.final == len(ann.match.ledger.log)


async def test_a_turn_made_anew_waits_anew_for_its_reader(
    autojump_clock: trio.testing.MockClock, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "LETTER_SECONDS", 20.0)
    ann, _bob, carla = cast
    await parted(cast)
    async with awake(ann, carla):
        await trio.sleep(3.0)
        ann.moves(Random(1))
        await trio.sleep(17.0)
        ann.does(TakeBack(0))
        ann.moves(Random(2))
        await trio.sleep(10.0)
        assert ann.kept() == ()
        await until(ann.kept)


async def test_nobody_is_told_by_a_command_who_is_there_to_take_the_letter(
    autojump_clock: trio.testing.MockClock, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob, carla = cast
    told = list[str]()

    async def run(_words: Sequence[str], more: Mapping[str, str]) -> Words:
        told.append(more["NETPLAY_OPPONENT"])
        return ""

    monkeypatch.setattr(on_turn, "run_command", run)
    carla.on_letter = {folded(fingerprint(bob.key)): ("tell", "it")}
    await parted(cast)
    async with awake(carla), awake(bob):
        await trio.sleep(3.0)
        text = LeaveLetter(bob.key, bytes(16), 0, b"x", 7, b"")
        for there in (True, False):
            carla.carrying.posting.receive(ann.key, text, trio.current_time())
            await trio.sleep(3.0)
            assert bool(told) is not there
            bob.node.stop()
            await trio.sleep(3.0)


async def test_a_friend_at_the_table_keeps_letters_though_it_carries_for_nobody(
    autojump_clock: trio.testing.MockClock, cast: Cast
) -> None:
    ann, bob, carla = cast
    async with awake(*cast):
        await begun("numlo", ann, bob, carla)
        ann.moves(Random(1))
        await until(lambda: bob.on_turn)
    async with awake(bob, carla):
        await until(lambda: bob.match.linked)
        move = bob.moves(Random(1))
        await until(bob.kept)
    async with awake(ann, carla):
        await until(lambda: ann.match.fold.moves == 2)
        assert pack(ann.match.fold.history[-1].move) == move


@pytest.mark.parametrize("together", [False, True])
async def test_who_is_away_is_told_by_a_command_of_the_keepers_and_not_too_often(
    autojump_clock: trio.testing.MockClock,
    cast: Cast,
    monkeypatch: pytest.MonkeyPatch,
    *,
    together: bool,
) -> None:
    ann, bob, carla = cast
    told: list[tuple[tuple[str, ...], dict[str, str], float]] = []

    async def run(words: Sequence[str], more: Mapping[str, str]) -> Words:
        told.append((tuple(words), dict(more), trio.current_time()))
        await trio.sleep(9)
        return ""

    monkeypatch.setattr(on_turn, "run_command", run)
    mover, reader = (bob, ann) if together else (ann, bob)
    carla.on_letter = {folded(fingerprint(reader.key)): ("tell", "it")}
    if together:
        async with awake(*cast):
            await begun("numlo", ann, bob, carla)
            ann.moves(Random(1))
            await until(lambda: bob.on_turn)
            await trio.sleep(1.0)  # all say that they have it
    else:
        await parted(cast)
    async with awake(mover, carla):
        await trio.sleep(3.0)
        await until(lambda: mover.on_turn)
        mover.moves(Random(1))
        await until(lambda: told)
        await trio.sleep(20.0)
        ((words, more, _when),) = told
        assert words == ("tell", "it")
        # Carla knows the game only where she plays along, and never what was written.
        assert more == {
            "NETPLAY_TABLE": "0", "NETPLAY_REASON": "turn",
            "NETPLAY_GAME": "numlo" if together else "",
            "NETPLAY_OPPONENT": f"player {mover.number}",
        }  # fmt: skip
        posting = carla.carrying.posting
        for _ in range(1000):
            posting.on_letter.came(reader.key, "$(reboot)" * 1000, "numlo")
        await trio.sleep(limits.ON_TURN_APART - 25.0)
        assert len(told) == 1
        await trio.sleep(2 * limits.ON_TURN_APART)
        assert len(told) == 2
        name = told[1][1]["NETPLAY_OPPONENT"]
        assert name.replace(" ", "").isalnum()
        assert len(name) <= NAME_CHARACTERS
        assert round(told[1][2] - told[0][2]) >= limits.ON_TURN_APART
        posting.on_letter.came(mover.key, "player 2", "numlo")  # nobody has set one
        await trio.sleep(2 * limits.ON_TURN_APART)
        assert len(told) == 2


@pytest.mark.parametrize("carry", ["off", "known", "friends"])
@pytest.mark.parametrize("friends", [0, 1, 2])
async def test_letters_are_kept_only_as_the_player_has_chosen(
    autojump_clock: trio.testing.MockClock, cast: Cast, carry: Carry, friends: int
) -> None:
    ann, bob, carla = cast
    async with awake(*cast):
        carla.does(SetCarry(carry))
        for one in (ann, bob):
            one.does(AddCarrier(carla.line))
        await trio.sleep(1.0)
        for one in (ann, bob)[:friends]:
            carla.does(Befriend(fingerprint(one.key)))
        await trio.sleep(1.0)
        assert carla.carrying.may_leave(ann.key, bob.key) is (
            carry != "off" and friends >= (2 if carry == "known" else 1)
        )
        told = ann.carrying.keepers().get(carla.key, False)
        assert told is (carry != "off" and friends > 0)


# A hostile node that keeps letters.


def _silent(*_given: Any) -> None:
    return None


def dropped(boxes: LetterBoxes) -> None:
    boxes.first = _silent  # type: ignore[method-assign]


def lied_about(boxes: LetterBoxes) -> None:
    leave = boxes.leave

    def lied(author: bytes, message: LeaveLetter) -> LetterReceipt:
        receipt = leave(author, message)
        boxes.taken(message.to, receipt.letter)
        return receipt

    boxes.leave = lied  # type: ignore[method-assign]


def altered(boxes: LetterBoxes) -> None:
    first = boxes.first

    def changed(reader: bytes) -> bytes | None:
        text = first(reader)
        return text and text[:-1] + bytes((text[-1] ^ 1,))

    boxes.first = changed  # type: ignore[method-assign]


@pytest.mark.parametrize("bad", [dropped, lied_about, altered])
async def test_who_keeps_letters_badly_loses_nothing(
    autojump_clock: trio.testing.MockClock,
    cast: Cast,
    bad: Callable[[LetterBoxes], None],
) -> None:
    ann, bob, carla = cast
    await parted(cast)
    async with awake(ann, carla):
        bad(carla.boxes)
        await trio.sleep(3.0)
        move = ann.moves(Random(1))
        await until(ann.kept)
    async with awake(bob, carla):
        bad(carla.boxes)
        await trio.sleep(10.0)
        assert bob.match.fold.moves == 0
    async with awake(ann, bob):
        await until(lambda: bob.on_turn)
        assert pack(bob.match.fold.history[-1].move) == move
        assert ann.kept() == ()
        bob.moves(Random(1))
        await until(lambda: ann.on_turn)
        assert ann.match.final >= len(ann.match.ledger.log) - 1


async def test_a_letter_that_is_handed_over_again_changes_nothing(
    autojump_clock: trio.testing.MockClock, cast: Cast
) -> None:
    ann, bob, carla = cast
    await parted(cast)
    old = list[bytes]()
    async with awake(ann, carla):
        await trio.sleep(3.0)
        ann.moves(Random(1))
        await until(ann.kept)
        text = carla.boxes.first(bob.key)
        assert text is not None
        old.append(text)
    async with awake(bob, carla):
        await until(lambda: bob.on_turn)
        bob.moves(Random(1))
        await until(bob.kept)
        before = bob.match.ledger.raws(0), bob.match.hidden.file.entries
        for _ in range(20):
            carla.links.send((bob.key,), HandLetter(old[0]))
        await trio.sleep(0.1)
        assert (bob.match.ledger.raws(0), bob.match.hidden.file.entries) == before
        assert carla.ended == ["OURS UNEXPECTED"], "it was handed over once"


async def test_who_is_flooded_with_letters_hangs_up(
    autojump_clock: trio.testing.MockClock, cast: Cast
) -> None:
    _ann, bob, carla = cast
    await parted(cast)
    async with awake(bob, carla):
        await trio.sleep(3.0)
        carla.carrying.posting.receive = _silent  # type: ignore[method-assign]
        for _ in range(1000):
            carla.links.send((bob.key,), HandLetter(bytes(50)))
        await trio.sleep(1.0)
        assert bob.ended
        assert {each.split()[1] for each in bob.ended} == {"TOO_MANY"}
        assert bob.match.fold.moves == 0


@pytest.mark.parametrize(
    "message",
    [
        HandLetter(b"x"),
        LetterKept(bytes(32), 0, "", ()),
        LetterTaken(bytes(32)),
        SaidLeft(bytes(16), (), ()),
    ],
)
async def test_what_nobody_has_asked_for_is_a_registered_error(
    autojump_clock: trio.testing.MockClock, cast: Cast, message: LetterMessage
) -> None:
    ann, bob, _carla = cast
    async with awake(ann, bob):
        ann.does(AddCarrier(bob.line))
        await trio.sleep(1.0)
        ann.links.send((bob.key,), message)
        await trio.sleep(0.1)
        assert bob.ended == ["OURS UNEXPECTED"]


# What a keeper signs.


def said_left(one: Correspondent) -> list[SaidLeft]:
    """Return what a node is told of boxes, from now on."""
    said, posting = list[SaidLeft](), one.carrying.posting
    receive = posting.receive

    def noted(key: bytes, message: LetterMessage, now: float) -> None:
        if isinstance(message, SaidLeft):
            said.append(message)
        else:
            receive(key, message, now)

    posting.receive = noted  # type: ignore[method-assign]
    return said


async def test_what_was_left_is_said_to_its_author_and_reader_alone(
    autojump_clock: trio.testing.MockClock, cast: Cast, world: World, tmp_path: Path
) -> None:
    ann, bob, carla = cast
    eve = Correspondent(world, 4, tmp_path)
    await parted(cast)
    async with awake(ann, carla, eve):
        await acquainted(carla, eve)
        await trio.sleep(3.0)
        ann.moves(Random(1))
        await until(ann.kept)
        box = letter.box(ann.match.match, ann.key, bob.key)
        to_ann, to_eve = said_left(ann), said_left(eve)
        for one in (ann, eve):
            asked = AskLeft(ann.key, bob.key, box, 0)
            one.links.send((carla.key,), asked)
            other = AskLeft(bytes(32), bytes(32), box, 0)
            one.links.send((carla.key,), other)
        await trio.sleep(1.0)
        assert to_eve == [SaidLeft(box, (), ())] * 2
        assert to_ann[1:] == [SaidLeft(box, (), ())]
        (receipt,) = to_ann[0].receipts
        check_signature(carla.key, receipt.signature, letter.word_data(receipt))
        last = ann.match.ledger.log.lines[-1].entry
        assert receipt.about == letter.subject(last.author_signature)
        assert ann.match.hidden.post.receipts[bob.key, carla.key] == receipt


async def test_a_letter_lives_for_the_days_that_its_reader_may_take(
    autojump_clock: trio.testing.MockClock, cast: Cast
) -> None:
    ann, bob, carla = cast
    async with awake(*cast):
        await acquainted(carla, ann, bob)
        await begun("numlo", ann, bob, options=SMALL, days=14)
    async with awake(ann, carla):
        await trio.sleep(3.0)
        ann.moves(Random(1))
        await until(ann.kept)
        receipt = ann.match.hidden.post.receipts[bob.key, carla.key]
        assert receipt.until - receipt.at == 21 * 24 * 3600
        await trio.sleep(300.0)
        left = ann.match.hidden.post.letters[bob.key].number
    for one in (ann, carla):
        one.unix += 10 * 24 * 3600
    async with awake(ann, carla):
        await trio.sleep(300.0)
        assert ann.match.hidden.post.letters[bob.key].number == left, "it is kept still"


@pytest.mark.parametrize("field", ["about", "letter", "box", "to", "signature", ""])
async def test_a_receipt_for_something_else_ends_the_link(
    autojump_clock: trio.testing.MockClock, cast: Cast, field: str
) -> None:
    ann, _bob, carla = cast
    await parted(cast)
    async with awake(ann, carla):
        carrying = carla.carrying
        send = carrying.send

        def changed(key: bytes, message: Any) -> None:
            if isinstance(message, LetterKept):
                (good,) = message.receipts
                wrong = bytes(len(getattr(good, field))) if field else b""
                bad = (replace(good, **{field: wrong}),) if field else ()
                message = replace(message, receipts=bad)
            send(key, message)

        carrying.send = changed  # type: ignore[method-assign]
        await trio.sleep(3.0)
        ann.moves(Random(1))
        await until(lambda: ann.ended)
        wanted = "BAD_SIGNATURE" if field == "signature" else "UNEXPECTED"
        assert ann.ended[0] == f"OURS {wanted}"
        assert ann.kept() == ()


# A hostile author.


def answers(one: Correspondent) -> list[int]:
    """Return the codes with which a node is told what became of its letters."""
    codes, posting = list[int](), one.carrying.posting
    receive = posting.receive

    def noted(key: bytes, message: LetterMessage, now: float) -> None:
        if isinstance(message, LetterKept):
            codes.append(message.code)
        else:
            receive(key, message, now)

    posting.receive = noted  # type: ignore[method-assign]
    return codes


async def test_ten_thousand_letters_end_the_link_and_little_is_kept(
    autojump_clock: trio.testing.MockClock, cast: Cast, tmp_path: Path
) -> None:
    ann, bob, carla = cast
    await parted(cast)
    async with awake(ann, carla):
        await trio.sleep(3.0)
        codes = answers(ann)
        for number in range(10_000):
            box = number.to_bytes(16, "big")
            message = LeaveLetter(bob.key, box, 0, bytes(10), 7, b"")
            ann.links.send((carla.key,), message)
            if number % 1000 == 0:
                await trio.sleep(0.1)
        await trio.sleep(0.5)
        assert carla.ended[:1] == ["OURS TOO_MANY"]
        assert len(carla.carrying.posting) <= limits.LETTERS_AT_ONCE
        assert set(codes) <= {0}
        assert len(list(carla.home.letters.glob("*.letter"))) < 200
    async with awake(bob, carla):
        await trio.sleep(30.0)
        assert bob.match.fold.moves == 0
        assert not bob.ended
        assert len(carla.carrying.posting) == 0


async def test_letters_for_nobody_and_of_authors_not_asked_for_are_declined(
    autojump_clock: trio.testing.MockClock, cast: Cast, world: World, tmp_path: Path
) -> None:
    _ann, bob, carla = cast
    eve = Correspondent(world, 4, tmp_path)
    await parted(cast)
    async with awake(eve, carla):
        await acquainted(carla, eve)
        codes = answers(eve)
        for to in (bob.key, bytes(32), eve.key, carla.key):
            message = LeaveLetter(to, bytes(16), 0, b"x", 7, b"")
            eve.links.send((carla.key,), message)
        await trio.sleep(0.5)
        assert codes == [Code.DECLINED.number] * 4
        assert not eve.ended
        assert len(carla.carrying.posting) == 0


def buckets() -> int:
    """Return how many rates are remembered in this process."""
    gc.collect()
    return sum(isinstance(one, Bucket) for one in gc.get_objects())


async def test_nothing_is_remembered_of_strangers_who_have_asked_once_and_gone(
    autojump_clock: trio.testing.MockClock, cast: Cast
) -> None:
    carla = cast[2]
    async with awake(carla):
        posting, before = carla.carrying.posting, buckets()
        for number in range(200):
            key = number.to_bytes(32, "big")
            posting.receive(key, LettersFrom(()), trio.current_time())
            posting.peer_down(key)
            await trio.sleep(1.0)
        assert buckets() < before + 2


def test_a_letter_that_is_too_long_is_no_frame() -> None:
    data = encode(LeaveLetter(bytes(32), bytes(16), 0, bytes(LETTER_BYTES + 1), 7, b""))
    with pytest.raises(PeerError) as caught:
        decode(Frame(data[4], data[5:]))
    assert caught.value.code is Code.BAD_FRAME
    encode(LeaveLetter(bytes(32), bytes(16), 15, bytes(LETTER_BYTES), 35, bytes(32)))


# A disk that refuses.


async def test_a_full_disk_keeps_no_letters_says_so_and_nothing_else_suffers(
    autojump_clock: trio.testing.MockClock, cast: Cast
) -> None:
    ann, bob, carla = cast
    await parted(cast)
    async with awake(ann, carla):
        shutil.rmtree(carla.home.letters)
        carla.home.letters.write_bytes(b"no folder")
        codes = answers(ann)
        await trio.sleep(3.0)
        move = ann.moves(Random(1))
        await trio.sleep(5.0)
        assert codes == [Code.DISK.number]
        assert ann.kept() == ()
        assert any(says(str(f), Says.LETTERS_NOT_KEPT) for f in carla.node.rpc.faults())
    async with awake(ann, bob):
        await until(lambda: bob.on_turn)
        assert pack(bob.match.fold.history[-1].move) == move


async def test_a_reader_whose_disk_fails_is_handed_the_letter_again(
    autojump_clock: trio.testing.MockClock, cast: Cast
) -> None:
    ann, bob, carla = cast
    await parted(cast)
    async with awake(ann, carla):
        await trio.sleep(3.0)
        ann.moves(Random(1))
        await until(ann.kept)
    async with awake(bob, carla):
        bob.match.journal.failed = LocalError(Code.DISK, "full")
        await trio.sleep(5.0)
        assert len(carla.carrying.posting) == 1
    async with awake(bob, carla):
        await until(lambda: bob.on_turn)
        assert bob.match.fold.moves == 1


async def test_a_reader_that_comes_again_to_a_keeper_that_stayed_gets_its_letter(
    autojump_clock: trio.testing.MockClock, cast: Cast
) -> None:
    ann, bob, carla = cast
    await parted(cast)
    async with awake(carla):
        async with awake(ann):
            await trio.sleep(3.0)
            ann.moves(Random(1))
            await until(ann.kept)
        async with awake(bob):
            bob.match.journal.failed = LocalError(Code.DISK, "full")
            await trio.sleep(5.0)
        async with awake(bob):
            await until(lambda: bob.on_turn)


async def test_a_letter_of_which_a_part_was_refused_is_not_told_to_be_kept(
    autojump_clock: trio.testing.MockClock, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(letter, "TEXT_BYTES", 800)
    ann, _bob, carla = cast
    await parted(cast)
    async with awake(ann, carla):
        boxes, parts = carla.boxes, set[int]()
        leave = boxes.leave

        def busy(author: bytes, message: LeaveLetter) -> LetterReceipt:
            parts.add(message.part)
            if message.part == 0:
                raise PeerError(Code.BUSY)
            return leave(author, message)

        monkeypatch.setattr(boxes, "leave", busy)
        await trio.sleep(3.0)
        for number in range(4):
            ann.does(Say(f"{number}" * 300))
        ann.moves(Random(1))
        await trio.sleep(20.0)
        assert parts == {0}
        assert ann.kept() == ()
        monkeypatch.setattr(boxes, "leave", leave)
        await until(ann.kept, 2000.0)


async def test_garbage_of_a_carrier_does_not_show_a_line_a_second_for_ever(
    autojump_clock: trio.testing.MockClock, cast: Cast
) -> None:
    ann, _bob, carla = cast
    await parted(cast)
    async with awake(ann, carla):
        await trio.sleep(3.0)
        told, tell = list[str](), ann.tables.shared.tell

        def noted(said: Said, tone: Tone = "system") -> None:
            told.append(str(said))
            tell(said, tone)

        ann.tables.shared.tell = noted  # type: ignore[method-assign]
        for number in range(200):
            text = number.to_bytes(60, "big")
            ann.tables.letters.on_letter(text, trio.current_time())
            await trio.sleep(1.0)
        assert 8 <= len(told) <= 14
        assert says(told[-1], Says.LETTERS_OF_NO_USE)
