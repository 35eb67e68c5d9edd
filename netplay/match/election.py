"""Another host, when the one there was is gone.

Theory of operation.  After a minute without the host, or sooner if the players vote so,
the next member in order who can be reached claims the next term.  Whoever agrees has
the very same log as the claimant, promises on disk to follow no older term, and
signs.  A quorum's signatures make the `Term` entry, the first of the new term: what
was final is in it, for a quorum had it on disk and a quorum has signed.  (The claimant
need not promise: its own signature is void once its log has moved on.)  Whoever has a
tail that only the old host had entered drops it, and submits its own bodies again.

Claims are repeated every second with a higher term: that is all there is to time-outs.
A host that hears of a claim claims a higher term itself, which all may grant: so a
promise given to a claimant that has vanished binds nobody for long.
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from netplay.errors import Code, LocalError, PeerError
from netplay.fingerprint import fingerprint
from netplay.limits import QUORUM_SECONDS
from netplay.match.effects import (
    NOTHING,
    BeHost,
    Effect,
    Effects,
    HandOn,
    Keep,
    Notice,
    Write,
    to,
)
from netplay.match.members import Members
from netplay.match.receipts import Auditing, Losses
from netplay.match.replica import have
from netplay.messages.log import Claim, Consent, Grant, Hand, Term
from netplay.messages.types import SEATS
from netplay.rate import Buckets
from netplay.record.clocks import elects, quorum
from netplay.record.hidden import Hidden, KeptConsent, KeptGrant
from netplay.record.ledger import Ledger
from netplay.record.log import Signer, check_signature, hand_data, term_data
from netplay.sanitize import shown_name
from netplay.sentences import Says
from netplay.wanted import Outgoing

CLAIM_SECONDS: Final = 1.0
"""Between two claims: several round trips."""

VOTE_SECONDS: Final = 600.0
"""For which a vote against a host that is there stands: others have to be won for it,
and who has changed their mind has forgotten it by then."""

PROMISE_SECONDS: Final = 3.0
"""After which a member bound by a promise claims, with the old host in reach: whoever
it promised to had several claims' time, and the old host renews its term then."""

TERMS_AHEAD: Final = 100_000_000
"""By which a claim may pass the terms known here: claims of three years, or two hundred
first claims of nodes that are lost, each far above the one before.  Whoever claims more
wants to use up the numbers."""

RENEWALS_A_SECOND: Final = 1 / 60
"""For which a host renews its term for the claims of one member (sustained): each stops
the match for a moment and is an entry, and a guest could fill the log with them."""

RENEWALS_AT_ONCE: Final = 16
"""The burst above that: a link that comes and goes, and players who vote."""


GRANTS_A_SECOND: Final = 1 / CLAIM_SECONDS
"""For which one member is promised terms (sustained): each is written to the disk
first, and nobody honest claims more often."""

GRANTS_AT_ONCE: Final = 16
"""The burst above that: claims that cross, and links that come and go."""


class Election:
    """The choice of a host for a match, as one member takes part in it."""

    def __init__(
        self,
        signer: Signer,
        ledger: Ledger,
        hidden: Hidden,
        members: Members,
        auditing: Auditing,
    ) -> None:
        """Begin with the host that the log names.

        Args:
            signer: This node's key.
            ledger: The log.
            hidden: What was promised.
            members: Who takes part.
            auditing: Knows whether there is work left for a host after the end.
        """
        self._signer: Final = signer
        self._ledger: Final = ledger
        self._hidden: Final = hidden
        self._members: Final = members
        self._auditing: Final = auditing
        self.losses: Final = Losses(ledger, hidden, members)
        self._gone: float | None = None
        self._claimed: float | None = None
        self._claim: Claim | None = None
        self._votes: dict[bytes, bytes] = {}
        self._heard = 0
        self._renewals = Buckets[bytes](RENEWALS_A_SECOND, RENEWALS_AT_ONCE)
        """Member -> how often this host renews its term for its claims."""
        self._grants = Buckets[bytes](GRANTS_A_SECOND, GRANTS_AT_ONCE)
        """Member -> how often it is promised terms."""
        self.voted = False
        self.against: tuple[bytes, float] | None = None
        """A host that is there and not wanted any more, and since when."""
        self._refused: float | None = None
        """When a claim of that host's was refused first, since there was a term."""

    def reset(self) -> None:
        """Begin again: there is a new host."""
        self._gone = self._claimed = self._claim = None
        self._members.claim(claiming=False)
        self._votes = {}
        self.voted = False
        self._refused = None

    def vote(self, now: float) -> Effects:
        """Agree to go on without the host at once, also while it is there.

        A host that is there is replaced if a quorum of the others votes so.  Whoever
        votes claims, for a moment; whoever has voted before agrees then.

        Raises:
            LocalError: USAGE, the others are too few to have another host.
        """
        members, fold = self._members, self._ledger.fold
        others = members.electors - {members.host}
        may = not members.hosting and elects(fold, members.me, others)
        # A host that is there goes only if those who stay can choose: else the match
        # stands.  It cannot vote itself away, and a minority's claim would never end.
        if not (self._vacant or may):
            raise LocalError(Code.USAGE, Says.TOO_FEW())
        # A vote that falls into a renewal of its term is one against it, too.
        if may and members.host_here:
            self.against = members.host, now
            self._claimed = self._refused = None
        self.voted = True
        return self.wake(now)

    def _dissents(self, now: float, seconds: float = VOTE_SECONDS) -> bool:
        """Tell whether this node's player voted against the host that is there."""
        # Where there is no host to follow, patience decides and no vote is needed.
        return not self._vacant and self._opposes(now, seconds)

    def _opposes(self, now: float, seconds: float = VOTE_SECONDS) -> bool:
        """Tell whether this node's player voted against the host, there or not."""
        host, since = self.against or (b"", 0.0)
        return host == self._members.host and now - since < seconds

    def _refuses(self, now: float) -> bool:
        """Tell whether the host claims in vain, as this node's player voted against it.

        Whoever would take its place needs a moment, also once this node has promised
        to follow them.  A host that nobody replaces has its term back then, or the
        match would stand for as long as the votes do.
        """
        # Votes lapse, and one against an earlier host is none against this one.
        if not self._opposes(now):
            return False
        # The others' moment begins with the first claim that could end it.
        if self._refused is None:
            self._refused = now
        return now < self._refused + PROMISE_SECONDS

    @property
    def _vacant(self) -> bool:
        """Whether there is no host to follow: none here that has the match in hand."""
        members = self._members
        return not members.host_here or members.bound or self._apart

    @property
    def _apart(self) -> bool:
        """Whether the host sees another position than this node and most others."""
        fold = self._ledger.fold
        return fold.host in fold.agreement.standing and not fold.disputed

    def _willing(self, now: float) -> bool:
        """Tell whether this node would go on with another host."""
        # The wait begins anew each time: a host that comes and goes is not summed up.
        if not self._vacant:
            self._gone = None
            self.voted = False
            return self._dissents(now)
        # From the first moment alone, or every look would put the claim off.
        if self._gone is None:
            self._gone = now
        # Who has promised another a term has not changed its mind by that.
        opposes = self._members.host_here and self._opposes(now)
        return self.voted or opposes or now >= self._gone + self._patience

    @property
    def _patience(self) -> float:
        """How long this node waits for the host; it may only wait to be freed by it.

        Who has lost a part of the log waits for nobody: it is no host to wait for.
        """
        members = self._members
        # It may enter nothing before another term, so nobody gains by waiting.
        if members.lost:
            return 0.0
        here = members.host in members.greeted
        return PROMISE_SECONDS if here and members.bound else QUORUM_SECONDS

    @property
    def _possible(self) -> bool:
        """Whether enough members are here to choose."""
        members = self._members
        over = self._ledger.fold.over
        wanted = members.bound or not over or self._auditing.possible
        return wanted and len(members.here) >= quorum(len(members.electors))

    @property
    def _next(self) -> bytes | None:
        """Who is to be the next host: the first after the present one who is here."""
        keys = [member.key for member in self._ledger.fold.members]
        at = keys.index(self._members.host)
        others = (*keys[at + 1 :], *keys[:at])
        return next((key for key in others if key in self._members.here), None)

    def wake(self, now: float) -> Effects:
        """Claim the next term if it is due and ours to claim."""
        if self._members.careful:
            return NOTHING  # it may have entered more in this term
        if self._dissents(now):
            claims = self._dissents(now, PROMISE_SECONDS) and self._possible
        else:
            claims = self._willing(now) and self._mine
        # A host that claims again has halted; who refused it may be willing by now.
        if self._members.claims_again or claims:
            return self.make_claim(now)
        return NOTHING

    @property
    def _settled(self) -> bool:
        """Whether this node may claim, for all that it may have forgotten."""
        return self.losses.settled(voted=self.voted)

    @property
    def _mine(self) -> bool:
        """Whether it is this node that claims.

        Who has promised to follow no older term cannot wait for another's turn.
        """
        # Without a quorum a claim only makes others promise; who may have forgotten
        # entries would begin a term without them.
        if not (self._possible and self._settled):
            return False
        return self._members.bound or self._next == self._members.me

    def make_claim(self, now: float) -> Effects:
        """Claim a term above all that were heard of, not too often."""
        if self._claimed is not None and now < self._claimed + CLAIM_SECONDS:
            return NOTHING
        members, log = self._members, self._ledger.log
        last = 0 if self._claim is None else self._claim.term
        ahead = self.losses.ahead_of_all() if self._claim is None else 1
        term = max(log.term, self._hidden.granted, last, self._heard) + ahead
        self._claimed = now
        claim = self._claim = Claim(log.match, term, len(log), log.head)
        members.claim(claiming=True)
        self._votes = {members.me: self._signature(claim, members.me)}
        to_all = Outgoing(tuple(sorted(members.linked)), claim)
        return *((to_all,) if members.linked else ()), *self._count()

    def deadline(self) -> float | None:
        """Return when `wake` is wanted next; None if this node is not to claim."""
        members = self._members
        # It has halted for its claim, and says it again whoever else is there.
        if members.claims_again and self._claimed is not None:
            return None if members.careful else self._claimed + CLAIM_SECONDS
        differs = bool(self._ledger.fold.agreement.standing) and self._apart
        vacant = differs or not members.host_here or members.bound
        # A vote holds for a moment: after that the host that is there is followed
        # again.
        if self.against is not None and not vacant:
            since = self.against[1]
            last, claimed = since + PROMISE_SECONDS, self._claimed or since
            return claimed + CLAIM_SECONDS if claimed + CLAIM_SECONDS < last else None
        # Another claims, or nobody need: a timer here would only wake the node.
        if not vacant or not self._mine:
            return None
        if self._gone is None:
            return 0.0  # the wait begins
        if self._claimed is not None:
            return self._claimed + CLAIM_SECONDS
        return self._gone + self._patience

    def _signature(self, claim: Claim | Grant, claimant: bytes) -> bytes:
        """Return this node's signature for a claimant."""
        return self._signer.sign(self._data(claim, claimant))

    def _data(self, claim: Claim | Grant, claimant: bytes) -> bytes:
        """Return what is signed for a claimant."""
        place = (claim.term, claimant, claim.number, claim.head)
        return term_data(self._ledger.log.match, *place)

    def on_claim(self, key: bytes, claim: Claim, now: float) -> Effects:
        """Agree to a member's claim, or bring it up to date first.

        Raises:
            PeerError: TERM, far beyond all terms there were.
        """
        members, log = self._members, self._ledger.log
        known = max(log.term, self._hidden.granted)
        # Two promises in one term could make two hosts of it.
        if claim.term <= known:
            return NOTHING
        last = 0 if self._claim is None else self._claim.term
        # One liar could else use the numbers of terms up, and nobody could claim again.
        if claim.term > max(known, last) + TERMS_AHEAD:
            raise PeerError(Code.TERM, "a claim far beyond the present term")
        self._heard = max(self._heard, claim.term)
        if members.hosting:  # the old host is there after all
            # Who has granted that claim follows no older term: ours must be newer.
            renews = self._settled and self._renewals.take(key, now)
            return self.make_claim(now) if renews else NOTHING
        # The host only wants its own term renewed: no wait or vote is needed for that.
        if key == members.host:
            willing = not (self._apart or self._refuses(now))
        else:
            willing = self._willing(now)
        if not willing or (members.lost and not last):
            return NOTHING  # who is lost must not promise less than it has forgotten
        if claim.number != len(log) or claim.head != log.head:
            # Whoever has more sends it, and the claim comes again.
            return (to(key, have(log)),)
        # Two equal claims may cross, second after second.  A host grants none: its own
        # is the one that can win.
        ours_counts = claim.term < last or (
            claim.term == last and key != members.host and members.me < key
        )
        # To grant the other would void our own, and both would lose every time.
        if ours_counts or not self._grants.take(key, now):
            return NOTHING
        # From now on no older term is followed, whatever happens here.
        self._claimed = now  # it has a second before we claim again
        place = (claim.match, claim.term, claim.number, claim.head)
        promise = KeptGrant(claim.term, self._members.vouched())
        return Keep(promise), to(key, Grant(*place, self._signature(claim, key)))

    def on_grant(self, key: bytes, grant: Grant, _now: float) -> Effects:
        """Count a member's agreement.

        Raises:
            PeerError: BAD_SIGNATURE.
        """
        claim, place = self._claim, (grant.term, grant.number, grant.head)
        if claim is None or place != (claim.term, claim.number, claim.head):
            # Of an earlier claim: one made before a crash may have named this term.
            return NOTHING
        check_signature(key, grant.signature, self._data(claim, self._members.me))
        self._votes[key] = grant.signature
        return self._count()

    def _count(self) -> Effects:
        """Take the term once a quorum has agreed."""
        claim, fold = self._claim, self._ledger.fold
        me, log = self._members.me, self._ledger.log
        if claim is None or claim.head != log.head or self._members.careful:
            return NOTHING
        if claim.term <= self._hidden.granted:
            return NOTHING  # this node has agreed to another's claim since
        if not elects(fold, me, self._votes):
            return NOTHING
        keys = [member.key for member in fold.members]
        votes = sorted((keys.index(key), sign) for key, sign in self._votes.items())
        return (BeHost(Term(keys.index(me), tuple(votes)), claim.term),)


# A seat passes to another player, when all the others agree.
#
# Whoever agrees says so to everybody, signed. The host collects, and enters the `Hand`
# once the last of those who are asked has agreed: every elector but the present holder,
# and the host; who resigns is asked no more. A consent is for the next handing over of
# the match and for no later one. It is kept, and said again to whoever comes: nobody
# has to be there when it is given.


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
        # Who went on alone for a hand-over that the log refuses could never go on.
        if not fold.has_room(key):
            raise LocalError(Code.USAGE, Says.NO_PLACE_FREE(count=SEATS))
        data = hand_data(match, seat, key, name, fold.handed)
        consent = Consent(match, seat, key, name, self._signer.sign(data))
        keys = tuple(sorted(self._members.linked))
        kept = Keep(KeptConsent(consent, left=bool(keys)))
        said = (Outgoing(keys, consent),) if keys else ()
        alone = self._alone(consent)
        self._note(self._members.me, consent)
        return kept, *said, *(self._count(consent) if alone is None else (alone,))

    def _alone(self, consent: Consent) -> HandOn | None:
        """Return how the only other one of two goes on with somebody else.

        Nobody else is asked, and a host whose key is lost enters nothing any more. So
        this node begins a term by its own vote; nothing but this can be entered in it.
        """
        fold, members, log = self._ledger.fold, self._members, self._ledger.log
        holder, me = fold.holders[consent.seat], members.me
        others = fold.electors - {holder}
        if others != frozenset((me,)) or consent.key == me:
            return None
        if fold.bag is not None or members.lost or members.careful:
            return None
        if fold.host not in {me, holder}:
            return None  # a third one is host, and collects
        if fold.gone and (fold.host, fold.gone) != (me, holder):
            return None  # the seats of who is gone come first, by who went on alone
        if not (fold.gone or fold.may_leave(holder)):
            raise LocalError(Code.USAGE, Says.TILES_STAY())
        keys = [member.key for member in fold.members]
        number = keys.index(me)
        seat, key, name = consent.seat, consent.key, consent.name
        hand = Hand(seat, key, name, ((number, consent.signature),))
        if fold.gone:
            return HandOn(hand, None)
        term = max(log.term, self._hidden.granted) + 1
        data = term_data(log.match, term, me, len(log), log.head)
        vote = Term(number, ((number, self._signer.sign(data)),))
        return HandOn(hand, BeHost(vote, term))

    def _own(self) -> list[KeptConsent]:
        """Return what this node agrees to about the next handing over."""
        fold, match = self._ledger.fold, self._ledger.log.match
        found: list[KeptConsent] = []
        for kept in () if fold.over else self._hidden.consents:
            consent = kept.consent
            place = match, consent.seat, consent.key, consent.name
            if fold.holders[consent.seat] != consent.key and (
                self._signer.sign(hand_data(*place, fold.handed)) == consent.signature
            ):
                found.append(kept)
        return found

    def told_of(self) -> list[Consent]:
        """Return all that this node agrees to now."""
        return [one.consent for one in self._own()]

    def names(self, key: bytes) -> bool:
        """Tell whether a member is known to agree that a key gets a seat."""
        own = any(one.key == key for one in self.told_of())
        return own or any(other == key for _, other, _ in self.wishes)

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
        if consent.key not in fold.keys:  # it may say that it is anybody
            key = fingerprint(consent.key)
            detail = Says.AGREES_TO_NEW(name=who, other=other, key=key, seat=seat)
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
        seat, key, _name = wish
        may = fold.may_pass(seat, key) and fold.has_room(key)
        stays = fold.over or seat in fold.resigned or not may
        # Only a host enters, and the holder's own word is not asked: it may be gone.
        if stays or not self._members.hosting or not needed <= votes.keys():
            return None
        keys = [member.key for member in fold.members]
        signed = sorted((keys.index(key), votes[key]) for key in needed)
        return Hand(*wish, tuple(signed))
