"""Messages about letters: a third node keeps them for a member who is away."""

from typing import Annotated, TypeAlias

from msgspec import Meta

from netplay.messages import types

Letter: TypeAlias = Annotated[bytes, Meta(min_length=1, max_length=types.LETTER_BYTES)]
Box: TypeAlias = Annotated[
    bytes, Meta(min_length=types.BOX_BYTES, max_length=types.BOX_BYTES)
]


class LetterReceipt(types.Message, frozen=True):
    """A keeper's signed word that it has taken a letter: no message, but evidence."""

    keeper: types.Key
    author: types.Key
    to: types.Key
    box: Box
    about: types.MaybeDigest
    """As in the LeaveLetter."""
    letter: types.Digest
    """SHA-256 of it."""
    first: types.Natural
    """Unix time in seconds, by the keeper's clock: since when it has had, in this box
    without a break, letters about the same."""
    at: types.Natural
    """The same, when this letter was on its disk."""
    until: types.Natural
    """The same, for how long it is kept unless its reader takes it."""
    signature: types.Signature
    """The keeper's, over all of that, with the tag "letter kept"."""


class NothingLeft(types.Message, frozen=True):
    """A keeper's signed word that in some time it has taken no letter: evidence."""

    keeper: types.Key
    author: types.Key
    to: types.Key
    box: Box
    since: types.Natural
    """Unix time in seconds, by the keeper's clock; what was before it does not say."""
    at: types.Natural
    """The same: until when."""
    signature: types.Signature
    """The keeper's, over all of that, with the tag "nothing left"."""


class LettersFrom(types.Message, frozen=True):
    """Keep letters for me, of these and of nobody else; hand me what there is."""

    authors: Annotated[tuple[types.Key, ...], Meta(max_length=types.LETTER_AUTHORS)]


class LeaveLetter(types.Message, frozen=True):
    """Keep a letter until another node comes for it."""

    to: types.Key

    box: Annotated[bytes, Meta(min_length=types.BOX_BYTES, max_length=types.BOX_BYTES)]
    """Which of the author's boxes for this node: what is in it goes, for the first
    part of what is left in it next."""

    part: Annotated[int, Meta(ge=0, lt=types.LETTER_PARTS)]
    """Which part of what is left in the box, from 0."""

    letter: Annotated[bytes, Meta(min_length=1, max_length=types.LETTER_BYTES)]

    days: Annotated[int, Meta(ge=1, le=types.LETTER_DAYS)]
    """For how long it is to be kept, at most."""

    about: types.MaybeDigest
    """What a receipt is to be for: SHA-256 of the author's signature under the turn
    or other body of its own that the letter brings; empty for none."""


class LetterKept(types.Message, frozen=True):
    """What has become of a letter that the receiver has left."""

    letter: types.Digest
    """SHA-256 of it."""

    code: types.Natural
    """0: it is kept; else a registered error, and it is not."""

    reason: types.Reason

    receipts: Annotated[tuple[LetterReceipt, ...], Meta(max_length=1)]
    """One for what is kept; none if it is not."""


class HandLetter(types.Message, frozen=True):
    """A letter that was kept for the receiver."""

    letter: Annotated[bytes, Meta(min_length=1, max_length=types.LETTER_BYTES)]


class LetterTaken(types.Message, frozen=True):
    """A letter that was handed over need be kept no longer."""

    letter: types.Digest


class AskLeft(types.Message, frozen=True):
    """Say, signed, what was last left in a box of which the sender is an end."""

    author: types.Key
    to: types.Key
    box: Box
    since: types.Natural
    """Unix time in seconds, by the receiver's clock."""


class SaidLeft(types.Message, frozen=True):
    """The answer: the receipt of the last letter, or that there was none; or neither.

    Neither, as to everybody whom it does not concern.
    """

    box: Box
    receipts: Annotated[tuple[LetterReceipt, ...], Meta(max_length=1)]
    """One for the last letter since then."""
    nothing: Annotated[tuple[NothingLeft, ...], Meta(max_length=1)]
    """There was none since; perhaps since later than was asked, for want of memory."""


LetterMessage: TypeAlias = (
    LettersFrom
    | LeaveLetter
    | LetterKept
    | HandLetter
    | LetterTaken
    | AskLeft
    | SaidLeft
)
