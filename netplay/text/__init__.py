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
from typing import Any, Protocol, cast

from netplay.said import Words
from rules import GAMES
from rules.game import Seat


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
