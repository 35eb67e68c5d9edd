"""Notices at which tables something has come to wait for the player here.

Only what is agreed rings: a match, or a table of the player's to which all have said
yes.  A match that is in hand when the node begins has been told of before.
"""

from math import inf
from typing import TYPE_CHECKING, Final

from netplay.match.match import Match
from netplay.messages.door import Reason, Summons
from netplay.peering.peers import KnownPeers
from netplay.sanitize import shown_name
from netplay.sentences import Says
from netplay.table.lacking import unconfirmed
from netplay.table.shared import Shared
from netplay.table.table_status import is_live

if TYPE_CHECKING:
    from netplay.table.place import Place

MOST: Final = 100
"""Not taken yet: as many as there may be tables."""


SOON_SECONDS: Final = 10.0
"""A line that is there again so soon calls nobody back: who plays still looks on."""

BEFORE: Final = -1
"""In place of the number of entries, where a match has not begun."""


class Bell:
    """Rings once for each turn, offer and end, and each time that somebody writes."""

    def __init__(self, shared: Shared) -> None:
        """Begin without a table."""
        self._shared: Final = shared
        self.rung: list[Summons] = []
        """What was not taken yet."""

    def look(self, place: "Place") -> None:
        """Look at a table at which something has happened."""
        match, seen = place.table.match, place.rung
        if match is None:
            self._look_before(place)
            return
        members = match.members
        stands = bool(place.table.stopped or members.missed)
        if stands or place.halted < inf:
            self._look_halted(place, match, stands=stands)
        fold = match.ledger.fold
        number = fold.number
        if seen is not None and seen[0] == number:
            if match.thinking.limit:
                self._remind(place, match)
            return
        why, place.reminded, place.warned = _reason(match), False, False
        moves = 0 if fold.hz else fold.moves
        place.rung = number, why, moves
        begins = seen is not None and seen[0] == BEFORE and not match.members.watching
        if begins and is_live(match, place.table.status(self._shared.now)):
            self._ring(place, "live", _others(match, self._shared.means.known))
            return
        if seen is None or why is None or seen[1:] == (why, moves):
            return
        if seen[1] == why == "turn" and moves == seen[2] + 1:
            return  # the move was made here
        if seen[1] == why == "over":
            return
        self._ring(place, why, _others(match, self._shared.means.known))

    def _look_halted(self, place: "Place", match: Match, *, stands: bool) -> None:
        """Ring when time runs again that stood still: somebody was not there."""
        now = self._shared.now
        if stands:
            # Who opens a match, or sees somebody leave it, may wait for long.
            ran = place.rung is not None and not place.table.stopped
            place.halted = min(place.halted, now if ran else -inf)
            return
        since, place.halted = place.halted, inf
        if now - since < SOON_SECONDS:
            return
        if is_live(match, place.table.status(now)):
            self._ring(place, "resumed", _others(match, self._shared.means.known))

    def _look_before(self, place: "Place") -> None:
        """Ring, before a match, when the others have agreed and it can begin."""
        table, seen = place.table, place.rung
        why: Reason | None = "ready" if table.waits_for_ready else None
        why = "agreed" if table.ready else why
        place.rung = BEFORE, why, -1
        if why is not None and place.rung != seen:
            names = table.names()
            own = self._shared.means.known.own_name
            others = tuple(own(key, names[key]) for key in table.others)
            self._ring(place, why, others)

    def _remind(self, place: "Place", match: Match) -> None:
        """Ring once more for a turn that has a quarter of its days left.

        Who has made it, and has nobody's word for that, is told a little sooner.
        """
        left = None if place.warned else unconfirmed(match)
        if left is not None:
            place.warned, hours = True, max(1, left // 3600)
            self._shared.tell(Says.UNCONFIRMED(hours=hours), "warning")
        if not place.reminded and match.thinking.short:
            place.reminded = True
            if _reason(match) == "turn":
                self._ring(place, "time", _others(match, self._shared.means.known))

    def wrote(self, place: "Place", name: str) -> None:
        """Ring because somebody has written at a table."""
        if place.table.match is not None:
            self._ring(place, "chat", (shown_name(name),))

    def _ring(self, place: "Place", why: Reason, who: tuple[str, ...]) -> None:
        """Ring, unless the player does not want to hear of that table."""
        terms = place.table.terms
        if terms is None or terms.nonce in self._shared.means.muted.tables:
            return
        if len(self.rung) < MOST:
            game = shown_name(terms.game)
            self.rung.append(Summons(place.number, why, game, who))

    def take_summons(self) -> list[Summons]:
        """Return what has rung since the last call."""
        rung, self.rung = self.rung, []
        return rung


def waits(place: "Place") -> bool:
    """Tell whether the player here is waited for: to move, to begin, to say ready."""
    match, terms = place.table.match, place.table.terms
    if terms is None or terms.nonce in place.shared.means.muted.tables:
        return False
    if match is None:
        return place.table.ready or place.table.waits_for_ready
    return _reason(match) == "turn"


def _others(match: Match, known: KnownPeers) -> tuple[str, ...]:
    """Return what the player here calls the others."""
    fold, seats = match.ledger.fold, match.seats
    others = [
        known.own_name(fold.holders[seat], name)
        for seat, name in enumerate(fold.names)
        if not seats.by_player(seat)
    ]
    return tuple(dict.fromkeys(others))


def _reason(match: Match) -> Reason | None:
    """Return why a match waits for the player here."""
    fold, seats = match.ledger.fold, match.seats
    if match.members.watching or match.turns.stopped:
        return None
    if fold.over:
        return "over"
    for seat in fold.actors:  # called at every move
        mine = seats.by_player(seat) and not seats.is_moving(seat)
        if mine and not seats.lacks_tiles(seat):  # it is called once they have come
            return "turn"
    asked = fold.offers.standing and match.offering.waits()
    return "offer" if asked else None
