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

from typing import TYPE_CHECKING, Final

from netplay.errors import Code, LocalError, PeerError
from netplay.limits import QUORUM_SECONDS
from netplay.messages.log import Claim, Grant, Term
from netplay.rate import Bucket
from netplay.record import signing
from netplay.record.hidden import KeptGrant
from netplay.record.log import term_data
from netplay.record.votes import elects, quorum

if TYPE_CHECKING:
    from netplay.match.match import Match

CLAIM_SECONDS: Final = 1.0
"""Between two claims: several round trips."""

VOTE_SECONDS: Final = 600.0
"""For which a vote against a host that is there stands: others have to be won for it,
and who has changed their mind has forgotten it by then."""

PROMISE_SECONDS: Final = 3.0
"""After which a member bound by a promise claims, with the old host in reach: whoever
it promised to had several claims' time, and the old host renews its term then."""

TERMS_AHEAD: Final = 1_000_000
"""By which a claim may pass the terms known here: claims of eleven days.  Whoever
claims more wants to use up the numbers."""

RENEWALS_A_SECOND: Final = 1 / 60
"""For which a host renews its term for the claims of one member (sustained): each stops
the match for a moment and is an entry, and a guest could fill the log with them."""

RENEWALS_AT_ONCE: Final = 16
"""The burst above that: a link that comes and goes, and players who vote."""


class Election:
    """The choice of a host for a match, as one member takes part in it."""

    def __init__(self, match: "Match") -> None:
        """Begin with the host that the log names."""
        self._match: Final = match
        self._gone: float | None = None
        self._claimed: float | None = None
        self._claim: Claim | None = None
        self._votes: dict[bytes, bytes] = {}
        self._heard = 0
        self._renewals: dict[bytes, Bucket] = {}
        """Member -> how often this host renews its term for its claims."""
        self.voted = False
        self._against: tuple[bytes, float] | None = None
        """A host that is there and not wanted any more, and since when."""

    def reset(self) -> None:
        """Begin again: there is a new host."""
        self._gone = self._claimed = self._claim = None
        self._votes = {}
        self.voted = False

    def vote(self, now: float) -> None:
        """Agree to go on without the host at once, also while it is there.

        A host that is there is replaced if a quorum of the others votes so.  Whoever
        votes claims, for a moment; whoever has voted before agrees then.

        Raises:
            LocalError: USAGE, the others are too few to have another host.
        """
        match = self._match
        others = match.fold.electors - {match.host}
        if not self._vacant:
            if match.hosting or not elects(match.fold, match.me, others):
                raise LocalError(Code.USAGE, "there are too few for another host")
            self._against = match.host, now
            self._claimed = None
        self.voted = True
        self.wake(now)

    def _dissents(self, now: float, seconds: float = VOTE_SECONDS) -> bool:
        """Tell whether this node's player voted against the host that is there."""
        if self._against is None or self._vacant:
            return False
        host, since = self._against
        return host == self._match.host and now - since < seconds

    @property
    def _vacant(self) -> bool:
        """Whether there is no host to follow: none here that has the match in hand."""
        match = self._match
        host = match.host in match.replica.greeted or match.hosting
        return not host or match.bound or self._apart

    @property
    def _apart(self) -> bool:
        """Whether the host sees another position than this node and most others."""
        fold = self._match.fold
        return fold.host in fold.agreement.standing and not fold.disputed

    def _willing(self, now: float) -> bool:
        """Tell whether this node would go on with another host."""
        if not self._vacant:
            self._gone = None
            self.voted = False
            return self._dissents(now)
        if self._gone is None:
            self._gone = now
        return self.voted or now - self._gone >= self._patience

    @property
    def _patience(self) -> float:
        """How long this node waits for the host; it may only wait to be freed by it.

        Who has lost a part of the log waits for nobody: it is no host to wait for.
        """
        match = self._match
        if match.losses.lost:
            return 0.0
        here = match.host in match.replica.greeted
        return PROMISE_SECONDS if here and match.bound else QUORUM_SECONDS

    @property
    def renewing(self) -> bool:
        """Whether this node is host and asks for a newer term.

        It enters nothing then: its claim is for the log as it is.
        """
        claim, match = self._claim, self._match
        return claim is not None and match.hosting

    @property
    def _possible(self) -> bool:
        """Whether enough members are here to choose."""
        match = self._match
        electors = match.fold.electors
        here = electors & (match.replica.greeted | {match.me})
        wanted = match.bound or not match.fold.over or match.auditing.possible
        return wanted and len(here) >= quorum(len(electors))

    @property
    def _next(self) -> bytes | None:
        """Who is to be the next host: the first after the present one who is here."""
        match = self._match
        keys = [member.key for member in match.fold.members]
        at = keys.index(match.host)
        here = match.fold.electors & (match.replica.greeted | {match.me})
        others = (*keys[at + 1 :], *keys[:at])
        return next((key for key in others if key in here), None)

    def wake(self, now: float) -> None:
        """Claim the next term if it is due and ours to claim."""
        if self._match.losses.careful:
            return  # it may have entered more in this term
        if self._dissents(now):
            claims = self._dissents(now, PROMISE_SECONDS) and self._possible
        else:
            claims = self._willing(now) and self._mine
        if self.renewing or claims:
            self._make_claim(now)

    @property
    def _mine(self) -> bool:
        """Whether it is this node that claims.

        Who has promised to follow no older term cannot wait for another's turn.
        """
        match = self._match
        if not (self._possible and match.losses.settled):
            return False
        return match.bound or self._next == match.me

    def _make_claim(self, now: float) -> None:
        """Claim a term above all that were heard of, not too often."""
        if self._claimed is not None and now - self._claimed < CLAIM_SECONDS:
            return
        match, log = self._match, self._match.ledger.log
        last = 0 if self._claim is None else self._claim.term
        ahead = match.losses.ahead_of_all() if self._claim is None else 1
        term = max(log.term, match.hidden.granted, last, self._heard) + ahead
        self._claimed = now
        self._claim = Claim(log.match, term, len(log), log.head)
        self._votes = {match.me: self._signature(self._claim, match.me)}
        match.replica.say_all(self._claim)
        self._count(now)

    def deadline(self) -> float | None:
        """Return when `wake` is wanted next; None if this node is not to claim."""
        if self.renewing and self._claimed is not None:
            careful = self._match.losses.careful
            return None if careful else self._claimed + CLAIM_SECONDS
        if self._against is not None and not self._vacant:
            since = self._against[1]
            last, claimed = since + PROMISE_SECONDS, self._claimed or since
            return claimed + CLAIM_SECONDS if claimed + CLAIM_SECONDS < last else None
        if not self._vacant or not self._mine:
            return None
        if self._gone is None:
            return 0.0  # the wait begins
        if self._claimed is not None:
            return self._claimed + CLAIM_SECONDS
        return self._gone + self._patience

    def _promise(self, term: int) -> None:
        """Follow no older term from now on, whatever happens to this node.

        What it stands for is on the disk first: entries that came again after a crash
        would else pass for those it has acknowledged.
        """
        match = self._match
        if match.ledger.file.dirty:
            match.ledger.file.sync()
        match.hidden.keep(KeptGrant(term, match.vouched()))
        match.hidden.sync()

    def _signature(self, claim: Claim | Grant, claimant: bytes) -> bytes:
        """Return this node's signature for a claimant."""
        data = self._data(claim, claimant)
        return self._match.signer.sign(data)

    def _data(self, claim: Claim | Grant, claimant: bytes) -> bytes:
        """Return what is signed for a claimant."""
        place = (claim.term, claimant, claim.number, claim.head)
        return term_data(self._match.match, *place)

    def on_claim(self, key: bytes, claim: Claim, now: float) -> None:
        """Agree to a member's claim, or bring it up to date first.

        Raises:
            PeerError: TERM, far beyond all terms there were.
        """
        match, log = self._match, self._match.ledger.log
        known = max(log.term, match.hidden.granted)
        if claim.term <= known:
            return
        last = 0 if self._claim is None else self._claim.term
        if claim.term > max(known, last) + TERMS_AHEAD:
            raise PeerError(Code.TERM, "a claim far beyond the present term")
        self._heard = max(self._heard, claim.term)
        if match.hosting:
            if match.losses.settled and self._answers(key, now):
                self._make_claim(now)  # the old host is there after all
            return
        agrees = not (self._apart or self._dissents(now))
        if not (agrees if key == match.host else self._willing(now)):
            return
        if match.losses.lost and not last:
            return  # it must not promise less than it has forgotten: it claims first
        if claim.number != len(log) or claim.head != log.head:
            match.replica.say(
                key, match.replica.have()
            )  # whoever has more sends it, and the claim comes again
            return
        if (claim.term, match.me) <= (last, key):
            return  # it will agree to ours
        self._claimed = now  # it has a second before we claim again
        self._promise(claim.term)
        signature = self._signature(claim, key)
        grant = Grant(log.match, claim.term, claim.number, claim.head, signature)
        match.replica.say(key, grant)

    def _answers(self, key: bytes, now: float) -> bool:
        """Tell whether this host renews its term for a member's claim.

        Whoever has promised the member something claims, too.
        """
        if key not in self._renewals:
            bucket = Bucket(RENEWALS_A_SECOND, RENEWALS_AT_ONCE, now)
            self._renewals[key] = bucket
        return self._renewals[key].take(now, 1)

    def on_grant(self, key: bytes, grant: Grant, now: float) -> None:
        """Count a member's agreement.

        Raises:
            PeerError: BAD_SIGNATURE.
        """
        claim, place = self._claim, (grant.term, grant.number, grant.head)
        if claim is None or place != (claim.term, claim.number, claim.head):
            return  # of an earlier claim; one before a crash may have had this term
        match = self._match
        signing.verify(key, grant.signature, self._data(claim, match.me))
        self._votes[key] = grant.signature
        self._count(now)

    def _count(self, now: float) -> None:
        """Take the term once a quorum has agreed."""
        match, claim = self._match, self._claim
        log = match.ledger.log
        if claim is None or claim.head != log.head or match.losses.careful:
            return
        if claim.term <= match.hidden.granted:
            return  # this node has agreed to another's claim since
        if not elects(match.fold, match.me, self._votes):
            return
        keys = [member.key for member in match.fold.members]
        votes = sorted((keys.index(key), sign) for key, sign in self._votes.items())
        match.entering.take_term(
            Term(keys.index(match.me), tuple(votes)), claim.term, now
        )
