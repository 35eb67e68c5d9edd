"""Letters about a match: what a member lacks, sealed, for anybody to keep.

A letter is sealed to its reader (see `sealing`) and says, one behind the other,

    32 bytes  the match; or the nonce of the table, if it has not begun
    32 bytes  the author's key
     8 bytes  a number, greater than that of the author's letters before
    64 bytes  the author's signature over all of that, the reader and what follows
    frames    of messages about the match and of its chat, as over a link; or of one
              with which a table is proposed, agreed to, or declined

So whoever keeps it learns nothing of it and can change nothing; it can keep it back,
as a network can, or hand it over again, which its number tells.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from netplay.errors import Code, PeerError
from netplay.limits import FRAME_BYTES
from netplay.messages.letters import LetterReceipt, NothingLeft
from netplay.messages.log import LogMessage
from netplay.messages.table import Chat, Heard, TableMessage
from netplay.messages.types import BOX_BYTES, KEY_BYTES, LETTER_BYTES, SIGNATURE_BYTES
from netplay.record.chance import number_bytes, tag
from netplay.record.log import Signer, check_signature
from netplay.record.sealing import seal
from netplay.wire import FrameReader, decode, encode

_NUMBER_BYTES: Final = 8
_HEAD_BYTES: Final = 2 * KEY_BYTES + _NUMBER_BYTES + SIGNATURE_BYTES
_SEAL_BYTES: Final = KEY_BYTES + 16
"""Which sealing adds."""

TEXT_BYTES: Final = LETTER_BYTES - _HEAD_BYTES - _SEAL_BYTES
"""Of the frames in one letter."""


Mail: TypeAlias = LogMessage | Chat | Heard
"""What a letter may be made of."""


class Posted(Struct, frozen=True):
    """What a letter says."""

    match: bytes
    author: bytes
    number: int
    frames: bytes

    def first(self) -> LogMessage | TableMessage | None:
        """Return the first that it says, of whatever.

        Raises:
            PeerError: It is no message.
        """
        reader = FrameReader(FRAME_BYTES)
        reader.feed(self.frames)
        frame = reader.next()
        message = None if frame is None else decode(frame)
        return message if isinstance(message, LogMessage | TableMessage) else None

    def messages(self, table: bytes) -> Iterator[Mail]:
        """Yield what it says of the match.

        Args:
            table: Names the table at which it is played.

        Raises:
            PeerError: From here on it is no message, or of another match.
        """
        reader = FrameReader(FRAME_BYTES)
        reader.feed(self.frames)
        while (frame := reader.next()) is not None:
            yield self._checked(decode(frame), table)
        if reader.buffer:
            raise PeerError(Code.BAD_FRAME, "a letter that ends too soon")

    def _checked(self, message: object, table: bytes) -> Mail:
        """Return a message that is of the match.

        Raises:
            PeerError: UNEXPECTED, it is not.
        """
        if isinstance(message, Chat | Heard) and message.table == table:
            return message
        if isinstance(message, LogMessage) and message.match == self.match:
            return message
        raise PeerError(Code.UNEXPECTED, "something else than of the match")


def letter_data(match: bytes, to: bytes, number: int, frames: bytes) -> bytes:
    """Return what the author of a letter signs."""
    return tag("posted") + match + to + number_bytes(number) + frames


def box(match: bytes, author: bytes, to: bytes) -> bytes:
    """Return the box for a match: whoever keeps letters does not learn which it is."""
    return hashlib.sha256(tag("box") + match + author + to).digest()[:BOX_BYTES]


def parted(messages: Iterable[Mail]) -> list[bytes]:
    """Return the frames of messages in parts, each for a letter of its own."""
    parts: list[bytes] = []
    part = b""
    for frame in map(encode, messages):
        if part and len(part) + len(frame) > TEXT_BYTES:
            parts.append(part)
            part = b""
        part += frame
    return [*parts, part] if part else parts


def written(
    signer: Signer, match: bytes, to: bytes, number: int, frames: bytes, once: bytes
) -> bytes:
    """Return a letter.

    Args:
        signer: The author's key.
        match: Which match.
        to: The reader's key.
        number: Greater than that of each letter before.
        frames: What it says.
        once: 32 random bytes, for this letter alone.

    Raises:
        PeerError: BAD_SIGNATURE, the reader's key is none that can be sealed to.
    """
    signature = signer.sign(letter_data(match, to, number, frames))
    text = match + signer.key + number_bytes(number) + signature + frames
    return seal(to, text, once)


def read(letter: bytes, me: bytes, unseal: Callable[[bytes], bytes]) -> Posted:
    """Return what a letter to this node says; its author has written that.

    Raises:
        PeerError: BAD_FRAME, it is none, or not to this node; BAD_SIGNATURE.
    """
    text = unseal(letter)
    if len(text) < _HEAD_BYTES:
        raise PeerError(Code.BAD_FRAME, "a letter that says nothing")
    match, author = text[:KEY_BYTES], text[KEY_BYTES : 2 * KEY_BYTES]
    signed = 2 * KEY_BYTES + _NUMBER_BYTES
    number = int.from_bytes(text[2 * KEY_BYTES : signed], "big")
    signature, frames = text[signed:_HEAD_BYTES], text[_HEAD_BYTES:]
    check_signature(author, signature, letter_data(match, me, number, frames))
    return Posted(match, author, number, frames)


# What keepers sign.


def subject(signature: bytes) -> bytes:
    """Return what a letter is about that brings a signed body.

    Args:
        signature: The author's, under that body.  Who has not seen it learns nothing
            of the body, though there may be few that it can be.
    """
    return hashlib.sha256(signature).digest()


def word_data(said: LetterReceipt | NothingLeft) -> bytes:
    """Return what a keeper signs: that it took a letter, or none for some time."""
    whose = said.author + said.to + said.box
    if isinstance(said, NothingLeft):
        times = said.since, said.at
        return tag("nothing left") + whose + b"".join(map(number_bytes, times))
    what = (said.about or bytes(KEY_BYTES)) + said.letter
    numbers = map(number_bytes, (said.first, said.at, said.until))
    return tag("letter kept") + whose + what + b"".join(numbers)


def signed_receipt(signer: Signer, said: LetterReceipt) -> LetterReceipt:
    """Return a receipt with this keeper's name and signature."""
    signature = signer.sign(word_data(said))
    return replace(said, keeper=signer.key, signature=signature)


def signed_nothing(signer: Signer, said: NothingLeft) -> NothingLeft:
    """Return a word that nothing was left, with this keeper's name and signature."""
    return replace(said, keeper=signer.key, signature=signer.sign(word_data(said)))


def check_word(said: LetterReceipt | NothingLeft) -> None:
    """Check that a keeper has signed what it is to have said.

    Raises:
        PeerError: BAD_SIGNATURE.
    """
    check_signature(said.keeper, said.signature, word_data(said))


def contradicts(receipt: LetterReceipt, nothing: NothingLeft) -> bool:
    """Tell whether one keeper has signed both that it took a letter and that not."""
    one = receipt.keeper, receipt.author, receipt.to, receipt.box
    other = nothing.keeper, nothing.author, nothing.to, nothing.box
    return one == other and nothing.since <= receipt.at <= nothing.at
