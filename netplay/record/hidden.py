"""What this node alone knows of a match, kept in the file of secrets.

Own seeds must be on the disk before the commitment to them is sent: whoever forgets a
seed it has committed to has stopped the match for all.  The rest makes a restart
smooth: openings, shares, chat, and bodies that the host has not entered yet.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from netplay.errors import Code, LocalError, PeerError
from netplay.messages.log import Consent, Fork, Proof, Receipt, Submit
from netplay.messages.table import Chat
from netplay.messages.types import (
    Admission,
    Body,
    Digest,
    Key,
    Message,
    Natural,
    SeatNumber,
)
from netplay.record import letter
from netplay.record.offers import KeptLines, Lines
from netplay.record.store import Disk, MatchFile
from netplay.said import Words
from netplay.sentences import Says
from netplay.wire import pack, unpack

SEED_BYTES: Final = 32

WITNESSED: Final = 16
"""Bodies of one member, the last ones: before a turn few are said, and wait with it."""

Entropy: TypeAlias = Callable[[int], bytes]
"""Returns so many random bytes."""


class KeptSeed(Message, frozen=True, tag=0):
    """A seed of this node's for a round of chance."""

    round: Natural
    term: Natural
    """In which it was made."""
    again: Natural
    """How often the round had begun again: it takes another each time."""
    seed: Digest


class KeptProof(Message, frozen=True, tag=1):
    """What a tile is."""

    proof: Proof


class KeptShare(Message, frozen=True, tag=2):
    """A member's share of a dealer's seed."""

    round: Natural
    member: Key
    share: Digest


class KeptBody(Message, frozen=True, tag=3):
    """A body written here; an empty one says that the number is free again."""

    own: Natural
    body: Body
    left: bool = False
    """Its signed bytes are sent at once, so that it cannot be taken back."""


class KeptLeft(Message, frozen=True, tag=25):
    """A body that has waited here leaves now, and cannot be taken back any more."""

    own: Natural


class KeptTurn(Message, frozen=True, tag=26):
    """A turn that waits for what this node has to say before; empty: none does."""

    body: Body


class KeptConsent(Message, frozen=True, tag=27):
    """What this node agrees to about handing over a seat."""

    consent: Consent
    left: bool
    """Somebody has been told."""


class KeptHeard(Message, frozen=True, tag=28):
    """So many lines of this node's player have come to a member."""

    by: Key
    lines: Natural


class KeptThinking(Message, frozen=True, tag=29):
    """When the present turn began, in seconds of the time of day: see `thinking`."""

    moves: Natural
    """Made before it, and seats handed over."""
    began: Natural
    """When it was first known here."""
    earliest: Natural
    """Before when it had not begun."""
    contact: Natural
    """Until when no later turn had begun."""
    before: Natural
    """When the turn before this one was first known here."""
    passed: Natural = 0
    """How often somebody else was waited for: so it began anew for what was owed."""
    ran: tuple[tuple[SeatNumber, Natural], ...] = ()
    """The seats that were waited for before, and since when by this record."""

    @property
    def turn(self) -> tuple[int, int]:
        """What another turn changes."""
        return self.moves, self.passed


class KeptOff(Message, frozen=True, tag=30):
    """A player has days off: meanwhile the days of that seat's turns stand still."""

    seat: Natural
    since: Natural
    """In seconds of the time of day, when it was first known here."""
    until: Natural


class KeptAhead(Message, frozen=True, tag=52):
    """The time of day was found to be ahead: days off are later by so much, too."""

    seconds: Natural


class KeptHour(Message, frozen=True, tag=50):
    """What time it was at a member when it came last, and here."""

    by: Key
    theirs: Natural
    """Unix time in seconds, as the next."""
    ours: Natural
    off: Natural
    """For how many seconds this computer was off before."""


class KeptSeen(Message, frozen=True, tag=51):
    """What a member has said, a turn mostly, and its host may not have entered."""

    by: Key
    submit: Submit
    at: Natural
    """When it came here, in Unix time."""
    earliest: Natural
    """The same, of when its author was here last without it."""


class KeptGrant(Message, frozen=True, tag=4):
    """A promise not to follow a host of an older term."""

    term: Natural
    number: Natural
    """Of the entries in the log, so many this node has acknowledged and stands for."""


class KeptChat(Message, frozen=True, tag=5):
    """A line of chat."""

    line: Chat


class KeptRead(Message, frozen=True, tag=53):
    """So many lines of a member's the player here has seen."""

    author: Key
    lines: Natural


class KeptVerdict(Message, frozen=True, tag=6):
    """What the players here said of a bystander."""

    key: Key
    allow: bool


class KeptAgreed(Message, frozen=True, tag=32):
    """What another member said of a bystander here."""

    by: Key
    key: Key
    allow: bool


class KeptAdmission(Message, frozen=True, tag=7):
    """Who may watch without being asked about."""

    bystanders: Admission


class KeptKey(Message, frozen=True, tag=8):
    """The secret key of a match all of whose seats are played at one computer.

    It was made for this match alone and goes along when the match is handed on.
    """

    seed: Digest


class KeptFork(Message, frozen=True, tag=9):
    """The proof that a host wrote two histories."""

    proof: Fork


class KeptReceipt(Message, frozen=True, tag=20):
    """What a member has signed for last."""

    receipt: Receipt


class KeptLoss(Message, frozen=True, tag=21):
    """What members had signed for, and is gone."""

    number: Natural
    """Of the first entry that is."""
    receipts: tuple[Receipt, ...]
    final: bool
    """A quorum had."""


class KeptLapse(Message, frozen=True, tag=22):
    """This node has forgotten what it may have signed: entries, or promises."""

    number: Natural
    """Of the entries that are left; it stands for no others."""
    over: bool
    """A newer term has begun since: nothing that was forgotten matters any more."""

    def packed(self) -> bytes:
        """Return it as a record."""
        return pack(self)


class KeptHeldUp(Message, frozen=True, tag=10):
    """Why the match, which is over, is not audited; empty if it is."""

    why: Words


class KeptDoubt(Message, frozen=True, tag=11):
    """An entry that this node does not confirm; empty words say that it does now."""

    number: Natural
    why: Words


class KeptMixes(Message, frozen=True, tag=23):
    """All proofs of an encrypted bag were checked, up to a place in the log."""

    number: Natural
    """Of the entries there are before it."""
    head: Digest


Standing: TypeAlias = Literal["", "over", "out", "watched"]
"""What a match is to this node: to go on with, or over, resigned from, watched."""


class KeptStanding(Message, frozen=True, tag=13):
    """Whether this node can go on with the match."""

    standing: Standing
    guests: tuple[SeatNumber, ...] = ()
    """Seats here that guests in browsers had then: what comes of them is theirs."""


KeptEvidence: TypeAlias = (
    KeptFork
    | KeptReceipt
    | KeptLoss
    | KeptHeldUp
    | KeptDoubt
    | KeptStanding
    | KeptMixes
)
"""What speaks for or against others, and the match."""

KeptMade: TypeAlias = KeptLeft | KeptTurn | KeptConsent | KeptLines
"""What was done here, and how far it has come to others, besides bodies."""

KeptBesides: TypeAlias = (
    KeptMade
    | KeptHeard
    | letter.KeptPost
    | KeptThinking
    | KeptOff
    | KeptAhead
    | KeptHour
    | KeptSeen
    | KeptGrant
    | KeptChat
    | KeptRead
    | KeptVerdict
    | KeptAgreed
    | KeptAdmission
    | KeptKey
    | KeptEvidence
    | KeptLapse
)
"""What is kept besides bodies and the secrets of chance."""

Kept: TypeAlias = KeptBody | KeptSeed | KeptProof | KeptShare | KeptBesides


def readable(record: bytes) -> bool:
    """Tell whether a record of a damaged file says anything."""
    try:
        unpack(record, Kept)
    except PeerError:
        return False
    return True


class Hidden:
    """The secrets of one match."""

    thinking: KeptThinking | None = None
    """When the present turn began."""
    off: tuple[KeptOff, ...] = ()
    """Days off that were granted, in the order of the log."""
    hours: Mapping[bytes, KeptHour] = MappingProxyType({})
    """Member -> what time it was when it came last."""
    seen: Mapping[bytes, tuple[KeptSeen, ...]] = MappingProxyType({})
    """Member -> what of it came here to be witnessed, in the order of its numbers."""
    read: Mapping[bytes, int] = MappingProxyType({})
    """Member -> how many lines of chat by it the player here has seen."""
    guests: frozenset[int] = frozenset()
    """Seats here that were guests' when the match was over, or could not go on."""
    turn = b""
    """A turn that waits for what this node has to say before."""
    granted = 0
    """The newest term that this node has promised to follow."""
    vouched = 0
    """Entries this node stands for while it is bound by that promise."""
    sworn = False
    """Whether it has promised a newer term since it lost its own part."""

    def __init__(self, disk: Disk, entropy: Entropy) -> None:
        """Read what an earlier run kept.

        Raises:
            LocalError: BAD_LOG or DISK.
        """
        self._entropy, self.post = entropy, letter.Post()
        self._seeds: dict[int, dict[tuple[int, int], bytes]] = {}
        """Round -> (term, how often it had begun again) -> seed."""
        self.proofs: dict[int, Proof] = {}
        self.shares: dict[tuple[int, bytes], bytes] = {}
        """(round, member) -> share."""
        self.bodies: dict[int, bytes] = {}
        """Own number -> body, the latest with that number."""
        self.left: set[int] = set()
        """Numbers of those whose signed bytes have left."""
        self.consents: list[KeptConsent] = []
        """What this node has agreed to about handing over seats."""
        self.heard: dict[bytes, int] = {}
        """Member -> how many lines of chat by this node's player have come there."""
        self.prepared: dict[int, Lines] = {}
        """Seat -> moves on condition."""
        self.lost = False
        """Whether it has forgotten what it may have signed in the present term."""
        self.chat: list[Chat] = []
        self.verdicts: dict[bytes, bool] = {}
        """Bystander -> whether the players here agree."""
        self.agreed: dict[bytes, dict[bytes, bool]] = {}
        """Bystander here -> what other members said of it."""
        self.bystanders: Admission = "ask"
        self.key = b""
        """Of the match, if it has one of its own."""
        self.fork: Fork | None = None
        """The proof that its host wrote two histories."""
        self.receipts: dict[bytes, Receipt] = {}
        """Member -> what it has signed for last."""
        self.losses: list[KeptLoss] = []
        self.held_up: Words = ""
        """Why the match, which is over, is not audited, in words."""
        self.standing: Standing = ""
        """Whether this node can go on with the match."""
        self.doubted = 0
        """The first entry that this node does not confirm."""
        self.doubt: Words = ""
        """Why it does not; empty if it does."""
        self.mixes: KeptMixes | None = None
        """How far the proofs of an encrypted bag were checked."""
        self.urgent = False
        """Whether something written must be safe before anything is sent."""
        try:
            self.file = MatchFile(disk)
            for entry in self.file.entries:
                self._note(unpack(entry, Kept))
        except PeerError as error:
            raise LocalError(Code.BAD_LOG, Says.SECRETS(why=error)) from error

    def _note(self, kept: Kept) -> None:
        """Take one record."""
        match kept:
            case KeptBody(own, body, left):  # one a move
                self.bodies[own] = body
                (self.left.add if left else self.left.discard)(own)
            case KeptSeed(round_, term, again, seed):
                self._seeds.setdefault(round_, {})[term, again] = seed
            case KeptProof(proof):
                self.proofs[proof.tile] = proof
            case KeptShare(round_, member, share):
                self.shares[round_, member] = share
            case _:
                self._note_besides(kept)

    def _note_besides(self, kept: KeptBesides) -> None:
        """Take one record that is neither a body nor about chance."""
        match kept:
            case KeptLeft() | KeptTurn() | KeptConsent() | KeptLines():
                self._note_made(kept)
            case KeptHeard(by, lines):
                self.heard[by] = lines
            case KeptRead(author, lines):
                self.read = {**self.read, author: lines}
            case (
                letter.KeptLetter()
                | letter.KeptTaken()
                | letter.KeptWord()
                | letter.KeptNothing()
            ):
                self.post.note(kept)
            case KeptThinking() | KeptOff() | KeptAhead() | KeptHour() | KeptSeen():
                self._note_days(kept)
            case KeptGrant() | KeptLapse():
                self._note_promise(kept)
            case KeptChat(line):
                self.chat.append(line)
            case KeptVerdict() | KeptAgreed() | KeptAdmission():
                self._note_watching(kept)
            case KeptKey(seed):
                self.key = seed
            case _:
                self._note_evidence(kept)

    def _note_days(
        self, kept: KeptThinking | KeptOff | KeptAhead | KeptHour | KeptSeen
    ) -> None:
        """Take one record about days to think, and days off."""
        match kept:
            case KeptThinking():
                self.thinking = kept
            case KeptOff():
                self.off = (*self.off, kept)
            case KeptAhead(seconds):
                self.off = tuple(
                    KeptOff(one.seat, one.since + seconds, one.until + seconds)
                    for one in self.off
                )
            case KeptHour():
                self.hours = {**self.hours, kept.by: kept}
            case KeptSeen():
                by, own = kept.by, kept.submit.own
                held = [o for o in self.seen.get(by, ()) if o.submit.own != own]
                held.append(kept)
                held.sort(key=lambda one: one.submit.own)
                self.seen = {**self.seen, by: tuple(held[-WITNESSED:])}

    def _note_made(self, kept: KeptMade) -> None:
        """Take one record about how far what was done here has come."""
        match kept:
            case KeptLeft(own):
                self.left.add(own)
            case KeptTurn(body):
                self.turn = body
            case KeptConsent(consent):
                before = (one for one in self.consents if one.consent != consent)
                self.consents = [*before, kept]
            case KeptLines(seat, prepared):
                others = {k: v for k, v in self.prepared.items() if k != seat}
                self.prepared = {**others, seat: prepared} if prepared else others

    def _note_evidence(self, kept: KeptEvidence) -> None:
        """Take one record that speaks for or against somebody."""
        match kept:
            case KeptFork(proof):
                self.fork = proof
            case KeptReceipt(receipt):
                self.receipts[receipt.member] = receipt
            case KeptLoss():
                self.losses.append(kept)
            case KeptHeldUp(why):
                self.held_up = why
            case KeptStanding(standing, guests):
                self.standing, self.guests = standing, frozenset(guests)
            case KeptMixes():
                self.mixes = kept
            case KeptDoubt(number, why):
                self.doubted, self.doubt = number, why

    def _note_watching(self, kept: KeptVerdict | KeptAgreed | KeptAdmission) -> None:
        """Take what was said of those who would like to watch."""
        match kept:
            case KeptVerdict(key, allow):
                self.verdicts[key] = allow
            case KeptAgreed(by, key, allow):
                self.agreed.setdefault(key, {})[by] = allow
            case KeptAdmission(bystanders):
                self.bystanders = bystanders

    def _note_promise(self, kept: KeptGrant | KeptLapse) -> None:
        """Take one record about what this node stands for."""
        if isinstance(kept, KeptGrant):
            self.sworn = self.lost and (self.sworn or kept.term > self.granted)
            self.granted, self.vouched = kept.term, kept.number
            return
        self.lost, self.sworn = not kept.over, False
        if self.lost:
            self.vouched = kept.number

    def keep(self, kept: Kept) -> None:
        """Write a record; it is durable after `sync`."""
        self._note(kept)
        self.file.append((pack(kept),))
        if not isinstance(
            kept, KeptBody | KeptReceipt | KeptMixes | KeptHeard | KeptRead
        ):
            self.urgent = True

    @property
    def dirty(self) -> bool:
        """Whether something written may still be lost."""
        return self.file.dirty

    def random(self, count: int) -> bytes:
        """Return random bytes."""
        return self._entropy(count)

    def known_seed(self, round_: int, term: int, again: int = 0) -> bytes | None:
        """Return this node's seed for a round as it is now, None if it has none yet.

        Args:
            round_: The round.
            term: The present term: what was said in an older one may be dropped.
            again: How often the round has begun again.
        """
        return self._seeds.get(round_, {}).get((term, again))

    def seeds(self, round_: int) -> Iterator[bytes]:
        """Yield the seeds this node ever made for a round."""
        yield from self._seeds.get(round_, {}).values()

    def bundle(self) -> Iterator[KeptKey | KeptSeed]:
        """Yield what another computer needs to play every seat of the match there.

        Nothing of a match that has no key of its own: its seats are bound to the key
        of this node, which never leaves it.
        """
        if not self.key:
            return
        yield KeptKey(self.key)
        for round_, terms in sorted(self._seeds.items()):
            for (term, again), seed in sorted(terms.items()):
                yield KeptSeed(round_, term, again, seed)

    def unpack(self, bundle: Iterable[KeptKey | KeptSeed]) -> None:
        """Keep what came along with a match from another computer; durable then."""
        for kept in self.lacking(bundle):
            self.keep(kept)
        self.sync()

    def lacking(self, bundle: Iterable[KeptKey | KeptSeed]) -> list[KeptKey | KeptSeed]:
        """Return what of a bundle is not known here."""
        known = list(self.bundle())
        return [kept for kept in bundle if kept not in known]

    def sync(self) -> None:
        """Make all records durable."""
        if self.file.dirty:
            self.file.sync()
        self.urgent = False

    def close(self) -> None:
        """Sync and let go."""
        self.file.close()
