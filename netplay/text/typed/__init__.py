"""Moves as a player types them: `netplay play`.

Each module reads what is typed at one game into a move, says what may be typed, and
completes it.  A word that is no move is refused in words the player understands; the
rules have the last word.
"""

from collections.abc import Iterator
from typing import Any, Protocol

from rules.game import Seat


class Typed(Protocol):
    """What a module in netplay/text/typed/ must define."""

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
