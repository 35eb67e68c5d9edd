"""What seats of a game of ticks owe one another, by the order of the log.

Theory of operation.  What a seat's stretch sends to the others stands in its own part
of the state; nothing of theirs changes until each takes it, by a move of its own.  So
stretches may be entered in any order.  But a changed program might never take it.  So
the fold notes, where something is sent, how far the clock of each seat had come by
then; a stretch that goes on much longer and has not taken it is refused.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from rules.game import Game, RealTime


class Sent(NamedTuple):
    """Something was sent to a seat."""

    amount: int
    """All that has been sent to it by then."""
    at: int
    """Ticks of its clock in the log."""


Owing: TypeAlias = tuple[Sent, ...]
"""What a seat has not taken yet, in the order in which it came."""

NOTHING_OWED: Final[Owing] = ()

OVERDUE_TICKS: Final = 900
"""After what is sent to a seat comes to the log its stretches may go on so long: 30 s
at 30 Hz, 10 for the node to wait and 20 for a slow line (`STRETCH_TICKS`)."""


def overdue(
    game: Game[Any, Any],
    state: Any,  # noqa: ANN401 (a game's own)
    seat: int,
    owing: Owing,
    before: int,
) -> int:
    """Return how much a seat has not taken yet of what came before a tick of its clock.

    Args:
        game: The game.
        state: The state, with all that the seat has done.
        seat: Which one; it owes nothing once it is out.
        owing: What came to it.
        before: The tick.
    """
    due = max((one.amount for one in owing if one.at < before), default=0)
    if not due:
        return 0
    real_time = _real_time(game)
    sent = min(due, real_time.sent(state, seat))
    return max(0, sent - real_time.taken(state, seat))


def owing_after(
    game: Game[Any, Any],
    owing: tuple[Owing, ...],
    before: Any,  # noqa: ANN401 (a game's own)
    after: Any,  # noqa: ANN401 (a game's own)
    ticks: Sequence[int],
) -> tuple[Owing, ...]:
    """Return what each seat owes after a stretch.

    Args:
        game: The game.
        owing: What each owed before.
        before: The state then.
        after: The state now.
        ticks: How far the clock of each has come.
    """
    real_time, found = _real_time(game), list[Owing]()
    for seat, owed in enumerate(owing):
        sent = real_time.sent(after, seat)
        news = sent > real_time.sent(before, seat)
        now = (*owed, Sent(sent, ticks[seat])) if news else owed
        taken = real_time.taken(after, seat) if now else 0
        found.append(tuple(one for one in now if one.amount > taken))
    return tuple(found)


def _real_time(game: Game[Any, Any]) -> RealTime:
    real_time = game.ABOUT.real_time
    assert real_time is not None  # only such games tick
    return real_time
