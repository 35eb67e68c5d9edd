"""Bytes <-> messages: frames, canonical encoding, and every check of a frame.

A frame is a 4-byte big-endian length, a type byte, and a msgpack payload: the array of
the message's fields.  The length counts the type byte and the payload.  Every message
has exactly one encoding; whoever writes another is refused, so that a signature or a
digest over bytes is one over the message.

Whatever the bytes, nothing but a `PeerError` with a registered code comes out of here.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final, TypeAlias, get_args

import msgspec

from netplay.errors import Code, LocalError, PeerError
from netplay.limits import DOOR_FRAME_BYTES, FRAME_BYTES, HANDSHAKE_FRAME_BYTES
from netplay.messages.door import FromNode, ToNode
from netplay.messages.letters import (
    AskLeft,
    HandLetter,
    LeaveLetter,
    LetterKept,
    LettersFrom,
    LetterTaken,
    SaidLeft,
)
from netplay.messages.link import (
    Bye,
    Carries,
    CloseLine,
    DialBack,
    DialedBack,
    Hello,
    LineBytes,
    LineTaken,
    LinkMessage,
    OpenLine,
    Ping,
    Places,
    Pong,
    ReachMessage,
    Ring,
    Welcome,
)
from netplay.messages.log import (
    Ack,
    Carried,
    Claim,
    Consent,
    Entries,
    Fork,
    Grant,
    Have,
    Hour,
    Linked,
    LogMessage,
    MatchTime,
    Opening,
    Receipts,
    Refused,
    Share,
    Submit,
)
from netplay.messages.table import (
    Accept,
    Admit,
    Ask,
    Attend,
    Bystanders,
    Chat,
    Decline,
    Heard,
    OpenTables,
    Piece,
    Proposal,
    Ready,
    TableMessage,
    Want,
)
from netplay.sentences import Says

PeerMessage: TypeAlias = LinkMessage | ReachMessage | TableMessage | LogMessage
"""What two nodes say to each other."""

KINDS: Final[Mapping[int, type[PeerMessage]]] = {
    1: Hello,
    2: Welcome,
    3: Ping,
    4: Pong,
    5: Bye,
    10: Ask,
    11: Proposal,
    12: Accept,
    13: Decline,
    14: Want,
    15: Piece,
    16: Chat,
    17: Heard,
    18: OpenTables,
    19: Ready,
    20: Have,
    21: Submit,
    22: Refused,
    23: Entries,
    24: Ack,
    25: Opening,
    26: Share,
    27: Claim,
    28: Grant,
    29: Fork,
    30: Consent,
    31: DialBack,
    33: DialedBack,
    35: Attend,
    37: Bystanders,
    39: Admit,
    41: Linked,
    43: Carried,
    45: Receipts,
    47: MatchTime,
    53: Hour,
    49: Places,
    61: Carries,
    63: OpenLine,
    65: Ring,
    67: LineBytes,
    69: LineTaken,
    71: CloseLine,
    73: LettersFrom,
    75: LeaveLetter,
    77: LetterKept,
    79: HandLetter,
    81: LetterTaken,
    83: AskLeft,
    85: SaidLeft,
}
"""Type number -> message between nodes."""

TO_NODE: Final = 100
FROM_NODE: Final = 101
LENGTH_BYTES: Final = 4
HEADER_BYTES: Final = 5

_NUMBERS: Final[Mapping[type[Any], int]] = {
    **{kind: number for number, kind in KINDS.items()},
    **dict.fromkeys(get_args(ToNode), TO_NODE),
    **dict.fromkeys(get_args(FromNode), FROM_NODE),
}

_PATH: Final = re.compile(r"`\$\[(\d+)\]")
"""Where msgspec found the first fault: which field of the struct."""


class Frame(msgspec.Struct, frozen=True):
    """A frame as it came: what type it is of, and its payload."""

    kind: int
    payload: bytes


class FrameReader:
    """Cut a stream of bytes into frames.

    The limit may be raised between two frames; that is how an open link is allowed
    more than one that has not said Welcome.
    """

    def __init__(self, limit: int = HANDSHAKE_FRAME_BYTES) -> None:
        """Start with an empty buffer and the limit for strangers.

        Args:
            limit: Bytes allowed in a frame, type byte included.
        """
        self.limit = limit
        self.buffer = bytearray()
        """What has come of frames that are not taken out yet."""

    def feed(self, data: bytes) -> None:
        """Take what the stream gave."""
        self.buffer += data

    def next(self) -> Frame | None:
        """Return the next whole frame, or None if more bytes are needed.

        Raises:
            PeerError: BAD_FRAME for an empty frame, TOO_LARGE for one over the limit,
                as soon as its length is known.
        """
        buffer, size = self.buffer, len(self.buffer)
        if size < LENGTH_BYTES:
            return None
        length = int.from_bytes(buffer[:LENGTH_BYTES], "big")
        if length == 0:
            raise PeerError(Code.BAD_FRAME, "an empty frame")
        if length > self.limit:
            raise PeerError(
                Code.TOO_LARGE, Says.BYTES_ALLOWED(length=length, limit=self.limit)
            )
        end = LENGTH_BYTES + length
        if size < end:
            return None
        frame = Frame(buffer[LENGTH_BYTES], bytes(buffer[HEADER_BYTES:end]))
        del buffer[:end]
        return frame


def encode(message: PeerMessage | ToNode | FromNode) -> bytes:
    """Return the frame of a message.

    Raises:
        LocalError: TOO_LARGE, the message does not fit a frame.
    """
    payload = pack(message)
    number = _NUMBERS[type(message)]
    limit = FRAME_BYTES if number < TO_NODE else DOOR_FRAME_BYTES
    length = len(payload) + 1
    if length > limit:
        raise LocalError(Code.TOO_LARGE, Says.BYTES_ALLOWED(length=length, limit=limit))
    return length.to_bytes(LENGTH_BYTES, "big") + bytes((number,)) + payload


def decode(frame: Frame) -> PeerMessage | None:
    """Return the message another node sent; None for one that may be ignored.

    A message of an unknown odd type may be ignored, one of an even type may not:
    that is how a later version adds both kinds.

    Raises:
        PeerError: UNEXPECTED for an unknown even type, BAD_FRAME or NOT_CANONICAL for
            a payload that is not the message it claims to be.
    """
    if frame.kind in KINDS:
        message: PeerMessage = unpack(frame.payload, KINDS[frame.kind])
        return message
    if frame.kind % 2:
        return None
    raise PeerError(Code.UNEXPECTED, f"type {frame.kind} is unknown")


def decode_to_node(frame: Frame) -> ToNode:
    """Return what a window or command says to its node.

    Raises:
        PeerError: As `decode` does.
    """
    _expect(frame, TO_NODE)
    asked: ToNode = unpack(frame.payload, ToNode)
    return asked


def decode_from_node(frame: Frame) -> FromNode:
    """Return what a node says to its window or command.

    Raises:
        PeerError: As `decode` does.
    """
    _expect(frame, FROM_NODE)
    told: FromNode = unpack(frame.payload, FromNode)
    return told


def _expect(frame: Frame, kind: int) -> None:
    """Refuse a frame of any type but one."""
    if frame.kind != kind:
        raise PeerError(Code.UNEXPECTED, f"type {frame.kind} at the door")


pack: Final[Callable[[Any], bytes]] = msgspec.msgpack.Encoder().encode
"""Returns the one encoding of a struct: a body, a move, a state, options."""


def unpack(data: bytes, kind: Any) -> Any:  # noqa: ANN401 (as `kind` says)
    """Return the struct that bytes from anywhere encode.

    Args:
        data: The bytes; nothing is assumed of them.
        kind: The struct, or union of tagged structs, that they must be.

    Raises:
        PeerError: BAD_FRAME, they are not that; NOT_CANONICAL, they are, but written
            in another way than `pack` does.
    """
    try:
        value = _decoder(kind).decode(data)
        again = pack(value)
    except (ValueError, RecursionError, OverflowError) as error:
        raise PeerError(Code.BAD_FRAME, _why(error, kind)) from None
    if again != data:
        raise PeerError(Code.NOT_CANONICAL)
    return value


@lru_cache(maxsize=128)  # to work a union out takes 20 us
def _decoder(kind: Any) -> Any:  # noqa: ANN401 (a decoder of `kind`)
    """Return what decodes a kind, and refuses maps and extensions: no kind has any."""
    return msgspec.msgpack.Decoder(kind)


def _why(error: Exception, kind: Any) -> str:  # noqa: ANN401 (as `unpack` says)
    """Return what is wrong with bytes, in words of ours; see protocol.md, section 7."""
    name = getattr(kind, "__name__", "body or move")
    if not isinstance(error, msgspec.ValidationError):
        return f"no {name}: not one MessagePack value of the kinds that are used"
    path = _PATH.search(str(error))
    if path is None:
        return f"no {name}: not the fields that it has"
    return f"no {name}: field {int(path[1]) + 1} is not as it must be"


__all__ = [
    "FROM_NODE",
    "HEADER_BYTES",
    "KINDS",
    "LENGTH_BYTES",
    "TO_NODE",
    "Frame",
    "FrameReader",
    "PeerMessage",
    "decode",
    "decode_from_node",
    "decode_to_node",
    "encode",
    "pack",
    "unpack",
]
