"""The games as text for the terminal: a board of several lines, a move in one.

`netplay.text.<game>` has `board(view, names=()) -> str`,
`line(before, actor, move, names) -> str`, `hint(view, seat, move) -> Words`,
`position(view)` and `written(view, seat, move)` for programs, and moves as a player
types them (`netplay play`): `read(view, seat, words)`, `offers(view, seat)`, `ways()`.
A word that is no move is refused in words the player understands; the rules have the
last word.
"""

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any, Final, Protocol, cast

from netplay.said import Words
from rules import GAMES
from rules.game import Resign, Seat


class Typed(Protocol):
    """What a module in netplay/text/ must define of moves as they are typed."""

    def read(self, view: Any, seat: Seat, words: str) -> Any:  # noqa: ANN401 (a game's own)
        """Return the move that is meant.

        Args:
            view: The state as the seat knows it.
            seat: Who makes the move.
            words: What was typed, without spaces at its ends.

        Raises:
            IllegalMoveError: It is no move, in words for the player.
        """
        ...

    def offers(self, view: Any, seat: Seat) -> Iterator[str]:  # noqa: ANN401 (a game's own)
        """Yield what may be typed now, for completion; not necessarily all of it."""
        ...

    def ways(self) -> tuple[tuple[str, str], ...]:
        """Return (what is typed, what it does), for `help`."""
        ...


class Writer(Typed, Protocol):
    """What a module in netplay/text/ must define."""

    def position(self, view: Any) -> dict[str, Any]:  # noqa: ANN401 (a game's own state)
        """Return what a view knows as values of JSON, as docs/programs.md lists them.

        Cells go by their names, and seats count from 1.
        """
        ...

    def written(self, view: Any, seat: int, move: Any) -> str:  # noqa: ANN401 (a game's own)
        """Return a legal move of a seat's player as `read` reads it.

        Args:
            view: As the seat knows it.
            seat: Who makes it.
            move: It; neither chance's nor the clock's, nor a `Resign`.
        """
        ...

    def board(
        self,
        view: Any,  # noqa: ANN401 (a game's own state)
        names: Sequence[str] = (),
        below: int | None = None,
    ) -> str:
        """Return the board and what belongs to it, in several lines.

        Args:
            view: What is drawn is what it knows: of racks, its seat's own.
            names: The seats' names; none where they are not known.
            below: Whose side of the board is the lower one, as in the window, if the
                game has sides; None for a bystander's look.
        """
        ...

    def line(self, before: Any, actor: int, move: Any, names: Sequence[str]) -> str:  # noqa: ANN401 (a game's own)
        """Return a move in one line.

        Args:
            before: The state, or the view of a seat, in which it was made.
            actor: Who made it.
            move: It, as masked for that seat.
            names: The seats' names.
        """
        ...

    def hint(self, view: Any, seat: int, move: Any) -> Words:  # noqa: ANN401 (a game's own)
        """Return a move that a seat might make; empty for what is never advised.

        Args:
            view: As the seat knows it.
            seat: Who is on turn.
            move: It; a code with values, or a notation that is the same everywhere.
        """
        ...


def writer(game: str) -> Writer:
    """Return the text of a game, imported when first asked for.

    Raises:
        KeyError: There is no such game.
    """
    if game not in GAMES:
        raise KeyError(game)
    return cast("Writer", import_module(f"netplay.text.{game}"))


# Moves as words, for programs and scripts: all that are legal, or one that is meant.
# What stands in a list can be written back as it is.

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
