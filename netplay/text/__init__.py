"""The games as text for the terminal: a board of several lines, a move in one.

`netplay.text.<game>` has `board(view, names=()) -> str`,
`line(before, actor, move, names) -> str`, `hint(view, seat, move) -> Words`, and
`TYPED`: its moves as they are typed.
"""

from collections.abc import Sequence
from importlib import import_module
from typing import Any, Protocol, cast

from netplay.said import Words
from netplay.text.typed import Typed
from rules import GAMES


class Writer(Protocol):
    """What a module in netplay/text/ must define."""

    @property
    def TYPED(self) -> Typed | None:  # noqa: N802 (a module's constant, seen as a property)
        """Its moves as a player types them; None where they cannot be typed."""
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
