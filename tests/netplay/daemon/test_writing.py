"""Friends who write to each other without a table."""

import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise

import pytest
import trio
import trio.testing

from netplay.errors import Code, PeerError
from netplay.fingerprint import fingerprint
from netplay.limits import WRITTEN_KEPT
from netplay.messages.door import Failed, Join
from netplay.messages.log import Have
from netplay.messages.node_questions import (
    Befriend,
    Block,
    Forget,
    GetTalk,
    Talked,
    WriteTo,
)
from netplay.messages.node_questions import Correspondent as Told
from netplay.messages.table import Chat, Heard
from netplay.messages.types import CHAT_CHARACTERS
from netplay.record import letter
from netplay.record.chance import tag
from netplay.said import Said
from netplay.sentences import Says
from netplay.steady import Steady
from netplay.table.chat import chat_data
from netplay.table.writing import named
from netplay.wire import encode, unpack
from tests.netplay.correspondents import Cast, Correspondent, awake, until
from tests.netplay.memory import acquainted


async def befriended(one: Correspondent, other: Correspondent) -> None:
    """Have two meet, and each take the other for a friend; they are awake."""
    one.does(Join(other.line))
    await until(lambda: one.known.knows(other.key))
    await trio.sleep(1.0)
    one.does(Befriend(fingerprint(other.key)))
    other.does(Befriend(fingerprint(one.key)))
    await trio.sleep(1.0)


@asynccontextmanager
async def friends(one: Correspondent, other: Correspondent) -> AsyncIterator[None]:
    """Run two nodes that have just become friends."""
    async with awake(one, other):
        await befriended(one, other)
        yield


def write(one: Correspondent, other: Correspondent, text: str) -> None:
    one.does(WriteTo(fingerprint(other.key), text))


def talk(one: Correspondent, other: Correspondent, *, read: bool = False) -> Talked:
    answer = one.ask(GetTalk(fingerprint(other.key), read=read))
    assert not isinstance(answer, Failed), answer
    found: Talked = unpack(answer.data, Talked)
    return found


def texts(one: Correspondent, other: Correspondent) -> list[str]:
    return [line.text for line in talk(one, other).lines]


def listed(one: Correspondent) -> Told:
    (found,) = one.node.rpc.status().written
    return found


async def test_a_line_comes_at_once_to_a_friend_who_is_awake_and_is_not_ones_own_news(
    autojump_clock: trio.testing.MockClock, cast: Cast
) -> None:
    ann, bob, _carla = cast
    async with friends(ann, bob):
        write(ann, bob, "tonight?")
        await trio.sleep(0.5)
        assert texts(bob, ann) == ["tonight?"]
        assert listed(bob).unread == 1
        assert listed(ann).unread == listed(ann).waiting == 0
        assert talk(ann, bob).lines[0].there
        write(bob, ann, "eight")
        await trio.sleep(0.5)
        assert talk(bob, ann, read=True).lines[0].mine is False
        assert listed(bob).unread == 0
        assert texts(ann, bob) == texts(bob, ann) == ["tonight?", "eight"]


async def test_what_is_written_to_a_friend_asleep_is_kept_over_a_restart_and_comes_once(
    autojump_clock: trio.testing.MockClock, cast: Cast
) -> None:
    ann, bob, _carla = cast
    async with friends(ann, bob):
        write(ann, bob, "one")
        await trio.sleep(0.5)
    async with awake(ann):
        write(ann, bob, "two")
        assert not talk(ann, bob).lines[1].there
        assert listed(ann).waiting == 1
    async with awake(ann):
        write(ann, bob, "three")
        assert listed(ann).waiting == 2
    async with awake(bob):
        assert listed(bob).unread == 1
        write(bob, ann, "four")
    async with awake(ann, bob):
        await until(lambda: len(texts(ann, bob)) == len(texts(bob, ann)) == 4)
        assert texts(bob, ann) == ["one", "four", "two", "three"]
        assert listed(bob).unread == 3
        assert listed(ann).waiting == listed(bob).waiting == 0
    async with awake(ann, bob):
        await trio.sleep(30.0)
        assert texts(ann, bob) == ["one", "two", "three", "four"]


async def test_both_write_at_once_and_each_has_all_lines_in_their_authors_order(
    autojump_clock: trio.testing.MockClock, cast: Cast
) -> None:
    ann, bob, _carla = cast
    async with friends(ann, bob):
        for number in range(8):
            write(ann, bob, f"a{number}")
            write(bob, ann, f"b{number}")
            await trio.sleep(2.1)
        for one, other in ((ann, bob), (bob, ann)):
            for author in "ab":
                said = [text for text in texts(one, other) if text[0] == author]
                assert said == [f"{author}{number}" for number in range(8)]


async def test_a_keeper_brings_lines_to_two_who_are_never_awake_together(
    autojump_clock: trio.testing.MockClock, cast: Cast
) -> None:
    ann, bob, carla = cast
    async with awake(*cast):
        await acquainted(carla, ann, bob)
        await befriended(ann, bob)
    async with awake(ann, carla):
        await trio.sleep(3.0)
        write(ann, bob, "there?")
        await until(lambda: talk(ann, bob).by)
        assert talk(ann, bob).by == "player 3"
    async with awake(bob, carla):
        await until(lambda: len(texts(bob, ann)) == 1)
        write(bob, ann, "now")
        await trio.sleep(40.0)
    async with awake(ann, carla):
        await until(lambda: len(texts(ann, bob)) == 2)
        assert listed(ann).waiting == 0
        assert texts(ann, bob) == ["there?", "now"]
    async with awake(ann, bob):
        await trio.sleep(20.0)
        assert texts(ann, bob) == texts(bob, ann) == ["there?", "now"]


async def test_a_letter_of_friends_says_only_chat(
    autojump_clock: trio.testing.MockClock, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob, _carla = cast
    async with friends(ann, bob):
        name, signer = named(ann.key, bob.key), ann.tables.shared.means.signer
        text = "by letter"
        chat = Chat(name, ann.key, 0, text, signer.sign(chat_data(name, 0, text)))
        have = Have(name, 0, 0, bytes(32))
        late = Chat(name, ann.key, 1, "no", signer.sign(chat_data(name, 1, "no")))
        frames = encode(chat) + encode(have) + encode(late)
        sealed = letter.written(signer, name, bob.key, 1, frames, bytes(range(32)))
        told = list[Said]()
        monkeypatch.setattr(
            bob.tables.shared, "tell", lambda said, _tone="system": told.append(said)
        )
        bob.tables.letters.on_letter(sealed, trio.current_time())
        assert texts(bob, ann) == [text]
        why = PeerError(Code.UNEXPECTED, "something else than chat")
        assert told == [Says.LETTER_OF_NO_USE(why=why)]
        bob.tables.letters.on_letter(sealed, trio.current_time())
        assert texts(bob, ann) == [text]
        again = letter.written(
            signer, name, bob.key, 1, encode(late), bytes(range(1, 33))
        )
        bob.tables.letters.on_letter(again, trio.current_time())
        assert texts(bob, ann) == [text, "no"]


async def test_who_is_no_friend_or_is_blocked_cannot_write(
    autojump_clock: trio.testing.MockClock, cast: Cast
) -> None:
    ann, bob, _carla = cast
    async with awake(ann, bob):
        ann.does(Join(bob.line))
        await until(lambda: ann.known.knows(bob.key))
        ann.does(Befriend(fingerprint(bob.key)))
        write(ann, bob, "hello, stranger")
        await trio.sleep(5.0)
        assert bob.node.rpc.status().written == ()
        assert isinstance(bob.ask(GetTalk(fingerprint(ann.key))), Failed)
        assert listed(ann).waiting == 1
        await befriended(ann, bob)  # on the same link
        assert len(texts(bob, ann)) == 1
        write(ann, bob, "hello, friend")
        await until(lambda: len(texts(bob, ann)) == 2)
        bob.does(Block(fingerprint(ann.key)))
        write(ann, bob, "are you angry?")
        await trio.sleep(30.0)
        assert bob.node.rpc.status().written == ()
        assert listed(ann).waiting == 1
        assert isinstance(bob.ask(WriteTo(fingerprint(ann.key), "yes")), Failed)


async def test_who_is_forgotten_takes_along_what_was_written(
    autojump_clock: trio.testing.MockClock, cast: Cast
) -> None:
    ann, bob, _carla = cast
    async with friends(ann, bob):
        write(ann, bob, "between us")
        await until(lambda: texts(bob, ann))
        assert list((bob.path / f"written{bob.number}").iterdir())
        bob.does(Forget(fingerprint(ann.key)))
        assert not list((bob.path / f"written{bob.number}").iterdir())


async def test_no_more_is_kept_than_two_hundred_to_four_hundred_lines_of_each(
    autojump_clock: trio.testing.MockClock, cast: Cast
) -> None:
    ann, bob, _carla = cast
    long = "ж" * CHAT_CHARACTERS
    async with friends(ann, bob):
        for number in range(3 * WRITTEN_KEPT):
            write(ann, bob, f"{number} {long}")
            await trio.sleep(2.1)
        await until(lambda: listed(ann).waiting == 0)
        for one, other in ((ann, bob), (bob, ann)):
            numbers = [int(text.split()[0]) for text in texts(one, other)]
            assert WRITTEN_KEPT <= len(numbers) < 2 * WRITTEN_KEPT
            assert numbers[-1] == 3 * WRITTEN_KEPT - 1
            assert all(b == a + 1 for a, b in pairwise(numbers))
            assert listed(one).unread == (one is bob) * len(numbers)
            (file,) = (one.path / f"written{one.number}").iterdir()
            assert file.stat().st_size < 4 * 1024 * 1024
        before = texts(bob, ann)
    async with awake(ann, bob):
        assert texts(bob, ann) == before
        write(ann, bob, "on")
        await until(lambda: texts(bob, ann)[-1] == "on")


async def test_a_friend_who_stays_away_is_written_two_hundred_lines_and_no_more(
    autojump_clock: trio.testing.MockClock, cast: Cast
) -> None:
    ann, bob, _carla = cast
    async with awake(ann, bob):
        await befriended(ann, bob)
    async with awake(ann):
        for number in range(WRITTEN_KEPT):
            write(ann, bob, str(number))
            await trio.sleep(2.1)
        assert isinstance(ann.ask(WriteTo(fingerprint(bob.key), "more")), Failed)
    async with awake(ann, bob):
        await until(lambda: listed(ann).waiting == 0)
        assert texts(bob, ann) == list(map(str, range(WRITTEN_KEPT)))


async def test_a_friend_who_has_lost_all_is_sent_what_is_kept_its_own_lines_too(
    autojump_clock: trio.testing.MockClock, cast: Cast
) -> None:
    ann, bob, _carla = cast
    async with friends(ann, bob):
        write(ann, bob, "one")
        await trio.sleep(1.0)
        write(bob, ann, "two")
        await trio.sleep(1.0)
    (file,) = (bob.path / f"written{bob.number}").iterdir()
    file.unlink()
    async with awake(ann, bob):
        write(ann, bob, "three")
        await until(lambda: len(texts(bob, ann)) == 3)
        write(bob, ann, "four")
        await until(lambda: len(texts(ann, bob)) == 4)
        assert texts(ann, bob) == ["one", "two", "three", "four"]


@pytest.mark.parametrize("damage", ["flip", "cut", "empty", "zeros"])
async def test_a_damaged_file_is_set_aside_or_mended_and_writing_goes_on(
    autojump_clock: trio.testing.MockClock, cast: Cast, damage: str
) -> None:
    ann, bob, _carla = cast
    async with friends(ann, bob):
        for text in ("one", "two"):
            write(ann, bob, text)
            await trio.sleep(1.0)
    (file,) = (bob.path / f"written{bob.number}").iterdir()
    data = file.read_bytes()
    changed = {
        "flip": data[:60] + bytes([data[60] ^ 1]) + data[61:],
        "cut": data[:-5],
        "empty": b"",
        "zeros": data + bytes(64),
    }
    file.write_bytes(changed[damage])
    async with awake(ann, bob):
        write(ann, bob, "three")
        await until(lambda: len(texts(bob, ann)) == 3)
        assert sorted(texts(bob, ann)) == ["one", "three", "two"]


async def test_lines_that_are_forged_come_too_early_or_too_often_are_not_taken(
    autojump_clock: trio.testing.MockClock, cast: Cast
) -> None:
    ann, bob, _carla = cast
    async with friends(ann, bob):
        name, signer = named(ann.key, bob.key), ann.tables.shared.means.signer

        def line(number: int, text: str, *, to: bytes = name) -> Chat:
            signature = signer.sign(chat_data(name, number, text))
            return Chat(to, ann.key, number, text, signature)

        def come() -> list[str]:
            told = bob.node.rpc.status().written
            return texts(bob, ann) if told else []

        now = trio.current_time()
        for early in (1, WRITTEN_KEPT - 1, WRITTEN_KEPT + 1):
            bob.tables.receive(ann.key, line(early, "early"), now)
        bob.tables.receive(ann.key, line(0, "other", to=bytes(32)), now)
        assert come() == []
        for number in range(10_000):
            bob.tables.receive(ann.key, line(number, str(number)), now)
        assert len(come()) <= 2 * WRITTEN_KEPT
        asked = Heard(name, (), asks=True)
        for _ in range(1000):
            bob.tables.receive(ann.key, asked, now)
        sent = [out for out in bob.tables.take_outgoing() if ann.key in out.keys]
        assert sum(isinstance(out.message, Chat) for out in sent) <= 10 * WRITTEN_KEPT
        much = Heard(name, ((bob.key, 10**9),), asks=False)
        bob.tables.receive(ann.key, much, now)
        write(bob, ann, "not there yet")
        assert listed(bob).waiting == 1


def test_the_name_of_a_conversation_is_as_the_protocol_says() -> None:
    one, other = bytes(range(32)), bytes(32)
    wanted = hashlib.sha256(tag("friends") + other + one).digest()
    assert named(one, other) == named(other, one) == wanted


async def test_when_a_friend_was_here_last_is_known_after_a_restart(
    autojump_clock: trio.testing.MockClock, cast: Cast
) -> None:
    ann, bob, _carla = cast
    ann.unix = bob.unix = 1_700_000_000
    async with awake(ann, bob):
        await befriended(ann, bob)
    ann.unix += 7200
    async with awake(ann):
        assert ann.node.rpc.status().seen == ((fingerprint(bob.key), 7200),)
        assert not any(peer.connected for peer in ann.node.rpc.status().peers)
    ann.unix -= 9000
    async with awake(ann):
        (told,) = ann.node.rpc.status().seen
        assert told[1] == 0, "a clock that was put back"


@pytest.mark.parametrize("years", [20, -20])
async def test_how_long_ago_a_friend_was_here_is_told_by_a_clock_that_nobody_sets(
    autojump_clock: trio.testing.MockClock, cast: Cast, years: int
) -> None:
    ann, bob, _carla = cast
    ann.unix, passed = 1_700_000_000, [0.0]
    ann.steady = Steady(None, lambda: float(ann.unix), lambda: passed[0], lambda: "x")
    ann.restarted()
    async with awake(ann, bob):
        await befriended(ann, bob)
        ann.unix += years * 365 * 86_400
    async with awake(ann):
        passed[0] += 600
        assert ann.node.rpc.status().seen == ((fingerprint(bob.key), 600),)
