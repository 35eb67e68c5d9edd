"""Messages that carry the log of a match, and the bodies of its entries."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from netplay.messages.letters import LetterReceipt, NothingLeft
from netplay.messages.table import Terms
from netplay.messages.types import (
    KEEPERS,
    SEATS,
    Body,
    Digest,
    Key,
    MaybeDigest,
    Message,
    Name,
    Natural,
    Reason,
    SeatNumber,
    Signature,
)

# Bodies of the log by which players agree on something besides the rules.


DAYS_OFF: int = 14
"""Days that a player may be off at once: two weeks of holiday."""

What: TypeAlias = Literal["draw", "stop", "back", "days"]
"""A draw; to stop together, without a winner; to take back the last turn of the seat
that offers; days off for its player."""

DaysOff: TypeAlias = Annotated[int, Meta(ge=0, le=DAYS_OFF)]


class Wish(Message, frozen=True, tag=18):
    """A seat offers the others something, which all of them have to agree to."""

    seat: SeatNumber
    what: What
    """`draw`, `stop` together, take `back` the seat's last turn, or `days` off."""
    days: DaysOff
    """So many days off; 0 for anything else."""
    after: Digest
    """As in a Turn."""
    state: Digest
    """Of the public position it was made in."""


class Response(Message, frozen=True, tag=19):
    """A seat agrees to an offer, declines it, or takes its own back."""

    seat: SeatNumber
    offer: Digest
    """The head of the log right behind the entry with the offer."""
    agrees: bool


PATH_DIGESTS = 16
"""Steps of a Merkle path: a bag of up to 65,536 tiles."""

OPENINGS_A_FRAME = 100
"""Proofs sent together: with the longest paths they fit a frame."""

ENTRIES_A_FRAME = 256
"""Entries sent together."""


class Proof(Message, frozen=True):
    """What a tile is, and the path to the root that fixed it."""

    tile: Natural
    kind: Natural
    salt: Digest
    path: Annotated[tuple[Digest, ...], Meta(max_length=PATH_DIGESTS)]


# Bodies: what an author signs.  Tagged, since they travel as opaque bytes.


class Genesis(Message, frozen=True, tag=0):
    """The first entry: the terms, and every member's signature under them."""

    terms: Terms
    signatures: Annotated[tuple[Signature, ...], Meta(min_length=1, max_length=SEATS)]
    """In the order of `terms.members`, over the terms' digest, tag "terms"."""


class Commit(Message, frozen=True, tag=1):
    """A member binds itself to a seed it has not shown."""

    round: Natural
    """0 for public chance, then 1, 2, ... for each deal of tiles."""
    digest: Digest
    """SHA-256 of the tag "commit", match, round, author and seed."""


class Seed(Message, frozen=True, tag=2):
    """A member shows its seed, once every member has committed."""

    round: Natural
    seed: Digest


class Root(Message, frozen=True, tag=3):
    """The dealer fixes the order of the bag without showing it."""

    round: Natural
    root: Digest
    size: Natural
    """Tiles in the bag."""
    shares: Annotated[tuple[Digest, ...], Meta(max_length=SEATS)]
    """SHA-256 of the share of the dealer's seed that each other required member got,
    in ascending order of their keys; see section 16."""


class Turn(Message, frozen=True, tag=4):
    """A seat's move."""

    seat: SeatNumber
    after: Digest
    """The head of the log it was made after.  No move has been made since: a host that
    holds a move back cannot enter it later or in another history, but for a
    `Resign`."""
    state: Digest
    """Of the public position it was made in."""
    move: Body
    proofs: Annotated[tuple[Proof, ...], Meta(max_length=64)]
    """One for every tile the move shows."""


class Ticks(Message, frozen=True, tag=5):
    """A stretch of a seat's own time in a game that hurries."""

    seat: SeatNumber
    until: Natural
    """Ticks of this seat's clock since the start, after this stretch."""
    inputs: Annotated[tuple[tuple[Natural, Body], ...], Meta(max_length=256)]
    """(tick, move): the move is played when that many ticks have passed."""
    well: MaybeDigest
    """Of the seat's own part of the state after the stretch, once a second of its
    ticks; else empty."""


class Clock(Message, frozen=True, tag=6):
    """The host's clock ran out for somebody: a move by CLOCK."""

    state: Digest
    """Of the public position it was made in."""
    move: Body


class Open(Message, frozen=True, tag=7):
    """At the end a secret of the bag is shown, so that everything drawn can be seen."""

    round: Natural
    """Whose bag it is of; in an encrypted match the epoch, see section 16."""
    seed: Digest
    """The dealer's; in an encrypted match the author's mask, which may be due before
    the end."""


class Term(Message, frozen=True, tag=8):
    """Another member is host from here on."""

    host: Annotated[int, Meta(ge=0, lt=SEATS)]
    """Index into the members."""
    signatures: Annotated[
        tuple[tuple[SeatNumber, Signature], ...], Meta(max_length=SEATS)
    ]
    """(member, signature) of a quorum, over term, host and head, tag "term"."""


class Hand(Message, frozen=True, tag=9):
    """A seat passes to another member, by consent of the others."""

    seat: SeatNumber
    key: Key
    name: Name
    signatures: Annotated[
        tuple[tuple[SeatNumber, Signature], ...], Meta(max_length=SEATS)
    ]


class Face(Message, frozen=True, tag=10):
    """Tiles on racks are turned up for all, as the rules ask: at the end, or before."""

    proofs: Annotated[tuple[Proof, ...], Meta(min_length=1, max_length=64)]


class Position(Message, frozen=True, tag=11):
    """What the author sees: when the match is over, and where others see another."""

    after: Digest
    """The head of the log at its author's; no move has been made since."""
    state: Digest
    """Of the public position."""


SCALAR_BYTES = 32
"""Of a point of the bag's group, and of a number below its order."""

MASK_PROOF_BYTES = 3 * SCALAR_BYTES
"""Of the proof that one knows the secrets of a Mask."""

LIFT_PROOF_BYTES = 2 * SCALAR_BYTES
"""Of the proof that what was taken off tiles is one's part of them."""

DECK_BYTES = 64 * 140
"""Of the largest encrypted bag: two points a tile."""

MIX_PROOF_BYTES = 128 * 140 + 160
"""Of the proof that such a bag was mixed, and nothing else."""

LiftProof: TypeAlias = Annotated[
    bytes, Meta(min_length=LIFT_PROOF_BYTES, max_length=LIFT_PROOF_BYTES)
]


class Mask(Message, frozen=True, tag=12):
    """A holder of a seat shows the open halves of its two keys to an encrypted bag."""

    mask: Digest
    """x times G: every tile is masked by the sum of all holders'."""
    spare: Digest
    """e times G: parts of masks are spread under it."""
    proof: Annotated[
        bytes, Meta(min_length=MASK_PROOF_BYTES, max_length=MASK_PROOF_BYTES)
    ]
    """That the author knows x and e."""


class Mix(Message, frozen=True, tag=13):
    """A holder mixes the bag of a deal, and proves that it did nothing else to it."""

    round: Natural
    """The deal + 1, as in a Commit."""
    step: Natural
    """How many have mixed this deal before."""
    old: Digest
    """SHA-256 of the deck that was mixed, tag "bag deck"."""
    deck: Annotated[bytes, Meta(max_length=DECK_BYTES)]
    """The new one: two points a tile, in the order of the numbers."""
    proof: Annotated[bytes, Meta(max_length=MIX_PROOF_BYTES)]


class Spare(Message, frozen=True, tag=14):
    """A holder spreads parts of its mask among the others, so that it may leave."""

    epoch: Natural
    """How many holders have left before."""
    points: Annotated[tuple[Digest, ...], Meta(max_length=SEATS)]
    """The part of each other holder times G, in the order of members."""
    rest: Digest
    """What the parts lack of the mask: a number."""


class Lift(Message, frozen=True, tag=15):
    """A holder takes its mask off tiles that others have drawn."""

    tiles: Annotated[tuple[Natural, ...], Meta(min_length=1, max_length=64)]
    """Ascending."""
    shares: Annotated[tuple[Digest, ...], Meta(min_length=1, max_length=64)]
    """Of each, the author's mask times the tile's first point."""
    proof: LiftProof


class Blame(Message, frozen=True, tag=16):
    """A holder proves that another gave it a wrong part of its mask."""

    epoch: Natural
    dealer: Key
    """Who gave it."""
    point: Digest
    """What the two alone knew: one's spare secret times the other's open half."""
    proof: LiftProof
    """That it is that."""


class Late(Message, frozen=True, tag=17):
    """A seat has had all its time: a claim, which changes nothing by itself."""

    seat: SeatNumber
    after: Digest
    """As in a Turn."""
    state: Digest
    """Of the public position it was made in."""
    over: Natural
    """When the time was over by the author's clock: Unix time in seconds."""
    words: Annotated[tuple[NothingLeft, ...], Meta(max_length=KEEPERS)]
    """Of keepers that the terms name: the seat's player has left the author no letter.
    The others are silent."""


class Judgement(Message, frozen=True, tag=20):
    """What a member's own record says of a claim: enough of them give it effect."""

    claim: Digest
    """The head right behind the entry of the Late."""
    agrees: bool
    """The time is over by this record, too, and no turn was made in it."""
    receipts: Annotated[tuple[LetterReceipt, ...], Meta(max_length=KEEPERS)]
    """Of keepers that the terms name: they had the seat's turn before the claim says
    that its time was over."""


LogBody: TypeAlias = (
    Genesis
    | Commit
    | Seed
    | Root
    | Turn
    | Ticks
    | Clock
    | Open
    | Term
    | Hand
    | Face
    | Position
    | Mask
    | Mix
    | Spare
    | Lift
    | Blame
    | Late
    | Judgement
    | Wish
    | Response
)


class Entry(Message, frozen=True):
    """One numbered line of the log; its SHA-256 goes into the next."""

    number: Natural
    term: Natural
    prev: Digest
    """SHA-256 of the previous entry's bytes; of nothing: 32 zero bytes."""
    at: Natural
    """Milliseconds since the genesis, by the host's clock."""
    author: Key
    own: Natural
    """The author's own count of its entries in this match, from 0."""
    body: Body
    author_signature: Signature
    """Over match, own and body, with the tag "author"."""
    host_signature: Signature
    """Over all the fields above, with the tag "entry"."""


# Messages.


class Have(Message, frozen=True):
    """How much of a match the sender has on disk; the first word about it."""

    match: Digest
    term: Natural
    number: Natural
    """Entries on disk."""
    head: Digest
    """SHA-256 of the last of them."""


class Submit(Message, frozen=True):
    """An author asks the host to enter a body."""

    match: Digest
    own: Natural
    body: Body
    signature: Signature
    """The `author_signature` of the entry to be."""


class Refused(Message, frozen=True):
    """The host does not enter what was submitted."""

    match: Digest
    own: Natural
    signature: Signature
    """That of the Submit: its number may be another body's by now."""
    code: Natural
    reason: Reason


class Entries(Message, frozen=True):
    """Entries in order, each encoded."""

    match: Digest
    entries: Annotated[
        tuple[Annotated[bytes, Meta(max_length=60_000)], ...],
        Meta(max_length=ENTRIES_A_FRAME),
    ]


class Ack(Message, frozen=True):
    """Everything below `number` is on the sender's disk."""

    match: Digest
    term: Natural
    """Of the entry before `number`."""
    number: Natural
    head: Digest
    state: MaybeDigest
    """Of the public position after those entries; empty if the sender has more."""
    signature: Signature
    """Over all of that, with the tag "ack"."""


class Opening(Message, frozen=True):
    """To the owner alone: what the tiles are that it drew."""

    match: Digest
    proofs: Annotated[tuple[Proof, ...], Meta(max_length=OPENINGS_A_FRAME)]


class Share(Message, frozen=True):
    """To one member alone: its share of the dealer's seed."""

    match: Digest
    round: Natural
    share: Digest


class Claim(Message, frozen=True):
    """The sender wants to be host for a new term."""

    match: Digest
    term: Natural
    number: Natural
    head: Digest


class Grant(Message, frozen=True):
    """The sender agrees: it will not follow an older term any more."""

    match: Digest
    term: Natural
    number: Natural
    head: Digest
    signature: Signature
    """Over term, claimant's key, number and head, with the tag "term"."""


class Fork(Message, frozen=True):
    """Two entries of one number that one host has signed, and should not have."""

    match: Digest
    first: Annotated[bytes, Meta(max_length=30_720)]
    second: Annotated[bytes, Meta(max_length=30_720)]


class Consent(Message, frozen=True):
    """The sender agrees that a seat passes to another player."""

    match: Digest
    seat: SeatNumber
    key: Key
    name: Name
    signature: Signature
    """As in the `Hand` that is to be."""


class Receipt(Message, frozen=True):
    """What a member has acknowledged, as others hold it: see `Ack`."""

    member: Key
    term: Natural
    number: Natural
    head: Digest
    state: MaybeDigest
    signature: Signature


class Receipts(Message, frozen=True):
    """Acknowledgements that the sender holds, and a copy or the history contradicts."""

    match: Digest
    receipts: Annotated[tuple[Receipt, ...], Meta(min_length=1, max_length=16)]


LINKS_TOLD = 16
"""Links told of: the members of a match, with some who have handed their seats over."""


class LinkTo(Message, frozen=True):
    """A link that the sender has to a member."""

    to: Key
    number: Natural
    """Another one for each new link: who comes back has a new one."""


class Linked(Message, frozen=True):
    """The members to whom the sender has links, and who have the match in hand."""

    match: Digest
    links: Annotated[tuple[LinkTo, ...], Meta(max_length=LINKS_TOLD)]
    """In the order of keys."""


WAY_BYTES = 16
"""Random, for the name of one end of a way between two members."""

CARRIED_BYTES = 62_000
"""Of a sealed message: any of a match, and 49 bytes around it."""

WayEnd: TypeAlias = Annotated[bytes, Meta(min_length=WAY_BYTES, max_length=WAY_BYTES)]


class Carried(Message, frozen=True):
    """A message from one member to another, through a third."""

    match: Digest
    author: Key
    to: Key
    mine: WayEnd
    """The author's end of the way between the two, made at random when it begins."""
    yours: WayEnd
    """The other's end; zero bytes while it is not known."""
    number: Natural
    """The author's count of messages on this way, from 0."""
    letter: Annotated[bytes, Meta(max_length=CARRIED_BYTES)]
    """Type and payload of the message, sealed to the key `to`."""
    signature: Signature
    """The author's, with the tag "carried"."""


class MatchTime(Message, frozen=True):
    """How long the match has run by the host's clock; others set theirs by it."""

    match: Digest
    at: Natural
    """Milliseconds, as in the entries."""


class Hour(Message, frozen=True):
    """What time it is at the sender; time switched off is bounded by it."""

    match: Digest
    at: Natural
    """Unix time in seconds, by a clock that nobody puts forward while it runs."""


LogMessage: TypeAlias = (
    Have
    | Submit
    | Refused
    | Entries
    | Ack
    | Opening
    | Share
    | Claim
    | Grant
    | Fork
    | Consent
    | Linked
    | Carried
    | Receipts
    | MatchTime
    | Hour
)
