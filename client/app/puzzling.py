"""Puzzles, and the solitaire of the day, as lessons on the games' own boards.

`netplay.puzzles` says what a puzzle is and whether a move solves it; here it gets its
words, and the others' answers are played.  Nothing of it is sent to anybody.
"""

from datetime import date
from functools import cache, partial
from typing import Final

from msgspec.structs import replace

from client.app.board import AnyMove, AnyState, AnyStep, Step
from client.app.lessons import Course, Learning, Lesson, Position, Task, Verdict
from client.app.settings import Settings, Solitaire
from client.ui.texts import _
from netplay import puzzles, wire
from netplay.errors import PeerError
from netplay.puzzles import Judged, Puzzle, Stand
from netplay.text.phrases import wish
from rules import GAMES
from rules.game import IllegalMoveError

SHOWN: Final = 12
"""Entries before a puzzle that its board knows of: the last move is marked."""

KEPT: Final = 400
"""Days of the solitaire whose points are kept."""


def listed(game: str) -> tuple[Lesson, ...]:
    """Return the puzzles of a game, in the language of the window."""
    return tuple(
        Lesson(
            _("Puzzle {n}").format(n=number + 1),
            _about(puzzles.find(game, number)),
            partial(_position, game, number),
            Task(wish(puzzles.find(game, number)), _undecided, "", "-"),
        )
        for number in range(puzzles.count(game))
    )


def _undecided(_before: AnyState, _move: AnyMove, _after: AnyState) -> None:
    """Judge nothing: `judged` does, which knows how far one is."""


@cache
def _position(game: str, number: int) -> Position:
    puzzle = puzzles.find(game, number)
    stand = puzzles.position(game, puzzle)
    return Position(stand.state, puzzle.seat, _steps(stand))


def _steps(stand: Stand) -> tuple[AnyStep, ...]:
    return tuple(Step(*each) for each in stand.past[-SHOWN:])


def _about(puzzle: Puzzle) -> str:
    """Return what is known of a puzzle before it is solved."""
    match puzzle.kind:
        case "points":
            text = _("The best play scores {n} points more than every other.")
            return text.format(n=puzzle.margin)
        case "best":
            return _(
                "Few moves are left, and the computer has worked out all that can "
                "happen. One move leads to more points at the end than any other, "
                "however well the others play. It need not be the one that scores "
                "most now."
            )
        case "win":
            return _(
                "There is a way to win whatever the other does, and only one way to "
                "begin it."
            )
        case "target":
            return _(
                "The clock stands still, the radar shows the next piece, and the same "
                "pieces come each time you try."
            )


def judged(now: Learning, move: AnyMove, after: AnyState) -> Verdict:
    """Return what a legal move is, in words."""
    if now.course is Course.SOLITAIRE:
        if GAMES[now.game].actors(after):
            return Verdict(None, "")
        told = _("{n} points. A new one comes tomorrow.")
        return Verdict(done=True, said=told.format(n=_points(now.game, after, 0)))
    puzzle = puzzles.find(now.game, now.at)
    stand = Stand(now.state, (), now.line)
    match puzzles.judged(now.game, puzzle, stand, move, after):
        case Judged.SOLVED:
            return Verdict(done=True, said=_solved(now.game, puzzle, after))
        case Judged.ON:
            return Verdict(None, _("Right. Go on.") if puzzle.kind == "win" else "")
        case Judged.WRONG:
            return Verdict(done=False, said=_wrong(now, puzzle, after))


def _points(game: str, state: AnyState, seat: int) -> int:
    scored = GAMES[game].ABOUT.scored
    return 0 if scored is None else scored.scores(state)[seat]


def _solved(game: str, puzzle: Puzzle, after: AnyState) -> str:
    match puzzle.kind:
        case "points":
            return _("{n} points: there is nothing better.").format(n=puzzle.worth)
        case "best":
            return _("That is the move: no other brings as much at the end.")
        case "win":
            return _("That wins, whatever the other does.")
        case "target":
            points = _points(game, after, puzzle.seat)
            return _("{n} points: that is enough.").format(n=points)


def _wrong(now: Learning, puzzle: Puzzle, after: AnyState) -> str:
    points = _points(now.game, after, puzzle.seat)
    match puzzle.kind:
        case "points":
            gained = points - _points(now.game, now.state, puzzle.seat)
            text = _("{n} points. Another play scores more.")
            return text.format(n=gained)
        case "best":
            return _("Another move brings more at the end.")
        case "win":
            return _("That does not win by force: the other has an answer.")
        case "target":
            return _("{n} points: not enough. The same pieces come again.").format(
                n=points
            )


def after_answer(now: Learning, state: AnyState) -> Learning:
    """Return where one is after what the others, or chance, do to a right move.

    Args:
        now: With the move among its `past`.
        state: The full state after the move.
    """
    stand = Stand(state, (), now.line)
    if now.course is Course.SOLITAIRE:
        stand = puzzles.dealt(now.game, now.day, stand)
    else:
        stand = puzzles.after_answer(now.game, puzzles.find(now.game, now.at), stand)
    past = (*now.past, *(Step(*each) for each in stand.past))
    return replace(now, state=stand.state, past=past[-SHOWN:], line=stand.at)


def solution(now: Learning) -> tuple[Learning, list[AnyStep]]:
    """Return a puzzle with its solution played on the board, and one's moves in it."""
    puzzle = puzzles.find(now.game, now.at)
    start = puzzles.position(now.game, puzzle)
    stand = puzzles.played(now.game, start, puzzle.line)
    made = [Step(*each) for each in stand.past[len(start.past) :]]
    own = [step for step in made if step.actor == puzzle.seat]
    past = _steps(stand)
    return replace(now, state=stand.state, past=past, done=True, shown=True), own


# What is remembered.


def solved(settings: Settings, game: str) -> frozenset[int]:
    """Return the puzzles of a game that have been solved, from 0."""
    return frozenset(dict(settings.solved).get(game, ()))


def with_solved(settings: Settings, game: str, number: int) -> Settings:
    """Return the settings with one more puzzle solved."""
    own = tuple(sorted(solved(settings, game) | {number}))
    every = {**dict(settings.solved), game: own}
    return replace(settings, solved=tuple(sorted(every.items())))


def first(settings: Settings, game: str, day: int) -> int:
    """Return the puzzle to begin with: that of the day, else the first unsolved."""
    today, done = today_of(game, day), solved(settings, game)
    rest = [n for n in range(puzzles.count(game)) if n not in done]
    return today if today not in done or not rest else rest[0]


def today_of(game: str, day: int) -> int:
    """Return the puzzle of a day."""
    return puzzles.today(game, date.fromordinal(max(1, day)))


# The solitaire.


def solitaire_of(game: str, settings: Settings, day: int) -> tuple[Lesson, ...]:
    """Return the solitaire of the day as the one lesson of its course."""
    own = settings.solitaire
    moves = own.moves if own.day == day else ()
    text = _(
        "Everybody who plays today gets the same tiles in the same order, as long as "
        "nobody exchanges any. Compare your points with your friends'."
    )
    best = max((points for _day, points in settings.solitaires), default=0)
    if best:
        text += " " + _("Your best so far: {n} points.").format(n=best)
    wish = _("Score as much as you can until the pool is used up.")
    return (
        Lesson(
            _("Solitaire of {day}").format(day=date.fromordinal(max(1, day))),
            text,
            partial(_laid, game, day, moves),
            Task(wish, _undecided, "", ""),
        ),
    )


@cache
def _laid(game: str, day: int, moves: tuple[str, ...]) -> Position:
    """Return the solitaire where it was left; from its first turn if that is lost."""
    entries = tuple((0, bytes.fromhex(each)) for each in moves)
    try:
        stand = puzzles.resumed(game, day, entries)
    except (IllegalMoveError, PeerError):
        stand = puzzles.begun(game, day)
    return Position(stand.state, 0, _steps(stand))


def with_move(settings: Settings, now: Learning, move: AnyMove) -> Settings:
    """Return the settings with one more move of the solitaire, and its end."""
    own, day = settings.solitaire, now.day
    moves = own.moves if own.day == day else ()
    fresh = Solitaire(day, (*moves, wire.pack(move).hex()))
    settings = replace(settings, solitaire=fresh)
    if not now.done:
        return settings
    points = _points(now.game, now.state, 0)
    kept = {**dict(settings.solitaires), day: points}
    return replace(settings, solitaires=tuple(sorted(kept.items()))[-KEPT:])


def told(now: Learning) -> str:
    """Return the result of the solitaire, to be sent to friends."""
    title = GAMES[now.game].ABOUT.title
    line = _("{game}, solitaire of {day}: {n} points")
    points = _points(now.game, now.state, 0)
    return line.format(game=title, day=date.fromordinal(max(1, now.day)), n=points)
