"""All words of a graph in one go, for those who want nothing else of it.

Most nodes have few words below them, and most of these nodes are reached on many ways.
So what follows such a node is spelled once, and beginnings are put before it: a third
of the steps that a walk through the graph takes.
"""

from collections.abc import Sequence
from typing import Final

from rules.lexicon.layout import END, INDEX, LAST, LETTER_SHIFT

FEW: Final = 4
"""Words below a node that are spelled beforehand.

More of them save little, and all but the shortest are spelled in vain.
"""

_SPELLED: Final = [bytes([letter]) for letter in range(256)]


def everything(arcs: Sequence[int], root: int) -> list[bytes]:
    """Return all words, one byte a letter, in no order.

    Args:
        arcs: Of a graph that was checked: see `layout`.
        root: Where the arcs of the root begin; 0 if there is no word.
    """
    arcs = list(arcs)
    endings = _endings(arcs)
    words: list[bytes] = []
    waiting = [(b"", root)] if root else []
    while waiting:
        start, place = waiting.pop()
        arc = 0
        while not arc & LAST:
            arc = arcs[place]
            place += 1
            word = start + _SPELLED[arc >> LETTER_SHIFT]
            if arc & END:
                words.append(word)
            to = arc & INDEX
            if to:
                follow = endings[to]
                if follow is None:
                    waiting.append((word, to))
                else:
                    words += [word + ending for ending in follow]
    return words


def _endings(arcs: Sequence[int]) -> list[list[bytes] | None]:
    """Return what may follow each node, by its first arc; None for more than `FEW`.

    A node is written after all that it leads to, so that one pass is enough.
    """
    endings: list[list[bytes] | None] = [None] * len(arcs)
    found: list[bytes] = []
    first, few = 1, True
    for place in range(1, len(arcs)):
        arc = arcs[place]
        letter = _SPELLED[arc >> LETTER_SHIFT]
        if arc & END:
            found.append(letter)
        to = arc & INDEX
        if to and few:
            follow = endings[to]
            if follow is None:
                few = False
            else:
                found += [letter + ending for ending in follow]
        if arc & LAST:
            if few and len(found) <= FEW:
                endings[first] = found
            first, found, few = place + 1, [], True
    return endings
