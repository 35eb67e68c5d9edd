"""Sizes and shapes shared by the messages; the limits stand in protocol.md."""

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from netplay.sanitize import NAME_CHARACTERS

KEY_BYTES: Final = 32
"""An Ed25519 public key; also a SHA-256 digest."""

SIGNATURE_BYTES: Final = 64
"""An Ed25519 signature."""


CHAT_CHARACTERS: Final = 500
"""A line of chat, after sanitising."""

REASON_CHARACTERS: Final = 200
"""The free text that goes with an error or a goodbye."""

PLACES: Final = 8
"""The most that a node tells of: a computer at home has two or three."""

PLACE_CHARACTERS: Final = 272
"""Of a place: the longest name the domain name system knows, and a port."""

PAIRS: Final = 64
"""Named to friends: of those whom a node would find again, the latest met."""

PAIR_BYTES: Final = 16
"""The name of a pair of nodes, which nobody else can tell from chance."""

TRIED: Final = 9
"""Places at which a node is dialled for its asking: those it names, and where it is."""

LINE_BYTES: Final = 16 * 1024
"""Of a line that is carried, in one frame: others wait for no more than this."""

LETTER_AUTHORS: Final = 256
"""Of whom a node takes letters: the members of the matches that it has in hand."""

LETTER_PARTS: Final = 16
"""Letters that together say what one member lacks of a match: a megabyte."""

BOX_BYTES: Final = 16
"""The name of an author's box for a reader, at who keeps letters."""

LETTER_DAYS: Final = 35
"""For which a letter is kept at most: fourteen days to think, fourteen off, a week."""

KEEPERS: Final = 4
"""Named in the terms, by whose word letters were left in time, or were not."""

LETTER_BYTES: Final = 65_000
"""Of a sealed letter: with what goes around it, it fits a frame."""

BODY_BYTES: Final = 28 * 1024
"""One encoded body of the log: two entries, proof of a fork, fit one frame."""

SEATS: Final = 4
"""As many as any game seats."""

Key: TypeAlias = Annotated[bytes, Meta(min_length=KEY_BYTES, max_length=KEY_BYTES)]
Digest: TypeAlias = Annotated[bytes, Meta(min_length=KEY_BYTES, max_length=KEY_BYTES)]
MaybeDigest: TypeAlias = Annotated[bytes, Meta(max_length=KEY_BYTES)]
Signature: TypeAlias = Annotated[
    bytes, Meta(min_length=SIGNATURE_BYTES, max_length=SIGNATURE_BYTES)
]
Pair: TypeAlias = Annotated[bytes, Meta(min_length=PAIR_BYTES, max_length=PAIR_BYTES)]
Name: TypeAlias = Annotated[str, Meta(max_length=NAME_CHARACTERS)]
Word: TypeAlias = Annotated[str, Meta(max_length=32)]
Place: TypeAlias = Annotated[str, Meta(min_length=1, max_length=PLACE_CHARACTERS)]
Reason: TypeAlias = Annotated[str, Meta(max_length=REASON_CHARACTERS)]
Body: TypeAlias = Annotated[bytes, Meta(max_length=BODY_BYTES)]
Admission: TypeAlias = Literal["ask", "anybody", "nobody"]
"""Who may watch a match: whom the players agree to, anybody, or nobody."""
LARGEST: Final = 2**53
"""Every program, whatever numbers it has, counts so far exactly."""

Natural: TypeAlias = Annotated[int, Meta(ge=0, le=LARGEST)]
SeatNumber: TypeAlias = Annotated[int, Meta(ge=0, lt=SEATS)]


class Message(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What travels in one frame: an array of its fields, in this order."""


class DoorMessage(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What travels in one frame of the door: an array of its fields."""
