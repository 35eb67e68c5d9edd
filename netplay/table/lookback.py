"""A match that is over, turn by turn, for whoever wants to know what was best."""

from typing import TYPE_CHECKING, Final

from netplay.errors import Code, LocalError
from netplay.review import turns
from netplay.review.turns import Turn

if TYPE_CHECKING:
    from netplay.table.sitting import Sitting


class LookBack:
    """The turns of the match in hand; worked out once when it is over."""

    def __init__(self, sitting: "Sitting") -> None:
        """Look at a table."""
        self._sitting: Final = sitting
        self._match = b""
        self._turns: dict[int, Turn] = {}

    def turn(self, number: int) -> Turn:
        """Return a turn.

        Args:
            number: Its move's place in the history (`Happened.number`).

        Raises:
            LocalError: USAGE, the match is not over, its tiles are not open yet, it is
                another game, or that move is no turn of a seat's.
        """
        match = self._sitting.match
        if match is None or not match.audit():
            raise LocalError(Code.USAGE, "there is no finished match to analyse")
        if self._match != match.match:
            self._turns = {turn.number: turn for turn in turns.of_match(match.fold)}
            self._match = match.match
        if number not in self._turns:
            raise LocalError(Code.USAGE, f"move {number} is no turn of a seat's")
        return self._turns[number]
