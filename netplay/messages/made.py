"""What was done at a node and has not come to the others yet, as windows show it."""

from netplay.messages.preparing import PreparedLine
from netplay.messages.types import DoorMessage, Natural


class Made(DoorMessage, frozen=True):
    """What was done here and is not delivered yet."""

    moves: tuple[int, ...] = ()
    """Seats here whose move is made, and waits for somebody who takes it."""
    back: tuple[int, ...] = ()
    """Those of them whose player may still take the move back."""
    draws: bool = False
    """New tiles come only when the move has been delivered."""
    consents: tuple[tuple[int, str], ...] = ()
    """Seats, and the names of those to whom the player here agrees to hand them."""
    kept: tuple[tuple[str, str], ...] = ()
    """Names of members who are away, and of those who keep it for them."""
    lines: Natural = 0
    """So many of the player's lines of chat are at another node; later ones are not."""
    lines_kept: tuple[tuple[str, Natural], ...] = ()
    """Names of those who keep lines for members who are away, and how many."""
    prepared: tuple[PreparedLine, ...] = ()
    """What is prepared on condition for persons here."""
    prepares: tuple[int, ...] = ()
    """Seats here for which something can be prepared now."""
    unconfirmed: int | None = None
    """Seconds that a turn made here has left, if there are few and nobody whose word
    counts has confirmed it."""
