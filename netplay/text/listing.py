"""Moves as words, for programs and scripts: all that are legal, or one that is meant.

What stands in a list can be written back as it is.
"""

from typing import Any, Final

from netplay.text import writer
from rules import GAMES
from rules.game import Resign, Seat

RESIGN: Final = "resign"
"""How giving up is written in every game."""


def legal(game: str, view: Any, seat: Seat, most: int) -> tuple[list[str], bool]:  # noqa: ANN401 (any game's)
    """Return the legal moves of a seat but giving up, and whether there are more.

    Args:
        game: Name of the game.
        view: What the seat knows.
        seat: Whose moves.
        most: As many as are listed.
    """
    rules, text, found = GAMES[game], writer(game), dict[str, None]()
    tiled = rules.ABOUT.tiled
    if tiled is not None and min(tiled.tiles(view).kinds[seat], default=0) < 0:
        return [], True  # in an encrypted match own tiles may still be on their way
    real_time = rules.ABOUT.real_time
    for move in rules.moves(view, seat):
        if real_time is not None and real_time.is_taking(move):
            continue  # what the node makes by itself is no choice
        found[text.written(view, seat, move)] = None
        if len(found) > most:
            return list(found)[:most], True
    return list(found), False


def read(game: str, view: Any, seat: Seat, words: str) -> Any:  # noqa: ANN401 (any game's)
    """Return the move that is written, if the rules allow it.

    Raises:
        IllegalMoveError: They do not, or it is none, in words for the player.
    """
    words = words.strip()
    if words.lower() == RESIGN:
        return Resign()
    move = writer(game).read(view, seat, words)
    GAMES[game].play(view, seat, move)
    return move


def written(game: str, view: Any, seat: Seat, move: Any) -> str:  # noqa: ANN401 (any game's)
    """Return a move of a player's as `read` takes it."""
    return (
        RESIGN if isinstance(move, Resign) else writer(game).written(view, seat, move)
    )
