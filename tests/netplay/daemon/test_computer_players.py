import os
import random
import sys
import time
import types
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import anyio.to_process
import pytest
import trio
import trio.testing

from netplay.daemon import computer_players
from netplay.daemon.computer_players import ComputerPlayers, ProgramSeats, Thinking
from netplay.faults import Faults
from netplay.journal import silent
from netplay.programs.arena import ProgramPaths
from netplay.review.grading import Choice, compare
from netplay.wanted import Thought
from netplay.wire import pack
from rules import GAMES
from tests.patience import PATIENCE, held


class Diary:
    """A journal that is kept."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, dict[str, object]]] = []

    def __call__(self, event: str, **fields: object) -> None:
        self.lines.append((event, fields))


def thought(skill: int = 40, name: str = "networdz") -> Thought:
    game = GAMES[name]
    state = game.start(2, game.ABOUT.options())
    rng = random.Random(1)
    while -1 in game.actors(state):
        state = game.play(state, -1, rng.choice(list(game.moves(state, -1))))
    (seat,) = game.actors(state)
    assert seat >= 0
    return Thought(b"m", seat, 1, name, game.view(state, seat), skill)


def legal(found: Thought, move: Any) -> bool:
    GAMES[found.game].play(found.view, found.seat, move)
    return True


# These run in worker processes, which import this module by name.


def die(*_: object) -> None:
    os._exit(1)


def hang(*_: object) -> None:
    while True:
        time.sleep(60)


def hang_known(question: computer_players.Question) -> None:
    assert question.words is not None
    (question.words / "pid").write_text(str(os.getpid()))
    hang()


def fail(*_: object) -> None:
    raise ZeroDivisionError("a player's bug")


@pytest.fixture
def diary() -> Diary:
    return Diary()


@pytest.fixture
def importable() -> Iterator[None]:
    """Let the worker find this module under the name it has here."""
    name = __name__
    if "." not in name:
        yield
        return
    parts = name.split(".")
    made = []
    for end in range(1, len(parts)):
        package = ".".join(parts[:end])
        if package not in sys.modules:
            sys.modules[package] = types.ModuleType(package)
            made.append(package)
    yield
    for package in made:
        del sys.modules[package]


@pytest.mark.processes
async def test_a_player_thinks_in_another_process_and_moves_legally(
    diary: Diary,
) -> None:
    found = thought()
    move = await ComputerPlayers(lambda: 7, diary).think(found)
    assert legal(found, move)
    assert diary.lines == []


@pytest.mark.processes
async def test_the_same_seed_gives_the_same_move(
    diary: Diary, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(computer_players, "THINK_SECONDS", 120.0)  # else another plays
    # A player of words looks as long as it may: what it finds hangs on the computer.
    found = thought(skill=0, name="numlo")
    team = ComputerPlayers(lambda: 7, diary)
    assert await team.think(found) == await team.think(found)


@pytest.mark.processes
@pytest.mark.parametrize(
    ("fate", "why"), [(die, "died"), (fail, "ZeroDivisionError"), (hang, "too slow")]
)
@pytest.mark.usefixtures("importable")
async def test_a_player_that_comes_to_grief_is_replaced(
    diary: Diary, monkeypatch: pytest.MonkeyPatch, fate: Any, why: str
) -> None:
    monkeypatch.setattr(computer_players, "chosen_move", fate)
    # A worker that starts slowly is no player that thinks for long.
    seconds = 6.0 if fate is hang else PATIENCE
    monkeypatch.setattr(computer_players, "THINK_SECONDS", seconds)
    found = thought()
    with trio.fail_after(PATIENCE):
        move = await ComputerPlayers(lambda: 7, diary).think(found)
    assert legal(found, move)
    assert [event for event, _ in diary.lines] == ["player.failed"] * 2
    assert why in str(diary.lines[0][1]["why"])


@pytest.mark.processes
@pytest.mark.usefixtures("importable")
async def test_a_seat_moves_even_without_any_worker(
    diary: Diary, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(anyio.to_process, "run_sync", fail)
    found = thought()
    move = await ComputerPlayers(lambda: 7, diary).think(found)
    assert legal(found, move)
    assert len(diary.lines) == 3


@pytest.mark.processes
@pytest.mark.usefixtures("importable")
async def test_the_loop_goes_on_while_a_player_thinks(
    diary: Diary, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(computer_players, "chosen_move", hang_known)
    monkeypatch.setattr(computer_players, "THINK_SECONDS", PATIENCE)
    team, known = ComputerPlayers(lambda: 7, diary, tmp_path), tmp_path / "pid"
    async with trio.open_nursery() as nursery:
        nursery.start_soon(team.think, thought())
        await held(known.exists)
        for _ in range(20):
            await trio.sleep(0.02)
        assert not diary.lines, "it thinks still"
        nursery.cancel_scope.cancel()


def test_a_player_is_asked_with_its_own_random_numbers() -> None:
    found = thought()
    question = computer_players.Question(
        found.game, found.view, found.seat, 50, 3, None
    )
    move = computer_players.chosen_move(question)
    assert legal(found, move)


@pytest.mark.processes
@pytest.mark.usefixtures("importable")
async def test_a_thought_that_is_cancelled_ends_with_its_process(
    diary: Diary, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(computer_players, "chosen_move", hang_known)
    team, known = ComputerPlayers(lambda: 7, diary, tmp_path), tmp_path / "pid"
    async with trio.open_nursery() as nursery:
        nursery.start_soon(team.think, thought())
        await held(lambda: known.exists() and bool(known.read_text()))
        nursery.cancel_scope.cancel()

    await held(lambda: not running(int(known.read_text())))
    assert not diary.lines


def running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def in_play(game: str, moves: int) -> Thought:
    """Return what a hint is asked for, after some moves at random."""
    rules, rng = GAMES[game], random.Random(4)
    state = rules.start(2, rules.ABOUT.options())
    while moves or -1 in rules.actors(state):
        actor = min(rules.actors(state))
        moves -= actor >= 0
        first_ones = islice(rules.moves(state, actor), 40)
        state = rules.play(state, actor, rng.choice(list(first_ones)))
    (seat,) = rules.actors(state)
    view = rules.view(state, seat)
    return Thought(b"m", seat, 9, game, view, 100, hint=True)


@pytest.mark.processes
@pytest.mark.parametrize("game", ["hexagrams", "lhexicon", "networdz", "numlo"])
async def test_a_hint_asked_for_twice_agrees_and_no_review_calls_it_worse(
    game: str, diary: Diary, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(computer_players, "THINK_SECONDS", 120.0)  # else another plays
    asked = in_play(game, 6)
    seeds = iter(range(9))
    team = ComputerPlayers(lambda: next(seeds), diary)
    move = await team.think(asked)
    assert legal(asked, move)
    assert await team.think(asked) == move
    choice = Choice(9, asked.seat, game, pack(asked.view), pack(move))
    assert compare(choice, random.Random(9)).chance_lost == 0
    assert diary.lines == []


class Slow:
    """A thinker that takes ten seconds, and answers with the number of the turn."""

    def __init__(self, nursery: trio.Nursery) -> None:
        self.nursery = nursery
        self.moves: list[int] = []
        self.wanted: list[Thought] = []
        self.thinking = Thinking(
            self.think, lambda _thought, move: self.moves.append(move), self.go, print
        )

    async def think(self, thought: Thought) -> int:
        await trio.sleep(10)
        return thought.number

    async def prepare(self, thought: Thought) -> None:
        """Need nothing."""

    def go(self) -> None:
        self.thinking.start(self.nursery, self.wanted)

    def wants(self, *numbers: int) -> None:
        self.wanted = [Thought(b"m", 0, n, "numlo", None, 40) for n in numbers]
        self.go()


async def test_whose_turn_has_become_another_thinks_anew(
    nursery: trio.Nursery, autojump_clock: trio.testing.MockClock
) -> None:
    slow = Slow(nursery)
    slow.wants(1)
    await trio.sleep(5)
    slow.wants(3)  # one was taken back, and others were made
    await trio.sleep(30)
    assert slow.moves[:1] == [3]


async def test_whose_turn_was_taken_back_and_made_again_moves_all_the_same(
    nursery: trio.Nursery, autojump_clock: trio.testing.MockClock
) -> None:
    slow = Slow(nursery)
    slow.wants(1)
    await trio.sleep(5)
    slow.wants()
    slow.wants(1)  # before the thought of before has ended
    await trio.sleep(30)
    assert slow.moves[:1] == [1]


async def test_what_was_wrong_with_a_program_is_told_for_as_long_as_its_match(
    nursery: trio.Nursery, autojump_clock: trio.testing.MockClock
) -> None:
    faults = Faults()
    seats = ProgramSeats(Slow(nursery), ProgramPaths(), faults, silent)
    lost = Thought(b"m", 0, 7, "numlo", None, 40, program=True)
    assert await seats.think(lost) == 7, "a computer player stands in"
    seats.keep({(b"m", 0)})
    assert len(list(faults)) == 1
    seats.keep({(b"n", 0)})
    assert list(faults) == []
