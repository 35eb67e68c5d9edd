"""A seat passes to another player, when all the others agree.

Whoever agrees says so to everybody, signed.  The host collects, and enters the `Hand`
once the last of those who are asked has agreed: every elector but the present holder,
and the host; who resigns is asked no more.  A consent is for the next handing over of
the match and for no later one.  It is kept, and said again to whoever comes: nobody has
to be there when it is given.
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from netplay.errors import Code, LocalError, PeerError
from netplay.match.effects import NOTHING, Effect, Effects, Keep, Notice, Write, to
from netplay.match.members import Members
from netplay.messages.log import Consent, Hand
from netplay.record.hidden import Hidden, KeptConsent
from netplay.record.ledger import Ledger
from netplay.record.log import Signer, check_signature, hand_data
from netplay.sanitize import shown_name
from netplay.sentences import Says
from netplay.wanted import Outgoing

OFFERS: Final = 16
"""Different wishes of one member remembered, and told of; a hostile one must not make a
host hold more, or forget what others wish."""


HANDED_APART: Final = 4
"""By so many seats handed over two members may be apart for a moment."""


class Handover:
    """What has been agreed about handing over seats."""

    def __init__(
        self, signer: Signer, ledger: Ledger, hidden: Hidden, members: Members
    ) -> None:
        """Begin without any wish but those of this node's player."""
        self._signer: Final = signer
        self._hidden: Final = hidden
        self._ledger: Final = ledger
        self._members: Final = members
        self._handed = 0
        self.wishes: Final[dict[tuple[int, bytes, str], dict[bytes, bytes]]] = {}
        """What members wish about the next handing over -> who, and the signature."""

    def agree(self, seat: int, key: bytes, name: str) -> Effects:
        """Agree that a seat passes to a player.

        Raises:
            LocalError: USAGE, there is no such seat to hand over, or its tiles could
                not be read by whoever got it.
        """
        fold, match = self._ledger.fold, self._ledger.log.match
        if not 0 <= seat < len(fold.holders) or seat in fold.resigned:
            raise LocalError(Code.USAGE, Says.NOBODY_PLAYS_SEAT())
        if fold.over or fold.holders[seat] == key:
            raise LocalError(Code.USAGE, Says.SEAT_STAYS())
        if not fold.may_pass(seat, key):
            raise LocalError(Code.USAGE, Says.TILES_STAY())
        data = hand_data(match, seat, key, name, fold.handed)
        consent = Consent(match, seat, key, name, self._signer.sign(data))
        keys = tuple(sorted(self._members.linked))
        kept = Keep(KeptConsent(consent, left=bool(keys)))
        said = (Outgoing(keys, consent),) if keys else ()
        self._note(self._members.me, consent)
        return kept, *said, *self._count(consent)

    def _own(self) -> list[KeptConsent]:
        """Return what this node agrees to about the next handing over."""
        kept = self._hidden.consents
        return [one for one in kept if self._is_due(one.consent)] if kept else []

    def _is_due(self, consent: Consent) -> bool:
        """Tell whether a consent of this node's is for the next handing over."""
        fold, match = self._ledger.fold, self._ledger.log.match
        if fold.over or fold.holders[consent.seat] == consent.key:
            return False
        place = match, consent.seat, consent.key, consent.name
        return self._signer.sign(hand_data(*place, fold.handed)) == consent.signature

    def told_of(self) -> list[Consent]:
        """Return all that this node agrees to now."""
        return [one.consent for one in self._own()]

    def waiting(self) -> list[Consent]:
        """Return what this node agrees to and nobody has been told of."""
        return [one.consent for one in self._own() if not one.left]

    def greet(self, key: bytes) -> Effects:
        """Tell a member who has come what this node agrees to."""
        effects: list[Effect] = []
        for one in self._own():
            self._note(self._members.me, one.consent)
            if not one.left:
                effects.append(Keep(KeptConsent(one.consent, left=True)))
            effects.append(to(key, one.consent))
        return effects

    def on_consent(self, author: bytes, consent: Consent, _now: float) -> Effects:
        """Take a member's agreement.

        Raises:
            PeerError: BAD_SIGNATURE.
        """
        fold = self._ledger.fold
        if consent.seat >= len(fold.holders):
            raise PeerError(Code.UNEXPECTED, "no such seat")
        if not self._is_of_now(author, consent):
            return NOTHING
        who = self._members.name(author)
        seat, other = fold.names[consent.seat], shown_name(consent.name)
        detail = Says.AGREES_TO_HAND(name=who, other=other, seat=seat)
        told = (Notice(detail),) if self._note(author, consent) else ()
        return *told, *self._count(consent)

    def _is_of_now(self, author: bytes, consent: Consent) -> bool:
        """Tell whether a consent is for the next handing over.

        Who has heard of fewer, or of more, than this node agrees to another one, and
        means no harm.

        Raises:
            PeerError: BAD_SIGNATURE.
        """
        handed = self._ledger.fold.handed
        place = self._ledger.log.match, consent.seat, consent.key, consent.name
        near = range(max(0, handed - HANDED_APART), handed + HANDED_APART + 1)
        for after in near:
            with suppress(PeerError):
                check_signature(author, consent.signature, hand_data(*place, after))
                return after == handed
        raise PeerError(Code.BAD_SIGNATURE)

    def _note(self, author: bytes, consent: Consent) -> bool:
        """Remember what a member agrees to; return whether that is news."""
        self._forget_past()
        wish = (consent.seat, consent.key, consent.name)
        agreed = [one for one, votes in self.wishes.items() if author in votes]
        if wish not in agreed and len(agreed) >= OFFERS:
            return False
        self.wishes.setdefault(wish, {})[author] = consent.signature
        return wish not in agreed

    def _forget_past(self) -> None:
        """Forget what was wished before the last handing over."""
        if self._handed != self._ledger.fold.handed:
            self._handed = self._ledger.fold.handed
            self.wishes.clear()

    def _count(self, consent: Consent) -> Effects:
        """As host, hand the seat over once all have agreed."""
        hand = self._agreed_on((consent.seat, consent.key, consent.name))
        return NOTHING if hand is None else (Write(hand),)

    def owed(self) -> Iterator[Hand]:
        """Yield what all have agreed to who still have a say, whoever is host now."""
        self._forget_past()
        yield from filter(None, map(self._agreed_on, list(self.wishes)))

    def _agreed_on(self, wish: tuple[int, bytes, str]) -> Hand | None:
        """Return what a host enters once all have agreed who are asked."""
        fold, votes = self._ledger.fold, self.wishes.get(wish, {})
        needed = (fold.electors - {fold.holders[wish[0]]}) | {fold.host}
        stays = fold.over or wish[0] in fold.resigned or not fold.may_pass(*wish[:2])
        if stays or not self._members.hosting or not needed <= votes.keys():
            return None
        keys = [member.key for member in fold.members]
        signed = sorted((keys.index(key), votes[key]) for key in needed)
        return Hand(*wish, tuple(signed))
