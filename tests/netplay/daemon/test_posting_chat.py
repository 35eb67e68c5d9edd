"""Chat that is left with a friend's node, by players who are never awake together."""

import shutil
from random import Random

import trio
import trio.testing

from netplay.errors import Code
from netplay.limits import CHAT_SECONDS, LETTER_CHAT_SECONDS, LETTER_SECONDS
from netplay.messages.door import Made, Say
from netplay.messages.letters import LeaveLetter, LetterKept, LetterMessage
from netplay.wire import pack
from tests.netplay.correspondents import Cast, Correspondent, awake, parted, until


def made(one: Correspondent) -> Made:
    """Return what the window shows of what is not delivered."""
    return one.status.made


def lines(one: Correspondent) -> list[str]:
    """Return the chat as a new window is shown it."""
    place = one.tables.front()
    assert place is not None
    assert place.table.chat is not None
    return [line.text for line in place.table.chat.talk.came()]


def letters_left(carla: Correspondent) -> list[float]:
    """Return when letters are left, from now on."""
    times, posting = list[float](), carla.carrying.posting
    receive = posting.receive

    def noted(key: bytes, message: LetterMessage, now: float) -> None:
        if isinstance(message, LeaveLetter):
            times.append(now)
        receive(key, message, now)

    posting.receive = noted  # type: ignore[method-assign]
    return times


async def test_two_who_are_never_awake_together_chat(
    autojump_clock: trio.testing.MockClock, cast: Cast
) -> None:
    ann, bob, carla = cast
    await parted(cast)
    said = list[str]()
    for trip in range(3):
        for one in (ann, bob):
            async with awake(one, carla):
                await until(lambda one=one: lines(one) == said)
                if said:
                    assert made(one).lines == trip
                await trio.sleep(3.0)  # Carla is there
                one.does(Say(f"{one.number} says {trip}"))
                said.append(f"{one.number} says {trip}")
    async with awake(ann, carla):
        await until(lambda: lines(ann) == said)
        await until(lambda: made(ann).lines == 3)


async def test_chat_alone_makes_a_letter_twice_a_minute_at_the_most(
    autojump_clock: trio.testing.MockClock, cast: Cast
) -> None:
    ann, bob, carla = cast
    await parted(cast)
    async with awake(ann, carla):
        await trio.sleep(5.0)
        times, began = letters_left(carla), trio.current_time()
        for number in range(30):
            ann.does(Say(f"{number}"))
            await trio.sleep(CHAT_SECONDS / 2)
        passed = trio.current_time() - began
        assert times[0] - began >= LETTER_CHAT_SECONDS
        assert 2 < len(times) <= passed / LETTER_CHAT_SECONDS
        await until(lambda: made(ann).lines_kept == (("player 3", 30),))
        count = len(times)
        await trio.sleep(300.0)
        assert len(times) == count, "nothing is new"
    async with awake(bob, carla):
        await until(lambda: lines(bob) == [str(number) for number in range(30)])
    async with awake(ann, carla):
        await until(lambda: made(ann).lines == 30)


async def test_a_move_does_not_wait_for_the_end_of_the_talk(
    autojump_clock: trio.testing.MockClock, cast: Cast
) -> None:
    ann, bob, carla = cast
    await parted(cast)
    async with awake(ann, carla):
        await trio.sleep(5.0)
        times = letters_left(carla)
        ann.does(Say("I think"))
        await trio.sleep(1.0)
        began = trio.current_time()
        move = ann.moves(Random(1))
        for number in range(3):
            ann.does(Say(f"look: {number}"))
            await trio.sleep(1.0)
        await trio.sleep(2.0)
        assert [at - began < LETTER_SECONDS + 2.0 for at in times] == [True]
    async with awake(bob, carla):
        await until(lambda: bob.on_turn)
        assert pack(bob.match.fold.history[-1].move) == move
        assert lines(bob)[:2] == ["I think", "look: 0"]


async def test_who_goes_to_sleep_at_once_leaves_what_was_said(
    autojump_clock: trio.testing.MockClock, cast: Cast
) -> None:
    ann, bob, carla = cast
    await parted(cast)
    async with awake(ann, carla):
        await trio.sleep(3.0)
        ann.does(Say("night"))
    async with awake(bob, carla):
        await until(lambda: lines(bob) == ["night"])


async def test_chat_that_nobody_keeps_is_said_to_be_so_and_tried_again_slowly(
    autojump_clock: trio.testing.MockClock, cast: Cast
) -> None:
    ann, bob, carla = cast
    await parted(cast)
    async with awake(ann, carla):
        if carla.home.letters.exists():
            shutil.rmtree(carla.home.letters)
        carla.home.letters.write_bytes(b"no folder")
        codes, posting = list[int](), ann.carrying.posting
        receive = posting.receive

        def noted(key: bytes, message: LetterMessage, now: float) -> None:
            if isinstance(message, LetterKept):
                codes.append(message.code)
            receive(key, message, now)

        posting.receive = noted  # type: ignore[method-assign]
        await trio.sleep(5.0)
        for number in range(12):
            ann.does(Say(f"{number}"))
            await trio.sleep(CHAT_SECONDS)
        assert set(codes) == {Code.DISK.number}
        assert len(codes) <= 120.0 / LETTER_CHAT_SECONDS
        assert made(ann).lines_kept == ()
        assert made(ann).lines == 0
    async with awake(ann, bob):
        await until(lambda: len(lines(bob)) == 12)
        await until(lambda: made(ann).lines == 12)
