"""All words of a graph in one go, for those who want nothing else of it."""

from collections.abc import Sequence
from typing import Final

from rules.lexicon.layout import END, INDEX, LAST, LETTER_SHIFT

_SPELLED: Final = [bytes([letter]) for letter in range(256)]


def everything(arcs: Sequence[int], root: int) -> list[bytes]:
    """Return all words, one byte a letter, in no order.

    A node is written after all that it leads to, so that one pass from the root down
    finds every beginning that leads to a node before the node itself.  Each arc is
    looked at once, for all of them together: most nodes are reached on many ways.

    Args:
        arcs: Of a graph that was checked: see `layout`.
        root: Where the arcs of the root begin; 0 if there is no word.
    """
    arcs = list(arcs)
    words: list[bytes] = []
    leading: list[list[bytes] | None] = [None] * len(arcs)
    leading[root] = [b""]
    nodes = [1, *(place for place, arc in enumerate(arcs, 1) if arc & LAST)]
    for node in reversed(nodes[:-1]):
        beginnings, leading[node] = leading[node], None
        if beginnings is None:
            continue
        place, arc = node, 0
        while not arc & LAST:
            arc = arcs[place]
            place += 1
            letter = _SPELLED[arc >> LETTER_SHIFT]
            longer = [word + letter for word in beginnings]
            if arc & END:
                words += longer
            to = arc & INDEX
            if to:
                known = leading[to]
                if known is None:
                    leading[to] = longer
                else:
                    known += longer
    return words
