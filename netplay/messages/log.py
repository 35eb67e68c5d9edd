"""Messages that carry the log of a match, and the bodies of its entries."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from netplay.messages import types
from netplay.messages.letters import LetterReceipt, NothingLeft
from netplay.messages.table import Terms

# Bodies of the log by which players agree on something besides the rules.


DAYS_OFF: int = 14
"""Days that a player may be off at once: two weeks of holiday."""

What: TypeAlias = Literal["draw", "stop", "back", "days"]
"""A draw; to stop together, without a winner; to take back the last turn of the seat
that offers; days off for its player."""

DaysOff: TypeAlias = Annotated[int, Meta(ge=0, le=DAYS_OFF)]


class Wish(types.Message, frozen=True, tag=18):
    """A seat offers the others something, which all of them have to agree to."""

    seat: types.SeatNumber
    what: What
    """`draw`, `stop` together, take `back` the seat's last turn, or `days` off."""
    days: DaysOff
    """So many days off; 0 for anything else."""
    after: types.Digest
    """As in a Turn."""
    state: types.Digest
    """Of the public position it was made in."""


class Response(types.Message, frozen=True, tag=19):
    """A seat agrees to an offer, declines it, or takes its own back."""

    seat: types.SeatNumber
    offer: types.Digest
    """The head of the log right behind the entry with the offer."""
    agrees: bool


PATH_DIGESTS = 16
"""Steps of a Merkle path: a bag of up to 65,536 tiles."""

OPENINGS_A_FRAME = 100
"""Proofs sent together: with the longest paths they fit a frame."""

ENTRIES_A_FRAME = 256
"""Entries sent together."""


class Proof(types.Message, frozen=True):
    """What a tile is, and the path to the root that fixed it."""

    tile: types.Natural
    kind: types.Natural
    salt: types.Digest
    path: Annotated[tuple[types.Digest, ...], Meta(max_length=PATH_DIGESTS)]


# Bodies: what an author signs.  Tagged, since they travel as opaque bytes.


class Genesis(types.Message, frozen=True, tag=0):
    """The first entry: the terms, and every member's signature under them."""

    terms: Terms
    signatures: Annotated[
        tuple[types.Signature, ...], Meta(min_length=1, max_length=types.SEATS)
    ]
    """In the order of `terms.members`, over the terms' digest, tag "terms"."""


class Commit(types.Message, frozen=True, tag=1):
    """A member binds itself to a seed it has not shown."""

    round: types.Natural
    """0 for public chance, then 1, 2, ... for each deal of tiles."""
    digest: types.Digest
    """SHA-256 of the tag "commit", match, round, author and seed."""


class Seed(types.Message, frozen=True, tag=2):
    """A member shows its seed, once every member has committed."""

    round: types.Natural
    seed: types.Digest


class Root(types.Message, frozen=True, tag=3):
    """The dealer fixes the order of the bag without showing it."""

    round: types.Natural
    root: types.Digest
    size: types.Natural
    """Tiles in the bag."""
    shares: Annotated[tuple[types.Digest, ...], Meta(max_length=types.SEATS)]
    """SHA-256 of the share of the dealer's seed that each other required member got,
    in ascending order of their keys; see section 16."""


class Turn(types.Message, frozen=True, tag=4):
    """A seat's move."""

    seat: types.SeatNumber
    after: types.Digest
    """The head of the log it was made after.  No move has been made since: a host that
    holds a move back cannot enter it later or in another history, but for a
    `Resign`."""
    state: types.Digest
    """Of the public position it was made in."""
    move: types.Body
    proofs: Annotated[tuple[Proof, ...], Meta(max_length=64)]
    """One for every tile the move shows."""


class Ticks(types.Message, frozen=True, tag=5):
    """A stretch of a seat's own time in a game that hurries."""

    seat: types.SeatNumber
    until: types.Natural
    """Ticks of this seat's clock since the start, after this stretch."""
    inputs: Annotated[
        tuple[tuple[types.Natural, types.Body], ...], Meta(max_length=256)
    ]
    """(tick, move): the move is played when that many ticks have passed."""
    well: types.MaybeDigest
    """Of the seat's own part of the state after the stretch, once a second of its
    ticks; else empty."""


class Clock(types.Message, frozen=True, tag=6):
    """The host's clock ran out for somebody: a move by CLOCK."""

    state: types.Digest
    """Of the public position it was made in."""
    move: types.Body


class Open(types.Message, frozen=True, tag=7):
    """At the end a secret of the bag is shown, so that everything drawn can be seen."""

    round: types.Natural
    """Whose bag it is of; in an encrypted match the epoch, see section 16."""
    seed: types.Digest
    """The dealer's; in an encrypted match the author's mask, which may be due before
    the end."""


class Term(types.Message, frozen=True, tag=8):
    """Another member is host from here on."""

    host: Annotated[int, Meta(ge=0, lt=types.SEATS)]
    """Index into the members."""
    signatures: Annotated[
        tuple[tuple[types.SeatNumber, types.Signature], ...],
        Meta(max_length=types.SEATS),
    ]
    """(member, signature) of a quorum, over term, host and head, tag "term"."""


class Hand(types.Message, frozen=True, tag=9):
    """A seat passes to another member, by consent of the others."""

    seat: types.SeatNumber
    key: types.Key
    name: types.Name
    signatures: Annotated[
        tuple[tuple[types.SeatNumber, types.Signature], ...],
        Meta(max_length=types.SEATS),
    ]


class Face(types.Message, frozen=True, tag=10):
    """Tiles on racks are turned up for all, as the rules ask: at the end, or before."""

    proofs: Annotated[tuple[Proof, ...], Meta(min_length=1, max_length=64)]


class Position(types.Message, frozen=True, tag=11):
    """What the author sees: when the match is over, and where others see another."""

    after: types.Digest
    """The head of the log at its author's; no move has been made since."""
    state: types.Digest
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


class Mask(types.Message, frozen=True, tag=12):
    """A holder of a seat shows the open halves of its two keys to an encrypted bag."""

    mask: types.Digest
    """x times G: every tile is masked by the sum of all holders'."""
    spare: types.Digest
    """e times G: parts of masks are spread under it."""
    proof: Annotated[
        bytes, Meta(min_length=MASK_PROOF_BYTES, max_length=MASK_PROOF_BYTES)
    ]
    """That the author knows x and e."""


class Mix(types.Message, frozen=True, tag=13):
    """A holder mixes the bag of a deal, and proves that it did nothing else to it."""

    round: types.Natural
    """The deal + 1, as in a Commit."""
    step: types.Natural
    """How many have mixed this deal before."""
    old: types.Digest
    """SHA-256 of the deck that was mixed, tag "bag deck"."""
    deck: Annotated[bytes, Meta(max_length=DECK_BYTES)]
    """The new one: two points a tile, in the order of the numbers."""
    proof: Annotated[bytes, Meta(max_length=MIX_PROOF_BYTES)]


class Spare(types.Message, frozen=True, tag=14):
    """A holder spreads parts of its mask among the others, so that it may leave."""

    epoch: types.Natural
    """How many holders have left before."""
    points: Annotated[tuple[types.Digest, ...], Meta(max_length=types.SEATS)]
    """The part of each other holder times G, in the order of members."""
    rest: types.Digest
    """What the parts lack of the mask: a number."""


class Lift(types.Message, frozen=True, tag=15):
    """A holder takes its mask off tiles that others have drawn."""

    tiles: Annotated[tuple[types.Natural, ...], Meta(min_length=1, max_length=64)]
    """Ascending."""
    shares: Annotated[tuple[types.Digest, ...], Meta(min_length=1, max_length=64)]
    """Of each, the author's mask times the tile's first point."""
    proof: LiftProof


class Blame(types.Message, frozen=True, tag=16):
    """A holder proves that another gave it a wrong part of its mask."""

    epoch: types.Natural
    dealer: types.Key
    """Who gave it."""
    point: types.Digest
    """What the two alone knew: one's spare secret times the other's open half."""
    proof: LiftProof
    """That it is that."""


class Late(types.Message, frozen=True, tag=17):
    """A seat has had all its time: a claim, which changes nothing by itself."""

    seat: types.SeatNumber
    after: types.Digest
    """As in a Turn."""
    state: types.Digest
    """Of the public position it was made in."""
    over: types.Natural
    """When the time was over by the author's clock: Unix time in seconds."""
    words: Annotated[tuple[NothingLeft, ...], Meta(max_length=types.KEEPERS)]
    """Of keepers that the terms name: the seat's player has left the author no letter.
    The others are silent."""


class Judgement(types.Message, frozen=True, tag=20):
    """What a member's own record says of a claim: enough of them give it effect."""

    claim: types.Digest
    """The head right behind the entry of the Late."""
    agrees: bool
    """The time is over by this record, too, and no turn was made in it."""
    receipts: Annotated[tuple[LetterReceipt, ...], Meta(max_length=types.KEEPERS)]
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


class Entry(types.Message, frozen=True):
    """One numbered line of the log; its SHA-256 goes into the next."""

    number: types.Natural
    term: types.Natural
    prev: types.Digest
    """SHA-256 of the previous entry's bytes; of nothing: 32 zero bytes."""
    at: types.Natural
    """Milliseconds since the genesis, by the host's clock."""
    author: types.Key
    own: types.Natural
    """The author's own count of its entries in this match, from 0."""
    body: types.Body
    author_signature: types.Signature
    """Over match, own and body, with the tag "author"."""
    host_signature: types.Signature
    """Over all the fields above, with the tag "entry"."""


# Messages.


class Have(types.Message, frozen=True):
    """How much of a match the sender has on disk; the first word about it."""

    match: types.Digest
    term: types.Natural
    number: types.Natural
    """Entries on disk."""
    head: types.Digest
    """SHA-256 of the last of them."""


class Submit(types.Message, frozen=True):
    """An author asks the host to enter a body."""

    match: types.Digest
    own: types.Natural
    body: types.Body
    signature: types.Signature
    """The `author_signature` of the entry to be."""


class Refused(types.Message, frozen=True):
    """The host does not enter what was submitted."""

    match: types.Digest
    own: types.Natural
    signature: types.Signature
    """That of the Submit: its number may be another body's by now."""
    code: types.Natural
    reason: types.Reason


class Entries(types.Message, frozen=True):
    """Entries in order, each encoded."""

    match: types.Digest
    entries: Annotated[
        tuple[Annotated[bytes, Meta(max_length=60_000)], ...],
        Meta(max_length=ENTRIES_A_FRAME),
    ]


class Ack(types.Message, frozen=True):
    """Everything below `number` is on the sender's disk."""

    match: types.Digest
    term: types.Natural
    """Of the entry before `number`."""
    number: types.Natural
    head: types.Digest
    state: types.MaybeDigest
    """Of the public position after those entries; empty if the sender has more."""
    signature: types.Signature
    """Over all of that, with the tag "ack"."""


class Opening(types.Message, frozen=True):
    """To the owner alone: what the tiles are that it drew."""

    match: types.Digest
    proofs: Annotated[tuple[Proof, ...], Meta(max_length=OPENINGS_A_FRAME)]


class Share(types.Message, frozen=True):
    """To one member alone: its share of the dealer's seed."""

    match: types.Digest
    round: types.Natural
    share: types.Digest


class Claim(types.Message, frozen=True):
    """The sender wants to be host for a new term."""

    match: types.Digest
    term: types.Natural
    number: types.Natural
    head: types.Digest


class Grant(types.Message, frozen=True):
    """The sender agrees: it will not follow an older term any more."""

    match: types.Digest
    term: types.Natural
    number: types.Natural
    head: types.Digest
    signature: types.Signature
    """Over term, claimant's key, number and head, with the tag "term"."""


class Fork(types.Message, frozen=True):
    """Two entries of one number that one host has signed, and should not have."""

    match: types.Digest
    first: Annotated[bytes, Meta(max_length=30_720)]
    second: Annotated[bytes, Meta(max_length=30_720)]


class Consent(types.Message, frozen=True):
    """The sender agrees that a seat passes to another player."""

    match: types.Digest
    seat: types.SeatNumber
    key: types.Key
    name: types.Name
    signature: types.Signature
    """As in the `Hand` that is to be."""


class Receipt(types.Message, frozen=True):
    """What a member has acknowledged, as others hold it: see `Ack`."""

    member: types.Key
    term: types.Natural
    number: types.Natural
    head: types.Digest
    state: types.MaybeDigest
    signature: types.Signature


class Receipts(types.Message, frozen=True):
    """Acknowledgements that the sender holds, and a copy or the history contradicts."""

    match: types.Digest
    receipts: Annotated[tuple[Receipt, ...], Meta(min_length=1, max_length=16)]


LINKS_TOLD = 16
"""Links told of: the members of a match, with some who have handed their seats over."""


class LinkTo(types.Message, frozen=True):
    """A link that the sender has to a member."""

    to: types.Key
    number: types.Natural
    """Another one for each new link: who comes back has a new one."""


class Linked(types.Message, frozen=True):
    """The members to whom the sender has links, and who have the match in hand."""

    match: types.Digest
    links: Annotated[tuple[LinkTo, ...], Meta(max_length=LINKS_TOLD)]
    """In the order of keys."""


WAY_BYTES = 16
"""Random, for the name of one end of a way between two members."""

CARRIED_BYTES = 62_000
"""Of a sealed message: any of a match, and 49 bytes around it."""

WayEnd: TypeAlias = Annotated[bytes, Meta(min_length=WAY_BYTES, max_length=WAY_BYTES)]


class Carried(types.Message, frozen=True):
    """A message from one member to another, through a third."""

    match: types.Digest
    author: types.Key
    to: types.Key
    mine: WayEnd
    """The author's end of the way between the two, made at random when it begins."""
    yours: WayEnd
    """The other's end; zero bytes while it is not known."""
    number: types.Natural
    """The author's count of messages on this way, from 0."""
    letter: Annotated[bytes, Meta(max_length=CARRIED_BYTES)]
    """Type and payload of the message, sealed to the key `to`."""
    signature: types.Signature
    """The author's, with the tag "carried"."""


class MatchTime(types.Message, frozen=True):
    """How long the match has run by the host's clock; others set theirs by it."""

    match: types.Digest
    at: types.Natural
    """Milliseconds, as in the entries."""


class Hour(types.Message, frozen=True):
    """What time it is at the sender; time switched off is bounded by it."""

    match: types.Digest
    at: types.Natural
    """Unix time in seconds, by a clock that nobody puts forward while it runs."""


class Vacant(types.Message, frozen=True):
    """Seats played at the sender whose guests in browsers are away."""

    match: types.Digest
    seats: Annotated[tuple[types.SeatNumber, ...], Meta(max_length=types.SEATS)]
    """All there are now; none once everybody is back."""


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
    | Vacant
)
