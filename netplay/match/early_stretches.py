"""Stretches of other members' seats that are here before the log has them.

Theory of operation.  In a game of ticks a stretch goes to the host and comes back from
it as an entry: twice the way where lines are long, and a packet that is lost on either
half holds it up.  So where lines are slow a member sends its stretches to the others as
well, each on its own line.  They are shown on top of the log, in order and without a
gap, until the log has them or has gone another way; and what the log lacks after a
moment is handed to the host (see `stalled_lines`).

What is shown so is the word of the seat's holder alone, as it came over its own link,
and a picture: what counts is the log, which is checked as ever.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from netplay.messages.log import Submit, Ticks
from netplay.record.ledger import Ledger
from netplay.record.ticking import INPUTS_A_STRETCH, STRETCH_TICKS

KEPT: Final = 32
"""Of one member, behind what the log has of it: ten seconds' worth of a slow line."""


class EarlyStretch(NamedTuple):
    """One that the log does not have."""

    author: bytes
    submit: Submit
    body: Ticks
    since: float
    """When it came, in seconds."""


class EarlyStretches:
    """What other members have said of their seats, and the log has not."""

    def __init__(self, ledger: Ledger) -> None:
        """Begin with nothing.

        Args:
            ledger: The log.
        """
        self._ledger: Final = ledger
        self._found: Final[dict[bytes, dict[int, EarlyStretch]]] = {}
        self.news = 0
        """Counts how often there was another."""

    def take(self, key: bytes, submit: Submit, body: Ticks, now: float) -> None:
        """Keep a stretch that the holder of its seat has sent itself.

        One that comes in the place of another makes those behind that void: its author
        has begun again.
        """
        own = self._ledger.log.own(key)
        found = self._found.setdefault(key, {})
        if not own <= submit.own < own + KEPT:
            return
        before = found.get(submit.own)
        if before is not None:
            if before.submit == submit:
                return
            for number in [number for number in found if number > submit.own]:
                del found[number]
        found[submit.own] = EarlyStretch(key, submit, body, now)
        self.news += 1

    def __iter__(self) -> Iterator[EarlyStretch]:
        """Iterate over what follows the log without a gap, each member's in order.

        No more of anybody's than one stretch may be long: they are played again
        whenever the log has become longer.
        """
        ticks = self._ledger.fold.ticks
        for key, found in self._found.items():
            own, inputs = self._ledger.log.own(key), 0
            for number in [number for number in found if number < own]:
                del found[number]
            while own in found:
                body = found[own].body
                inputs += len(body.inputs)
                most = ticks[body.seat] + STRETCH_TICKS
                if body.until > most or inputs > INPUTS_A_STRETCH:
                    break
                yield found[own]
                own += 1

    def forget(self) -> None:
        """Begin again."""
        if self._found:
            self._found.clear()
            self.news += 1
