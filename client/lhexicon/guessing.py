"""Which words the letters laid can make, so that the only one need not be marked."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from client.lhexicon.local import OPEN, Local, Now
from rules import hexes, lhexicon
from rules.lhexicon import EMPTY, Refusal, State, Verdict
from rules.lhexicon.judging import checked
from rules.lhexicon.search import Known, known

MOST = 24
"""Words looked for at most: of more there is nothing to be said."""

Letters = tuple[tuple[int, int], ...]
"""Cells and the letters laid there."""


class Guess(NamedTuple):
    """A word that the letters laid can make."""

    path: tuple[int, ...]
    verdict: Verdict


def guesses(seen: Now, local: Local) -> tuple[Guess, ...]:
    """Return the words that the letters laid can make, each in one way.

    None where nobody checks words: whether one is right is for its player to know.
    """
    laid = tuple(sorted((each.cell, each.letter) for each in local.laid))
    if seen.seat is None or not laid or any(letter == OPEN for _cell, letter in laid):
        return ()
    if not checked(seen.view) or seen.view.options.challenge:
        return ()
    found: dict[str, Guess] = {}
    for path in _paths(_board(seen.view, laid), laid, seen.view.options.lexicon):
        said = lhexicon.judge(seen.view, seen.seat, local.laid, path)
        if not isinstance(said, Refusal):
            better = found.get(said.text)
            if better is None or better.verdict.points < said.points:
                found[said.text] = Guess(path, said)
    return tuple(found.values())


def only(seen: Now, local: Local) -> Guess | None:
    """Return the word that the letters laid make, if it is the only one."""
    found = guesses(seen, local)
    return found[0] if len(found) == 1 else None


class _Board(NamedTuple):
    side: int
    letters: tuple[int, ...]
    """The letter on each cell, those laid now included."""
    must: frozenset[int]
    """Cells that the word has to have: those laid, and what they touch."""


def _board(view: State, laid: Letters) -> _Board:
    letters = list(view.letters)
    near = hexes.adjacent(view.options.side)
    must = {cell for cell, _letter in laid}
    for cell, _letter in laid:
        must.update(each for each in near[cell] if view.letters[each] != EMPTY)
    for cell, letter in laid:
        letters[cell] = letter
    return _Board(view.options.side, tuple(letters), frozenset(must))


@lru_cache(maxsize=8)
def _paths(board: _Board, laid: Letters, digest: str) -> tuple[tuple[int, ...], ...]:
    """Return paths through all cells that the word must have, along words."""
    words, found = known(digest), list[tuple[int, ...]]()
    for cell, letter in enumerate(board.letters):
        if letter == EMPTY:
            continue
        for path in _walk(board, words, words.root, (cell,)):
            found.append(path)
            if len(found) >= MOST:
                return tuple(found)
    return tuple(found)


def _walk(
    board: _Board, words: Known, node: int, path: tuple[int, ...]
) -> Iterator[tuple[int, ...]]:
    """Yield the words that go on with the last cell of a path."""
    last = path[-1]
    after = words.steps(node).get(board.letters[last])
    if after is None:
        return
    missing = len(board.must.difference(path))
    if words.ahead(after)[0] < missing:
        return
    if not missing and len(path) > 1 and words.ends(after):
        yield path
    for cell in hexes.adjacent(board.side)[last]:
        if board.letters[cell] != EMPTY and cell not in path:
            yield from _walk(board, words, after, (*path, cell))
