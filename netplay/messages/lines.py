"""Messages that carry a line between two nodes, through a third linked to both."""

from typing import Annotated, TypeAlias

from msgspec import Meta

from netplay.messages.types import LINE_BYTES, Message, Natural, Reason, Word


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
