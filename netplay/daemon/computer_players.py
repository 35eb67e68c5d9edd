"""Computer players in worker processes: they think, the node goes on.

A worker gets the seat's view and nothing else.  One that dies, hangs or fails is
replaced by a simpler player, and at last by the first move the rules allow, so that a
seat always moves.

A move that was found sooner than a person would expect waits a moment (`Pace`).
"""

import random  # noqa: TID251 (the rng of a computer player; never the rules')
from collections.abc import Awaitable, Callable, Collection, Sequence
from functools import partial
from itertools import islice
from math import log
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol, TypeAlias, TypeVar

import anyio.to_process
import trio
from anyio import BrokenWorkerProcess, CapacityLimiter

from netplay.errors import Code, LocalError
from netplay.faults import Faults, Nursery
from netplay.home import Home
from netplay.journal import Journal
from netplay.limits import (
    BOT_WORKERS,
    PACE_LEAST_SECONDS,
    PACE_MOST_SECONDS,
    PACE_SHARE,
    PACE_WAYS,
    THINK_SECONDS,
)
from netplay.messages.node_questions import Setting
from netplay.players import player, talent
from netplay.players.deepening import gc_paused
from netplay.players.evaluating import advised
from netplay.players.words.vocabulary import allowing
from netplay.players.words.wordmap import keep_maps
from netplay.programs.arena import ProgramPaths
from netplay.programs.process import ProgramPlayer
from netplay.said import Said
from netplay.sentences import Says
from netplay.table.resources import Shelf
from netplay.wanted import Thought
from rules import GAMES
from rules.game import OptionsError, Seat

# What the user wants of computers' words.


OFFENSIVE: Final[Setting] = "offensive-words"


def wished(home: Home, chosen: bool | None) -> bool:
    """Return whether words that offend are wanted: now, or by the setting.

    Args:
        home: Where the setting is.
        chosen: What the user says now; None to go by the setting.
    """
    return home.setting(OFFENSIVE, "off") == "on" if chosen is None else chosen


class WordChoice:
    """Which words computer players here lay, and hints and analysis offer.

    The node changes it when the user does; whoever thinks asks before each thought.
    """

    def __init__(self, *, offensive: bool = False) -> None:
        """Begin.

        Args:
            offensive: Whether words that offend may be among them.
        """
        self.offensive = offensive


# How fast computer players move.


PACE: Final[Setting] = "pace"


class Pace:
    """Whether computer players here take their time, as people do."""

    def __init__(self, *, on: bool = False) -> None:
        """Begin.

        Args:
            on: Whether they do, so that their moves can be followed.
        """
        self.on = on


def longest(left: float | None) -> float:
    """Return the seconds that a move may seem to be thought about, at most.

    Args:
        left: On the seat's clock, None without one.
    """
    if left is None:
        return PACE_MOST_SECONDS
    return min(PACE_MOST_SECONDS, PACE_SHARE * max(0.0, left))


def seeming(ways: int, left: float | None) -> float:
    """Return the seconds that a move takes at least, from the beginning of its turn.

    Args:
        ways: How many moves there are, as far as they were counted.
        left: On the seat's clock, None without one.
    """
    if ways <= 1:
        return 0.0
    hard = min(1.0, log(ways / 2) / log(PACE_WAYS / 2))
    usual = PACE_LEAST_SECONDS + hard * (PACE_MOST_SECONDS - PACE_LEAST_SECONDS)
    return min(usual, longest(left))


# Processes that do what takes long, and what each does around its task.


T = TypeVar("T")


class WorkerPool:
    """Workers for one kind of task, so many of them: the node goes on meanwhile."""

    def __init__(self, workers: int) -> None:
        """Prepare; a process starts when it is needed.

        Args:
            workers: How many tasks are done at once; the others wait in line.
        """
        self._workers: Final = workers
        self._limiter: CapacityLimiter | None = None

    async def run_apart(self, do: Callable[..., T], *given: Any) -> T:  # noqa: ANN401 (what `do` takes)
        """Return what a module's function returns in another process.

        Raises:
            BrokenWorkerProcess: The process has died.
            Exception: Whatever the function raises.
        """
        if self._limiter is None:  # it can be made only where the node runs
            self._limiter = CapacityLimiter(self._workers)
        return await anyio.to_process.run_sync(
            do, *given, cancellable=True, limiter=self._limiter
        )


def with_resources(
    words: Path | None, do: Callable[[], T], *, offensive: bool = False
) -> T:
    """Do what may need an edition or a word list; runs in a worker.

    Args:
        words: The folder with those that are not shipped.
        do: Done once more if it misses one.
        offensive: Whether it may lay and offer words that offend.
    """
    keep_maps(words)
    with gc_paused(), allowing(words_that_offend=offensive):
        try:
            return do()
        except (LookupError, OptionsError):
            # A match with its own edition or words has begun after this process.
            Shelf(words)
            return do()


SIMPLE: Final = 0
"""The skill of the player that takes over."""

Pick = Callable[["Question"], Any]
"""Returns a move; a module's function, for another process."""


class Question(NamedTuple):
    """What a worker process is asked."""

    game: str
    view: Any
    seat: int
    skill: int
    seed: int
    words: Path | None
    """The folder with editions and word lists that are not shipped."""
    offensive: bool = False
    """Whether words that offend may be laid."""


class Thinker(Protocol):
    """Finds moves for computer seats."""

    async def think(self, thought: Thought) -> Any:  # noqa: ANN401 (a game's own move)
        """Return a legal move; always does, whatever becomes of the player."""
        ...


class ComputerPlayers:
    """Computer players, a few processes of them."""

    def __init__(
        self,
        seed: Callable[[], int],
        journal: Journal,
        words: Path | None = None,
        word_choice: WordChoice | None = None,
        pace: Pace | None = None,
    ) -> None:
        """Prepare; processes start when they are needed.

        Args:
            seed: A fresh seed for each thought.
            journal: Told of players that fail.
            words: The folder with editions and word lists that are not shipped.
            word_choice: Which words they lay; without, none that offend.
            pace: Whether they take their time; without, they do not.
        """
        self._pace = pace or Pace()
        self._word_choice = word_choice or WordChoice()
        self._seed = seed
        self._words = words
        self._journal = journal
        self._pool: Final = WorkerPool(BOT_WORKERS)

    async def prepare(self, thought: Thought) -> None:
        """Have a worker load what a match needs, before it is asked for a move.

        It is no matter if that fails: the move is thought about all the same.
        """
        await self._try(prepare, thought, thought.skill)

    async def think(self, thought: Thought) -> Any:  # noqa: ANN401 (a game's own move)
        """See `Thinker`."""
        begun = trio.current_time()
        move = await self._found(thought)
        played = not thought.hint and not GAMES[thought.game].ABOUT.hz
        if self._pace.on and played:
            with trio.move_on_at(begun + longest(thought.left)):
                ways = await self._ways(thought)
                await trio.sleep_until(begun + seeming(ways, thought.left))
        return move

    async def _found(self, thought: Thought) -> Any:  # noqa: ANN401 (a game's own move)
        """Return a legal move as soon as there is one."""
        picks = [(chosen_move, thought.skill), (chosen_move, SIMPLE), (first, SIMPLE)]
        if thought.hint:
            picks.insert(0, (advise, thought.skill))
        for pick, skill in picks:
            move = await self._try(pick, thought, skill)
            if move is not None:
                return move
        # No worker answers at all: better a moment's pause than a dead seat.
        return first(self._question(thought, SIMPLE))

    async def _ways(self, thought: Thought) -> int:
        """Return how many moves there are, as far as that matters."""
        # No seed is taken for it: with the same ones the same moves are made.
        place = thought.game, thought.view, thought.seat
        try:
            return await self._pool.run_apart(
                ways, Question(*place, SIMPLE, 0, self._words)
            )
        except Exception as error:  # noqa: BLE001 (whatever it is, the move is there)
            self._journal("player.hurried", game=thought.game, why=repr(error))
            return 0

    def _question(self, thought: Thought, skill: int) -> Question:
        """Return what to ask a worker."""
        game, view, seat = thought.game, thought.view, thought.seat
        offensive = self._word_choice.offensive
        seed = thought.number if thought.hint else self._seed()
        return Question(game, view, seat, skill, seed, self._words, offensive)

    async def _try(self, pick: Pick, thought: Thought, skill: int) -> Any:  # noqa: ANN401 (a game's own move)
        """Return what one player picks, None if it fails or takes too long."""
        why = "too slow"
        with trio.move_on_after(THINK_SECONDS):
            try:
                return await self._pool.run_apart(pick, self._question(thought, skill))
            except BrokenWorkerProcess:
                why = "its process died"
            except Exception as error:  # noqa: BLE001 (whatever a player raises, its seat must move)
                why = repr(error)
        self._journal("player.failed", game=thought.game, skill=skill, why=why)
        return None


def chosen_move(question: Question) -> Any:  # noqa: ANN401 (a game's own move)
    """Return the move of a game's computer player; runs in a worker.

    The only one there is needs no thought.

    Raises:
        IllegalMoveError: The player erred.
    """
    game, view, seat, skill, seed, words, offensive = question
    if not GAMES[game].ABOUT.hz:
        found = with_resources(words, partial(_first_moves, question, 2))
        if len(found) == 1:
            return found[0]
    rng = random.Random(seed)  # noqa: S311 (a player's whims are no secret)
    pick = partial(player(game).choose, view, seat, talent(game, skill), rng)
    move = with_resources(words, pick, offensive=offensive)
    GAMES[game].play(view, seat, move)
    return move


def ways(question: Question) -> int:
    """Return how many moves there are, many at the most; runs in a worker."""
    moves = partial(_first_moves, question, PACE_WAYS)
    return len(with_resources(question.words, moves))


def _first_moves(question: Question, most: int) -> list[Any]:
    moves = GAMES[question.game].moves(question.view, question.seat)
    return list(islice(moves, most))


def advise(question: Question) -> Any:  # noqa: ANN401 (a game's own move)
    """Return the move that is worth most; runs in a worker.

    Raises:
        IllegalMoveError: The judge erred.
        LookupError: Nobody judges moves of this game.
    """
    game, view, seat, _skill, seed, words, offensive = question
    rng = random.Random(seed)  # noqa: S311 (no secret)
    pick = partial(advised, game, view, seat, rng)
    move = with_resources(words, pick, offensive=offensive)
    GAMES[game].play(view, seat, move)
    return move


def prepare(question: Question) -> None:
    """Load what a game's computer player needs for a match; runs in a worker."""
    load = player(question.game).ABILITIES.prepare
    if load is not None:
        do = partial(load, question.view)
        with_resources(question.words, do, offensive=question.offensive)


def first(question: Question) -> Any:  # noqa: ANN401 (a game's own move)
    """Return the first legal move; the last resort."""
    return next(GAMES[question.game].moves(question.view, question.seat))


# Computer players that think: each in a task, as long as it is its turn.


Turn: TypeAlias = tuple[bytes, int, int]
"""Match, seat and position: what names a thought."""


class Thinking:
    """The thoughts that are under way."""

    def __init__(
        self,
        think: Callable[[Thought], Awaitable[Any]],
        moved: Callable[[Thought, Any], None],
        freed: Callable[[], None],
        failed: Callable[[bytes, Exception], None],
    ) -> None:
        """Begin without any.

        Args:
            think: Finds the move.
            moved: Takes it.
            freed: Told that a thought has ended which nobody wanted any more.
            failed: Told of what match none came of a thought, and why: our mistake.
        """
        self._think: Final = think
        self._moved: Final = moved
        self._freed: Final = freed
        self._failed: Final = failed
        self.turns: Final[dict[Turn, trio.CancelScope]] = {}
        """Those thought about."""

    def start(self, nursery: Nursery, thoughts: Sequence[Thought]) -> None:
        """Let computer players think whose turn it is, and no others."""
        wanted = {(t.match, t.seat, t.number): t for t in thoughts}
        for turn, scope in self.turns.items():
            if turn not in wanted:
                scope.cancel()
        for turn, thought in wanted.items():
            if turn not in self.turns:
                self.turns[turn] = trio.CancelScope()
                nursery.start_soon(self._do, turn, thought)

    async def _do(self, turn: Turn, thought: Thought) -> None:
        """Find a move, and hand it on."""
        with self.turns[turn] as scope:
            try:
                self._moved(thought, await self._think(thought))
            except Exception as error:  # noqa: BLE001 (it is that match's)
                self._failed(thought.match, error)
        del self.turns[turn]
        if scope.cancelled_caught:
            self._freed()  # it may be wanted again by now


# Seats that programs of the user's own play; a computer player stands behind each.
#
# A program that fails is told of and asked no more in its match: our player goes on. So
# it does where the path is not known, as in a match from a saved file: a path comes
# from the user's own command line and from nowhere else.


Place: TypeAlias = tuple[bytes, Seat]
"""Match and seat."""

END_SECONDS: Final = 3.0
"""For all programs to be gone when the node ends."""


class ProgramSeats:
    """Asks the programs at this node's seats, and the computer players for the rest."""

    def __init__(
        self,
        players: Thinker,
        paths: ProgramPaths,
        faults: Faults,
        journal: Journal,
        words: Path | None = None,
    ) -> None:
        """Prepare; a program is started when its turn comes.

        Args:
            players: The computer players.
            paths: Where the program of each seat lies; tables put them in.
            faults: Keeps what went wrong, for windows and commands.
            journal: Told of it, too.
            words: The folder with editions and word lists that are not shipped.
        """
        self._players: Final = players
        self._paths: Final = paths
        self._faults: Final = faults
        self._journal: Final = journal
        self._words: Final = words
        self._programs: Final[dict[Place, ProgramPlayer]] = {}
        self._failed: Final[dict[Place, Said]] = {}
        self._leaving: list[ProgramPlayer] = []
        self._pool: Final = WorkerPool(BOT_WORKERS)
        self.called: Callable[[bytes, Seat], tuple[str, str]] = lambda _match, _seat: (
            "",
            "",
        )
        """Returns what table and player of a seat are called."""
        self.tell: Callable[[Said], None] = lambda _words: None
        """Tells every window."""

    async def think(self, thought: Thought) -> Any:  # noqa: ANN401 (a game's own move)
        """See `Thinker`."""
        place = thought.match, thought.seat
        if thought.program and place not in self._failed:
            try:
                program = self._program(place)
                return await program.move(
                    thought.game, *place, thought.view, thought.left
                )
            except LocalError as error:
                # It plays no more; a computer player does.
                table, name = self.called(*place)
                number, why = thought.seat + 1, error.said
                words = Says.PROGRAM_FAILED(
                    name=name, seat=number, table=table, why=why
                )
                self._failed[place] = words
                self._drop(place)
                self._journal("program.failed", seat=number, why=why)
                if self._faults.fault(words):
                    self.tell(words)
        return await self._players.think(thought)

    def _program(self, place: Place) -> ProgramPlayer:
        """Return the program of a seat.

        Raises:
            LocalError: It is not known here.
        """
        program = self._programs.get(place)
        if program is None:
            path = self._paths.get(*place)
            if path is None:
                raise LocalError(Code.USAGE, Says.PROGRAM_UNKNOWN())
            program = ProgramPlayer(path, self._aside)
            self._programs[place] = program
        return program

    async def _aside(
        self,
        do: Callable[..., Any],
        game: str,
        view: Any,  # noqa: ANN401 (any game's)
        seat: Seat,
        more: tuple[Any, ...],
    ) -> Any:  # noqa: ANN401 (as `do`)
        """Have a worker work out what the rules say; see `process.Aside`."""
        work = partial(do, game, view, seat, *more)
        try:
            return await self._pool.run_apart(with_resources, self._words, work)
        except Exception as error:  # whatever it is, the seat must move
            why = Says.COMPUTER_ERRED(why=repr(error))
            raise LocalError(Code.USAGE, why) from error

    def keep(self, living: Collection[Place]) -> None:
        """End the programs of all seats but these, and forget what was wrong there."""
        for place in self._programs.keys() - living:
            self._drop(place)
        for place in self._failed.keys() - living:
            self._faults.mended(self._failed.pop(place))

    def _drop(self, place: Place) -> None:
        """End the program of a seat, if one runs."""
        program = self._programs.pop(place, None)
        self._leaving = [each for each in self._leaving if not each.gone()]
        if program is not None:
            program.end()
            self._leaving.append(program)

    async def close(self) -> None:
        """End all programs, and wait until they are gone, not for long."""
        self.keep(())
        with trio.move_on_after(END_SECONDS):
            for program in self._leaving:
                await program.gone_at_last()
