"""Lessons: how a game is played, told on its own board and judged by its own rules.

Each game module in client/ has `lessons()`.  A lesson is a few sentences and a position
reached by moves that the rules accepted, so no picture can contradict the rules; where
it has a task, the player's hand moves on that board as in a match, and the rules say
what came of it.  Nothing of it is sent to anybody.
"""

from collections.abc import Callable, Iterable
from enum import Enum
from typing import Any, NamedTuple, TypeAlias

from msgspec import Struct

from client.app.board import AnyLocal, AnyMove, AnyState, AnyStep, Step
from rules.game import CHANCE, Actor, Game, Seat


class Position(Struct, frozen=True):
    """What lies on the board at the beginning of a lesson."""

    state: AnyState
    """The full state; the board shows what `seat` knows of it."""
    seat: Seat
    """Whose hand it is."""
    past: tuple[AnyStep, ...] = ()
    """How it came about, as far as it matters here; full states, oldest first."""


Judge: TypeAlias = Callable[[AnyState, AnyMove, AnyState], bool | None]
"""Takes the state before a legal move, the move, and the state after it.

Returns:
    Whether the task is done; None if that is not decided yet, and play goes on.
"""


def is_a(kind: type) -> Judge:
    """Return what judges whether a move is of a kind."""
    return lambda _before, move, _after: isinstance(move, kind)


class Verdict(NamedTuple):
    """What came of a legal move."""

    done: bool | None
    """False for a wrong one; None while play goes on."""
    said: str


class Task(Struct, frozen=True):
    """Something to try on the board."""

    wish: str
    """What to do, in one or two sentences."""
    judge: Judge
    done: str
    """Said when it is done: why that was it."""
    missed: str
    """Said of a legal move that is something else."""


class Course(Enum):
    """What of a game is shown on its own board."""

    LESSONS = "lessons"
    PUZZLES = "puzzles"
    MISTAKES = "mistakes"
    """Moves of one's own for which there was a better one."""
    SOLITAIRE = "solitaire"
    """A game for one, the same for everybody on a day."""
    ANALYSIS = "analysis"
    """A position of a match, from which moves are tried."""


class Lesson(Struct, frozen=True):
    """One step of learning a game."""

    title: str
    text: str
    """What is to be understood, in at most some sixty words."""
    position: Callable[[], Position]
    """Built when it is first shown; cached by whoever builds it."""
    task: Task | None = None
    moving: int = 0
    """So many of the last moves of `past` are shown one after the other, again and
    again; only in a lesson without a task."""


def played(
    rules: Game[Any, Any], state: AnyState, moves: Iterable[tuple[Actor, AnyMove]]
) -> tuple[AnyState, tuple[AnyStep, ...]]:
    """Return the state after moves that the rules accept, and the moves as steps.

    Raises:
        IllegalMoveError: The rules forbid one.
    """
    past: list[AnyStep] = []
    for actor, move in moves:
        past.append(Step(state, actor, move))
        state = rules.play(state, actor, move)
    return state, tuple(past)


def drawn(rules: Game[Any, Any], state: AnyState, kinds: Iterable[int]) -> AnyState:
    """Return the state after tiles of these kinds were drawn, one after the other."""
    for kind in kinds:
        outcomes = rules.moves(state, CHANCE)
        found = next(each for each in outcomes if each.kind == kind)
        state = rules.play(state, CHANCE, found)
    return state


class Learning(Struct, frozen=True):
    """Where a player is in the lessons of a game."""

    game: str
    at: int
    """Which lesson, from 0."""
    state: AnyState
    """The full state on the board."""
    past: tuple[AnyStep, ...]
    local: AnyLocal
    """The game module's own."""
    said: str = ""
    """What came of the last try."""
    done: bool = False
    """The task is done."""
    since: float = 0.0
    """When the lesson began, on the clock of `Model.now`."""
    frame: int = 0
    """Of a moving picture: how many of its moves are seen."""
    course: Course = Course.LESSONS
    day: int = 0
    """On which it began: a solitaire stays that of its day after midnight."""
    seat: Seat = 0
    """Whose hand it is."""
    line: int = 0
    """Of a puzzle: how much of its solution has been played."""
    shown: bool = False
    """Of a puzzle: the solution was asked for."""
    earlier: tuple["Learning", ...] = ()
    """Of an analysis: where one was before each move, from the start."""
