"""Building the packed graph of a word list."""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Final

from rules.lexicon import graph

_NO_FOLDS: Final[Mapping[int, int]] = {}


def build(
    alphabet: Sequence[str],
    words: Iterable[Sequence[int]],
    folds: Mapping[int, int] = _NO_FOLDS,
) -> bytes:
    """Return the file of a word list; equal words make equal bytes.

    Args:
        alphabet: The letters in order, each one to four characters; multi-letter
            tiles such as CH are letters of their own.
        words: Letters as indexes into the alphabet; any order, any number of times.
        folds: Letter -> the letter it counts as.  The graph holds the latter only.

    Raises:
        LexiconError: A word is empty, too long or has a letter that is not in the
            alphabet; or the alphabet cannot be one; or there are too many words.
    """
    graph.check_alphabet(alphabet)
    packed = _packed(words, len(alphabet), folds)
    longest = max(map(len, packed), default=0)
    arcs, root = _arcs(packed)
    if len(arcs) > graph.INDEX + 1 or len(packed) > graph.MAX_WORDS:
        raise graph.LexiconError("too many words for one word list")
    return graph.write(alphabet, folds, arcs, len(packed), root, longest)


def _packed(
    words: Iterable[Sequence[int]], letters: int, folds: Mapping[int, int]
) -> list[bytes]:
    """Return the words as bytes, sorted, each once.

    Bytes compare like tuples of their numbers, but ten times as fast.

    Raises:
        LexiconError: As for `build`.
    """
    allowed = bytes(range(letters))
    table = bytes(folds.get(letter, letter) for letter in range(256))
    packed: set[bytes] = set()
    for word in words:
        try:
            key = bytes(word)
        except ValueError:
            key = b""
        if not 0 < len(key) <= graph.MAX_LENGTH or key.translate(None, allowed):
            raise graph.LexiconError(f"{tuple(word)} is not a word of this alphabet")
        packed.add(key.translate(table))
    return sorted(packed)


def _arcs(words: Iterable[bytes]) -> tuple["array[int]", int]:
    """Return the arcs of the minimal graph of sorted words, and where its root is.

    After Daciuk et al., "Incremental construction of minimal acyclic finite-state
    automata" (2000): `path` holds the arcs found so far of each node along the
    latest word; a node that the next word leaves is finished and, if one with the
    same arcs was written before, is that one.
    """
    arcs = array("I", [0])
    known: dict[tuple[int, ...], int] = {}
    path: list[list[int]] = [[] for _ in range(graph.MAX_LENGTH + 1)]
    before = b""
    for word in words:
        shared = _shared(before, word)
        _finish(path, len(before), shared, arcs, known)
        for depth in range(shared, len(word)):
            path[depth].append(word[depth] << graph.LETTER_SHIFT)
        path[len(word) - 1][-1] |= graph.END
        before = word
    _finish(path, len(before), 0, arcs, known)
    return arcs, _place(path[0], arcs, known)


def _shared(before: bytes, word: bytes) -> int:
    """Return how many letters two words begin with in common."""
    for place, (one, other) in enumerate(zip(before, word, strict=False)):
        if one != other:
            return place
    return min(len(before), len(word))


def _finish(
    path: list[list[int]],
    deep: int,
    shared: int,
    arcs: "array[int]",
    known: dict[tuple[int, ...], int],
) -> None:
    """Write the nodes along a word, from its end up to what the next one shares."""
    for depth in range(deep, shared, -1):
        path[depth - 1][-1] |= _place(path[depth], arcs, known)
        path[depth].clear()


def _place(
    node: list[int], arcs: "array[int]", known: dict[tuple[int, ...], int]
) -> int:
    """Return where the arcs of a finished node begin, written now or before."""
    if not node:
        return 0
    node[-1] |= graph.LAST
    key = tuple(node)
    place = known.get(key)
    if place is None:
        place = known[key] = len(arcs)
        arcs.extend(key)
    return place


# How common each word of a lexicon is, for computer players that know fewer words.
#
# The file beside a lexicon: magic, the lexicon's digest in 32 bytes, then half a byte
# for each word in the order of `Lexicon.words()`, the low half first: an index into
# SIZES.


MAGIC: Final = b"NPTIERS\x01"
_WORDS: Final = len(MAGIC) + 32
"""The words' half bytes begin here."""

SIZES: Final = (10, 20, 35, 40, 50, 55, 60, 70, 80)
"""SCOWL's sizes: 10 are the thousand commonest words, 80 what only lists have."""


class Tiers:
    """The size of each word of a lexicon: the lower, the more people know it."""

    def __init__(self, lexicon: graph.Lexicon, data: bytes) -> None:
        """Take the bytes of a tiers file for a lexicon.

        Raises:
            LexiconError: They are not a tiers file, or one for another lexicon.
        """
        head = MAGIC + bytes.fromhex(lexicon.digest)
        if data[:_WORDS] != head or len(data) != _WORDS + (lexicon.count + 1) // 2:
            raise graph.LexiconError("these tiers are not those of the word list")
        self._lexicon: Final = lexicon
        self._data: Final = data

    def of(self, word: Sequence[int]) -> int:
        """Return the size of a word, one of SIZES.

        Raises:
            LookupError: The lexicon does not have it.
        """
        return self.at(self._lexicon.index(word))

    def at(self, index: int) -> int:
        """Return the size of the word at a place of `Lexicon.words()`.

        Args:
            index: From 0 up to the lexicon's count.
        """
        return SIZES[self._data[_WORDS + index // 2] >> 4 * (index % 2) & 15]


def pack_tiers(lexicon: graph.Lexicon, sizes: Sequence[int]) -> bytes:
    """Return a tiers file.

    Args:
        lexicon: The word list.
        sizes: One of SIZES for each word, in the order of `Lexicon.words()`.
    """
    marks = [SIZES.index(size) for size in sizes]
    marks += [0] * (len(marks) % 2)
    pairs = zip(marks[::2], marks[1::2], strict=True)
    words = bytes(low | high << 4 for low, high in pairs)
    return MAGIC + bytes.fromhex(lexicon.digest) + words


@cache
def _shipped_tiers(digest: str) -> bytes | None:
    """Return the tiers file beside a shipped lexicon; None if it has none."""
    for name, other in graph.shipped().items():
        file = files("rules") / "words" / f"{name}.tiers"
        if other == digest and file.is_file():
            return file.read_bytes()
    return None


def tiers(lexicon: graph.Lexicon) -> Tiers | None:
    """Return how common the words of a lexicon are; None where nobody counted.

    Raises:
        LexiconError: The shipped file is damaged.
    """
    data = _shipped_tiers(lexicon.digest)
    return None if data is None else Tiers(lexicon, data)
