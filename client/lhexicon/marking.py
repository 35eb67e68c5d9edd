"""Marking the word in spelling order, and why it may not be.

The only word that the letters laid can make need not be marked.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from client.lhexicon.local import OPEN, Local, Now, letter_at, unnamed, verdict
from client.ui.texts import _, told
from rules import hexes, lhexicon
from rules.lhexicon import EMPTY, Refusal, Verdict
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
    options, letters = seen.view.options, list(seen.view.letters)
    near = hexes.adjacent(options.side)
    must = {cell for cell, _letter in laid}
    for cell, _letter in laid:
        must.update(each for each in near[cell] if seen.view.letters[each] != EMPTY)
    for cell, letter in laid:
        letters[cell] = letter
    now = _Board(options.side, tuple(letters), frozenset(must))
    found: dict[str, Guess] = {}
    for path in _paths(now, laid, options.lexicon):
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


def begin_marking(seen: Now, local: Local) -> Local:
    """Go on to marking; a word typed in its order, or the only one, is marked."""
    typed = {each.cell for each in local.laid} <= set(local.trail)
    path = local.trail if typed and len(set(local.trail)) == len(local.trail) else ()
    alone = only(seen, local) if not path else None
    path = path if alone is None else alone.path
    cursor = local.trail[0] if typed and local.trail else local.cursor
    marked = replace(local, marking=True, path=path, typing=False, cursor=cursor)
    return replace(marked, guessed=alone is not None)


def toggle(seen: Now, local: Local, cell: int) -> Local:
    """Mark the letter on a cell, or take its mark away."""
    if local.guessed:
        local = replace(local, path=(), guessed=False)
    if letter_at(seen, local, cell) == EMPTY:
        return replace(local, cursor=cell if local.cursor >= 0 else -1)
    if cell in local.path:
        path = tuple(each for each in local.path if each != cell)
    else:
        path = (*local.path, cell)
    return replace(local, path=path, cursor=cell if local.cursor >= 0 else -1)


def fault(seen: Now, local: Local) -> Local | None:
    """Return the state that says why the word cannot be scored, or None if it can."""
    if unnamed(local) >= 0:
        return replace(local, notice=_("Which letter does the blank stand for?"))
    if not local.path:
        return replace(local, notice=_("Mark the letters of your word first"))
    found = verdict(seen, local)
    if not isinstance(found, Refusal):
        return None
    return replace(local, notice=told(found.reason), wrong=found.cells)
