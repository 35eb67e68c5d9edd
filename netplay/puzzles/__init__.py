"""Puzzles: positions with one best move, found and checked by the computer players.

A puzzle is the beginning of a match - options and moves, as a log has them - and what
is to be found from there.  Its position comes about by the rules each time it is shown.
`python -m tools.puzzles` makes the files, one puzzle a line.  The solitaire of the day
needs no file: its tiles follow from the day.
"""

from base64 import b85decode, b85encode
from collections import Counter
from collections.abc import Iterable
from datetime import date
from enum import Enum
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, Literal, NamedTuple, TypeAlias
from zlib import compress, decompress

from msgspec import Struct, msgpack

from netplay import wire
from rules import GAMES
from rules.game import CHANCE, Actor, Seat

Kind: TypeAlias = Literal["points", "best", "win", "target"]
"""What is to be found: the play that scores most now; the one best move; the moves
that win whatever the other does; enough points with the pieces that come."""

Entry: TypeAlias = tuple[Actor, bytes]
"""Who moved, and the move as a log has it."""


class Puzzle(Struct, frozen=True, array_like=True):
    """A position with something to be found in it."""

    kind: Kind
    seats: int
    options: bytes
    past: tuple[Entry, ...]
    """How the position came about."""
    line: tuple[Entry, ...]
    """The solution, what the others and chance answer included."""
    worth: int
    """Points: of the best play, or to be reached; else 0."""
    margin: int
    """By how much the second best is worse, as its maker counts; 0 for wins."""

    @property
    def seat(self) -> Seat:
        """Return who is to move."""
        return next(actor for actor, _move in self.line if actor >= 0)


class Past(NamedTuple):
    """An entry of how a position came about."""

    before: Any
    """The full state before it."""
    actor: Actor
    move: Any


class Stand(NamedTuple):
    """Where somebody is in a puzzle."""

    state: Any
    """The full state."""
    past: tuple[Past, ...]
    at: int = 0
    """Entries of the line that are done."""


class Judged(Enum):
    """What a legal move is in a puzzle."""

    SOLVED = "solved"
    ON = "on"
    """Right as far as it goes."""
    WRONG = "wrong"


def position(game: str, puzzle: Puzzle) -> Stand:
    """Return a puzzle's position and how it came about, by the game's own rules.

    Raises:
        IllegalMoveError: The rules are others now; the file is to be made anew.
        PeerError: Likewise.
    """
    about = GAMES[game].ABOUT
    # An option that is newer than the file is as it is by default.
    options = msgpack.decode(puzzle.options, type=about.options)
    begun = Stand(GAMES[game].start(puzzle.seats, options), ())
    return played(game, begun, puzzle.past)


def played(game: str, stand: Stand, entries: Iterable[Entry]) -> Stand:
    """Return where one is after entries of a log, by the rules.

    Raises:
        IllegalMoveError: The rules forbid one.
        PeerError: One is no move at all.
    """
    rules, (state, past, at) = GAMES[game], stand
    made = list(past)
    for actor, packed in entries:
        move = wire.unpack(packed, rules.ABOUT.move)
        made.append(Past(state, actor, move))
        state = rules.play(state, actor, move)
    return Stand(state, tuple(made), at)


def after_answer(game: str, puzzle: Puzzle, stand: Stand) -> Stand:
    """Return where one is after what the others, or chance, do to a right move."""
    at, line = stand.at, puzzle.line
    if puzzle.kind != "target":
        at += 1  # the move that was made
    elif CHANCE not in GAMES[game].actors(stand.state):
        return stand  # the piece falls on
    else:
        at = _next_answer(puzzle, at)
    end = at
    while end < len(line) and line[end][0] != puzzle.seat:
        end += 1
    return played(game, stand._replace(at=end), line[at:end])


def _next_answer(puzzle: Puzzle, at: int) -> int:
    """Return the next entry of the line that is not one's own."""
    rest = range(at, len(puzzle.line))
    own = puzzle.seat
    return next((i for i in rest if puzzle.line[i][0] != own), len(puzzle.line))


def judged(game: str, puzzle: Puzzle, stand: Stand, move: Any, after: Any) -> Judged:  # noqa: ANN401 (any game's)
    """Return what a legal move is.

    Args:
        game: Which.
        puzzle: The puzzle.
        stand: Where one was before the move.
        move: The move.
        after: The full state after it.
    """
    match puzzle.kind:
        case "points":
            gained = _points(game, after, puzzle) - _points(game, stand.state, puzzle)
            return Judged.SOLVED if gained >= puzzle.worth else Judged.WRONG
        case "target":
            return _reached(game, puzzle, stand.at, after)
        case "win" if _wins(game, puzzle, after):
            return Judged.SOLVED
        case _:
            actor, packed = puzzle.line[stand.at]
            if actor != puzzle.seat or wire.pack(move) != packed:
                return Judged.WRONG
            later = (actor for actor, _move in puzzle.line[stand.at + 1 :])
            return Judged.ON if puzzle.seat in later else Judged.SOLVED


def _points(game: str, state: Any, puzzle: Puzzle) -> int:  # noqa: ANN401 (its state)
    scored = GAMES[game].ABOUT.scored
    assert scored is not None  # only games with points have such puzzles
    return scored.scores(state)[puzzle.seat]


def _reached(game: str, puzzle: Puzzle, at: int, after: Any) -> Judged:  # noqa: ANN401 (its state)
    """Judge by the points, once all pieces have landed."""
    if _points(game, after, puzzle) >= puzzle.worth:
        return Judged.SOLVED
    actors = GAMES[game].actors(after)
    spent = CHANCE in actors and _next_answer(puzzle, at) == len(puzzle.line)
    return Judged.WRONG if spent or not actors else Judged.ON


def _wins(game: str, puzzle: Puzzle, after: Any) -> bool:  # noqa: ANN401 (its state)
    rules = GAMES[game]
    if rules.actors(after):
        return False
    places = rules.places(after)
    return places[puzzle.seat] == 1 and places.count(1) == 1


def pieces(puzzle: Puzzle) -> int:
    """Return how many pieces a target is to be reached with.

    Three hexes come for all but the last, and one piece more for the radar to show.
    """
    return 1 + sum(actor != puzzle.seat for actor, _move in puzzle.line) // 3


# The puzzles that come with the program: a file a game, a puzzle a line.


@cache
def _lines(game: str) -> tuple[str, ...]:
    """Return the puzzles of a game as they are packed; none of a game without."""
    place = files("netplay.puzzles") / f"{game}.txt"
    if not place.is_file():
        return ()
    lines = place.read_text("ascii").splitlines()
    return tuple(line for line in lines if line and not line.startswith("# "))


def count(game: str) -> int:
    """Return how many puzzles there are of a game."""
    return len(_lines(game))


@cache
def find(game: str, number: int) -> Puzzle:
    """Return a puzzle of a game, from 0."""
    packed = decompress(b85decode(_lines(game)[number]))
    found: Puzzle = wire.unpack(packed, Puzzle)
    return found


def line(puzzle: Puzzle) -> str:
    """Return a puzzle as a line of such a file."""
    return b85encode(compress(wire.pack(puzzle), 9)).decode("ascii")


def today(game: str, day: date) -> int:
    """Return the puzzle of a day: the same for everybody, another one each day."""
    return day.toordinal() % count(game)


# The solitaire: a game of tiles for one, the same for everybody on a day.  The tiles
# come in an order that the day alone decides, so that whoever plays it can compare.
# Who exchanges tiles gets another order from there on, again the day's.


def begun(game: str, day: int) -> Stand:
    """Return the first turn of a day's solitaire.

    Args:
        game: One that has numbered tiles and can be played by one.
        day: Counted as `date.toordinal` does.
    """
    rules = GAMES[game]
    return dealt(game, day, Stand(rules.start(1, rules.ABOUT.options()), ()))


def dealt(game: str, day: int, stand: Stand) -> Stand:
    """Return where one is after the tiles that are due have been drawn."""
    rules, (state, past, at) = GAMES[game], stand
    made = list(past)
    while CHANCE in rules.actors(state):
        # Each copy of a kind has a number, by chance but for the day; the lowest of
        # those that are left comes first, as if all lay in a row.
        outcomes = list(rules.moves(state, CHANCE))
        tiled = rules.ABOUT.tiled
        assert tiled is not None  # only such games are played so
        left = Counter(each.kind for each in outcomes)
        numbers = _numbers(game, day, tiled.tiles(state).deal)
        kind = min(left, key=lambda kind: numbers[kind][-left[kind]])
        outcome = next(each for each in outcomes if each.kind == kind)
        made.append(Past(state, CHANCE, outcome))
        state = rules.play(state, CHANCE, outcome)
    return Stand(state, tuple(made), at)


def resumed(game: str, day: int, moves: tuple[Entry, ...]) -> Stand:
    """Return where one was, by the moves made that day.

    Raises:
        IllegalMoveError: These are no moves of that day.
        PeerError: Likewise.
    """
    stand = begun(game, day)
    for each in moves:
        stand = dealt(game, day, played(game, stand, (each,)))
    return stand


@cache
def _numbers(game: str, day: int, deal: int) -> tuple[tuple[bytes, ...], ...]:
    """Return the numbers of all copies of each kind, ascending."""
    rules, tiled = GAMES[game], GAMES[game].ABOUT.tiled
    assert tiled is not None  # as above
    counts = tiled.tiles(rules.start(1, rules.ABOUT.options())).counts
    named = (
        [f"netplay {day} {deal} {kind} {copy}" for copy in range(count)]
        for kind, count in enumerate(counts)
    )
    return tuple(
        tuple(sorted(sha256(name.encode()).digest() for name in each)) for each in named
    )
