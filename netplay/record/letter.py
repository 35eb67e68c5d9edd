"""Letters about a match: what a member lacks, sealed, for anybody to keep.

A letter is sealed to its reader (see `seal`) and says, one behind the other,

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

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import (
    X25519PrivateKey,
    X25519PublicKey,
)
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from msgspec import Struct
from msgspec.structs import replace
from nacl.bindings import crypto_sign_ed25519_pk_to_curve25519
from nacl.exceptions import CryptoError

from netplay.errors import Code, PeerError
from netplay.limits import FRAME_BYTES
from netplay.messages import types
from netplay.messages.letters import LetterReceipt, NothingLeft
from netplay.messages.log import LogMessage
from netplay.messages.table import Chat, Heard, TableMessage
from netplay.record.chance import number_bytes, tag
from netplay.record.log import Signer, check_signature
from netplay.wire import FrameReader, decode, encode

# Letters that one node alone can open: to its key, through anybody's hands.
#
# A node's Ed25519 key is taken to X25519 (the same curve in another form). A letter is
#
# 32 bytes an X25519 key made for this letter alone the text, by ChaCha20-Poly1305,
# under SHA-256 of the tag "letter", both keys and what the two have in common; the
# nonce is zero, for no key serves twice
#
# It says nothing of who wrote it: what it holds is proved by itself (an opening by its
# Merkle path), or worth nothing.


NONCE: Final = bytes(12)
SHOWN_KEY_BYTES: Final = 32


def seal(key: bytes, text: bytes, once: bytes) -> bytes:
    """Return a letter.

    Args:
        key: The Ed25519 key of who may open it.
        text: What it says.
        once: 32 random bytes, for this letter alone.

    Raises:
        PeerError: BAD_SIGNATURE, the key is no point of the curve.
    """
    mine = X25519PrivateKey.from_private_bytes(once)
    shown = mine.public_key().public_bytes_raw()
    try:
        common = mine.exchange(_public(key))
    except (CryptoError, ValueError):
        raise PeerError(
            Code.BAD_SIGNATURE, "a key that nothing can be sealed to"
        ) from None
    cipher = ChaCha20Poly1305(_secret(shown, key, common))
    return shown + cipher.encrypt(NONCE, text, None)


def unseal(seed: bytes, key: bytes, letter: bytes) -> bytes:
    """Return what a letter says.

    Args:
        seed: The 32 secret bytes of the Ed25519 key it was sealed to.
        key: That key.
        letter: From anywhere.

    Raises:
        PeerError: BAD_FRAME, it was not sealed to this key, or has been changed.
    """
    shown = letter[:SHOWN_KEY_BYTES]
    private = X25519PrivateKey.from_private_bytes(hashlib.sha512(seed).digest()[:32])
    try:
        common = private.exchange(X25519PublicKey.from_public_bytes(shown))
        cipher = ChaCha20Poly1305(_secret(shown, key, common))
        return cipher.decrypt(NONCE, letter[SHOWN_KEY_BYTES:], None)
    except (InvalidTag, ValueError):
        raise PeerError(Code.BAD_FRAME, "a letter that cannot be opened") from None


def pair(seed: bytes, key: bytes, other: bytes) -> bytes:
    """Return the name of two nodes, which they alone can work out; empty for none.

    Args:
        seed: The 32 secret bytes of the Ed25519 key of one.
        key: That key.
        other: The key of the other.
    """
    return _of_two(tag("pair"), seed, key, other)[: types.PAIR_BYTES]


def appointed(seed: bytes, key: bytes, other: bytes) -> bytes:
    """Return 32 bytes from which two nodes alone know where they look for each other.

    Empty where there is no such node.

    Args:
        seed: The 32 secret bytes of the Ed25519 key of one.
        key: That key.
        other: The key of the other.
    """
    return _of_two(tag("appointed"), seed, key, other)


def _of_two(use: bytes, seed: bytes, key: bytes, other: bytes) -> bytes:
    """Return what two nodes alone can work out, for one use; empty for none."""
    private = X25519PrivateKey.from_private_bytes(hashlib.sha512(seed).digest()[:32])
    try:
        common = private.exchange(_public(other))
    except (CryptoError, ValueError):
        return b""
    both = b"".join(sorted((key, other)))
    return hashlib.sha256(use + both + common).digest()


def _public(key: bytes) -> X25519PublicKey:
    """Return an Ed25519 key in the other form of its curve.

    Raises:
        CryptoError: It is no point of the curve, or of small order.
    """
    return X25519PublicKey.from_public_bytes(crypto_sign_ed25519_pk_to_curve25519(key))


def _secret(shown: bytes, key: bytes, common: bytes) -> bytes:
    """Return the key of a letter's cipher."""
    return hashlib.sha256(tag("letter") + shown + key + common).digest()


_NUMBER_BYTES: Final = 8
_HEAD_BYTES: Final = 2 * types.KEY_BYTES + _NUMBER_BYTES + types.SIGNATURE_BYTES
_SEAL_BYTES: Final = types.KEY_BYTES + 16
"""Which sealing adds."""

TEXT_BYTES: Final = types.LETTER_BYTES - _HEAD_BYTES - _SEAL_BYTES
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
            message = decode(frame)
            if (isinstance(message, Chat | Heard) and message.table == table) or (
                isinstance(message, LogMessage) and message.match == self.match
            ):
                yield message
            else:
                raise PeerError(Code.UNEXPECTED, "something else than of the match")
        if reader.buffer:
            raise PeerError(Code.BAD_FRAME, "a letter that ends too soon")


def letter_data(match: bytes, to: bytes, number: int, frames: bytes) -> bytes:
    """Return what the author of a letter signs."""
    return tag("posted") + match + to + number_bytes(number) + frames


def box(match: bytes, author: bytes, to: bytes) -> bytes:
    """Return the box for a match: whoever keeps letters does not learn which it is."""
    return hashlib.sha256(tag("box") + match + author + to).digest()[: types.BOX_BYTES]


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


def open_letter(letter: bytes, me: bytes, unseal: Callable[[bytes], bytes]) -> Posted:
    """Return what a letter to this node says; its author has written that.

    Raises:
        PeerError: BAD_FRAME, it is none, or not to this node; BAD_SIGNATURE.
    """
    text = unseal(letter)
    if len(text) < _HEAD_BYTES:
        raise PeerError(Code.BAD_FRAME, "a letter that says nothing")
    match, author = text[: types.KEY_BYTES], text[types.KEY_BYTES : 2 * types.KEY_BYTES]
    signed = 2 * types.KEY_BYTES + _NUMBER_BYTES
    number = int.from_bytes(text[2 * types.KEY_BYTES : signed], "big")
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
    what = (said.about or bytes(types.KEY_BYTES)) + said.letter
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


# What a node has written to others of a match by letter, and read.


class KeptLetter(types.Message, frozen=True, tag=40):
    """What was last written to a member."""

    to: types.Key
    number: types.Natural
    """Of the letter: each has a greater one than those before."""
    mark: types.Digest
    """Of what it says."""
    at: types.Natural
    """Unix time in seconds."""
    by: types.Name
    """Who keeps it; empty as long as nobody has said so."""
    lines: types.Natural = 0
    """Up to which of this node's player's lines of chat it says them; 0: none."""
    days: types.Natural = 7
    """For which it is kept."""


class KeptTaken(types.Message, frozen=True, tag=41):
    """The last letter of a member that was taken."""

    author: types.Key
    number: types.Natural
    news: bool
    """The log is longer for it, or it has chat: the author is to hear that it came."""


class KeptWord(types.Message, frozen=True, tag=42):
    """A keeper's signed word that it took the last letter to a member."""

    receipt: LetterReceipt


class KeptNothing(types.Message, frozen=True, tag=43):
    """A keeper's signed word that a member has left no letter with it for this node."""

    word: NothingLeft


KeptPost: TypeAlias = KeptLetter | KeptTaken | KeptWord | KeptNothing


class Post:
    """The letters of one match."""

    def __init__(self) -> None:
        """Begin without any."""
        self.letters: Final[dict[bytes, KeptLetter]] = {}
        """Member -> what was last written to it."""
        self.receipts: Final[dict[tuple[bytes, bytes], LetterReceipt]] = {}
        """Member and keeper -> the keeper's last receipt of a letter to it."""
        self.nothing: Final[dict[tuple[bytes, bytes], NothingLeft]] = {}
        """Member and keeper -> the keeper's last word that it left none."""
        self._taken: Final[dict[bytes, KeptTaken]] = {}
        self.brought: Final[dict[bytes, int]] = {}
        """Member -> the number of its last letter that brought any news."""

    def note(self, kept: KeptPost) -> None:
        """Take one record."""
        if isinstance(kept, KeptWord):
            self.receipts[kept.receipt.to, kept.receipt.keeper] = kept.receipt
            return
        if isinstance(kept, KeptNothing):
            self.nothing[kept.word.author, kept.word.keeper] = kept.word
            return
        if isinstance(kept, KeptTaken):
            if kept.news:
                self.brought[kept.author] = kept.number
            news = kept.news or self.owes(kept.author)
            self._taken[kept.author] = replace(kept, news=news)
            return
        self.letters[kept.to] = kept
        answered = self._taken.get(kept.to)
        if kept.by and answered is not None:
            self._taken[kept.to] = replace(answered, news=False)

    def owes(self, author: bytes) -> bool:
        """Tell whether a member is to hear that its last news have come."""
        taken = self._taken.get(author)
        return taken is not None and taken.news

    def is_old(self, author: bytes, number: int) -> bool:
        """Tell whether a letter of a member was taken already, or a later one."""
        taken = self._taken.get(author)
        return taken is not None and number <= taken.number

    def next_number(self, to: bytes, least: int) -> int:
        """Return the number for the next letter to a member.

        Args:
            to: The member.
            least: Milliseconds of Unix time: whoever loses this file goes on above
                what was given before.
        """
        last = self.letters.get(to)
        return max(least, 0 if last is None else last.number + 1)
