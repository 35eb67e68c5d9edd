"""How a word list lies in its file, and what must hold of every such file.

A word list is a minimal acyclic automaton.  All arcs that leave one node stand side
by side, in the order of their letters, as little-endian 32-bit numbers:

    bits 24-31  the letter, an index into the alphabet
    bit  23     LAST: the next arc belongs to another node
    bit  22     END: the letters up to and with this one are a word
    bits  0-21  INDEX: where the arcs of the node it leads to begin; 0 for none

Arc 0 is unused.  A node is written after all nodes it leads to, the root as the
last, so an arc always points backwards: no cycle can be written down, and one pass
over the arcs checks a graph, counts its words and measures the longest.

The file before the arcs, numbers little-endian:

    0   8 bytes   magic; the last byte is the version of the format
    8   32 bytes  SHA-256 of everything after these 40 bytes: the lexicon's digest
    40  4 bytes   number of arcs, arc 0 included
    44  4 bytes   number of words
    48  4 bytes   where the arcs of the root begin
    52  2 bytes   letters of the longest word
    54  2 bytes   bytes of the alphabet
    56            the alphabet in UTF-8: a line for each letter, or LETTER=OTHER for a
                  letter that counts as another; then zero bytes up to a multiple of 4
"""

import hashlib
import struct
import unicodedata
from array import array
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from rules.sentence import RulesError

MAGIC: Final = b"NPWORDS\x01"
HEADER: Final = struct.Struct("<8s32sIIIHH")
DIGEST_END: Final = 40
"""The digest is taken of what follows this byte."""

LETTER_SHIFT: Final = 24
LAST: Final = 1 << 23
END: Final = 1 << 22
INDEX: Final = END - 1
NODE: Final = END | INDEX
"""What of an arc says where it leads: two arcs with equal bits lead to one node."""

MAX_ALPHABET: Final = 128
"""More than any script has; the letter and the blank after it fit a byte."""

MAX_LETTER_CHARACTERS: Final = 4
MAX_LENGTH: Final = 32
"""Letters of a word: longer than any board is wide."""

MAX_WORDS: Final = 4_000_000
"""Three times as many as the longest list we know.  A few hundred arcs can spell
billions, and a computer player holds all words in memory, 200 bytes each."""


class LexiconError(RulesError, ValueError):
    """A word list is damaged or is none; the message says what is wrong."""


class Head(Struct, frozen=True):
    """What stands before the arcs."""

    digest: str
    """SHA-256 of the content, in hexadecimal digits."""

    arcs: int
    """How many arcs there are, the unused one included."""

    words: int
    root: int
    """Where the arcs of the root begin; 0 if there is no word."""

    longest: int
    """Letters of the longest word."""

    alphabet: tuple[str, ...]
    folds: Mapping[int, int]
    """Letter -> the letter it counts as, for those that count as another."""

    size: int
    """Bytes before the arcs."""


class Survey(Struct, frozen=True):
    """What one pass over the arcs finds out."""

    counts: "array[int]"
    """For each arc: how many words it and the later arcs of its node lead to."""

    root: int
    """Where the arcs of the last node begin, which is the root; 0 without words."""

    longest: int
    """Letters of the longest word."""


def read_head(data: bytes | memoryview) -> Head:
    """Return what the first bytes of a file say.

    Raises:
        LexiconError: They are not those of a word list, or of one of this length.
    """
    if len(data) < HEADER.size or bytes(data[: len(MAGIC)]) != MAGIC:
        raise LexiconError("this is not a word list of this version")
    _, digest, arcs, words, root, longest, text = HEADER.unpack_from(data)
    size = _padded(HEADER.size + text)
    if not 0 < arcs <= INDEX + 1 or len(data) != size + 4 * arcs:
        raise LexiconError("the word list is cut short or has bytes left over")
    if root >= arcs or longest > MAX_LENGTH:
        raise LexiconError("the header of the word list is damaged")
    alphabet, folds = _read_alphabet(bytes(data[HEADER.size : size]), text)
    return Head(digest.hex(), arcs, words, root, longest, alphabet, folds, size)


def write(
    alphabet: Sequence[str],
    folds: Mapping[int, int],
    arcs: "array[int]",
    words: int,
    root: int,
    longest: int,
) -> bytes:
    """Return the whole file for a graph; see the top of this module.

    Args:
        alphabet: The letters, each one to four characters.
        folds: Letter -> the letter it counts as.
        arcs: The arcs in the machine's own byte order.
        words: How many words they hold.
        root: Where the root's arcs begin.
        longest: Letters of the longest word.

    Raises:
        LexiconError: The alphabet cannot be one.
    """
    lines = [
        f"{letter}={alphabet[folds[index]]}" if index in folds else letter
        for index, letter in enumerate(alphabet)
    ]
    text = "\n".join(lines).encode()
    padded = text.ljust(_padded(HEADER.size + len(text)) - HEADER.size, b"\0")
    _read_alphabet(padded, len(text))
    packed = struct.pack(f"<{len(arcs)}I", *arcs)
    head = HEADER.pack(MAGIC, bytes(32), len(arcs), words, root, longest, len(text))
    content = head[DIGEST_END:] + padded + packed
    return MAGIC + hashlib.sha256(content).digest() + content


def survey(arcs: Sequence[int], letters: int = MAX_ALPHABET) -> Survey:
    """Check the arcs of a whole graph, and count.

    Args:
        arcs: The arcs, arc 0 included; the root's are the last.
        letters: How many letters the alphabet has.

    Raises:
        LexiconError: An arc has no such letter, is out of order, points nowhere or
            forwards, or words are too many or too long.
    """
    if arcs[0] or (len(arcs) > 1 and not arcs[-1] & LAST):
        raise LexiconError("the first or the last arc of the word list is damaged")
    counts = array("I", bytes(4 * len(arcs)))
    heights = bytearray(len(arcs))
    start, root = 1, 0
    for last in range(1, len(arcs)):
        if arcs[last] & LAST:
            _survey_node(arcs, start, last, letters, counts, heights)
            start, root = last + 1, start
    return Survey(counts, root, heights[root])


def _survey_node(
    arcs: Sequence[int],
    start: int,
    last: int,
    letters: int,
    counts: "array[int]",
    heights: bytearray,
) -> None:
    """Check the arcs of one node and fill in what the nodes above will ask for.

    Raises:
        LexiconError: As for `survey`.
    """
    words, height, after = 0, 0, letters
    for place in range(last, start - 1, -1):
        arc = arcs[place]
        letter, to = arc >> LETTER_SHIFT, arc & INDEX
        if letter >= after or to >= start or not arc & NODE:
            raise LexiconError(f"arc {place} of the word list is damaged")
        words += (arc & END != 0) + counts[to]
        height = max(height, heights[to] + 1)
        if words > MAX_WORDS or height > MAX_LENGTH:
            raise LexiconError("the word list has too many words or too long ones")
        counts[place], heights[place], after = words, height, letter


def is_led_to(arcs: Sequence[int], root: int) -> bool:
    """Return whether every node is on the way to a word.

    Arcs point backwards, so a node that is led to is so from the root at last.

    Args:
        arcs: The arcs, arc 0 included, surveyed.
        root: Where those of the root begin; 0 without words.
    """
    after = (place for place, arc in enumerate(arcs, 1) if arc & LAST)
    starts = {1, *after} - {len(arcs)}
    return starts <= {root, *(arc & INDEX for arc in arcs)}


def _read_alphabet(text: bytes, size: int) -> tuple[tuple[str, ...], dict[int, int]]:
    """Return the letters, and which of them count as another.

    Args:
        text: The alphabet's lines and the zero bytes after them.
        size: Bytes of the lines.

    Raises:
        LexiconError: It is no alphabet.
    """
    if any(text[size:]):
        raise LexiconError("the alphabet of the word list is damaged")
    try:
        lines = [line.partition("=") for line in text[:size].decode().split("\n")]
    except UnicodeDecodeError:
        raise LexiconError("the alphabet of the word list is damaged") from None
    alphabet = tuple(letter for letter, _, _ in lines)
    check_alphabet(alphabet)
    folds: dict[int, int] = {}
    for index, (letter, sign, other) in enumerate(lines):
        if sign:
            if other not in alphabet:
                raise LexiconError(f"letter {letter!r} counts as none there is")
            folds[index] = alphabet.index(other)
    if not folds.keys().isdisjoint(folds.values()):
        raise LexiconError("a letter counts as one that counts as yet another")
    return alphabet, folds


def check_alphabet(alphabet: Sequence[str]) -> None:
    """Refuse what cannot be an alphabet.

    Raises:
        LexiconError: It has no or too many letters, one twice, or one that is not
            one to four printable characters in Unicode's composed form (NFC).
    """
    if not 0 < len(alphabet) <= MAX_ALPHABET or len(set(alphabet)) < len(alphabet):
        raise LexiconError("an alphabet has 1 to 128 letters, each once")
    for letter in alphabet:
        plain = letter.isprintable() and not set(letter) & {" ", "="}
        composed = unicodedata.is_normalized("NFC", letter)
        if not (plain and composed and 0 < len(letter) <= MAX_LETTER_CHARACTERS):
            raise LexiconError(f"{letter!r} cannot be a letter")


def _padded(size: int) -> int:
    """Return the size rounded up to whole 32-bit numbers."""
    return (size + 3) & ~3
