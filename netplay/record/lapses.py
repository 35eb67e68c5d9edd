"""What becomes of a seat that has had all its days to think and has not moved.

In a game whose turns may lapse the turn passes, and the third in a row resigns the
seat; in another the first does.  So does who withholds tiles from others.
"""

from collections.abc import Sequence
from typing import Any, Final

from netplay.errors import Code, PeerError
from netplay.record.standing import Standing
from rules.game import Game, Resign, Seat

MOST: Final = 3
"""Turns in a row that lapse, the last of which resigns the seat."""


def check_claim(fold: Standing, author: bytes, seat: Seat) -> None:
    """Check that somebody may claim that a seat's days are over.

    Raises:
        PeerError: UNEXPECTED, nobody may, or not about oneself; NOT_A_MEMBER.
    """
    if not fold.terms.days:
        raise PeerError(Code.UNEXPECTED, "turns have no days here")
    if author not in fold.electors or seat >= len(fold.holders):
        raise PeerError(Code.NOT_A_MEMBER, "who has no seat claims nothing")
    if author == fold.holders[seat]:
        raise PeerError(Code.UNEXPECTED, "a claim against oneself")


def lapsed(
    game: Game[Any, Any],
    state: Any,  # noqa: ANN401 (any game's)
    seat: Seat,
    before: int,
) -> Any:  # noqa: ANN401 (any game's)
    """Return the move that is made for a seat.

    Args:
        game: The game.
        state: Its state.
        seat: Who is late.
        before: How many of its turns have lapsed in a row before this one.
    """
    lapsing = game.ABOUT.lapsing
    if lapsing is None or before + 1 >= MOST or seat not in game.actors(state):
        return Resign()
    return lapsing.lapse(state, seat)


def counted(rows: Sequence[int], seat: Seat, *, lapses: bool) -> tuple[int, ...]:
    """Return how many turns of each seat have lapsed in a row.

    Args:
        rows: As it was.
        seat: Whose turn has ended.
        lapses: By lapsing, not by a move.
    """
    fresh = rows[seat] + 1 if lapses else 0
    return (*rows[:seat], fresh, *rows[seat + 1 :])
