"""A friend who is never awake at the same time is asked to a game, and plays it."""

import time
from random import Random

import pytest
import trio
import trio.testing

from netplay.fingerprint import fingerprint
from netplay.match.match import Match
from netplay.messages.door import Consent, HostTable
from netplay.messages.table_questions import GameStatus
from tests.netplay.correspondents import Cast, Correspondent, awake, begun, until
from tests.netplay.daemon.test_posting_chat import letters_left
from tests.netplay.joined_nodes import SMALL
from tests.netplay.memory import acquainted


def games(one: Correspondent, name: str) -> list[GameStatus]:
    """Return the tables of a game that a node has in hand."""
    found = one.tables.games(trio.current_time())
    return [each for each in found if each.game == name]


async def asked(cast: Cast, game: str = "hexagrams", *, together: bool = True) -> None:
    """Let Ann and Bob meet once; let Ann ask Bob to a game while he is asleep."""
    ann, bob, carla = cast
    async with awake(*cast):
        await acquainted(carla, *((ann, bob) if together else ()))
        await begun("numlo", ann, bob, options=SMALL)
    async with awake(ann, carla):
        await trio.sleep(3.0)
        seats = "person", f"remote:{fingerprint(bob.key)}"
        ann.does(HostTable(game, seats, (), "", ""))
        await trio.sleep(10.0)
        [table] = games(ann, game)
        assert table.asked == ("left" if together else "undelivered")


async def agreed(bob: Correspondent, carla: Correspondent, game: str) -> None:
    """Let Bob wake beside Carla, see that he is asked, and say yes."""
    async with awake(bob, carla):
        await until(lambda: games(bob, game))
        [called] = games(bob, game)
        assert called.players == ("player 1", "player 2")
        status = bob.tables.table_status(trio.current_time(), None, called.table)
        assert status is not None
        bob.does(Consent(accept=True, revision=status.revision), called.table)


async def test_a_friend_who_is_never_awake_at_the_same_time_is_asked_and_plays(
    autojump_clock: trio.testing.MockClock, cast: Cast
) -> None:
    ann, bob, carla = cast
    await asked(cast)
    await agreed(bob, carla, "hexagrams")
    async with awake(ann, carla):
        await until(lambda: games(ann, "hexagrams")[0].match)
        await trio.sleep(5.0)
    async with awake(bob, carla):
        await until(lambda: games(bob, "hexagrams")[0].match)
        name = games(bob, "hexagrams")[0].match
        await trio.sleep(5.0)
    for _ in range(3):
        for one in (ann, bob):
            async with awake(one, carla):
                await trio.sleep(5.0)
                [table] = games(one, "hexagrams")
                assert table.match == name
                if table.mine:
                    one.moves_at(table.table, Random(1))
    async with awake(ann, carla):
        await trio.sleep(5.0)
        place = ann.tables.places.by_number[games(ann, "hexagrams")[0].table]
        assert place.table.match is not None
        assert place.table.match.fold.moves >= 4


async def test_one_whose_clock_stands_at_1970_asks_a_friend_who_is_asleep(
    autojump_clock: trio.testing.MockClock, cast: Cast
) -> None:
    ann, bob, carla = cast
    ann.unix = 5_000
    await asked(cast)
    await agreed(bob, carla, "hexagrams")
    async with awake(ann, carla):
        await until(lambda: games(ann, "hexagrams")[0].match)


async def idle(one: Correspondent, table: int) -> Match:
    """Wait until a node has done what takes long; return the match."""
    match = one.tables.places.by_number[table].table.match
    assert match is not None
    await trio.sleep(5.0)
    while match.jobs():
        await trio.to_thread.run_sync(time.sleep, 0.01)  # it works in a thread
    await trio.sleep(5.0)
    return match


@pytest.mark.slow
async def test_a_bag_is_mixed_by_letters_and_what_waits_is_said_once(
    autojump_clock: trio.testing.MockClock, cast: Cast
) -> None:
    ann, bob, carla = cast
    await asked(cast, "networdz")
    await agreed(bob, carla, "networdz")
    rng, moves = Random(1), 0
    for _ in range(7):
        for one in (ann, bob):
            async with awake(one, carla):
                await until(lambda one=one: games(one, "networdz")[0].match)
                table = games(one, "networdz")[0].table
                match = await idle(one, table)
                said = [type(one.body) for one in match.submitting]
                assert len(said) == len(set(said))
                if games(one, "networdz")[0].mine:
                    one.moves_at(table, rng)
                moves = match.fold.moves
    assert match.fold.terms.rules.fairness == "encrypted"
    assert moves > 1


async def test_where_nobody_keeps_letters_for_both_the_question_waits(
    autojump_clock: trio.testing.MockClock, cast: Cast
) -> None:
    ann, bob, carla = cast
    await asked(cast, together=False)
    async with awake(bob, carla):
        await trio.sleep(30.0)
        assert not games(bob, "hexagrams")
    async with awake(ann, bob):
        await until(lambda: games(bob, "hexagrams"))


async def test_one_question_is_one_letter_however_long_the_host_is_awake(
    autojump_clock: trio.testing.MockClock, cast: Cast
) -> None:
    ann, _bob, carla = cast
    await asked(cast)
    async with awake(ann, carla):
        times = letters_left(carla)
        await trio.sleep(1500.0)
        assert len(times) == 1
        assert len(carla.carrying.posting) == 1
