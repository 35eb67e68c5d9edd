"""A word list as a packed graph, used where it lies: mapped from its file.

The lists at hand are found by digest, see `rules.shelf`.  Of a shipped one only the
header is looked at, so that it costs nothing at the start of a program.
"""

import hashlib
import mmap
import os
import stat
import struct
import sys
import unicodedata
from array import array
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from importlib.resources import as_file
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from msgspec import Struct

from rules.sentence import RulesError
from rules.shelf import Shelf

# How a word list lies in its file, and what must hold of every such file.
#
# A word list is a minimal acyclic automaton. All arcs that leave one node stand side by
# side, in the order of their letters, as little-endian 32-bit numbers:
#
# bits 24-31 the letter, an index into the alphabet bit 23 LAST: the next arc belongs to
# another node bit 22 END: the letters up to and with this one are a word bits 0-21
# INDEX: where the arcs of the node it leads to begin; 0 for none
#
# Arc 0 is unused. A node is written after all nodes it leads to, the root as the last,
# so an arc always points backwards: no cycle can be written down, and one pass over the
# arcs checks a graph, counts its words and measures the longest.
#
# The file before the arcs, numbers little-endian:
#
# 0 8 bytes magic; the last byte is the version of the format 8 32 bytes SHA-256 of
# everything after these 40 bytes: the lexicon's digest 40 4 bytes number of arcs, arc 0
# included 44 4 bytes number of words 48 4 bytes where the arcs of the root begin 52 2
# bytes letters of the longest word 54 2 bytes bytes of the alphabet 56 the alphabet in
# UTF-8: a line for each letter, or LETTER=OTHER for a letter that counts as another;
# then zero bytes up to a multiple of 4


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
            words, height, after = 0, 0, letters
            for place in range(last, start - 1, -1):
                arc = arcs[place]
                letter, to = arc >> LETTER_SHIFT, arc & INDEX
                if letter >= after or to >= start or not arc & NODE:
                    raise LexiconError(f"arc {place} of the word list is damaged")
                words += (arc & END != 0) + counts[to]
                height = max(height, heights[to] + 1)
                if words > MAX_WORDS or height > MAX_LENGTH:
                    raise LexiconError(
                        "the word list has too many words or too long ones"
                    )
                counts[place], heights[place], after = words, height, letter
            start, root = last + 1, start
    return Survey(counts, root, heights[root])


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


# All words of a graph in one go, for those who want nothing else of it.


_BEFORE: Final = b"\xff"
"""Stands before each word of a text, and is no letter."""

_BEGINNINGS: Final = [_BEFORE + bytes([letter]) for letter in range(MAX_ALPHABET)]

HELD_BYTES: Final = 64 << 20
"""Texts held before it is asked which are still needed: twice those of German."""


def everything(arcs: Sequence[int], root: int) -> list[bytes]:
    """Return all words in order, one byte a letter.

    A node is written after all that it leads to, so one pass finds for each node a
    text of all that can follow there.  Putting a letter before all of a text is one
    replacement, whatever its length; most nodes are reached on many ways, and their
    texts are made once.

    Args:
        arcs: Of a graph that was checked: see `layout`.
        root: Where the arcs of the root begin; 0 if there is no word.
    """
    texts: list[bytes] = [b""] * len(arcs)
    node, text, held, most = 1, b"", 0, HELD_BYTES
    for place, arc in enumerate(list(arcs)):
        beginning = _BEGINNINGS[arc >> LETTER_SHIFT]
        if arc & END:
            text += beginning
        to = arc & INDEX
        if to:
            text += texts[to].replace(_BEFORE, beginning)
        if arc & LAST:
            texts[node] = text
            held += len(text)
            node, text = place + 1, b""
            if held > most:
                # What no later node needs is forgotten: few arcs can make large texts.
                needed = {root, *(later & INDEX for later in arcs[node:])}
                for each in range(node):
                    if each not in needed:
                        texts[each] = b""
                held = sum(map(len, texts))
                most = max(HELD_BYTES, 2 * held)
    return texts[root].split(_BEFORE)[1:]


Word = tuple[int, ...]
"""Letters as indexes into the alphabet."""


class Lexicon:
    """A set of words over an alphabet, in the alphabet's order.

    A node of the graph is a number: `root`, or what `child` and `arcs` return.  Equal
    numbers are the same node; 0 is the node that no word goes through.
    """

    def __init__(self, data: bytes | mmap.mmap, order: str = sys.byteorder) -> None:
        """Take the bytes of a file; of its arcs nothing is looked at yet.

        Args:
            data: A whole file.
            order: The machine's byte order, "little" or "big".

        Raises:
            LexiconError: The header is wrong or does not fit the length.
        """
        self.data: Final = memoryview(data)
        """The file's bytes, to send or to save."""
        head = read_head(self.data)
        self.digest: Final = head.digest
        """SHA-256 of the content, in hexadecimal digits: the lexicon's true name."""
        self.alphabet: Final = head.alphabet
        self.folds: Final[Mapping[int, int]] = head.folds
        """Letter -> the letter it counts as, as Ё does as Е; mostly empty."""
        self.count: Final = head.words
        self.longest: Final = head.longest
        """Letters of the longest word."""
        self.root: Final = head.root
        self._arcs: Final = _numbers(self.data[head.size :], order)

    def has(self, word: Sequence[int]) -> bool:
        """Return whether the letters are a word of the list."""
        # Asked millions of times in a game: `_seek` written out, half the time.
        if self.folds:
            word = [self.folds.get(letter, letter) for letter in word]
        arcs, arc = self._arcs, self.root
        for letter in word:
            place = arc & INDEX
            if not place:
                return False
            arc = arcs[place]
            while arc >> LETTER_SHIFT != letter:
                if arc & LAST:
                    return False
                place += 1
                arc = arcs[place]
        return arc & END != 0

    def _seek(self, node: int, letter: int) -> int:
        """Return the place of the arc that leads on by a letter; 0 for none."""
        place = node & INDEX
        if not place:
            return 0
        if self.folds:
            letter = self.folds.get(letter, letter)
        arcs = self._arcs
        arc = arcs[place]
        while arc >> LETTER_SHIFT != letter:
            if arc & LAST:
                return 0
            place += 1
            arc = arcs[place]
        return place

    def child(self, node: int, letter: int) -> int:
        """Return the node one letter on, or 0 where no word goes on so."""
        return self._arcs[self._seek(node, letter)] & NODE

    def arcs(self, node: int) -> list[tuple[int, int]]:
        """Return the letters that lead on from a node, in order, each with where to.

        Letters that count as another one are not among them: see `folds`.
        """
        found: list[tuple[int, int]] = []
        place = node & INDEX
        arc = 0 if place else LAST
        while not arc & LAST:
            arc = self._arcs[place]
            found.append((arc >> LETTER_SHIFT, arc & NODE))
            place += 1
        return found

    def ends(self, node: int) -> bool:
        """Return whether the letters that led to a node are a word."""
        return node & END != 0

    def words(self, start: Sequence[int] = ()) -> Iterator[Word]:
        """Yield the words in order, or only those that begin with some letters."""
        start = tuple(self.folds.get(letter, letter) for letter in start)
        node = self.root
        for letter in start:
            node = self.child(node, letter)
        waiting = [(start, node)]
        while waiting:
            word, node = waiting.pop()
            if node & END:
                yield word
            waiting += [((*word, at), to) for at, to in reversed(self.arcs(node))]

    def by_length(self, longest: int) -> list[list[bytes]]:
        """Return the words of each length, in order: the quickest way to all.

        Args:
            longest: Longer words are left out.

        Returns:
            For each length from 0 to `longest` its words, one byte a letter.
        """
        found: list[list[bytes]] = [[] for _ in range(max(longest, self.longest) + 1)]
        add = [words.append for words in found]
        for word in everything(self._arcs, self.root):
            add[len(word)](word)
        return found[: longest + 1]

    def index(self, word: Sequence[int]) -> int:
        """Return the place of a word in `words()`, from 0.

        Raises:
            LookupError: The list does not have it.
        """
        counts, node, before = self._survey.counts, self.root, 0
        for letter in word:
            place = self._seek(node, letter)
            before += self.ends(node) + counts[node & INDEX] - counts[place]
            node = self._arcs[place] & NODE
        if not self.ends(node):
            raise LookupError(word)
        return before

    def at(self, index: int) -> Word:
        """Return the word at a place of `words()`, from 0.

        Raises:
            LookupError: There is no such place.
        """
        if not 0 <= index < self.count:
            raise LookupError(index)
        arcs, counts = self._arcs, self._survey.counts
        node, word = self.root, list[int]()
        while index >= 0:
            place = node & INDEX
            after = counts[place] - index  # words of this node from the wanted one on
            while not arcs[place] & LAST and counts[place + 1] >= after:
                place += 1
            word.append(arcs[place] >> LETTER_SHIFT)
            node = arcs[place] & NODE
            index = counts[place] - after - self.ends(node)
        return tuple(word)

    @cached_property
    def _survey(self) -> Survey:
        """What one pass over all arcs tells; made when first asked for."""
        return survey(self._arcs, len(self.alphabet))

    def compare(self) -> None:
        """Check the digest: enough for a file that was whole when it was written.

        Raises:
            LexiconError: The file is damaged.
        """
        if hashlib.sha256(self.data[DIGEST_END:]).hexdigest() != self.digest:
            raise LexiconError("the word list does not match its digest")

    def verify(self) -> None:
        """Check digest and graph, so that nothing in the file can mislead later.

        Raises:
            LexiconError: The file is damaged, or somebody's invention.
        """
        self.compare()
        found = self._survey
        words = found.counts[found.root]
        if (words, found.root, found.longest) != (self.count, self.root, self.longest):
            raise LexiconError("the word list does not match its header")
        if not is_led_to(self._arcs, self.root):
            raise LexiconError("the word list has arcs that nothing leads to")


def read(data: bytes) -> Lexicon:
    """Return the lexicon of some bytes from anywhere, checked through and through.

    Raises:
        LexiconError: They are no lexicon, or a damaged one.
    """
    lexicon = Lexicon(data)
    lexicon.verify()
    return lexicon


def open_file(path: Path) -> Lexicon:
    """Return the lexicon of a file that was checked when it was written.

    The file is mapped, not read: pages come in as words are looked up.  Call
    `Lexicon.verify` where the file may have been changed since.

    Raises:
        LexiconError: It is no lexicon.
        OSError: It cannot be opened.
    """
    flags = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
    with os.fdopen(os.open(path, flags), "rb") as file:  # a pipe is not waited for
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise LexiconError("this is no plain file")
        try:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except ValueError:
            raise LexiconError("the word list is empty") from None
    return Lexicon(data)


def _numbers(data: memoryview, order: str) -> "memoryview[int] | array[int]":
    """Return little-endian 32-bit numbers as this machine reads them.

    Args:
        data: Their bytes, used in place where the machine is little-endian too.
        order: The machine's byte order, "little" or "big".
    """
    if order == "little":
        return data.cast("I")
    numbers = array("I", bytes(data))
    numbers.byteswap()
    return numbers


def _opened(place: Traversable) -> Lexicon:
    # A package inside an archive is unpacked for the moment; the mapping stays.
    with as_file(place) as path:
        return open_file(path)


_SHELF: Final = Shelf("words", ".graph", _opened)

find = _SHELF.find
forget = _SHELF.forget
load = _SHELF.load
own = _SHELF.own
register = _SHELF.register
shipped = _SHELF.shipped
