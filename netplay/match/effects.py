"""What the parts of a match want done.

Theory of operation.  A part of a match is told facts and returns effects; it neither
writes nor sends, holds no other part that does, and knows nothing of the match as a
whole.  `Match` has effects done in their order: the journal writes, and what is to be
sent leaves once all that was to be written before it is on the disk.  So a part can be
tried without a disk and without a link, and what a node has promised can be read off
the order of its effects.
"""

from collections.abc import Sequence
from typing import Final, TypeAlias

from msgspec import Struct

from netplay.messages.log import Fork, Hand, LogBody, LogMessage, Term
from netplay.record.hidden import Kept
from netplay.said import Said
from netplay.wanted import Outgoing


class Keep(Struct, frozen=True):
    """Write what this node alone is to know."""

    kept: Kept


class Notice(Struct, frozen=True):
    """Tell the players something."""

    said: Said


class Write(Struct, frozen=True):
    """Say something in the log; what is refused is told, and is no error."""

    body: LogBody


class BeHost(Struct, frozen=True):
    """Begin a term of this node's."""

    body: Term
    term: int


class HandOn(Struct, frozen=True):
    """Hand a seat of the only other elector over, before anything else is entered."""

    hand: Hand
    begins: BeHost | None
    """By which the term begins in which that may be; None in one that has begun so."""


class Follow(Struct, frozen=True):
    """Put other entries, which have been checked, in the place of the log's."""

    start: int
    """Number of the first of them."""
    raws: tuple[bytes, ...]


class Stop(Struct, frozen=True):
    """Stop the match for good: its host has forked the log."""

    proof: Fork


class Meet(Struct, frozen=True):
    """Greet a member who can be reached now, by a link or through another."""

    key: bytes


class Part(Struct, frozen=True):
    """Note that a member cannot be reached any more."""

    key: bytes


class Heard(Struct, frozen=True):
    """Take what a member had carried here."""

    author: bytes
    message: LogMessage


Seldom: TypeAlias = BeHost | HandOn | Follow | Stop | Meet | Part | Heard
"""What changes who takes part, or the log behind its end."""

Effect: TypeAlias = Outgoing | Keep | Notice | Write | Seldom
"""`Outgoing` is sent once everything that was to be written before it is safe."""

Effects: TypeAlias = Sequence[Effect]

NOTHING: Final[Effects] = ()


def to(key: bytes, message: LogMessage) -> Outgoing:
    """Return a message to one member."""
    return Outgoing((key,), message)
