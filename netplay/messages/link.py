"""Messages that open, keep and close a link between two nodes."""

from typing import Annotated, TypeAlias

from msgspec import Meta

from netplay.messages import types
from netplay.messages.letters import LetterMessage

# Messages that carry a line between two nodes, through a third linked to both.


class Carries(types.Message, frozen=True):
    """What the sender carries for the receiver."""

    carries: bool
    """Lines, and letters of any match."""

    letters: bool
    """Letters, of matches at least in which both are members."""


class OpenLine(types.Message, frozen=True):
    """Carry a line from me to another node."""

    line: types.Natural
    """The sender's count of lines on this link: odd of the smaller key, even else."""

    to: types.Word
    """The fingerprint of whom it is for."""


class Ring(types.Message, frozen=True):
    """A line from another node to the receiver."""

    line: types.Natural
    """As in OpenLine, the sender's."""

    caller: types.Word
    """The fingerprint of who has opened it."""


class LineBytes(types.Message, frozen=True):
    """What goes over a line."""

    line: types.Natural

    data: Annotated[bytes, Meta(min_length=1, max_length=types.LINE_BYTES)]


class LineTaken(types.Message, frozen=True):
    """So many bytes have been taken off a line: as many more may be sent."""

    line: types.Natural

    count: Annotated[int, Meta(ge=1, le=65536)]


class CloseLine(types.Message, frozen=True):
    """A line has ended, or there is none."""

    line: types.Natural

    code: types.Natural
    """A registered error, or 0 for a plain end."""

    reason: types.Reason


LineMessage: TypeAlias = Carries | OpenLine | Ring | LineBytes | LineTaken | CloseLine


class Hello(types.Message, frozen=True):
    """The first message of either side, before anything else is believed."""

    versions: Annotated[tuple[types.Natural, ...], Meta(min_length=1, max_length=16)]
    """Every version of the protocol the sender speaks."""

    features: Annotated[tuple[types.Word, ...], Meta(max_length=32)]
    """Optional parts of the protocol the sender knows."""

    name: types.Name
    """What to call the sender's player."""

    program: types.Word
    """Program and version, for people to read."""

    port: Annotated[int, Meta(ge=0, le=65535)]
    """Where the sender listens, 0 if it does not."""

    nonce: types.Digest
    """Random; tells two starts of one node apart."""


class Welcome(types.Message, frozen=True):
    """The sender has judged the other's Hello and key: the link is open."""

    version: types.Natural
    """The highest version both speak."""

    features: Annotated[tuple[types.Word, ...], Meta(max_length=32)]
    """The features both know, in alphabetical order."""


class Ping(types.Message, frozen=True):
    """Are you there?"""

    number: types.Natural


class Pong(types.Message, frozen=True):
    """I am: the answer to the Ping of the same number."""

    number: types.Natural


class Bye(types.Message, frozen=True):
    """The last message of a link."""

    code: types.Natural
    """A registered error, or 0 for a friendly goodbye."""

    reason: types.Reason


class NewName(types.Message, frozen=True):
    """The sender's player has taken another name."""

    name: types.Name
    """As in Hello, from now on."""


class DialBack(types.Message, frozen=True):
    """Can others reach me? Dial me, and tell."""

    number: types.Natural

    port: Annotated[int, Meta(ge=1, le=65535)]
    """Where the sender believes that others reach it, at the address it comes from."""

    places: Annotated[tuple[types.Place, ...], Meta(max_length=types.PLACES)]
    """All places where the sender may be, as in Places."""


class Tried(types.Message, frozen=True):
    """What came of dialling a node at one place."""

    address: Annotated[str, Meta(max_length=64)]
    """Where it was dialled."""

    reached: bool
    """The node that asked answered there, with its own key."""

    reason: types.Reason
    """Why not, empty if it was reached."""


class DialedBack(types.Message, frozen=True):
    """What came of the DialBack of the same number."""

    number: types.Natural

    tried: Annotated[tuple[Tried, ...], Meta(max_length=types.TRIED)]
    """Each place by itself; none if the sender has dialled nowhere."""


class Places(types.Message, frozen=True):
    """Where a node may be found from now on: the sender, or a friend of both."""

    owner: types.Key
    """Whose places these are."""

    number: types.Natural
    """Of what the owner says of itself, the greatest is the newest."""

    places: Annotated[tuple[types.Place, ...], Meta(max_length=types.PLACES)]
    """The most likely first, as in an invitation; all that were told before go."""

    signature: types.Signature
    """The owner's, over all of that, with the tag "places"."""

    pairs: Annotated[tuple[types.Pair, ...], Meta(max_length=types.PAIRS)]
    """Of the sender's own: names of the pairs that it makes with those whom it would
    find again, and who may hear of this; empty where it is passed on."""


class Appointment(types.Message, frozen=True):
    """What a node leaves in the DHT for a friend: where it is, and when it calls."""

    number: types.Natural
    """As in `Places`, and the next two."""

    places: Annotated[tuple[types.Place, ...], Meta(max_length=types.PLACES)]

    signature: types.Signature
    """The owner's, the same as under `Places`."""

    call: types.Natural
    """When it calls, in seconds of Unix time; and then again and again."""


class Introduction(types.Message, frozen=True):
    """What a node leaves in the DHT for who has the same invitation."""

    owner: types.Key
    """Whose it is."""

    places: Annotated[tuple[types.Place, ...], Meta(max_length=types.PLACES)]
    """Where it is, as in an invitation."""

    call: types.Natural
    """When it calls, as in `Appointment`; the greatest that one says is the newest."""

    signature: types.Signature
    """The owner's, over where the item lies, and these two."""


LinkMessage: TypeAlias = Hello | Welcome | Ping | Pong | Bye | NewName
ReachMessage: TypeAlias = DialBack | DialedBack | Places | LineMessage | LetterMessage
"""About how nodes find and reach each other."""
