"""Messages that open, keep and close a link between two nodes."""

from typing import Annotated, TypeAlias

from msgspec import Meta

from netplay.messages.letters import LetterMessage
from netplay.messages.lines import LineMessage
from netplay.messages.types import (
    PLACES,
    TRIED,
    Digest,
    Message,
    Name,
    Natural,
    Place,
    Reason,
    Word,
)


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
    """Where the sender may be found from now on, should the link be lost."""

    places: Annotated[tuple[Place, ...], Meta(max_length=PLACES)]
    """The most likely first, as in an invitation; all that were told before go."""


LinkMessage: TypeAlias = Hello | Welcome | Ping | Pong | Bye
ReachMessage: TypeAlias = DialBack | DialedBack | Places | LineMessage | LetterMessage
"""About how nodes find and reach each other."""
