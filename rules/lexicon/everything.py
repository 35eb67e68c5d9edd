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
        if len(beginnings) == 1:
            _follow_one(arcs, node, beginnings[0], leading, words)
        else:
            _follow_all(arcs, node, beginnings, leading, words)
    return words


def _follow_all(
    arcs: Sequence[int],
    node: int,
    beginnings: Sequence[bytes],
    leading: list[list[bytes] | None],
    words: list[bytes],
) -> None:
    """Take some beginnings on from the node that they lead to.

    Args:
        arcs: The graph.
        node: Where the arcs of the node begin.
        beginnings: They.
        leading: What leads to each node; added to.
        words: Those found; added to.
    """
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


def _follow_one(
    arcs: Sequence[int],
    node: int,
    beginning: bytes,
    leading: list[list[bytes] | None],
    words: list[bytes],
) -> None:
    """Take one beginning on, as `_follow_all` does.

    Most nodes have one way to them; without a list for each a third of the time is
    saved.
    """
    place, arc = node, 0
    while not arc & LAST:
        arc = arcs[place]
        place += 1
        longer = beginning + _SPELLED[arc >> LETTER_SHIFT]
        if arc & END:
            words.append(longer)
        to = arc & INDEX
        if to:
            known = leading[to]
            if known is None:
                leading[to] = [longer]
            else:
                known.append(longer)
