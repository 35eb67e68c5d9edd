"""All words of a graph in one go, for those who want nothing else of it."""

from collections.abc import Sequence
from typing import Final

from rules.lexicon.layout import END, INDEX, LAST, LETTER_SHIFT, MAX_ALPHABET

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
                held = _forget(texts, arcs, node, root)
                most = max(HELD_BYTES, 2 * held)
    return texts[root].split(_BEFORE)[1:]


def _forget(texts: list[bytes], arcs: Sequence[int], node: int, root: int) -> int:
    """Forget the texts that no later node needs: few arcs can make large ones.

    Args:
        texts: Of each node; those not needed become empty.
        arcs: The graph.
        node: The next one.
        root: The node whose text is wanted in the end.

    Returns:
        How many bytes are held still.
    """
    needed = {root, *(arc & INDEX for arc in arcs[node:])}
    for place in range(node):
        if place not in needed:
            texts[place] = b""
    return sum(map(len, texts))
