"""Computer players take a moment for a move, and none where there is no choice."""

import random
from collections.abc import Callable
from typing import Any

import pytest
import trio
import trio.testing
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from netplay.daemon import computer_players
from netplay.daemon.computer_players import (
    ComputerPlayers,
    Pace,
    WorkerPool,
    chosen_move,
    longest,
    seeming,
)
from netplay.journal import silent
from netplay.messages.door import HostTable, StartMatch
from netplay.wanted import Thought
from rules import GAMES
from tests.netplay.joined_nodes import Net

LEFT = st.none() | st.floats(0, 1e6)


@pytest.fixture
def took(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Have players think here, for so many seconds of a clock that jumps."""
    seconds = [0.0]

    async def run(self: WorkerPool, do: Callable[..., Any], *given: Any) -> Any:
        await trio.sleep(seconds[0] if do is not computer_players.ways else 0)
        return do(*given)

    monkeypatch.setattr(WorkerPool, "run_apart", run)
    return seconds


def begun(game: str, seats: int, *, seed: int = 1) -> Any:
    """Return a state in which chance has no more to say at first."""
    rules, rng = GAMES[game], random.Random(seed)
    return chanced(game, rules.start(seats, rules.ABOUT.options()), rng)


def chanced(game: str, state: Any, rng: random.Random) -> Any:
    rules = GAMES[game]
    while -1 in rules.actors(state):
        state = rules.play(state, -1, rng.choice(list(rules.moves(state, -1))))
    return state


def turn(game: str, state: Any, skill: int = 25) -> Thought:
    seat = min(GAMES[game].actors(state))
    return Thought(b"m", seat, 1, game, GAMES[game].view(state, seat), skill)


def forced() -> Thought:
    """Return a turn of Hexagrams in which there is one move and no other."""
    rules, rng = GAMES["hexagrams"], random.Random(3)
    state = begun("hexagrams", 2)
    while True:
        seat = min(rules.actors(state))
        moves = list(rules.moves(rules.view(state, seat), seat))
        if len(moves) == 1:
            return turn("hexagrams", state)
        state = rules.play(state, seat, rng.choice(moves))


async def seconds_of(team: ComputerPlayers, thought: Thought) -> float:
    before = trio.current_time()
    move = await team.think(thought)
    GAMES[thought.game].play(thought.view, thought.seat, move)
    return trio.current_time() - before


def players(*, on: bool) -> ComputerPlayers:
    return ComputerPlayers(lambda: 7, silent, pace=Pace(on=on))


@given(ways=st.integers(0, 10_000), more=st.integers(0, 100), left=LEFT)
def test_more_choice_takes_longer_and_never_longer_than_one_would_wait(
    ways: int, more: int, left: float | None
) -> None:
    shorter, longer = seeming(ways, left), seeming(ways + more, left)
    assert 0 <= shorter <= longer <= longest(left) <= 1.2
    if left is not None:
        assert longer * 40 <= left * (1 + 1e-9)
    if ways <= 1:
        assert shorter == 0


async def test_a_choice_takes_a_moment_and_an_only_move_none(
    took: list[float], autojump_clock: trio.testing.MockClock
) -> None:
    team = players(on=True)
    assert await seconds_of(team, forced()) == 0
    opening = await seconds_of(team, turn("numlo", begun("numlo", 2)))
    words = await seconds_of(team, turn("networdz", begun("networdz", 2)))
    assert 0.3 <= opening < words
    assert words == pytest.approx(1.2)


async def test_thinking_is_a_part_of_the_moment(
    took: list[float], autojump_clock: trio.testing.MockClock
) -> None:
    team, thought = players(on=True), turn("networdz", begun("networdz", 2))
    took[0] = 0.9
    assert await seconds_of(team, thought) == pytest.approx(1.2)
    took[0] = 1.4
    assert await seconds_of(team, thought) == pytest.approx(1.4)


async def test_a_clock_that_runs_out_leaves_no_time_to_seem_to_think(
    took: list[float], autojump_clock: trio.testing.MockClock
) -> None:
    team, thought = players(on=True), turn("networdz", begun("networdz", 2))
    assert await seconds_of(team, replace(thought, left=4.0)) <= 0.1 + 1e-9
    assert await seconds_of(team, replace(thought, left=0.0)) == 0
    assert await seconds_of(team, replace(thought, left=600.0)) == pytest.approx(1.2)


async def test_switched_off_and_for_hints_nothing_waits(
    took: list[float], autojump_clock: trio.testing.MockClock
) -> None:
    thought = turn("numlo", begun("numlo", 2))
    assert await seconds_of(players(on=False), thought) == 0
    assert await seconds_of(players(on=True), replace(thought, hint=True)) == 0


async def test_nobody_waits_where_moves_cannot_be_counted(
    took: list[float],
    autojump_clock: trio.testing.MockClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def run(self: WorkerPool, do: Callable[..., Any], *given: Any) -> Any:
        if do is computer_players.ways:
            await hangs()
        return do(*given)

    async def fails() -> None:
        raise ZeroDivisionError

    thought = turn("numlo", begun("numlo", 2))
    monkeypatch.setattr(WorkerPool, "run_apart", run)
    hangs: Callable[[], Any] = trio.sleep_forever
    assert await seconds_of(players(on=True), thought) == pytest.approx(1.2)
    hangs = fails
    assert await seconds_of(players(on=True), thought) == 0


async def test_four_computers_move_one_after_another_and_as_well_as_without(
    took: list[float], autojump_clock: trio.testing.MockClock
) -> None:
    rules = GAMES["numlo"]

    async def played(*, on: bool) -> tuple[list[Any], list[float]]:
        rng, made, gaps = random.Random(5), list[Any](), list[float]()
        seeds = iter(range(100))
        team = ComputerPlayers(lambda: next(seeds), silent, pace=Pace(on=on))
        state = begun("numlo", 4)
        for _ in range(24):
            thought, before = turn("numlo", state, 8), trio.current_time()
            made.append(await team.think(thought))
            gaps.append(trio.current_time() - before)
            state = chanced("numlo", rules.play(state, thought.seat, made[-1]), rng)
        return made, gaps

    quick, none = await played(on=False)
    slow, gaps = await played(on=True)
    assert slow == quick
    assert not any(none)
    assert all(0.3 <= gap <= 1.2 for gap in gaps)


def test_an_only_move_is_made_without_a_thought(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def thinks(_game: str) -> Any:
        raise AssertionError("a player was asked")

    monkeypatch.setattr(computer_players, "player", thinks)
    thought = forced()
    place = thought.game, thought.view, thought.seat
    move = chosen_move(computer_players.Question(*place, 100, 3, None))
    rules = GAMES[thought.game]
    assert [move] == list(rules.moves(thought.view, thought.seat))


def test_a_computer_is_told_what_its_clock_has_left() -> None:
    for terms, left in (((), None), ((("timed", "3"),), 180.0)):
        net = Net("ada")
        seats = ("computer:25", "computer:25")
        net.done("ada", HostTable("networdz", seats, terms, "", ""))
        net.done("ada", StartMatch())
        net.settle()
        (thought,) = net["ada"].tables.wants().thoughts
        assert thought.left == left
