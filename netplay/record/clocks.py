"""Time that is counted against players: a limit for each turn, or for all of them.

A game that counts time (`rules.game.Clocked`) lets CLOCK move; its options say how
much there is: minutes a turn, or for a whole match, and then every further minute
costs.  Time is the match's own, in the entries: it stands while chance
is being settled and while somebody is missed.
"""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from rules.game import CLOCK, Game

MINUTE: Final = 60_000
"""In milliseconds."""


class Due(NamedTuple):
    """A move by the clock, and when it may be made."""

    at: int
    """Milliseconds of the match."""
    move: Any


class Clocks:
    """What each seat has used, as the entries tell."""

    def __init__(self, game: Game[Any, Any], options: Any, seats: int) -> None:  # noqa: ANN401 (any game's)
        """Start with nothing used."""
        self._clocked = clocked = game.ABOUT.clocked
        self._turn_ms = clocked.turn_minutes(options) * MINUTE if clocked else 0
        self._match_ms = clocked.match_minutes(options) * MINUTE if clocked else 0
        self.minutes: Final = (self._turn_ms or self._match_ms) // MINUTE
        """Of a turn, or of a match; 0 without a limit."""
        self.counting = bool(self._turn_ms or self._match_ms)
        """Whether time is counted at all."""
        self._used = [0] * seats
        self._fines = [0] * seats
        self.on: tuple[int, ...] = ()
        """The seats whose time runs."""
        self._asked = self._owing = False
        self._charged_at = 0
        self.turn_since = 0
        """When the turn that is on began, in milliseconds of the match."""

    def pass_to(
        self,
        on: tuple[int, ...],
        at: int,
        *,
        moved: bool,
        asked: bool = False,
        owing: bool = False,
    ) -> None:
        """Note whose time runs from here on.

        Args:
            on: The seats that the match waits for.
            at: Milliseconds of the match.
            moved: Whether somebody has moved; alone one begins another turn by that.
            asked: Whether an announced word waits for answers; once it does no more,
                another turn begins, be it of the same seat.
            owing: Whether the seats owe tiles to one that cannot move without; once it
                is their own turn that one begins, be they the same.
        """
        for seat in self.on:
            self._used[seat] += at - self._charged_at
        self._charged_at = at
        alone = moved and len(self._used) == 1
        passed = (self._asked and not asked) or (self._owing and not owing)
        if on != self.on or alone or passed:
            self.turn_since = at
        self._asked, self._owing = asked, owing
        self.on = on

    def answering(self, state: Any) -> bool:  # noqa: ANN401 (any game's)
        """Tell whether the time runs for others to answer, not for the turn."""
        return self._clocked is not None and self._clocked.answering(state)

    def fined(self, move: Any) -> int | None:  # noqa: ANN401 (any game's)
        """Return the seat that a move by the clock fines, None if it ends the turn."""
        return None if self._clocked is None else self._clocked.fined(move)

    def take(self, move: Any) -> None:  # noqa: ANN401 (any game's)
        """Note a move by the clock: a seat may have paid for going over its time."""
        seat = self.fined(move)
        if seat is not None:
            self._fines[seat] += 1

    def _left(self, seat: int, at: int) -> int:
        """Return what a seat has left of its time for the whole match."""
        running = at - self._charged_at if seat in self.on else 0
        return self._match_ms - self._used[seat] - running

    def due(self, game: Game[Any, Any], state: Any) -> Iterator[Due]:  # noqa: ANN401 (any game's)
        """Yield what the clock may do, and when at the earliest.

        Args:
            game: The game.
            state: Its state, in which CLOCK may move.
        """
        for move in game.moves(state, CLOCK):
            seat = self.fined(move)
            if seat is None:
                yield Due(self.turn_since + self._turn_ms, move)
            else:
                left = self._left(seat, self._charged_at)
                fines = self._fines[seat] * MINUTE
                yield Due(self._charged_at + left + fines, move)

    def shown(self, seat: int, at: int) -> tuple[int, bool]:
        """Return a seat's milliseconds left, -1 without a limit, and if they run."""
        ticking = self.counting and seat in self.on
        if self._match_ms:
            return max(0, self._left(seat, at)), ticking
        if not self._turn_ms:
            return -1, False
        used = at - self.turn_since if ticking else 0
        return max(0, self._turn_ms - used), ticking
