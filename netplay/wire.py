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
from netplay.messages import letters, link, log, table
from netplay.messages.door import FromNode, ToNode
from netplay.sentences import Says

PeerMessage: TypeAlias = (
    link.LinkMessage | link.ReachMessage | table.TableMessage | log.LogMessage
)
"""What two nodes say to each other."""

KINDS: Final[Mapping[int, type[PeerMessage]]] = {
    1: link.Hello,
    2: link.Welcome,
    3: link.Ping,
    4: link.Pong,
    5: link.Bye,
    10: table.Ask,
    11: table.Proposal,
    12: table.Accept,
    13: table.Decline,
    14: table.Want,
    15: table.Piece,
    16: table.Chat,
    17: table.Heard,
    18: table.OpenTables,
    19: table.Ready,
    20: log.Have,
    21: log.Submit,
    22: log.Refused,
    23: log.Entries,
    24: log.Ack,
    25: log.Opening,
    26: log.Share,
    27: log.Claim,
    28: log.Grant,
    29: log.Fork,
    30: log.Consent,
    31: link.DialBack,
    33: link.DialedBack,
    35: table.Attend,
    37: table.Bystanders,
    39: table.Admit,
    41: log.Linked,
    43: log.Carried,
    45: log.Receipts,
    47: log.MatchTime,
    53: log.Hour,
    55: log.Vacant,
    49: link.Places,
    61: link.Carries,
    63: link.OpenLine,
    65: link.Ring,
    67: link.LineBytes,
    69: link.LineTaken,
    71: link.CloseLine,
    73: letters.LettersFrom,
    75: letters.LeaveLetter,
    77: letters.LetterKept,
    79: letters.HandLetter,
    81: letters.LetterTaken,
    83: letters.AskLeft,
    85: letters.SaidLeft,
    87: table.PassOn,
    89: table.Ticket,
    91: table.Beat,
    93: table.Passed,
    95: table.Beyond,
    97: link.NewName,
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
