"""Messages that open, keep and close a link between two nodes."""

from typing import Annotated, TypeAlias

from msgspec import Meta

from netplay.messages.letters import LetterMessage
from netplay.messages.types import (
    LINE_BYTES,
    PAIRS,
    PLACES,
    TRIED,
    Digest,
    Key,
    Message,
    Name,
    Natural,
    Pair,
    Place,
    Reason,
    Signature,
    Word,
)

# Messages that carry a line between two nodes, through a third linked to both.


class Carries(Message, frozen=True):
    """What the sender carries for the receiver."""

    carries: bool
    """Lines, and letters of any match."""

    letters: bool
    """Letters, of matches at least in which both are members."""


class OpenLine(Message, frozen=True):
    """Carry a line from me to another node."""

    line: Natural
    """The sender's count of lines on this link: odd of the smaller key, even else."""

    to: Word
    """The fingerprint of whom it is for."""


class Ring(Message, frozen=True):
    """A line from another node to the receiver."""

    line: Natural
    """As in OpenLine, the sender's."""

    caller: Word
    """The fingerprint of who has opened it."""


class LineBytes(Message, frozen=True):
    """What goes over a line."""

    line: Natural

    data: Annotated[bytes, Meta(min_length=1, max_length=LINE_BYTES)]


class LineTaken(Message, frozen=True):
    """So many bytes have been taken off a line: as many more may be sent."""

    line: Natural

    count: Annotated[int, Meta(ge=1, le=65536)]


class CloseLine(Message, frozen=True):
    """A line has ended, or there is none."""

    line: Natural

    code: Natural
    """A registered error, or 0 for a plain end."""

    reason: Reason


LineMessage: TypeAlias = Carries | OpenLine | Ring | LineBytes | LineTaken | CloseLine


class Hello(Message, frozen=True):
    """The first message of either side, before anything else is believed."""

    versions: Annotated[tuple[Natural, ...], Meta(min_length=1, max_length=16)]
    """Every version of the protocol the sender speaks."""

    features: Annotated[tuple[Word, ...], Meta(max_length=32)]
    """Optional parts of the protocol the sender knows."""

    name: Name
    """What to call the sender's player."""

    program: Word
    """Program and version, for people to read."""

    port: Annotated[int, Meta(ge=0, le=65535)]
    """Where the sender listens, 0 if it does not."""

    nonce: Digest
    """Random; tells two starts of one node apart."""


class Welcome(Message, frozen=True):
    """The sender has judged the other's Hello and key: the link is open."""

    version: Natural
    """The highest version both speak."""

    features: Annotated[tuple[Word, ...], Meta(max_length=32)]
    """The features both know, in alphabetical order."""


class Ping(Message, frozen=True):
    """Are you there?"""

    number: Natural


class Pong(Message, frozen=True):
    """I am: the answer to the Ping of the same number."""

    number: Natural


class Bye(Message, frozen=True):
    """The last message of a link."""

    code: Natural
    """A registered error, or 0 for a friendly goodbye."""

    reason: Reason


class DialBack(Message, frozen=True):
    """Can others reach me? Dial me, and tell."""

    number: Natural

    port: Annotated[int, Meta(ge=1, le=65535)]
    """Where the sender believes that others reach it, at the address it comes from."""

    places: Annotated[tuple[Place, ...], Meta(max_length=PLACES)]
    """All places where the sender may be, as in Places."""


class Tried(Message, frozen=True):
    """What came of dialling a node at one place."""

    address: Annotated[str, Meta(max_length=64)]
    """Where it was dialled."""

    reached: bool
    """The node that asked answered there, with its own key."""

    reason: Reason
    """Why not, empty if it was reached."""


class DialedBack(Message, frozen=True):
    """What came of the DialBack of the same number."""

    number: Natural

    tried: Annotated[tuple[Tried, ...], Meta(max_length=TRIED)]
    """Each place by itself; none if the sender has dialled nowhere."""


class Places(Message, frozen=True):
    """Where a node may be found from now on: the sender, or a friend of both."""

    owner: Key
    """Whose places these are."""

    number: Natural
    """Of what the owner says of itself, the greatest is the newest."""

    places: Annotated[tuple[Place, ...], Meta(max_length=PLACES)]
    """The most likely first, as in an invitation; all that were told before go."""

    signature: Signature
    """The owner's, over all of that, with the tag "places"."""

    pairs: Annotated[tuple[Pair, ...], Meta(max_length=PAIRS)]
    """Of the sender's own: names of the pairs that it makes with those whom it would
    find again, and who may hear of this; empty where it is passed on."""


class Appointment(Message, frozen=True):
    """What a node leaves in the DHT for a friend: where it is, and when it calls."""

    number: Natural
    """As in `Places`, and the next two."""

    places: Annotated[tuple[Place, ...], Meta(max_length=PLACES)]

    signature: Signature
    """The owner's, the same as under `Places`."""

    call: Natural
    """When it calls, in seconds of Unix time; and then again and again."""


class Introduction(Message, frozen=True):
    """What a node leaves in the DHT for who has the same invitation."""

    owner: Key
    """Whose it is."""

    places: Annotated[tuple[Place, ...], Meta(max_length=PLACES)]
    """Where it is, as in an invitation."""

    call: Natural
    """When it calls, as in `Appointment`; the greatest that one says is the newest."""

    signature: Signature
    """The owner's, over where the item lies, and these two."""


LinkMessage: TypeAlias = Hello | Welcome | Ping | Pong | Bye
ReachMessage: TypeAlias = DialBack | DialedBack | Places | LineMessage | LetterMessage
"""About how nodes find and reach each other."""
