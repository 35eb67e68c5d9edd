"""Messages about letters: a third node keeps them for a member who is away."""

from typing import Annotated, TypeAlias

from msgspec import Meta

from netplay.messages.types import (
    BOX_BYTES,
    LETTER_AUTHORS,
    LETTER_BYTES,
    LETTER_PARTS,
    Digest,
    Key,
    Message,
    Natural,
    Reason,
)

Letter: TypeAlias = Annotated[bytes, Meta(min_length=1, max_length=LETTER_BYTES)]
Box: TypeAlias = Annotated[bytes, Meta(min_length=BOX_BYTES, max_length=BOX_BYTES)]


class LettersFrom(Message, frozen=True):
    """Keep letters for me, of these and of nobody else; hand me what there is."""

    authors: Annotated[tuple[Key, ...], Meta(max_length=LETTER_AUTHORS)]


class LeaveLetter(Message, frozen=True):
    """Keep a letter until another node comes for it."""

    to: Key

    box: Annotated[bytes, Meta(min_length=BOX_BYTES, max_length=BOX_BYTES)]
    """Which of the author's boxes for this node: what is in it goes, for the first
    part of what is left in it next."""

    part: Annotated[int, Meta(ge=0, lt=LETTER_PARTS)]
    """Which part of what is left in the box, from 0."""

    letter: Annotated[bytes, Meta(min_length=1, max_length=LETTER_BYTES)]


class LetterKept(Message, frozen=True):
    """What has become of a letter that the receiver has left."""

    letter: Digest
    """SHA-256 of it."""

    code: Natural
    """0: it is kept; else a registered error, and it is not."""

    reason: Reason


class HandLetter(Message, frozen=True):
    """A letter that was kept for the receiver."""

    letter: Annotated[bytes, Meta(min_length=1, max_length=LETTER_BYTES)]


class LetterTaken(Message, frozen=True):
    """A letter that was handed over need be kept no longer."""

    letter: Digest


LetterMessage: TypeAlias = (
    LettersFrom | LeaveLetter | LetterKept | HandLetter | LetterTaken
)
