"""A seat passes to another player, when all the others agree.

Whoever agrees says so to everybody, signed.  The host collects, and enters the `Hand`
once the last of those who are asked has agreed: every elector but the present holder,
and the host.  A consent is for the next handing over of the match and for no later one.
"""

from contextlib import suppress
from typing import TYPE_CHECKING, Final

from netplay.errors import Code, LocalError, PeerError
from netplay.messages.log import Consent, Hand
from netplay.record import signing
from netplay.record.log import hand_data
from netplay.sanitize import shown_name

if TYPE_CHECKING:
    from netplay.match.match import Match

OFFERS: Final = 16
"""Different wishes of one member remembered, and told of; a hostile one must not make a
host hold more, or forget what others wish."""


HANDED_APART: Final = 4
"""By so many seats handed over two members may be apart for a moment."""


class Handing:
    """What has been agreed about handing over seats."""

    def __init__(self, match: "Match") -> None:
        """Begin without any wish."""
        self._match: Final = match
        self._handed = 0
        self._offers: dict[tuple[int, bytes, str], dict[bytes, bytes]] = {}

    def agree(self, seat: int, key: bytes, name: str, now: float) -> None:
        """Agree that a seat passes to a player.

        Raises:
            LocalError: USAGE, there is no such seat to hand over.
        """
        match, fold = self._match, self._match.fold
        if not 0 <= seat < len(fold.holders) or seat in fold.resigned:
            raise LocalError(Code.USAGE, "nobody plays that seat")
        if fold.over or fold.holders[seat] == key:
            raise LocalError(Code.USAGE, "that seat need not pass to anybody")
        data = hand_data(match.match, seat, key, name, fold.handed)
        consent = Consent(match.match, seat, key, name, match.signer.sign(data))
        match.replica.say_all(consent)
        self._note(match.me, consent)
        self._count(consent, now)

    def on_consent(self, author: bytes, consent: Consent, now: float) -> None:
        """Take a member's agreement.

        Raises:
            PeerError: BAD_SIGNATURE.
        """
        match, fold = self._match, self._match.fold
        if consent.seat >= len(fold.holders):
            raise PeerError(Code.UNEXPECTED, "no such seat")
        if not self._is_of_now(author, consent):
            return
        who = next(m.name for m in fold.members if m.key == author)
        seat, other = fold.names[consent.seat], shown_name(consent.name)
        if self._note(author, consent):
            match.notice(f"{who} agrees that {other} plays on for {seat}")
        self._count(consent, now)

    def _is_of_now(self, author: bytes, consent: Consent) -> bool:
        """Tell whether a consent is for the next handing over.

        Who has heard of fewer, or of more, than this node agrees to another one, and
        means no harm.

        Raises:
            PeerError: BAD_SIGNATURE.
        """
        match, handed = self._match, self._match.fold.handed
        place = match.match, consent.seat, consent.key, consent.name
        near = range(max(0, handed - HANDED_APART), handed + HANDED_APART + 1)
        for after in near:
            with suppress(PeerError):
                signing.verify(author, consent.signature, hand_data(*place, after))
                return after == handed
        raise PeerError(Code.BAD_SIGNATURE)

    def _note(self, author: bytes, consent: Consent) -> bool:
        """Remember what a member agrees to; return whether that is news."""
        fold = self._match.fold
        if self._handed != fold.handed:
            self._handed = fold.handed
            self._offers.clear()
        wish = (consent.seat, consent.key, consent.name)
        agreed = [one for one, votes in self._offers.items() if author in votes]
        if wish not in agreed and len(agreed) >= OFFERS:
            return False
        self._offers.setdefault(wish, {})[author] = consent.signature
        return wish not in agreed

    def _count(self, consent: Consent, now: float) -> None:
        """As host, hand the seat over once all have agreed."""
        match, fold = self._match, self._match.fold
        votes = self._offers.get((consent.seat, consent.key, consent.name), {})
        needed = (fold.electors - {fold.holders[consent.seat]}) | {fold.host}
        if not match.hosting or not needed <= votes.keys():
            return
        keys = [member.key for member in fold.members]
        signed = sorted((keys.index(key), votes[key]) for key in needed)
        hand = Hand(consent.seat, consent.key, consent.name, tuple(signed))
        try:
            match.entering.submit(hand, now)
        except PeerError as error:
            match.notice(str(error))
