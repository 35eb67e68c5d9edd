"""`netplay puzzle`: a position with one best move, in the terminal."""

import argparse
from datetime import date
from typing import Any, Final

from netplay import puzzles
from netplay.errors import Code, LocalError
from netplay.language import _, phrase
from netplay.puzzles import Judged, Puzzle, Stand
from netplay.said import spoken
from netplay.sentences import Says
from netplay.text import writer
from netplay.text.phrases import wish
from rules import GAMES, LISTED
from rules.game import IllegalMoveError

HELP = "a puzzle: a position with one best move"

TODAY: Final = "today"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("game", choices=tuple(LISTED), metavar="GAME")
    parser.add_argument(
        "number", nargs="?", default=TODAY, metavar="NUMBER", help="from 1, or today"
    )
    parser.add_argument(
        "moves", nargs="*", metavar="MOVE", help="your solution, a word a move"
    )


def run(arguments: argparse.Namespace) -> int:
    """Show the puzzle, or say whether moves solve it; exits with 1 if they do not."""
    game = arguments.game
    number = _number(game, arguments.number)
    puzzle = puzzles.find(game, number)
    stand = puzzles.position(game, puzzle)
    if not arguments.moves:
        print(_("Puzzle {n}").format(n=number + 1))
        print(_shown(game, puzzle, stand))
        print(wish(puzzle))
        return 0
    return _tried(game, puzzle, stand, arguments.moves)


def _number(game: str, text: str) -> int:
    """Return which puzzle is wished for, from 0.

    Raises:
        LocalError: USAGE, there is none such.
    """
    count = puzzles.count(game)
    if text == TODAY and count:
        return puzzles.today(game, date.today())  # noqa: DTZ011 (the user's own day)
    if not (text.isdecimal() and 1 <= int(text) <= count):
        title = GAMES[game].ABOUT.title
        raise LocalError(Code.USAGE, Says.NO_PUZZLE(game=title, count=count))
    return int(text) - 1


def _shown(game: str, puzzle: Puzzle, stand: Stand) -> str:
    """Return the board, with what is in one's own hand."""
    others = iter(("Ben", "Cleo", "Dora"))
    seats = range(puzzle.seats)
    names = [_("You") if seat == puzzle.seat else next(others) for seat in seats]
    view = GAMES[game].view(stand.state, puzzle.seat)
    return writer(game).board(view, names, puzzle.seat)


def _tried(game: str, puzzle: Puzzle, stand: Stand, moves: list[str]) -> int:
    """Say what each of the typed moves is, until one is wrong or all is solved."""
    found = Judged.WRONG
    for words in moves:
        try:
            move = _read(game, puzzle, stand.state, words)
            after = GAMES[game].play(stand.state, puzzle.seat, move)
        except IllegalMoveError as error:
            print(f"{words}: {phrase(spoken(error))}")
            return 1
        found = puzzles.judged(game, puzzle, stand, move, after)
        print(f"{words}: {_said(found)}")
        if found is not Judged.ON:
            break
        stand = puzzles.answered(game, puzzle, Stand(after, stand.past, stand.at))
        print(_shown(game, puzzle, stand))
    return 0 if found is Judged.SOLVED else 1


def _said(found: Judged) -> str:
    if found is Judged.SOLVED:
        return _("Solved.")
    return _("Right. Go on.") if found is Judged.ON else _("That is not it.")


def _read(game: str, puzzle: Puzzle, state: Any, words: str) -> Any:  # noqa: ANN401 (any game's)
    """Return a move as it is typed.

    Raises:
        LocalError: USAGE, moves of this game cannot be typed.
    """
    typed = writer(game).TYPED
    if typed is None:
        title = GAMES[game].ABOUT.title
        raise LocalError(Code.USAGE, Says.TOO_FAST_TO_TYPE(game=title))
    return typed.read(GAMES[game].view(state, puzzle.seat), puzzle.seat, words)
