"""Messages by which nodes agree on a match, fetch what it needs and chat."""

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta

from netplay.messages import types

CHUNK_BYTES = 48 * 1024
"""A piece of an edition or word list; fits a frame with room to spare."""

ADDRESS_CHARACTERS = 272
"""A host name of 253 characters, brackets and a port."""

OFFERS = 6
"""Tables named in a beacon."""

OPEN_TABLES = 16
"""Named to whoever calls: more than anybody chooses from."""

COUNTDOWN = 10
"""Seconds that a host may count down before a match begins."""

COUNTED = 3
"""Of those, what the host's windows and commands count."""

BYSTANDERS = 8
"""Who watch at one node: a match sends each all that a player gets."""

PASSED_TO = 4
"""Other bystanders to whom one that watches passes a match on."""

OUT = 16
"""Bystanders whom one Beat sends away; where there are more, all have to ask again."""

SeatKind: TypeAlias = Literal["person", "computer", "program", "browser"]
"""program: one that a member has given the seat, no part of what nodes agree on.
browser: a person in a browser, whose tiles the member's node sees."""

Fairness: TypeAlias = Literal["committed", "encrypted"]
"""How tiles are drawn: the host's program deals and is bound to its order, or no
program sees into the bag (section 16)."""

USUALLY: Final[Fairness] = "encrypted"
"""How tiles are drawn where a host has no wish; encrypted only if that can be."""


class Member(types.Message, frozen=True):
    """A node at the table."""

    key: types.Key
    name: types.Name


class SeatTerms(types.Message, frozen=True):
    """Who plays a seat."""

    kind: SeatKind
    name: types.Name
    member: Annotated[int, Meta(ge=0, lt=types.SEATS)]
    """The member whose node plays this seat; an index into `Terms.members`."""
    skill: Annotated[int, Meta(ge=0, le=100)]
    """Of a computer player, 100 the strongest, or of the one that takes a program's
    place; 0 for a person."""

    @property
    def is_person(self) -> bool:
        """Whether a person plays it, wherever that person sits."""
        return self.kind in {"person", "browser"}


class UnseenBag(types.Message, frozen=True):
    """What terms say of the rules where no program sees into the bag.

    A struct, for msgspec 0.22 reads past its memory where a bounded number may be a
    tuple of fixed length as well.
    """

    version: types.Natural
    """`ABOUT.version` of the game."""
    fairness: Literal["encrypted"]


Days: TypeAlias = Literal[0, 1, 2, 3, 5, 7, 14]


class Terms(types.Message, frozen=True):
    """All that a match is decided by; its SHA-256 names the match."""

    game: types.Word
    rules: types.Natural | UnseenBag
    """`ABOUT.version` of the game; more of it where no program sees into the bag."""

    options: types.Body
    """The game's options struct, encoded."""

    edition: types.MaybeDigest
    """SHA-256 of the edition's content, empty for games without one."""

    lexicon: types.MaybeDigest
    """Digest of the word list, empty for games without one."""

    members: Annotated[tuple[Member, ...], Meta(min_length=1, max_length=types.SEATS)]
    """The nodes, the host first."""

    seats: Annotated[tuple[SeatTerms, ...], Meta(min_length=1, max_length=types.SEATS)]
    """In turn order."""

    nonce: types.Digest
    """Random, so that no two matches have one name."""

    days: Days
    """To think about a turn, 0 for as long as one likes: see section 17."""

    keepers: Annotated[tuple[types.Key, ...], Meta(max_length=types.KEEPERS)]
    """Who may keep letters (section 8), and is believed by all about their times."""

    @property
    def version(self) -> int:
        """Which rules the match is played by."""
        return self.rules if isinstance(self.rules, int) else self.rules.version

    @property
    def fairness(self) -> Fairness:
        """How tiles are drawn."""
        return "committed" if isinstance(self.rules, int) else self.rules.fairness


def fair_rules(version: int, fairness: Fairness) -> types.Natural | UnseenBag:
    """Return what terms say of the rules."""
    return version if fairness == "committed" else UnseenBag(version, fairness)


class Ask(types.Message, frozen=True):
    """Join: a peer asks the host of an open table for a seat."""

    table: types.MaybeDigest
    """The nonce of its terms; empty for whichever is open to the sender."""
    seat: Annotated[int, Meta(ge=-1, lt=types.SEATS)]
    """The seat wanted, -1 for any free one."""


class Proposal(types.Message, frozen=True):
    """The host's terms, as they stand; a later revision replaces it."""

    revision: types.Natural
    terms: Terms
    """A person's seat without a name is still free; such terms cannot be accepted."""

    addresses: Annotated[
        tuple[Annotated[str, Meta(max_length=ADDRESS_CHARACTERS)], ...],
        Meta(max_length=types.SEATS),
    ]
    """Where the host reaches the members, in their order, so that they find each
    other; empty where it does not know, and for itself."""

    bystanders: types.Admission
    """Who may watch the match; whoever accepts agrees to that too."""

    again: types.MaybeDigest
    """The match that is to be played once more, empty for none."""


class Accept(types.Message, frozen=True):
    """The sender agrees to a proposal and has all it needs to play."""

    table: types.Digest
    """The nonce of its terms."""
    revision: types.Natural
    signature: types.Signature
    """Over the terms' digest, with the tag "terms"."""


class Ready(types.Message, frozen=True):
    """Of a match in which time runs: are all there?  A guest's player is; it begins."""

    table: types.Digest
    """The nonce of its terms."""
    revision: types.Natural
    seconds: Annotated[int, Meta(ge=0, le=COUNTDOWN)]
    """From the host: until the match begins, or 0 to ask whether the guest's player is
    there.  From a guest 0: its player has said so within the last minute."""


class Decline(types.Message, frozen=True):
    """The sender does not agree, or leaves a table that has not started."""

    table: types.MaybeDigest
    """The nonce of its terms; to and from a bystander the match.  Empty where nothing
    was named."""
    revision: types.Natural
    code: types.Natural
    reason: types.Reason


class Want(types.Message, frozen=True):
    """Send me a piece of an edition or word list."""

    table: types.Digest
    """The nonce of the terms that name it."""
    digest: types.Digest
    offset: types.Natural


class Piece(types.Message, frozen=True):
    """A piece of an edition or word list."""

    table: types.Digest
    """As in the Want that it answers."""
    digest: types.Digest
    size: types.Natural
    """Of the whole, in bytes."""
    offset: types.Natural
    data: Annotated[bytes, Meta(max_length=CHUNK_BYTES)]


class Chat(types.Message, frozen=True):
    """A line of chat, numbered and signed by its author."""

    table: types.Digest
    """The nonce of the table's terms, before the start and after it."""
    author: types.Key
    number: types.Natural
    """From 0 for each author and table, without gaps."""
    text: Annotated[str, Meta(max_length=types.CHAT_CHARACTERS)]
    signature: types.Signature
    """Over table, number and text, with the tag "chat"."""


class Heard(types.Message, frozen=True):
    """How much chat the sender has: the next number it wants of each author."""

    table: types.Digest
    authors: Annotated[tuple[tuple[types.Key, types.Natural], ...], Meta(max_length=16)]
    asks: bool
    """It wants the rest; else it only tells an author that a line has come."""


class OpenTable(types.Message, frozen=True):
    """A table to which somebody may come."""

    table: types.Digest
    """The nonce of its terms; of a match that may be watched, the match."""
    game: types.Word
    free: Annotated[int, Meta(ge=0, le=types.SEATS)]
    """Seats that the receiver may take; 0 for a match that may be watched."""
    players: Annotated[tuple[types.Name, ...], Meta(max_length=types.SEATS)]
    """Who sits there."""


class OpenTables(types.Message, frozen=True):
    """Several tables are open to whoever asked and named none: which is meant?"""

    tables: Annotated[tuple[OpenTable, ...], Meta(min_length=2, max_length=OPEN_TABLES)]


class Attend(types.Message, frozen=True):
    """Let me watch: a bystander asks a member of a match."""

    match: types.MaybeDigest
    """Empty for whatever is being played there."""


class Bystander(types.Message, frozen=True):
    """Somebody who watches a match, or asks to."""

    key: types.Key
    name: types.Name
    watches: bool
    """False while not all players have agreed."""


class Bystanders(types.Message, frozen=True):
    """Who watches a match at the sender's, and who asks to."""

    match: types.Digest

    bystanders: Annotated[tuple[Bystander, ...], Meta(max_length=BYSTANDERS)]
    """To a bystander: itself alone."""

    absent: Annotated[tuple[types.SeatNumber, ...], Meta(max_length=types.SEATS)]
    """Seats whose nodes have no link to the sender, or not the match in hand."""

    vacant: Annotated[tuple[types.SeatNumber, ...], Meta(max_length=types.SEATS)]
    """Others whose guests are away, though their nodes may be there."""


class Admit(types.Message, frozen=True):
    """The sender's players agree to be watched by a bystander, or do not."""

    match: types.Digest
    key: types.Key
    """The bystander's."""
    allow: bool


class PassOn(types.Message, frozen=True):
    """The sender would pass the match on to others who watch, and may be sent on."""

    match: types.MaybeDigest
    """As in the Attend that follows."""
    most: Annotated[int, Meta(ge=1, le=PASSED_TO)]
    """To so many."""


class Ticket(types.Message, frozen=True):
    """Watch there: a bystander is sent on to another, and shows this to it."""

    match: types.Digest
    usher: types.Key
    """Who signs: the member that was asked."""
    parent: types.Key
    """Who passes the match on to it."""
    key: types.Key
    """The bystander that is sent on."""
    until: types.Natural
    """It is good as long as the last Beat has no greater number."""
    signature: types.Signature
    """Over all of that, with the tag "ticket"."""
    address: Annotated[str, Meta(max_length=ADDRESS_CHARACTERS)]
    """Where the parent listens; empty to the parent itself."""


class Beat(types.Message, frozen=True):
    """The usher is there, and has so much: signed, and passed on by one to another."""

    match: types.Digest
    usher: types.Key
    number: types.Natural
    """Greater than that of the one before."""
    entries: types.Natural
    """How many of the log have been sent."""
    absent: Annotated[tuple[types.SeatNumber, ...], Meta(max_length=types.SEATS)]
    """As in Bystanders."""
    vacant: Annotated[tuple[types.SeatNumber, ...], Meta(max_length=types.SEATS)]
    """As in Bystanders."""
    out: Annotated[tuple[types.Key, ...], Meta(max_length=OUT)]
    """Who may watch no longer."""
    over: bool
    """All who were sent on have to ask the usher again."""
    signature: types.Signature
    """Over all of that, with the tag "beat"."""


class Passed(types.Message, frozen=True):
    """Up to the usher: somebody has come to a bystander that passes on, or has gone."""

    match: types.Digest
    key: types.Key
    parent: types.Key
    here: bool


class Beyond(types.Message, frozen=True):
    """From the usher to members: who has begun to watch by others, and who has gone."""

    match: types.Digest
    come: Annotated[tuple[Bystander, ...], Meta(max_length=BYSTANDERS)]
    gone: Annotated[tuple[types.Key, ...], Meta(max_length=BYSTANDERS)]


TableMessage: TypeAlias = (
    Ask
    | Proposal
    | Accept
    | Ready
    | Decline
    | Want
    | Piece
    | Chat
    | Heard
    | OpenTables
    | Attend
    | Bystanders
    | Admit
    | PassOn
    | Ticket
    | Beat
    | Passed
    | Beyond
)
