"""A word list as a packed graph, used where it lies: mapped from its file."""

import hashlib
import mmap
import os
import stat
import sys
from array import array
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Final

from rules.lexicon.everything import everything
from rules.lexicon.layout import (
    DIGEST_END,
    END,
    INDEX,
    LAST,
    LETTER_SHIFT,
    NODE,
    LexiconError,
    Survey,
    is_led_to,
    read_head,
    survey,
)

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
